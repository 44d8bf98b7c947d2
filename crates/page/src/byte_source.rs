//! Reads the bytes of a page, many at a time.
//!
//! A read of sixteen bytes must stay within the page. A check by slicing costs as much as the
//! comparison that follows, and there are a dozen such reads for each tag. So the last offset at
//! which sixteen bytes begin is computed once for each page.

use crate::bytes16::Bytes16;
use memchr::memchr;

/// Number of bytes that [`ByteSource::find`] searches inline. A longer search justifies a call.
const INLINE_SEARCH_BYTES: usize = 128;

/// Bytes that are read sixteen at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteSource<'a> {
    bytes: &'a [u8],
    /// Number of offsets at which sixteen bytes begin: the length less fifteen, or 0. Only
    /// [`ByteSource::new`] sets it.
    chunks: usize,
}

impl<'a> ByteSource<'a> {
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8]) -> ByteSource<'a> {
        ByteSource { bytes, chunks: bytes.len().saturating_sub(15) }
    }

    /// Returns all bytes.
    #[inline(always)]
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the sixteen bytes at `offset`, if as many are left.
    #[inline(always)]
    pub(crate) fn bytes16(self, offset: usize) -> Option<Bytes16> {
        self.chunk(offset).map(Bytes16::load)
    }

    /// Returns the eight bytes at `offset` as a little-endian number, if sixteen are left.
    #[inline(always)]
    pub(crate) fn bytes8(self, offset: usize) -> Option<u64> {
        let [eight @ .., _, _, _, _, _, _, _, _] = *self.chunk(offset)?;
        Some(u64::from_le_bytes(eight))
    }

    /// Returns the sixty-four bytes at `offset`, if as many are left.
    #[inline(always)]
    pub(crate) fn bytes64(self, offset: usize) -> Option<&'a [u8; 64]> {
        self.bytes.get(offset..)?.first_chunk()
    }

    #[inline(always)]
    fn chunk(self, offset: usize) -> Option<&'a [u8; 16]> {
        if offset >= self.chunks {
            return None;
        }
        // SAFETY: `offset < chunks`, so `chunks` is not 0 and equals `bytes.len() - 15`. Hence
        // `offset + 16 <= bytes.len()`: all sixteen bytes are in the slice. An array of bytes needs
        // no alignment, and borrows from the slice for `'a`.
        Some(unsafe { &*self.bytes.as_ptr().add(offset).cast::<[u8; 16]>() })
    }

    /// Returns the offset of the first `b` at or after `start`. A near byte is found without a
    /// call, and with one branch for sixty-four bytes, which the processor can predict.
    #[inline(always)]
    pub(crate) fn find(self, start: usize, b: u8) -> Option<usize> {
        let mut offset = start;
        while offset < start + INLINE_SEARCH_BYTES
            && let Some(chunk) = self.bytes64(offset)
        {
            let bits = Bytes16::equal_in_64(chunk, b);
            if bits != 0 {
                return Some(offset + bits.trailing_zeros() as usize);
            }
            offset += 64;
        }
        self.find_far(offset, b)
    }

    #[cold]
    fn find_far(self, start: usize, b: u8) -> Option<usize> {
        memchr(b, &self.bytes[start..]).map(|distance| start + distance)
    }

    /// Returns the offset of the first byte at or after `start` that is not ASCII white space; the
    /// length if all are.
    #[inline(always)]
    pub(crate) fn white_end(self, start: usize) -> usize {
        let mut offset = start;
        while let Some(loaded) = self.bytes16(offset) {
            let other_bits = !loaded.white().bits() & 0xFFFF;
            if other_bits != 0 {
                return offset + other_bits.trailing_zeros() as usize;
            }
            offset += 16;
        }
        let white = |b: &u8| matches!(b, b' ' | b'\t'..=b'\r');
        offset + self.bytes[offset..].iter().take_while(|b| white(b)).count()
    }

    /// Returns the offset of the first byte at or after `start` that is not ASCII; the length if
    /// all are.
    pub(crate) fn ascii_end(self, start: usize) -> usize {
        let (chunks, _) = self.bytes[start..].as_chunks::<64>();
        let ascii = |chunk: &&[u8; 64]| {
            let sixteens = chunk.as_chunks::<16>().0.iter().map(Bytes16::load);
            sixteens.reduce(Bytes16::or).is_some_and(|any| any.bits() == 0)
        };
        let mut offset = start + 64 * chunks.iter().take_while(ascii).count();
        while let Some(loaded) = self.bytes16(offset) {
            let bits = loaded.bits();
            if bits != 0 {
                return offset + bits.trailing_zeros() as usize;
            }
            offset += 16;
        }
        offset + self.bytes[offset..].iter().take_while(|b| b.is_ascii()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Copies the bytes into memory of exactly their length, so that a memory checker sees reads
    /// beyond them.
    fn exact(bytes: &[u8]) -> Box<[u8]> {
        bytes.into()
    }

    #[test]
    fn sixteen_are_given_exactly_where_sixteen_are_left() {
        for len in 0..70 {
            let bytes = exact(&(0..len).collect::<Vec<u8>>());
            let source = ByteSource::new(&bytes);
            for at in 0..100 {
                let expected = bytes.get(at..at + 16);
                let sixteen = source.bytes16(at).map(Bytes16::first_eight);
                let first = expected.map(|chunk| u64::from_le_bytes(*chunk.first_chunk().unwrap()));
                assert_eq!(sixteen, first, "{len} {at}");
                assert_eq!(source.bytes8(at), first, "{len} {at}");
                if let (Some(loaded), Some(chunk)) = (source.bytes16(at), expected) {
                    assert_eq!(loaded.equal(chunk[15]).bits() >> 15, 1, "{len} {at}");
                }
            }
            assert!(source.bytes16(usize::MAX).is_none());
        }
    }

    #[test]
    fn the_first_of_many_is_found_wherever_it_stands() {
        for len in 0..200 {
            for place in 0..len {
                let mut bytes = vec![b'.'; len];
                bytes[place] = b'<';
                bytes[len - 1] = b'<';
                let bytes = exact(&bytes);
                for from in 0..=place {
                    assert_eq!(ByteSource::new(&bytes).find(from, b'<'), Some(place));
                }
            }
            assert_eq!(ByteSource::new(&vec![b'.'; len]).find(0, b'<'), None);
        }
    }

    proptest! {
        #[test]
        fn searches_equal_their_definitions(bytes in prop::collection::vec(0_u8..=255, 0..40), white in 0_usize..80, plain in 0_usize..200) {
            let white = [b' ', b'\n', b'\r', 0x0B].repeat(white.div_ceil(4));
            let bytes = exact(&[white, vec![b'a'; plain], bytes].concat());
            let source = ByteSource::new(&bytes);
            for from in 0..=bytes.len() {
                let rest = &bytes[from..];
                let end = |found: Option<usize>| found.map_or(bytes.len(), |found| from + found);
                let visible = rest.iter().position(|b| !matches!(b, b' ' | 9..=13));
                prop_assert_eq!(source.white_end(from), end(visible));
                prop_assert_eq!(source.ascii_end(from), end(rest.iter().position(|b| *b >= 0x80)));
                prop_assert_eq!(source.find(from, b'<'), rest.iter().position(|b| *b == b'<').map(|found| from + found));
            }
        }
    }
}
