//! Cuts text into words and the white space between them.

use super::joiners::{is_joiner, is_kept};
use huller_page::text::{CharClass, char_class, plain_end};
use std::ops::Range;

/// Classes of bytes of UTF-8.
mod byte {
    pub(super) const KEPT: u8 = 0;
    pub(super) const WHITE: u8 = 1;
    /// A control character, or the first byte of a scalar that may be white space, zero-width or a
    /// control character.
    pub(super) const DECODE: u8 = 2;
}

static BYTES: [u8; 256] = {
    let mut table = [byte::KEPT; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = match b as u8 {
            b' ' | 0x09..=0x0D => byte::WHITE,
            0..=0x1F | 0x7F | 0xC2 | 0xE1 | 0xE2 | 0xE3 | 0xEF => byte::DECODE,
            _ => byte::KEPT,
        };
        b += 1;
    }
    table
};

/// Receives text as words and the white space between them.
pub(super) trait TakeWords {
    /// Receives words with single spaces between them.
    fn words(&mut self, words: &str);
    /// Receives white space.
    fn white_space(&mut self);
    /// Returns the last scalar of the words before, if no white space has followed.
    fn last(&self) -> Option<char>;
}

/// Returns whether the scalar at `offset` is a joiner that belongs to the text. `last_before`
/// returns the last scalar before the text.
fn is_kept_joiner(
    text: &str,
    offset: usize,
    c: char,
    last_before: impl Fn() -> Option<char>,
) -> bool {
    /// Number of scalars searched for a letter. Of several joiners in a row the first stays.
    const MAX_SEARCHED_CHARS: usize = 4;
    is_joiner(c) && {
        let next_visible = text[offset..].chars().take(MAX_SEARCHED_CHARS).find(|c| !is_joiner(*c));
        is_kept(text[..offset].chars().next_back().or_else(last_before), c, next_visible)
    }
}

/// Returns whether the scalar at byte `at` of a text is a joiner that belongs to the text, as
/// between letters of Persian.
pub fn keeps_joiner(text: &str, at: usize) -> bool {
    text[at..].chars().next().is_some_and(|c| is_kept_joiner(text, at, c, || None))
}

/// Cuts text into words, without zero-width and control characters.
pub(super) fn cut_into_words(text: &str, range: Range<usize>, out: &mut impl TakeWords) {
    let bytes = text.as_bytes();
    let class = |offset: usize| BYTES[bytes[offset] as usize];
    let Range { start, end } = range;
    let mut offset = start;
    // Start of the bytes that can be copied unchanged: visible scalars with single spaces between
    // them.
    let mut plain_start = offset;
    while offset < end {
        let single_blank = bytes[offset] == b' '
            && offset > plain_start
            && offset + 1 < end
            && class(offset + 1) == byte::KEPT;
        if class(offset) == byte::KEPT || single_blank {
            offset = plain_end(text, offset, end).max(offset + 1);
            continue;
        }
        if class(offset) == byte::WHITE {
            out.words(&text[plain_start..offset]);
            offset += bytes[offset..end]
                .iter()
                .take_while(|b| BYTES[**b as usize] == byte::WHITE)
                .count();
            plain_start = offset;
            out.white_space();
            continue;
        }
        let c = text[offset..].chars().next().unwrap_or_default();
        let class = char_class(c);
        let white = class == CharClass::White;
        let is_kept = || is_kept_joiner(&text[start..end], offset - start, c, || out.last());
        if white || class == CharClass::ZeroWidth && !is_kept() || c.is_control() {
            out.words(&text[plain_start..offset]);
            plain_start = offset + c.len_utf8();
        }
        if white {
            out.white_space();
        }
        offset += c.len_utf8();
    }
    out.words(&text[plain_start..end]);
}

/// Cuts preformatted text into words and the white space after each, without control characters.
/// Either may be empty. `last_before` is the last scalar before the text, if no separator is
/// between.
pub(super) fn preformatted(
    text: &str,
    last_before: Option<char>,
    mut take: impl FnMut(&str, &str),
) {
    let mut plain_start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        let blank = match c {
            '!'..='~' => continue,
            '\r' => {
                let is_pair = chars.peek().is_some_and(|(_, next)| *next == '\n');
                if is_pair { "" } else { "\n" }
            }
            '\t' => "\t",
            '\n' | '\u{2028}' | '\u{2029}' | '\u{85}' => "\n",
            ' ' => " ",
            _ => match char_class(c) {
                CharClass::White => " ",
                CharClass::ZeroWidth if is_kept_joiner(text, offset, c, || last_before) => continue,
                CharClass::ZeroWidth => "",
                _ if c.is_control() => "",
                _ => continue,
            },
        };
        take(&text[plain_start..offset], blank);
        plain_start = offset + c.len_utf8();
    }
    take(&text[plain_start..], "");
}
