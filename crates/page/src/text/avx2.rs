//! Classifies thirty-two bytes of text at once, by AVX2.
//!
//! Classes are looked up by halves of bytes. One table of sixteen holds the classes that each low
//! half of a byte allows. Another holds the classes that each high half allows. A byte has the
//! classes that both allow (as simdjson classifies: Langdale and Lemire, "Parsing gigabytes of JSON
//! per second", 2019, section 3.1.1).
//!
//! The code is `unsafe` because it calls instructions that the processor might lack. A [`Bytes32`]
//! can only be loaded with an [`Avx2`], which exists only on a processor that has them.

use super::register::{Classes, Register, StopBits, padded};
use crate::simd::Avx2;
use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_set1_epi8, _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_srli_epi16,
};

/// Thirty-two bytes, and the proof that the processor has AVX2.
#[derive(Clone, Copy)]
pub(super) struct Bytes32(__m256i, Avx2);

/// The classes that are possible with each low half of a byte, and with each high half. A class is
/// a bit.
type ClassTables = [[u8; 16]; 2];

/// The tables of [`Classes`]. Each of these is several bits: a byte is in the class if it has any
/// of them.
const CLASSES: ClassTables = class_tables(&[
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

/// The tables of [`StopBits`] other than blanks.
const STOPS: ClassTables = class_tables(&[
    (1, &ANY, &[0, 1]),
    (1 << 1, &[0xF], &[7]),
    (1 << 2, &[2], &[0xC]),
    (1 << 3, &[1, 2, 3, 0xF], &[0xE]),
]);

const ANY: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xA, 0xB, 0xC, 0xD, 0xE, 0xF];

/// Returns the tables for classes. Each class is a bit, the low halves of its bytes and their high
/// halves.
const fn class_tables(classes: &[(u8, &[u8], &[u8])]) -> ClassTables {
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

/// Returns a table of sixteen bytes twice: a shuffle looks up each half of a register on its own.
#[inline(always)]
fn doubled_table(_: Avx2, entries: [u8; 16]) -> __m256i {
    let number = u128::from_le_bytes(entries);
    let (low, high) = (number as i64, (number >> 64) as i64);
    // SAFETY: an `Avx2` exists only where the processor has AVX2.
    unsafe { _mm256_setr_epi64x(low, high, low, high) }
}

impl Bytes32 {
    #[inline(always)]
    fn load(avx2: Avx2, chunk: &[u8; 32]) -> Bytes32 {
        // SAFETY: an `Avx2` exists only where the processor has AVX2. The pointer is to thirty-two
        // readable bytes, and the load needs no alignment.
        Bytes32(unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) }, avx2)
    }

    /// Returns the classes of each byte.
    #[inline(always)]
    fn look_up(self, halves: ClassTables) -> Bytes32 {
        let Bytes32(bytes, avx2) = self;
        let [low, high] = halves.map(|half| doubled_table(avx2, half));
        // SAFETY: an `Avx2` exists only where the processor has AVX2.
        let classes = unsafe {
            let half = _mm256_set1_epi8(0xF);
            let low = _mm256_shuffle_epi8(low, _mm256_and_si256(bytes, half));
            let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), half);
            _mm256_and_si256(low, _mm256_shuffle_epi8(high, upper))
        };
        Bytes32(classes, avx2)
    }

    /// Returns which bytes have none of these bits.
    #[inline(always)]
    fn without(self, bits: u8) -> u32 {
        // SAFETY: a `Bytes32` holds an `Avx2`, which exists only where the processor has AVX2.
        unsafe {
            let selected = _mm256_and_si256(self.0, _mm256_set1_epi8(bits.cast_signed()));
            let none = _mm256_cmpeq_epi8(selected, _mm256_setzero_si256());
            _mm256_movemask_epi8(none).cast_unsigned()
        }
    }
}

impl Register for Bytes32 {
    const LEN: usize = 32;

    type Proof = Avx2;

    #[inline(always)]
    fn load_at(avx2: Avx2, bytes: &[u8], offset: usize) -> Bytes32 {
        match bytes.get(offset..).and_then(<[u8]>::first_chunk) {
            Some(chunk) => Bytes32::load(avx2, chunk),
            None => Bytes32::load(avx2, &padded(bytes, offset)),
        }
    }

    #[inline(always)]
    fn equal_bits(self, b: u8) -> u32 {
        // SAFETY: a `Bytes32` holds an `Avx2`, which exists only where the processor has AVX2.
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
    fn stops(self) -> StopBits {
        StopBits { blank: self.equal_bits(b' '), other: !self.look_up(STOPS).without(u8::MAX) }
    }

    #[inline(always)]
    fn count_ones(answers: [u32; 3]) -> [u32; 3] {
        answers.map(u32::count_ones)
    }
}
