//! What a store must give that a run writes its outputs to. This crate knows no network: who has
//! one implements [`OutputStore`].

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// The objects of a store below one address, each with a name relative to that address, such as
/// `crawl/a.jsonl.zst`. An object is there whole or not at all: that is what a run relies on in
/// place of renaming.
///
/// All errors say nothing secret of the address.
pub trait OutputStore: Debug + Send + Sync {
    /// The address as messages show it, without `/` at its end.
    fn address(&self) -> &str;

    /// Whether an object can have this name.
    ///
    /// # Errors
    ///
    /// It cannot, and why.
    fn check_name(&self, name: &str) -> io::Result<()>;

    /// The names of all objects, and their lengths in bytes.
    ///
    /// # Errors
    ///
    /// The store cannot be reached, or refuses.
    fn list(&self) -> io::Result<BTreeMap<String, u64>>;

    /// The bytes of a small object; `None` if it is not there.
    ///
    /// # Errors
    ///
    /// They cannot be had.
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Puts a small object, in place of one that is there.
    ///
    /// # Errors
    ///
    /// The store cannot be reached, or refuses.
    fn write(&self, name: &str, bytes: Vec<u8>) -> io::Result<()>;

    /// Puts files of this machine, in place of objects that are there, and makes sure that the
    /// store has as many bytes as they have. Where it fails some may be there and others not. It
    /// ends soon after `stop` is set, with an error.
    ///
    /// # Errors
    ///
    /// A file cannot be read, the store cannot be reached or refuses, or `stop` was set.
    fn upload(&self, files: &[Upload], stop: &AtomicBool) -> io::Result<()>;

    /// Removes objects. Those that are not there are no error.
    ///
    /// # Errors
    ///
    /// The store cannot be reached, or refuses.
    fn remove(&self, names: &[String]) -> io::Result<()>;

    /// Most bytes of memory that it takes.
    fn held_bytes(&self) -> usize;
}

/// A file that is to become an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// The object's name.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
}
