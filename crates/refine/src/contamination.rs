//! Finds n-grams of benchmarks in texts, by two published rules.
//!
//! An [`NgramReader`] makes the words of a text as the rule has them, and hashes each run of words
//! with XXH64. Tasks and texts pass through the same reader.

use crate::scalars::is_space;
use crate::signature::{JoinedWords, simplify};
use crate::text::Text;
use std::ops::Range;

/// GPT-3's rule: the characters that are removed on both sides of a match.
const WINDOW_CHARS: usize = 200;

/// GPT-3's rule: pieces of at most this many characters are dropped.
const MAX_DROPPED_CHARS: usize = 200;

/// GPT-3's rule: the most matches of a text that is kept.
const MAX_MATCHES: usize = 10;

/// Reads the words of texts, with the buffers of one thread.
#[derive(Debug, Default)]
pub(crate) struct NgramReader {
    /// The simplified text, whose words are taken.
    simplified: Box<Text>,
    words: JoinedWords,
    /// The byte range of each word in the text, if words are those between spaces.
    places: Vec<Range<u32>>,
    /// A word without punctuation.
    word: String,
    /// Words that are nothing but punctuation.
    empty: Vec<usize>,
}

impl NgramReader {
    /// Reads the words of the simplified text, as datatrove does: those between spaces, or those of
    /// other stages if `has_segments`.
    pub(crate) fn read_simplified(&mut self, text: &str, has_segments: bool) {
        let simplified = self.simplified.begin();
        simplify(text, simplified);
        if has_segments {
            self.words.join(self.simplified.words().iter());
        } else {
            self.words.join(simplified.split(' ').filter(|word| !word.is_empty()));
        }
        self.places.clear();
        self.empty.clear();
    }

    /// Reads the words of a task: those between white space, in lower case and without punctuation,
    /// both ASCII's, as lm-eval's `janitor.py` does.
    pub(crate) fn read_plain_task(&mut self, text: &str) {
        let plain: String = text.chars().filter(|c| !c.is_ascii_punctuation()).collect();
        self.read_plain(&plain);
    }

    /// Reads the words of a text in the same way. Words of nothing but punctuation stay, and no
    /// n-gram with one of them matches.
    pub(crate) fn read_plain(&mut self, text: &str) {
        const MAX_KEPT_ENTRIES: usize = 1 << 16;
        let NgramReader { words, places, word, empty, .. } = self;
        places.clear();
        places.shrink_to(MAX_KEPT_ENTRIES);
        empty.clear();
        let start = text.as_ptr().addr();
        let tokens = text.split(is_space).filter(|token| !token.is_empty());
        places.extend(tokens.map(|token| {
            let offset = token.as_ptr().addr() - start;
            offset as u32..(offset + token.len()) as u32
        }));
        words.begin();
        for (index, word_range) in places.iter().enumerate() {
            let token = &text[word_range.start as usize..word_range.end as usize];
            word.clear();
            word.extend(token.chars().filter(|c| !c.is_ascii_punctuation()));
            word.make_ascii_lowercase();
            words.push(word);
            if word.is_empty() {
                empty.push(index);
            }
        }
    }

    /// Returns the number of words.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns the words from `first_word` to before `end_word`, joined by spaces.
    pub(crate) fn words(&self, first_word: usize, end_word: usize) -> &str {
        self.words.words(first_word, end_word)
    }

    /// Returns the first word of each n-gram, and its hash.
    pub(crate) fn ngrams(&self, length: usize) -> impl Iterator<Item = (usize, u64)> {
        let mut empty = self.empty.iter().copied().peekable();
        self.words.shingles(length).enumerate().filter(move |(first, _)| {
            while empty.next_if(|word| word < first).is_some() {}
            empty.peek().is_none_or(|word| *word >= first + length)
        })
    }

    /// Returns the byte range in the text of the n-gram with this first word.
    fn byte_range(&self, first_word: usize, length: usize) -> Range<usize> {
        self.places[first_word].start as usize..self.places[first_word + length - 1].end as usize
    }

    /// Writes the text without 200 characters around each match and the matches themselves, as
    /// `janitor.py` does. Pieces follow each other in lines of their own. The result is empty if
    /// all pieces are short, or if there are more than ten matches. `matches` are the first words
    /// of n-grams, in their order.
    pub(crate) fn cut(&self, text: &str, matches: &[usize], length: usize, out: &mut String) {
        if matches.len() > MAX_MATCHES {
            return;
        }
        let mut push = |piece: &str| {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(piece);
        };
        // All positions count characters. The last of a match is that of its last character.
        let chars = CharOffsets::new(text);
        let (mut splice, mut end) = (0, 0);
        for first in matches {
            let byte_range = self.byte_range(*first, length);
            let (start, last_char) = (
                chars.chars_before_byte(byte_range.start),
                chars.chars_before_byte(byte_range.end) - 1,
            );
            let start = start.saturating_sub(WINDOW_CHARS);
            end = (last_char + WINDOW_CHARS).min(chars.len());
            if start > splice + MAX_DROPPED_CHARS {
                push(chars.slice(splice..start));
            }
            splice = end;
        }
        if end + MAX_DROPPED_CHARS < chars.len() {
            push(chars.slice(end + 1..chars.len()));
        }
    }
}

/// The offsets of the characters of a text.
struct CharOffsets<'a> {
    text: &'a str,
    /// Byte offset of each character.
    offsets: Vec<u32>,
}

impl<'a> CharOffsets<'a> {
    fn new(text: &'a str) -> CharOffsets<'a> {
        CharOffsets {
            text,
            offsets: text.char_indices().map(|(offset, _)| offset as u32).collect(),
        }
    }

    fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Returns the number of characters before a byte.
    fn chars_before_byte(&self, byte: usize) -> usize {
        self.offsets.partition_point(|offset| (*offset as usize) < byte)
    }

    fn slice(&self, chars: Range<usize>) -> &'a str {
        let offset = |char_index: usize| {
            self.offsets.get(char_index).map_or(self.text.len(), |offset| *offset as usize)
        };
        &self.text[offset(chars.start)..offset(chars.end)]
    }
}
