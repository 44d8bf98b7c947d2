//! The buffers for the words of a text.

use super::{Word, segments};
use crate::kept_lines::KeptLine;
use crate::table::Table;

/// Most entries of each buffer that are kept from one row to the next.
const MAX_KEPT_ENTRIES: usize = 1 << 16;

/// Most bytes of a word that is compared as a number.
const MAX_NUMBER_BYTES: usize = 8;

/// The first word with a number.
#[derive(Clone, Copy, Debug)]
struct FirstOccurrence {
    /// The bytes of a short word, or the hash of a longer one.
    key: u64,
    /// Byte offset in the text.
    start: u32,
    /// Length in bytes.
    length: u32,
}

/// Returns the bytes of a short word as a number, padded with zeros.
#[inline]
fn short_key(bytes: &[u8], word: Word) -> Option<u64> {
    let length = word.end - word.start;
    if length > MAX_NUMBER_BYTES as u32 {
        return None;
    }
    let start = word.start as usize;
    if let Some(eight) =
        bytes.get(start..start + MAX_NUMBER_BYTES).and_then(|eight| eight.first_chunk())
    {
        let unused_bits = 8 * (MAX_NUMBER_BYTES as u32 - length);
        return Some(u64::from_le_bytes(*eight) & (u64::MAX >> unused_bits));
    }
    let mut eight = [0; MAX_NUMBER_BYTES];
    eight[..length as usize].copy_from_slice(&bytes[word.range()]);
    Some(u64::from_le_bytes(eight))
}

/// The words of a text and their numbers, each found at most once.
#[derive(Debug, Default)]
pub(crate) struct WordBuf {
    spans: Vec<Word>,
    is_found: bool,
    are_external: bool,
    /// For each word, its number.
    numbers: Vec<u32>,
    /// For each number, its occurrences.
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
        self.are_external = false;
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
        let may_stay = self.is_found && !self.are_external;
        let ends_plainly = |line: &KeptLine| {
            old.as_bytes().get((line.from + line.length) as usize).is_none_or(u8::is_ascii)
        };
        let Some(lines) = lines.filter(|lines| may_stay && lines.iter().all(ends_plainly)) else {
            self.forget();
            return;
        };
        let (mut next, mut kept_len) = (0, 0);
        for line in lines {
            let end = line.from + line.length;
            next += self.spans[next..].iter().take_while(|word| word.end <= line.from).count();
            while let Some(word) = self.spans.get(next).filter(|word| word.start < end) {
                if word.start < line.from || word.end > end {
                    self.forget();
                    return;
                }
                let start = word.start - line.from + line.to;
                self.spans[kept_len] = Word { start, end: start + word.end - word.start, ..*word };
                (next, kept_len) = (next + 1, kept_len + 1);
            }
        }
        self.spans.truncate(kept_len);
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
        self.are_external = true;
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
            let new_number = firsts.len() as u32;
            let number = table.find_or_insert(hash, new_number, |number| {
                let first_index = firsts[number as usize];
                first_index.key == key
                    && first_index.length == length
                    && (length <= MAX_NUMBER_BYTES as u32
                        || bytes[first_index.start as usize..][..length as usize]
                            == bytes[word.range()])
            });
            if number == new_number {
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

    pub(crate) fn are_external(&self) -> bool {
        self.are_external
    }

    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    pub(crate) fn counts(&self) -> &[u32] {
        &self.counts
    }
}
