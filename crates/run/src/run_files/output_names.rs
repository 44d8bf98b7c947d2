//! The names of the outputs of a run.

use crate::plan::{Job, name_of};
use crate::run_files::output_folders::resolve_relative;
use crate::run_files::side_tables::SideTables;
use std::path::{Path, PathBuf};

/// The endings of the outputs of an input, and the folders of its side tables.
#[derive(Clone, Debug)]
pub struct OutputNames {
    /// The endings in the folder of the rows, that of the first format first.
    suffixes: Vec<String>,
    /// The relative folder of each side table, and the ending of its files.
    side_tables: SideTables<(PathBuf, String)>,
}

impl OutputNames {
    /// Makes the names of outputs with these endings, that of the first format first.
    pub fn new(suffixes: Vec<String>) -> OutputNames {
        OutputNames { suffixes, side_tables: SideTables::default() }
    }

    /// Adds side tables: the [relative folder](crate::run_files::output_folders::relative_folders)
    /// of each, and the ending of its files.
    #[must_use]
    pub fn with_side_tables(self, side_tables: SideTables<(PathBuf, String)>) -> OutputNames {
        OutputNames { side_tables, ..self }
    }

    /// Returns the relative folders of the side tables.
    pub(crate) fn relative_folders(&self) -> SideTables<PathBuf> {
        self.side_tables.map(|_, (folder, _)| folder.clone())
    }

    /// Returns the ending of the first format.
    pub fn first_suffix(&self) -> &str {
        self.suffixes.first().map_or("", String::as_str)
    }

    /// Returns the paths of all outputs of a job.
    pub fn paths<'a>(&'a self, root: &'a Path, job: &'a Job) -> impl Iterator<Item = PathBuf> + 'a {
        let rows = self.suffixes.iter().map(|suffix| job.output_path(root, suffix));
        rows.chain(self.side_files(root, job).into_iter().map(|(path, _)| path))
    }

    /// Returns the path of the file of a job in each side table, and its name as run files have it.
    pub fn side_files(&self, root: &Path, job: &Job) -> SideTables<(PathBuf, String)> {
        self.side_tables.map(|_, (folder, suffix)| {
            let path = job.output_path(&resolve_relative(root, folder), suffix);
            (path, name_of(&job.output_path(folder, suffix)))
        })
    }
}
