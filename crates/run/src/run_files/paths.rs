//! Names of the files that a run writes besides its outputs.

use crate::durable::new_name;
use crate::run_files::{checkpoint, input_list, journal, run_config, timing};
use std::path::{Path, PathBuf};

/// Name of the folder with the run files.
pub const RUN_FILES: &str = "_huller";

/// Name of the mark of a complete run, which is written last.
pub const SUCCESS: &str = "_SUCCESS";

/// Name of the file that a run locks while it works in the folder.
pub const LOCK: &str = "lock";

/// Name of the journal of `huller dedup`: signed inputs and decisions, one entry per line.
pub const DEDUP_JOURNAL: &str = "dedup.journal";

/// Name of the file with the clusters of `huller dedup`.
pub const DEDUP_CLUSTERS: &str = "dedup.clusters";

/// Name of the journal of `huller links`: the files of the graph in the folder.
pub const GRAPH_JOURNAL: &str = "graph.journal";

/// Name of the file with the tombstones of withdrawn pages. A run that overwrites another one keeps
/// it.
pub const WITHDRAWALS: &str = "run.withdrawals";

/// Name of the log of replaced outputs, which exists only while a finished run is changed.
pub const REDO: &str = "run.redo";

/// The names of all run files.
const NAMES: [&str; 13] = [
    journal::NAME,
    checkpoint::NAME,
    "run.account",
    "run.account.csv",
    timing::NAME,
    LOCK,
    run_config::NAME,
    input_list::NAME,
    DEDUP_JOURNAL,
    DEDUP_CLUSTERS,
    GRAPH_JOURNAL,
    WITHDRAWALS,
    REDO,
];

/// Returns the name of a run file, relative to the output folder.
pub fn run_file(name: &str) -> String {
    format!("{RUN_FILES}/{name}")
}

/// Returns all files that a run leaves besides its outputs.
pub fn run_files(root: &Path) -> impl Iterator<Item = PathBuf> {
    let files = root.join(RUN_FILES);
    NAMES.into_iter().map(move |name| files.join(name)).chain([root.join(SUCCESS)])
}

/// Returns all files that a run writes besides its outputs, including their temporary names.
pub fn written_files(root: &Path) -> impl Iterator<Item = PathBuf> {
    run_files(root).flat_map(|file| [new_name(&file), file])
}
