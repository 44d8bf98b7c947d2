//! The hashes of words and the keys of n-grams.

/// Returns MurmurHash64A of bytes with seed 0.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0xc6a4_a793_5bd1_e995;
    const SHIFT: u32 = 47;
    let mut hash = (bytes.len() as u64).wrapping_mul(FACTOR);
    let (eights, rest) = bytes.as_chunks::<8>();
    for eight in eights {
        let number = u64::from_le_bytes(*eight).wrapping_mul(FACTOR);
        let number = (number ^ (number >> SHIFT)).wrapping_mul(FACTOR);
        hash = (hash ^ number).wrapping_mul(FACTOR);
    }
    if !rest.is_empty() {
        let number = rest.iter().rev().fold(0, |number, byte| (number << 8) | u64::from(*byte));
        hash = (hash ^ number).wrapping_mul(FACTOR);
    }
    hash = (hash ^ (hash >> SHIFT)).wrapping_mul(FACTOR);
    hash ^ (hash >> SHIFT)
}

/// Returns the key of an n-gram with one more word before it.
#[inline]
pub(super) fn extend(key: u64, word: u32) -> u64 {
    let word = (u64::from(word) + 1).wrapping_mul(17_894_857_484_156_487_943);
    key.wrapping_mul(8_978_948_897_894_561_157) ^ word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_and_keys_are_those_in_files() {
        assert_eq!(hash(b"<s>"), 0x0075_8639_bd21_7e70);
        assert_eq!(hash(b"</s>"), 0x6be0_737d_f1f7_6c0a);
        assert_eq!(hash(b"cc"), 0x2370_6b63_ec25_9e1d);
        // `a b` and `<s> a b`, where `<s>` is 1, `a` is 3 and `b` is 4.
        assert_eq!(extend(4, 3), 0x1333_b184_6802_f208);
        assert_eq!(extend(extend(4, 3), 1), 0x6e91_3dfc_0e87_f426);
        assert_ne!(hash(b"12345678"), hash(b"123456789"));
    }
}
