//! From text to tokens.
//!
//! A text is brought to NFKC, then lower-cased, then cut: every character of a script that is written without spaces (CJK
//! ideographs, kana, hangul, Thai, Lao, Myanmar, Khmer) is a token, any other maximal run of word characters is one, and
//! everything else only separates. So a Chinese page is compared by characters, an English one by words, a mixed one
//! by both.
//!
//! A word character is a letter, a number (general categories L* and N*) or `_`. That is `\w` of Python's `re`, and not
//! Rust's `char::is_alphanumeric`, which counts the vowel signs of Indic scripts and circled letters too.
//!
//! Cost: O(n), and what is plain ASCII is neither normalised nor looked up.
//!
//! Known differences from `score.py`: characters that came into Unicode after the version of whichever Python runs it
//! (3.11 knows 14.0) are unassigned there, and so no word characters. Of the characters of 14.0 three have changed their
//! case since, which shows in a sigma next to them: U+0295, U+02E4 and U+1171E.

use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// The text in NFKC and lower case.
pub fn normalise(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let composed = match is_nfkc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfkc().collect()),
    };
    composed.to_lowercase()
}

/// The tokens of a normalised text, in order.
pub fn tokens(normalised: &str) -> Tokens<'_> {
    Tokens { rest: normalised }
}

/// Iterator over tokens.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let mut start = None;
        for (at, c) in self.rest.char_indices() {
            match (class(c), start) {
                (Class::Word, None) => start = Some(at),
                (Class::Word, Some(_)) | (Class::Other, None) => {}
                (Class::Single, None) => {
                    let end = at + c.len_utf8();
                    let token = &self.rest[at..end];
                    self.rest = &self.rest[end..];
                    return Some(token);
                }
                (_, Some(start)) => {
                    let token = &self.rest[start..at];
                    self.rest = &self.rest[at..];
                    return Some(token);
                }
            }
        }
        let token = start.map(|start| &self.rest[start..]);
        self.rest = "";
        token
    }
}

enum Class {
    /// Part of a run.
    Word,
    /// A token by itself.
    Single,
    /// Separates.
    Other,
}

fn class(c: char) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() || c == '_' { Class::Word } else { Class::Other };
    }
    if is_single(c) {
        return Class::Single;
    }
    match c.general_category_group() {
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number => Class::Word,
        _ => Class::Other,
    }
}

/// Blocks whose characters are tokens each, whatever their category.
pub(crate) fn is_single(c: char) -> bool {
    matches!(
        c,
        '\u{0e00}'..='\u{0eff}' // Thai, Lao
            | '\u{1000}'..='\u{109f}' // Myanmar
            | '\u{1100}'..='\u{11ff}' // hangul jamo
            | '\u{1780}'..='\u{17ff}' // Khmer
            | '\u{3005}'..='\u{3007}'
            | '\u{3040}'..='\u{30ff}' // kana
            | '\u{3100}'..='\u{312f}' // bopomofo
            | '\u{31f0}'..='\u{31ff}' // small katakana
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7af}' // hangul syllables
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3ffff}'
    )
}

#[cfg(test)]
mod tests;
