//! Finds the n-grams of words that occurred earlier in the text.
//!
//! datatrove compares n-grams without separators between their words (`"".join(words)`), so two
//! equal n-grams may even have different words: `an` `other` and `another`. Here the words of the
//! text are copied one after another without white space, and an n-gram is a byte range of that
//! copy. Ranges whose hashes agree are compared byte by byte.
//!
//! Most positions can be skipped. Equal ranges of at least 16 bytes begin with the same 16 bytes.
//! So one pass finds the positions whose 16 bytes may begin another position too
//! ([`DuplicateCandidates`]). An n-gram of at least 16 bytes at any other position is not repeated.
//! In ordinary text that leaves a tenth of the positions. Each n-gram is hashed once, and each word
//! is in at most n of them, so the work for n is at most n times the text.

use super::duplicate_candidates::DuplicateCandidates;
use crate::table::Table;
use crate::words::Words;

/// Bytes at a position that decide whether its n-gram is looked up.
const WINDOW_BYTES: usize = 16;

/// Bytes that are copied in one step.
const COPY_BYTES: usize = 16;

/// Finds repeated n-grams of one text.
#[derive(Debug, Default)]
pub(super) struct RepeatedGrams {
    table: Table,
    /// The words of the text, one after another.
    bytes: Vec<u8>,
    /// The start of each word in `bytes`, and the number of scalars before it; one entry more than
    /// words.
    starts: Vec<(u32, u32)>,
    /// The windows of all positions that have one.
    windows: DuplicateCandidates,
    /// The positions that may begin a repeated n-gram, ascending.
    candidates: Vec<u32>,
}

impl RepeatedGrams {
    /// Begins with a text. Later calls ask for no n below `shortest`.
    pub(super) fn begin(&mut self, words: Words<'_>, shortest: usize) {
        self.copy_words(words);
        let RepeatedGrams { table, bytes, starts, windows, candidates } = self;
        windows.begin(starts.len());
        for (start, _) in &*starts {
            let Some(window) = bytes[*start as usize..].first_chunk::<WINDOW_BYTES>() else {
                break;
            };
            windows.push(table.hash_wide(u128::from_le_bytes(*window)));
        }
        let grams = starts.len().saturating_sub(shortest);
        candidates.extend((0..grams).filter_map(|position| {
            let length = starts[position + shortest].0 - starts[position].0;
            (windows.may_be_twice(position) || (length as usize) < WINDOW_BYTES)
                .then_some(position as u32)
        }));
    }

    /// Copies the words one after another, without the text between them.
    fn copy_words(&mut self, words: Words<'_>) {
        self.clear();
        let RepeatedGrams { bytes, starts, .. } = self;
        let text = words.text.as_bytes();
        // The words together are at most as long as the text. A whole piece can be written after
        // the last.
        bytes.resize(text.len() + COPY_BYTES, 0);
        let (mut offset, mut chars) = (0, 0);
        for word in words.spans {
            starts.push((offset as u32, chars));
            let range = word.range();
            let piece = text[range.start..].first_chunk::<COPY_BYTES>();
            // Most words are short, and a piece of fixed length is copied in one step. The next
            // word overwrites the bytes after the word.
            match piece.filter(|_| range.len() <= COPY_BYTES) {
                Some(piece) => bytes[offset..offset + COPY_BYTES].copy_from_slice(piece),
                None => bytes[offset..offset + range.len()].copy_from_slice(&text[range.clone()]),
            }
            offset += range.len();
            chars += word.chars;
        }
        starts.push((offset as u32, chars));
        bytes.truncate(offset);
    }

    fn clear(&mut self) {
        const MAX_KEPT_BYTES: usize = 1 << 18;
        self.bytes.clear();
        self.bytes.shrink_to(MAX_KEPT_BYTES);
        self.starts.clear();
        self.starts.shrink_to(MAX_KEPT_BYTES / 4);
        self.candidates.clear();
        self.candidates.shrink_to(MAX_KEPT_BYTES / 4);
    }

    /// Returns the Unicode scalars in n-grams that occurred earlier. After such an n-gram the
    /// search continues behind its last word.
    pub(super) fn repeated_chars(&mut self, n: usize) -> usize {
        let RepeatedGrams { table, bytes, starts, windows, candidates } = self;
        table.begin(candidates.len());
        let gram =
            |position: usize| &bytes[starts[position].0 as usize..starts[position + n].0 as usize];
        let mut repeated = 0;
        let mut next_start = 0;
        for position in candidates.iter().map(|position| *position as usize) {
            if position < next_start {
                continue;
            }
            if position + n >= starts.len() {
                break;
            }
            let gram_here = gram(position);
            if !windows.may_be_twice(position) && gram_here.len() >= WINDOW_BYTES {
                continue;
            }
            let hash = table.hash_bytes(gram_here);
            let known = table
                .find_or_insert(hash, position as u32, |known| gram(known as usize) == gram_here);
            if known as usize != position {
                repeated += starts[position + n].1 - starts[position].1;
                next_start = position + n;
            }
        }
        repeated as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// The result by datatrove's algorithm.
    fn expected(words: &[&str], n: usize) -> usize {
        let mut unique = HashSet::new();
        let (mut chars, mut place) = (0, 0);
        while place + n <= words.len() {
            let gram = words[place..place + n].concat();
            if unique.contains(&gram) {
                chars += gram.chars().count();
                place += n;
            } else {
                unique.insert(gram);
                place += 1;
            }
        }
        chars
    }

    proptest! {
        #[test]
        fn repeated_characters_are_those_of_looking_at_all(text in "([abé] ?|hi |aa |another |an other |[.] ){0,60}") {
            let mut row = Text::default();
            row.begin().push_str(&text);
            let words: Vec<String> = row.words().iter().map(str::to_owned).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut joined = RepeatedGrams::default();
            for least in [1, 3, 5] {
                joined.begin(row.words(), least);
                for n in least..11 {
                    prop_assert_eq!(joined.repeated_chars(n), expected(&words, n), "{}", n);
                }
            }
        }
    }
}
