//! Scores extracted texts against gold, page by page, and averages the scores over groups of pages.
//!
//! The metrics equal those of the project's reference program `score.py`, to the last digit. This
//! crate prints nothing, and except in [`train`] it names no extractor.
//!
//! # The types, and how they work together
//!
//! * [`Gold`] is the text of a page as marked by people: the text itself, snippets, or both.
//!   [`Predictions`] are texts from another program.
//! * A [`Plan`] names archives, gold, extractors and predictions. [`Plan::run`] reads the archives
//!   like the pipeline and parses each page once for all extractors. It scores the texts of the
//!   extractors and the predictions.
//! * An [`Evaluation`] holds a [`PageScore`] for every system and page. A [`PageScore`] has scores
//!   by longest common subsequence, shingles, bag of tokens and snippets, and on request ROUGE-LSum
//!   and the Levenshtein ratio.
//! * [`ReportFigures`] are the means of an evaluation over groups of pages, with bootstrap
//!   intervals, and comparisons of pairs of systems.
//! * [`report`] writes the figures as CSV, Markdown, JSON and HTML, with the word [`diff`] between
//!   a text and its gold.
//! * [`baseline::find_regressions`] compares the figures with an earlier table.
//! * [`Plan::worst_pages`] returns the worst pages of each system.
//! * [`judge`] compares judgements of pages with the truth.
//! * [`blocks`] compares the runs of a selection with those of gold HTML.
//! * [`fields`] compares titles, authors and dates with gold ones.
//! * [`train`] trains models from pages and gold, for the extractors that need a model.
//!
//! # Example
//!
//! The gold is normalised ([`tokens::normalise`]) and cut into tokens ([`tokens::tokens`]), which
//! are numbered. The tokens of the text get the gold's numbers. Then the numbers are compared.
//!
//! ```
//! use huller_eval::{CostlyScores, Gold, Reference, Scorer};
//!
//! let gold = Gold {
//!     id: "one".to_owned(),
//!     dataset: "mine".to_owned(),
//!     text: Some("Rain fell all day. Roads shut.".to_owned()),
//!     without: Some(vec!["Home".to_owned()]),
//!     ..Gold::default()
//! };
//! let text = "Home\nRAIN fell all day.";
//! let score = Reference::new(&gold).score(text, CostlyScores::default(), &mut Scorer::default());
//!
//! // The common subsequence has four of the text's five tokens, and four of the gold's six.
//! let scores = score.text.unwrap();
//! assert_eq!((scores.lcs.precision, scores.lcs.recall), (4.0 / 5.0, 4.0 / 6.0));
//! assert_eq!(score.snippets.unwrap().false_positives, 1);
//! ```

pub mod baseline;
pub mod blocks;
pub mod bootstrap;
pub mod confusion;
pub mod diff;
mod error;
mod evaluation;
mod extraction;
pub mod fields;
mod gold;
mod grade;
pub mod groups;
mod jsonl;
pub mod judge;
pub mod lcs;
pub mod levenshtein;
pub mod overlap;
mod page_score;
mod predictions;
pub mod report;
pub mod rouge;
mod run;
pub mod snippets;
mod source;
pub mod summary;
pub mod tokens;
pub mod train;

pub use error::EvalError;
pub use evaluation::{
    Evaluation, Grade, Mistakes, PageFacts, PageScore, PrecisionRecall, SnippetCounts, System,
    TextScores, WorstPage,
};
pub use gold::{Gold, bare_record_id, read_gold};
pub use groups::Grouping;
pub use jsonl::open_packed;
pub use page_score::{CostlyScores, Reference, Scorer};
pub use predictions::Predictions;
pub use report::ReportFigures;
pub use run::{Counters, Plan};
pub use source::UnmatchedPages;
