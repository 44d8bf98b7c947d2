//! The buffers for the words of a text.

use super::{Word, segments};
use crate::kept_lines::KeptLine;
use crate::table::Table;

/// Most entries of each buffer that are kept from one row to the next.
const MAX_KEPT_ENTRIES: usize = 1 << 16;

/// Most bytes of a word that is compared as a number.
const SHORT: usize = 8;

/// The first word with a number.
#[derive(Clone, Copy, Debug)]
struct FirstOccurrence {
    /// The bytes of a short word, or the hash of a longer one.
    key: u64,
    start: u32,
    length: u32,
}

/// Returns the bytes of a short word as a number, padded with zeros.
#[inline]
fn short_key(bytes: &[u8], word: Word) -> Option<u64> {
    let length = word.end - word.start;
    if length > SHORT as u32 {
        return None;
    }
    let start = word.start as usize;
    if let Some(eight) = bytes.get(start..start + SHORT).and_then(|eight| eight.first_chunk()) {
        let others = 8 * (SHORT as u32 - length);
        return Some(u64::from_le_bytes(*eight) & (u64::MAX >> others));
    }
    let mut eight = [0; SHORT];
    eight[..length as usize].copy_from_slice(&bytes[word.range()]);
    Some(u64::from_le_bytes(eight))
}

/// The words of a text and their numbers, each found at most once.
#[derive(Debug, Default)]
pub(crate) struct WordBuf {
    spans: Vec<Word>,
    is_found: bool,
    are_given: bool,
    numbers: Vec<u32>,
    counts: Vec<u32>,
    /// For each number, its first word.
    firsts: Vec<FirstOccurrence>,
    is_numbered: bool,
    table: Table,
}

impl WordBuf {
    /// Clears the words.
    pub(crate) fn forget(&mut self) {
        self.is_found = false;
        self.are_given = false;
        self.spans.clear();
        self.spans.shrink_to(MAX_KEPT_ENTRIES);
        self.forget_numbers();
    }

    fn forget_numbers(&mut self) {
        self.is_numbered = false;
        for buffer in [&mut self.numbers, &mut self.counts] {
            buffer.clear();
            buffer.shrink_to(MAX_KEPT_ENTRIES);
        }
        self.firsts.clear();
        self.firsts.shrink_to(MAX_KEPT_ENTRIES);
    }

    /// Keeps the words of these lines of the old text, after the text has become these lines. All
    /// words are cleared in three cases:
    ///
    /// * another tokenizer found them;
    /// * a word reaches beyond its line, such as white space with an accent;
    /// * the scalar after a line is not ASCII and may have decided whether a word of the line is a
    ///   URL.
    pub(crate) fn follow(&mut self, lines: Option<&[KeptLine]>, old: &str) {
        let may_stay = self.is_found && !self.are_given;
        let ends_plainly = |line: &KeptLine| {
            old.as_bytes().get((line.from + line.length) as usize).is_none_or(u8::is_ascii)
        };
        let Some(lines) = lines.filter(|lines| may_stay && lines.iter().all(ends_plainly)) else {
            self.forget();
            return;
        };
        let (mut next, mut kept) = (0, 0);
        for line in lines {
            let end = line.from + line.length;
            next += self.spans[next..].iter().take_while(|word| word.end <= line.from).count();
            while let Some(word) = self.spans.get(next).filter(|word| word.start < end) {
                if word.start < line.from || word.end > end {
                    self.forget();
                    return;
                }
                let start = word.start - line.from + line.to;
                self.spans[kept] = Word { start, end: start + word.end - word.start, ..*word };
                (next, kept) = (next + 1, kept + 1);
            }
        }
        self.spans.truncate(kept);
        self.forget_numbers();
    }

    /// Finds the words of a text, unless they are known.
    pub(crate) fn fill(&mut self, text: &str) {
        if !self.is_found {
            segments::append_words(text, &mut self.spans);
            self.is_found = true;
        }
    }

    /// Replaces the words of the text by these.
    pub(crate) fn set(&mut self, words: impl Iterator<Item = Word>) {
        self.forget();
        self.spans.extend(words);
        self.is_found = true;
        self.are_given = true;
    }

    /// Gives every word its number, unless the words are numbered.
    pub(crate) fn number(&mut self, text: &str) {
        if self.is_numbered {
            return;
        }
        self.is_numbered = true;
        self.table.begin(self.spans.len());
        let (firsts, table, bytes) = (&mut self.firsts, &mut self.table, text.as_bytes());
        self.numbers.reserve(self.spans.len());
        for word in &self.spans {
            let length = word.end - word.start;
            let (key, hash) = if let Some(key) = short_key(bytes, *word) {
                (key, table.hash_number(key))
            } else {
                let hash = table.hash_bytes(&bytes[word.range()]);
                (hash, hash)
            };
            let new = firsts.len() as u32;
            let number = table.find_or_insert(hash, new, |number| {
                let first = firsts[number as usize];
                first.key == key
                    && first.length == length
                    && (length <= SHORT as u32
                        || bytes[first.start as usize..][..length as usize] == bytes[word.range()])
            });
            if number == new {
                firsts.push(FirstOccurrence { key, start: word.start, length });
                self.counts.push(0);
            }
            self.counts[number as usize] += 1;
            self.numbers.push(number);
        }
    }

    pub(crate) fn spans(&self) -> &[Word] {
        &self.spans
    }

    pub(crate) fn are_given(&self) -> bool {
        self.are_given
    }

    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    pub(crate) fn counts(&self) -> &[u32] {
        &self.counts
    }
}
