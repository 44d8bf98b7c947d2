//! The files that can be reached: local ones, and those of a store.

use super::address::is_remote;
use super::input_file::InputFile;
use super::remote::Store;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The files that a program can reach: those of this machine, and those of a [`Store`] if it has
/// one. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Stores(Option<Arc<dyn Store>>);

impl Stores {
    /// Local files, and at addresses those of this store.
    pub fn of(store: Arc<dyn Store>) -> Stores {
        Stores(Some(store))
    }

    /// Opens a local file, or one at an address. A local file that is called like an address comes
    /// first.
    ///
    /// # Errors
    ///
    /// It cannot be opened. Of an address where there is no store the kind is
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

    /// Whether a path is an address of another machine, and no local file is called so.
    pub fn is_elsewhere(&self, path: &Path) -> bool {
        is_remote(path) && !path.exists()
    }

    /// Whether addresses can be read.
    pub fn has_store(&self) -> bool {
        self.0.is_some()
    }

    /// Bytes of files at addresses that have come so far.
    pub fn got_bytes(&self) -> u64 {
        self.0.as_ref().map_or(0, |store| store.got_bytes())
    }

    /// Most bytes of memory that reading from addresses takes.
    pub fn held_bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |store| store.held_bytes())
    }
}

/// Two are equal if they reach the same files.
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

/// Why an address cannot be read where there is no store, and what to do.
pub const NO_STORE: &str = "addresses are read by `extract`, `refine`, `dedup`, `index`, `records`, `get`, `explain` and `verify` alone, of a program \
     that was built with the feature `remote` (`--features remote`); download the file, or pipe it to standard input, as in `curl URL | huller extract - -o DIR`";
