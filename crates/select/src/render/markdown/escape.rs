//! Writes text as Markdown, with a backslash only before scalars that a renderer would take for
//! markup.
//!
//! Each rule tests the scalars on both sides. The text after a piece is unknown here and may be
//! anything.

use super::Markdown;
use super::literal::MAX_REFERENCE_BYTES;
use crate::render::lanes;

/// The places in which a scalar may be markup: anywhere, in headings and cells, or at the start of
/// a line. A number may be before it there.
const ANYWHERE: u8 = 1;
const INSIDE: u8 = 2;
const FIRST: u8 = 4;

static SPECIAL: [u8; 256] = {
    let mut table = [0; 256];
    let sets: [(&[u8], u8); 3] =
        [(b"\\`*_[](<&~$;", ANYWHERE), (b"|#", INSIDE | FIRST), (b">+-=.:)", FIRST)];
    let mut set = 0;
    while set < sets.len() {
        let (bytes, place) = sets[set];
        let mut i = 0;
        while i < bytes.len() {
            table[bytes[i] as usize] = place;
            i += 1;
        }
        set += 1;
    }
    table
};

/// Returns the offset of the first byte that may be markup in one of these places.
fn find_special(bytes: &[u8], places: u8) -> Option<usize> {
    // This covers every byte of `ANYWHERE`, and `^`.
    let may_be =
        |b: u8| u8::from(b.wrapping_sub(b'[') <= b'`' - b'[') | lanes::one_of(b, b"*(<&~$;");
    let free = if places == ANYWHERE { lanes::prefix_without(bytes, may_be) } else { 0 };
    let found = bytes[free..].iter().position(|b| SPECIAL[*b as usize] & places != 0)?;
    Some(free + found)
}

/// Longest number, in digits, that may begin an item of a list.
const MAX_NUMBER_DIGITS: usize = 9;

/// The text around a scalar.
struct ScalarContext<'a> {
    before: Option<char>,
    /// The rest of the piece, from the scalar on.
    rest: &'a str,
    /// The line so far, if the line may begin a block of another kind.
    line: Option<&'a str>,
    /// Whether the line follows a line break.
    is_broken: bool,
    is_in_heading: bool,
    is_in_cell: bool,
    is_in_link: bool,
    has_formula: bool,
    /// Whether the block has an unescaped dollar.
    has_dollar: bool,
    /// Whether the scalar ends a character reference that began in another piece.
    ends_reference: bool,
}

impl ScalarContext<'_> {
    /// Returns the scalar after it; `None` at the end of the piece.
    fn next_char(&self) -> Option<char> {
        self.rest.chars().nth(1)
    }

    /// Returns whether the scalar is the first of its line.
    fn is_first(&self) -> bool {
        self.line.is_some_and(str::is_empty)
    }

    fn is_next(&self, is: impl Fn(char) -> bool) -> bool {
        self.next_char().is_none_or(is)
    }

    /// Returns whether the scalar must be escaped.
    fn is_markup(&self, byte: u8) -> bool {
        let white = |c: char| c.is_whitespace();
        let is_after_white = self.before.is_none_or(white);
        match byte {
            b'\\' => self.is_next(|next| next.is_ascii_punctuation()),
            b'`' => true,
            b'*' => self.is_first() || !is_after_white || !self.next_char().is_some_and(white),
            b'_' => {
                let is_inside = self.before.is_some_and(char::is_alphanumeric)
                    && self.next_char().is_some_and(char::is_alphanumeric);
                !is_inside
            }
            b'~' => !is_after_white || self.next_char() == Some('~') || self.next_char().is_none(),
            b'$' => self.has_formula || self.has_dollar && !is_after_white,
            b'[' => self.is_in_link || self.is_first() || self.next_char() == Some('^'),
            b']' => self.is_in_link,
            b'(' => self.before == Some(']'),
            b'<' => self.is_next(|next| next.is_ascii_alphabetic() || "/!?".contains(next)),
            b'&' => {
                let name = self.rest.bytes().skip(1).take_while(|b| is_in_reference(*b));
                let length = name.take(MAX_REFERENCE_BYTES).count();
                length > 0 && self.rest.as_bytes().get(1 + length) == Some(&b';')
            }
            b';' => self.ends_reference,
            b'|' => self.is_in_cell || self.is_first(),
            b'#' if self.is_in_heading => is_after_white,
            b'#' => {
                self.is_first() && {
                    let after = self.rest.trim_start_matches('#').chars().next();
                    after.is_none_or(white)
                }
            }
            b'>' => self.is_first(),
            b'+' => self.is_first() && self.is_next(white),
            b'-' => self.is_first() && self.is_next(|next| next.is_whitespace() || next == '-'),
            b'=' => self.is_first() && self.is_broken,
            b':' => self.is_first() && self.is_broken && self.is_next(|next| next == '-'),
            b'.' | b')' => {
                let is_number = |line: &str| {
                    (1..=MAX_NUMBER_DIGITS).contains(&line.len())
                        && line.bytes().all(|b| b.is_ascii_digit())
                };
                self.line.is_some_and(is_number) && self.is_next(white)
            }
            _ => false,
        }
    }
}

impl Markdown<'_> {
    /// Writes text.
    pub(super) fn escape(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut plain_start = 0;
        let mut offset = 0;
        let inside_places = if self.heading > 0 || self.is_in_cell() { INSIDE } else { 0 };
        // Only up to here can text begin a block of another kind.
        let mut first_end =
            if self.is_at_line_start() { bytes.len().min(MAX_NUMBER_DIGITS + 1) } else { 0 };
        loop {
            let distance = if offset < first_end {
                find_special(&bytes[offset..first_end], ANYWHERE | INSIDE | FIRST)
            } else {
                find_special(&bytes[offset..], ANYWHERE | inside_places)
            };
            let Some(distance) = distance else {
                if offset < first_end {
                    offset = std::mem::take(&mut first_end);
                    continue;
                }
                break;
            };
            offset += distance;
            self.out.push_str(&text[plain_start..offset]);
            plain_start = offset;
            let is_line = self.heading == 0 && !self.is_in_cell();
            let around = ScalarContext {
                before: self.last_char(),
                rest: &text[offset..],
                line: is_line.then(|| &self.out[self.line.content..]),
                is_broken: self.line.is_broken,
                is_in_heading: self.heading > 0,
                is_in_cell: self.is_in_cell(),
                is_in_link: self.link.is_some(),
                has_formula: self.has_formula,
                has_dollar: self.line.dollar.is_some(),
                ends_reference: bytes[offset] == b';' && self.ends_reference(&bytes[..offset]),
            };
            if around.is_markup(bytes[offset]) {
                self.out.push('\\');
            } else if bytes[offset] == b'$' {
                self.line.dollar.get_or_insert(self.out.len());
            }
            offset += 1;
        }
        self.out.push_str(&text[plain_start..]);
    }

    /// Returns whether the line is empty, or holds only a possible number of an item.
    fn is_at_line_start(&self) -> bool {
        let line = &self.out.as_bytes()[self.line.content..];
        line.len() <= MAX_NUMBER_DIGITS && line.iter().all(u8::is_ascii_digit)
    }

    /// Escapes a line start that would begin a block of another kind, after the sign before it was
    /// removed.
    pub(super) fn guard_line_start(&mut self) {
        let line = &self.out[self.line.content..];
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let place = match line.as_bytes().get(digits) {
            Some(b'.' | b')') if (1..=9).contains(&digits) => digits,
            Some(b'#' | b'-' | b'+' | b'>' | b'=' | b':' | b'|') if digits == 0 => 0,
            Some(b'[') if digits == 0 && !self.begins_with_link() => 0,
            _ => return,
        };
        let place = self.line.content + place;
        self.out.insert(place, '\\');
        self.move_marks(place);
    }

    /// Returns whether the `[` at the start of the line was written for a link, not as text.
    fn begins_with_link(&self) -> bool {
        if self.link == Some(self.line.content) {
            return true;
        }
        let mut line = self.out[self.line.content..].bytes();
        while let Some(byte) = line.next() {
            match byte {
                b'\\' => line.next(),
                // After a bracket of the text a parenthesis is escaped.
                b']' => return line.next() == Some(b'('),
                _ => continue,
            };
        }
        false
    }

    /// Escapes the dollars of the block so far, because the next output holds one that cannot be
    /// escaped. All these dollars belong to text, since this call comes before any other output
    /// with a dollar.
    pub(super) fn escape_dollars(&mut self) {
        let Some(first_dollar) = self.line.dollar.take() else { return };
        let mut at = first_dollar;
        while let Some(distance) = self.out[at..].find('$') {
            at += distance;
            let backslashes = self.out[..at].bytes().rev().take_while(|b| *b == b'\\').count();
            if backslashes % 2 == 0 {
                self.out.insert(at, '\\');
                self.move_marks(at);
                at += 1;
            }
            at += 1;
        }
    }

    /// Returns whether a reference ends here that began before `text_before`, the piece so far.
    fn ends_reference(&self, text_before: &[u8]) -> bool {
        let line = &self.out.as_bytes()[self.line.content..];
        let name = line.iter().rev().take(MAX_REFERENCE_BYTES).take_while(|b| is_in_reference(**b));
        let length = name.count();
        length > 0
            && text_before.iter().all(|b| is_in_reference(*b))
            && text_before.len() <= length
            && line[..line.len() - length].ends_with(b"&")
    }
}

/// Returns whether a byte may be part of a character reference.
fn is_in_reference(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'#'
}
