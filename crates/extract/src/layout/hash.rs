//! Names and colours as numbers, the same for any case of their letters.

/// FNV-1a over bytes in lower case.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, b| {
        (hash ^ u64::from(b.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01B3)
    })
}
