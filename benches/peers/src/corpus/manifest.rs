//! The manifest of a corpus: counts and digest, stored beside it. Tables of results are checked against it.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

/// Counts and digest of a corpus file.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Manifest {
    /// Name of the file.
    pub name: String,
    /// All records.
    pub records: u64,
    /// HTML responses.
    pub pages: u64,
    /// Uncompressed size.
    pub raw_bytes: u64,
    /// Size of the file.
    pub compressed_bytes: u64,
    /// SHA-256 of the file, in hex.
    pub sha256: String,
}

impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, records, pages, raw_bytes, compressed_bytes, sha256 } = self;
        write!(
            f,
            "{name}: {records} records, {pages} pages, {raw_bytes} bytes raw, \
             {compressed_bytes} compressed\nsha256 {sha256}"
        )
    }
}

impl Manifest {
    /// The path of a corpus's manifest: `NAME.warc.gz.json`.
    pub fn path(corpus: &Path) -> PathBuf {
        let mut name = OsString::from(corpus);
        name.push(".json");
        name.into()
    }

    /// Writes the manifest beside its corpus.
    pub fn save(&self, corpus: &Path) -> Result<()> {
        let path = Self::path(corpus);
        let save =
            || Ok::<_, anyhow::Error>(serde_json::to_writer_pretty(File::create(&path)?, self)?);
        save().with_context(|| format!("cannot write '{}'", path.display()))
    }
}

/// The name of a corpus without its folder.
pub fn name_of(corpus: &Path) -> String {
    corpus.file_name().map(|name| name.display().to_string()).unwrap_or_default()
}
