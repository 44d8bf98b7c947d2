//! One input and its output.

use huller_archive::PlannedRecord;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The source of the records of one output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobSource {
    /// A file that is not HTML by its name: an archive, or rows. Without a known suffix it may be a
    /// page.
    File(PathBuf),
    /// The records of a WARC or ARC file that an index names, in the order of the file.
    Indexed {
        /// The file.
        path: PathBuf,
        /// The records.
        records: Arc<[PlannedRecord]>,
    },
    /// The HTML files of one folder.
    Html(Vec<HtmlFile>),
    /// Standard input.
    Stdin,
}

/// A file that is a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HtmlFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Name of the page in rows and rejects: its path as a list has it, or relative to the given
    /// folder. For a file given directly, the name of its folder comes first.
    pub name: String,
}

/// One input and its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Name of the input in journal, statistics and rows. It is the path as a list has it, or
    /// relative to the given folder, or only the file name of a file given directly. Two inputs
    /// have the same name only if they are the same file.
    pub name: String,
    /// Source of the records.
    pub source: JobSource,
    /// Path of the output below the output folder, without suffixes.
    pub output: PathBuf,
    /// Size in bytes, if it is known.
    pub bytes: Option<u64>,
}

impl Job {
    /// Returns the paths of all files of the input.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let (archive, pages): (_, &[HtmlFile]) = match &self.source {
            JobSource::File(path) | JobSource::Indexed { path, .. } => (Some(path.as_path()), &[]),
            JobSource::Html(files) => (None, files),
            JobSource::Stdin => (None, &[]),
        };
        archive.into_iter().chain(pages.iter().map(|file| file.path.as_path()))
    }

    /// Returns the path of the file for the rows. `suffix` is that of format and compression
    /// ([`Format::suffix`](huller_row::Format::suffix)).
    pub fn output_path(&self, folder: &Path, suffix: &str) -> PathBuf {
        let mut name = folder.join(&self.output).into_os_string();
        name.push(suffix);
        PathBuf::from(name)
    }
}
