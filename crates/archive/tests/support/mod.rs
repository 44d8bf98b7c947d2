//! What the tests of this crate share.
#![allow(dead_code, clippy::allow_attributes, reason = "every test file uses a part of it")]

pub(crate) mod drive;
pub(crate) mod pack;
pub(crate) mod tar;

use std::path::PathBuf;

/// The folder with the test data that are not in the repository: `$HULLER_SHARED`, or `shared` beside the repository.
/// Says so on standard error where there is none.
#[expect(clippy::print_stderr, reason = "a test that is skipped must not pass unseen")]
pub(crate) fn shared(what: &str) -> Option<PathBuf> {
    let root = std::env::var_os("HULLER_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    let path = root.join(what);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {} is not there; set HULLER_SHARED", path.display());
    None
}
