//! Files that remember failed reads.
//!
//! The kind of an error does not show whether a decoder found damage or the file or store failed.
//! The difference matters: damage is permanent, but a later run may succeed after a failed read.

use crate::store::input_file::InputFile;
use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

/// A file that is read in order.
pub(crate) struct WatchedReader<R> {
    file: R,
    /// Whether a read has failed.
    pub(crate) has_failed: bool,
}

impl<R> WatchedReader<R> {
    pub(crate) fn new(file: R) -> WatchedReader<R> {
        WatchedReader { file, has_failed: false }
    }
}

impl<R: Read> Read for WatchedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer);
        self.has_failed |= read.is_err();
        read
    }
}

/// A file that is read at given offsets.
pub(super) struct WatchedFile {
    file: InputFile,
    failed: Failed,
}

/// The first error of a [`WatchedFile`].
pub(super) type Failed = Rc<RefCell<Option<io::Error>>>;

impl WatchedFile {
    pub(super) fn new(file: InputFile) -> (WatchedFile, Failed) {
        let failed = Failed::default();
        (WatchedFile { file, failed: Rc::clone(&failed) }, failed)
    }
}

impl rawzip::ReaderAt for WatchedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.file.read_at(buffer, offset).inspect_err(|error| {
            // An error cannot be copied, so the copy has only its kind and text.
            let same = || io::Error::new(error.kind(), error.to_string());
            self.failed.borrow_mut().get_or_insert_with(same);
        })
    }
}
