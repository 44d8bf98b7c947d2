//! Sixteen bytes at a time.
//!
//! SSE2 on x86-64, plain loops elsewhere; what both must do is said by the tests. The `unsafe` here is that of calling
//! instructions the processor might lack, and SSE2 is part of every x86-64. No pointer is made: the lanes are loaded
//! as an integer. Where they come from is the business of [`Source`](crate::source::Source).

#[cfg(target_arch = "x86_64")]
mod imp {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_cvtsi128_si64, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128,
        _mm_set_epi64x, _mm_set1_epi8, _mm_sub_epi8,
    };

    /// Sixteen bytes, or sixteen answers.
    #[derive(Clone, Copy)]
    pub(crate) struct Lanes(__m128i);

    impl Lanes {
        #[inline(always)]
        pub(crate) fn load(bytes: &[u8; 16]) -> Lanes {
            let number = u128::from_le_bytes(*bytes);
            // SAFETY: every x86-64 has SSE2.
            Lanes(unsafe { _mm_set_epi64x((number >> 64) as i64, number as i64) })
        }

        /// Which bytes are `b`.
        #[inline(always)]
        pub(crate) fn equal(self, b: u8) -> Lanes {
            // SAFETY: every x86-64 has SSE2.
            Lanes(unsafe { _mm_cmpeq_epi8(self.0, _mm_set1_epi8(b.cast_signed())) })
        }

        /// Which bytes are from `first` to `last`.
        #[inline(always)]
        pub(crate) fn between(self, first: u8, last: u8) -> Lanes {
            // SAFETY: every x86-64 has SSE2.
            let from_first = unsafe { _mm_sub_epi8(self.0, _mm_set1_epi8(first.cast_signed())) };
            Lanes(from_first).at_most(last - first)
        }

        /// Which bytes are `b` or less.
        #[inline(always)]
        pub(crate) fn at_most(self, b: u8) -> Lanes {
            // SAFETY: every x86-64 has SSE2.
            Lanes(unsafe {
                _mm_cmpeq_epi8(_mm_min_epu8(self.0, _mm_set1_epi8(b.cast_signed())), self.0)
            })
        }

        /// Either answer.
        #[inline(always)]
        pub(crate) fn or(self, other: Lanes) -> Lanes {
            // SAFETY: every x86-64 has SSE2.
            Lanes(unsafe { _mm_or_si128(self.0, other.0) })
        }

        /// Bit `i` is the high bit of lane `i`.
        #[inline(always)]
        pub(crate) fn bits(self) -> u32 {
            // SAFETY: every x86-64 has SSE2.
            unsafe { _mm_movemask_epi8(self.0).cast_unsigned() }
        }

        /// The first eight bytes, the first of them lowest.
        #[inline(always)]
        pub(crate) fn first_eight(self) -> u64 {
            // SAFETY: every x86-64 has SSE2.
            unsafe { _mm_cvtsi128_si64(self.0).cast_unsigned() }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod imp {
    /// Sixteen bytes, or sixteen answers.
    #[derive(Clone, Copy)]
    pub(crate) struct Lanes([u8; 16]);

    impl Lanes {
        #[inline(always)]
        pub(crate) fn load(bytes: &[u8; 16]) -> Lanes {
            Lanes(*bytes)
        }

        /// Which bytes are `b`.
        #[inline(always)]
        pub(crate) fn equal(self, b: u8) -> Lanes {
            Lanes(self.0.map(|lane| if lane == b { 0xFF } else { 0 }))
        }

        /// Which bytes are from `first` to `last`.
        #[inline(always)]
        pub(crate) fn between(self, first: u8, last: u8) -> Lanes {
            Lanes(self.0.map(|lane| if (first..=last).contains(&lane) { 0xFF } else { 0 }))
        }

        /// Which bytes are `b` or less.
        #[inline(always)]
        pub(crate) fn at_most(self, b: u8) -> Lanes {
            self.between(0, b)
        }

        /// Either answer.
        #[inline(always)]
        pub(crate) fn or(mut self, other: Lanes) -> Lanes {
            self.0.iter_mut().zip(other.0).for_each(|(lane, other)| *lane |= other);
            self
        }

        /// Bit `i` is the high bit of lane `i`.
        #[inline(always)]
        pub(crate) fn bits(self) -> u32 {
            self.0.iter().rev().fold(0, |bits, lane| bits << 1 | u32::from(lane >> 7))
        }

        /// The first eight bytes, the first of them lowest.
        #[inline(always)]
        pub(crate) fn first_eight(self) -> u64 {
            self.0.iter().take(8).rev().fold(0, |eight, lane| eight << 8 | u64::from(*lane))
        }
    }
}

pub(crate) use imp::Lanes;

impl Lanes {
    /// Which bytes are white space of text: blank, tab, line feed, vertical tab, form feed, carriage return.
    #[inline(always)]
    pub(crate) fn white(self) -> Lanes {
        self.equal(b' ').or(self.between(b'\t', b'\r'))
    }

    /// Which of sixty-four bytes are `b`. Bit `i` is that of byte `i`.
    #[inline(always)]
    pub(crate) fn equal_of_sixty_four(bytes: &[u8; 64], b: u8) -> u64 {
        let (lanes, _) = bytes.as_chunks();
        let bits = |i: usize| u64::from(Lanes::load(&lanes[i]).equal(b).bits()) << (16 * i);
        bits(0) | bits(1) | (bits(2) | bits(3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_answer_for_every_byte() {
        for b in 0..=255_u8 {
            let mut bytes = [b'x'; 16];
            bytes[3] = b;
            let lanes = Lanes::load(&bytes);
            assert_eq!(lanes.equal(b).bits() >> 3 & 1, 1);
            assert_eq!(lanes.bits() >> 3 & 1 == 1, b >= 0x80);
            assert_eq!(lanes.between(9, 13).bits() >> 3 & 1 == 1, (9..=13).contains(&b), "{b}");
            assert_eq!(lanes.at_most(b' ').bits() >> 3 & 1 == 1, b <= b' ', "{b}");
            assert_eq!(lanes.white().bits(), u32::from(matches!(b, 9..=13 | b' ')) << 3, "{b}");
            assert_eq!(lanes.equal(b'y').or(lanes.equal(b'x')).bits() & 1, 1);
            assert_eq!(lanes.first_eight().to_le_bytes(), bytes[..8], "{b}");
        }
    }
}
