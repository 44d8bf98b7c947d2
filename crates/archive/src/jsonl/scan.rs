//! Scans one JSON object. The scanner checks every byte and returns the outermost members.

use super::fault::{JsonlFault, JsonlReason, fault};
use std::ops::Range;

/// Deepest nesting, the outermost object included. A level costs one bit.
const DEPTH: usize = 1024;

/// A string in the line.
#[derive(Clone, Debug)]
pub(super) struct StringToken {
    /// The bytes between its quotes.
    pub(super) inside: Range<usize>,
    /// Whether it has escapes.
    pub(super) escaped: bool,
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

/// The token that the scanner expects next in an object or array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExpectedToken {
    /// A member, or the end right after the opening bracket.
    MemberOrEnd,
    /// A member after a comma.
    Member,
    /// A comma or the end.
    CommaOrEnd,
}

pub(super) struct Scanner<'a> {
    line: &'a [u8],
    at: usize,
    first: bool,
    done: bool,
}

impl<'a> Scanner<'a> {
    /// Enters the object in the line.
    pub(super) fn open(line: &'a str) -> Result<Self, JsonlFault> {
        let mut scanner = Scanner { line: line.as_bytes(), at: 0, first: true, done: false };
        scanner.blanks();
        if scanner.peek() != Some(b'{') {
            return Err(fault(JsonlReason::NotAnObject, scanner.at));
        }
        scanner.at += 1;
        Ok(scanner)
    }

    /// Returns the next member of the outermost object; `None` at the end of the line.
    pub(super) fn member(&mut self) -> Result<Option<(StringToken, Value)>, JsonlFault> {
        self.blanks();
        if self.done {
            return Ok(None);
        }
        let expect =
            if self.first { ExpectedToken::MemberOrEnd } else { ExpectedToken::CommaOrEnd };
        self.first = false;
        if !self.separator(expect, b'}')? {
            self.done = true;
            self.blanks();
            return match self.peek() {
                None => Ok(None),
                Some(_) => Err(fault(JsonlReason::TrailingText, self.at)),
            };
        }
        let key = self.key()?;
        let value = match self.peek() {
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => {
                let start = self.at;
                self.number()?;
                Value::Number(start..self.at)
            }
            _ => {
                let start = self.at;
                self.skip()?;
                Value::Other(start..self.at)
            }
        };
        Ok(Some((key, value)))
    }

    /// Skips one value of any kind and depth, without recursion.
    fn skip(&mut self) -> Result<(), JsonlFault> {
        // One bit for each open bracket below the outermost object: 1 if it is an object.
        let mut objects = [0_u64; DEPTH / 64];
        let mut depth = 0;
        loop {
            let expect = match self.peek() {
                Some(open @ (b'{' | b'[')) => {
                    if depth + 1 == DEPTH {
                        return Err(fault(JsonlReason::TooDeep, self.at));
                    }
                    self.at += 1;
                    let bit = 1 << (depth % 64);
                    objects[depth / 64] &= !bit;
                    objects[depth / 64] |= if open == b'{' { bit } else { 0 };
                    depth += 1;
                    ExpectedToken::MemberOrEnd
                }
                Some(b'"') => {
                    self.string()?;
                    ExpectedToken::CommaOrEnd
                }
                Some(b'-' | b'0'..=b'9') => {
                    self.number()?;
                    ExpectedToken::CommaOrEnd
                }
                _ => {
                    self.word()?;
                    ExpectedToken::CommaOrEnd
                }
            };
            // Skip the brackets that close here, and move to the next value.
            let mut expect = expect;
            loop {
                if depth == 0 {
                    return Ok(());
                }
                let object = objects[(depth - 1) / 64] >> ((depth - 1) % 64) & 1 == 1;
                self.blanks();
                if self.separator(expect, if object { b'}' } else { b']' })? {
                    if object {
                        self.key()?;
                    }
                    break;
                }
                depth -= 1;
                expect = ExpectedToken::CommaOrEnd;
            }
        }
    }

    /// Skips a comma or a closing bracket, including blanks. Returns true if a member follows.
    fn separator(&mut self, expect: ExpectedToken, close: u8) -> Result<bool, JsonlFault> {
        match (self.peek(), expect) {
            (Some(byte), ExpectedToken::MemberOrEnd | ExpectedToken::CommaOrEnd)
                if byte == close =>
            {
                self.at += 1;
                Ok(false)
            }
            (Some(b','), ExpectedToken::CommaOrEnd) => {
                self.at += 1;
                self.blanks();
                self.separator(ExpectedToken::Member, close)
            }
            (Some(byte), ExpectedToken::MemberOrEnd | ExpectedToken::Member) if byte != close => {
                Ok(true)
            }
            _ => Err(self.syntax()),
        }
    }

    /// Reads a key, its colon and the blanks around it.
    fn key(&mut self) -> Result<StringToken, JsonlFault> {
        if self.peek() != Some(b'"') {
            return Err(self.syntax());
        }
        let key = self.string()?;
        self.blanks();
        if self.peek() != Some(b':') {
            return Err(self.syntax());
        }
        self.at += 1;
        self.blanks();
        Ok(key)
    }

    /// Reads a string. The scanner is at its opening quote.
    fn string(&mut self) -> Result<StringToken, JsonlFault> {
        self.at += 1;
        let start = self.at;
        let mut escaped = false;
        loop {
            // This examines many bytes at a time, since the loop covers nearly every byte of every
            // line.
            self.at += plain(&self.line[self.at..]);
            match self.peek() {
                None => return Err(fault(JsonlReason::Truncated, self.line.len())),
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(_) => return Err(fault(JsonlReason::ControlCharacter, self.at)),
            }
        }
        let inside = start..self.at;
        self.at += 1;
        Ok(StringToken { inside, escaped })
    }

    fn escape(&mut self) -> Result<(), JsonlFault> {
        let rest = &self.line[self.at + 1..];
        let length = match rest {
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
            [b'u', digits @ ..] => {
                let digits = &digits[..digits.len().min(4)];
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return Err(fault(JsonlReason::Escape, self.at));
                }
                2 + digits.len()
            }
            [] => 1,
            _ => return Err(fault(JsonlReason::Escape, self.at)),
        };
        // If the line ends within the escape, the caller reports the line as truncated.
        self.at += length;
        Ok(())
    }

    fn number(&mut self) -> Result<(), JsonlFault> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), JsonlFault> {
        let digits = self.line[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return Err(self.syntax());
        }
        self.at += digits;
        Ok(())
    }

    fn word(&mut self) -> Result<(), JsonlFault> {
        for word in [b"true".as_slice(), b"false", b"null"] {
            let rest = &self.line[self.at..];
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(());
            }
            if word.starts_with(rest) {
                return Err(fault(JsonlReason::Truncated, self.line.len()));
            }
        }
        Err(self.syntax())
    }

    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn blanks(&mut self) {
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += self.line[self.at..].iter().take_while(blank).count();
    }

    /// Returns the fault for a byte that the grammar does not allow here, or for the end of the
    /// line.
    fn syntax(&self) -> JsonlFault {
        let reason =
            if self.at < self.line.len() { JsonlReason::Syntax } else { JsonlReason::Truncated };
        fault(reason, self.at.min(self.line.len()))
    }
}

/// Returns whether a text is one JSON value of any kind.
pub(crate) fn is_value(text: &str) -> bool {
    let mut scanner = Scanner { line: text.as_bytes(), at: 0, first: true, done: false };
    scanner.blanks();
    let is_value = scanner.skip().is_ok();
    scanner.blanks();
    is_value && scanner.peek().is_none()
}

/// Returns whether a line is one object, without blanks around it.
pub(crate) fn is_object(line: &[u8]) -> bool {
    line.first() == Some(&b'{') && str::from_utf8(line).is_ok_and(is_value)
}

/// Returns whether a line ends outside strings with open brackets, as the first line of JSON over
/// several lines does.
pub(crate) fn is_open(line: &[u8]) -> bool {
    let (mut depth, mut in_string) = (0_i64, false);
    let mut bytes = line.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => in_string = !in_string,
            b'\\' if in_string => {
                bytes.next();
            }
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth -= 1,
            _ => {}
        }
    }
    depth > 0 && !in_string
}

/// Returns the number of bytes before the first quote, backslash or control character.
fn plain(bytes: &[u8]) -> usize {
    const STEP: usize = 16;
    let special = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
    let mut at = 0;
    // A step has no branches, so that the compiler uses vector instructions.
    while let Some(step) = bytes.get(at..at + STEP) {
        if step.iter().fold(false, |any, &byte| any | special(byte)) {
            break;
        }
        at += STEP;
    }
    at + bytes[at..].iter().take_while(|&&byte| !special(byte)).count()
}
