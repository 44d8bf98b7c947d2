//! The interface of a store to which a run writes its outputs. This crate has no network code;
//! another crate implements [`OutputStore`].

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// The objects of a store below one URL. Each has a name relative to that URL, such as
/// `crawl/a.jsonl.zst`. An object exists completely or not at all. A run relies on this instead of
/// renaming.
///
/// Errors never contain a secret part of the URL.
pub trait OutputStore: Debug + Send + Sync {
    /// Returns the URL as messages show it, without `/` at its end.
    fn display_url(&self) -> &str;

    /// Checks whether an object can have this name.
    ///
    /// # Errors
    ///
    /// The store cannot have such a name, with the reason.
    fn check_name(&self, name: &str) -> io::Result<()>;

    /// Returns the names of all objects, and their lengths in bytes.
    ///
    /// # Errors
    ///
    /// The store cannot be reached, or refuses the request.
    fn list(&self) -> io::Result<BTreeMap<String, u64>>;

    /// Returns the bytes of a small object; `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// The bytes cannot be read.
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Writes a small object and replaces an existing one.
    ///
    /// # Errors
    ///
    /// The store cannot be reached, or refuses the request.
    fn write(&self, name: &str, bytes: Vec<u8>) -> io::Result<()>;

    /// Uploads local files, replaces existing objects, and checks that the store has as many bytes
    /// as the files. After an error some of the objects may exist. It ends soon after `stop` is
    /// set, with an error.
    ///
    /// # Errors
    ///
    /// A file cannot be read, the store cannot be reached or refuses the request, or `stop` was
    /// set.
    fn upload(&self, files: &[Upload], stop: &AtomicBool) -> io::Result<()>;

    /// Removes objects. A missing object is not an error.
    ///
    /// # Errors
    ///
    /// The store cannot be reached, or refuses the request.
    fn remove(&self, names: &[String]) -> io::Result<()>;

    /// Returns the maximum number of bytes of memory that the store uses.
    fn max_memory_bytes(&self) -> usize;
}

/// A file that will become an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// The name of the object.
    pub name: String,
    /// The path of the local file.
    pub path: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
}
