//! Finds the members of one JSON object. The crate `serde_json` checks every byte.

use super::fault::{JsonlFault, JsonlReason, fault};
use serde::Deserializer as _;
use serde::de::{Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Deserializer, Error};
use std::fmt;
use std::ops::Range;

/// Deepest nesting, the outermost object included. Readers of rows recurse once for each level.
const MAX_DEPTH: i64 = 1024;

/// A string in the line.
#[derive(Clone, Debug)]
pub(super) struct StringToken {
    /// The bytes between its quotes.
    pub(super) inside: Range<usize>,
    /// Whether it has escapes.
    pub(super) escaped: bool,
}

impl StringToken {
    /// Returns the string that has these bytes in the line, its quotes included.
    fn new(json: &str, bytes: Range<usize>) -> StringToken {
        let escaped = memchr::memchr(b'\\', json.as_bytes()).is_some();
        StringToken { inside: bytes.start + 1..bytes.end - 1, escaped }
    }
}

/// A value in the line.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(StringToken),
    /// The bytes of a number.
    Number(Range<usize>),
    /// The bytes of an object, an array, `true`, `false` or `null`.
    Other(Range<usize>),
}

impl Value {
    pub(super) fn start(&self) -> usize {
        match self {
            Value::Text(text) => text.inside.start - 1,
            Value::Number(inside) | Value::Other(inside) => inside.start,
        }
    }

    /// Returns the range of the value, including the quotes of a string.
    pub(super) fn bytes(&self) -> Range<usize> {
        match self {
            Value::Text(StringToken { inside, .. }) => inside.start - 1..inside.end + 1,
            Value::Number(bytes) | Value::Other(bytes) => bytes.clone(),
        }
    }
}

/// Passes each member of the outermost object to `take`, in the order of the line. A fault ends
/// the line after the members before it.
pub(super) fn members(line: &str, take: impl FnMut(StringToken, Value)) -> Result<(), JsonlFault> {
    let start = line.len() - line.trim_start_matches([' ', '\t', '\n', '\r']).len();
    if line.as_bytes().get(start) != Some(&b'{') {
        return Err(fault(JsonlReason::NotAnObject, start));
    }
    let mut json = Deserializer::from_str(line);
    let mut too_deep = None;
    let visitor = MemberVisitor { line, take, too_deep: &mut too_deep };
    let result = json.deserialize_map(visitor);
    if let Some(position) = too_deep {
        return Err(fault(JsonlReason::TooDeep, position));
    }
    result.map_err(|error| invalid(line, &error))?;
    json.end().map_err(|error| fault(JsonlReason::TrailingText, position(line, &error)))
}

/// Passes on the members of an object.
struct MemberVisitor<'l, 'd, T> {
    line: &'l str,
    take: T,
    /// Offset of the value that is nested too deeply, which ends the visit.
    too_deep: &'d mut Option<usize>,
}

impl<'l, T: FnMut(StringToken, Value)> Visitor<'l> for MemberVisitor<'l, '_, T> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<M: MapAccess<'l>>(mut self, mut map: M) -> Result<(), M::Error> {
        let range = |raw: &RawValue| {
            let start = raw.get().as_ptr().addr() - self.line.as_ptr().addr();
            start..start + raw.get().len()
        };
        while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
            let (json, bytes) = (value.get(), range(value));
            let value = match json.as_bytes().first() {
                Some(b'"') => Value::Text(StringToken::new(json, bytes)),
                Some(b'-' | b'0'..=b'9') => Value::Number(bytes),
                // The outermost object is one level.
                _ if Brackets::count(json.as_bytes()).deepest >= MAX_DEPTH => {
                    *self.too_deep = Some(bytes.start);
                    return Err(M::Error::custom("nested too deeply"));
                }
                _ => Value::Other(bytes),
            };
            (self.take)(StringToken::new(key.get(), range(key)), value);
        }
        Ok(())
    }
}

/// Returns the fault for an error of the crate. It has no codes for the kinds of errors, so their
/// messages are searched; an unknown message means invalid JSON.
fn invalid(line: &str, error: &Error) -> JsonlFault {
    if error.is_eof() {
        return fault(JsonlReason::Truncated, line.len());
    }
    let message = error.to_string();
    let reason = if message.starts_with("control character") {
        JsonlReason::ControlCharacter
    } else if message.starts_with("invalid escape") {
        JsonlReason::Escape
    } else {
        JsonlReason::Syntax
    };
    fault(reason, position(line, error))
}

/// Returns the offset of the byte that an error is about, or of one next to it.
fn position(line: &str, error: &Error) -> usize {
    // The crate counts lines and columns from 1. Only blanks have line feeds in them.
    let lines_before = line.split_inclusive('\n').take(error.line().saturating_sub(1));
    let start: usize = lines_before.map(str::len).sum();
    (start + error.column().saturating_sub(1)).min(line.len())
}

/// The brackets outside the strings of a text that may be JSON.
#[derive(Default)]
struct Brackets {
    /// How many are open at the end; negative if more were closed than opened.
    open: i64,
    /// How many are open at the same time, at most.
    deepest: i64,
    ends_in_string: bool,
}

impl Brackets {
    fn count(json: &[u8]) -> Brackets {
        let mut brackets = Brackets::default();
        let mut bytes = json.iter();
        while let Some(byte) = bytes.next() {
            match byte {
                b'"' => brackets.ends_in_string = !brackets.ends_in_string,
                b'\\' if brackets.ends_in_string => {
                    bytes.next();
                }
                b'{' | b'[' if !brackets.ends_in_string => {
                    brackets.open += 1;
                    brackets.deepest = brackets.deepest.max(brackets.open);
                }
                b'}' | b']' if !brackets.ends_in_string => brackets.open -= 1,
                _ => {}
            }
        }
        brackets
    }
}

/// Returns whether a text is one JSON value of any kind.
pub(crate) fn is_value(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
        && Brackets::count(text.as_bytes()).deepest <= MAX_DEPTH
}

/// Returns whether a line is one object, without blanks around it.
pub(crate) fn is_object(line: &[u8]) -> bool {
    line.first() == Some(&b'{') && str::from_utf8(line).is_ok_and(is_value)
}

/// Returns whether a line ends outside strings with open brackets, as the first line of JSON over
/// several lines does.
pub(crate) fn is_open(line: &[u8]) -> bool {
    let brackets = Brackets::count(line);
    brackets.open > 0 && !brackets.ends_in_string
}
