//! How good extracted texts are: scores against gold, page by page, and what they come to.
//!
//! The metrics are those of the project's reference program `score.py`, to the last digit. This crate prints nothing, and but
//! for [`train`] it knows no extractor by name.
//!
//! # The types, and how they meet
//!
//! * [`Gold`] is what people say the text of a page is: the text itself, snippets, or both. [`Predictions`] are texts that some
//!   other program made.
//! * A [`Plan`] names archives, gold, extractors and predictions. [`Plan::run`] reads the archives as the pipeline does, parses
//!   each page once for all extractors, and scores what they and the predictions give.
//! * An [`Evaluation`] holds a [`PageScore`] for every system and page: longest common subsequence, shingles, bag of tokens,
//!   snippets, and on request ROUGE-LSum and the Levenshtein ratio.
//! * [`Figures`] are the means of an evaluation over groups of pages, with bootstrap intervals, and systems in pairs.
//! * [`report`] writes them as CSV, Markdown, JSON and HTML, with the word [`diff`] of a text to its gold, [`baseline::fallen`] holds them against an earlier table, and
//!   [`Plan::worst_pages`] gives the pages to look at.
//! * [`judge`] holds page-level judgements against the truth, [`blocks`] the runs of a selection against those of gold HTML, [`fields`] titles, authors and dates against gold ones.
//! * [`train`] makes models of pages and gold, for the methods that need one.
//!
//! # One text's walk
//!
//! The gold is normalised ([`tokens::normalise`]), cut ([`tokens::tokens`]) and its tokens are numbered; the text is
//! numbered with the gold's numbers. Then numbers are compared.
//!
//! ```
//! use huller_eval::{Extra, Gold, Reference, Scorer};
//!
//! let gold = Gold {
//!     id: "one".to_owned(),
//!     dataset: "mine".to_owned(),
//!     text: Some("Rain fell all day. Roads shut.".to_owned()),
//!     without: Some(vec!["Home".to_owned()]),
//!     ..Gold::default()
//! };
//! let text = "Home\nRAIN fell all day.";
//! let score = Reference::new(&gold).score(text, Extra::default(), &mut Scorer::default());
//!
//! // Four of the text's five tokens are on the common subsequence, of the gold's six.
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
    Evaluation, PageFacts, PageScore, Prf, SnippetCounts, System, TextScores, WorstPage,
};
pub use gold::{Gold, bare, read_gold};
pub use groups::By;
pub use jsonl::open_packed;
pub use page_score::{Extra, Reference, Scorer};
pub use predictions::Predictions;
pub use report::Figures;
pub use run::{Account, Plan};
pub use source::Leftovers;
