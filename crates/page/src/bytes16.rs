//! Sixteen bytes at a time.
//!
//! SSE2 on x86-64, plain loops elsewhere; the tests hold both to one definition. The `unsafe` blocks call instructions that a
//! processor might lack in general, but SSE2 is part of every x86-64. No pointer is read: the bytes are loaded as an
//! integer. [`Source`](crate::source::Source) decides where sixteen bytes may be read.

#[cfg(target_arch = "x86_64")]
mod imp {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_cvtsi128_si64, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128,
        _mm_set_epi64x, _mm_set1_epi8, _mm_sub_epi8,
    };

    /// Sixteen bytes. A comparison gives sixteen more: 0xFF where it holds, 0 where it does not.
    #[derive(Clone, Copy)]
    pub(crate) struct Bytes16(__m128i);

    impl Bytes16 {
        #[inline(always)]
        pub(crate) fn load(bytes: &[u8; 16]) -> Bytes16 {
            let number = u128::from_le_bytes(*bytes);
            // SAFETY: every x86-64 has SSE2, which is all that these need.
            Bytes16(unsafe { _mm_set_epi64x((number >> 64) as i64, number as i64) })
        }

        /// Which bytes are `b`.
        #[inline(always)]
        pub(crate) fn equal(self, b: u8) -> Bytes16 {
            // SAFETY: every x86-64 has SSE2, which is all that these need.
            Bytes16(unsafe { _mm_cmpeq_epi8(self.0, _mm_set1_epi8(b.cast_signed())) })
        }

        /// Which bytes are from `first` to `last`.
        #[inline(always)]
        pub(crate) fn between(self, first: u8, last: u8) -> Bytes16 {
            // SAFETY: every x86-64 has SSE2, which is all that these need.
            let from_first = unsafe { _mm_sub_epi8(self.0, _mm_set1_epi8(first.cast_signed())) };
            Bytes16(from_first).at_most(last - first)
        }

        /// Which bytes are `b` or less.
        #[inline(always)]
        pub(crate) fn at_most(self, b: u8) -> Bytes16 {
            // SAFETY: every x86-64 has SSE2, which is all that these need.
            Bytes16(unsafe {
                _mm_cmpeq_epi8(_mm_min_epu8(self.0, _mm_set1_epi8(b.cast_signed())), self.0)
            })
        }

        /// Where either of two comparisons holds.
        #[inline(always)]
        pub(crate) fn or(self, other: Bytes16) -> Bytes16 {
            // SAFETY: every x86-64 has SSE2, which is all that these need.
            Bytes16(unsafe { _mm_or_si128(self.0, other.0) })
        }

        /// Bit `i` is the high bit of byte `i`: whether a comparison holds there, or whether the byte is not ASCII.
        #[inline(always)]
        pub(crate) fn bits(self) -> u32 {
            // SAFETY: every x86-64 has SSE2, which is all that these need.
            unsafe { _mm_movemask_epi8(self.0).cast_unsigned() }
        }

        /// The first eight bytes as a little-endian number.
        #[inline(always)]
        pub(crate) fn first_eight(self) -> u64 {
            // SAFETY: every x86-64 has SSE2, which is all that these need.
            unsafe { _mm_cvtsi128_si64(self.0).cast_unsigned() }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod imp {
    /// Sixteen bytes. A comparison gives sixteen more: 0xFF where it holds, 0 where it does not.
    #[derive(Clone, Copy)]
    pub(crate) struct Bytes16([u8; 16]);

    impl Bytes16 {
        #[inline(always)]
        pub(crate) fn load(bytes: &[u8; 16]) -> Bytes16 {
            Bytes16(*bytes)
        }

        /// Which bytes are `b`.
        #[inline(always)]
        pub(crate) fn equal(self, b: u8) -> Bytes16 {
            Bytes16(self.0.map(|byte| if byte == b { 0xFF } else { 0 }))
        }

        /// Which bytes are from `first` to `last`.
        #[inline(always)]
        pub(crate) fn between(self, first: u8, last: u8) -> Bytes16 {
            Bytes16(self.0.map(|byte| if (first..=last).contains(&byte) { 0xFF } else { 0 }))
        }

        /// Which bytes are `b` or less.
        #[inline(always)]
        pub(crate) fn at_most(self, b: u8) -> Bytes16 {
            self.between(0, b)
        }

        /// Where either of two comparisons holds.
        #[inline(always)]
        pub(crate) fn or(mut self, other: Bytes16) -> Bytes16 {
            self.0.iter_mut().zip(other.0).for_each(|(byte, other)| *byte |= other);
            self
        }

        /// Bit `i` is the high bit of byte `i`: whether a comparison holds there, or whether the byte is not ASCII.
        #[inline(always)]
        pub(crate) fn bits(self) -> u32 {
            self.0.iter().rev().fold(0, |bits, byte| bits << 1 | u32::from(byte >> 7))
        }

        /// The first eight bytes as a little-endian number.
        #[inline(always)]
        pub(crate) fn first_eight(self) -> u64 {
            self.0.iter().take(8).rev().fold(0, |eight, byte| eight << 8 | u64::from(*byte))
        }
    }
}

pub(crate) use imp::Bytes16;

impl Bytes16 {
    /// Which bytes are ASCII white space: blank, tab, line feed, vertical tab, form feed, carriage return.
    #[inline(always)]
    pub(crate) fn white(self) -> Bytes16 {
        self.equal(b' ').or(self.between(b'\t', b'\r'))
    }

    /// Which of sixty-four bytes are `b`, as bits.
    #[inline(always)]
    pub(crate) fn equal_in_64(bytes: &[u8; 64], b: u8) -> u64 {
        let (sixteens, _) = bytes.as_chunks();
        let bits = |i: usize| u64::from(Bytes16::load(&sixteens[i]).equal(b).bits()) << (16 * i);
        bits(0) | bits(1) | (bits(2) | bits(3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_hold_where_they_say_for_every_byte() {
        for b in 0..=255_u8 {
            let mut bytes = [b'x'; 16];
            bytes[3] = b;
            let loaded = Bytes16::load(&bytes);
            assert_eq!(loaded.equal(b).bits() >> 3 & 1, 1);
            assert_eq!(loaded.bits() >> 3 & 1 == 1, b >= 0x80);
            assert_eq!(loaded.between(9, 13).bits() >> 3 & 1 == 1, (9..=13).contains(&b), "{b}");
            assert_eq!(loaded.at_most(b' ').bits() >> 3 & 1 == 1, b <= b' ', "{b}");
            assert_eq!(loaded.white().bits(), u32::from(matches!(b, 9..=13 | b' ')) << 3, "{b}");
            assert_eq!(loaded.equal(b'y').or(loaded.equal(b'x')).bits() & 1, 1);
            assert_eq!(loaded.first_eight().to_le_bytes(), bytes[..8], "{b}");
        }
    }
}
