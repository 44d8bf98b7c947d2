//! Splits a line that is a JSON object into its members. Values stay unparsed, so that a row can be
//! written again with the same bytes.

use memchr::memchr;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

/// The members of a JSON object, in their order: names, and values as they are written.
///
/// ```
/// use huller_row::JsonMembers;
///
/// let members: JsonMembers<'_> = serde_json::from_str(r#"{"a":1.50,"url":"x"}"#)?;
/// assert_eq!(members.member("a").unwrap().1.get(), "1.50");
/// assert_eq!(members.text("url").as_deref(), Some("x"));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub struct JsonMembers<'a>(pub Vec<(MemberName<'a>, &'a RawValue)>);

/// The name of a member. It dereferences to a string.
#[derive(Clone, Debug)]
pub struct MemberName<'a> {
    name: Cow<'a, str>,
    /// The bytes between its quotes.
    written: &'a str,
}

impl<'a> MemberName<'a> {
    /// Returns the name with its escapes, as it is written between its quotes.
    pub fn as_written(&self) -> &'a str {
        self.written
    }
}

impl<'a> From<&'a RawValue> for MemberName<'a> {
    /// Reads the name in a JSON string. For any other value the name is empty.
    fn from(string: &'a RawValue) -> MemberName<'a> {
        let written = between_quotes(string.get()).unwrap_or_default();
        MemberName { name: json_string(string).unwrap_or_default(), written }
    }
}

impl Deref for MemberName<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.name
    }
}

impl PartialEq<str> for MemberName<'_> {
    fn eq(&self, name: &str) -> bool {
        &*self.name == name
    }
}

impl<'de> Deserialize<'de> for JsonMembers<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonMembers<'de>, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = JsonMembers<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<JsonMembers<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<&RawValue, &RawValue>()? {
                    members.push((name.into(), value));
                }
                Ok(JsonMembers(members))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

impl<'a> JsonMembers<'a> {
    /// Returns the index and value of the last member of this name, which is the one that other
    /// readers take.
    pub fn member(&self, name: &str) -> Option<(usize, &'a RawValue)> {
        let found = self.0.iter().rposition(|(known, _)| known == name)?;
        Some((found, self.0[found].1))
    }

    /// Returns the member of this name, if it is a string.
    pub fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.member(name).and_then(|(_, value)| json_string(value))
    }

    /// Returns the member of this name, if it is of this type.
    pub fn value<T: Deserialize<'a>>(&self, name: &str) -> Option<T> {
        let (_, value) = self.member(name)?;
        serde_json::from_str(value.get()).ok()
    }
}

/// Returns the bytes between the quotes of a string.
fn between_quotes(json: &str) -> Option<&str> {
    json.strip_prefix('"')?.strip_suffix('"')
}

/// Returns a value that is a string, borrowed if it has no escapes. A lone half of a surrogate pair
/// becomes U+FFFD: JSON can escape it, but text cannot hold it.
pub fn json_string(value: &RawValue) -> Option<Cow<'_, str>> {
    unquoted(value.get())
}

/// Returns the text of an object that a value has as JSON text, as tables of text have it. Its line
/// ends become blanks, so that each part of it fits into a line.
///
/// ```
/// use huller_row::{JsonMembers, object_in_text};
///
/// let row: JsonMembers<'_> = serde_json::from_str(r#"{"metadata":"{\"n\":1}","text":"{a}"}"#)?;
/// let value = |name| row.member(name).unwrap().1;
/// assert_eq!(object_in_text(value("metadata")).as_deref(), Some(r#"{"n":1}"#));
/// assert_eq!(object_in_text(value("text")), None);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn object_in_text(value: &RawValue) -> Option<String> {
    let is_object = |text: &str| text.trim_start().starts_with('{');
    let text = json_string(value).filter(|text| is_object(text))?;
    // In valid JSON they are only between its parts.
    let line = text.trim().replace(['\n', '\r'], " ");
    serde_json::from_str::<JsonMembers<'_>>(&line).is_ok().then_some(line)
}

/// Returns a value that is a number or a flag, perhaps in quotes: tables of text hold all values as
/// strings. A number with a zero fraction is also a whole number, since tables write whole numbers
/// so in a column with nulls. (`serde_json` rounds some numbers otherwise.)
///
/// ```
/// use huller_row::{JsonMembers, json_number};
///
/// let row: JsonMembers<'_> = serde_json::from_str(r#"{"status":"200.0","kept":"TRUE"}"#)?;
/// let value = |name| row.member(name).unwrap().1;
/// assert_eq!(json_number::<u16>(value("status")), Some(200));
/// assert_eq!(json_number::<bool>(value("kept")), Some(true));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn json_number<T: FromStr>(value: &RawValue) -> Option<T> {
    let plain = between_quotes(value.get()).unwrap_or(value.get());
    // Python, R and spreadsheets write flags with capitals.
    match plain {
        "true" | "True" | "TRUE" => return "true".parse().ok(),
        "false" | "False" | "FALSE" => return "false".parse().ok(),
        _ => {}
    }
    // Rust would also take words such as `inf`.
    if !plain.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let float = plain.parse::<f64>().ok().filter(|float| float.is_finite())?;
    plain.parse().ok().or_else(|| whole_number(plain, float)?.parse().ok())
}

/// Returns the digits of a number that is whole although it has a fraction or an exponent.
fn whole_number(plain: &str, float: f64) -> Option<Cow<'_, str>> {
    /// Above it, not every whole number is a `f64`.
    const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
    if let Some((whole, fraction)) = plain.split_once('.')
        && fraction.bytes().all(|digit| digit == b'0')
    {
        return Some(Cow::Borrowed(whole));
    }
    let is_whole = plain.contains(['e', 'E']) && float.fract() == 0.0 && float.abs() <= MAX_EXACT;
    is_whole.then(|| Cow::Owned(format!("{float:.0}")))
}

/// Returns the text of valid JSON that is a string, as [`json_string`] does.
pub(crate) fn unquoted(json: &str) -> Option<Cow<'_, str>> {
    let inside = between_quotes(json)?;
    if memchr(b'\\', inside.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inside));
    }
    let text = serde_json::from_str(json);
    text.or_else(|_| serde_json::from_str(&without_lone_surrogates(json))).ok().map(Cow::Owned)
}

/// Returns JSON with U+FFFD in place of each lone half of a surrogate pair.
fn without_lone_surrogates(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = memchr(b'\\', rest.as_bytes()) {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let length = match (escaped_code_unit(escape), escape.get(6..).and_then(escaped_code_unit))
        {
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => 12,
            (Some(_), _) => 6,
            // The character after the backslash is one byte.
            (None, _) => escape.len().min(2),
        };
        let is_lone = length == 6 && matches!(escaped_code_unit(escape), Some(0xD800..0xE000));
        out.push_str(if is_lone { "\\ufffd" } else { &escape[..length] });
        rest = &escape[length..];
    }
    out.push_str(rest);
    out
}

/// Returns the number of the `\uXXXX` at the start of `json`.
fn escaped_code_unit(json: &str) -> Option<u32> {
    let digits = json.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> &RawValue {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn lone_surrogates_become_one_replacement_character_each() {
        for (json, expected) in [
            (r#""\ud800""#, "\u{fffd}"),
            (r#""a\uD83D\ud83d\uDE00\udc00\n""#, "a\u{fffd}\u{1f600}\u{fffd}\n"),
            (r#""\ud83d\\ud83d\"é\u00e9 \udfff中""#, "\u{fffd}\\ud83d\"éé \u{fffd}中"),
            (r#""\ud83d\ud83d\ufffd\/""#, "\u{fffd}\u{fffd}\u{fffd}/"),
            (r#""\ud83dDE00""#, "\u{fffd}DE00"),
        ] {
            assert_eq!(json_string(raw(json)).as_deref(), Some(expected), "{json}");
        }
    }

    #[test]
    fn strings_are_those_that_serde_reads_and_stay_borrowed_without_escapes() {
        for text in ["", "plain 中", "a\"b\\c/\u{1}\u{7f}\u{9b}\n", "\u{10ffff}"] {
            let json = serde_json::to_string(text).unwrap();
            let found = json_string(raw(&json)).unwrap();
            assert_eq!(found, text);
            assert_eq!(matches!(found, Cow::Borrowed(_)), !json.contains('\\'), "{json}");
        }
        for other in ["null", "7", "[\"a\"]", "{\"a\":\"b\"}", "true"] {
            assert_eq!(json_string(raw(other)), None, "{other}");
        }
    }

    #[test]
    fn numbers_and_flags_are_read_in_quotes_and_without() {
        for (json, whole, float, flag) in [
            ("7", Some(7), Some(7.0), None),
            ("\"7\"", Some(7), Some(7.0), None),
            ("200.0", Some(200), Some(200.0), None),
            ("\"1234.00\"", Some(1234), Some(1234.0), None),
            (
                "\"18446744073709551615.0\"",
                Some(u64::MAX),
                Some(18_446_744_073_709_551_615.0),
                None,
            ),
            ("\"1e+05\"", Some(100_000), Some(100_000.0), None),
            ("\"1.5E-1\"", None, Some(0.15), None),
            ("\"0.5\"", None, Some(0.5), None),
            ("-3", None, Some(-3.0), None),
            ("true", None, None, Some(true)),
            ("\"TRUE\"", None, None, Some(true)),
            ("\"False\"", None, None, Some(false)),
            ("\"FALSE\"", None, None, Some(false)),
        ] {
            assert_eq!(json_number::<u64>(raw(json)), whole, "{json}");
            assert_eq!(json_number::<f64>(raw(json)), float, "{json}");
            assert_eq!(json_number::<bool>(raw(json)), flag, "{json}");
        }
        let others = [
            "null", "\"\"", "\"inf\"", "\"NaN\"", "1e999", "\"0,5\"", "\"tRUE\"", "[1]", "\"1 2\"",
        ];
        for other in others {
            assert_eq!(json_number::<f64>(raw(other)), None, "{other}");
            assert_eq!(json_number::<u64>(raw(other)), None, "{other}");
            assert_eq!(json_number::<bool>(raw(other)), None, "{other}");
        }
    }

    #[test]
    fn objects_in_texts_are_lines() {
        let of = |json: &str| object_in_text(raw(json));
        assert_eq!(of(r#"" {\n\"a\":\r\n[\"b\\n\"]}\n""#).as_deref(), Some(r#"{ "a":  ["b\n"]}"#));
        for other in [r#""{'a': 1}""#, r#""[1]""#, r#""""#, r#"{"a":1}"#, r#""{\"a\":1} x""#] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn names_are_read_and_keep_the_escapes_that_they_are_written_with() {
        let line = r#"{"a\"b":1,"\ud800":2,"\u0061":3,"":4}"#;
        let JsonMembers(members) = serde_json::from_str(line).unwrap();
        let names: Vec<_> = members.iter().map(|(name, _)| (&**name, name.as_written())).collect();
        let expected = [("a\"b", r#"a\"b"#), ("\u{fffd}", r"\ud800"), ("a", r"\u0061"), ("", "")];
        assert_eq!(names, expected);
        for broken in [r#"{"a\x":1}"#, "{\"a\u{1}\":1}", r#"{"a:1}"#, r"{7:1}", r#"{"\ud8":1}"#] {
            assert!(serde_json::from_str::<JsonMembers<'_>>(broken).is_err(), "{broken}");
        }
    }
}
