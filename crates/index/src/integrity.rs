//! Checks the files of an index, and turns the panics of damaged files into errors.

use crate::error::IndexError;
use crate::search::NO_META;
use crate::state::State;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use tantivy::Index;

/// The result of a check of all files of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integrity {
    /// Whether the last run that built the index reached its end.
    pub is_whole: bool,
    /// Rows in the index.
    pub rows: u64,
    /// Files of the index, without those that hold its list of files.
    pub files: usize,
    /// Names of the files whose bytes differ from their checksums, sorted.
    pub damaged: Vec<String>,
}

impl Integrity {
    /// Reads every file of an index, and compares it with the checksum in it.
    ///
    /// # Errors
    ///
    /// The folder holds no index of this version, or a file is missing.
    pub fn of(path: &Path) -> Result<Integrity, IndexError> {
        let no_index = |problem| IndexError::NoIndex { path: path.to_owned(), problem };
        if !path.join("meta.json").is_file() {
            return Err(no_index(NO_META.to_owned()));
        }
        let reading = IndexError::reading(path);
        guarded(path, || {
            let index = Index::open_in_dir(path).map_err(&reading)?;
            let meta = index.load_metas().map_err(&reading)?;
            let state = State::of_index(&meta).map_err(no_index)?;
            let files = index.directory().list_managed_files();
            let is_part =
                |file: &&PathBuf| !file.ends_with("meta.json") && path.join(file).exists();
            let damaged = index.validate_checksum().map_err(&reading)?;
            let mut damaged: Vec<String> =
                damaged.iter().map(|file| file.display().to_string()).collect();
            damaged.sort();
            Ok(Integrity {
                is_whole: state.is_some_and(|state| state.files.values().all(|file| file.is_whole)),
                rows: meta.segments.iter().map(|segment| u64::from(segment.num_docs())).sum(),
                files: files.iter().filter(is_part).count(),
                damaged,
            })
        })
    }
}

thread_local! {
    static IS_READING: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this thread reads files of an index. A panic then means that a file is damaged,
/// and becomes an error. A panic hook should not report it.
pub fn is_reading() -> bool {
    IS_READING.get()
}

/// Calls a function that reads an index. The library that reads the files checks no checksum, and
/// panics at some damaged values.
///
/// # Errors
///
/// Those of the function, and [`IndexError::Damaged`] if it panics.
pub(crate) fn guarded<T>(
    path: &Path,
    read: impl FnOnce() -> Result<T, IndexError>,
) -> Result<T, IndexError> {
    IS_READING.set(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    IS_READING.set(false);
    result.unwrap_or_else(|_| {
        let problem = "a file is damaged; `huller verify INDEX` names it, and `huller index \
                       --overwrite` builds the index again";
        Err(IndexError::Damaged { path: path.to_owned(), problem: problem.to_owned() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_the_remedy() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| assert!(is_reading())));
        let result = guarded(Path::new("idx"), || -> Result<(), IndexError> { panic!("damaged") });
        std::panic::set_hook(hook);
        let message = result.unwrap_err().to_string();
        assert!(message.contains("'idx'") && message.contains("--overwrite"), "{message}");
        assert!(!is_reading());
    }
}
