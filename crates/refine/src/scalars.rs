//! Classifies scalars as punctuation, white space and letters, by the rules of other programs.
//!
//! The sets of punctuation are those of datatrove (`utils/text.py`, 0.10.1). The rules that users
//! cite were set with them, so they are copied without additions or corrections.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Scalars that end a sentence in any script, besides `.`, `!` and `?` (datatrove's
/// `TERMINAL_PUNCTUATION`). Ascending.
const TERMINAL: &[char] = &[
    '\u{589}',
    '\u{61D}',
    '\u{61E}',
    '\u{61F}',
    '\u{6D4}',
    '\u{700}',
    '\u{701}',
    '\u{702}',
    '\u{7F9}',
    '\u{837}',
    '\u{839}',
    '\u{83D}',
    '\u{83E}',
    '\u{964}',
    '\u{965}',
    '\u{104A}',
    '\u{104B}',
    '\u{1362}',
    '\u{1367}',
    '\u{1368}',
    '\u{166E}',
    '\u{1735}',
    '\u{1736}',
    '\u{17D4}',
    '\u{17D5}',
    '\u{17D6}',
    '\u{17D9}',
    '\u{17DA}',
    '\u{1803}',
    '\u{1809}',
    '\u{1944}',
    '\u{1945}',
    '\u{1AA8}',
    '\u{1AA9}',
    '\u{1AAA}',
    '\u{1AAB}',
    '\u{1B5A}',
    '\u{1B5B}',
    '\u{1B5E}',
    '\u{1B5F}',
    '\u{1B7D}',
    '\u{1B7E}',
    '\u{1C3B}',
    '\u{1C3C}',
    '\u{1C7E}',
    '\u{1C7F}',
    '\u{203C}',
    '\u{203D}',
    '\u{2047}',
    '\u{2048}',
    '\u{2049}',
    '\u{2E2E}',
    '\u{2E3C}',
    '\u{2E53}',
    '\u{2E54}',
    '\u{3002}',
    '\u{A4FF}',
    '\u{A60E}',
    '\u{A60F}',
    '\u{A6F3}',
    '\u{A6F7}',
    '\u{A876}',
    '\u{A877}',
    '\u{A8CE}',
    '\u{A8CF}',
    '\u{A92F}',
    '\u{A9C8}',
    '\u{A9C9}',
    '\u{AA5D}',
    '\u{AA5E}',
    '\u{AA5F}',
    '\u{AAF0}',
    '\u{AAF1}',
    '\u{ABEB}',
    '\u{FE52}',
    '\u{FE56}',
    '\u{FE57}',
    '\u{FF01}',
    '\u{FF0E}',
    '\u{FF1F}',
    '\u{FF61}',
    '\u{10A56}',
    '\u{10A57}',
    '\u{10F55}',
    '\u{10F56}',
    '\u{10F57}',
    '\u{10F58}',
    '\u{10F59}',
    '\u{10F86}',
    '\u{10F87}',
    '\u{10F88}',
    '\u{10F89}',
    '\u{11047}',
    '\u{11048}',
    '\u{110BE}',
    '\u{110BF}',
    '\u{110C0}',
    '\u{110C1}',
    '\u{11141}',
    '\u{11142}',
    '\u{11143}',
    '\u{111C5}',
    '\u{111C6}',
    '\u{111CD}',
    '\u{111DE}',
    '\u{111DF}',
    '\u{11238}',
    '\u{11239}',
    '\u{1123B}',
    '\u{1123C}',
    '\u{112A9}',
    '\u{1144B}',
    '\u{1144C}',
    '\u{115C2}',
    '\u{115C3}',
    '\u{115C9}',
    '\u{115CA}',
    '\u{115CB}',
    '\u{115CC}',
    '\u{115CD}',
    '\u{115CE}',
    '\u{115CF}',
    '\u{115D0}',
    '\u{115D1}',
    '\u{115D2}',
    '\u{115D3}',
    '\u{115D4}',
    '\u{115D5}',
    '\u{115D6}',
    '\u{115D7}',
    '\u{11641}',
    '\u{11642}',
    '\u{1173C}',
    '\u{1173D}',
    '\u{1173E}',
    '\u{11944}',
    '\u{11946}',
    '\u{11A42}',
    '\u{11A43}',
    '\u{11A9B}',
    '\u{11A9C}',
    '\u{11C41}',
    '\u{11C42}',
    '\u{11EF7}',
    '\u{11EF8}',
    '\u{11F43}',
    '\u{11F44}',
    '\u{16A6E}',
    '\u{16A6F}',
    '\u{16AF5}',
    '\u{16B37}',
    '\u{16B38}',
    '\u{16B44}',
    '\u{16E98}',
    '\u{1BC9F}',
    '\u{1DA88}',
];

/// Other punctuation beyond ASCII (datatrove's `PUNCTUATION`). Ascending.
const OTHER_PUNCTUATION: &[char] = &[
    '\u{AB}', '\u{B4}', '\u{BB}', '\u{2013}', '\u{2014}', '\u{2019}', '\u{201C}', '\u{201D}',
    '\u{201E}', '\u{2026}', '\u{2236}', '\u{2501}', '\u{25BA}', '\u{3001}', '\u{3008}', '\u{3009}',
    '\u{300A}', '\u{300B}', '\u{300C}', '\u{300D}', '\u{3010}', '\u{3011}', '\u{FF05}', '\u{FF08}',
    '\u{FF09}', '\u{FF0C}', '\u{FF11}', '\u{FF1A}', '\u{FF1B}', '\u{FF5E}',
];

/// Returns whether the scalar ends a sentence.
#[inline]
pub(crate) fn is_terminal(c: char) -> bool {
    matches!(c, '.' | '!' | '?') || (!c.is_ascii() && TERMINAL.binary_search(&c).is_ok())
}

/// Returns whether datatrove counts the scalar as a symbol (`PUNCTUATION_SET`). The set is ASCII
/// punctuation, control characters other than tab and line feed, ends of sentences, and some common
/// marks.
#[inline]
pub(crate) fn is_symbol(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation() || (c.is_ascii_control() && c != '\t' && c != '\n');
    }
    c < '\u{A0}'
        || OTHER_PUNCTUATION.binary_search(&c).is_ok()
        || TERMINAL.binary_search(&c).is_ok()
}

/// Returns whether datatrove removes the scalar where it simplifies texts (`PUNCTUATION`). The set
/// is that of [`is_symbol`], with only the most common ends of sentences.
pub(crate) fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        return is_symbol(c);
    }
    c < '\u{A0}'
        || matches!(c, '\u{3002}' | '\u{FF01}' | '\u{FF0E}' | '\u{FF1F}')
        || OTHER_PUNCTUATION.binary_search(&c).is_ok()
}

/// Returns whether the scalar is white space in Python (`str.isspace`): Unicode's white space and
/// four separators of ASCII.
#[inline]
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1C}'..='\u{1F}')
}

/// Returns whether the scalar is a digit of any script (general category Nd).
#[inline]
pub(crate) fn is_digit(c: char) -> bool {
    match c {
        '0'..='9' => true,
        // Common ranges without digits, since the library searches a table.
        ..'\u{660}' | '\u{1C5A}'..'\u{A620}' => false,
        _ => c.general_category() == GeneralCategory::DecimalNumber,
    }
}

/// Returns whether the scalar is of general category L (Python's `str.isalpha`).
#[inline]
pub(crate) fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphabetic()
    } else {
        c.general_category_group() == GeneralCategoryGroup::Letter
    }
}

/// Returns whether a scalar belongs to a script without spaces between words, so that commands
/// take it for a word by itself.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{E00}'..='\u{EFF}' // Thai, Lao
            | '\u{1000}'..='\u{109F}' // Myanmar
            | '\u{1780}'..='\u{17FF}' // Khmer
            | '\u{3005}'..='\u{3007}' // iteration mark, closing mark, zero
            | '\u{3040}'..='\u{312F}' // kana, bopomofo
            | '\u{31F0}'..='\u{31FF}' // small katakana
            | '\u{3400}'..='\u{4DBF}' // ideographs, and from here on
            | '\u{4E00}'..='\u{9FFF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_the_library() {
        for c in '\0'..=char::MAX {
            assert_eq!(
                is_digit(c),
                c.general_category() == GeneralCategory::DecimalNumber,
                "{c:?}"
            );
        }
    }

    #[test]
    fn the_sets_ascend_and_are_apart() {
        for set in [TERMINAL, OTHER_PUNCTUATION] {
            assert!(set.is_sorted_by(|a, b| a < b));
        }
        assert!(TERMINAL.iter().all(|c| OTHER_PUNCTUATION.binary_search(c).is_err()));
        assert_eq!("。！؟।.".chars().filter(|c| is_terminal(*c)).count(), 5);
        assert_eq!("\u{1}$、«\u{9F}".chars().filter(|c| is_symbol(*c)).count(), 5);
        assert_eq!("a•\t\n€\u{A0}".chars().filter(|c| is_symbol(*c)).count(), 0);
    }
}
