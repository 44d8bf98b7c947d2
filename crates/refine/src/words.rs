//! The words of a text: what they are, and a number for each that equal words share.
//!
//! # What counts as a word
//!
//! Rules such as Gopher's were set with tokenizers that return punctuation marks as words of their
//! own, so here too a word is any stretch between two word boundaries of UAX #29 (Unicode 17) that
//! is not all white space: `rain`, `3.5`, `。` and `(` are words. `joins` adds six rules on dots,
//! times, abbreviations, English endings and addresses, which make decisions agree with those by
//! spaCy's words. A Chinese character and a Hiragana are words each; Thai and Khmer are not cut,
//! since that takes a dictionary.
//!
//! # Numbers instead of hashes
//!
//! Equal words get equal numbers, 0, 1, 2 in the order in which they come first. Numbers come from
//! a hash table that compares the bytes of words, so no collision can make two words equal; its
//! seed is new in every process, so nobody can prepare words that collide. The numbers don't depend
//! on the seed.

mod buffer;
mod classes;
mod joins;
mod marks;
mod segments;

pub(crate) use buffer::WordBuf;

use crate::scalars::{is_letter, is_symbol};
use std::ops::Range;

/// Where a word is, and what rules ask of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Offset of its first byte. Texts are shorter than 4 GiB.
    pub start: u32,
    /// Offset after its last byte.
    pub end: u32,
    /// Unicode scalars in it.
    pub chars: u32,
    /// All of its scalars are punctuation or control characters, by datatrove's list.
    pub is_symbol: bool,
    /// One of its scalars is a letter (general category L, as Python's `str.isalpha`).
    pub has_letter: bool,
}

impl Word {
    /// The word at a byte range of a text.
    pub(crate) fn of(text: &str, range: Range<usize>) -> Word {
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

    /// Its place in the text.
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
    /// Another tokenizer found them.
    pub are_given: bool,
}

impl<'a> Words<'a> {
    /// How many words there are.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The words as strings.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a str> + use<'a> {
        let text = self.text;
        self.spans.iter().map(move |word| &text[word.range()])
    }
}

/// The words of a text, numbered.
#[derive(Clone, Copy, Debug)]
pub struct NumberedWords<'a> {
    /// The words.
    pub words: Words<'a>,
    /// The number of each word. Equal words have equal numbers, which begin with 0 and ascend with
    /// the first occurrence.
    pub numbers: &'a [u32],
    /// How often each number occurs.
    pub counts: &'a [u32],
}
