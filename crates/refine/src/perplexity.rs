//! The perplexity of a text, and its bucket.

use serde::{Deserialize, Serialize};

/// The perplexity of a text by the models of its language.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Perplexity {
    /// The perplexity of a piece of the text, rounded to 0.1. `None` if the language has no models
    /// or the text has no pieces.
    pub value: Option<f64>,
    /// The bucket of the text.
    pub bucket: Bucket,
}

/// A part of the texts of a language, by their perplexity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bucket {
    /// The perplexity is below the first cut-off.
    Head,
    /// It is below the second one.
    Middle,
    /// It is not below the second one.
    Tail,
    /// The text has no perplexity, or its language has no cut-offs.
    All,
}

impl Bucket {
    /// All buckets, in the order of their numbers.
    pub const EVERY: [Bucket; 4] = [Bucket::Head, Bucket::Middle, Bucket::Tail, Bucket::All];

    /// Returns its name in rows and settings.
    pub fn name(self) -> &'static str {
        match self {
            Bucket::Head => "head",
            Bucket::Middle => "middle",
            Bucket::Tail => "tail",
            Bucket::All => "all",
        }
    }
}
