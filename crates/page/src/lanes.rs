//! Sixteen bytes at a time.
//!
//! SSE2 on x86-64, plain loops elsewhere; what both must do is said by the tests. The `unsafe` here is that of calling
//! instructions the processor might lack, and SSE2 is part of every x86-64. No pointer is made: the lanes are loaded
//! as an integer.

#[cfg(target_arch = "x86_64")]
mod imp {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x,
        _mm_set1_epi8, _mm_sub_epi8,
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
    }
}

pub(crate) use imp::Lanes;

/// The sixteen bytes at `at`, if so many are left.
#[inline(always)]
pub(crate) fn sixteen(input: &[u8], at: usize) -> Option<Lanes> {
    input.get(at..).and_then(<[u8]>::first_chunk::<16>).map(Lanes::load)
}

/// The bits of the first `n` lanes.
#[inline(always)]
pub(crate) fn first_lanes(n: usize) -> u32 {
    if n >= 16 { 0xFFFF } else { (1 << n) - 1 }
}

/// Position of the first `b` at or after `from`. What is near is found without a call.
#[inline]
pub(crate) fn find(input: &[u8], from: usize, b: u8) -> Option<usize> {
    let mut at = from;
    for _ in 0..2 {
        let Some(lanes) = sixteen(input, at) else {
            break;
        };
        let bits = lanes.equal(b).bits();
        if bits != 0 {
            return Some(at + bits.trailing_zeros() as usize);
        }
        at += 16;
    }
    memchr::memchr(b, &input[at..]).map(|found| at + found)
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
            assert_eq!(lanes.equal(b'y').or(lanes.equal(b'x')).bits() & 1, 1);
        }
    }

    #[test]
    fn the_first_of_many_is_found_wherever_it_stands() {
        for len in 0..70 {
            for place in 0..len {
                let mut bytes = vec![b'.'; len];
                bytes[place] = b'<';
                bytes[len - 1] = b'<';
                for from in 0..=place {
                    assert_eq!(find(&bytes, from, b'<'), Some(place));
                }
            }
            assert_eq!(find(&vec![b'.'; len], 0, b'<'), None);
        }
    }
}
