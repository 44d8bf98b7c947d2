//! Crate `fastwarc`: iterate the records, read the bodies of HTML responses.

use std::path::Path;

use anyhow::Result;

use crate::pages;
use crate::report::Counts;

/// Reads a whole file.
pub fn run(path: &Path) -> Result<Counts> {
    pages::for_each(path, |_| Ok(()))
}
