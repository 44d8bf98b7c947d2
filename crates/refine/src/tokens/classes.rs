//! Classifies scalars for the expressions that cut texts into pieces.

use std::sync::OnceLock;
use unicode_properties::{GeneralCategory as C, UnicodeGeneralCategory};

/// `\p{L}`.
pub(super) const LETTER: u8 = 1;
/// `\p{N}`.
pub(super) const NUMBER: u8 = 2;
/// `\s`.
pub(super) const SPACE: u8 = 4;
/// `[\r\n]`.
pub(super) const NEWLINE: u8 = 8;
/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`.
pub(super) const UPPER: u8 = 16;
/// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`.
pub(super) const LOWER: u8 = 32;
/// The classes that `[^\s\p{L}\p{N}]` excludes.
pub(super) const WORDY: u8 = LETTER | NUMBER | SPACE;

fn class_of_char(c: char) -> u8 {
    let by_category = match c.general_category() {
        C::UppercaseLetter | C::TitlecaseLetter => LETTER | UPPER,
        C::LowercaseLetter => LETTER | LOWER,
        C::ModifierLetter | C::OtherLetter => LETTER | UPPER | LOWER,
        C::NonspacingMark | C::SpacingMark | C::EnclosingMark => UPPER | LOWER,
        C::DecimalNumber | C::LetterNumber | C::OtherNumber => NUMBER,
        _ => 0,
    };
    let is_newline = matches!(c, '\r' | '\n');
    by_category | (u8::from(c.is_whitespace()) * SPACE) | (u8::from(is_newline) * NEWLINE)
}

/// Scalars below this one have their classes in a table.
const TABLE_LEN: usize = 0x2_0000;

/// The classes of scalars.
#[derive(Clone, Copy)]
pub(super) struct Classes(&'static [u8]);

impl Classes {
    /// Returns the table, made on the first call.
    pub(super) fn get() -> Classes {
        static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
        Classes(TABLE.get_or_init(|| {
            let scalars = 0..TABLE_LEN as u32;
            scalars.map(|scalar| char::from_u32(scalar).map_or(0, class_of_char)).collect()
        }))
    }

    /// Returns the class of the scalar at an offset, and its length in bytes. At the end of the
    /// text both are 0.
    #[inline]
    pub(super) fn class_at(self, text: &str, offset: usize) -> (u8, usize) {
        match text.as_bytes().get(offset) {
            None => (0, 0),
            Some(byte) if byte.is_ascii() => (self.0[usize::from(*byte)], 1),
            Some(_) => self.beyond_ascii(text, offset),
        }
    }

    fn beyond_ascii(self, text: &str, offset: usize) -> (u8, usize) {
        let Some(c) = text[offset..].chars().next() else { return (0, 0) };
        let class = self.0.get(c as usize).copied().unwrap_or_else(|| class_of_char(c));
        (class, c.len_utf8())
    }
}
