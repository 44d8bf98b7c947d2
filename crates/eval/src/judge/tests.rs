use super::*;
use proptest::prelude::*;

fn judgements(pages: &[(f64, bool, bool)]) -> Vec<Judgement> {
    pages.iter().map(|&(score, verdict, truth)| Judgement { score, verdict, truth }).collect()
}

fn close(a: Option<f64>, b: f64) -> bool {
    a.is_some_and(|a| (a - b).abs() < 1e-12)
}

#[test]
fn known_values() {
    // Positives 0.9, 0.8, 0.4; negatives 0.7, 0.4. Of 6 pairs 4 are in order (0.9 and 0.8 above
    // both), and 0.4 ties with 0.4.
    let pages = judgements(&[
        (0.9, true, true),
        (0.4, false, true),
        (0.7, true, false),
        (0.8, true, true),
        (0.4, false, false),
    ]);
    let judging = score_judgements(&pages);
    assert_eq!(
        judging.verdicts,
        Confusion { true_positives: 2, false_positives: 1, false_negatives: 1, true_negatives: 1 }
    );
    assert!(close(judging.accuracy, 0.6));
    assert!(close(judging.majority_accuracy, 0.6));
    assert!(close(judging.auc, 4.5 / 6.0));
    let rates: Vec<_> =
        judging.roc.iter().map(|p| (p.false_positive_rate, p.true_positive_rate)).collect();
    assert_eq!(
        rates,
        [(0.0, 0.0), (0.0, 1.0 / 3.0), (0.0, 2.0 / 3.0), (0.5, 2.0 / 3.0), (1.0, 1.0)]
    );
    let best = judging.best.unwrap();
    assert!(close(Some(best.threshold), 0.8));
    assert!(close(best.confusion.accuracy(), 0.8));
}

#[test]
fn pages_with_the_same_truth_have_no_curve() {
    let pages = judgements(&[(0.1, true, true), (0.2, false, true)]);
    let judging = score_judgements(&pages);
    assert_eq!((judging.auc, judging.roc.len(), judging.best), (None, 0, None));
    assert_eq!(judging.accuracy, Some(0.5));
    assert_eq!(super::score_judgements(&[]), JudgementScores::default());
}

#[test]
fn perfect_order_has_auc_1_and_reversed_order_0() {
    let mut pages = judgements(&[(3.0, true, true), (2.0, true, true), (-1.0, true, false)]);
    assert_eq!(auc(&pages), Some(1.0));
    for page in &mut pages {
        page.truth = !page.truth;
    }
    assert_eq!(auc(&pages), Some(0.0));
}

#[test]
fn signed_zeros_tie_and_nan_ranks_lowest() {
    assert_eq!(auc(&judgements(&[(0.0, true, true), (-0.0, true, false)])), Some(0.5));
    assert_eq!(auc(&judgements(&[(f64::NAN, true, true), (-1e300, true, false)])), Some(0.0));
}

#[test]
fn an_extractor_is_compared_with_a_baseline() {
    let ours = judgements(&[
        (0.9, true, true),
        (0.6, true, false),
        (0.8, true, true),
        (0.1, false, false),
    ]);
    let theirs = judgements(&[
        (0.2, false, true),
        (0.1, false, false),
        (0.8, true, true),
        (0.9, true, false),
    ]);
    let comparison = compare(&ours, &theirs);
    assert_eq!(comparison.both_right, 1);
    assert_eq!(comparison.only_extractor_right, 2);
    assert_eq!(comparison.only_baseline_right, 1);
    assert_eq!(comparison.both_wrong, 0);
    assert!(close(comparison.accuracy_gain, 0.25));
    assert!(close(comparison.auc_gain, 1.0 - 0.5));
    assert_eq!(compare(&ours, &[]), Comparison::default());
}

/// Computes AUC by definition, pair by pair.
fn naive_auc(pages: &[Judgement]) -> Option<f64> {
    let (mut won, mut pairs) = (0.0, 0.0);
    for with in pages.iter().filter(|page| page.truth) {
        for without in pages.iter().filter(|page| !page.truth) {
            pairs += 1.0;
            if with.score > without.score {
                won += 1.0;
            } else if with.score.total_cmp(&without.score).is_eq() {
                won += 0.5;
            }
        }
    }
    (pairs > 0.0).then(|| won / pairs)
}

proptest! {
    #[test]
    fn auc_is_the_share_of_pairs_in_order_and_the_area_below_the_curve(
        pages in prop::collection::vec((0..20_u8, any::<bool>(), any::<bool>()), 0..80),
    ) {
        let pages: Vec<_> =
            pages.iter().map(|&(s, verdict, truth)| Judgement { score: f64::from(s) / 4.0, verdict, truth }).collect();
        let area = auc(&pages);
        prop_assert_eq!(area, naive_auc(&pages));
        let points = roc(&pages);
        prop_assert_eq!(points.is_empty(), area.is_none());
        let trapezoids: f64 = points
            .windows(2)
            .map(|pair| {
                (pair[1].false_positive_rate - pair[0].false_positive_rate)
                    * (pair[0].true_positive_rate + pair[1].true_positive_rate) / 2.0
            })
            .sum();
        if let Some(area) = area {
            prop_assert!((trapezoids - area).abs() < 1e-9);
        }
    }
}
