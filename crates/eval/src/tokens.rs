//! Cuts a text into tokens.
//!
//! A text is converted to NFKC, then lower-cased, then cut into three kinds of pieces:
//!
//! - Each character of a script written without spaces (CJK ideographs, kana, hangul, Thai, Lao,
//!   Myanmar, Khmer) is a token.
//! - Any other maximal sequence of word characters is a token.
//! - All other characters only separate tokens.
//!
//! So a Chinese page is compared by characters, an English one by words, a mixed one by both.
//!
//! A word character is a letter, a number (general categories L* and N*) or `_`. That is `\w` of
//! Python's `re`. Rust's `char::is_alphanumeric` differs: it also counts the vowel signs of Indic
//! scripts and circled letters.
//!
//! Cost: O(n). Plain ASCII is neither normalised nor looked up in tables.
//!
//! Known differences from `score.py`: its Python (3.11) has the tables of Unicode 14.0, where
//! characters added later are unassigned and thus not word characters. Three characters of 14.0
//! have changed their case since, which changes the form of a sigma next to them: U+0295, U+02E4
//! and U+1171E.

use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Returns the text in NFKC and lower case.
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

/// Returns the tokens of a normalised text, in order.
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
        for (offset, c) in self.rest.char_indices() {
            match (char_class(c), start) {
                (Class::Word, None) => start = Some(offset),
                (Class::Word, Some(_)) | (Class::Other, None) => {}
                (Class::Single, None) => {
                    let end = offset + c.len_utf8();
                    let token = &self.rest[offset..end];
                    self.rest = &self.rest[end..];
                    return Some(token);
                }
                (_, Some(start)) => {
                    let token = &self.rest[start..offset];
                    self.rest = &self.rest[offset..];
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
    /// A part of a word.
    Word,
    /// A token by itself.
    Single,
    /// Separates tokens.
    Other,
}

fn char_class(c: char) -> Class {
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

pub(crate) use huller_page::unspaced::is_token as is_single;

#[cfg(test)]
mod tests;
