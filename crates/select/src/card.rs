//! Describes a method to users.

/// A method as users see it: the command line's help, tables and documents are made from it.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// The name that users type, and that rows and tables show.
    pub name: &'static str,
    /// What the method does, on one line.
    pub summary: &'static str,
    /// What [`Verdict::score`](crate::Verdict::score) means, with its range; `none` if the method
    /// gives no score.
    pub score: &'static str,
    /// Where the method comes from: a paper, or the idea of a baseline.
    pub citation: Citation,
    /// The same for documents, in Markdown; links are relative to `docs/`.
    pub source: &'static str,
    /// What it selects: elements, runs, words or lines.
    pub selects: &'static str,
    /// What it costs beyond reading the page once, in `n` nodes and runs, `m` blocks, `l` lines,
    /// `t` words and tags.
    pub cost: &'static str,
    /// How profile `tuned` differs from `paper`.
    pub tuned: &'static str,
    /// Where it is known to fail.
    pub failures: &'static str,
}

impl Card {
    /// The card of a user's own method: without a paper and without a score.
    pub const fn new(name: &'static str, summary: &'static str) -> Card {
        Card {
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

/// Where a method comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Number of the paper among the five that huller implements (`docs/papers.md`); `None` for
    /// other methods.
    pub paper: Option<&'static str>,
    /// The paper's name for the method, or a description of the baseline.
    pub subject: &'static str,
}
