//! Classifies scalars for word boundaries (UAX #29, property `Word_Break` of Unicode 17), as far as
//! this crate cuts words itself.
//!
//! The classes are facts of the standard. A test compares every scalar of the basic plane with the
//! library, in all contexts that matter.

#[cfg(test)]
use crate::scalars::is_letter;

/// The class of a scalar for the word finder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Class {
    /// White space in Unicode or Python: a boundary before and after it, and part of no word.
    White,
    /// `ALetter`, and a letter by general category.
    Letter,
    /// `Numeric`, but not a letter.
    Digit,
    /// `_` (`ExtendNumLet`).
    Under,
    /// `Katakana`, and a letter.
    Katakana,
    /// Joins two letters (`MidLetter`).
    MidLetter,
    /// Joins two digits (`MidNum`).
    MidNum,
    /// Joins two letters or two digits (`MidNumLet`, `Single_Quote`).
    Mid,
    /// A letter without a `Word_Break` class: Chinese characters, Hiragana.
    Lone,
    /// Neither a letter nor of a `Word_Break` class.
    Other,
    /// Left to the library, together with its context: combining marks, formats, emoji, Hebrew, and
    /// all scripts that are not listed here.
    Hard,
}

use Class::{Digit, Hard, Katakana, Letter, Lone, Mid, MidLetter, MidNum, Other, Under, White};

/// The class of an ASCII byte. Bytes above are [`Class::Hard`].
pub(super) static ASCII: [Class; 256] = {
    let mut table = [Hard; 256];
    let mut b = 0;
    while b < 128 {
        table[b] = match b as u8 {
            b'\t'..=b'\r' | 0x1C..=0x1F | b' ' => White,
            b'a'..=b'z' | b'A'..=b'Z' => Letter,
            b'0'..=b'9' => Digit,
            b'_' => Under,
            b':' => MidLetter,
            b',' | b';' => MidNum,
            b'.' | b'\'' => Mid,
            _ => Other,
        };
        b += 1;
    }
    table
};

/// The classes of the scalars with two bytes, U+0080 to U+07FF.
static TWO: [Class; 0x780] = {
    let mut table = [Hard; 0x780];
    let mut c = 0;
    while c < 0x780 {
        table[c] = two_bytes(c as u32 + 0x80);
        c += 1;
    }
    table
};

#[expect(clippy::match_same_arms, reason = "an arm for each script")]
const fn two_bytes(c: u32) -> Class {
    match c {
        0x85 | 0xA0 => White,
        0xAA | 0xB5 | 0xBA | 0xC0..=0xD6 | 0xD8..=0xF6 | 0xF8..=0x2C1 => Letter,
        0xB7 | 0x387 => MidLetter,
        0xAD | 0xB8 => Hard,
        0x80..=0xBF | 0xD7 | 0xF7 => Other,
        // Greek and Cyrillic.
        0x370..=0x373 | 0x376..=0x377 | 0x37B..=0x37D | 0x37F | 0x386 => Letter,
        0x388..=0x38A | 0x38C | 0x38E..=0x3A1 | 0x3A3..=0x3F5 | 0x3F7..=0x481 => Letter,
        0x48A..=0x52F => Letter,
        // Armenian.
        0x531..=0x556 | 0x561..=0x587 => Letter,
        // Arabic.
        0x620..=0x64A | 0x671..=0x6D3 => Letter,
        0x660..=0x669 | 0x6F0..=0x6F9 => Digit,
        0x60C => MidNum,
        0x61F => Other,
        _ => Hard,
    }
}

#[expect(clippy::match_same_arms, reason = "an arm for each script")]
const fn three_bytes(c: u32) -> Class {
    match c {
        0x1E00..=0x1EFF => Letter,
        0x2000..=0x200A | 0x2028..=0x2029 | 0x3000 => White,
        0x2018 | 0x2019 | 0x2024 | 0xFF07 | 0xFF0E => Mid,
        0x2027 | 0xFF1A => MidLetter,
        0xFF0C | 0xFF1B => MidNum,
        0x2010..=0x2017 | 0x201A..=0x2023 | 0x2025..=0x2026 | 0x2030..=0x203E => Other,
        0x20A0..=0x20C0 | 0x2122 | 0x2190..=0x23FF | 0x2460..=0x249B | 0x2500..=0x2767 => Other,
        0x3001..=0x3004 | 0x3008..=0x3020 | 0x30FB => Other,
        0x3041..=0x3096 | 0x309D..=0x309F | 0x3400..=0x4DBF | 0x4E00..=0x9FFF => Lone,
        0x30A1..=0x30FA | 0x30FC..=0x30FF | 0xFF66..=0xFF9D => Katakana,
        0xAC00..=0xD7A3 | 0xFF21..=0xFF3A | 0xFF41..=0xFF5A => Letter,
        // In datatrove the full-width 1 is punctuation.
        0xFF11 => Hard,
        0xFF10..=0xFF19 => Digit,
        0xFF01..=0xFF06 | 0xFF08..=0xFF0B | 0xFF0D | 0xFF0F => Other,
        0xFF1C..=0xFF20 | 0xFF3B..=0xFF3D | 0xFF5B..=0xFF64 => Other,
        _ => Hard,
    }
}

/// Returns the class of the scalar at an offset, and its length in bytes.
#[inline(always)]
pub(super) fn class_at(text: &str, offset: usize) -> (Class, usize) {
    let bytes = text.as_bytes();
    let first_byte = bytes[offset];
    match first_byte {
        0..0x80 => (ASCII[usize::from(first_byte)], 1),
        0x80..0xE0 => {
            let c = usize::from(first_byte & 0x1F) << 6 | usize::from(bytes[offset + 1] & 0x3F);
            (TWO[c - 0x80], 2)
        }
        0xE0..0xF0 => {
            let low = u32::from(bytes[offset + 1] & 0x3F) << 6;
            let c = u32::from(first_byte & 0xF) << 12 | low | u32::from(bytes[offset + 2] & 0x3F);
            (three_bytes(c), 3)
        }
        _ => (Hard, 4),
    }
}

/// Returns whether the class and the general category of a scalar agree on letters. For tests.
#[cfg(test)]
pub(super) fn agrees_on_letters(class: Class, c: char) -> bool {
    match class {
        Letter | Katakana | Lone => is_letter(c),
        Hard => true,
        White | Digit | Under | MidLetter | MidNum | Mid | Other => !is_letter(c),
    }
}
