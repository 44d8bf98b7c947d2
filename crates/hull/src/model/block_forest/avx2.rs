//! Judges 32 blocks at once on processors with AVX2.
//!
//! [`Avx2`] is a token: it can be created only if the processor has the instructions, and every
//! routine here takes one.

use super::kernel::{Kernel, Lanes, LeafTable, TABLE};
use crate::columns::LANES;
use std::arch::x86_64::{
    __m256i, _CMP_GT_OQ, _mm_loadu_si128, _mm256_add_epi8, _mm256_adds_epu8,
    _mm256_broadcastsi128_si256, _mm256_castps_si256, _mm256_cmp_ps, _mm256_cmpeq_epi8,
    _mm256_loadu_ps, _mm256_loadu_si256, _mm256_max_epu8, _mm256_or_si256, _mm256_packs_epi16,
    _mm256_packs_epi32, _mm256_permutevar8x32_epi32, _mm256_set1_epi8, _mm256_set1_ps,
    _mm256_setr_epi32, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_storeu_si256,
    _mm256_sub_epi8, _mm256_sub_epi32,
};

/// Proof that the processor has AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    /// Returns a token if the processor has AVX2. The standard library caches the processor's
    /// answer.
    #[inline]
    pub(super) fn new() -> Option<Avx2> {
        is_x86_feature_detected!("avx2").then_some(Avx2(()))
    }
}

impl Kernel for Avx2 {
    #[inline(always)]
    fn ranks(self, values: &[f32; LANES], borders: &[f32]) -> Lanes {
        let (values, _) = values.as_chunks::<8>();
        // SAFETY: the token proves that the processor has the instructions. Each load reads the
        // eight numbers of an array of eight, and needs no alignment.
        unsafe {
            let values = [0, 1, 2, 3].map(|i| _mm256_loadu_ps(values[i].as_ptr()));
            let mut borders_below = [_mm256_setzero_si256(); 4];
            for border in borders {
                let border = _mm256_set1_ps(*border);
                for (count, value) in borders_below.iter_mut().zip(values) {
                    // All bits are set if the value is above the border: as an integer that is -1.
                    let is_above = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_GT_OQ>(value, border));
                    *count = _mm256_sub_epi32(*count, is_above);
                }
            }
            // The packing instructions take signed numbers, so 0 to 255 is shifted to -128 to 127
            // for them.
            let shift = _mm256_setr_epi32(128, 128, 128, 128, 128, 128, 128, 128);
            let [a, b, c, d] = borders_below.map(|count| _mm256_sub_epi32(count, shift));
            let packed = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
            // The packing instructions work on halves of a register. This order restores the
            // sequence of the groups of four bytes.
            let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
            let ranks = _mm256_permutevar8x32_epi32(packed, order);
            self.store(_mm256_add_epi8(ranks, _mm256_set1_epi8(i8::MIN)))
        }
    }

    #[inline(always)]
    fn append_split_bit(self, leaves: Lanes, ranks: &Lanes, least: u8) -> Lanes {
        let (leaves, ranks) = (self.load(&leaves), self.load(ranks));
        // SAFETY: the token proves that the processor has the instructions. They do not read
        // memory.
        unsafe {
            let max_rank = _mm256_max_epu8(ranks, _mm256_set1_epi8(least.cast_signed()));
            // All bits are set if the rank is at least `least`: as an integer that is -1.
            let holds = _mm256_cmpeq_epi8(max_rank, ranks);
            self.store(_mm256_sub_epi8(_mm256_add_epi8(leaves, leaves), holds))
        }
    }

    #[inline(always)]
    fn look_up(self, tables: &[LeafTable], places: &Lanes) -> [Lanes; 2] {
        let mut places = self.load(places);
        // SAFETY: the token proves that the processor has the instructions. Each load reads the
        // sixteen bytes of half a table, and needs no alignment.
        unsafe {
            let mut halves = [_mm256_setzero_si256(); 2];
            for table in tables {
                // The addition sets the highest bit of places after the end of the table, for which
                // the shuffle gives 0. The lowest four bits do not change.
                let indices = _mm256_adds_epu8(places, _mm256_set1_epi8(0x70));
                for (half, bytes) in halves.iter_mut().zip(table) {
                    let bytes = _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast()));
                    *half = _mm256_or_si256(*half, _mm256_shuffle_epi8(bytes, indices));
                }
                places = _mm256_sub_epi8(places, _mm256_set1_epi8(TABLE as i8));
            }
            halves.map(|half| self.store(half))
        }
    }
}

#[expect(clippy::unused_self, reason = "the witness proves that the instructions are there")]
impl Avx2 {
    #[inline(always)]
    fn load(self, lanes: &Lanes) -> __m256i {
        // SAFETY: the token proves that the processor has the instruction. It reads 32 bytes, the
        // length of `lanes`, and needs no alignment.
        unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, register: __m256i) -> Lanes {
        let mut lanes = [0; LANES];
        // SAFETY: the token proves that the processor has the instruction. It writes 32 bytes, the
        // length of `lanes`, and needs no alignment.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), register) };
        lanes
    }
}
