//! Walks over the strings of a JSON value in their order, and replaces parts of a value.
//!
//! Both need memory only for the changed parts, for a value of any depth.

use crate::json::{escape_controls, push_string};
use crate::json_members::unquoted;
use memchr::memchr2;
use std::borrow::Cow;
use std::ops::Range;

/// A walk over the strings of a JSON value that is known to be valid.
///
/// ```
/// use huller_row::{JsonStrings, JsonToken};
///
/// let mut strings = JsonStrings::new(r#"{"a":["x"],"b":{"c":1},"d":"y"}"#);
/// let mut found = Vec::new();
/// while let Some(token) = strings.next() {
///     match token {
///         JsonToken::Name(name) if name == "b" => { strings.skip_value(); }
///         JsonToken::Name(name) | JsonToken::Text(_, name) => found.push(name),
///     }
/// }
/// assert_eq!(found, ["a", "x", "d", "y"]);
/// ```
#[derive(Debug)]
pub struct JsonStrings<'a> {
    json: &'a str,
    at: usize,
    depth: usize,
}

/// A string of a JSON value.
#[derive(Debug, PartialEq, Eq)]
pub enum JsonToken<'a> {
    /// The name of a member.
    Name(Cow<'a, str>),
    /// A string that is a value: its byte range in the JSON, and its text.
    Text(Range<usize>, Cow<'a, str>),
}

impl<'a> JsonStrings<'a> {
    /// Begins before the value.
    pub fn new(json: &'a str) -> JsonStrings<'a> {
        JsonStrings { json, at: 0, depth: 0 }
    }

    /// Returns how many objects and lists are open.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the next name or string.
    #[expect(clippy::should_implement_trait, reason = "a loop over it has to call its methods")]
    pub fn next(&mut self) -> Option<JsonToken<'a>> {
        while let Some(byte) = self.json.as_bytes().get(self.at) {
            match byte {
                b'"' => {
                    let string = self.string();
                    let text = unquoted(&self.json[string.clone()]).unwrap_or_default();
                    self.blanks();
                    let is_name = self.json.as_bytes().get(self.at) == Some(&b':');
                    return Some(if is_name {
                        JsonToken::Name(text)
                    } else {
                        JsonToken::Text(string, text)
                    });
                }
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
        None
    }

    /// Skips the value of the member whose name came last, and returns its byte range.
    pub fn skip_value(&mut self) -> Range<usize> {
        let bytes = self.json.as_bytes();
        self.at += usize::from(bytes.get(self.at) == Some(&b':'));
        self.blanks();
        let start = self.at;
        match bytes.get(start) {
            Some(b'"') => return self.string(),
            Some(b'{' | b'[') => self.brackets(),
            _ => {
                let is_end = |byte: &u8| matches!(byte, b',' | b'}' | b']') || is_blank(*byte);
                let rest = &bytes[start..];
                self.at += rest.iter().position(is_end).unwrap_or(rest.len());
            }
        }
        start..self.at
    }

    /// Skips an object or list.
    fn brackets(&mut self) {
        let mut open = 0_usize;
        while let Some(byte) = self.json.as_bytes().get(self.at) {
            match byte {
                b'"' => {
                    self.string();
                    continue;
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return;
            }
        }
    }

    /// Skips a string, and returns its byte range with its quotes.
    fn string(&mut self) -> Range<usize> {
        let bytes = self.json.as_bytes();
        let start = self.at;
        self.at += 1;
        while let Some(found) = memchr2(b'"', b'\\', &bytes[self.at.min(bytes.len())..]) {
            self.at += found;
            if bytes[self.at] == b'"' {
                self.at += 1;
                return start..self.at;
            }
            self.at += 2;
        }
        self.at = bytes.len();
        start..self.at
    }

    fn blanks(&mut self) {
        let rest = &self.json.as_bytes()[self.at..];
        self.at += rest.iter().position(|byte| !is_blank(*byte)).unwrap_or(rest.len());
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// An edit of a JSON value: appends the value with parts replaced, in their order. All other bytes
/// stay unchanged.
///
/// ```
/// use huller_row::JsonEdit;
///
/// let mut out = Vec::new();
/// let mut edit = JsonEdit::new("[ \"a\", 1.50 ]", &mut out);
/// edit.text(2..5, "b\n");
/// assert!(edit.end());
/// assert_eq!(out, b"[ \"b\\n\", 1.50 ]");
/// ```
#[derive(Debug)]
pub struct JsonEdit<'a> {
    json: &'a str,
    copied: usize,
    out: &'a mut Vec<u8>,
}

impl<'a> JsonEdit<'a> {
    /// Begins before the value.
    pub fn new(json: &'a str, out: &'a mut Vec<u8>) -> JsonEdit<'a> {
        JsonEdit { json, copied: 0, out }
    }

    /// Replaces the bytes at `place` by a string.
    pub fn text(&mut self, place: Range<usize>, text: &str) {
        let out = self.buffer_for(place);
        let start = out.len();
        push_string(out, text);
        escape_controls(out, start);
    }

    /// Replaces the bytes at `place` by JSON.
    pub fn raw(&mut self, place: Range<usize>, json: &str) {
        self.buffer_for(place).extend_from_slice(json.as_bytes());
    }

    fn buffer_for(&mut self, place: Range<usize>) -> &mut Vec<u8> {
        self.out.extend_from_slice(&self.json.as_bytes()[self.copied..place.start]);
        self.copied = place.end;
        self.out
    }

    /// Writes the rest and returns true. If no part was replaced, it writes no bytes and returns
    /// false.
    pub fn end(self) -> bool {
        if self.copied > 0 {
            self.out.extend_from_slice(&self.json.as_bytes()[self.copied..]);
        }
        self.copied > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    /// Returns all names and strings, in the order of a walk.
    fn walked(json: &str) -> Vec<(bool, String, usize)> {
        let mut strings = JsonStrings::new(json);
        let mut found = Vec::new();
        while let Some(token) = strings.next() {
            found.push(match token {
                JsonToken::Name(name) => (true, name.into_owned(), strings.depth()),
                JsonToken::Text(place, text) => {
                    assert_eq!(serde_json::from_str::<String>(&json[place]).unwrap(), text);
                    (false, text.into_owned(), strings.depth())
                }
            });
        }
        found
    }

    fn expected(value: &Value, depth: usize, found: &mut Vec<(bool, String, usize)>) {
        match value {
            Value::String(text) => found.push((false, text.clone(), depth)),
            Value::Array(values) => values.iter().for_each(|it| expected(it, depth + 1, found)),
            Value::Object(members) => {
                for (name, value) in members {
                    found.push((true, name.clone(), depth + 1));
                    expected(value, depth + 1, found);
                }
            }
            _ => {}
        }
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let text = "[a:\"\\\\{}\\[\\], é\\n]{0,6}";
        let leaf = prop_oneof![
            text.prop_map(Value::from),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            Just(Value::Null),
        ];
        leaf.prop_recursive(5, 40, 5, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map(text, inner, 0..5)
                    .prop_map(|members| members.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn walks_see_all_strings_of_any_value(value in any_value(), is_pretty: bool) {
            let json = if is_pretty { format!("{value:#}") } else { value.to_string() };
            let mut all = Vec::new();
            expected(&value, 0, &mut all);
            prop_assert_eq!(walked(&json), all);
        }

        #[test]
        fn values_of_members_are_passed_over(value in any_value(), is_pretty: bool) {
            let object = serde_json::json!({"a": value, "b": "end"});
            let json = if is_pretty { format!("{object:#}") } else { object.to_string() };
            let mut strings = JsonStrings::new(&json);
            prop_assert_eq!(strings.next(), Some(JsonToken::Name("a".into())));
            let place = strings.skip_value();
            prop_assert_eq!(&serde_json::from_str::<Value>(&json[place.clone()]).unwrap(), &value);
            prop_assert_eq!(strings.next(), Some(JsonToken::Name("b".into())));
            let mut out = Vec::new();
            let mut edit = JsonEdit::new(&json, &mut out);
            edit.raw(place, "null");
            prop_assert!(edit.end());
            let edited: Value = serde_json::from_slice(&out).unwrap();
            prop_assert_eq!(edited, serde_json::json!({"a": null, "b": "end"}));
        }
    }

    #[test]
    fn deep_values_and_lone_surrogates_are_walked() {
        let deep = format!("{}\"x\"{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(walked(&deep), [(false, "x".to_owned(), 100_000)]);
        let mut strings = JsonStrings::new(r#"{"\ud800":"a\udc00"}"#);
        assert_eq!(strings.next(), Some(JsonToken::Name("\u{fffd}".into())));
        assert_eq!(strings.next(), Some(JsonToken::Text(10..19, "a\u{fffd}".into())));
        assert_eq!(strings.next(), None);
    }

    #[test]
    fn nothing_is_written_where_nothing_is_replaced() {
        let mut out = b"before".to_vec();
        assert!(!JsonEdit::new("{\"a\": 1}", &mut out).end());
        assert_eq!(out, b"before");
    }
}
