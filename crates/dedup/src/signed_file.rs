//! Reads a file of signatures record by record.

use crate::error::DedupError;
use huller_refine::signature::SignatureSettings;
use huller_refine::signature::signature_file::{Header, RecordView};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Approximate bytes that are read at a time.
const READ_BYTES: usize = 1 << 20;

/// A file of signatures. Only its header is in memory.
#[derive(Clone, Debug)]
pub(crate) struct SignedFile {
    pub(crate) path: PathBuf,
    pub(crate) header: Header,
    /// Number of rows in the file.
    pub(crate) rows: u64,
    /// Offset of its first record.
    start: u64,
    /// Whether this run has written it.
    is_own: bool,
}

impl SignedFile {
    /// Reads the header and checks that all records are whole.
    pub(crate) fn open(path: &Path) -> Result<SignedFile, DedupError> {
        let mut file = File::open(path).map_err(DedupError::input_error(path))?;
        let length = file.metadata().map_err(DedupError::input_error(path))?.len();
        let mut bytes = Vec::new();
        let max_bytes = Header::MAX_BYTES as u64;
        file.by_ref()
            .take(max_bytes)
            .read_to_end(&mut bytes)
            .map_err(DedupError::input_error(path))?;
        let (header, start) = Header::read(&bytes).map_err(DedupError::bad_format(path))?;
        let (start, record) = (start as u64, header.record_bytes() as u64);
        let records = length - start;
        if !records.is_multiple_of(record) {
            let problem = format!(
                "{records} bytes are not a multiple of the record length of \
                {record} bytes"
            );
            return Err(DedupError::unusable_signatures(path, problem));
        }
        let (path, rows) = (path.to_owned(), records / record);
        Ok(SignedFile { path, header, rows, start, is_own: false })
    }

    /// Opens signatures that this run has written. A failure concerns the run's own output, which
    /// `--resume` repairs.
    pub(crate) fn reopen(path: &Path) -> Result<SignedFile, DedupError> {
        match SignedFile::open(path) {
            Err(DedupError::Input { path, source }) => {
                Err(DedupError::output_error("read", &path)(source))
            }
            opened => opened.map(|file| SignedFile { is_own: true, ..file }),
        }
    }

    /// Makes the error of a file that cannot be read.
    pub(crate) fn unreadable(&self, error: io::Error) -> DedupError {
        if self.is_own {
            DedupError::output_error("read", &self.path)(error)
        } else {
            DedupError::input_error(&self.path)(error)
        }
    }

    /// Refuses signatures that cannot be compared with those of a run.
    pub(crate) fn check(&self, settings: SignatureSettings) -> Result<(), DedupError> {
        if self.header.settings() == settings {
            return Ok(());
        }
        let json = |settings| serde_json::to_string(&settings).expect("settings are plain data");
        let problem = format!(
            "they were computed with {}, but this run uses {}",
            json(self.header.settings()),
            json(settings)
        );
        Err(DedupError::unusable_signatures(&self.path, problem))
    }

    /// Returns the offset of a record.
    pub(crate) fn offset(&self, record: u64) -> u64 {
        self.start + record * self.header.record_bytes() as u64
    }

    /// Opens the file at a record.
    pub(crate) fn opened_at(&self, record: u64) -> Result<File, DedupError> {
        let open = || {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(self.offset(record)))?;
            Ok(file)
        };
        open().map_err(|error| self.unreadable(error))
    }

    /// Calls `each` with every record, in order.
    pub(crate) fn for_each(
        &self,
        mut each: impl FnMut(RecordView<'_>) -> Result<(), DedupError>,
    ) -> Result<(), DedupError> {
        self.pieces(0, self.rows, |records| {
            let records =
                self.header.records(records).map_err(DedupError::bad_format(&self.path))?;
            records.into_iter().try_for_each(&mut each)
        })
    }

    /// Returns the bytes of some records.
    pub(crate) fn read(&self, first_row: u64, rows: u64) -> Result<Vec<u8>, DedupError> {
        let mut all_bytes = Vec::new();
        self.pieces(first_row, rows, |records| {
            all_bytes.extend_from_slice(records);
            Ok(())
        })?;
        Ok(all_bytes)
    }

    /// Calls `each` with the bytes of whole records.
    fn pieces(
        &self,
        first_row: u64,
        rows: u64,
        mut each: impl FnMut(&[u8]) -> Result<(), DedupError>,
    ) -> Result<(), DedupError> {
        let record = self.header.record_bytes();
        let mut file = self.opened_at(first_row)?;
        let step = (READ_BYTES / record).max(1) as u64;
        let (mut rows_left, mut bytes) = (rows, Vec::new());
        while rows_left > 0 {
            let piece_rows = rows_left.min(step);
            bytes.resize(piece_rows as usize * record, 0);
            file.read_exact(&mut bytes).map_err(|error| self.unreadable(error))?;
            each(&bytes)?;
            rows_left -= piece_rows;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_of_the_run_that_cannot_be_read_are_faults_of_its_output() {
        let path = Path::new("no/such.sig");
        let input = SignedFile::open(path).err().unwrap();
        assert!(matches!(input, DedupError::Input { .. }), "{input}");
        let output = SignedFile::reopen(path).err().unwrap();
        assert!(matches!(output, DedupError::Run(_)), "{output}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sig");
        std::fs::write(&path, Header::new(SignatureSettings::default()).to_bytes()).unwrap();
        let [input, output] = [SignedFile::open(&path), SignedFile::reopen(&path)];
        std::fs::remove_file(&path).unwrap();
        let gone = |file: Result<SignedFile, _>| file.unwrap().read(0, 0).unwrap_err();
        assert!(matches!(gone(input), DedupError::Input { .. }));
        assert!(matches!(gone(output), DedupError::Run(_)));
    }
}
