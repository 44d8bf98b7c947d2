//! Runs an evaluation from archives, gold and predictions to an [`Evaluation`].

use crate::error::EvalError;
use crate::evaluation::{Evaluation, PageFacts, PageScore, SnippetCounts, System, WorstPage};
use crate::extraction::Extraction;
use crate::gold::Gold;
use crate::page_score::{CostlyScores, Reference, Scorer};
use crate::predictions::Predictions;
use crate::source::{UnmatchedPages, for_each_page, for_each_page_until, index_by_id};
use huller_extract::{ExtractorFactory, Profile};
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// The input of an evaluation.
#[derive(Debug, Default)]
pub struct Plan {
    /// Archives that hold the pages.
    pub archives: Vec<PathBuf>,
    /// The gold of the pages.
    pub gold: Vec<Gold>,
    /// Extractors, each in one of its profiles.
    pub extractors: Vec<(&'static dyn ExtractorFactory, Profile)>,
    /// The texts of other programs.
    pub predictions: Vec<Predictions>,
    /// Additional scores to compute.
    pub extra: CostlyScores,
    /// Number of threads; 0 means one per core.
    pub threads: usize,
}

/// Counts of the pages of an evaluation by outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Number of gold pages that are in the archives.
    pub found: u64,
    /// Number of gold pages that the archives lack; the extractors' texts count as empty there. 0
    /// if there are no extractors.
    pub missing: u64,
    /// For each file of predictions, the number of gold pages with a text in it.
    pub predicted: Vec<u64>,
    /// Number of pairs of page and extractor that ended in a panic; their text is empty.
    pub panicked: u64,
    /// Other contents of the archives.
    pub leftovers: UnmatchedPages,
}

/// The scores of one page, system by system.
struct PageResult {
    /// Bytes of the decoded page.
    html_bytes: u64,
    scores: Vec<PageScore>,
    /// CPU seconds of each system.
    seconds: Vec<f64>,
    /// Number of extractors that panicked.
    panicked: u64,
}

impl Plan {
    /// Scores every gold page under every system. Calls `progress` once for each page that was
    /// extracted, and once for each page whose predictions were scored.
    ///
    /// # Errors
    ///
    /// If an archive cannot be read.
    pub fn run(&self, progress: &(dyn Fn() + Sync)) -> Result<(Evaluation, Counters), EvalError> {
        self.run_until(&AtomicBool::new(false), progress)
    }

    /// Does the same as [`run`](Plan::run) until another thread sets `stop`.
    ///
    /// # Errors
    ///
    /// As [`run`](Plan::run), and [`EvalError::Interrupted`] if `stop` was set. All threads notice
    /// it at their next page.
    pub fn run_until(
        &self,
        stop: &AtomicBool,
        progress: &(dyn Fn() + Sync),
    ) -> Result<(Evaluation, Counters), EvalError> {
        let evaluated = self.run_in_pool(|| self.run_in_this_pool(stop, progress))?;
        if stop.load(Ordering::Relaxed) { Err(EvalError::Interrupted) } else { Ok(evaluated) }
    }

    /// Returns the number of times that [`run`](Plan::run) calls `progress` if the archives hold
    /// all gold pages.
    pub fn steps(&self) -> u64 {
        let passes =
            usize::from(!self.extractors.is_empty()) + usize::from(!self.predictions.is_empty());
        (self.gold.len() * passes) as u64
    }

    pub(crate) fn run_in_pool<T: Send>(
        &self,
        work: impl FnOnce() -> Result<T, EvalError> + Send,
    ) -> Result<T, EvalError> {
        rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?.install(work)
    }

    fn run_in_this_pool(
        &self,
        stop: &AtomicBool,
        progress: &(dyn Fn() + Sync),
    ) -> Result<(Evaluation, Counters), EvalError> {
        let facts = |gold: &Gold| PageFacts {
            id: gold.id.clone(),
            dataset: gold.dataset.clone(),
            lang: gold.lang.clone(),
            page_type: gold.page_type.clone(),
            html_bytes: 0,
        };
        let mut evaluation =
            Evaluation { pages: self.gold.iter().map(facts).collect(), ..Evaluation::default() };
        let mut counters = Counters::default();
        if !self.extractors.is_empty() {
            self.score_extractors(&mut evaluation, &mut counters, stop, progress)?;
        }
        self.score_predictions(&mut evaluation, &mut counters, stop, progress);
        Ok((evaluation, counters))
    }

    fn score_extractors(
        &self,
        evaluation: &mut Evaluation,
        counters: &mut Counters,
        stop: &AtomicBool,
        progress: &(dyn Fn() + Sync),
    ) -> Result<(), EvalError> {
        let pages_by_id = index_by_id(&self.gold, 0..self.gold.len());
        let workspace = || (Extraction::new(&self.extractors), Scorer::default());
        let work =
            |(extraction, scorer): &mut (Extraction, Scorer), pages: &[usize], html: &str| {
                let results: Vec<_> = pages
                    .iter()
                    .map(|&page| self.score_page(&self.gold[page], html, extraction, scorer))
                    .collect();
                for _ in &results {
                    progress();
                }
                results
            };
        let (results, leftovers) =
            for_each_page_until(stop, &self.archives, &pages_by_id, workspace, work)?;
        counters.leftovers = leftovers;
        let mut results_by_page: Vec<Option<PageResult>> = Vec::new();
        results_by_page.resize_with(self.gold.len(), || None);
        for (pages, results) in results {
            for (&page, result) in pages.iter().zip(results) {
                results_by_page[page].get_or_insert(result);
            }
        }
        counters.found = results_by_page.iter().flatten().count() as u64;
        counters.missing = self.gold.len() as u64 - counters.found;

        let mut scores = vec![Vec::with_capacity(self.gold.len()); self.extractors.len()];
        let mut page_seconds = vec![Vec::with_capacity(self.gold.len()); self.extractors.len()];
        for (page, result) in results_by_page.into_iter().enumerate() {
            let result = result.unwrap_or_else(|| self.missing_page(&self.gold[page]));
            evaluation.pages[page].html_bytes = result.html_bytes;
            counters.panicked += result.panicked;
            for system in 0..self.extractors.len() {
                scores[system].push(result.scores[system]);
                page_seconds[system].push(result.seconds[system]);
            }
        }
        for ((extractor, profile), seconds) in self.extractors.iter().zip(&page_seconds) {
            evaluation.systems.push(System {
                name: extractor.name().to_owned(),
                profile: profile.name().to_owned(),
                cpu_seconds: Some(seconds.iter().sum()),
            });
        }
        evaluation.scores = scores;
        evaluation.page_seconds = page_seconds;
        Ok(())
    }

    fn score_page(
        &self,
        gold: &Gold,
        html: &str,
        extraction: &mut Extraction,
        scorer: &mut Scorer,
    ) -> PageResult {
        let reference = Reference::new(gold);
        // Extractors often give the same text, which is then scored once.
        let mut known: Vec<(String, PageScore)> = Vec::new();
        let mut result = PageResult {
            html_bytes: html.len() as u64,
            scores: Vec::with_capacity(self.extractors.len()),
            seconds: Vec::with_capacity(self.extractors.len()),
            panicked: 0,
        };
        extraction.run(html, |extracted| {
            let known_score = known.iter().find(|(text, _)| text == extracted.text);
            let score = known_score.map(|(_, score)| *score);
            let score = score.unwrap_or_else(|| {
                let score = reference.score(extracted.text, self.extra, scorer);
                known.push((extracted.text.to_owned(), score));
                score
            });
            result.scores.push(score);
            result.seconds.push(extracted.seconds);
            result.panicked += u64::from(extracted.panicked);
        });
        result
    }

    /// Returns the result for a page that the archives lack: every text counts as empty.
    fn missing_page(&self, gold: &Gold) -> PageResult {
        let score = Reference::new(gold).score("", self.extra, &mut Scorer::default());
        PageResult {
            html_bytes: 0,
            scores: vec![score; self.extractors.len()],
            seconds: vec![0.0; self.extractors.len()],
            panicked: 0,
        }
    }

    fn score_predictions(
        &self,
        evaluation: &mut Evaluation,
        counters: &mut Counters,
        stop: &AtomicBool,
        progress: &(dyn Fn() + Sync),
    ) {
        if self.predictions.is_empty() {
            return;
        }
        let pages = self.gold.par_iter().map_init(Scorer::default, |scorer, gold| {
            if stop.load(Ordering::Relaxed) {
                return Vec::new();
            }
            let reference = Reference::new(gold);
            let texts = self.predictions.iter().map(|predictions| predictions.text(gold));
            let scores: Vec<_> = texts
                .map(|text| {
                    let score = reference.score(text.unwrap_or(""), self.extra, scorer);
                    (score, text.is_some())
                })
                .collect();
            progress();
            scores
        });
        let pages: Vec<Vec<(PageScore, bool)>> = pages.collect();
        if stop.load(Ordering::Relaxed) {
            return;
        }
        for (index, predictions) in self.predictions.iter().enumerate() {
            let name = predictions.name.clone();
            evaluation.systems.push(System { name, profile: String::new(), cpu_seconds: None });
            evaluation.scores.push(pages.iter().map(|page| page[index].0).collect());
            evaluation.page_seconds.push(Vec::new());
            counters.predicted.push(pages.iter().filter(|page| page[index].1).count() as u64);
        }
    }

    /// Returns the `max_pages` worst pages of every system, worst first, with their texts. Runs the
    /// extractors on these pages again. Pages without a gold text are ordered by their snippets.
    ///
    /// # Errors
    ///
    /// If an archive cannot be read again.
    pub fn worst_pages(
        &self,
        evaluation: &Evaluation,
        max_pages: usize,
    ) -> Result<Vec<WorstPage>, EvalError> {
        let mut worst = Vec::new();
        for (system, scores) in evaluation.scores.iter().enumerate() {
            let figures = scores.iter().enumerate();
            let mut pages: Vec<_> =
                figures.filter_map(|(page, score)| Some((score.figure()?, page))).collect();
            pages.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for (_, page) in pages.into_iter().take(max_pages) {
                let gold = self.gold[page].text.clone().unwrap_or_default();
                worst.push(WorstPage { system, page, gold, text: String::new() });
            }
        }
        for worst_page in
            worst.iter_mut().filter(|worst_page| worst_page.system >= self.extractors.len())
        {
            let predictions = &self.predictions[worst_page.system - self.extractors.len()];
            predictions
                .text(&self.gold[worst_page.page])
                .unwrap_or_default()
                .clone_into(&mut worst_page.text);
        }
        self.run_in_pool(|| self.fill_texts(&mut worst))?;
        Ok(worst)
    }

    /// Runs the extractors again to fill in their texts.
    fn fill_texts(&self, worst: &mut [WorstPage]) -> Result<(), EvalError> {
        let ours = |worst_page: &&mut WorstPage| worst_page.system < self.extractors.len();
        let pages_by_id = index_by_id(
            &self.gold,
            worst.iter_mut().filter(ours).map(|worst_page| worst_page.page),
        );
        if pages_by_id.is_empty() {
            return Ok(());
        }
        let work = |extraction: &mut Extraction, _: &[usize], html: &str| {
            let mut texts = Vec::with_capacity(self.extractors.len());
            extraction.run(html, |extracted| texts.push(extracted.text.to_owned()));
            texts
        };
        let (pages, _) = for_each_page(
            &self.archives,
            &pages_by_id,
            || Extraction::new(&self.extractors),
            work,
        )?;
        let mut is_filled = vec![false; self.gold.len()];
        for (pages, texts) in &pages {
            for &page in *pages {
                if std::mem::replace(&mut is_filled[page], true) {
                    continue;
                }
                for worst_page in worst.iter_mut().filter(|worst_page| worst_page.page == page) {
                    if let Some(text) = texts.get(worst_page.system) {
                        worst_page.text.clone_from(text);
                    }
                }
            }
        }
        Ok(())
    }
}

impl PageScore {
    /// Returns the figure that pages are ordered by: LCS F1, or the accuracy of the snippets if the
    /// gold has no text.
    pub fn figure(&self) -> Option<f64> {
        let by_snippets = || self.snippets.map(SnippetCounts::accuracy);
        self.text.map(|text| text.lcs.f1).or_else(by_snippets)
    }
}
