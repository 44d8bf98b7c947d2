//! The bytes of a page, and how to look at many of them at once.
//!
//! Whoever reads sixteen bytes must know that they are there. Asking a slice costs as much as the comparison it is for,
//! and it is asked a dozen times a tag. So the last place where sixteen bytes begin is worked out once a page.

use crate::lanes::Lanes;
use memchr::memchr;

/// How far [`Source::find`] looks by itself; what is farther is worth a call.
const NEAR: usize = 128;

/// Bytes that are read sixteen at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    bytes: &'a [u8],
    /// From each place before this one sixteen bytes can be read: the length less fifteen, or 0.
    wide: usize,
}

impl<'a> Source<'a> {
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8]) -> Source<'a> {
        Source { bytes, wide: bytes.len().saturating_sub(15) }
    }

    /// All of them.
    #[inline(always)]
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The sixteen bytes at `at`, if so many are left.
    #[inline(always)]
    pub(crate) fn sixteen(self, at: usize) -> Option<Lanes> {
        self.chunk(at).map(Lanes::load)
    }

    /// The eight bytes at `at`, the first of them lowest, if sixteen are left.
    #[inline(always)]
    pub(crate) fn eight(self, at: usize) -> Option<u64> {
        let [eight @ .., _, _, _, _, _, _, _, _] = *self.chunk(at)?;
        Some(u64::from_le_bytes(eight))
    }

    /// The sixty-four bytes at `at`, if so many are left.
    #[inline(always)]
    pub(crate) fn sixty_four(self, at: usize) -> Option<&'a [u8; 64]> {
        self.bytes.get(at..)?.first_chunk()
    }

    #[inline(always)]
    fn chunk(self, at: usize) -> Option<&'a [u8; 16]> {
        if at >= self.wide {
            return None;
        }
        // SAFETY: `at < wide` means that `wide` is not 0, so it is `bytes.len() - 15` and `at + 16 <= bytes.len()`: all
        // sixteen bytes are in the slice. An array of bytes needs no alignment, and lives as long as the slice.
        Some(unsafe { &*self.bytes.as_ptr().add(at).cast::<[u8; 16]>() })
    }

    /// Position of the first `b` at or after `from`. What is near is found without a call, and without a loop whose end nobody
    /// can foretell.
    #[inline(always)]
    pub(crate) fn find(self, from: usize, b: u8) -> Option<usize> {
        let mut at = from;
        while at < from + NEAR
            && let Some(chunk) = self.sixty_four(at)
        {
            let bits = Lanes::equal_of_sixty_four(chunk, b);
            if bits != 0 {
                return Some(at + bits.trailing_zeros() as usize);
            }
            at += 64;
        }
        self.find_far(at, b)
    }

    #[cold]
    fn find_far(self, from: usize, b: u8) -> Option<usize> {
        memchr(b, &self.bytes[from..]).map(|found| from + found)
    }

    /// Position of the first byte at or after `from` that is no white space of text; the end if there is none.
    #[inline(always)]
    pub(crate) fn white_end(self, from: usize) -> usize {
        let mut at = from;
        while let Some(lanes) = self.sixteen(at) {
            let other = !lanes.white().bits() & 0xFFFF;
            if other != 0 {
                return at + other.trailing_zeros() as usize;
            }
            at += 16;
        }
        let white = |b: &u8| matches!(b, b' ' | b'\t'..=b'\r');
        at + self.bytes[at..].iter().take_while(|b| white(b)).count()
    }

    /// Position of the first byte at or after `from` that is not ASCII; the end if there is none.
    pub(crate) fn ascii_end(self, from: usize) -> usize {
        let (chunks, _) = self.bytes[from..].as_chunks::<64>();
        let ascii = |chunk: &&[u8; 64]| {
            let lanes = chunk.as_chunks::<16>().0.iter().map(Lanes::load);
            lanes.reduce(Lanes::or).is_some_and(|any| any.bits() == 0)
        };
        let mut at = from + 64 * chunks.iter().take_while(ascii).count();
        while let Some(lanes) = self.sixteen(at) {
            let bits = lanes.bits();
            if bits != 0 {
                return at + bits.trailing_zeros() as usize;
            }
            at += 16;
        }
        at + self.bytes[at..].iter().take_while(|b| b.is_ascii()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Memory that ends with the bytes, so that a tool which watches memory sees what reads beyond them.
    fn exact(bytes: &[u8]) -> Box<[u8]> {
        bytes.into()
    }

    #[test]
    fn sixteen_are_given_exactly_where_sixteen_are_left() {
        for len in 0..70 {
            let bytes = exact(&(0..len).collect::<Vec<u8>>());
            let source = Source::new(&bytes);
            for at in 0..100 {
                let expected = bytes.get(at..at + 16);
                let sixteen = source.sixteen(at).map(Lanes::first_eight);
                let first = expected.map(|chunk| u64::from_le_bytes(*chunk.first_chunk().unwrap()));
                assert_eq!(sixteen, first, "{len} {at}");
                assert_eq!(source.eight(at), first, "{len} {at}");
                if let (Some(lanes), Some(chunk)) = (source.sixteen(at), expected) {
                    assert_eq!(lanes.equal(chunk[15]).bits() >> 15, 1, "{len} {at}");
                }
            }
            assert!(source.sixteen(usize::MAX).is_none());
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
                    assert_eq!(Source::new(&bytes).find(from, b'<'), Some(place));
                }
            }
            assert_eq!(Source::new(&vec![b'.'; len]).find(0, b'<'), None);
        }
    }

    proptest! {
        #[test]
        fn searches_equal_their_definitions(bytes in prop::collection::vec(0_u8..=255, 0..40), white in 0_usize..80, plain in 0_usize..200) {
            let white = [b' ', b'\n', b'\r', 0x0B].repeat(white.div_ceil(4));
            let bytes = exact(&[white, vec![b'a'; plain], bytes].concat());
            let source = Source::new(&bytes);
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
