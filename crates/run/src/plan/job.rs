//! One input and its output.

use huller_archive::Planned;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the records of one output come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A WARC or JSONL file; under another name, perhaps a page.
    File(PathBuf),
    /// Records of a WARC or ARC file, in its order, that an index names.
    Indexed {
        /// The file.
        path: PathBuf,
        /// The records.
        records: Arc<[Planned]>,
    },
    /// The HTML files of one folder.
    Html(Vec<HtmlFile>),
    /// Standard input.
    Stdin,
}

/// A file that is one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HtmlFile {
    /// Where it lies.
    pub path: PathBuf,
    /// Its name in rows and rejects: as a list has it, or relative to the folder given. With a file
    /// given by itself, the name of its folder comes first.
    pub name: String,
}

/// One input and its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The input's name in journal, statistics and rows: its path as a list has it, or relative to
    /// the folder given, or the file name of a file given by itself. No two inputs have the same
    /// unless they are the same file.
    pub name: String,
    /// Where the records come from.
    pub source: Source,
    /// The output below the output folder, without suffixes.
    pub output: PathBuf,
    /// Size in bytes, as far as it is known.
    pub bytes: Option<u64>,
}

impl Job {
    /// The files that are read.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let (archive, pages): (_, &[HtmlFile]) = match &self.source {
            Source::File(path) | Source::Indexed { path, .. } => (Some(path.as_path()), &[]),
            Source::Html(files) => (None, files),
            Source::Stdin => (None, &[]),
        };
        archive.into_iter().chain(pages.iter().map(|file| file.path.as_path()))
    }

    /// The file that the rows go to. `suffix` is that of format and compression
    /// ([`Format::suffix`](huller_row::Format::suffix)).
    pub fn output_path(&self, folder: &Path, suffix: &str) -> PathBuf {
        let mut name = folder.join(&self.output).into_os_string();
        name.push(suffix);
        PathBuf::from(name)
    }
}
