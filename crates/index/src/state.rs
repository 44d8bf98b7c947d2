//! The state of an index: which rows it has. Each commit writes it in the same file, so the state
//! and the rows always agree.

use huller_run::counters::Counters;
use huller_run::summary::InputSummary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tantivy::IndexMeta;

/// Version of the fields and of the tokenizer. An index of another version cannot be resumed.
pub(crate) const VERSION: u32 = 5;

/// The files whose rows are in the index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IndexState {
    /// Version of the file format.
    pub(crate) version: u32,
    /// Whether the rows are passages of pages.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) has_passages: bool,
    /// The files by name.
    pub(crate) files: BTreeMap<String, FileState>,
    /// Digests of the ends of all files of the index, by name
    /// ([`file_digests`](crate::integrity::file_digests)). Empty before the end of a run.
    #[serde(default, rename = "tails", skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) file_digests: BTreeMap<String, String>,
}

/// The part of a file that is in the index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileState {
    /// Place after the last indexed line.
    pub(crate) end: u64,
    /// Number of lines up to this place.
    pub(crate) lines: u64,
    /// Digest of these lines, hexadecimal.
    pub(crate) digest: String,
    /// Whether the file ends there.
    #[serde(rename = "is_whole")]
    pub(crate) is_complete: bool,
    #[serde(rename = "account")]
    pub(crate) counters: Counters,
}

impl IndexState {
    pub(crate) fn new() -> IndexState {
        IndexState { version: VERSION, ..IndexState::default() }
    }

    /// Notes whether the rows are passages. Refuses another kind of rows than the index has.
    pub(crate) fn set_passages(&mut self, has_passages: bool) -> Result<(), String> {
        if !self.files.is_empty() && self.has_passages != has_passages {
            let (rows, remedy) =
                if self.has_passages { ("passages", "add") } else { ("whole pages", "leave out") };
            return Err(format!(
                "the index has {rows}: {remedy} --passages, or choose another index"
            ));
        }
        self.has_passages = has_passages;
        Ok(())
    }

    /// Returns the statistics of all files, sorted by name.
    pub(crate) fn summaries(&self) -> Vec<InputSummary> {
        let summary = |(name, file): (&String, &FileState)| InputSummary {
            name: name.clone(),
            bytes: file.end,
            counters: file.counters.clone(),
        };
        self.files.iter().map(summary).collect()
    }

    /// Returns the number of lines of all files.
    pub(crate) fn lines(&self) -> u64 {
        self.files.values().map(|file| file.counters.records).sum()
    }

    pub(crate) fn to_payload(&self) -> String {
        serde_json::to_string(self).expect("the state is plain data")
    }

    /// Returns the state of an index. `None` if the index has no commit, because its first run was
    /// interrupted.
    pub(crate) fn from_index(meta: &IndexMeta) -> Result<Option<IndexState>, String> {
        let Some(payload) = &meta.payload else {
            let is_new = meta.segments.is_empty();
            return if is_new { Ok(None) } else { Err("it was not made by `huller index`".into()) };
        };
        let state: IndexState = serde_json::from_str(payload)
            .map_err(|error| format!("its state cannot be read ({error})"))?;
        if state.version != VERSION {
            return Err(format!(
                "it has version {}; this program writes version {VERSION}",
                state.version
            ));
        }
        Ok(Some(state))
    }
}
