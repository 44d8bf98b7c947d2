//! Names of the files that a run writes besides its outputs.

use crate::run_files::{input_list, journal, run_config};
use std::path::{Path, PathBuf};

/// Name of the folder with the run files.
pub const RUN_FILES: &str = "_huller";

/// Written last, when nothing is left to do.
pub const SUCCESS: &str = "_SUCCESS";

/// The name of a run file, relative to the output folder.
pub fn run_file(name: &str) -> String {
    format!("{RUN_FILES}/{name}")
}

/// All files that a run writes besides its outputs.
pub fn run_files(root: &Path) -> impl Iterator<Item = PathBuf> {
    let names = [
        journal::NAME,
        journal::NEW,
        "run.checkpoint",
        "run.account",
        "run.account.csv",
        "run.timing",
        "lock",
        run_config::NAME,
        run_config::NEW,
        input_list::NAME,
        input_list::NEW,
    ];
    let files = root.join(RUN_FILES);
    names.into_iter().map(move |name| files.join(name)).chain([root.join(SUCCESS)])
}
