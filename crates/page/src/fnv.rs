//! FNV-1a, the hash of Fowler, Noll and Vo, for short keys.
//!
//! The hash has no secret, so an attacker can make a page whose names all collide. Every table that
//! hashes names from pages must bound the number of slots that a search reads.

/// The 32-bit hash of no bytes.
pub(crate) const EMPTY_32: u32 = 0x811C_9DC5;

/// The 64-bit hash of no bytes.
const EMPTY_64: u64 = 0xCBF2_9CE4_8422_2325;

/// Returns the 32-bit hash after one more byte.
#[inline]
pub(crate) const fn add_32(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

/// Returns the 64-bit hash after one more byte.
#[inline]
const fn add_64(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01B3)
}

/// Returns the 64-bit hash of a name in lower case. ASCII letters of the name may be of either
/// case.
///
/// ```
/// use huller_page::fnv::hash_lowercase;
///
/// assert_eq!(hash_lowercase(b"FooBar"), 0x8594_4171_F739_67E8);
/// ```
#[inline]
pub fn hash_lowercase(name: &[u8]) -> u64 {
    name.iter().fold(EMPTY_64, |hash, b| add_64(hash, b.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks hashes from the authors' own list of test vectors.
    #[test]
    fn hashes_are_those_of_the_authors() {
        for (bytes, hash_32, hash_64) in [
            ("", 0x811C_9DC5, 0xCBF2_9CE4_8422_2325),
            ("a", 0xE40C_292C, 0xAF63_DC4C_8601_EC8C),
            ("foobar", 0xBF9C_F968, 0x8594_4171_F739_67E8),
        ] {
            assert_eq!(bytes.bytes().fold(EMPTY_32, add_32), hash_32, "{bytes}");
            assert_eq!(bytes.bytes().fold(EMPTY_64, add_64), hash_64, "{bytes}");
            assert_eq!(hash_lowercase(bytes.to_uppercase().as_bytes()), hash_64, "{bytes}");
        }
    }
}
