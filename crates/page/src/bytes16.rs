//! Compares sixteen bytes at a time.
//!
//! It uses SSE2 on x86-64; elsewhere, and with the feature `portable`, two words of eight bytes.
//! The tests compare both with one definition. The `unsafe` blocks call SSE2 instructions, which
//! every x86-64 has. They read no pointer: the bytes are loaded as an integer.
//! [`ByteSource`](crate::byte_source::ByteSource) decides where sixteen bytes may be read.

#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod imp {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_cvtsi128_si64, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128,
        _mm_set_epi64x, _mm_set1_epi8, _mm_sub_epi8,
    };

    /// Sixteen bytes. A comparison returns sixteen more: 0xFF where it holds, 0 where it does not.
    #[derive(Clone, Copy)]
    pub(crate) struct Bytes16(__m128i);

    impl Bytes16 {
        #[inline(always)]
        pub(crate) fn load(bytes: &[u8; 16]) -> Bytes16 {
            let number = u128::from_le_bytes(*bytes);
            // SAFETY: this instruction needs only SSE2, which every x86-64 has.
            Bytes16(unsafe { _mm_set_epi64x((number >> 64) as i64, number as i64) })
        }

        /// Marks the bytes that equal `b`.
        #[inline(always)]
        pub(crate) fn equal(self, b: u8) -> Bytes16 {
            // SAFETY: these instructions need only SSE2, which every x86-64 has.
            Bytes16(unsafe { _mm_cmpeq_epi8(self.0, _mm_set1_epi8(b.cast_signed())) })
        }

        /// Marks the bytes from `first` to `last`, both included.
        #[inline(always)]
        pub(crate) fn mark_range(self, first: u8, last: u8) -> Bytes16 {
            // SAFETY: these instructions need only SSE2, which every x86-64 has.
            let from_first = unsafe { _mm_sub_epi8(self.0, _mm_set1_epi8(first.cast_signed())) };
            Bytes16(from_first).at_most(last - first)
        }

        /// Marks the bytes that are `b` or less.
        #[inline(always)]
        pub(crate) fn at_most(self, b: u8) -> Bytes16 {
            // SAFETY: these instructions need only SSE2, which every x86-64 has.
            Bytes16(unsafe {
                _mm_cmpeq_epi8(_mm_min_epu8(self.0, _mm_set1_epi8(b.cast_signed())), self.0)
            })
        }

        /// Marks the bytes where at least one of two comparisons holds.
        #[inline(always)]
        pub(crate) fn or(self, other: Bytes16) -> Bytes16 {
            // SAFETY: this instruction needs only SSE2, which every x86-64 has.
            Bytes16(unsafe { _mm_or_si128(self.0, other.0) })
        }

        /// Returns the high bit of byte `i` as bit `i`. For a comparison the bit is set where it
        /// holds; for text it is set where the byte is not ASCII.
        #[inline(always)]
        pub(crate) fn bits(self) -> u32 {
            // SAFETY: this instruction needs only SSE2, which every x86-64 has.
            unsafe { _mm_movemask_epi8(self.0).cast_unsigned() }
        }

        /// Returns the first eight bytes as a little-endian number.
        #[inline(always)]
        pub(crate) fn first_eight(self) -> u64 {
            // SAFETY: this instruction needs only SSE2, which every x86-64 has.
            unsafe { _mm_cvtsi128_si64(self.0).cast_unsigned() }
        }
    }
}

#[cfg(any(not(target_arch = "x86_64"), feature = "portable"))]
mod imp {
    /// Sixteen bytes, or the result of a comparison of sixteen bytes. Only the high bit of each
    /// byte of a result is defined: it is set where the comparison holds.
    #[derive(Clone, Copy)]
    pub(crate) struct Bytes16([u64; 2]);

    /// The high bit of each byte of a word.
    const HIGH: u64 = repeat(0x80);

    /// Returns a word of eight equal bytes.
    const fn repeat(b: u8) -> u64 {
        u64::from_ne_bytes([b; 8])
    }

    // In each sum and difference below, one side has all high bits set and the other has all high
    // bits clear. So no byte carries into the next.
    impl Bytes16 {
        #[inline(always)]
        pub(crate) fn load(bytes: &[u8; 16]) -> Bytes16 {
            let number = u128::from_le_bytes(*bytes);
            Bytes16([number as u64, (number >> 64) as u64])
        }

        /// Marks the bytes that equal `b`.
        #[inline(always)]
        pub(crate) fn equal(self, b: u8) -> Bytes16 {
            Bytes16(self.0.map(|word| {
                let differences = word ^ repeat(b);
                !(((differences & !HIGH) + !HIGH) | differences)
            }))
        }

        /// Marks the bytes from `first` to `last`, both included.
        #[inline(always)]
        pub(crate) fn mark_range(self, first: u8, last: u8) -> Bytes16 {
            let (Bytes16(least), Bytes16(most)) = (self.at_least(first), self.at_most(last));
            Bytes16([least[0] & most[0], least[1] & most[1]])
        }

        /// Marks the bytes that are `b` or more.
        #[inline(always)]
        fn at_least(self, b: u8) -> Bytes16 {
            Bytes16(self.0.map(|word| {
                // This compares the low seven bits. If the high bits differ, they decide.
                let at_least = (word | HIGH) - repeat(b & 0x7F);
                if b < 0x80 { at_least | word } else { at_least & word }
            }))
        }

        /// Marks the bytes that are `b` or less.
        #[inline(always)]
        pub(crate) fn at_most(self, b: u8) -> Bytes16 {
            Bytes16(self.0.map(|word| {
                let at_most = repeat(b | 0x80) - (word & !HIGH);
                if b < 0x80 { at_most & !word } else { at_most | !word }
            }))
        }

        /// Marks the bytes where at least one of two comparisons holds.
        #[inline(always)]
        pub(crate) fn or(self, other: Bytes16) -> Bytes16 {
            Bytes16([self.0[0] | other.0[0], self.0[1] | other.0[1]])
        }

        /// Returns the high bit of byte `i` as bit `i`. For a comparison the bit is set where it
        /// holds; for text it is set where the byte is not ASCII.
        #[inline(always)]
        pub(crate) fn bits(self) -> u32 {
            // The factor moves the lowest bit of byte `i` to bit `56 + i`. No two bits meet at a
            // lower place, so no carry reaches these eight bits.
            let [low, high] =
                self.0.map(|word| ((word & HIGH) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56);
            (low | high << 8) as u32
        }

        /// Returns the first eight bytes as a little-endian number.
        #[inline(always)]
        pub(crate) fn first_eight(self) -> u64 {
            self.0[0]
        }
    }
}

pub(crate) use imp::Bytes16;

impl Bytes16 {
    /// Marks the bytes that are ASCII white space: blank, tab, line feed, vertical tab, form feed,
    /// carriage return.
    #[inline(always)]
    pub(crate) fn white(self) -> Bytes16 {
        self.equal(b' ').or(self.mark_range(b'\t', b'\r'))
    }

    /// Returns a bit for each of sixty-four bytes: whether it equals `b`.
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
            for (first, last) in [
                (0, 0x1F),
                (9, 13),
                (b'!', b'"'),
                (0x7F, 0x80),
                (0x80, 0xBF),
                (0xE1, 0xE3),
                (0xEF, 0xFF),
            ] {
                let is_between = loaded.mark_range(first, last).bits() >> 3 & 1 == 1;
                assert_eq!(is_between, (first..=last).contains(&b), "{b} {first} {last}");
                assert_eq!(loaded.at_most(last).bits() >> 3 & 1 == 1, b <= last, "{b} {last}");
            }
            assert_eq!(loaded.white().bits(), u32::from(matches!(b, 9..=13 | b' ')) << 3, "{b}");
            assert_eq!(loaded.equal(b'y').or(loaded.equal(b'x')).bits() & 1, 1);
            assert_eq!(loaded.first_eight().to_le_bytes(), bytes[..8], "{b}");
        }
    }
}
