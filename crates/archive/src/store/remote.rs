//! The interface of a store of remote files. This crate has no network code; another crate
//! implements [`Store`].

use std::fmt::Debug;
use std::io::{self, Read};
use std::sync::Arc;

/// Opens files at URLs, such as `s3://bucket/key`.
pub trait Store: Debug + Send + Sync {
    /// Opens a file and finds its length.
    ///
    /// # Errors
    ///
    /// The file does not exist, must not be read, or cannot be reached. Errors never contain a
    /// secret part of the URL.
    fn open(&self, address: &str) -> io::Result<Arc<dyn RemoteFile>>;

    /// Returns the number of bytes of files that were received so far, including repeated requests.
    fn got_bytes(&self) -> u64 {
        0
    }

    /// Returns the most bytes of memory that the store uses for any reads.
    fn max_memory_bytes(&self) -> usize;
}

/// An open file of a [`Store`]. All reads return bytes of the same version of the file.
pub trait RemoteFile: Debug + Send + Sync {
    /// Returns the length in bytes.
    fn len(&self) -> u64;

    /// Returns whether the file is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns an identifier of this version of the file, such as its `ETag`. `None` if the store
    /// has no such identifier; then a change of the file is detected only by its length.
    fn identity(&self) -> Option<&str>;

    /// Reads bytes at an offset. Fills the buffer unless the file ends before. Returns the number
    /// of bytes.
    ///
    /// # Errors
    ///
    /// The bytes cannot be read, or the file has changed.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Returns a reader of the bytes from an offset on, in order. The store may fetch bytes in
    /// advance.
    fn read_from(self: Arc<Self>, offset: u64) -> Box<dyn Read + Send + Sync>;
}
