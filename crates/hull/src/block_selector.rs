//! Chooses blocks by the probability that each is content.
//!
//! The blocks of a page are right or wrong together: either all cards of a grid are content, or no
//! card is. So this module assumes that the model's log-odds are wrong by the same unknown amount
//! for all blocks of a page. That amount is normally distributed with a standard deviation of 1.5.
//! The blocks are sorted by log-odds, and the prefix with the largest expected F1 is taken. With
//! `n` the words of a block and `p` its probability for a given amount:
//!
//! ```text
//! expected F1 = mean over the amounts of 2 sum_taken n p / (sum_taken n + sum_all n p)
//! ```
//!
//! If blocks were independent, a few sure words would be taken together with hundreds of unlikely
//! ones, because some of these would be right. Blocks that are right or wrong together are a worse
//! bet.
//!
//! There is no threshold. If any block may be content, at least one block is taken. The text can
//! still be empty: a page without blocks has no text, and text after an unclosed `button` belongs
//! to no block. The expected F1 is the page's score. Blocks of equal probability are taken in
//! document order. Cost: O(m log m) for m blocks.

/// The common error of the log-odds of all blocks of a page, as four points.
///
/// They are a Gauss-Hermite quadrature of the normal distribution with standard deviation 1.5. For
/// each point `z`, `ODDS` holds the factor `exp(-1.5 z)` for the odds against a block, and
/// `WEIGHTS` the weight.
const ODDS: [f32; 4] = [33.169_19, 3.043_31, 0.328_59, 0.030_148_5];
const WEIGHTS: [f64; 4] = [0.045_875_854_8, 0.454_124_145_2, 0.454_124_145_2, 0.045_875_854_8];

/// Largest number of words that a block counts with. Without this limit, a long script that the
/// page shows as text would count for more than all paragraphs, although it is unlikely to be
/// content.
const MAX_WORDS: f32 = 500.0;

/// The number of words of a block, and the odds against its being content.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockOdds {
    /// Number of words of the block.
    words: f32,
    /// Odds against its being content; infinite if it cannot be content.
    against: f32,
}

impl BlockOdds {
    /// Returns the odds of a block with these log-odds of being content. `-infinity` means that it
    /// is not content.
    pub(super) fn new(words: f32, log_odds: f32) -> BlockOdds {
        BlockOdds { words: words.min(MAX_WORDS), against: libm::expf(-log_odds) }
    }

    /// Returns the expected number of words that are content, for each of the four amounts.
    #[inline(always)]
    fn expected(self) -> [f32; 4] {
        ODDS.map(|odds| self.words / (1.0 + self.against * odds))
    }
}

/// Selects blocks. Holds buffers and the result.
#[derive(Debug, Default)]
pub(super) struct BlockSelector {
    /// One key for each block, likeliest block first and equal ones in document order. The upper 32
    /// bits grow with the odds against the block; the lower 32 bits are its index.
    order: Vec<u64>,
    /// For each block, whether it is taken.
    pub(super) taken: Vec<bool>,
}

impl BlockSelector {
    /// Marks the selected blocks, and returns their expected F1, 0 to 1.
    pub(super) fn choose(&mut self, odds: &[BlockOdds]) -> f32 {
        self.taken.clear();
        self.taken.resize(odds.len(), false);
        self.order.clear();
        // The bits of non-negative floats have the same order as the floats.
        let key = |block: &BlockOdds| u64::from(block.against.to_bits()) << 32;
        self.order.extend((0..).zip(odds).map(|(block_index, block)| key(block) | block_index));
        self.order.sort_unstable();
        let odds_of = |key: u64| odds[key as u32 as usize];
        // Sums in f64 round too little to change the choice, for any number of blocks.
        let mut expected_words = [0.0; 4];
        for key in &self.order {
            add_to_sums(&mut expected_words, odds_of(*key).expected());
        }
        let (mut words, mut good) = (0.0, [0.0; 4]);
        let (mut best_len, mut best_f1) = (0, 0.0);
        for (count, key) in self.order.iter().enumerate() {
            words += f64::from(odds_of(*key).words);
            add_to_sums(&mut good, odds_of(*key).expected());
            let f1 = mean_f1(words, &good, &expected_words);
            if f1 > best_f1 {
                (best_len, best_f1) = (count + 1, f1);
            }
        }
        for key in &self.order[..best_len] {
            self.taken[*key as u32 as usize] = true;
        }
        best_f1 as f32
    }
}

#[inline(always)]
fn add_to_sums(sums: &mut [f64; 4], values: [f32; 4]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += f64::from(value);
    }
}

/// Returns the expected F1 of taking `words` words, of which `good_words` are content, if
/// `expected_words` words of the page are content.
#[inline(always)]
fn mean_f1(words: f64, good_words: &[f64; 4], expected_words: &[f64; 4]) -> f64 {
    let mut mean = 0.0;
    for (weight, (good_words, expected_words)) in
        WEIGHTS.iter().zip(good_words.iter().zip(expected_words))
    {
        mean += weight * 2.0 * good_words / (words + expected_words).max(f64::MIN_POSITIVE);
    }
    mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn log_odds(probability: f32) -> f32 {
        (probability / (1.0 - probability)).ln()
    }

    fn choose(blocks: &[(f32, f32)]) -> (Vec<bool>, f32) {
        let odds: Vec<_> = blocks
            .iter()
            .map(|(words, probability)| BlockOdds::new(*words, log_odds(*probability)))
            .collect();
        let mut selector = BlockSelector::default();
        let f1 = selector.choose(&odds);
        (selector.taken, f1)
    }

    /// Returns the expected F1 of taking the first blocks, integrated in 1,201 small steps over the
    /// amounts.
    fn expected_f1(blocks: &[(f32, f32)], taken: usize) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for step in -600..=600 {
            let z = f64::from(step) / 100.0;
            let weight = (-z * z / 2.0).exp();
            let expected = |(words, probability): &(f32, f32)| {
                let log_odds = f64::from(log_odds(*probability)) + 1.5 * z;
                f64::from(*words) / (1.0 + (-log_odds).exp())
            };
            let words: f64 = blocks[..taken].iter().map(|(words, _)| f64::from(*words)).sum();
            let good: f64 = blocks[..taken].iter().map(expected).sum();
            let all: f64 = blocks.iter().map(expected).sum();
            sum += weight * 2.0 * good / (words + all);
            weights += weight;
        }
        sum / weights
    }

    #[test]
    fn doubtful_blocks_are_taken_where_nothing_is_sure() {
        assert_eq!(choose(&[(10.0, 0.9), (10.0, 0.2)]).0, [true, false]);
        assert_eq!(choose(&[(10.0, 0.3), (10.0, 0.3)]).0, [true, true]);
        assert_eq!(choose(&[(1.0, 0.01)]).0, [true]);
        assert_eq!(choose(&[]), (vec![], 0.0));
    }

    #[test]
    fn unlikely_blocks_are_not_taken_with_sure_ones() {
        // If the blocks were independent, 40 of the 600 unlikely words would be right: more than
        // the sure ones.
        assert_eq!(choose(&[(20.0, 0.97), (200.0, 0.1), (400.0, 0.05)]).0, [true, false, false]);
        assert_eq!(choose(&[(20.0, 0.97), (200.0, 0.4), (400.0, 0.05)]).0, [true, true, false]);
    }

    #[test]
    fn a_huge_unlikely_block_is_not_taken() {
        assert_eq!(choose(&[(300.0, 0.9), (40_000.0, 0.1)]).0, [true, false]);
        assert_eq!(choose(&[(300.0, 0.9), (40_000.0, 0.9)]).0, [true, true]);
    }

    #[test]
    fn infinite_log_odds_give_a_finite_f1() {
        let mut selector = BlockSelector::default();
        let endless = [f32::INFINITY, f32::NEG_INFINITY, 200.0, -200.0];
        let f1 = selector.choose(&endless.map(|log_odds| BlockOdds::new(7.0, log_odds)));
        assert_eq!((selector.taken, f1), (vec![true, false, true, false], 1.0));
    }

    proptest! {
        #[test]
        fn no_other_prefix_has_a_larger_expected_f1(
            mut blocks in prop::collection::vec((1..50_u8, 1..100_u8), 1..10)
        ) {
            blocks.sort_by_key(|(_, probability)| std::cmp::Reverse(*probability));
            let blocks: Vec<_> =
                blocks.iter().map(|(n, p)| (f32::from(*n), f32::from(*p) / 100.0)).collect();
            let (taken, f1) = choose(&blocks);
            let count = taken.iter().take_while(|taken| **taken).count();
            prop_assert!(count > 0 && !taken[count..].contains(&true));
            // The four points approximate the distribution.
            prop_assert!((expected_f1(&blocks, count) - f64::from(f1)).abs() < 0.02);
            for other in 1..=blocks.len() {
                prop_assert!(expected_f1(&blocks, other) < f64::from(f1) + 0.02);
            }
        }
    }
}
