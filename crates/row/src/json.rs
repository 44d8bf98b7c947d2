//! Writes JSON objects member by member.
//!
//! `serde_json` writes all values, and strings with rare escapes. In texts from headers and pages,
//! DEL and the C1 controls are escaped too, since terminals execute U+009B like ESC.

use memchr::{memchr2_iter, memchr3};
use serde::Serialize;
use std::io::Write;

/// A JSON object that is being written, member by member.
#[derive(Debug)]
pub struct Object<'a> {
    out: &'a mut Vec<u8>,
    /// The byte before the next member: `{` or `,`.
    before: u8,
}

impl<'a> Object<'a> {
    /// Begins an object at the end of `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Object<'a> {
        Object { out, before: b'{' }
    }

    /// Adds a text, or `null`. The name is written without escapes.
    pub fn text<'t>(&mut self, name: &str, text: impl Into<Option<&'t str>>) {
        self.name(name);
        match text.into() {
            Some(text) => push_string(self.out, text),
            None => self.out.extend_from_slice(b"null"),
        }
    }

    /// Adds a text that may hold control characters, or `null`.
    pub fn untrusted<'t>(&mut self, name: &str, text: impl Into<Option<&'t str>>) {
        let Some(text) = text.into() else { return self.text(name, None) };
        let start = self.out.len();
        self.text(name, text);
        escape_controls(self.out, start);
    }

    /// Adds any other value.
    ///
    /// # Panics
    ///
    /// If the value cannot be serialized, such as a map whose keys are not strings.
    pub fn value(&mut self, name: &str, value: impl Serialize) {
        self.name(name);
        serde_json::to_writer(&mut *self.out, &value)
            .expect("writing plain fields to memory cannot fail");
    }

    /// Adds a value that is already JSON, or `null`.
    pub fn json(&mut self, name: &str, json: Option<&str>) {
        self.name(name);
        let start = self.out.len();
        self.out.extend_from_slice(json.unwrap_or("null").as_bytes());
        escape_controls(self.out, start);
    }

    /// Adds a value that is already JSON, unchanged.
    pub fn raw(&mut self, name: &str, json: &str) {
        self.name(name);
        self.out.extend_from_slice(json.as_bytes());
    }

    /// Adds a list with an object for each item, which `members` fills.
    pub fn list<T>(
        &mut self,
        name: &str,
        items: impl Iterator<Item = T>,
        mut members: impl FnMut(&mut Object<'_>, T),
    ) {
        self.name(name);
        self.out.push(b'[');
        for (at, item) in items.enumerate() {
            if at > 0 {
                self.out.push(b',');
            }
            let mut object = Object::new(self.out);
            members(&mut object, item);
            object.end();
        }
        self.out.push(b']');
    }

    /// Adds a list of texts that may hold control characters, or `null`.
    pub fn texts(&mut self, name: &str, texts: Option<&[&str]>) {
        self.name(name);
        let Some(texts) = texts else { return self.out.extend_from_slice(b"null") };
        push_texts(self.out, texts);
    }

    /// Adds an object, which `members` fills.
    pub fn object(&mut self, name: &str, members: impl FnOnce(&mut Object<'_>)) {
        self.name(name);
        let mut object = Object::new(self.out);
        members(&mut object);
        object.end();
    }

    fn name(&mut self, name: &str) {
        self.out.push(std::mem::replace(&mut self.before, b','));
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    /// Ends the object.
    pub fn end(self) {
        if self.before == b'{' {
            self.out.push(b'{');
        }
        self.out.push(b'}');
    }
}

/// Appends `value` as one line of JSON without control characters.
///
/// # Panics
///
/// If `value` cannot be serialized, such as a map whose keys are not strings.
pub fn push_line(out: &mut Vec<u8>, value: &impl Serialize) {
    let start = out.len();
    serde_json::to_writer(&mut *out, value).expect("writing plain fields to memory cannot fail");
    escape_controls(out, start);
    out.push(b'\n');
}

/// Appends a list of texts without control characters.
pub(crate) fn push_texts(out: &mut Vec<u8>, texts: &[&str]) {
    let start = out.len();
    out.push(b'[');
    for (at, text) in texts.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        push_string(out, text);
    }
    out.push(b']');
    escape_controls(out, start);
}

/// Appends `text` in quotes. Quotes, backslashes and line feeds, the common escapes, are searched
/// many bytes at a time; `serde_json` looks at each byte.
pub(crate) fn push_string(out: &mut Vec<u8>, text: &str) {
    out.reserve(text.len() + 2);
    let mut rest = text.as_bytes();
    // A loop without a branch, so that the compiler compares many bytes at a time.
    let is_rare = |byte: &u8| u8::from(*byte < b' ') & u8::from(*byte != b'\n');
    if rest.iter().fold(0, |found, byte| found | is_rare(byte)) != 0 {
        serde_json::to_writer(out, text).expect("writing a string to memory cannot fail");
        return;
    }
    out.push(b'"');
    while let Some(at) = memchr3(b'"', b'\\', b'\n', rest) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(match rest[at] {
            b'"' => b"\\\"",
            b'\n' => b"\\n",
            _ => b"\\\\",
        });
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// Escapes DEL and the C1 control characters in the JSON from `start` on. They occur only in
/// strings, so parsers read the same values as before.
pub fn escape_controls(json: &mut Vec<u8>, start: usize) {
    let is_control = |at: &usize, bytes: &[u8]| {
        bytes[*at] == 0x7F || bytes.get(at + 1).is_some_and(|next| (0x80..0xA0).contains(next))
    };
    let tail = &json[start..];
    let mut found = memchr2_iter(0x7F, 0xC2, tail).filter(|at| is_control(at, tail)).peekable();
    if found.peek().is_none() {
        return;
    }
    let mut escaped = Vec::with_capacity(tail.len() + 64);
    let mut done = 0;
    for at in found {
        escaped.extend_from_slice(&tail[done..at]);
        let (code, length) = if tail[at] == 0x7F { (0x7F, 1) } else { (tail[at + 1], 2) };
        // Writing to memory cannot fail.
        let _ = write!(escaped, "\\u{code:04x}");
        done = at + length;
    }
    escaped.extend_from_slice(&tail[done..]);
    json.truncate(start);
    json.append(&mut escaped);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_from_outside_are_escaped_and_mean_the_same() {
        let text: String =
            (0..0x180).filter_map(char::from_u32).chain("é\u{9b}2J\u{7f}".chars()).collect();
        for text in [text.as_str(), "", "plain", "é \u{a0}»", "\u{9b}", "\u{c2}\u{7f}"] {
            let mut out = b"\x7f".to_vec();
            let mut object = Object::new(&mut out);
            object.untrusted("a", text);
            object.end();
            let json = std::str::from_utf8(&out[1..]).unwrap();
            assert!(!json.contains(char::is_control), "{json:?}");
            let value: serde_json::Value = serde_json::from_str(json).unwrap();
            assert_eq!(value["a"], text);
            assert_eq!(out[0], 0x7F, "what stood before is left alone");
        }
    }

    #[test]
    fn strings_are_written_as_serde_json_does() {
        let all: String = (0..0x180).filter_map(char::from_u32).collect();
        let common = "\"\\\n";
        for text in [&all, common, "", "\t\n", "a\nb\"c\\", "\n\nä"] {
            for text in [text.to_owned(), text.repeat(40), format!("{}{text}", "x".repeat(70))] {
                let mut out = Vec::new();
                push_string(&mut out, &text);
                assert_eq!(out, serde_json::to_vec(&text).unwrap());
            }
        }
    }

    #[test]
    fn objects_are_written_as_serde_json_does() {
        let mut out = Vec::new();
        let mut object = Object::new(&mut out);
        object.text("a", "1\n");
        object.text("b", None);
        object.object("c", |_| {});
        object.object("d", |inner| inner.value("e", [1.5, 1e300]));
        object.value("f", Some(true));
        object.end();
        let expected = r#"{"a":"1\n","b":null,"c":{},"d":{"e":[1.5,1e+300]},"f":true}"#;
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
