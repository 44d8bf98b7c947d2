//! The settings of runs, which decide the bytes of the output.

use super::command::Command;
use super::records::{MIN_CHARS, RecordOutcome};

/// The settings of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Settings {
    Extract(Extract),
    Refine(Refine),
    Dedup(Dedup),
    Index(Index),
}

/// Settings of `huller extract`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Extract {
    pub(super) extractor: &'static str,
    pub(super) compress: &'static str,
    pub(super) min_chars: bool,
    pub(super) any_status: bool,
    pub(super) html: bool,
    pub(super) limit: Option<u32>,
    /// Whether memory is small, which lowers the limits on records and pages.
    pub(super) memory: bool,
}

/// Settings of `huller refine`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refine {
    /// Stage `length` drops short rows.
    pub(super) min_chars: bool,
    /// Stage `url` drops rows whose URL has `/error/`.
    pub(super) addresses: bool,
    /// Stage `mask` changes texts.
    pub(super) masks: bool,
    /// Stage `signature` writes signatures beside the rows.
    pub(super) signs: bool,
    /// The most rows of a file: an input may have several outputs.
    pub(super) rows_per_file: Option<u32>,
    pub(super) compress: &'static str,
    pub(super) limit: Option<u32>,
}

/// The output of `huller dedup`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DedupOutput {
    /// The rows that are kept.
    Kept,
    /// The rows that are kept, with the sizes of their clusters.
    Sizes,
    /// All rows, each with the row that it duplicates.
    Marked,
    /// A list of rows to drop.
    List,
}

/// Settings of `huller dedup`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dedup {
    pub(super) by: &'static [&'static str],
    pub(super) keep: Option<&'static str>,
    pub(super) written: DedupOutput,
    /// The seed of the hashes, which changes all signatures.
    pub(super) seed: u32,
    /// Whether memory is least, which lowers the limit of lines.
    pub(super) memory: bool,
}

/// Settings of `huller index`. They do not change the hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Index {
    /// Whether the run commits often.
    pub(super) commits: bool,
    pub(super) memory: bool,
}

/// The outcome of a record by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordResult {
    Row,
    /// A row, or failed for any reason.
    MaybeRow,
    Skipped(&'static str),
    Failed(&'static str),
}

impl Settings {
    pub(super) fn command(&self) -> Command {
        match self {
            Settings::Extract(_) => Command::Extract,
            Settings::Refine(_) => Command::Refine,
            Settings::Dedup(_) => Command::Dedup,
            Settings::Index(_) => Command::Index,
        }
    }

    /// Returns the most rows of a run.
    pub(super) fn limit(&self) -> Option<u32> {
        match self {
            Settings::Extract(Extract { limit, .. }) | Settings::Refine(Refine { limit, .. }) => {
                *limit
            }
            Settings::Dedup(_) | Settings::Index(_) => None,
        }
    }

    /// Returns the most rows of an output.
    pub(super) fn rows_per_file(&self) -> Option<u32> {
        match self {
            Settings::Refine(Refine { rows_per_file, .. }) => *rows_per_file,
            _ => None,
        }
    }

    /// Returns whether signatures are written beside the rows.
    pub(super) fn signs(&self) -> bool {
        matches!(self, Settings::Refine(Refine { signs: true, .. }))
    }

    /// Returns the compression of standard output.
    pub(super) fn compress(&self) -> &'static str {
        match self {
            Settings::Extract(Extract { compress, .. })
            | Settings::Refine(Refine { compress, .. }) => compress,
            Settings::Dedup(_) | Settings::Index(_) => "none",
        }
    }

    /// Returns whether a list of rows to drop is written in place of rows.
    pub(super) fn is_list(&self) -> bool {
        matches!(self, Settings::Dedup(Dedup { written: DedupOutput::List, .. }))
    }

    /// Returns the outcome of a record if no other record matters.
    pub(super) fn expected_result(&self, fate: RecordOutcome) -> RecordResult {
        match (fate, self) {
            (RecordOutcome::Short, Settings::Extract(Extract { min_chars: true, .. })) => {
                RecordResult::Skipped("too_short")
            }
            (RecordOutcome::Short, Settings::Refine(Refine { min_chars: true, .. })) => {
                RecordResult::Skipped("length:few_chars")
            }
            (RecordOutcome::Unwanted, Settings::Extract(Extract { any_status: false, .. })) => {
                RecordResult::Skipped("status")
            }
            (RecordOutcome::Unwanted, Settings::Refine(Refine { addresses: true, .. })) => {
                RecordResult::Skipped("url:excluded")
            }
            (RecordOutcome::Page | RecordOutcome::Short | RecordOutcome::Unwanted, _) => {
                RecordResult::Row
            }
            (RecordOutcome::Damaged, _) => RecordResult::MaybeRow,
            (RecordOutcome::Skipped(reason), _) => RecordResult::Skipped(reason),
            (RecordOutcome::Failed(reason), _) => RecordResult::Failed(reason),
        }
    }

    /// Returns the command line options. `list` is the path of the list of rows to drop.
    pub(super) fn flags(&self, list: &str) -> Vec<String> {
        match self {
            Settings::Extract(settings) => settings.flags(),
            Settings::Refine(settings) => settings.flags(),
            Settings::Dedup(settings) => settings.flags(list),
            Settings::Index(settings) => settings.flags(),
        }
    }
}

impl Extract {
    fn flags(&self) -> Vec<String> {
        let Extract { extractor, compress, min_chars, any_status, html, limit, memory } = self;
        let mut flags = vec![format!("--extractor={extractor}"), format!("--compress={compress}")];
        let optional = [
            min_chars.then(|| format!("--min-chars={MIN_CHARS}")),
            any_status.then(|| "--status=any".to_owned()),
            html.then(|| "--html".to_owned()),
            limit.map(|limit| format!("--limit={limit}")),
            memory.then(|| "--memory=300M".to_owned()),
        ];
        flags.extend(optional.into_iter().flatten());
        flags
    }
}

impl Refine {
    fn flags(&self) -> Vec<String> {
        let Refine { min_chars, addresses, masks, signs, rows_per_file, compress, limit } = self;
        let stages = [
            addresses.then_some("url"),
            Some("length"),
            masks.then_some("mask"),
            signs.then_some("signature"),
        ];
        let stages: Vec<&str> = stages.into_iter().flatten().collect();
        let mut flags =
            vec![format!("--stages={}", stages.join(",")), format!("--compress={compress}")];
        let optional = [
            min_chars.then(|| format!("--set=length.min_chars={MIN_CHARS}")),
            addresses.then(|| r#"--set=url.exclude=["/error/"]"#.to_owned()),
            rows_per_file.map(|rows| format!("--rows-per-file={rows}")),
            limit.map(|limit| format!("--limit={limit}")),
        ];
        flags.extend(optional.into_iter().flatten());
        flags
    }
}

impl Dedup {
    fn flags(&self, list: &str) -> Vec<String> {
        let mut flags = vec![format!("--by={}", self.by.join(","))];
        flags.push(format!("--seed={}", self.seed));
        flags.extend(self.keep.map(|keep| format!("--keep={keep}")));
        flags.extend(match self.written {
            DedupOutput::Kept => None,
            DedupOutput::Sizes => Some("--cluster-fields".to_owned()),
            DedupOutput::Marked => Some("--mark-rows".to_owned()),
            DedupOutput::List => Some(format!("--mark={list}")),
        });
        flags.extend(self.memory.then(|| "--memory=256M".to_owned()));
        flags
    }
}

impl Index {
    fn flags(&self) -> Vec<String> {
        let flags = [
            self.commits.then(|| "--commit-every=1K".to_owned()),
            self.memory.then(|| "--memory=256M".to_owned()),
        ];
        flags.into_iter().flatten().collect()
    }
}
