//! The files and lines of corpora, for commands that read rows and write none: the same files in the same order, and the same lines with
//! the same places, as a run of [`run`](crate::run()) takes.

use crate::chunk::Chunk;
use crate::chunks::Chunks;
use crate::corpus;
use crate::error::DedupError;
use std::io;
use std::path::{Path, PathBuf};

/// A file of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its name in accounts: its path below the folder that was given, or its own name.
    pub name: String,
    /// Bytes as they are stored.
    pub bytes: u64,
}

/// The files of these corpora, in the order of the arguments, those of a folder in the order of their paths. What lies in `out` is no input.
///
/// # Errors
///
/// A corpus cannot be read, holds a file that is no file of rows, or two files have one name.
pub fn row_files(corpora: &[PathBuf], out: &Path) -> Result<Vec<RowFile>, DedupError> {
    let files = corpus::files(corpora, out)?.into_iter();
    Ok(files.map(|file| RowFile { path: file.path, name: file.name, bytes: file.bytes }).collect())
}

/// Whether a file of this name is read as rows, whatever is in it.
pub fn is_row_file(name: &str) -> bool {
    corpus::is_rows(name)
}

/// The lines of a file of rows, some at a time. Where they are parted is a function of the bytes and of the longest line alone.
pub struct RowLines {
    chunks: Chunks,
}

/// Some lines of a file of rows.
pub struct SomeLines(Chunk);

impl RowLines {
    /// Opens a file, which is read as its name says: as JSON Lines, decompressed, or as a table. A line above `most` bytes is skipped.
    ///
    /// # Errors
    ///
    /// It cannot be opened, or is no such table.
    pub fn open(path: &Path, most: usize) -> io::Result<RowLines> {
        Ok(RowLines { chunks: Chunks::open(path, most)? })
    }

    /// The next lines, as many as are read at once. `None` at the end.
    ///
    /// # Errors
    ///
    /// The file cannot be read any further.
    pub fn next_lines(&mut self) -> io::Result<Option<SomeLines>> {
        Ok(self.chunks.next()?.map(SomeLines))
    }
}

impl SomeLines {
    /// The lines that are not blank, without their ends, each with its place: an offset in the uncompressed file, or of Parquet the
    /// number of the row.
    pub fn lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.0.lines()
    }

    /// The place after the last line.
    pub fn end(&self) -> u64 {
        self.0.end()
    }

    /// Bytes that the lines take in memory.
    pub fn bytes(&self) -> usize {
        self.0.bytes.len()
    }

    /// What could not be read between the lines: the reason of accounts, and whether it counts as failed rather than skipped.
    pub fn faults(&self) -> impl Iterator<Item = (&'static str, bool)> {
        self.0.faults().map(|fault| (fault.name(), fault.is_failure()))
    }
}
