//! Where files that are no local ones come from. This crate knows no network: who has one implements [`Store`].

use super::address::is_remote;
use super::input_file::InputFile;
use std::fmt::Debug;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// Opens files at addresses, such as `s3://bucket/key`.
pub trait Store: Debug + Send + Sync {
    /// Opens a file and finds out how long it is.
    ///
    /// # Errors
    ///
    /// It is not there, must not be read, or cannot be reached. The error says nothing secret of the address.
    fn open(&self, address: &str) -> io::Result<Arc<dyn RemoteFile>>;

    /// Most bytes of memory that it takes, whatever is read.
    fn held_bytes(&self) -> usize;
}

/// An open file of a [`Store`]. Everything that is read of it is of one version of it.
pub trait RemoteFile: Debug + Send + Sync {
    /// Its length in bytes.
    fn len(&self) -> u64;

    /// Whether it holds nothing.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What tells this version of the file from any other, such as its `ETag`. `None` if the store says nothing of the kind; then a file
    /// may change unnoticed but for its length.
    fn identity(&self) -> Option<&str>;

    /// Reads bytes at an offset, all that fit into the buffer but at the end of the file. Returns their number.
    ///
    /// # Errors
    ///
    /// They cannot be had, or the file is not any more what it was.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// The bytes from an offset on, to be read in order: the store may fetch some of them before they are asked for.
    fn read_from(self: Arc<Self>, offset: u64) -> Box<dyn Read + Send + Sync>;
}

/// The files that a program can reach: those of this machine, and those of a [`Store`] if it has one. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Stores(Option<Arc<dyn Store>>);

impl Stores {
    /// Local files, and at addresses those of this store.
    pub fn of(store: Arc<dyn Store>) -> Stores {
        Stores(Some(store))
    }

    /// Opens a local file, or one at an address. A local file that is called like an address comes first.
    ///
    /// # Errors
    ///
    /// It cannot be opened. Of an address where there is no store the kind is [`io::ErrorKind::Unsupported`].
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
pub const NO_STORE: &str = "addresses are read by `extract`, `refine`, `records`, `get`, `explain` and `verify` alone, of a program that was built \
     with the feature `remote` (`--features remote`); download the file, or pipe it to standard input, as in `curl URL | huller extract - -o DIR`";
