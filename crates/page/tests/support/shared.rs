//! The folder of test data that belongs to others and is not part of the project.

use std::path::{Path, PathBuf};

/// A file of the shared folder, which is named by `HULLER_SHARED` or stands beside the project. Where it is absent, says so and
/// gives `None`; the test is to return then.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
pub(crate) fn shared_file(path: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("HULLER_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let file = folder.join(path);
    if file.exists() {
        return Some(file);
    }
    eprintln!("skipped: no {path} in the shared folder (set HULLER_SHARED)");
    None
}
