//! Which rows are in an index. It is written with each commit, in the same file, so that both are always of one moment.

use huller_run::account::Account;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

    pub(crate) fn to_payload(&self) -> String {
        serde_json::to_string(self).expect("the state is plain data")
    }

    /// The state of a commit.
    pub(crate) fn of_payload(payload: Option<&str>) -> Result<State, String> {
        let payload = payload.ok_or("it was not made by `huller index`")?;
        let state: State = serde_json::from_str(payload)
            .map_err(|error| format!("what it holds cannot be read ({error})"))?;
        if state.version != VERSION {
            return Err(format!(
                "it has version {}, and this program makes {VERSION}",
                state.version
            ));
        }
        Ok(state)
    }
}
