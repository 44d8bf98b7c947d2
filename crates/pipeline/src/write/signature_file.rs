//! The file of signatures that belongs to an output.
//!
//! It gets its name before the output does, so a named output has its signatures. What journal and checkpoints note of it makes sure
//! that they are those of the output's rows.

use crate::clocks::Clocks;
use crate::error::RunError;
use crate::run_files::marks::SignatureMark;
use crate::run_files::paths::RUN_FILES;
use crate::work::signed_rows::SignedRows;
use crate::write::digest::Asked;
use crate::write::output_file::OutputFile;
use huller_refine::signature::file::Header;
use std::path::{Path, PathBuf};

/// Folder of these files among the run files.
const FOLDER: &str = "signatures";

/// The file of the output that is called `output` below `root`.
pub(crate) fn path_of(root: &Path, output: &str) -> PathBuf {
    let mut name = crate::plan::path_of(output).into_os_string();
    name.push(".sig");
    root.join(RUN_FILES).join(FOLDER).join(name)
}

/// Its name, relative to the output folder.
pub(crate) fn name_of(output: &str) -> String {
    format!("{RUN_FILES}/{FOLDER}/{output}.sig")
}

/// The file being written.
pub(crate) struct SignatureFile {
    file: OutputFile,
    header: Header,
    row_bytes: u64,
}

impl SignatureFile {
    /// Begins it, over the remains of an earlier one.
    pub(crate) fn create(path: &Path, header: Header) -> Result<SignatureFile, RunError> {
        let mut file = OutputFile::create(path)?;
        file.append(&header.to_bytes())?;
        Ok(SignatureFile { file, header, row_bytes: 0 })
    }

    /// Goes on with the one that an earlier run left, from where it was for one of `marks`. `None` if it is not there any more.
    pub(crate) fn resume(
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

    /// Cuts off what an earlier run wrote after the point from which this one goes on.
    pub(crate) fn cut(&mut self) -> Result<(), RunError> {
        self.file.cut()
    }

    /// Appends the signatures of a batch.
    pub(crate) fn append(&mut self, signed: &mut SignedRows) -> Result<(), RunError> {
        let (records, row_bytes) = signed.placed(self.header, self.row_bytes);
        self.file.append(records)?;
        self.row_bytes += row_bytes;
        Ok(())
    }

    /// Has the CPU time counted that its digest takes in a thread of its own.
    pub(crate) fn count_in(&mut self, clocks: &Clocks) {
        self.file.count_in(clocks);
    }

    /// The file as it is now, but for its digest, which may be taken later.
    pub(crate) fn measure(&mut self) -> Result<(SignatureMark, Asked), RunError> {
        let (bytes, digest, row_bytes) = (self.file.written(), String::new(), self.row_bytes);
        Ok((SignatureMark { bytes, digest, row_bytes }, self.file.ask_digest()?))
    }

    /// The file as it is now.
    pub(crate) fn mark(&mut self) -> Result<SignatureMark, RunError> {
        let (mark, digest) = self.measure()?;
        Ok(SignatureMark { digest: digest.hex()?, ..mark })
    }

    /// Makes it durable under its name.
    pub(crate) fn finish(self) -> Result<(), RunError> {
        self.file.finish()
    }

    /// Removes it: the output has no rows.
    pub(crate) fn discard(self) -> Result<(), RunError> {
        self.file.discard()
    }
}
