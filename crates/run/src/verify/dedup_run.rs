//! What `huller dedup` notes of its outputs, as entries of the journal that other runs have.
//!
//! The form is that of `dedup.journal` and `dedup.config` (crate `huller-dedup`): a line for each output that is written, besides those for
//! what is signed and decided.

use super::finding::{FindingKind, Findings, Severity};
use super::run_files;
use crate::account::Account;
use crate::run_files::journal::Entry;
use crate::run_files::marks::SignatureMark;
use huller_row::Layout;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::fs;
use std::path::Path;

const CONFIG: &str = "dedup.config";

const JOURNAL: &str = "dedup.journal";

/// Names of the run files that other runs have not.
pub(crate) const NAMES: [&str; 3] = [CONFIG, JOURNAL, "dedup.clusters"];

/// A line of the journal.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Signed(IgnoredAny),
    Decided(IgnoredAny),
    Written(Box<Written>),
}

#[derive(Deserialize)]
struct Written {
    input: String,
    bytes: u64,
    #[serde(default)]
    output_name: Option<String>,
    #[serde(default)]
    output: Option<Mark>,
    #[serde(default)]
    signatures: Option<Mark>,
    /// Told by `dedup.clusters`.
    #[serde(default, rename = "left_out")]
    _left_out: IgnoredAny,
    #[serde(flatten)]
    account: Account,
}

/// What a file is known by.
#[derive(Deserialize)]
struct Mark {
    bytes: u64,
    digest: String,
}

/// A folder that `huller dedup` wrote.
pub(crate) struct DedupRun {
    /// Whether rows were written, and not only listed.
    pub(crate) has_rows: bool,
    /// What is known of its outputs.
    pub(crate) entries: Vec<Entry>,
}

/// Rows have whatever members they had, and need none.
pub(crate) fn layout() -> Layout {
    Layout { chosen: Some(Vec::new()), ..Layout::default() }
}

impl DedupRun {
    /// Reads what a run left among its run files. `None` if another command wrote them.
    pub(crate) fn read(files: &Path, findings: &mut Findings) -> Option<DedupRun> {
        let config = match fs::read(files.join(CONFIG)) {
            Ok(config) => config,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(error) => {
                findings.damage(FindingKind::Settings, CONFIG, error.to_string());
                Vec::new()
            }
        };
        let mut has_rows = true;
        match serde_json::from_slice::<Value>(&config) {
            Ok(config) => has_rows = config["settings"]["outputs"] != "list",
            Err(error) => findings.damage(FindingKind::Settings, CONFIG, error.to_string()),
        }
        let lines: Vec<Line> = run_files::lines(files, JOURNAL, findings);
        let entries = lines.into_iter().filter_map(Line::entry).collect();
        if !has_rows {
            let detail = "rows to drop were listed, and none written: the list is not checked";
            findings.add(Severity::Note, FindingKind::OtherFile, CONFIG, detail);
        }
        Some(DedupRun { has_rows, entries })
    }
}

impl Line {
    fn entry(self) -> Option<Entry> {
        let Line::Written(written) = self else { return None };
        let Written { input, bytes, output_name, output, signatures, account, .. } = *written;
        let signatures = signatures.map(|Mark { bytes, digest }| SignatureMark {
            bytes,
            digest: digest.trim_start_matches("sha256:").to_owned(),
            row_bytes: 0,
        });
        Some(Entry {
            // An output is called what its input is, unless it is of another format.
            output: output.is_some().then(|| output_name.unwrap_or_else(|| input.clone())),
            input,
            input_bytes: bytes,
            input_read: None,
            input_digest: None,
            output_bytes: output.as_ref().map_or(0, |mark| mark.bytes),
            digest: output.map(|mark| mark.digest),
            files: Vec::new(),
            also: Vec::new(),
            rejects_bytes: None,
            cut_by_limit: false,
            rejects_digest: None,
            dropped_bytes: None,
            dropped_digest: None,
            signatures,
            account,
            config: String::new(),
        })
    }
}
