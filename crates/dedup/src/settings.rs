//! Settings of a run.

use huller_corpus::RowKeys;
use huller_refine::signature::SignatureSettings;
use huller_refine::{Outcome, Reason};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::LazyLock;

/// A rule by which two rows are duplicates. Steps are taken in this order, each among the rows that
/// the earlier steps kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DedupStep {
    /// The rows have the same URL.
    Url,
    /// The rows have the same text, apart from white space.
    Text,
    /// The rows share a band of their signatures, or are linked by rows that do.
    Near,
    /// Drops lines instead of rows: lines on many pages of a host are left out of texts.
    Lines,
    /// Drops paragraphs instead of rows: paragraphs that occurred earlier in the corpus are left
    /// out of texts.
    Paragraphs,
}

impl DedupStep {
    /// All steps in their order.
    pub const ALL: [DedupStep; 5] =
        [DedupStep::Url, DedupStep::Text, DedupStep::Near, DedupStep::Lines, DedupStep::Paragraphs];

    /// Returns its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            DedupStep::Url => "url",
            DedupStep::Text => "text",
            DedupStep::Near => "near",
            DedupStep::Lines => "lines",
            DedupStep::Paragraphs => "paragraphs",
        }
    }

    /// Returns the name of the reason under which it drops rows.
    pub fn reason(self) -> &'static str {
        match self {
            DedupStep::Url => "dedup:url",
            DedupStep::Text => "dedup:text",
            DedupStep::Near => "dedup:near",
            DedupStep::Lines => "dedup:lines",
            DedupStep::Paragraphs => "dedup:paragraphs",
        }
    }

    /// Returns that reason.
    pub(crate) fn counted_as(self) -> Reason {
        static REASONS: LazyLock<[Reason; DedupStep::ALL.len()]> = LazyLock::new(|| {
            DedupStep::ALL.map(|step| {
                let reason = Reason::named(step.reason(), Outcome::Skipped);
                reason.expect("a few dozen reasons have names")
            })
        });
        REASONS[self as usize]
    }
}

/// The rule that chooses the kept row among duplicates. Of rows that rank the same, the first in
/// the order of inputs is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// The first in the order of inputs.
    First,
    /// The row with the longest text.
    Longest,
    /// The row with the best `score`.
    Score,
    /// The row that was fetched last.
    Newest,
}

/// The files that a run writes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outputs {
    /// Files with the kept rows, byte for byte.
    #[default]
    Kept,
    /// Files with the kept rows, with the field `cluster_size` added to each.
    KeptWithSizes,
    /// Files with all rows, with `duplicate_of` and `cluster_size` added to each.
    Marked,
    /// A file that lists the rows to drop, and no files of rows.
    List(PathBuf),
}

/// The format of files of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputFormat {
    /// Lines, compressed as the input is. Rows of a table are compressed by zstd.
    #[default]
    Lines,
    /// Parquet, with the columns that `huller extract` writes.
    Parquet,
    /// WARC, with the records of the rows, from the archives of
    /// [`Options::archives`](crate::Options::archives).
    Warc,
}

/// The settings that decide the bytes of the output.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// The steps to take.
    pub by: Vec<DedupStep>,
    /// The rule for the kept row. `None` keeps the newest row of a URL, and the first one
    /// otherwise.
    pub keep: Option<Keep>,
    /// The parameters of signatures.
    pub signatures: SignatureSettings,
    /// Least Jaccard similarity of the shingles of two rows, above 0 and at most 1, for
    /// [`DedupStep::Near`] to link them when they share a band. `None` links all rows that share a
    /// band.
    pub verify: Option<f64>,
    /// Lines on more than this many pages of one host are left out by [`DedupStep::Lines`].
    pub host_lines: u64,
    /// Fewest Unicode scalars of a line that [`DedupStep::Lines`] leaves out, without white space
    /// at its ends. Shorter lines are mostly headings and code, which belong to the text of a page
    /// even if many pages have them.
    pub host_line_chars: u64,
    /// Fewest Unicode scalars of a paragraph that [`DedupStep::Paragraphs`] leaves out.
    pub paragraph_chars: u64,
    /// The names under which rows have their text and URL.
    pub keys: RowKeys,
    /// The files to write.
    pub outputs: Outputs,
    /// The format of the files of rows.
    pub format: OutputFormat,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            by: vec![DedupStep::Text, DedupStep::Near],
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
    /// Returns whether a step is taken.
    pub fn has(&self, step: DedupStep) -> bool {
        self.by.contains(&step)
    }

    /// Returns whether texts are compared to find near duplicates.
    pub(crate) fn verifies(&self) -> bool {
        self.has(DedupStep::Near) && self.verify.is_some()
    }

    /// Returns whether steps shorten texts, so that rows are written with less than they had.
    pub(crate) fn cuts_texts(&self) -> bool {
        self.has(DedupStep::Lines) || self.has(DedupStep::Paragraphs)
    }

    /// Returns the rule for the kept row of a cluster of this step.
    pub(crate) fn keeps(&self, step: DedupStep) -> Keep {
        self.keep.unwrap_or(if step == DedupStep::Url { Keep::Newest } else { Keep::First })
    }
}
