//! What the bytes of a block's text say of it, without knowing its language.
//!
//! Bytes are looked at as they stand in the source: a character reference counts as its letters. Cost: O(n), a few instructions
//! for many bytes of ASCII and some for each scalar beyond.

use super::eights::eights;

const ONES: u64 = 0x0101_0101_0101_0101;

/// So many times eight bytes are counted in one.
const EIGHTS: usize = 255 / 8;

/// Counts over the bytes of a block's text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextFacts {
    pub(crate) commas: u32,
    /// Signs of currencies: `$`, `€`, `£`, `¥`.
    pub(crate) currencies: u32,
    /// The last byte that is no white space; a full stop for other scripts' ends of sentences.
    pub(crate) last: u8,
}

impl TextFacts {
    /// Adds a run, and gives how many words it has beyond those that white space parts.
    pub(super) fn add(&mut self, source: &str) -> u32 {
        let bytes = source.as_bytes().trim_ascii();
        if let [.., last] = bytes {
            self.last = *last;
        }
        let mut any = 0;
        for bytes in bytes.chunks(8 * EIGHTS) {
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

    /// Counts marks beyond ASCII; gives how many scalars are of scripts that are written without spaces.
    fn add_beyond_ascii(&mut self, bytes: &[u8]) -> u32 {
        let mut unspaced = 0;
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            if byte < 0xC2 {
                at += 1;
                continue;
            }
            let second = bytes.get(at + 1).copied().unwrap_or_default();
            let third = bytes.get(at + 2).copied().unwrap_or_default();
            match (byte, second, third) {
                // £ ¥ € ￥
                (0xC2, 0xA3 | 0xA5, _) | (0xE2, 0x82, 0xAC) | (0xEF, 0xBF, 0xA5) => {
                    self.currencies += 1;
                }
                // ， 、 ،
                (0xEF, 0xBC, 0x8C) | (0xE3, 0x80, 0x81) | (0xD8, 0x8C, _) => self.commas += 1,
                // 。 ！ ？ …
                (0xE3, 0x80, 0x82) | (0xEF, 0xBC, 0x81 | 0x9F) | (0xE2, 0x80, 0xA6)
                    if at + 3 >= bytes.len() =>
                {
                    self.last = b'.';
                }
                // Thai and Lao, kana, ideographs, hangul.
                (0xE0, 0xB8..=0xBB, _)
                | (0xE3, 0x81..=0x83, _)
                | (0xEA, 0xB0..=0xBF, _)
                | (0xE4..=0xE9 | 0xEB..=0xED, ..) => unspaced += 1,
                _ => {}
            }
            at += match byte {
                0xC2..=0xDF => 2,
                0xE0..=0xEF => 3,
                _ => 4,
            };
        }
        unspaced
    }
}

/// A 1 for each of eight bytes that is `mark`, which is ASCII, and a 0 for each other.
fn equal(eight: u64, mark: u8) -> u64 {
    let other = eight ^ (u64::from(mark) * ONES);
    // The upper bit of a byte is set if any of its bits is: the lower ones carry into it.
    !(other | ((other & (0x7F * ONES)) + 0x7F * ONES)) >> 7 & ONES
}

/// The sum of eight bytes, which is a byte.
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
