//! Tests many bytes at a time: loops without branches over chunks, which the compiler turns into
//! comparisons of whole chunks.

/// Bytes in a chunk.
const CHUNK_BYTES: usize = 16;

/// Returns the length of a prefix of `bytes` that has no byte of a kind: all bytes, or those before
/// the chunk with the first. `of_kind` is 1 for bytes of the kind and 0 for others, since numbers
/// compare in chunks and truth values do not.
#[inline]
pub(super) fn prefix_without(bytes: &[u8], of_kind: impl Fn(u8) -> u8) -> usize {
    let is_free =
        |chunk: &[u8; CHUNK_BYTES]| chunk.iter().fold(0, |any, byte| any | of_kind(*byte)) == 0;
    let (chunks, _) = bytes.as_chunks::<CHUNK_BYTES>();
    let free = chunks.iter().take_while(|chunk| is_free(chunk)).count();
    // The last bytes are tested together with bytes before them, which are free.
    if free == chunks.len() && bytes.last_chunk().is_some_and(is_free) {
        return bytes.len();
    }
    free * CHUNK_BYTES
}

/// Returns whether any byte is of a kind.
#[inline]
pub(super) fn any_matches(bytes: &[u8], of_kind: impl Fn(u8) -> u8) -> bool {
    let free = prefix_without(bytes, &of_kind);
    bytes[free..].iter().any(|byte| of_kind(*byte) != 0)
}

/// Returns 1 if a byte is one of these, else 0.
#[inline(always)]
pub(super) fn one_of<const N: usize>(byte: u8, known: &[u8; N]) -> u8 {
    known.iter().fold(0, |any, byte_in_set| any | u8::from(byte == *byte_in_set))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_found_wherever_it_stands() {
        let of_x = |byte| one_of(byte, b"x");
        for len in 0..70 {
            let mut bytes = vec![b'a'; len];
            assert!(!any_matches(&bytes, of_x));
            assert!(prefix_without(&bytes, of_x) == if len < CHUNK_BYTES { 0 } else { len });
            for at in 0..len {
                bytes[at] = b'x';
                assert!(any_matches(&bytes, of_x), "{at} of {len}");
                let free = prefix_without(&bytes, of_x);
                assert!(free <= at && at < free + CHUNK_BYTES, "{free} for {at} of {len}");
                bytes[at] = b'a';
            }
        }
    }
}
