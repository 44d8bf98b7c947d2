//! Counts marks in a block's text by its bytes, for any language.
//!
//! The bytes are those of the source: a character reference counts as the characters of its
//! spelling. Cost: O(bytes); a few instructions for eight bytes of ASCII, and some for each scalar
//! beyond ASCII.

use super::bytes8::eights;
use huller_page::unspaced::is_word_utf8;

const ONES: u64 = 0x0101_0101_0101_0101;

/// Largest number of 8-byte integers whose byte-wise counts can be added before `sum` adds the
/// eight counts. The sum then stays below 256.
const MAX_SUMMED_EIGHTS: usize = 255 / 8;

/// Counts over the text of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextFacts {
    /// Number of commas.
    pub(crate) commas: u32,
    /// Currency signs: `$`, `€`, `£`, `¥`, `￥`.
    pub(crate) currencies: u32,
    /// The last byte that is not white space. It is `.` after an ideographic full stop, a
    /// full-width `！` or `？`, or `…`.
    pub(crate) last: u8,
}

impl TextFacts {
    /// Adds a run. Returns the number of its words beyond those separated by white space.
    pub(super) fn add(&mut self, source: &str) -> u32 {
        let bytes = source.as_bytes().trim_ascii();
        if let [.., last_byte] = bytes {
            self.last = *last_byte;
        }
        let mut any = 0;
        for bytes in bytes.chunks(8 * MAX_SUMMED_EIGHTS) {
            let (mut commas, mut dollars) = (0, 0);
            for (eight, _) in eights(bytes) {
                commas += equal(eight, b',');
                dollars += equal(eight, b'$');
                any |= eight;
            }
            self.commas += sum(commas);
            self.currencies += sum(dollars);
        }
        if any & (0x80 * ONES) == 0 { 0 } else { self.add_beyond_ascii(bytes) }
    }

    /// Counts marks beyond ASCII. Returns the number of Thai, Lao, Burmese, Khmer, Chinese and
    /// Japanese characters, each of which counts as a word.
    fn add_beyond_ascii(&mut self, bytes: &[u8]) -> u32 {
        let mut unspaced = 0;
        let mut offset = 0;
        while offset < bytes.len() {
            let byte = bytes[offset];
            if byte < 0xC2 {
                offset += 1;
                continue;
            }
            let second = bytes.get(offset + 1).copied().unwrap_or_default();
            let third = bytes.get(offset + 2).copied().unwrap_or_default();
            match (byte, second, third) {
                // £ ¥ € ￥
                (0xC2, 0xA3 | 0xA5, _) | (0xE2, 0x82, 0xAC) | (0xEF, 0xBF, 0xA5) => {
                    self.currencies += 1;
                }
                // ， 、 ،
                (0xEF, 0xBC, 0x8C) | (0xE3, 0x80, 0x81) | (0xD8, 0x8C, _) => self.commas += 1,
                // 。 ！ ？ …
                (0xE3, 0x80, 0x82) | (0xEF, 0xBC, 0x81 | 0x9F) | (0xE2, 0x80, 0xA6)
                    if offset + 3 >= bytes.len() =>
                {
                    self.last = b'.';
                }
                // Scripts written without spaces.
                (first, second, _) if is_word_utf8(first, second) => unspaced += 1,
                _ => {}
            }
            offset += match byte {
                0xC2..=0xDF => 2,
                0xE0..=0xEF => 3,
                _ => 4,
            };
        }
        unspaced
    }
}

/// Returns for each of eight bytes 1 if it is `mark` and 0 if not. `mark` is ASCII.
fn equal(eight: u64, mark: u8) -> u64 {
    let differences = eight ^ (u64::from(mark) * ONES);
    // The addition carries into the upper bit of a byte if any of its lower bits is set, so that
    // bit is 0 only in equal bytes.
    !(differences | ((differences & (0x7F * ONES)) + 0x7F * ONES)) >> 7 & ONES
}

/// Returns the sum of eight bytes, if it is below 256.
fn sum(eight: u64) -> u32 {
    (eight.wrapping_mul(ONES) >> 56) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_words_of_all_scripts_are_counted() {
        let facts = |text: &str| {
            let mut facts = TextFacts::default();
            let words = facts.add(text);
            (facts.commas, facts.currencies, facts.last, words)
        };
        let long = "a,b$,中$".repeat(40);
        assert_eq!(facts(&long), (80, 80, b'$', 40));
        assert_eq!(facts(" One, two, $3 and €4.\n"), (2, 2, b'.', 0));
        assert_eq!(facts("今天，下雨。"), (1, 0, b'.', 4));
        assert_eq!(facts("ฝนตก"), (0, 0, 0x81, 4));
        assert_eq!(facts(" "), (0, 0, 0, 0));
    }
}
