//! Settings of a run.

use huller_corpus::RowKeys;
use huller_refine::signature::SignatureSettings;
use huller_refine::{Reason, RejectionKind};
use huller_row::{Extras, Format, Layout};
use huller_run::run_files::run_config::{Section, section};
use huller_run::withdrawals::keys::{REASON, reason as withdrawn_reason};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::json;
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
                let reason = Reason::named(step.reason(), RejectionKind::Skipped);
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
#[derive(Clone, Debug, Default, PartialEq)]
pub enum OutputFormat {
    /// Lines, compressed as the input is. Rows of a table are compressed by zstd.
    #[default]
    Lines,
    /// Any format for rows.
    Rows(Box<RowsFormat>),
    /// WARC, with the records of the rows, from the archives of
    /// [`Options::archives`](crate::Options::archives).
    Warc,
}

impl OutputFormat {
    /// Returns the format in which rows are encoded, unless lines or records are copied.
    pub(crate) fn rows(&self) -> Option<RowsFormat> {
        match self {
            OutputFormat::Lines | OutputFormat::Warc => None,
            OutputFormat::Rows(format) => Some((**format).clone()),
        }
    }
}

/// The name in the configuration of a run.
impl Serialize for OutputFormat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            OutputFormat::Lines => "lines",
            OutputFormat::Rows(rows) => rows.format.name(),
            OutputFormat::Warc => "warc",
        })
    }
}

/// A format for rows, and its settings.
#[derive(Clone, Debug)]
pub struct RowsFormat {
    pub(crate) format: &'static dyn Format,
    pub(crate) layout: Layout,
}

impl RowsFormat {
    /// Returns a format with the settings of a layout: schema, chosen fields, compression and the
    /// like. Rows have all fields that existing rows may have, unless fields are chosen.
    pub fn new(format: &'static dyn Format, layout: Layout) -> RowsFormat {
        let (extras, configuration) = (Extras::of_existing_rows(), "{}".to_owned());
        RowsFormat { format, layout: Layout { extras, refines: true, configuration, ..layout } }
    }

    /// Returns the settings that decide the bytes of the files, by their names in the configuration
    /// of a run.
    pub(crate) fn settings(&self) -> Section {
        let Layout { chosen, schema, index, separator, compression, bloom_filters, .. } =
            &self.layout;
        section([
            ("compress", json!(compression.name())),
            ("level", json!(compression.level())),
            ("schema", json!(schema.map(|schema| schema.name))),
            ("fields", json!(chosen)),
            ("es_index", json!(index)),
            ("separator", json!(separator)),
            ("bloom_filters", json!(bloom_filters)),
        ])
    }
}

impl PartialEq for RowsFormat {
    fn eq(&self, other: &RowsFormat) -> bool {
        self.format.name() == other.format.name() && self.settings() == other.settings()
    }
}

/// The rule or list that drops a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DroppedBy {
    /// The row is on the list of rows to drop.
    List,
    /// The page was withdrawn from a corpus.
    Withdrawn,
    /// The row is a duplicate by this step.
    Step(DedupStep),
}

impl DroppedBy {
    /// Returns the name of the reason.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            DroppedBy::List => "dedup:drop",
            DroppedBy::Withdrawn => REASON,
            DroppedBy::Step(step) => step.reason(),
        }
    }

    /// Returns the reason under which statistics count the row.
    pub(crate) fn counted_as(self) -> Reason {
        static LISTED: LazyLock<Reason> = LazyLock::new(|| {
            let reason = Reason::named(DroppedBy::List.reason(), RejectionKind::Skipped);
            reason.expect("a few dozen reasons have names")
        });
        match self {
            DroppedBy::List => *LISTED,
            DroppedBy::Withdrawn => withdrawn_reason(),
            DroppedBy::Step(step) => step.counted_as(),
        }
    }
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
