//! Which blocks to take, given how likely each is content.
//!
//! Blocks of a page are right or wrong together: of a grid of cards the content has all or none. So each block's log-odds are taken to
//! be off by the same unknown amount, normal with a standard deviation of 1.5. Of the blocks in the order of their log-odds that
//! first stretch is taken whose F1 is largest on average over that amount. With `n` the words of a block and `p` its probability,
//! given the amount:
//!
//! ```text
//! expected F1 = mean of 2 sum_taken n p / (sum_taken n + sum_all n p)
//! ```
//!
//! Were blocks independent, few words that are sure would be taken together with hundreds that hardly are: some of those would be
//! right. All of them or none is a worse bet. There is no threshold, a page with any text is never empty, and the expected F1 is the
//! page's score. Blocks of the same probability come in document order. Cost: O(m log m) for m blocks.

/// How far the log-odds of all blocks of a page may be off together.
///
/// A normal distribution of standard deviation 1.5 is stood for by four values, those of Gauss and Hermite. Each is given as
/// `exp(-1.5 z)`, what the odds against a block are multiplied by, and its weight.
const ODDS: [f32; 4] = [33.169_19, 3.043_31, 0.328_59, 0.030_148_5];
const WEIGHTS: [f64; 4] = [0.045_875_854_8, 0.454_124_145_2, 0.454_124_145_2, 0.045_875_854_8];

/// Words that a block counts at most. That of a whole script shown as text, unlikely as it is, would else be expected to be more of
/// the content than all paragraphs.
const MOST_WORDS: f32 = 500.0;

/// A block's words and what is known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance {
    words: f32,
    /// Odds against its being content.
    against: f32,
}

impl Chance {
    /// A block that is content by these log-odds; of `-infinity` it is none.
    pub(super) fn new(words: f32, log_odds: f32) -> Chance {
        Chance { words: words.min(MOST_WORDS), against: libm::expf(-log_odds) }
    }

    /// The words that are content, however far the page is off.
    #[inline(always)]
    fn expected(self) -> [f32; 4] {
        ODDS.map(|odds| self.words / (1.0 + self.against * odds))
    }
}

/// Memory for choosing.
#[derive(Debug, Default)]
pub(super) struct Choice {
    /// The likeliest block first, those alike in document order: 32 bits that rise with the odds against it, and the block.
    order: Vec<u64>,
    pub(super) taken: Vec<bool>,
}

impl Choice {
    /// Marks the blocks to take, and gives the expected F1, 0 to 1.
    pub(super) fn choose(&mut self, chances: &[Chance]) -> f32 {
        self.taken.clear();
        self.taken.resize(chances.len(), false);
        self.order.clear();
        // The bits of numbers that are not negative are in the order of the numbers.
        let key = |chance: &Chance| u64::from(chance.against.to_bits()) << 32;
        self.order.extend((0..).zip(chances).map(|(at, chance)| key(chance) | at));
        self.order.sort_unstable();
        let chance = |key: u64| chances[key as u32 as usize];
        // Sums in f64 come out the same however many blocks there are, and stay exact enough.
        let mut all = [0.0; 4];
        for at in &self.order {
            add(&mut all, chance(*at).expected());
        }
        let (mut words, mut good) = (0.0, [0.0; 4]);
        let (mut best, mut most) = (0, 0.0);
        for (count, at) in self.order.iter().enumerate() {
            words += f64::from(chance(*at).words);
            add(&mut good, chance(*at).expected());
            let f1 = mean_f1(words, &good, &all);
            if f1 > most {
                (best, most) = (count + 1, f1);
            }
        }
        for at in &self.order[..best] {
            self.taken[*at as u32 as usize] = true;
        }
        most as f32
    }
}

#[inline(always)]
fn add(sums: &mut [f64; 4], values: [f32; 4]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += f64::from(value);
    }
}

/// The expected F1 of taking so many words, of which `good` are content.
#[inline(always)]
fn mean_f1(words: f64, good: &[f64; 4], all: &[f64; 4]) -> f64 {
    let mut mean = 0.0;
    for (weight, (good, all)) in WEIGHTS.iter().zip(good.iter().zip(all)) {
        mean += weight * 2.0 * good / (words + all).max(f64::MIN_POSITIVE);
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
        let chances: Vec<_> = blocks
            .iter()
            .map(|(words, probability)| Chance::new(*words, log_odds(*probability)))
            .collect();
        let mut choice = Choice::default();
        let f1 = choice.choose(&chances);
        (choice.taken, f1)
    }

    /// The expected F1 of the first blocks, by a sum over many small steps of what the page may be off.
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
    fn blocks_that_are_right_or_wrong_together_are_no_good_bet() {
        // Of 600 words 40 would be right, more than are sure, if blocks were independent.
        assert_eq!(choose(&[(20.0, 0.97), (200.0, 0.1), (400.0, 0.05)]).0, [true, false, false]);
        assert_eq!(choose(&[(20.0, 0.97), (200.0, 0.4), (400.0, 0.05)]).0, [true, true, false]);
    }

    #[test]
    fn a_giant_block_that_is_unlikely_is_left() {
        assert_eq!(choose(&[(300.0, 0.9), (40_000.0, 0.1)]).0, [true, false]);
        assert_eq!(choose(&[(300.0, 0.9), (40_000.0, 0.9)]).0, [true, true]);
    }

    #[test]
    fn odds_without_bounds_are_none() {
        let mut choice = Choice::default();
        let endless = [f32::INFINITY, f32::NEG_INFINITY, 200.0, -200.0];
        let f1 = choice.choose(&endless.map(|log_odds| Chance::new(7.0, log_odds)));
        assert_eq!((choice.taken, f1), (vec![true, false, true, false], 1.0));
    }

    proptest! {
        #[test]
        fn no_other_cut_is_expected_to_be_better(
            mut blocks in prop::collection::vec((1..50_u8, 1..100_u8), 1..10)
        ) {
            blocks.sort_by_key(|(_, probability)| std::cmp::Reverse(*probability));
            let blocks: Vec<_> =
                blocks.iter().map(|(n, p)| (f32::from(*n), f32::from(*p) / 100.0)).collect();
            let (taken, f1) = choose(&blocks);
            let count = taken.iter().take_while(|taken| **taken).count();
            prop_assert!(count > 0 && !taken[count..].contains(&true));
            // Four values are not quite the distribution.
            prop_assert!((expected_f1(&blocks, count) - f64::from(f1)).abs() < 0.02);
            for other in 1..=blocks.len() {
                prop_assert!(expected_f1(&blocks, other) < f64::from(f1) + 0.02);
            }
        }
    }
}
