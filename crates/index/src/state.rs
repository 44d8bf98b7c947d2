//! Which rows are in an index. It is written with each commit, in the same file, so that both are
//! always of one moment.

use huller_run::account::Account;
use huller_run::summary::InputSummary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tantivy::IndexMeta;

/// Version of the fields and of how words are made. An index of another one is not gone on with.
pub(crate) const VERSION: u32 = 2;

/// What an index holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) version: u32,
    /// By name.
    pub(crate) files: BTreeMap<String, FileState>,
}

/// How far a file is in the index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileState {
    /// Place after the last line that is in.
    pub(crate) end: u64,
    /// Lines up to there.
    pub(crate) lines: u64,
    /// A digest of these lines, hexadecimal.
    pub(crate) digest: String,
    /// Whether that is its end.
    pub(crate) is_whole: bool,
    pub(crate) account: Account,
}

impl State {
    pub(crate) fn new() -> State {
        State { version: VERSION, files: BTreeMap::new() }
    }

    /// The statistics of all files, in order of their names.
    pub(crate) fn summaries(&self) -> Vec<InputSummary> {
        let summary = |(name, file): (&String, &FileState)| InputSummary {
            name: name.clone(),
            bytes: file.end,
            account: file.account.clone(),
        };
        self.files.iter().map(summary).collect()
    }

    pub(crate) fn to_payload(&self) -> String {
        serde_json::to_string(self).expect("the state is plain data")
    }

    /// The state of an index. `None` if nothing was ever committed: its making was broken off.
    pub(crate) fn of_index(meta: &IndexMeta) -> Result<Option<State>, String> {
        let Some(payload) = &meta.payload else {
            let is_new = meta.segments.is_empty();
            return if is_new { Ok(None) } else { Err("it was not made by `huller index`".into()) };
        };
        let state: State = serde_json::from_str(payload)
            .map_err(|error| format!("what it holds cannot be read ({error})"))?;
        if state.version != VERSION {
            return Err(format!(
                "it has version {}, and this program makes {VERSION}",
                state.version
            ));
        }
        Ok(Some(state))
    }
}
