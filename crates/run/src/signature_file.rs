//! The file of signatures that belongs to an output.
//!
//! It gets its name before the output does, so a named output has its signatures. The marks in
//! journal and checkpoints verify that the signatures belong to the rows of the output.

use crate::clocks::Clocks;
use crate::digest::RequestedDigest;
use crate::error::RunError;
use crate::output_file::OutputFile;
use crate::run_files::marks::SignatureMark;
use crate::run_files::paths::RUN_FILES;
use huller_refine::signature::signature_file::Header;
use std::path::{Path, PathBuf};

/// Folder of signature files among the run files.
pub const FOLDER: &str = "signatures";

/// Returns the path of the signature file for the output named `output` below `root`.
pub fn path_of(root: &Path, output: &str) -> PathBuf {
    let mut name = crate::plan::path_of(output).into_os_string();
    name.push(".sig");
    root.join(RUN_FILES).join(FOLDER).join(name)
}

/// Returns the name of the signature file, relative to the output folder.
pub fn name_of(output: &str) -> String {
    format!("{RUN_FILES}/{FOLDER}/{output}.sig")
}

/// A signature file that is being written.
pub struct SignatureFile {
    file: OutputFile,
    header: Header,
    row_bytes: u64,
}

impl SignatureFile {
    /// Creates the file, and replaces the part of an earlier run.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the part or a folder above it cannot be created or written.
    pub fn create(path: &Path, header: Header) -> Result<SignatureFile, RunError> {
        let mut file = OutputFile::create(path)?;
        file.append(&header.to_bytes())?;
        Ok(SignatureFile { file, header, row_bytes: 0 })
    }

    /// Continues the file of an earlier run, from the last of `marks` that holds. `None` if no mark
    /// holds or the file is missing.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the part cannot be opened or read.
    pub fn resume(
        path: &Path,
        header: Header,
        marks: &[SignatureMark],
    ) -> Result<Option<(SignatureFile, usize)>, RunError> {
        let lengths: Vec<_> = marks.iter().map(|mark| mark.bytes).collect();
        let resumed =
            OutputFile::resume(path, &lengths, |place, digest| marks[place].digest == digest)?;
        Ok(resumed.map(|(file, place)| {
            let row_bytes = marks[place].row_bytes;
            (SignatureFile { file, header, row_bytes }, place)
        }))
    }

    /// Cuts off the bytes that an earlier run wrote after the point of resumption.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the part cannot be cut.
    pub fn cut(&mut self) -> Result<(), RunError> {
        self.file.cut()
    }

    /// Appends the records of more rows, which take `row_bytes` bytes before compression. The
    /// places in the records must begin at [`SignatureFile::row_bytes`].
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the part cannot be written.
    pub fn append(&mut self, records: &[u8], row_bytes: u64) -> Result<(), RunError> {
        self.file.append(records)?;
        self.row_bytes += row_bytes;
        Ok(())
    }

    /// Returns the number of bytes of all rows so far, before compression. It is the offset of the
    /// next row.
    pub fn row_bytes(&self) -> u64 {
        self.row_bytes
    }

    /// Returns the values that all records have in common.
    pub fn header(&self) -> Header {
        self.header
    }

    /// Counts the CPU time of the digest thread in `clocks`.
    pub fn add_time_to(&mut self, clocks: &Clocks) {
        self.file.add_time_to(clocks);
    }

    /// Returns the mark of the file at this moment without its digest, and the pending digest.
    ///
    /// # Errors
    ///
    /// [`RunError::Worker`]: the thread of the digest has died, which is a bug.
    pub fn measure(&mut self) -> Result<(SignatureMark, RequestedDigest), RunError> {
        let (bytes, digest, row_bytes) = (self.file.bytes_written(), String::new(), self.row_bytes);
        Ok((SignatureMark { bytes, digest, row_bytes }, self.file.ask_digest()?))
    }

    /// Returns the mark of the file at this moment. Waits for the digest.
    ///
    /// # Errors
    ///
    /// [`RunError::Worker`]: the thread of the digest has died, which is a bug.
    pub fn mark(&mut self) -> Result<SignatureMark, RunError> {
        let (mark, digest) = self.measure()?;
        Ok(SignatureMark { digest: digest.hex()?, ..mark })
    }

    /// Makes the file durable under its name.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the bytes cannot be made durable, or the part cannot be renamed.
    pub fn finish(self) -> Result<(), RunError> {
        self.file.finish()
    }

    /// Removes the part.
    pub fn remove(self) {
        self.file.remove();
    }

    /// Removes the file, because its output has no rows.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the earlier file cannot be removed, or the folder cannot be synced.
    pub fn discard(self) -> Result<(), RunError> {
        self.file.discard()
    }
}
