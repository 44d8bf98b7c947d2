//! Means over groups of pages, computed like those of `score.py`.
//!
//! P, R and F1 are macro means: each is the mean over pages, so F1 is the mean of the pages' F1.
//! Pages without a gold text are left out of these. Snippets are counted together over all pages of
//! the group. Other figures:
//!
//! * `shingle_f1_of_means`: the harmonic mean of the mean shingle recall and the mean shingle
//!   precision over pages whose text isn't empty, as scrapinghub's `evaluate.py` prints it;
//! * `exact`: the share of pages with the same tokens;
//! * `f1_at_least_90`: the share of pages with an LCS F1 of at least 0.9;
//! * `all_above_95`: the share of pages whose LCS precision, recall and F1 are all above 0.95, the
//!   criterion of paper 003 (docs/papers.md) for a rightly extracted page;
//! * `cleaneval`: the mean of `CleanEval`'s measure, LCS / (text + gold - LCS) in tokens. It is the
//!   Score of paper 001;
//! * `excellent`, `good_or_excellent`: the shares of pages with these [grades](crate::Grade);
//! * `empty`: the number of texts without tokens.

use crate::evaluation::{Evaluation, Grade, PageScore, PrecisionRecall, SnippetCounts};

/// The means of a group of pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of pages.
    pub pages: usize,
    /// Means over the pages with a gold text.
    pub text: Option<TextMeans>,
    /// Means over the pages with snippets.
    pub snippets: Option<SnippetMeans>,
    /// MB (10^6 bytes) of HTML that one CPU second parses, extracts and renders.
    pub megabytes_per_second: Option<f64>,
}

impl Summary {
    /// Returns the figure that systems are ordered by: LCS F1, or the F1 of the snippets if no page
    /// has a gold text.
    pub fn figure(&self) -> f64 {
        let by_snippets = || self.snippets.map(|snippets| snippets.prf.f1);
        self.text.map(|text| text.lcs.f1).or_else(by_snippets).unwrap_or(0.0)
    }
}

/// Means over pages with a gold text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextMeans {
    /// Number of these pages.
    pub pages: usize,
    /// Longest common subsequence.
    pub lcs: PrecisionRecall,
    /// 4-gram shingles.
    pub shingles: PrecisionRecall,
    /// Tokens.
    pub bag: PrecisionRecall,
    /// Harmonic mean of mean shingle precision (texts that aren't empty) and recall.
    pub shingle_f1_of_means: f64,
    /// Share of pages with the same tokens.
    pub exact: f64,
    /// Share of pages with an LCS F1 of at least 0.9.
    pub f1_at_least_90: f64,
    /// Share of pages with LCS precision, recall and F1 all above 0.95.
    pub all_above_95: f64,
    /// Mean of `CleanEval`'s measure.
    pub cleaneval: f64,
    /// Share of pages that are consistent with the gold.
    pub excellent: f64,
    /// Share of pages with one or two mistakes at most.
    pub good_or_excellent: f64,
    /// Number of texts without tokens.
    pub empty: usize,
    /// ROUGE-LSum, over the pages that have it.
    pub rouge_lsum: Option<PrecisionRecall>,
    /// Levenshtein ratio.
    pub levenshtein: Option<f64>,
}

/// Figures over the snippets of all pages, counted together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SnippetMeans {
    /// Number of pages with snippets.
    pub pages: usize,
    /// Precision, recall, F1.
    pub prf: PrecisionRecall,
    /// Share of right snippets among all: found wanted ones and absent unwanted ones.
    pub accuracy: f64,
}

/// Computes the means of one system's scores over the given pages.
pub fn summarise(evaluation: &Evaluation, system: usize, pages: &[usize]) -> Summary {
    let scores = || pages.iter().map(|&page| &evaluation.scores[system][page]);
    Summary {
        pages: pages.len(),
        text: text_means(&scores()),
        snippets: snippet_means(scores()),
        megabytes_per_second: measured_speed(evaluation, system, pages),
    }
}

fn text_means<'a>(scores: &(impl Iterator<Item = &'a PageScore> + Clone)) -> Option<TextMeans> {
    let texts = || scores.clone().filter_map(|score| score.text);
    let pages = texts().count();
    if pages == 0 {
        return None;
    }
    let share = |count: usize| count as f64 / pages as f64;
    let shingles = mean_prf(texts().map(|text| text.shingles))?;
    let not_empty = texts().filter(|text| text.text_tokens > 0);
    let precision = mean(not_empty.map(|text| text.shingles.precision)).unwrap_or(0.0);
    Some(TextMeans {
        pages,
        lcs: mean_prf(texts().map(|text| text.lcs))?,
        shingles,
        bag: mean_prf(texts().map(|text| text.bag))?,
        shingle_f1_of_means: harmonic_mean(precision, shingles.recall),
        exact: share(texts().filter(|text| text.exact).count()),
        f1_at_least_90: share(texts().filter(|text| text.lcs.f1 >= 0.9).count()),
        all_above_95: share(texts().filter(|text| text.lcs.is_above(0.95)).count()),
        cleaneval: mean(texts().map(|text| text.cleaneval))?,
        excellent: share(texts().filter(|text| text.mistakes.grade() == Grade::Excellent).count()),
        good_or_excellent: share(
            texts().filter(|text| text.mistakes.grade() >= Grade::Good).count(),
        ),
        empty: texts().filter(|text| text.text_tokens == 0).count(),
        rouge_lsum: mean_prf(texts().filter_map(|text| text.rouge_lsum)),
        levenshtein: mean(texts().filter_map(|text| text.levenshtein)),
    })
}

fn snippet_means<'a>(scores: impl Iterator<Item = &'a PageScore>) -> Option<SnippetMeans> {
    let mut sum = [0_u64; 4];
    let mut pages = 0;
    for SnippetCounts { true_positives, false_negatives, false_positives, true_negatives } in
        scores.filter_map(|score| score.snippets)
    {
        pages += 1;
        let counts = [true_positives, false_negatives, false_positives, true_negatives];
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += u64::from(count));
    }
    if pages == 0 {
        return None;
    }
    let [tp, fn_, fp, tn] = sum.map(|count| count as f64);
    let ratio = |part: f64, total: f64| if total > 0.0 { part / total } else { 0.0 };
    let (precision, recall) = (ratio(tp, tp + fp), ratio(tp, tp + fn_));
    let f1 = harmonic_mean(precision, recall);
    let accuracy = ratio(tp + tn, tp + fn_ + fp + tn);
    Some(SnippetMeans { pages, prf: PrecisionRecall { precision, recall, f1 }, accuracy })
}

fn measured_speed(evaluation: &Evaluation, system: usize, pages: &[usize]) -> Option<f64> {
    let seconds = evaluation.page_seconds.get(system).filter(|seconds| !seconds.is_empty())?;
    let bytes: u64 = pages.iter().map(|&page| evaluation.pages[page].html_bytes).sum();
    let seconds: f64 = pages.iter().map(|&page| seconds[page]).sum();
    (seconds > 0.0).then(|| bytes as f64 / 1e6 / seconds)
}

/// Computes the unweighted mean of several groups, for the figures that all of them have. Counts
/// are summed.
pub fn mean_of(summaries: &[Summary]) -> Summary {
    Summary {
        pages: summaries.iter().map(|summary| summary.pages).sum(),
        text: all_or_none(summaries.iter().map(|summary| summary.text)).map(|texts| {
            let each = |value: fn(&TextMeans) -> f64| mean(texts.iter().map(value)).unwrap_or(0.0);
            let prf = |value: fn(&TextMeans) -> PrecisionRecall| {
                mean_prf(texts.iter().map(value)).unwrap_or_default()
            };
            TextMeans {
                pages: texts.iter().map(|text| text.pages).sum(),
                lcs: prf(|text| text.lcs),
                shingles: prf(|text| text.shingles),
                bag: prf(|text| text.bag),
                shingle_f1_of_means: each(|text| text.shingle_f1_of_means),
                exact: each(|text| text.exact),
                f1_at_least_90: each(|text| text.f1_at_least_90),
                all_above_95: each(|text| text.all_above_95),
                cleaneval: each(|text| text.cleaneval),
                excellent: each(|text| text.excellent),
                good_or_excellent: each(|text| text.good_or_excellent),
                empty: texts.iter().map(|text| text.empty).sum(),
                rouge_lsum: all_or_none(texts.iter().map(|text| text.rouge_lsum))
                    .and_then(|values| mean_prf(values.into_iter())),
                levenshtein: all_or_none(texts.iter().map(|text| text.levenshtein))
                    .and_then(|values| mean(values.into_iter())),
            }
        }),
        snippets: all_or_none(summaries.iter().map(|summary| summary.snippets)).map(|snippets| {
            SnippetMeans {
                pages: snippets.iter().map(|counts| counts.pages).sum(),
                prf: mean_prf(snippets.iter().map(|counts| counts.prf)).unwrap_or_default(),
                accuracy: mean(snippets.iter().map(|counts| counts.accuracy)).unwrap_or(0.0),
            }
        }),
        megabytes_per_second: all_or_none(
            summaries.iter().map(|summary| summary.megabytes_per_second),
        )
        .and_then(|values| mean(values.into_iter())),
    }
}

/// Returns all values; `None` if one is missing or there are no values.
fn all_or_none<T>(values: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
    values.collect::<Option<Vec<T>>>().filter(|values| !values.is_empty())
}

fn harmonic_mean(precision: f64, recall: f64) -> f64 {
    let sum = precision + recall;
    if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 }
}

/// Returns the mean, summed from the first value to the last; `None` if there are no values.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}

fn mean_prf(values: impl Iterator<Item = PrecisionRecall> + Clone) -> Option<PrecisionRecall> {
    Some(PrecisionRecall {
        precision: mean(values.clone().map(|prf| prf.precision))?,
        recall: mean(values.clone().map(|prf| prf.recall))?,
        f1: mean(values.map(|prf| prf.f1))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{Mistakes, PageFacts, System, TextScores};
    use crate::overlap::prf;

    #[test]
    fn a_page_is_above_only_with_all_three() {
        // Of 100 tokens of gold: all found and no others; 96 of 98; one too few, exactly on the
        // bound; twice as many as the gold.
        let lcs = [prf(100, 100, 100), prf(96, 98, 100), prf(95, 95, 100), prf(100, 200, 100)];
        let mut lost_sentences = 0;
        let page = |lcs| {
            let mistakes = Mistakes { lost_sentences, ..Mistakes::default() };
            lost_sentences += 1;
            let cleaneval = 1.0 / f64::from(lost_sentences);
            PageScore {
                text: Some(TextScores { lcs, cleaneval, mistakes, ..TextScores::default() }),
                snippets: None,
            }
        };
        let evaluation = Evaluation {
            systems: vec![System {
                name: "x".to_owned(),
                profile: String::new(),
                cpu_seconds: None,
            }],
            pages: vec![PageFacts::default(); lcs.len()],
            scores: vec![lcs.map(page).to_vec()],
            page_seconds: vec![Vec::new()],
        };
        let text = summarise(&evaluation, 0, &[0, 1, 2, 3]).text.unwrap();
        assert_eq!((text.all_above_95, text.f1_at_least_90), (0.5, 0.75));
        // No sentence is lost on the first page, one more on each page that follows.
        assert_eq!((text.excellent, text.good_or_excellent), (0.25, 0.75));
        assert!((text.cleaneval - (1.0 + 0.5 + 1.0 / 3.0 + 0.25) / 4.0).abs() < 1e-12);
    }
}
