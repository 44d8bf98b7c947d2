//! The files that a program can reach: local ones, and those in a store.

use super::address::is_remote;
use super::input_file::InputFile;
use super::remote::Store;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The files that a program can reach: local ones, and those in a [`Store`] if the program has one.
/// Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Stores(Option<Arc<dyn Store>>);

impl Stores {
    /// Returns stores with local files and the remote files of `store`.
    pub fn with_store(store: Arc<dyn Store>) -> Stores {
        Stores(Some(store))
    }

    /// Opens a local or remote file. A local file whose name looks like a URL has priority.
    ///
    /// # Errors
    ///
    /// The file cannot be opened. For a URL without a store the kind is
    /// [`io::ErrorKind::Unsupported`].
    pub fn open(&self, path: &Path) -> io::Result<InputFile> {
        if !self.is_elsewhere(path) {
            return InputFile::local(path);
        }
        let Some(store) = &self.0 else {
            return Err(io::Error::new(io::ErrorKind::Unsupported, NO_STORE));
        };
        let address = path.to_str().ok_or(io::ErrorKind::InvalidFilename)?;
        Ok(InputFile::remote(store.open(address)?))
    }

    /// Returns whether a path is a URL of a remote file, and no local file has this name.
    pub fn is_elsewhere(&self, path: &Path) -> bool {
        is_remote(path) && !path.exists()
    }

    /// Returns whether remote files can be read.
    pub fn has_store(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the number of bytes of remote files that were received so far.
    pub fn got_bytes(&self) -> u64 {
        self.0.as_ref().map_or(0, |store| store.got_bytes())
    }

    /// Returns the most bytes of memory that reading remote files uses.
    pub fn max_memory_bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |store| store.max_memory_bytes())
    }
}

/// Two values are equal if they reach the same files.
impl PartialEq for Stores {
    fn eq(&self, other: &Stores) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Eq for Stores {}

/// The reason why a URL cannot be read without a store, and the remedy.
pub const NO_STORE: &str = "URLs are read only by `extract`, `refine`, `dedup`, `index`, \
     `records`, `get`, `explain` and `verify`, in a program built with the feature `remote` \
     (`--features remote`); download the file, or pipe it to standard input, as in `curl URL | \
     huller extract - -o DIR`";
