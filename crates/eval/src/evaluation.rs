//! What an evaluation gives: scores of every page under every system, and what is known of the pages.

/// Something that turns pages into text: one of our extractors, or a peer of which there are only predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// Name of the method, or of the file of predictions without its suffixes.
    pub name: String,
    /// `paper` or `tuned`; empty for predictions.
    pub profile: String,
    /// CPU seconds for parsing, extracting and rendering all pages; `None` for predictions.
    pub cpu_seconds: Option<f64>,
}

impl System {
    /// How it is named where there is one column for it: `pvalue/tuned`, or the name alone.
    pub fn label(&self) -> String {
        if self.profile.is_empty() {
            self.name.clone()
        } else {
            format!("{}/{}", self.name, self.profile)
        }
    }
}

/// What is known of a gold page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageFacts {
    /// The gold's identifier.
    pub id: String,
    /// The data set.
    pub dataset: String,
    /// Its language, as the gold says.
    pub lang: Option<String>,
    /// Its type (article, forum ...), as the gold says.
    pub page_type: Option<String>,
    /// Length of the page in bytes of UTF-8; 0 where the page was not found.
    pub html_bytes: u64,
}

/// Precision, recall and their harmonic mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prf {
    /// Precision.
    pub precision: f64,
    /// Recall.
    pub recall: f64,
    /// F1.
    pub f1: f64,
}

/// Scores of one text against a gold text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextScores {
    /// Tokens of the gold.
    pub gold_tokens: u32,
    /// Tokens of the text.
    pub text_tokens: u32,
    /// Whether the token sequences are the same.
    pub exact: bool,
    /// Longest common subsequence of tokens.
    pub lcs: Prf,
    /// Multiset of 4-gram shingles.
    pub shingles: Prf,
    /// Multiset of tokens.
    pub bag: Prf,
    /// ROUGE-LSum, if it was asked for.
    pub rouge_lsum: Option<Prf>,
    /// Levenshtein ratio of the scalars, if it was asked for.
    pub levenshtein: Option<f64>,
}

/// Counts of snippets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SnippetCounts {
    /// Wanted and found.
    pub true_positives: u32,
    /// Wanted and missing.
    pub false_negatives: u32,
    /// Unwanted and found.
    pub false_positives: u32,
    /// Unwanted and absent.
    pub true_negatives: u32,
}

impl SnippetCounts {
    /// All snippets.
    pub fn total(self) -> u32 {
        self.true_positives + self.false_negatives + self.false_positives + self.true_negatives
    }

    /// Share of the snippets that are as they should be; 0 where there are none.
    pub fn accuracy(self) -> f64 {
        f64::from(self.true_positives + self.true_negatives) / f64::from(self.total().max(1))
    }
}

/// Scores of one page under one system. A gold may have a text, snippets, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PageScore {
    /// Against the gold text, if there is one.
    pub text: Option<TextScores>,
    /// Against the snippets, if there are any.
    pub snippets: Option<SnippetCounts>,
}

/// A finished evaluation.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// The systems, in the order asked for.
    pub systems: Vec<System>,
    /// The gold pages, in the order of their files.
    pub pages: Vec<PageFacts>,
    /// `scores[s][p]` is the score of page `p` under system `s`.
    pub scores: Vec<Vec<PageScore>>,
    /// `page_seconds[s][p]`: CPU seconds for parsing, extracting and rendering page `p`; empty for predictions. Their sum
    /// is [`System::cpu_seconds`]; single ones give the speed on a data set.
    pub page_seconds: Vec<Vec<f64>>,
}

/// A page among the worst of a system, with what a reader needs to see why.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstPage {
    /// Index into [`Evaluation::systems`].
    pub system: usize,
    /// Index into [`Evaluation::pages`].
    pub page: usize,
    /// The gold text.
    pub gold: String,
    /// The text of the system.
    pub text: String,
}
