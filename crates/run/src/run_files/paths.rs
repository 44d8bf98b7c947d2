//! Names of the files that a run writes besides its outputs.

use crate::durable::new_name;
use crate::run_files::{checkpoint, input_list, journal, run_config, timing};
use std::path::{Path, PathBuf};

/// Name of the folder with the run files.
pub const RUN_FILES: &str = "_huller";

/// Written last, when nothing is left to do.
pub const SUCCESS: &str = "_SUCCESS";

/// Locked for as long as a run works in the folder.
pub const LOCK: &str = "lock";

/// What a run of `huller dedup` has signed and decided, an entry a line.
pub const DEDUP_JOURNAL: &str = "dedup.journal";

/// The clusters that a run of `huller dedup` found.
pub const DEDUP_CLUSTERS: &str = "dedup.clusters";

/// The names of all run files.
const NAMES: [&str; 10] = [
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
];

/// The name of a run file, relative to the output folder.
pub fn run_file(name: &str) -> String {
    format!("{RUN_FILES}/{name}")
}

/// All files that a run leaves besides its outputs.
pub fn run_files(root: &Path) -> impl Iterator<Item = PathBuf> {
    let files = root.join(RUN_FILES);
    NAMES.into_iter().map(move |name| files.join(name)).chain([root.join(SUCCESS)])
}

/// All files that a run writes besides its outputs, under their temporary names too.
pub fn written_files(root: &Path) -> impl Iterator<Item = PathBuf> {
    run_files(root).flat_map(|file| [new_name(&file), file])
}
