//! Computes the minimum of each hash function over the shingles of a row.

use super::avx2::Avx2;

/// Hash functions in one AVX2 register.
const LANES: usize = 8;

/// Hash functions `x -> multiplier * x + offset` modulo 2^32. Multipliers are odd, so each function
/// is a permutation.
#[derive(Clone, Copy)]
struct Functions {
    multipliers: [u32; LANES],
    offsets: [u32; LANES],
}

impl Functions {
    /// Returns the minimum of each function over these shingles.
    fn minima(&self, shingles: &[u32]) -> [u32; LANES] {
        let mut minimum = [u32::MAX; LANES];
        for shingle in shingles {
            let functions = self.multipliers.iter().zip(&self.offsets);
            for (minimum, (multiplier, offset)) in minimum.iter_mut().zip(functions) {
                let value = shingle.wrapping_mul(*multiplier).wrapping_add(*offset);
                *minimum = value.min(*minimum);
            }
        }
        minimum
    }
}

/// The hash functions of a signature.
pub(super) struct Minima {
    functions: Box<[Functions]>,
    /// Number of functions.
    values: usize,
    avx2: Option<Avx2>,
}

/// Returns the next number of `SplitMix64` (Steele, Lea, Flood, "Fast splittable pseudorandom
/// number generators", 2014).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Minima {
    /// Creates `values` hash functions from a seed.
    pub(super) fn new(values: usize, seed: u32) -> Minima {
        let mut state = u64::from(seed);
        let mut functions = || {
            let (mut multipliers, mut offsets) = ([0; LANES], [0; LANES]);
            for lane in 0..LANES {
                let random = next(&mut state);
                multipliers[lane] = (random >> 32) as u32 | 1;
                offsets[lane] = random as u32;
            }
            Functions { multipliers, offsets }
        };
        let functions = (0..values.div_ceil(LANES)).map(|_| functions()).collect();
        Minima { functions, values, avx2: Avx2::new() }
    }

    /// Replaces the contents of `minima` with the minimum of each function over these shingles.
    pub(super) fn fill(&self, shingles: &[u32], minima: &mut Vec<u32>) {
        minima.clear();
        match self.avx2 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: an `Avx2` exists only where the processor has AVX2.
            Some(avx2) => unsafe { self.find_with_avx2(avx2, shingles, minima) },
            _ => self.find_portably(shingles, minima),
        }
        minima.truncate(self.values);
    }

    fn find_portably(&self, shingles: &[u32], minima: &mut Vec<u32>) {
        for functions in &self.functions {
            minima.extend_from_slice(&functions.minima(shingles));
        }
    }
}

/// The same computation with AVX2 instructions. The compiler alone would put the loop over shingles
/// innermost and keep the minima in memory.
#[cfg(target_arch = "x86_64")]
mod with_avx2 {
    use super::{Avx2, Functions, LANES, Minima};
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_min_epu32, _mm256_mullo_epi32, _mm256_set1_epi32,
    };

    /// Registers of functions that are computed side by side. The loop uses three times as many, of
    /// sixteen registers.
    const PARALLEL_REGISTERS: usize = 4;

    impl Minima {
        #[target_feature(enable = "avx2")]
        pub(super) fn find_with_avx2(&self, _: Avx2, shingles: &[u32], minima: &mut Vec<u32>) {
            let (fours, rest) = self.functions.as_chunks::<PARALLEL_REGISTERS>();
            for four in fours {
                extend(four, shingles, minima);
            }
            match rest {
                [] => {}
                [one] => extend(&[*one], shingles, minima),
                [one, two] => extend(&[*one, *two], shingles, minima),
                [one, two, three, ..] => extend(&[*one, *two, *three], shingles, minima),
            }
        }
    }

    /// Appends the minimum of each function over these shingles.
    #[target_feature(enable = "avx2")]
    fn extend<const N: usize>(functions: &[Functions; N], shingles: &[u32], least: &mut Vec<u32>) {
        let multipliers = functions.map(|function| register(function.multipliers));
        let offsets = functions.map(|function| register(function.offsets));
        let mut minima = [register([u32::MAX; LANES]); N];
        for shingle in shingles {
            let shingle = _mm256_set1_epi32(shingle.cast_signed());
            for index in 0..N {
                let value = _mm256_mullo_epi32(shingle, multipliers[index]);
                minima[index] =
                    _mm256_min_epu32(minima[index], _mm256_add_epi32(value, offsets[index]));
            }
        }
        for register in minima {
            // SAFETY: both types have 32 bytes, and every bit pattern is valid.
            let lanes = unsafe { std::mem::transmute::<__m256i, [u32; LANES]>(register) };
            least.extend_from_slice(&lanes);
        }
    }

    fn register(lanes: [u32; LANES]) -> __m256i {
        // SAFETY: both types have 32 bytes, and every bit pattern is valid.
        unsafe { std::mem::transmute::<[u32; LANES], __m256i>(lanes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_give_the_least_value_of_every_function() {
        let mut state = 7;
        for (values, shingles) in [(1, 1), (15, 9), (20, 2), (112, 1000), (117, 3), (9000, 40)] {
            let minima = Minima::new(values, 1);
            let shingles: Vec<_> = (0..shingles).map(|_| next(&mut state) as u32).collect();
            let (mut found, mut portable) = (Vec::new(), Vec::new());
            minima.fill(&shingles, &mut found);
            minima.find_portably(&shingles, &mut portable);
            assert_eq!(found, portable[..values]);
            let last = minima.functions[(values - 1) / LANES];
            let lane = (values - 1) % LANES;
            let naive = shingles.iter().map(|shingle| {
                shingle.wrapping_mul(last.multipliers[lane]).wrapping_add(last.offsets[lane])
            });
            assert_eq!(found.last().copied(), naive.min());
            assert!(
                minima.functions.iter().all(|of| of.multipliers.iter().all(|odd| odd % 2 == 1))
            );
        }
        let (one, two) = (Minima::new(8, 1), Minima::new(8, 2));
        assert_ne!(one.functions[0].multipliers, two.functions[0].multipliers);
    }
}
