//! Sixty-four bytes of a tag, from the first of an attribute's name on, looked at at once: nearly all attributes end within them.
//!
//! The `unsafe` here is that of calling instructions the processor might lack. [`WithAvx2`] is only asked by what is compiled for
//! AVX2, and that is only called where the processor has it.

use crate::lanes::Lanes;

/// How they are looked at. Bit `i` of an answer is that of byte `i`.
pub(super) trait Window {
    /// Which of the first thirty-two may end the attribute's name: those that do, and control characters.
    fn name_ends(bytes: &[u8; 64]) -> u32;

    /// Which are `"`.
    fn quotes(bytes: &[u8; 64]) -> u64;
}

/// Sixteen at a time, as any processor can.
pub(super) struct BySixteens;

impl Window for BySixteens {
    #[inline(always)]
    fn name_ends(bytes: &[u8; 64]) -> u32 {
        let (sixteens, _) = bytes.as_chunks();
        let bits = |i: usize| name_ends(Lanes::load(&sixteens[i]));
        bits(0) | bits(1) << 16
    }

    #[inline(always)]
    fn quotes(bytes: &[u8; 64]) -> u64 {
        Lanes::equal_of_sixty_four(bytes, b'"')
    }
}

/// Which lanes may end an attribute's name.
#[inline(always)]
pub(super) fn name_ends(lanes: Lanes) -> u32 {
    lanes.equal(b'=').or(lanes.equal(b'>')).or(lanes.equal(b'/')).or(lanes.at_most(b' ')).bits()
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::WithAvx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::Window;
    use std::arch::x86_64::{
        __m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8,
        _mm256_or_si256, _mm256_set1_epi8,
    };

    /// Thirty-two at a time.
    pub(in super::super) struct WithAvx2;

    impl Window for WithAvx2 {
        #[inline(always)]
        fn name_ends(bytes: &[u8; 64]) -> u32 {
            let [lanes, _] = thirty_twos(bytes);
            // SAFETY: see above.
            unsafe {
                let at_most_blank = equal(lanes, _mm256_min_epu8(lanes, all(b' ')));
                let marks = _mm256_or_si256(equal(lanes, all(b'=')), equal(lanes, all(b'>')));
                let others = _mm256_or_si256(equal(lanes, all(b'/')), at_most_blank);
                bits(_mm256_or_si256(marks, others))
            }
        }

        #[inline(always)]
        fn quotes(bytes: &[u8; 64]) -> u64 {
            let [low, high] =
                thirty_twos(bytes).map(|lanes| u64::from(bits(equal(lanes, all(b'"')))));
            low | high << 32
        }
    }

    #[inline(always)]
    fn thirty_twos(bytes: &[u8; 64]) -> [__m256i; 2] {
        let (halves, _) = bytes.as_chunks::<32>();
        // SAFETY: the pointers are those of thirty-two bytes, and need not be aligned; for the instruction see above.
        [0, 1].map(|i| unsafe { _mm256_loadu_si256(halves[i].as_ptr().cast()) })
    }

    #[inline(always)]
    fn all(b: u8) -> __m256i {
        // SAFETY: see above.
        unsafe { _mm256_set1_epi8(b.cast_signed()) }
    }

    #[inline(always)]
    fn equal(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: see above.
        unsafe { _mm256_cmpeq_epi8(a, b) }
    }

    #[inline(always)]
    fn bits(lanes: __m256i) -> u32 {
        // SAFETY: see above.
        unsafe { _mm256_movemask_epi8(lanes).cast_unsigned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Byte by byte.
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
                prop_assert_eq!((BySixteens::name_ends(&window), BySixteens::quotes(&window)), expected);
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx2") {
                    prop_assert_eq!((WithAvx2::name_ends(&window), WithAvx2::quotes(&window)), expected);
                }
            }
        }
    }
}
