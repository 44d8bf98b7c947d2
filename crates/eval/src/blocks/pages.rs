//! Computes the block scores of every extractor from archives and gold with `gold_html`, averaged
//! over pages.

use super::{BlockScores, GoldLabels};
use crate::confusion::Confusion;
use crate::error::EvalError;
use crate::evaluation::PrecisionRecall;
use crate::extraction::Extraction;
use crate::groups::ALL;
use crate::run::Plan;
use crate::source::{for_each_page, index_by_id};
use crate::summary::mean;
use huller_page::PageBuf;
use std::collections::BTreeSet;

/// Means over pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockMeans {
    /// Precision, recall, F1. All are 1 if gold and selection are both empty; otherwise a ratio
    /// with denominator 0 is 0.
    pub prf: PrecisionRecall,
    /// Share of right labels.
    pub accuracy: f64,
}

/// The scores of one extractor on one group of pages.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockRow {
    /// Name of the extractor.
    pub name: String,
    /// `paper` or `tuned`.
    pub profile: String,
    /// The data set, or `ALL`.
    pub group: String,
    /// Pages with a label.
    pub pages: usize,
    /// Each run counts once.
    pub runs: BlockMeans,
    /// Each run counts once per visible scalar.
    pub scalars: BlockMeans,
}

/// All block scores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockReport {
    /// The rows, group by group, each with all extractors in the requested order.
    pub rows: Vec<BlockRow>,
    /// Number of pages with gold HTML.
    pub pages: u64,
    /// Number of these pages that all archives lack; they are left out.
    pub missing: u64,
    /// Number of runs of the gold that their page lacks.
    pub unmatched: u64,
}

/// The scores of one page, extractor by extractor, and the number of runs of its gold that the page
/// lacks.
type PageBlocks = (Vec<BlockScores>, usize);

impl Plan {
    /// Scores the runs that the extractors keep, on all pages whose gold has HTML. Calls `progress`
    /// after each page.
    ///
    /// # Errors
    ///
    /// If an archive cannot be read.
    pub fn blocks(&self, progress: &(dyn Fn() + Sync)) -> Result<BlockReport, EvalError> {
        let pages = (0..self.gold.len()).filter(|page| self.gold[*page].html.is_some());
        let pages_with_gold = pages.clone().count() as u64;
        let pages_by_id = index_by_id(&self.gold, pages);
        let work = |extraction: &mut Extraction, pages: &[usize], html: &str| -> Vec<PageBlocks> {
            let scored = pages.iter().map(|page| {
                let gold = self.gold[*page].html.as_deref().unwrap_or_default();
                progress();
                self.page_blocks(extraction, gold, html)
            });
            scored.collect()
        };
        let (scored_pages, _) = self.run_in_pool(|| {
            for_each_page(&self.archives, &pages_by_id, || Extraction::new(&self.extractors), work)
        })?;
        let results: Vec<(&str, &PageBlocks)> = scored_pages
            .iter()
            .flat_map(|(pages, scored)| pages.iter().zip(scored))
            .map(|(page, scored)| (self.gold[*page].dataset.as_str(), scored))
            .collect();
        let groups: BTreeSet<&str> = results.iter().map(|(dataset, _)| *dataset).collect();
        let mut rows = Vec::new();
        for group in groups.into_iter().chain([ALL]) {
            for (index, (extractor, profile)) in self.extractors.iter().enumerate() {
                let of_group = results.iter().filter(|(set, _)| group == ALL || *set == group);
                let scores: Vec<_> =
                    of_group.filter_map(|(_, (scores, _))| scores.get(index)).collect();
                rows.push(BlockRow {
                    name: extractor.name().to_owned(),
                    profile: profile.name().to_owned(),
                    group: group.to_owned(),
                    pages: scores.len(),
                    runs: mean_scores(&scores.iter().map(|scores| scores.runs)),
                    scalars: mean_scores(&scores.iter().map(|scores| scores.scalars)),
                });
            }
        }
        Ok(BlockReport {
            rows,
            pages: pages_with_gold,
            missing: pages_with_gold - results.len() as u64,
            unmatched: results.iter().map(|(_, (_, unmatched))| *unmatched as u64).sum(),
        })
    }

    /// Scores one page. An extractor that panics counts as keeping no run; a page that cannot be
    /// parsed has no scores.
    fn page_blocks(&self, extraction: &mut Extraction, gold: &str, html: &str) -> PageBlocks {
        let mut gold_columns = PageBuf::new();
        let gold = gold_columns.fill(gold);
        let mut labels: Option<GoldLabels> = None;
        let mut scores = Vec::with_capacity(self.extractors.len());
        extraction.run(html, |extracted| {
            let Some(page) = extracted.page else { return };
            let labels = labels.get_or_insert_with(|| GoldLabels::compute(page, &gold));
            scores.push(BlockScores::compute(page, labels, extracted.selection));
        });
        (scores, labels.map_or(0, |labels| labels.unmatched))
    }
}

fn mean_scores(confusions: &(impl Iterator<Item = Confusion> + Clone)) -> BlockMeans {
    let mean_of = |value: fn(Confusion) -> f64| mean(confusions.clone().map(value)).unwrap_or(0.0);
    BlockMeans {
        prf: PrecisionRecall {
            precision: mean_of(|counts| prf(counts).precision),
            recall: mean_of(|counts| prf(counts).recall),
            f1: mean_of(|counts| prf(counts).f1),
        },
        accuracy: mean_of(|counts| counts.accuracy().unwrap_or(1.0)),
    }
}

fn prf(counts: Confusion) -> PrecisionRecall {
    let Some(f1) = counts.f1() else {
        return PrecisionRecall { precision: 1.0, recall: 1.0, f1: 1.0 };
    };
    PrecisionRecall {
        precision: counts.precision().unwrap_or(0.0),
        recall: counts.recall().unwrap_or(0.0),
        f1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_over_pages_and_empty_cases_are_defined() {
        let counts = |true_positives, false_positives, false_negatives| Confusion {
            true_positives,
            false_positives,
            false_negatives,
            true_negatives: 0,
        };
        let found = mean_scores(&[counts(1, 3, 0), counts(0, 0, 0), counts(0, 0, 5)].into_iter());
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(near(found.prf.precision, (0.25 + 1.0) / 3.0), "{found:?}");
        assert!(near(found.prf.recall, 2.0 / 3.0) && near(found.prf.f1, 1.4 / 3.0), "{found:?}");
        assert!(near(found.accuracy, 1.25 / 3.0), "{found:?}");
    }
}
