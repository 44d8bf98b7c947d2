//! What a store of files elsewhere must give. This crate knows no network: who has one implements
//! [`Store`].

use std::fmt::Debug;
use std::io::{self, Read};
use std::sync::Arc;

/// Opens files at addresses, such as `s3://bucket/key`.
pub trait Store: Debug + Send + Sync {
    /// Opens a file and finds out how long it is.
    ///
    /// # Errors
    ///
    /// It is not there, must not be read, or cannot be reached. The error says nothing secret of
    /// the address.
    fn open(&self, address: &str) -> io::Result<Arc<dyn RemoteFile>>;

    /// Bytes of files that have come so far, those that were asked for again included.
    fn got_bytes(&self) -> u64 {
        0
    }

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

    /// What tells this version of the file from any other, such as its `ETag`. `None` if the store
    /// says nothing of the kind; then a file may change unnoticed but for its length.
    fn identity(&self) -> Option<&str>;

    /// Reads bytes at an offset, all that fit into the buffer but at the end of the file. Returns
    /// their number.
    ///
    /// # Errors
    ///
    /// They cannot be had, or the file is not any more what it was.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// The bytes from an offset on, to be read in order: the store may fetch some of them before
    /// they are asked for.
    fn read_from(self: Arc<Self>, offset: u64) -> Box<dyn Read + Send + Sync>;
}
