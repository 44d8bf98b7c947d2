//! Proof, as a value, that the processor has the instructions a routine is compiled for.
//!
//! A routine with `#[target_feature(enable = "avx2")]` must not run on a processor without AVX2. So
//! every function on the way to such a routine takes an [`Avx2`] or a value made from one.
//! [`Avx2::new`], which asks the processor, is the only way to get one. The crate memchr guards its
//! routines in the same way. With the feature `portable`, [`Avx2::new`] always returns `None`, so
//! that the code for other processors can be tested and measured on any machine.

use std::sync::atomic::{AtomicU8, Ordering};

/// A value that exists only on a processor with AVX2, BMI1, BMI2 and POPCNT. Processors with AVX2
/// have the other three, but a virtual machine may hide some.
///
/// A function that takes an `Avx2`, or a value made from one, may enable these four features and no
/// others.
///
/// ```
/// use huller_page::simd::Avx2;
///
/// fn count_ones(words: &[u64]) -> u32 {
///     #[target_feature(enable = "popcnt")]
///     fn with_popcnt(_: Avx2, words: &[u64]) -> u32 {
///         words.iter().map(|word| word.count_ones()).sum()
///     }
///     match Avx2::new() {
///         // SAFETY: an `Avx2` exists only where the processor has POPCNT.
///         Some(avx2) => unsafe { with_popcnt(avx2, words) },
///         None => words.iter().map(|word| word.count_ones()).sum(),
///     }
/// }
/// assert_eq!(count_ones(&[7, 1 << 63]), 4);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// The answer of the processor: [`NOT_ASKED`], [`ABSENT`] or [`PRESENT`]. One byte covers all four
/// features, so a check is one load and one comparison. It publishes no other memory, so relaxed
/// ordering suffices.
static ANSWER: AtomicU8 = AtomicU8::new(NOT_ASKED);

const NOT_ASKED: u8 = 0;
const ABSENT: u8 = 1;
const PRESENT: u8 = 2;

impl Avx2 {
    /// Returns the proof if the processor has all four features. Only the first call asks the
    /// processor; later calls read the answer.
    #[inline(always)]
    pub fn new() -> Option<Avx2> {
        let answer = match ANSWER.load(Ordering::Relaxed) {
            NOT_ASKED => detect_features(),
            answer => answer,
        };
        if answer == PRESENT { Some(Avx2(())) } else { None }
    }
}

#[cold]
fn detect_features() -> u8 {
    let has_all = !cfg!(feature = "portable")
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt");
    let answer = if has_all { PRESENT } else { ABSENT };
    ANSWER.store(answer, Ordering::Relaxed);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proof_exists_exactly_where_the_features_do() {
        let has_all = !cfg!(feature = "portable")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        // The first call may ask the processor; the second must remember the answer.
        for _ in 0..2 {
            assert_eq!(Avx2::new().is_some(), has_all);
        }
        assert_eq!(ANSWER.load(Ordering::Relaxed) == PRESENT, has_all);
    }
}
