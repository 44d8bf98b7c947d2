//! Copies the user's own keys of a line into one object.

use super::scan::Value;
use super::unescape::is_lone_surrogate;
use std::fmt::Write;
use std::ops::Range;

/// Size in bytes of the memory that is kept from line to line.
const KEEP: usize = 2 << 20;

/// Keys whose values are kept. Without keys it has no effect.
#[derive(Debug)]
pub(super) struct KeptValues {
    keys: Vec<KeptKey>,
    json: String,
}

#[derive(Debug)]
struct KeptKey {
    name: String,
    /// The name as JSON, with its quotes and the colon.
    member: String,
    /// The range of its value in the line.
    value: Option<Range<usize>>,
}

impl KeptValues {
    /// Returns the keys with these names, each once.
    pub(super) fn new(names: Vec<String>) -> KeptValues {
        let mut keys: Vec<KeptKey> = Vec::new();
        for name in names {
            if keys.iter().all(|key| key.name != name) {
                keys.push(KeptKey { member: member(&name), name, value: None });
            }
        }
        KeptValues { keys, json: String::new() }
    }

    /// Forgets the values of the previous line.
    pub(super) fn clear(&mut self) {
        self.keys.iter_mut().for_each(|key| key.value = None);
    }

    /// Stores the value if its key is one of these. The last of two values under one key counts.
    pub(super) fn offer(&mut self, name: &str, value: &Value) {
        if let Some(key) = self.keys.iter_mut().find(|key| key.name == name) {
            key.value = Some(value.bytes());
        }
    }

    /// Returns an object of all keys in their order, with `null` for each key that the line lacks.
    /// `None` if there are no keys.
    pub(super) fn object(&mut self, line: &str) -> Option<&str> {
        if self.keys.is_empty() {
            return None;
        }
        self.json.clear();
        self.json.shrink_to(KEEP);
        for (place, key) in self.keys.iter().enumerate() {
            self.json.push(if place == 0 { '{' } else { ',' });
            self.json.push_str(&key.member);
            match &key.value {
                Some(value) => push_value(&line[value.clone()], &mut self.json),
                None => self.json.push_str("null"),
            }
        }
        self.json.push('}');
        Some(&self.json)
    }
}

/// Returns a name as the beginning of a member of an object.
pub(crate) fn member(name: &str) -> String {
    let mut member = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => member.extend(['\\', c]),
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(member, "\\u{:04x}", u32::from(c));
            }
            c => member.push(c),
        }
    }
    member.push_str("\":");
    member
}

/// Appends a value that the scanner has checked, without blanks between its parts. Lone surrogates
/// become U+FFFD, since many readers of JSON refuse them.
pub(crate) fn push_value(value: &str, out: &mut String) {
    let mut rest = value;
    let mut in_string = false;
    while let Some(at) = rest.find(|c| match c {
        '"' => true,
        '\\' => in_string,
        ' ' | '\t' | '\r' | '\n' => !in_string,
        _ => false,
    }) {
        let (before, special) = rest.split_at(at);
        out.push_str(before);
        let length = match special.as_bytes()[0] {
            b'"' => {
                in_string = !in_string;
                out.push('"');
                1
            }
            b'\\' => push_escape(special, out),
            _ => 1,
        };
        rest = &special[length..];
    }
    out.push_str(rest);
}

/// Appends the escape with which `text` begins, and returns its length in bytes.
fn push_escape(text: &str, out: &mut String) -> usize {
    if !text.starts_with("\\u") {
        out.push_str(&text[..2]);
        return 2;
    }
    let (is_lone, length) = is_lone_surrogate(text);
    out.push_str(if is_lone { "\\ufffd" } else { &text[..length] });
    length
}

#[cfg(test)]
mod tests {
    use crate::jsonl::{JsonlKeys, JsonlReader};

    fn kept(names: &[&str], line: &str) -> Option<String> {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        let mut reader = JsonlReader::new(JsonlKeys { kept: names, ..JsonlKeys::default() });
        reader.read(br#"{"html":"", "a": "of the line before", "b": [1]}"#).unwrap();
        reader.read(line.as_bytes()).unwrap().kept.map(str::to_owned)
    }

    #[test]
    fn own_keys_are_kept_as_they_are_and_in_the_order_they_are_named_in() {
        let line =
            r#"{"b": {"x" : [ 1, -2.50e3, "a \" b" ]} , "html":"<p>", "a":"\u00e9\n", "c":true}"#;
        let expected = r#"{"a":"\u00e9\n","b":{"x":[1,-2.50e3,"a \" b"]},"d":null}"#;
        assert_eq!(kept(&["a", "b", "d", "a"], line).as_deref(), Some(expected));
        assert_eq!(kept(&[], line), None);
        assert_eq!(kept(&["html"], line).as_deref(), Some(r#"{"html":"<p>"}"#));
        assert_eq!(kept(&["a"], r#"{"html":"","a":1,"\u0061":2}"#).as_deref(), Some(r#"{"a":2}"#));
        let odd = r#"{"html":"","q\"\u0009\\":[ ]}"#;
        assert_eq!(kept(&["q\"\t\\"], odd).as_deref(), Some(r#"{"q\"\u0009\\":[]}"#));
    }

    #[test]
    fn kept_values_are_json_that_every_reader_takes() {
        let line = r#"{"html":"","a":["\ud800 \ud83d\ude00 \udc00\ud800\\ \u0041", "\ud83d\n", "\uD83D\uDE00"]}"#;
        let expected =
            r#"{"a":["\ufffd \ud83d\ude00 \ufffd\ufffd\\ \u0041","\ufffd\n","\uD83D\uDE00"]}"#;
        assert_eq!(kept(&["a"], line).as_deref(), Some(expected));
        serde_json::from_str::<serde_json::Value>(expected).unwrap();
    }
}
