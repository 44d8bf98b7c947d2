//! Thirty-two blocks at once, where the processor has AVX2.
//!
//! The `unsafe` here is that of calling instructions the processor might lack: [`Avx2`] is only named by a function that is
//! compiled for them, and that one is only called where the processor has them.

use super::{Kernel, LANES, Lanes, TABLE, Table};
use std::arch::x86_64::{
    __m256i, _CMP_GT_OQ, _mm_loadu_si128, _mm256_add_epi8, _mm256_adds_epu8,
    _mm256_broadcastsi128_si256, _mm256_castps_si256, _mm256_cmp_ps, _mm256_cmpeq_epi8,
    _mm256_loadu_ps, _mm256_loadu_si256, _mm256_max_epu8, _mm256_or_si256, _mm256_packs_epi16,
    _mm256_packs_epi32, _mm256_permutevar8x32_epi32, _mm256_set1_epi8, _mm256_set1_ps,
    _mm256_setr_epi32, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_storeu_si256,
    _mm256_sub_epi8, _mm256_sub_epi32,
};

pub(super) struct Avx2;

impl Kernel for Avx2 {
    #[inline(always)]
    fn ranks(values: &[f32; LANES], borders: &[f32]) -> Lanes {
        let (values, _) = values.as_chunks::<8>();
        // SAFETY: for the instructions see above. The pointer is that of eight numbers, and need not be aligned.
        unsafe {
            let values = [0, 1, 2, 3].map(|i| _mm256_loadu_ps(values[i].as_ptr()));
            let mut below = [_mm256_setzero_si256(); 4];
            for border in borders {
                let border = _mm256_set1_ps(*border);
                for (below, value) in below.iter_mut().zip(values) {
                    // All bits are set where the value is above: that is -1.
                    let above = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_GT_OQ>(value, border));
                    *below = _mm256_sub_epi32(*below, above);
                }
            }
            // Numbers up to 255 are packed as if they had a sign, so 128 is taken from them meanwhile.
            let shift = _mm256_setr_epi32(128, 128, 128, 128, 128, 128, 128, 128);
            let [a, b, c, d] = below.map(|below| _mm256_sub_epi32(below, shift));
            let packed = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
            // Packing works on halves: groups of four bytes come in this order.
            let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
            let ranks = _mm256_permutevar8x32_epi32(packed, order);
            stored(_mm256_add_epi8(ranks, _mm256_set1_epi8(i8::MIN)))
        }
    }

    #[inline(always)]
    fn answer(leaves: Lanes, ranks: &Lanes, least: u8) -> Lanes {
        let (leaves, ranks) = (loaded(&leaves), loaded(ranks));
        // SAFETY: see above.
        unsafe {
            let most = _mm256_max_epu8(ranks, _mm256_set1_epi8(least.cast_signed()));
            // All bits are set where it holds: that is -1.
            let holds = _mm256_cmpeq_epi8(most, ranks);
            stored(_mm256_sub_epi8(_mm256_add_epi8(leaves, leaves), holds))
        }
    }

    #[inline(always)]
    fn look_up(tables: &[Table], places: &Lanes) -> [Lanes; 2] {
        let mut places = loaded(places);
        // SAFETY: for the instructions see above. The pointers are those of sixteen bytes, and need not be aligned.
        unsafe {
            let mut halves = [_mm256_setzero_si256(); 2];
            for table in tables {
                // Places beyond the table get their highest bit, of which a shuffle makes 0; the lowest four bits stay.
                let within = _mm256_adds_epu8(places, _mm256_set1_epi8(0x70));
                for (half, bytes) in halves.iter_mut().zip(table) {
                    let bytes = _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast()));
                    *half = _mm256_or_si256(*half, _mm256_shuffle_epi8(bytes, within));
                }
                places = _mm256_sub_epi8(places, _mm256_set1_epi8(TABLE as i8));
            }
            halves.map(stored)
        }
    }
}

#[inline(always)]
fn loaded(lanes: &Lanes) -> __m256i {
    // SAFETY: for the instruction see above. The pointer is that of thirty-two bytes, and need not be aligned.
    unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
}

#[inline(always)]
fn stored(register: __m256i) -> Lanes {
    let mut lanes = [0; LANES];
    // SAFETY: as in `loaded`.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), register) };
    lanes
}
