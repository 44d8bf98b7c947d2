//! What a page says of itself for machines: `meta` elements and JSON-LD.
//!
//! JSON-LD is scanned, not parsed: much of it is broken (line breaks in strings, commas too many), and a scan for members that
//! are strings needs neither recursion nor memory. It does not see how deep a member stands, nor whose it is.

use huller_page::entity::{Context, decode};
use huller_page::{Attributes, Page};

/// Calls `each` with every name and content of the page's `meta` elements, in order. One may have several names.
pub(crate) fn each_meta<'a>(
    page: &Page<'a>,
    memory: &mut Attributes,
    mut each: impl FnMut(&'a str, &'a str),
) {
    const NAMES: [&str; 3] = ["property", "name", "itemprop"];
    for node in page.meta() {
        let (mut names, mut content) = ([None; 3], None);
        for (attribute, value) in page.all_attributes(node, memory) {
            if attribute.eq_ignore_ascii_case("content") {
                content = Some(value);
            } else if let Some(kind) = NAMES.iter().position(|k| attribute.eq_ignore_ascii_case(k))
            {
                names[kind] = Some(value);
            }
        }
        if let Some(content) = content {
            names.into_iter().flatten().for_each(|name| each(name.trim(), content));
        }
    }
}

/// Appends `text` to `out` as one line of at most `limit` scalars, with single blanks for white space.
pub(crate) fn put_line(text: &str, limit: usize, out: &mut String) {
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
        for c in word.chars().filter(|c| !c.is_control()).take(room) {
            out.push(c);
            room -= 1;
        }
    }
}

/// The members of a JSON text whose values are strings: names and values as written, without their quotes.
pub(crate) struct StringMembers<'a> {
    json: &'a str,
}

impl<'a> StringMembers<'a> {
    pub(crate) fn of(json: &'a str) -> StringMembers<'a> {
        StringMembers { json }
    }

    /// Takes a string whose opening quote is the next thing but white space.
    fn string(&mut self) -> Option<&'a str> {
        let content = self.json.trim_start().strip_prefix('"')?;
        let mut escaped = false;
        let end = content.bytes().position(|b| {
            let ends = b == b'"' && !escaped;
            escaped = b == b'\\' && !escaped;
            ends
        });
        let end = end.unwrap_or(content.len());
        self.json = content.get(end + 1..).unwrap_or_default();
        Some(&content[..end])
    }
}

impl<'a> Iterator for StringMembers<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<(&'a str, &'a str)> {
        loop {
            self.json = &self.json[self.json.find('"')?..];
            let name = self.string()?;
            let Some(value) = self.json.trim_start().strip_prefix(':') else { continue };
            self.json = value;
            if let Some(value) = self.string() {
                return Some((name, value));
            }
        }
    }
}

/// Appends a JSON string to `out`, its escapes decoded, and after that its character references, which many have.
pub(crate) fn decode_json(string: &str, memory: &mut String, out: &mut String) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn members(json: &str) -> Vec<(&str, &str)> {
        StringMembers::of(json).collect()
    }

    #[test]
    fn members_are_found_in_broken_json_too() {
        let json = r#"{"a": "1", "b": ["x", "y",], "c": {"d" : "say \"hi\""}, "e": 5, "f":"two
            lines", "g": "open"#;
        let found = members(json);
        assert_eq!(found[..2], [("a", "1"), ("d", r#"say \"hi\""#)]);
        assert_eq!((found[2].0, found[3]), ("f", ("g", "open")));
        assert_eq!(members(r#""""a":"\\""#), [("a", r"\\")]);
        assert_eq!(members(&"[{\"a\":".repeat(9999)), []);
    }

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
            put_line(" ab\n\u{a0} cd\u{1}e  f ", limit, &mut out);
            out
        };
        assert_eq!(
            [cut(99), cut(5), cut(4), cut(3), cut(2), cut(0)],
            ["ab cde f", "ab cd", "ab c", "ab", "ab", ""]
        );
    }
}
