//! Computes the judgements of every extractor that judges pages, from archives and gold.
//!
//! The truth comes from the gold's `page_type`: some types have an article, others have none. Pages
//! of other types or without a type are left out, because their truth is unknown. The baseline is
//! the length of the text of one extractor (the program uses all text of the page). The longer the
//! text, the more likely an article. The baseline has no threshold of its own and gets the best one
//! for these same pages, which favours it.

use super::{Comparison, Judgement, JudgementScores, compare, score_judgements};
use crate::error::EvalError;
use crate::extraction::Extraction;
use crate::run::Plan;
use crate::source::{for_each_page, index_by_id};
use huller_extract::{ExtractorFactory, Profile, Verdict};

/// The page types that have an article, and the types without one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageTypes {
    /// Types with an article.
    pub positive: Vec<String>,
    /// Types without an article.
    pub negative: Vec<String>,
}

impl PageTypes {
    /// Returns whether pages of this type have an article; `None` if the type is in neither list.
    pub fn truth(&self, page_type: Option<&str>) -> Option<bool> {
        let is_in = |types: &[String]| types.iter().any(|known| Some(known.as_str()) == page_type);
        if is_in(&self.positive) {
            return Some(true);
        }
        is_in(&self.negative).then_some(false)
    }
}

/// The judgements of one extractor in one profile.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedSystem {
    /// Name of the extractor.
    pub name: String,
    /// `paper` or `tuned`.
    pub profile: String,
    /// Whether it gives verdicts. If it gives only scores, the only accuracy is that at the best
    /// threshold.
    pub has_verdicts: bool,
    /// The measures.
    pub judging: JudgementScores,
    /// Comparison with the baseline at its best threshold, on the same pages.
    pub against_baseline: Comparison,
}

/// All judgements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JudgeReport {
    /// The page types that count as having an article or not.
    pub types: PageTypes,
    /// Number of pages with an article.
    pub with_article: u64,
    /// Number of pages without an article.
    pub without_article: u64,
    /// Number of pages of these types that all archives lack; they are left out.
    pub missing: u64,
    /// The length of the text, at its best threshold.
    pub baseline: JudgementScores,
    /// The extractors that judge pages or give them a score, in the requested order.
    pub systems: Vec<JudgedSystem>,
}

/// The verdicts on a page, extractor by extractor, and the length of its text in scalars.
type PageVerdicts = (Vec<Verdict>, usize);

impl Plan {
    /// Judges all pages of these types. The baseline is the length of the text of the extractor
    /// `length_of`. Calls `progress` after each page.
    ///
    /// # Errors
    ///
    /// If an archive cannot be read.
    pub fn judge(
        &self,
        types: &PageTypes,
        length_of: (&'static dyn ExtractorFactory, Profile),
        progress: &(dyn Fn() + Sync),
    ) -> Result<JudgeReport, EvalError> {
        let truth = |page: usize| types.truth(self.gold[page].page_type.as_deref());
        let pages = (0..self.gold.len()).filter(|page| truth(*page).is_some());
        let wanted_pages = pages.clone().count() as u64;
        let pages_by_id = index_by_id(&self.gold, pages);
        let mut extractors = self.extractors.clone();
        extractors.push(length_of);
        let work = |extraction: &mut Extraction, pages: &[usize], html: &str| -> PageVerdicts {
            let (mut verdicts, mut length) = (Vec::with_capacity(extractors.len()), 0);
            extraction.run(html, |extracted| {
                verdicts.push(extracted.verdict);
                length = if extracted.panicked { 0 } else { extracted.text.chars().count() };
            });
            verdicts.pop();
            for _ in pages {
                progress();
            }
            (verdicts, length)
        };
        let (judged_pages, _) = self.run_in_pool(|| {
            for_each_page(&self.archives, &pages_by_id, || Extraction::new(&extractors), work)
        })?;
        let judged_pages: Vec<(bool, &PageVerdicts)> = judged_pages
            .iter()
            .flat_map(|(pages, judged)| pages.iter().map(move |page| (*page, judged)))
            .filter_map(|(page, judged)| Some((truth(page)?, judged)))
            .collect();
        let with_article = judged_pages.iter().filter(|(truth, _)| *truth).count() as u64;
        let (lengths, baseline) = judge_lengths(&judged_pages);
        let systems =
            self.extractors.iter().enumerate().filter_map(|(index, (extractor, profile))| {
                judge_extractor(*extractor, *profile, index, &judged_pages, &lengths)
            });
        Ok(JudgeReport {
            with_article,
            without_article: judged_pages.len() as u64 - with_article,
            missing: wanted_pages - judged_pages.len() as u64,
            baseline,
            systems: systems.collect(),
            types: types.clone(),
        })
    }
}

fn judge_lengths(judged_pages: &[(bool, &PageVerdicts)]) -> (Vec<Judgement>, JudgementScores) {
    let mut lengths: Vec<Judgement> = judged_pages
        .iter()
        .map(|(truth, (_, length))| Judgement {
            score: *length as f64,
            verdict: false,
            truth: *truth,
        })
        .collect();
    if let Some(best_point) = score_judgements(&lengths).best {
        for judgement in &mut lengths {
            judgement.verdict = judgement.score >= best_point.threshold;
        }
    }
    let baseline = score_judgements(&lengths);
    (lengths, baseline)
}

/// Returns the measures of one extractor; `None` if it gives neither a verdict nor a score on any
/// page.
fn judge_extractor(
    extractor: &dyn ExtractorFactory,
    profile: Profile,
    index: usize,
    judged_pages: &[(bool, &PageVerdicts)],
    lengths: &[Judgement],
) -> Option<JudgedSystem> {
    let verdicts = || judged_pages.iter().map(|(truth, (verdicts, _))| (verdicts[index], *truth));
    let has_verdicts = verdicts().any(|(verdict, _)| verdict.has_article.is_some());
    let has_scores = verdicts().any(|(verdict, _)| verdict.score.is_some());
    if !has_verdicts && !has_scores {
        return None;
    }
    let judgements: Vec<Judgement> = verdicts()
        .map(|(verdict, truth)| Judgement {
            score: verdict.score.unwrap_or(f64::NAN),
            verdict: verdict.has_article.unwrap_or(false),
            truth,
        })
        .collect();
    let mut measured = score_judgements(&judgements);
    let mut against_baseline = compare(&judgements, lengths);
    if !has_verdicts {
        measured.accuracy = None;
        against_baseline.accuracy_gain = None;
    }
    if !has_scores {
        (measured.auc, measured.best, against_baseline.auc_gain) = (None, None, None);
        measured.roc.clear();
    }
    Some(JudgedSystem {
        name: extractor.name().to_owned(),
        profile: profile.name().to_owned(),
        has_verdicts,
        judging: measured,
        against_baseline,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_in_neither_list_have_no_truth() {
        let types = PageTypes {
            positive: vec!["article".to_owned()],
            negative: vec!["listing".to_owned(), "collection".to_owned()],
        };
        let truths =
            [Some("article"), Some("collection"), Some("forum"), None].map(|one| types.truth(one));
        assert_eq!(truths, [Some(true), Some(false), None, None]);
    }

    #[test]
    fn the_baseline_gets_its_best_threshold() {
        let pages: Vec<(bool, PageVerdicts)> =
            [(true, 900), (true, 500), (false, 450), (false, 20)]
                .map(|(truth, length)| (truth, (Vec::new(), length)))
                .to_vec();
        let seen: Vec<_> = pages.iter().map(|(truth, seen)| (*truth, seen)).collect();
        let (lengths, baseline) = judge_lengths(&seen);
        assert_eq!(baseline.accuracy, Some(1.0));
        assert!((baseline.best.unwrap().threshold - 500.0).abs() < f64::EPSILON);
        assert_eq!(lengths.iter().filter(|one| one.verdict).count(), 2);
    }
}
