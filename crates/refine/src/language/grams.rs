//! N-grams of letters as numbers.

/// The code of the word boundary, before the first and after the last letter of a word.
pub const BOUNDARY: u16 = 1;

/// The fewest letters of an n-gram, with boundaries.
pub const MIN_NGRAM_LEN: usize = 2;

/// The most letters of an n-gram, with boundaries.
pub const MAX_NGRAM_LEN: usize = 5;

/// The most letters of a word, without its boundaries. A longer run of letters is skipped: it is
/// encoded data, or text that lacks the blanks of its script.
pub(super) const MAX_WORD_LETTERS: usize = 40;

/// Bits of one letter.
const LETTER_BITS: u32 = 12;

/// Returns the number of an n-gram of up to [`MAX_NGRAM_LEN`] letters. Different n-grams have
/// different numbers, because no letter is 0.
pub fn ngram_code(letters: &[u16]) -> u64 {
    letters.iter().fold(0, |number, &letter| number << LETTER_BITS | u64::from(letter))
}

/// The last letters of a word that is read letter by letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordTail {
    /// The last letters, [`LETTER_BITS`] bits each, the newest lowest.
    letters: u64,
    /// Number of letters in `letters`, boundaries included.
    count: usize,
}

impl WordTail {
    /// Begins a word with its boundary.
    pub(super) fn new() -> WordTail {
        WordTail { letters: u64::from(BOUNDARY), count: 1 }
    }

    /// Adds a letter, and drops the first if there are more than [`MAX_NGRAM_LEN`].
    #[inline]
    pub(super) fn push(&mut self, letter: u16) {
        self.letters = (self.letters << LETTER_BITS | u64::from(letter)) & mask(MAX_NGRAM_LEN);
        self.count = MAX_NGRAM_LEN.min(self.count + 1);
    }

    /// Returns the n-grams that end at the last letter, the longest first.
    #[inline]
    pub(super) fn grams(self) -> impl Iterator<Item = u64> {
        (MIN_NGRAM_LEN..=self.count).rev().map(move |count| self.letters & mask(count))
    }
}

const fn mask(count: usize) -> u64 {
    (1 << (LETTER_BITS as usize * count)) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_grams() {
        let word = [BOUNDARY, 97, 98, 99, 100, 101, BOUNDARY];
        let mut tail = WordTail::new();
        for end in 1..word.len() {
            tail.push(word[end]);
            let expected: Vec<u64> = (MIN_NGRAM_LEN..=MAX_NGRAM_LEN.min(end + 1))
                .rev()
                .map(|count| ngram_code(&word[end + 1 - count..=end]))
                .collect();
            assert_eq!(tail.grams().collect::<Vec<_>>(), expected);
        }
    }
}
