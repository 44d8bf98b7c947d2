//! What a run is asked for.

use huller_corpus::RowKeys;
use huller_refine::signature::SignatureSettings;
use huller_refine::{Outcome, Reason};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::LazyLock;

/// What makes two rows duplicates. Steps are taken in this order, each among the rows that the
/// earlier ones kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// They have one address.
    Url,
    /// They have one text, but for white space.
    Text,
    /// They share a band of their signatures, or are linked by rows that do.
    Near,
    /// Not rows but lines: those that stand on many pages of a host are left out of texts.
    Lines,
    /// Not rows but paragraphs: those that stood before in the corpus are left out of texts.
    Paragraphs,
}

impl Step {
    /// All of them in their order.
    pub const ALL: [Step; 5] = [Step::Url, Step::Text, Step::Near, Step::Lines, Step::Paragraphs];

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Step::Url => "url",
            Step::Text => "text",
            Step::Near => "near",
            Step::Lines => "lines",
            Step::Paragraphs => "paragraphs",
        }
    }

    /// The name of the reason under which it drops rows.
    pub fn reason(self) -> &'static str {
        match self {
            Step::Url => "dedup:url",
            Step::Text => "dedup:text",
            Step::Near => "dedup:near",
            Step::Lines => "dedup:lines",
            Step::Paragraphs => "dedup:paragraphs",
        }
    }

    /// That reason.
    pub(crate) fn counted_as(self) -> Reason {
        static REASONS: LazyLock<[Reason; Step::ALL.len()]> = LazyLock::new(|| {
            Step::ALL.map(|step| {
                let reason = Reason::named(step.reason(), Outcome::Skipped);
                reason.expect("a few dozen reasons have names")
            })
        });
        REASONS[self as usize]
    }
}

/// Which row of several duplicates is kept. Where two are equal in this, the first in the order of
/// inputs is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// The first in the order of inputs.
    First,
    /// That of the longest text.
    Longest,
    /// That of the best `score`.
    Score,
    /// That which was fetched last.
    Newest,
}

/// What is made of the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outputs {
    /// Files with the rows that are kept, byte for byte.
    #[default]
    Kept,
    /// The same, with the field `cluster_size` added to each row.
    KeptWithSizes,
    /// Files with all rows, with `duplicate_of` and `cluster_size` added to each.
    Marked,
    /// No rows: a file that lists the rows to drop.
    List(PathBuf),
}

/// What files of rows are written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputFormat {
    /// Lines, compressed as the input is; those of a table by zstd.
    #[default]
    Lines,
    /// Parquet, with the columns that `huller extract` writes.
    Parquet,
}

/// What decides the bytes of the output.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// What makes duplicates.
    pub by: Vec<Step>,
    /// Which row is kept. `None`: of one address the newest, else the first.
    pub keep: Option<Keep>,
    /// The parameters of signatures.
    pub signatures: SignatureSettings,
    /// Rows that share a band are joined by [`Step::Near`] only if the Jaccard similarity of their
    /// shingles is at least this. `None`: all are.
    pub verify: Option<f64>,
    /// Lines on more than so many pages of one host are left out by [`Step::Lines`].
    pub host_lines: u64,
    /// Fewest Unicode scalars of a line that [`Step::Lines`] leaves out, white space at its ends
    /// apart. Shorter lines are mostly headings and code, which belong to the text of a page
    /// however many pages have them.
    pub host_line_chars: u64,
    /// Fewest Unicode scalars of a paragraph that [`Step::Paragraphs`] leaves out.
    pub paragraph_chars: u64,
    /// Under which names the text of a row is, and its address.
    pub keys: RowKeys,
    /// What is written.
    pub outputs: Outputs,
    /// What it is written as.
    pub format: OutputFormat,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            by: vec![Step::Text, Step::Near],
            keep: None,
            signatures: SignatureSettings::default(),
            verify: None,
            host_lines: 10,
            host_line_chars: 40,
            paragraph_chars: 100,
            keys: RowKeys::default(),
            outputs: Outputs::Kept,
            format: OutputFormat::Lines,
        }
    }
}

impl Settings {
    /// Whether a step is taken.
    pub fn has(&self, step: Step) -> bool {
        self.by.contains(&step)
    }

    /// Whether texts are compared to find near duplicates.
    pub(crate) fn verifies(&self) -> bool {
        self.has(Step::Near) && self.verify.is_some()
    }

    /// Whether texts are changed, so that rows are written with less than they had.
    pub(crate) fn cuts_texts(&self) -> bool {
        self.has(Step::Lines) || self.has(Step::Paragraphs)
    }

    /// Which row of a cluster of this step is kept.
    pub(crate) fn keeps(&self, step: Step) -> Keep {
        self.keep.unwrap_or(if step == Step::Url { Keep::Newest } else { Keep::First })
    }
}
