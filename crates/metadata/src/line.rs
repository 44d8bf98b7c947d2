//! Writes values and text as one line: white space becomes single spaces, control characters are
//! left out.

use huller_page::entity::{Context, decode};
use huller_page::{Page, RunFlags};
use huller_select::Renderer;
use memchr::memchr;

/// Writes lines. Owns and reuses its buffers.
#[derive(Debug, Default)]
pub(super) struct LineWriter {
    decoded: String,
    json: String,
    renderer: Renderer,
}

/// A value in the page's own encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    /// The value of an attribute.
    Attribute(&'a str),
    /// A JSON string, without its quotes.
    Json(&'a str),
}

/// Number of source bytes to read for each scalar of a line. Longer character references, such as
/// `&CounterClockwiseContourIntegral;`, are rare.
const BYTES_PER_SCALAR: usize = 12;

impl<'a> Value<'a> {
    pub(super) fn raw(self) -> &'a str {
        let (Value::Attribute(raw) | Value::Json(raw)) = self;
        raw
    }

    /// Appends the value as one line of at most `limit` Unicode scalars.
    pub(super) fn put_line(self, limit: usize, lines: &mut LineWriter, out: &mut String) {
        let LineWriter { decoded, json, .. } = lines;
        let raw = truncate_text(self.raw(), limit * BYTES_PER_SCALAR);
        let start = out.len();
        decoded.clear();
        match self {
            Value::Attribute(_) if memchr(b'&', raw.as_bytes()).is_none() => {
                Renderer::line(raw, out);
            }
            Value::Attribute(_) => {
                decode(raw, Context::Attribute, decoded);
                Renderer::line(decoded, out);
            }
            Value::Json(_) => {
                decode_json(raw, json, decoded);
                Renderer::line(decoded, out);
            }
        }
        cut(out, start, limit);
    }
}

/// Returns the beginning of a text, at most `bytes` bytes.
pub(super) fn truncate_text(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Cuts the text in `out` after the byte `start` to at most `limit` scalars, without a space at the
/// end.
fn cut(out: &mut String, start: usize, limit: usize) {
    let added = &out[start..];
    if added.len() > limit
        && let Some((end, _)) = added.char_indices().nth(limit)
    {
        let end = added[..end].trim_end_matches(' ').len();
        out.truncate(start + end);
    }
}

/// Appends a JSON string to `out`. Decodes its escapes, and then the character references that many
/// JSON strings contain.
fn decode_json(string: &str, scratch: &mut String, out: &mut String) {
    scratch.clear();
    let mut rest = string;
    while let Some(escape_offset) = rest.find('\\') {
        scratch.push_str(&rest[..escape_offset]);
        let mut escape = rest[escape_offset + 1..].chars();
        match escape.next() {
            Some('u') => {
                let (c, text_after) = unicode_escape(escape.as_str());
                scratch.push(c);
                rest = text_after;
                continue;
            }
            Some('n' | 'r' | 't' | 'b' | 'f') => scratch.push(' '),
            Some(c) => scratch.push(c),
            None => {}
        }
        rest = escape.as_str();
    }
    scratch.push_str(rest);
    decode(scratch, Context::Text, out);
}

/// Decodes the escape whose digits begin `text`, after `\u`. Returns its scalar and the rest of the
/// text. Two surrogates make one scalar.
pub(super) fn unicode_escape(text: &str) -> (char, &str) {
    let unit = |text: &str| text.get(..4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    let Some(first_unit) = unit(text) else { return (char::REPLACEMENT_CHARACTER, text) };
    let rest = &text[4..];
    if let (0xD800..0xDC00, Some(text_after)) = (first_unit, rest.strip_prefix("\\u"))
        && let Some(second @ 0xDC00..0xE000) = unit(text_after)
    {
        let code = 0x1_0000 + ((first_unit - 0xD800) << 10) + (second - 0xDC00);
        return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), &text_after[4..]);
    }
    (char::from_u32(first_unit).unwrap_or(char::REPLACEMENT_CHARACTER), rest)
}

impl LineWriter {
    /// Appends the text of an element as one line of at most `limit` scalars. Appends nothing if
    /// the element is more than a line ([`is_line`]).
    pub(super) fn put_node(&mut self, page: &Page<'_>, node: u32, limit: usize, out: &mut String) {
        if !is_line(page, node) {
            return;
        }
        let start = out.len();
        self.decoded.clear();
        self.renderer.node(page, node, &mut self.decoded);
        for (number, line) in self.decoded.split('\n').enumerate() {
            out.push_str(if number > 0 { " " } else { "" });
            out.push_str(line);
        }
        cut(out, start, limit);
    }

    /// Appends the text of a run as one line of at most `limit` scalars.
    pub(super) fn put_run(&mut self, page: &Page<'_>, run: usize, limit: usize, out: &mut String) {
        let run = &page.runs()[run];
        let raw = truncate_text(page.run_source(run), limit * BYTES_PER_SCALAR);
        let start = out.len();
        if run.flags.contains(RunFlags::REFERENCES) {
            self.decoded.clear();
            decode(raw, Context::Text, &mut self.decoded);
            Renderer::line(&self.decoded, out);
        } else {
            Renderer::line(raw, out);
        }
        cut(out, start, limit);
    }
}

/// Returns whether the text of an element can be one line: it has at most 256 nodes and 1 to 1,000
/// visible scalars.
pub(super) fn is_line(page: &Page<'_>, node: u32) -> bool {
    const MAX_LINE_NODES: u32 = 256;
    let inner_count = page.nodes()[node as usize].end - node;
    inner_count <= MAX_LINE_NODES && (1..=MAX_LINE_CHARS).contains(&chars(page, node))
}

/// Largest number of visible scalars of a line.
const MAX_LINE_CHARS: u32 = 1000;

/// Returns the number of visible scalars of an element. Stops counting above the length of a line.
pub(super) fn chars(page: &Page<'_>, node: u32) -> u32 {
    let mut chars = 0_u32;
    for run in &page.runs()[page.nodes()[node as usize].runs()] {
        chars = chars.saturating_add(run.counts.chars);
        if chars > MAX_LINE_CHARS {
            break;
        }
    }
    chars
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::{PageBuf, Tag};

    #[test]
    fn escapes_and_references_are_decoded() {
        let mut out = String::new();
        decode_json(r"a\u4e2d\ud83d\ude00\/\n&amp;\ud83d\u12", &mut String::new(), &mut out);
        assert_eq!(out, "a中😀/ &\u{fffd}\u{fffd}12");
        decode_json("\\u中中中中\\", &mut String::new(), &mut out);
    }

    #[test]
    fn lines_are_cut_at_their_limit() {
        let line = |limit| {
            let mut out = "x".to_owned();
            let value = Value::Attribute(" ab\n\u{a0} cd\u{1}é  &amp; ");
            value.put_line(limit, &mut LineWriter::default(), &mut out);
            out
        };
        assert_eq!(
            [line(99), line(6), line(5), line(3), line(2), line(0)],
            ["xab cdé &", "xab cdé", "xab cd", "xab", "xab", "x"]
        );
    }

    #[test]
    fn words_of_two_elements_are_separated_as_on_the_page() {
        let html =
            "<h1><b>one</b> <i>two</i><div>three</div>four<!-- -->five <span> six</span></h1>";
        let line = |limit| {
            let mut out = String::new();
            let mut buffer = PageBuf::new();
            let page = buffer.fill(html);
            let heading = page.nodes().iter().position(|node| node.tag == Tag::H1).unwrap();
            LineWriter::default().put_node(&page, heading as u32, limit, &mut out);
            out
        };
        assert_eq!(line(99), "one two three fourfive six");
        assert_eq!([line(8), line(7), line(0)], ["one two", "one two", ""]);
    }
}
