//! The names of the outputs of a run.

use crate::plan::{Job, name_of};
use crate::run_files::places::passages_folder;
use std::path::{Path, PathBuf};

/// The endings of the outputs of an input, and the folder of its passages.
#[derive(Clone, Debug)]
pub struct OutputNames {
    /// The endings in the folder of the rows, that of the first format first.
    suffixes: Vec<String>,
    /// The way to the folder of the passages, and the ending of their files.
    passages: Option<(PathBuf, String)>,
}

impl OutputNames {
    /// Makes the names of outputs with these endings, that of the first format first.
    pub fn new(suffixes: Vec<String>) -> OutputNames {
        OutputNames { suffixes, passages: None }
    }

    /// Adds passages: the [way](crate::run_files::places::way_to_passages) to their folder, and
    /// the ending of their files.
    #[must_use]
    pub fn with_passages(self, passages: Option<(PathBuf, String)>) -> OutputNames {
        OutputNames { passages, ..self }
    }

    /// Returns the way to the folder of the passages.
    pub(crate) fn way(&self) -> Option<&Path> {
        self.passages.as_ref().map(|(way, _)| way.as_path())
    }

    /// Returns the ending of the first format.
    pub fn first(&self) -> &str {
        self.suffixes.first().map_or("", String::as_str)
    }

    /// Returns the paths of all outputs of a job.
    pub fn paths<'a>(&'a self, root: &'a Path, job: &'a Job) -> impl Iterator<Item = PathBuf> + 'a {
        let rows = self.suffixes.iter().map(|suffix| job.output_path(root, suffix));
        rows.chain(self.passages(root, job).map(|(path, _)| path))
    }

    /// Returns the path of the passages of a job, and their name as run files have it.
    pub fn passages(&self, root: &Path, job: &Job) -> Option<(PathBuf, String)> {
        let (way, suffix) = self.passages.as_ref()?;
        let path = job.output_path(&passages_folder(root, way), suffix);
        Some((path, name_of(&job.output_path(way, suffix))))
    }
}
