//! Scores of extracted texts against gold.

pub mod blocks;
pub mod confusion;
pub mod diff;
pub mod evaluation;
pub mod judge;
pub mod report;
