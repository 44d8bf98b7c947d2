//! The block of processors that have AVX2: thirty-two bytes, looked up by halves.
//!
//! A table of sixteen gives the classes that are possible with the low half of a byte, another those that are possible with its
//! high half, and the byte has those that both allow (as simdjson classifies: Langdale and Lemire 2019, section 3.1.1).
//!
//! The `unsafe` here is that of calling instructions the processor might lack. A [`ThirtyTwo`] is only made by functions of
//! `text` that are compiled for AVX2, and those are only called where the processor has it.

use super::blocks::{Block, Classes, Stops, last};
use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_set1_epi8, _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_srli_epi16,
};

/// Thirty-two bytes.
#[derive(Clone, Copy)]
pub(super) struct ThirtyTwo(__m256i);

/// The classes that are possible with each low half of a byte, and those that are with each high half. A class is a bit.
type Halves = [[u8; 16]; 2];

/// [`Classes`], in groups of bits.
const CLASSES: Halves = halves(&[
    (1, &[9, 0xA, 0xB, 0xC, 0xD], &[0]),
    (1 << 1, &[0], &[2]),
    (1 << 2, &[1, 2, 5, 7, 8, 9, 0xC, 0xE], &[2]),
    (1 << 3, &[0xA, 0xB, 0xF], &[3]),
    (1 << 4, &[0], &[0]),
    (1 << 5, &[2], &[0xC]),
    (1 << 6, &[1, 2, 3, 0xF], &[0xE]),
    (CONTINUATION, &ANY, &[8, 9, 0xA, 0xB]),
]);
const WHITE: u8 = 0b11;
const PUNCTUATION: u8 = 0b1100;
const UNCLEAR: u8 = 0b0111_0000;
const CONTINUATION: u8 = 1 << 7;

/// [`Stops`] other than blanks.
const STOPS: Halves = halves(&[
    (1, &ANY, &[0, 1]),
    (1 << 1, &[0xF], &[7]),
    (1 << 2, &[2], &[0xC]),
    (1 << 3, &[1, 2, 3, 0xF], &[0xE]),
]);

const ANY: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xA, 0xB, 0xC, 0xD, 0xE, 0xF];

/// From classes with the low halves and the high halves of their bytes.
const fn halves(classes: &[(u8, &[u8], &[u8])]) -> Halves {
    const fn mark(table: &mut [u8; 16], places: &[u8], class: u8) {
        let mut i = 0;
        while i < places.len() {
            table[places[i] as usize] |= class;
            i += 1;
        }
    }
    let mut halves = [[0; 16]; 2];
    let mut i = 0;
    while i < classes.len() {
        let (class, low, high) = classes[i];
        mark(&mut halves[0], low, class);
        mark(&mut halves[1], high, class);
        i += 1;
    }
    halves
}

/// A table for each sixteen lanes.
#[inline(always)]
fn table(entries: [u8; 16]) -> __m256i {
    let number = u128::from_le_bytes(entries);
    let (low, high) = (number as i64, (number >> 64) as i64);
    // SAFETY: see above.
    unsafe { _mm256_setr_epi64x(low, high, low, high) }
}

impl ThirtyTwo {
    #[inline(always)]
    fn of(chunk: &[u8; 32]) -> ThirtyTwo {
        // SAFETY: the pointer is that of thirty-two bytes, and need not be aligned; for the instruction see above.
        ThirtyTwo(unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) })
    }

    /// The classes of each byte.
    #[inline(always)]
    fn look_up(self, halves: Halves) -> ThirtyTwo {
        let [low, high] = halves.map(table);
        // SAFETY: see above.
        ThirtyTwo(unsafe {
            let half = _mm256_set1_epi8(0xF);
            let low = _mm256_shuffle_epi8(low, _mm256_and_si256(self.0, half));
            let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), half);
            _mm256_and_si256(low, _mm256_shuffle_epi8(high, upper))
        })
    }

    /// Which bytes have none of some bits.
    #[inline(always)]
    fn without(self, bits: u8) -> u32 {
        // SAFETY: see above.
        unsafe {
            let some = _mm256_and_si256(self.0, _mm256_set1_epi8(bits.cast_signed()));
            let none = _mm256_cmpeq_epi8(some, _mm256_setzero_si256());
            _mm256_movemask_epi8(none).cast_unsigned()
        }
    }
}

impl Block for ThirtyTwo {
    const LEN: usize = 32;

    #[inline(always)]
    fn load(bytes: &[u8], at: usize) -> ThirtyTwo {
        match bytes.get(at..).and_then(<[u8]>::first_chunk) {
            Some(chunk) => ThirtyTwo::of(chunk),
            None => ThirtyTwo::of(&last(bytes, at)),
        }
    }

    #[inline(always)]
    fn equal(self, b: u8) -> u32 {
        // SAFETY: see above.
        unsafe {
            let equal = _mm256_cmpeq_epi8(self.0, _mm256_set1_epi8(b.cast_signed()));
            _mm256_movemask_epi8(equal).cast_unsigned()
        }
    }

    #[inline(always)]
    fn classes(self) -> Classes {
        let classes = self.look_up(CLASSES);
        Classes {
            white: !classes.without(WHITE),
            punctuation: !classes.without(PUNCTUATION),
            continuation: !classes.without(CONTINUATION),
            unclear: !classes.without(UNCLEAR),
        }
    }

    #[inline(always)]
    fn stops(self) -> Stops {
        Stops { blank: self.equal(b' '), other: !self.look_up(STOPS).without(u8::MAX) }
    }

    #[inline(always)]
    fn ones(bits: [u32; 3]) -> [u32; 3] {
        bits.map(u32::count_ones)
    }
}
