//! Values and text as one line: white space becomes single blanks, control characters are left out.

use huller_page::entity::{Context, decode};
use huller_page::{Attributes, Page, RunFlags, Tag, TagSet, Token, Tokenizer};
use std::ops::Range;

/// Memory for making lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    decoded: String,
    json: String,
    attributes: Attributes,
}

/// A value as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    /// Of an attribute.
    Attribute(&'a str),
    /// A JSON string without its quotes.
    Json(&'a str),
}

/// Bytes that one scalar of a value may take: `&CounterClockwiseContourIntegral;` is longer, and rare.
const BYTES_A_SCALAR: usize = 12;

impl<'a> Value<'a> {
    pub(super) fn raw(self) -> &'a str {
        let (Value::Attribute(raw) | Value::Json(raw)) = self;
        raw
    }

    /// Appends the value as one line of at most `limit` scalars.
    pub(super) fn put_line(self, limit: usize, lines: &mut Lines, out: &mut String) {
        let Lines { decoded, json, .. } = lines;
        let raw = within(self.raw(), limit * BYTES_A_SCALAR);
        decoded.clear();
        match self {
            Value::Attribute(_) => decode(raw, Context::Attribute, decoded),
            Value::Json(_) => decode_json(raw, json, decoded),
        }
        put_line(decoded, limit, out);
    }
}

/// The beginning of a text, of at most so many bytes.
pub(super) fn within(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Appends `text` to `out` as one line of at most `limit` scalars.
pub(super) fn put_line(text: &str, limit: usize, out: &mut String) {
    let mut room = limit;
    for (number, word) in text.split_whitespace().enumerate() {
        let blank = usize::from(number > 0);
        if room <= blank {
            break;
        }
        if blank > 0 {
            out.push(' ');
        }
        room -= blank;
        if word.is_ascii() && word.len() <= room && word.bytes().all(|b| b > b' ' && b < 0x7F) {
            out.push_str(word);
            room -= word.len();
            continue;
        }
        for c in word.chars().filter(|c| !c.is_control()).take(room) {
            out.push(c);
            room -= 1;
        }
    }
    if out.ends_with(' ') {
        out.pop();
    }
}

/// Appends a JSON string to `out`, its escapes decoded, and after that its character references, which many have.
fn decode_json(string: &str, memory: &mut String, out: &mut String) {
    memory.clear();
    let mut rest = string;
    while let Some(at) = rest.find('\\') {
        memory.push_str(&rest[..at]);
        let mut escape = rest[at + 1..].chars();
        match escape.next() {
            Some('u') => {
                let (c, after) = unicode_escape(escape.as_str());
                memory.push(c);
                rest = after;
                continue;
            }
            Some('n' | 'r' | 't' | 'b' | 'f') => memory.push(' '),
            Some(c) => memory.push(c),
            None => {}
        }
        rest = escape.as_str();
    }
    memory.push_str(rest);
    decode(memory, Context::Text, out);
}

/// What follows `\u`, and the rest behind it; two surrogates make one scalar.
fn unicode_escape(text: &str) -> (char, &str) {
    let unit = |text: &str| text.get(..4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    let Some(first) = unit(text) else { return (char::REPLACEMENT_CHARACTER, text) };
    let rest = &text[4..];
    if let (0xD800..0xDC00, Some(after)) = (first, rest.strip_prefix("\\u"))
        && let Some(second @ 0xDC00..0xE000) = unit(after)
    {
        let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), &after[4..]);
    }
    (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), rest)
}

/// Bytes that are looked at in one run, and between two.
const REACH: usize = 4096;
const REACH_BETWEEN: usize = 1024;

impl Lines {
    /// A text with its character references decoded.
    pub(super) fn decoded(&mut self, text: &str) -> &str {
        self.decoded.clear();
        decode(text, Context::Text, &mut self.decoded);
        &self.decoded
    }

    /// Appends the text of some runs as one line of at most `limit` scalars. Of each run, and of what stands between two, no
    /// more than a few kilobytes are looked at.
    pub(super) fn put_runs(
        &mut self,
        page: &Page<'_>,
        runs: Range<usize>,
        limit: usize,
        out: &mut String,
    ) {
        let Lines { decoded, attributes, .. } = self;
        let (mut room, mut space, mut last_end) = (limit, false, None);
        for run in &page.runs()[runs] {
            let start = run.byte_start as usize;
            if let Some(end) = last_end.replace(run.byte_end as usize) {
                space |= is_gap(within(&page.html()[end..start], REACH_BETWEEN), attributes);
            }
            let source = within(page.run_source(run), REACH);
            let text = if run.flags.contains(RunFlags::REFERENCES) {
                decoded.clear();
                decode(source, Context::Text, decoded);
                decoded.as_str()
            } else {
                source
            };
            for c in text.chars() {
                if c.is_whitespace() {
                    space = true;
                    continue;
                }
                if c.is_control() {
                    continue;
                }
                let blank = std::mem::take(&mut space) && room < limit;
                if room <= usize::from(blank) {
                    return;
                }
                if blank {
                    out.push(' ');
                }
                out.push(c);
                room -= 1 + usize::from(blank);
            }
        }
    }
}

/// Whether what stands between two runs parts words.
fn is_gap(markup: &str, attributes: &mut Attributes) -> bool {
    let mut tokenizer = Tokenizer::new(markup);
    std::iter::from_fn(|| tokenizer.next(attributes)).any(|token| match token {
        Token::Start { tag, .. } | Token::End { tag, .. } => {
            tag.is(TagSet::BLOCK) || tag == Tag::BR
        }
        Token::Text { .. } => true,
        Token::Comment(_) | Token::Doctype(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    #[test]
    fn escapes_and_references_are_decoded() {
        let mut out = String::new();
        decode_json(r"a\u4e2d\ud83d\ude00\/\n&amp;\ud83d\u12", &mut String::new(), &mut out);
        assert_eq!(out, "a中😀/ &\u{fffd}\u{fffd}12");
        decode_json("\\u中中中中\\", &mut String::new(), &mut out);
    }

    #[test]
    fn lines_are_cut_at_their_limit() {
        let cut = |limit| {
            let mut out = String::new();
            put_line(" ab\n\u{a0} cd\u{1}e  f \u{1}", limit, &mut out);
            out
        };
        assert_eq!(
            [cut(99), cut(5), cut(4), cut(3), cut(2), cut(0)],
            ["ab cde f", "ab cd", "ab c", "ab", "ab", ""]
        );
    }

    #[test]
    fn words_of_two_elements_are_parted_as_on_the_page() {
        let html =
            "<h1><b>one</b> <i>two</i><div>three</div>four<!-- -->five <span> six</span></h1>";
        let line = |limit| {
            let mut out = String::new();
            let mut buffer = PageBuf::new();
            let page = buffer.fill(html);
            Lines::default().put_runs(&page, 0..page.runs().len(), limit, &mut out);
            out
        };
        assert_eq!(line(99), "one two three fourfive six");
        assert_eq!([line(8), line(7), line(0)], ["one two", "one two", ""]);
    }
}
