//! Which blocks to take, given how likely each is content.
//!
//! Of the blocks in the order of their probability that first stretch is taken whose expected F1 is largest. With `n` the words of a
//! block and `p` its probability:
//!
//! ```text
//! expected F1 = 2 sum_taken n p / (sum_taken n + sum_all n p)
//! ```
//!
//! So there is no threshold, a page with any text is never empty, and the expected F1 is the page's score. Blocks of the same
//! probability come in document order. Cost: O(m log m) for m blocks.

/// Words that a block counts at most. That of a whole script shown as text, unlikely as it is, would else be expected to be more of
/// the content than all paragraphs.
const MOST_WORDS: f32 = 500.0;

/// A block's words and its probability.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance {
    words: f32,
    probability: f32,
}

impl Chance {
    pub(super) fn new(words: f32, probability: f32) -> Chance {
        Chance { words: words.min(MOST_WORDS), probability }
    }
}

/// Memory for choosing.
#[derive(Debug, Default)]
pub(super) struct Choice {
    /// The blocks by falling probability, those alike in document order: 32 bits that fall with the probability, and the block.
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
        let key = |chance: &Chance| u64::from(!chance.probability.to_bits()) << 32;
        self.order.extend((0..).zip(chances).map(|(at, chance)| key(chance) | at));
        self.order.sort_unstable();
        let chance = |key: u64| chances[key as u32 as usize];
        // Sums in f64 come out the same however many blocks there are, and stay exact enough.
        let expected = |chance: Chance| f64::from(chance.words) * f64::from(chance.probability);
        let all: f64 = self.order.iter().map(|at| expected(chance(*at))).sum();
        let (mut words, mut good) = (0.0, 0.0);
        let (mut best, mut most) = (0, 0.0);
        for (count, at) in self.order.iter().enumerate() {
            words += f64::from(chance(*at).words);
            good += expected(chance(*at));
            let f1 = if words + all > 0.0 { 2.0 * good / (words + all) } else { 0.0 };
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn choose(chances: &[(f32, f32)]) -> (Vec<bool>, f32) {
        let chances: Vec<_> =
            chances.iter().map(|(words, probability)| Chance::new(*words, *probability)).collect();
        let mut choice = Choice::default();
        let f1 = choice.choose(&chances);
        (choice.taken, f1)
    }

    #[test]
    fn doubtful_blocks_are_taken_where_nothing_is_sure() {
        assert_eq!(choose(&[(10.0, 0.9), (10.0, 0.3)]).0, [true, false]);
        assert_eq!(choose(&[(10.0, 0.3), (10.0, 0.3)]).0, [true, true]);
        assert_eq!(choose(&[(1.0, 0.01)]).0, [true]);
        assert_eq!(choose(&[]), (vec![], 0.0));
    }

    #[test]
    fn a_giant_block_that_is_unlikely_is_left() {
        assert_eq!(choose(&[(300.0, 0.9), (40_000.0, 0.1)]).0, [true, false]);
        assert_eq!(choose(&[(300.0, 0.9), (40_000.0, 0.9)]).0, [true, true]);
    }

    proptest! {
        #[test]
        fn no_other_set_is_expected_to_be_better(
            chances in prop::collection::vec((1..50_u8, 1..100_u8), 1..10)
        ) {
            let chances: Vec<_> = chances.iter().map(|(n, p)| (f32::from(*n), f32::from(*p) / 100.0)).collect();
            let all: f32 = chances.iter().map(|(n, p)| n * p).sum();
            let (taken, f1) = choose(&chances);
            prop_assert!(taken.contains(&true));
            for set in 1_u32..1 << chances.len() {
                let chosen = chances.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
                let (words, good) = chosen.fold((0.0, 0.0), |(w, g), (_, (n, p))| (w + n, g + n * p));
                prop_assert!(2.0 * good / (words + all) <= f1 + 1e-5);
            }
        }
    }
}
