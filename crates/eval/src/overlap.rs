//! The overlap of two multisets: of tokens, or of 4-gram shingles.
//!
//! tp = Σ over elements of min(count in gold, count in text); precision is tp/|text|, recall
//! tp/|gold|. Shingles are those of scrapinghub's article-extraction-benchmark. Each four
//! consecutive tokens form one. A text of one to three tokens has a single shingle with all of
//! them; an empty text has none.
//!
//! Cost: O(n log n), for sorting both multisets and walking them together.

use crate::evaluation::PrecisionRecall;

/// Four consecutive tokens. The shingle of a shorter text is padded with a number that is not a
/// token.
pub type Shingle = [u32; 4];

/// Padding in the shingle of a text with fewer than four tokens.
const PADDING_TOKEN: u32 = u32::MAX - 1;

/// Computes precision, recall and F1 from the number of common elements and the sizes of both
/// multisets. All are 1 if both are empty.
pub fn prf(common: usize, of_text: usize, of_gold: usize) -> PrecisionRecall {
    if of_text == 0 && of_gold == 0 {
        return PrecisionRecall { precision: 1.0, recall: 1.0, f1: 1.0 };
    }
    if of_text == 0 || of_gold == 0 || common == 0 {
        return PrecisionRecall::default();
    }
    let (precision, recall) = (common as f64 / of_text as f64, common as f64 / of_gold as f64);
    PrecisionRecall { precision, recall, f1: 2.0 * precision * recall / (precision + recall) }
}

/// Computes `CleanEval`'s measure: the common elements as a share of those of both together. It is
/// 1 if both are empty.
pub fn share_of_both(common: usize, of_text: usize, of_gold: usize) -> f64 {
    if of_text == 0 && of_gold == 0 {
        return 1.0;
    }
    common as f64 / (of_text + of_gold - common) as f64
}

/// Fills `out` with the shingles of a text, sorted.
pub fn shingles(tokens: &[u32], out: &mut Vec<Shingle>) {
    out.clear();
    if tokens.len() >= 4 {
        out.extend(tokens.windows(4).map(|four| [four[0], four[1], four[2], four[3]]));
    } else if !tokens.is_empty() {
        let mut shingle = [PADDING_TOKEN; 4];
        shingle[..tokens.len()].copy_from_slice(tokens);
        out.push(shingle);
    }
    out.sort_unstable();
}

/// Returns the number of common elements of two sorted multisets.
pub fn common<T: Ord>(a: &[T], b: &[T]) -> usize {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                count += 1;
                i += 1;
                j += 1;
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn counted<T: Ord + Clone>(items: &[T]) -> BTreeMap<T, usize> {
        items.iter().fold(BTreeMap::new(), |mut counts, item| {
            *counts.entry(item.clone()).or_default() += 1;
            counts
        })
    }

    fn overlap_of(a: &[u32], b: &[u32]) -> (usize, usize, usize) {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        shingles(a, &mut x);
        shingles(b, &mut y);
        (common(&x, &y), x.len(), y.len())
    }

    #[test]
    fn short_texts_make_one_shingle() {
        assert_eq!(overlap_of(&[1, 2], &[1, 2]), (1, 1, 1));
        assert_eq!(overlap_of(&[1, 2], &[1, 2, 3]), (0, 1, 1));
        assert_eq!(overlap_of(&[1, 2, 3], &[1, 2, 3, 4]), (0, 1, 1));
        assert_eq!(overlap_of(&[], &[1]), (0, 0, 1));
        assert_eq!(overlap_of(&[7, 7, 7, 7, 7, 7], &[7, 7, 7, 7, 7]), (2, 3, 2));
    }

    #[test]
    fn empty_cases() {
        assert_eq!(prf(0, 0, 0), PrecisionRecall { precision: 1.0, recall: 1.0, f1: 1.0 });
        assert_eq!(prf(0, 0, 3), PrecisionRecall::default());
        assert_eq!(prf(0, 3, 0), PrecisionRecall::default());
        assert_eq!(prf(0, 3, 3), PrecisionRecall::default());
        assert_eq!(prf(2, 4, 2), PrecisionRecall { precision: 0.5, recall: 1.0, f1: 2.0 / 3.0 });
    }

    #[test]
    fn the_measure_of_cleaneval_is_the_share_of_both_texts_together() {
        let cases =
            [(0, 0, 0, 1.0), (0, 0, 3, 0.0), (0, 3, 0, 0.0), (3, 4, 5, 0.5), (7, 7, 7, 1.0)];
        for (common, of_text, of_gold, expected) in cases {
            let got = share_of_both(common, of_text, of_gold);
            assert!((got - expected).abs() < 1e-12, "{common} of {of_text} and {of_gold}: {got}");
        }
    }

    proptest! {
        #[test]
        fn the_overlap_is_the_sum_of_the_smaller_counts(
            mut a in prop::collection::vec(0_u32..9, 0..80),
            mut b in prop::collection::vec(0_u32..9, 0..80),
        ) {
            let other = counted(&b);
            let naive: usize = counted(&a)
                .iter()
                .map(|(item, count)| (*count).min(other.get(item).copied().unwrap_or(0)))
                .sum();
            a.sort_unstable();
            b.sort_unstable();
            prop_assert_eq!(common(&a, &b), naive);
        }

        #[test]
        fn shingles_are_windows(
            a in prop::collection::vec(0_u32..4, 4..60),
            b in prop::collection::vec(0_u32..4, 4..60),
        ) {
            let windows = |t: &[u32]| counted(&t.windows(4).map(<[u32]>::to_vec).collect::<Vec<_>>());
            let (x, y) = (windows(&a), windows(&b));
            let naive: usize =
                x.iter().map(|(w, n)| (*n).min(y.get(w).copied().unwrap_or(0))).sum();
            prop_assert_eq!(overlap_of(&a, &b), (naive, a.len() - 3, b.len() - 3));
        }
    }
}
