//! Scores of extracted texts against gold.

pub mod blocks;
pub mod confusion;
pub mod diff;
pub mod evaluation;
pub mod judge;
pub mod report;

pub use evaluation::{
    Evaluation, PageFacts, PageScore, Prf, SnippetCounts, System, TextScores, WorstPage,
};
