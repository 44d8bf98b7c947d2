//! Measures how well an extractor judges whether a page has an article.
//!
//! Judgement accuracy is the measure of paper 003. The ROC curve and the area under it (AUC)
//! measure how well the score orders the pages, independently of the threshold. AUC is the share of
//! pairs (page with an article, page without) in which the page with an article has the higher
//! score; ties count half. That is Mann and Whitney's U divided by its largest value. It is
//! computed with whole numbers, so the order of pages does not matter. NaN ranks below all other
//! scores. Cost: O(n log n).

pub mod pages;

use crate::confusion::Confusion;

/// An extractor's judgement of a page, and the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// The extractor's score of the page; a higher score means that an article is more likely.
    pub score: f64,
    /// Whether the extractor judges that the page has an article.
    pub verdict: bool,
    /// Whether the page has an article.
    pub truth: bool,
}

/// A point of the ROC curve: the decisions at one threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RocPoint {
    /// Pages with at least this score count as articles. It is infinite at the first point, where
    /// no page counts.
    pub threshold: f64,
    /// The decisions at this threshold.
    pub confusion: Confusion,
    /// Share of pages with an article that count as such.
    pub true_positive_rate: f64,
    /// Share of pages without an article that count as articles.
    pub false_positive_rate: f64,
}

/// All measures of one extractor's judgements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JudgementScores {
    /// Its verdicts against the truth.
    pub verdicts: Confusion,
    /// Accuracy of the verdicts; `None` without pages.
    pub accuracy: Option<f64>,
    /// Accuracy of giving all pages the judgement that is right for the majority.
    pub majority_accuracy: Option<f64>,
    /// Area under the ROC curve; `None` if all pages have the same truth.
    pub auc: Option<f64>,
    /// The curve, from the highest threshold to the lowest; empty if all pages have the same truth.
    pub roc: Vec<RocPoint>,
    /// The point of the curve with the largest accuracy. Its threshold is chosen and measured on
    /// the same pages.
    pub best: Option<RocPoint>,
}

/// An extractor's verdicts compared with those of a baseline on the same pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Number of pages that both judge rightly.
    pub both_right: u64,
    /// Number of pages that only the extractor judges rightly.
    pub only_extractor_right: u64,
    /// Number of pages that only the baseline judges rightly.
    pub only_baseline_right: u64,
    /// Number of pages that both judge wrongly.
    pub both_wrong: u64,
    /// Accuracy of the extractor minus that of the baseline.
    pub accuracy_gain: Option<f64>,
    /// AUC of the extractor minus that of the baseline.
    pub auc_gain: Option<f64>,
}

/// Measures the judgements of one extractor.
pub fn score_judgements(judgements: &[Judgement]) -> JudgementScores {
    let mut verdicts = Confusion::default();
    for judgement in judgements {
        verdicts.add(judgement.verdict, judgement.truth, 1);
    }
    let with_article = verdicts.true_positives + verdicts.false_negatives;
    let majority = with_article.max(verdicts.total() - with_article);
    let roc = roc(judgements);
    let right = |point: &RocPoint| point.confusion.true_positives + point.confusion.true_negatives;
    // Of points with equal accuracy, the first is taken, which has the highest threshold.
    let best_point = roc.iter().rev().max_by_key(|point| right(point)).copied();
    JudgementScores {
        accuracy: verdicts.accuracy(),
        majority_accuracy: verdicts.accuracy().map(|_| majority as f64 / verdicts.total() as f64),
        auc: auc(judgements),
        verdicts,
        roc,
        best: best_point,
    }
}

/// Compares two extractors page by page. Both slices must hold the same pages in the same order. If
/// one is longer, its last pages are left out of the counts.
pub fn compare(extractor: &[Judgement], baseline: &[Judgement]) -> Comparison {
    let pages = extractor.len().min(baseline.len());
    let (extractor, baseline) = (&extractor[..pages], &baseline[..pages]);
    let mut comparison = Comparison::default();
    for (ours, theirs) in extractor.iter().zip(baseline) {
        let count = match (ours.verdict == ours.truth, theirs.verdict == theirs.truth) {
            (true, true) => &mut comparison.both_right,
            (true, false) => &mut comparison.only_extractor_right,
            (false, true) => &mut comparison.only_baseline_right,
            (false, false) => &mut comparison.both_wrong,
        };
        *count += 1;
    }
    comparison.accuracy_gain = (pages > 0).then(|| {
        (comparison.only_extractor_right as f64 - comparison.only_baseline_right as f64)
            / pages as f64
    });
    comparison.auc_gain = auc(extractor).zip(auc(baseline)).map(|(ours, theirs)| ours - theirs);
    comparison
}

/// Computes the ROC curve: one point above all scores, and one for each score that occurs. Empty if
/// all pages have the same truth.
pub fn roc(judgements: &[Judgement]) -> Vec<RocPoint> {
    let sorted = sort_by_falling_score(judgements);
    let positives = sorted.iter().filter(|(_, truth)| *truth).count() as u64;
    let negatives = sorted.len() as u64 - positives;
    if positives == 0 || negatives == 0 {
        return Vec::new();
    }
    let mut confusion =
        Confusion { false_negatives: positives, true_negatives: negatives, ..Confusion::default() };
    let point = |threshold: f64, confusion: Confusion| RocPoint {
        threshold,
        confusion,
        true_positive_rate: confusion.true_positives as f64 / positives as f64,
        false_positive_rate: confusion.false_positives as f64 / negatives as f64,
    };
    let mut points = vec![point(f64::INFINITY, confusion)];
    for (score, with_article, without_article) in count_tied(&sorted) {
        confusion.true_positives += with_article;
        confusion.false_negatives -= with_article;
        confusion.false_positives += without_article;
        confusion.true_negatives -= without_article;
        points.push(point(score, confusion));
    }
    points
}

/// Computes the area under the ROC curve; `None` if all pages have the same truth.
pub fn auc(judgements: &[Judgement]) -> Option<f64> {
    let sorted = sort_by_falling_score(judgements);
    // Counted in half pairs, so that a tie is a whole number.
    let (mut halves, mut articles_above, mut negatives) = (0_u128, 0_u128, 0_u128);
    for (_, with_article, without_article) in count_tied(&sorted) {
        let (with_article, without_article) =
            (u128::from(with_article), u128::from(without_article));
        halves += without_article * (2 * articles_above + with_article);
        articles_above += with_article;
        negatives += without_article;
    }
    let pairs = articles_above * negatives;
    (pairs > 0).then(|| halves as f64 / (2 * pairs) as f64)
}

/// Returns scores with truths, highest first. NaN becomes negative infinity.
fn sort_by_falling_score(judgements: &[Judgement]) -> Vec<(f64, bool)> {
    let score = |judgement: &Judgement| {
        // Adding 0.0 makes -0.0 equal to 0.0 for `total_cmp`.
        if judgement.score.is_nan() { f64::NEG_INFINITY } else { judgement.score + 0.0 }
    };
    let mut sorted: Vec<_> =
        judgements.iter().map(|judgement| (score(judgement), judgement.truth)).collect();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    sorted
}

/// Returns for each score that occurs the number of pages with an article and the number without.
fn count_tied(sorted: &[(f64, bool)]) -> impl Iterator<Item = (f64, u64, u64)> {
    sorted.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()).map(|group| {
        let with_article = group.iter().filter(|(_, truth)| *truth).count() as u64;
        (group[0].0, with_article, group.len() as u64 - with_article)
    })
}

#[cfg(test)]
mod tests;
