//! A window of sixty-four bytes of a tag, from the start of an attribute on. Most attributes end
//! within it.

use crate::bytes16::Bytes16;

/// A way to compare the bytes of a window. Bit `i` of a result is for byte `i`.
pub(super) trait Window: Copy {
    /// Returns which of the first thirty-two bytes may end an attribute's name. The bits include
    /// other control characters.
    fn name_ends(self, bytes: &[u8; 64]) -> u32;

    /// Returns which bytes are `"`.
    fn quotes(self, bytes: &[u8; 64]) -> u64;
}

/// Compares sixteen bytes at a time, which works on every processor.
#[derive(Clone, Copy)]
pub(super) struct PortableWindow;

impl Window for PortableWindow {
    #[inline(always)]
    fn name_ends(self, bytes: &[u8; 64]) -> u32 {
        let (sixteens, _) = bytes.as_chunks();
        let bits = |i: usize| name_ends(Bytes16::load(&sixteens[i]));
        bits(0) | bits(1) << 16
    }

    #[inline(always)]
    fn quotes(self, bytes: &[u8; 64]) -> u64 {
        Bytes16::equal_in_64(bytes, b'"')
    }
}

/// Returns which bytes may end an attribute's name. The bits include other control characters.
#[inline(always)]
pub(super) fn name_ends(bytes: Bytes16) -> u32 {
    let mark = bytes.equal(b'=').or(bytes.equal(b'>')).or(bytes.equal(b'/'));
    mark.or(bytes.at_most(b' ')).bits()
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::Window;
    use crate::simd::Avx2;
    use std::arch::x86_64::{
        __m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8,
        _mm256_or_si256, _mm256_set1_epi8,
    };

    /// Compares thirty-two bytes at a time.
    impl Window for Avx2 {
        #[inline(always)]
        fn name_ends(self, bytes: &[u8; 64]) -> u32 {
            let [low, _] = load(self, bytes);
            // SAFETY: an `Avx2` exists only where the processor has AVX2.
            unsafe {
                let at_most_blank = _mm256_cmpeq_epi8(low, _mm256_min_epu8(low, splat(self, b' ')));
                let marks = _mm256_or_si256(equal(self, low, b'='), equal(self, low, b'>'));
                let others = _mm256_or_si256(equal(self, low, b'/'), at_most_blank);
                bits(self, _mm256_or_si256(marks, others))
            }
        }

        #[inline(always)]
        fn quotes(self, bytes: &[u8; 64]) -> u64 {
            let [low, high] =
                load(self, bytes).map(|half| u64::from(bits(self, equal(self, half, b'"'))));
            low | high << 32
        }
    }

    #[inline(always)]
    fn load(_: Avx2, bytes: &[u8; 64]) -> [__m256i; 2] {
        let (halves, _) = bytes.as_chunks::<32>();
        // SAFETY: an `Avx2` exists only where the processor has AVX2. The pointers are to
        // thirty-two readable bytes, and the loads need no alignment.
        [0, 1].map(|i| unsafe { _mm256_loadu_si256(halves[i].as_ptr().cast()) })
    }

    /// Returns thirty-two bytes `b`.
    #[inline(always)]
    fn splat(_: Avx2, b: u8) -> __m256i {
        // SAFETY: an `Avx2` exists only where the processor has AVX2.
        unsafe { _mm256_set1_epi8(b.cast_signed()) }
    }

    /// Marks the bytes that equal `b`.
    #[inline(always)]
    fn equal(avx2: Avx2, bytes: __m256i, b: u8) -> __m256i {
        // SAFETY: an `Avx2` exists only where the processor has AVX2.
        unsafe { _mm256_cmpeq_epi8(bytes, splat(avx2, b)) }
    }

    #[inline(always)]
    fn bits(_: Avx2, bytes: __m256i) -> u32 {
        // SAFETY: an `Avx2` exists only where the processor has AVX2.
        unsafe { _mm256_movemask_epi8(bytes).cast_unsigned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns both results as the definition says, byte by byte.
    fn expected(bytes: &[u8; 64]) -> (u32, u64) {
        let ends = |b: &u8| matches!(b, b'=' | b'>' | b'/' | 0..=b' ');
        let bits = |holds: &dyn Fn(&u8) -> bool| {
            bytes.iter().rev().fold(0, |bits, b| bits << 1 | u64::from(holds(b)))
        };
        (bits(&ends) as u32, bits(&|b| *b == b'"'))
    }

    proptest! {
        #[test]
        fn windows_answer_for_every_byte(bytes in prop::array::uniform32(0_u8..=255), more in prop::array::uniform32(32_u8..64)) {
            let mut window = [0; 64];
            window[..32].copy_from_slice(&bytes);
            window[32..].copy_from_slice(&more);
            for window in [window, { window.rotate_left(32); window }] {
                let expected = expected(&window);
                prop_assert_eq!((PortableWindow.name_ends(&window), PortableWindow.quotes(&window)), expected);
                #[cfg(target_arch = "x86_64")]
                if let Some(avx2) = crate::simd::Avx2::new() {
                    prop_assert_eq!((avx2.name_ends(&window), avx2.quotes(&window)), expected);
                }
            }
        }
    }
}
