//! Hashes the shingles of a text, for signatures with `fast`.

use crate::scalars::is_unspaced;
use crate::words::Words;

/// Odd constants without structure: the first digits of π, e and √2 in base 16, with the last bit
/// set.
const PI: u64 = 0x243F_6A88_85A3_08D3;
const E: u64 = 0xB7E1_5162_8AED_2A6B;
const ROOT: u64 = 0x6A09_E667_F3BC_C909;

/// Most entries of a buffer that are kept from one row to the next.
const MAX_KEPT_ENTRIES: usize = 1 << 16;

/// Scratch buffers for the shingles of a row.
#[derive(Debug, Default)]
pub(super) struct Shingles {
    /// The hash of each token.
    tokens: Vec<u64>,
    /// The hash of each shingle.
    hashes: Vec<u32>,
    /// A word in lower case.
    lower: String,
}

/// Returns the two halves of the product of two numbers, combined, as in Wang Yi's wyhash.
#[inline]
fn fold_product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Returns eight ASCII bytes in lower case.
#[inline]
fn to_lowercase_eight(eight: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let from_a = eight + EACH * u64::from(0x80 - b'A');
    let after_z = eight + EACH * u64::from(0x80 - b'Z' - 1);
    eight | (((from_a ^ after_z) & (EACH * 0x80)) >> 2)
}

/// Returns up to eight bytes as a number, padded with zeros.
#[inline]
fn read_number(bytes: &[u8], start: usize, length: usize) -> u64 {
    if let Some(eight) = bytes.get(start..start + 8).and_then(|eight| eight.first_chunk()) {
        return u64::from_le_bytes(*eight) & (u64::MAX >> (8 * (8 - length)));
    }
    let mut eight = [0; 8];
    eight[..length].copy_from_slice(&bytes[start..start + length]);
    u64::from_le_bytes(eight)
}

/// Returns the hash of the token at an offset, in lower case if `FOLDS`. `None` if `FOLDS` and the
/// token is not ASCII; the caller then folds its scalars. `length` is at least 1.
#[inline]
fn hash<const FOLDS: bool>(bytes: &[u8], start: usize, length: usize, seed: u64) -> Option<u64> {
    const NOT_ASCII: u64 = 0x8080_8080_8080_8080;
    let mut hash = seed ^ (length as u64).wrapping_mul(E);
    let mut offset = 0;
    while offset < length {
        let mut eight = read_number(bytes, start + offset, (length - offset).min(8));
        if FOLDS {
            if eight & NOT_ASCII != 0 {
                return None;
            }
            eight = to_lowercase_eight(eight);
        }
        hash = fold_product(hash ^ eight, PI);
        offset += 8;
    }
    Some(fold_product(hash, ROOT))
}

impl Shingles {
    /// Returns the hash of each shingle of `length` tokens. It is empty if the text has fewer
    /// tokens.
    pub(super) fn hash_all(&mut self, words: Words<'_>, length: usize, seed: u32) -> &[u32] {
        self.tokens.clear();
        self.tokens.shrink_to(MAX_KEPT_ENTRIES);
        self.hashes.clear();
        self.hashes.shrink_to(MAX_KEPT_ENTRIES);
        self.lower.shrink_to(MAX_KEPT_ENTRIES);
        let bytes = words.text.as_bytes();
        let seed = fold_product(u64::from(seed) ^ PI, E);
        for word in words.spans {
            if word.is_symbol {
                continue;
            }
            let range = word.range();
            if let Some(token) = hash::<true>(bytes, range.start, range.len(), seed) {
                self.tokens.push(token);
            } else {
                self.push_scalars(&words.text[range], seed);
            }
        }
        self.hash_runs(length);
        &self.hashes
    }

    /// Adds the tokens of a word that is not all ASCII: each scalar of scripts without spaces, and
    /// the strings between them.
    #[cold]
    fn push_scalars(&mut self, word: &str, seed: u64) {
        self.lower.clear();
        for c in word.chars() {
            if is_unspaced(c) {
                self.push_lower(seed);
                self.lower.push(c);
                self.push_lower(seed);
            } else {
                self.lower.extend(c.to_lowercase());
            }
        }
        self.push_lower(seed);
    }

    /// Adds the token in `lower` and empties `lower`.
    fn push_lower(&mut self, seed: u64) {
        if !self.lower.is_empty() {
            self.tokens.extend(hash::<false>(self.lower.as_bytes(), 0, self.lower.len(), seed));
            self.lower.clear();
        }
    }

    /// Hashes the runs of tokens as polynomials of a constant. The value of each run follows from
    /// that of the run before it.
    fn hash_runs(&mut self, length: usize) {
        if self.tokens.len() < length {
            return;
        }
        let step = |sum: u64, token: u64| sum.wrapping_mul(E).wrapping_add(token);
        let leaving = (1..length).fold(1_u64, |power, _| power.wrapping_mul(E));
        let mut sum = self.tokens[..length - 1].iter().fold(0, |sum, token| step(sum, *token));
        let (first, last) = (self.tokens.iter(), &self.tokens[length - 1..]);
        self.hashes.extend(last.iter().zip(first).map(|(last, first)| {
            let window_sum = step(sum, *last);
            sum = window_sum.wrapping_sub(first.wrapping_mul(leaving));
            (fold_product(window_sum, PI) >> 32) as u32
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    fn shingles(content: &str, length: usize) -> Vec<u32> {
        let mut text = Text::default();
        text.begin().push_str(content);
        Shingles::default().hash_all(text.words(), length, 1).to_vec()
    }

    #[test]
    fn case_punctuation_and_spaces_do_not_count() {
        let plain = shingles("the extraordinarily long river rose and ÉTÉ straße fell", 3);
        assert_eq!(plain.len(), 7);
        let other =
            shingles("The EXTRAORDINARILY  long – river (rose), \n“and” Été,\tSTRAßE… FELL!", 3);
        assert_eq!(plain, other);
        assert_ne!(plain, shingles("the extraordinarily long river rose and ÉTÉ strase fell", 3));
        assert_ne!(shingles("a b", 2), shingles("b a", 2));
        assert_ne!(shingles("aa", 1), shingles("aaa", 1));
    }

    #[test]
    fn scalars_of_scripts_without_spaces_are_tokens() {
        for (content, tokens) in
            [("今天下雨。", 4), ("カタカナ", 4), ("ก็ดี", 4), ("오늘 비가", 2), ("iPhone手机 15", 4)]
        {
            assert_eq!(shingles(content, 1).len(), tokens, "{content}");
        }
        assert_eq!(shingles("雨 rain 雨 RAIN", 2)[0], shingles("雨 rain 雨 RAIN", 2)[2]);
    }

    #[test]
    fn a_shingle_is_the_same_wherever_it_stands() {
        let all = shingles("one two three four five six one two three", 3);
        assert_eq!(all.len(), 7);
        assert_eq!(all[0], all[6]);
        assert_eq!(all[3], shingles("four five six", 3)[0]);
        assert!(shingles("one two", 3).is_empty());
        assert_eq!(shingles("one two", 2).len(), 1);
        assert!(shingles("", 1).is_empty());
    }

    #[test]
    fn eight_bytes_are_lowered_together() {
        for byte in 0..0x80_u8 {
            let eight = u64::from_le_bytes([byte; 8]);
            assert_eq!(
                to_lowercase_eight(eight),
                u64::from_le_bytes([byte.to_ascii_lowercase(); 8])
            );
        }
    }
}
