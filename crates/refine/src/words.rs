//! Finds the words of a text, and numbers them so that equal words have equal numbers.
//!
//! # Definition of a word
//!
//! A word is the text between two word boundaries of UAX #29 (Unicode 17), unless it is white
//! space. So `rain`, `3.5`, `。` and `(` are words. Punctuation marks count, as they do in the
//! tokenizers with which Gopher's rules were set. `joins` adds six rules on dots, times,
//! abbreviations, English endings and URLs, which bring decisions in line with those by spaCy's
//! words. Each Chinese character is a word, and so is each Hiragana. Thai and Khmer are not cut,
//! since that needs a dictionary.
//!
//! # Numbers instead of hashes
//!
//! Equal words get equal numbers: 0, 1, 2 in the order of first occurrence. A hash table that
//! compares the bytes of words assigns them, so different words never share a number. Its seed
//! differs between processes, so collisions cannot be prepared. The numbers do not depend on the
//! seed.

mod buffer;
mod classes;
mod joins;
mod marks;
mod segments;

pub(crate) use buffer::WordBuf;

use crate::scalars::{is_letter, is_symbol};
use std::ops::Range;

/// A word: its place in the text and the properties that rules ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Offset of its first byte. Texts are shorter than 4 GiB.
    pub start: u32,
    /// Offset after its last byte.
    pub end: u32,
    /// Number of Unicode scalars.
    pub chars: u32,
    /// Whether all of its scalars are punctuation or control characters, by datatrove's list.
    pub is_symbol: bool,
    /// Whether one of its scalars is a letter (general category L, as Python's `str.isalpha`).
    pub has_letter: bool,
}

impl Word {
    /// Returns the word at a byte range of a text.
    pub(crate) fn at_range(text: &str, range: Range<usize>) -> Word {
        let mut word = Word {
            start: range.start as u32,
            end: range.end as u32,
            chars: 0,
            is_symbol: true,
            has_letter: false,
        };
        for c in text[range].chars() {
            word.chars += 1;
            word.is_symbol &= is_symbol(c);
            word.has_letter |= is_letter(c);
        }
        word
    }

    /// Returns its byte range in the text.
    #[inline]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The words of a text.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// The text.
    pub text: &'a str,
    /// The words, in the order of the text.
    pub spans: &'a [Word],
    /// Whether another tokenizer found them.
    pub are_external: bool,
}

impl<'a> Words<'a> {
    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Returns whether the text has no words.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Returns the words as strings.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a str> + use<'a> {
        let text = self.text;
        self.spans.iter().map(move |word| &text[word.range()])
    }
}

/// The words of a text, with numbers.
#[derive(Clone, Copy, Debug)]
pub struct NumberedWords<'a> {
    /// The words.
    pub words: Words<'a>,
    /// The number of each word. Equal words have equal numbers. Numbers begin with 0 and ascend in
    /// the order of first occurrence.
    pub numbers: &'a [u32],
    /// The number of occurrences of each number.
    pub counts: &'a [u32],
}
