//! Describes an extractor to users.

/// An extractor as users see it. The command line's help, tables and documents are made from cards.
#[derive(Clone, Copy, Debug)]
pub struct ExtractorCard {
    /// The name that users type, and that rows and tables show.
    pub name: &'static str,
    /// One-line summary of what the extractor does.
    pub summary: &'static str,
    /// Meaning of [`Verdict::score`](crate::Verdict::score), with its range; `none` if the
    /// extractor has no score.
    pub score: &'static str,
    /// Where the extractor comes from: a paper, or the idea of a baseline.
    pub citation: Citation,
    /// Where it comes from, as Markdown for documents. Links are relative to `docs/`.
    pub source: &'static str,
    /// Parts of a page that it selects: elements, runs, words or lines.
    pub selects: &'static str,
    /// Cost beyond reading the page once, in `n` nodes and runs, `m` blocks, `l` lines,
    /// `t` words and tags.
    pub cost: &'static str,
    /// How profile `tuned` differs from `paper`.
    pub tuned: &'static str,
    /// On which pages it is known to fail.
    pub failures: &'static str,
}

impl ExtractorCard {
    /// Returns the card of a user's own extractor, without a paper and without a score.
    pub const fn new(name: &'static str, summary: &'static str) -> ExtractorCard {
        ExtractorCard {
            name,
            summary,
            score: "none",
            citation: Citation { paper: None, subject: summary },
            source: "",
            selects: "",
            cost: "",
            tuned: "the same",
            failures: "",
        }
    }
}

/// The origin of an extractor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Number of the paper among the five that huller implements (`docs/papers.md`); `None` for
    /// other extractors.
    pub paper: Option<&'static str>,
    /// The paper's name for the extractor, or a description of the baseline.
    pub subject: &'static str,
}
