//! Bootstrap intervals of means, and tests of the difference between two systems.
//!
//! The bootstrap (Efron 1979): a resample consists of as many pages as there are, drawn with
//! replacement. Its mean is one value that the mean could have had. The interval holds the middle
//! 95 % of the means of all resamples. For a mean of several data sets, pages are drawn from each
//! set separately.
//!
//! Two systems are compared page by page. With d the mean of the differences and d* that of a
//! resample of them,
//!
//! ```text
//! p = (1 + number of resamples with |d* - d| >= |d|) / (1 + number of resamples)
//! ```
//!
//! is the probability of a difference at least this large if the two systems were equally good. It
//! is the paired bootstrap, shifted to the null hypothesis, two-sided. Of many pairs some have a p
//! below 0.05 by chance; p is not corrected for that.
//!
//! All draws come from a generator with a fixed seed (Steele, Lea and Flood's `SplitMix64`, 2014),
//! so the same scores always give the same figures. Cost: O(resamples · pages).

use crate::summary::mean;

/// Default number of resamples.
pub const RESAMPLES: usize = 1000;

const SEED: u64 = 0x005E_ED0F_4A11_00E2;

/// The generator `SplitMix64`.
struct Generator(u64);

impl Generator {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`: the high half of a product. Its bias is negligible for
    /// bounds far below 2^64.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Returns the mean of one resample of `values`.
    fn resampled_mean(&mut self, values: &[f64]) -> f64 {
        let sum: f64 = (0..values.len()).map(|_| values[self.below(values.len())]).sum();
        sum / values.len() as f64
    }
}

/// Returns the 95 % interval of the unweighted mean of the groups' means. `None` if there is no
/// group, a group is empty, or `resamples` is 0.
pub fn interval(groups: &[Vec<f64>], resamples: usize) -> Option<(f64, f64)> {
    if groups.is_empty() || groups.iter().any(Vec::is_empty) || resamples == 0 {
        return None;
    }
    let mut generator = Generator(SEED);
    let mut means: Vec<f64> = (0..resamples)
        .map(|_| {
            let sum: f64 = groups.iter().map(|values| generator.resampled_mean(values)).sum();
            sum / groups.len() as f64
        })
        .collect();
    means.sort_unstable_by(f64::total_cmp);
    // Nearest ranks: as many means lie below the interval as above it.
    let cut = resamples / 40;
    Some((means[cut], means[resamples - 1 - cut]))
}

/// The comparison of one system with another, page by page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Number of pages on which the first is better.
    pub better: usize,
    /// Number of pages on which the first is worse.
    pub worse: usize,
    /// Number of pages on which both are equal.
    pub equal: usize,
    /// Mean of the first's values minus the mean of the second's.
    pub difference: f64,
    /// Probability of a difference at least this large if the two were equally good.
    pub p: f64,
}

/// Compares two systems by their values on the same pages. `None` if there are no pages.
pub fn compare(first: &[f64], second: &[f64], resamples: usize) -> Option<Comparison> {
    let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
    let difference = mean(differences.iter().copied())?;
    let count = |condition: fn(&f64) -> bool| differences.iter().filter(|d| condition(d)).count();
    let mut generator = Generator(SEED);
    let extreme = (0..resamples)
        .filter(|_| {
            let drawn = generator.resampled_mean(&differences);
            // The margin prevents a rounding error from counting as a smaller difference.
            (drawn - difference).abs() >= difference.abs() - 1e-12
        })
        .count();
    Some(Comparison {
        better: count(|d| *d > 0.0),
        worse: count(|d| *d < 0.0),
        equal: count(|d| *d == 0.0),
        difference,
        p: (1 + extreme) as f64 / (1 + resamples) as f64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_splitmix() {
        // The first numbers from seed 1234567, as printed by the program of its authors.
        let mut generator = Generator(1_234_567);
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(expected.map(|_| generator.next()), expected);
    }

    #[test]
    fn intervals_hold_the_mean_and_narrow_with_more_pages() {
        let values = |n: usize| (0..n).map(|i| (i % 10) as f64 / 9.0).collect::<Vec<_>>();
        let (low, high) = interval(&[values(100)], RESAMPLES).unwrap();
        assert!(low < 0.5 && 0.5 < high);
        // The standard error of the mean is sqrt(0.1018/100) = 0.0319; the interval reaches 1.96 of
        // these to each side.
        assert!((high - low - 0.125).abs() < 0.02, "{low} {high}");
        let (low, high) = interval(&[values(10_000)], RESAMPLES).unwrap();
        assert!((high - low - 0.0125).abs() < 0.002, "{low} {high}");
        assert_eq!(interval(&[vec![0.7; 5]], 10), Some((0.7, 0.7)));
        assert_eq!(interval(&[vec![0.7], vec![]], 10), None);
        assert_eq!(interval(&[], 10), None);
    }

    #[test]
    fn groups_weigh_the_same() {
        let (low, high) = interval(&[vec![0.0; 1000], vec![1.0; 2]], 100).unwrap();
        assert_eq!((low, high), (0.5, 0.5));
    }

    #[test]
    fn clear_differences_have_a_small_p_and_none_a_large_one() {
        let first: Vec<f64> = (0..200).map(|i| f64::from(i % 7) / 10.0 + 0.1).collect();
        let worse: Vec<f64> = first.iter().map(|value| value - 0.05).collect();
        let clear = compare(&first, &worse, RESAMPLES).unwrap();
        assert_eq!((clear.better, clear.worse, clear.equal), (200, 0, 0));
        assert!((clear.difference - 0.05).abs() < 1e-12 && clear.p < 0.01);
        let same = compare(&first, &first, RESAMPLES).unwrap();
        assert_eq!((same.equal, same.difference, same.p), (200, 0.0, 1.0));
        let mut shuffled = first.clone();
        shuffled.rotate_left(3);
        assert!(compare(&first, &shuffled, RESAMPLES).unwrap().p > 0.3);
        assert_eq!(compare(&[], &[], 10), None);
    }
}
