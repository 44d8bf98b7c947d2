//! The memory for the words of a text.

use super::{Word, segments};
use crate::table::Table;

/// Most entries that each buffer keeps from one row to the next.
const KEPT: usize = 1 << 16;

/// The words of a text and their numbers, each found at most once.
#[derive(Debug, Default)]
pub(crate) struct WordBuf {
    spans: Vec<Word>,
    is_found: bool,
    numbers: Vec<u32>,
    counts: Vec<u32>,
    /// For each number, the word that came first.
    firsts: Vec<u32>,
    is_numbered: bool,
    table: Table,
}

impl WordBuf {
    /// Forgets the words.
    pub(crate) fn forget(&mut self) {
        self.is_found = false;
        self.is_numbered = false;
        self.spans.clear();
        self.spans.shrink_to(KEPT);
        for buffer in [&mut self.numbers, &mut self.counts, &mut self.firsts] {
            buffer.clear();
            buffer.shrink_to(KEPT);
        }
    }

    /// Finds the words of a text if that has not been done.
    pub(crate) fn find(&mut self, text: &str) {
        if !self.is_found {
            segments::find(text, &mut self.spans);
            self.is_found = true;
        }
    }

    /// Takes these words as the words of the text.
    pub(crate) fn set(&mut self, words: impl Iterator<Item = Word>) {
        self.forget();
        self.spans.extend(words);
        self.is_found = true;
    }

    /// Gives every word its number if that has not been done.
    pub(crate) fn number(&mut self, text: &str) {
        if self.is_numbered {
            return;
        }
        self.is_numbered = true;
        self.table.begin(self.spans.len());
        let (firsts, spans, bytes) = (&mut self.firsts, &self.spans, text.as_bytes());
        self.numbers.reserve(spans.len());
        for (place, word) in spans.iter().enumerate() {
            let bytes_of = |word: Word| &bytes[word.range()];
            let this = bytes_of(*word);
            let new = firsts.len() as u32;
            let is_equal = |number: u32| bytes_of(spans[firsts[number as usize] as usize]) == this;
            let hash = self.table.hash_bytes(this);
            let number = self.table.find_or_insert(hash, new, is_equal);
            if number == new {
                firsts.push(place as u32);
                self.counts.push(0);
            }
            self.counts[number as usize] += 1;
            self.numbers.push(number);
        }
    }

    pub(crate) fn spans(&self) -> &[Word] {
        &self.spans
    }

    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    pub(crate) fn counts(&self) -> &[u32] {
        &self.counts
    }
}
