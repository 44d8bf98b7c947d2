//! The result of an evaluation: the scores of every page under every system, and facts about the
//! pages.

/// A program that turns pages into text: one of our extractors, or another program that is
/// represented by its predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// Name of the extractor, or of the file of predictions without its suffixes.
    pub name: String,
    /// `paper` or `tuned`; empty for predictions.
    pub profile: String,
    /// CPU seconds for parsing, extracting and rendering all pages; `None` for predictions.
    pub cpu_seconds: Option<f64>,
}

impl System {
    /// Returns name and profile in one string: `pvalue/tuned`, or only the name for predictions.
    pub fn label(&self) -> String {
        if self.profile.is_empty() {
            self.name.clone()
        } else {
            format!("{}/{}", self.name, self.profile)
        }
    }
}

/// Facts about a gold page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageFacts {
    /// The gold's identifier.
    pub id: String,
    /// The data set.
    pub dataset: String,
    /// Its language, according to the gold.
    pub lang: Option<String>,
    /// Its type (article, forum ...), according to the gold.
    pub page_type: Option<String>,
    /// Length of the page in bytes of UTF-8; 0 if the page was not found.
    pub html_bytes: u64,
}

/// Precision, recall and their harmonic mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PrecisionRecall {
    /// Precision.
    pub precision: f64,
    /// Recall.
    pub recall: f64,
    /// F1.
    pub f1: f64,
}

impl PrecisionRecall {
    /// Returns whether all three are above a bound.
    #[must_use]
    pub fn is_above(self, bound: f64) -> bool {
        self.precision > bound && self.recall > bound && self.f1 > bound
    }
}

/// The most mistakes that a good text has.
const MAX_GOOD_MISTAKES: u32 = 2;

/// A grade; better ones are larger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Many mistakes.
    #[default]
    Poor,
    /// One or two sentences of the gold are lost, or there are one or two blocks of noise.
    Good,
    /// Consistent with the gold.
    Excellent,
}

impl Grade {
    /// Returns the name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Poor => "poor",
            Grade::Good => "good",
            Grade::Excellent => "excellent",
        }
    }
}

/// The mistakes of a text against its gold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mistakes {
    /// Number of sentences of the gold that the text lacks.
    pub lost_sentences: u32,
    /// Number of blocks of the text that the gold lacks.
    pub noise_blocks: u32,
    /// Whether the text has nothing of the gold; false if both are empty.
    pub nothing_found: bool,
}

impl Mistakes {
    /// Returns the grade.
    pub fn grade(self) -> Grade {
        match self.lost_sentences + self.noise_blocks {
            _ if self.nothing_found => Grade::Poor,
            0 => Grade::Excellent,
            1..=MAX_GOOD_MISTAKES => Grade::Good,
            _ => Grade::Poor,
        }
    }
}

/// Scores of one text against a gold text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextScores {
    /// Number of tokens of the gold.
    pub gold_tokens: u32,
    /// Number of tokens of the text.
    pub text_tokens: u32,
    /// Whether the two token sequences are equal.
    pub exact: bool,
    /// Longest common subsequence of tokens.
    pub lcs: PrecisionRecall,
    /// `CleanEval`'s measure: LCS / (tokens of the text + tokens of the gold - LCS).
    pub cleaneval: f64,
    /// Lost sentences and blocks of noise.
    pub mistakes: Mistakes,
    /// Multiset of 4-gram shingles.
    pub shingles: PrecisionRecall,
    /// Multiset of tokens.
    pub bag: PrecisionRecall,
    /// ROUGE-LSum, if requested.
    pub rouge_lsum: Option<PrecisionRecall>,
    /// Levenshtein ratio of the scalars, if requested.
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
    /// Returns the number of snippets.
    pub fn total(self) -> u32 {
        self.true_positives + self.false_negatives + self.false_positives + self.true_negatives
    }

    /// Returns the share of right snippets: found wanted ones, and absent unwanted ones. 0 without
    /// snippets.
    pub fn accuracy(self) -> f64 {
        f64::from(self.true_positives + self.true_negatives) / f64::from(self.total().max(1))
    }
}

/// The scores of one page under one system. The gold may have a text, snippets, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PageScore {
    /// The scores against the gold text, if there is one.
    pub text: Option<TextScores>,
    /// The counts of the gold's snippets, if there are any.
    pub snippets: Option<SnippetCounts>,
}

/// A finished evaluation.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// The systems, in the requested order.
    pub systems: Vec<System>,
    /// The gold pages, in the order of their files.
    pub pages: Vec<PageFacts>,
    /// `scores[s][p]` is the score of page `p` under system `s`.
    pub scores: Vec<Vec<PageScore>>,
    /// `page_seconds[s][p]`: CPU seconds for parsing, extracting and rendering page `p` under
    /// system `s`; empty for predictions. Their sum is [`System::cpu_seconds`]; sums over a data
    /// set give the speed on that set.
    pub page_seconds: Vec<Vec<f64>>,
}

/// One of the worst pages of a system, with the texts that explain its score.
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
