//! Reads bytes eight at a time as little-endian integers.
//!
//! Beyond the end of the bytes the integers hold zeros. Copying fewer than eight bytes into a
//! buffer would be a call, because their number is unknown at compile time. So the last eight bytes
//! are loaded and shifted. If there are fewer than eight bytes in total, two overlapping halves are
//! loaded.

/// Returns every eight bytes as an integer, with the number of bytes in it: 8, or fewer in the last
/// one.
pub(super) fn eights(bytes: &[u8]) -> impl Iterator<Item = (u64, u32)> {
    let (chunks, rest) = bytes.as_chunks();
    let whole_chunks = chunks.iter().map(|chunk| (u64::from_le_bytes(*chunk), 8));
    whole_chunks.chain([(eight_at(bytes, bytes.len() - rest.len()), rest.len() as u32)])
}

/// Returns the eight bytes from index `offset`, which is at most the number of bytes.
#[inline]
pub(super) fn eight_at(bytes: &[u8], offset: usize) -> u64 {
    match (bytes[offset..].first_chunk(), bytes.last_chunk()) {
        (Some(eight), _) => u64::from_le_bytes(*eight),
        (None, Some(last)) => {
            u64::from_le_bytes(*last).unbounded_shr(8 * (offset + 8 - bytes.len()) as u32)
        }
        (None, None) => fewer(&bytes[offset..]),
    }
}

/// Returns up to seven bytes as an integer.
fn fewer(bytes: &[u8]) -> u64 {
    let last_half = |half: usize| 8 * (bytes.len() - half) as u32;
    if let (Some(low), Some(high)) = (bytes.first_chunk::<4>(), bytes.last_chunk()) {
        u64::from(u32::from_le_bytes(*low)) | u64::from(u32::from_le_bytes(*high)) << last_half(4)
    } else if let (Some(low), Some(high)) = (bytes.first_chunk::<2>(), bytes.last_chunk()) {
        u64::from(u16::from_le_bytes(*low)) | u64::from(u16::from_le_bytes(*high)) << last_half(2)
    } else {
        bytes.first().map_or(0, |byte| u64::from(*byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_follow_the_end() {
        let all: Vec<u8> = (1..=30).collect();
        for len in 0..all.len() {
            let bytes = &all[..len];
            let expected = |at: usize| {
                let byte = |i: usize| bytes.get(at + i).copied().unwrap_or_default();
                u64::from_le_bytes(std::array::from_fn(byte))
            };
            for at in 0..=len {
                assert_eq!(eight_at(bytes, at), expected(at), "{len} {at}");
            }
            let numbers: Vec<_> = eights(bytes).collect();
            assert_eq!(numbers.iter().map(|(_, len)| *len as usize).sum::<usize>(), len);
            for (i, (eight, _)) in numbers.iter().enumerate() {
                assert_eq!(*eight, expected(8 * i), "{len} {i}");
            }
        }
    }
}
