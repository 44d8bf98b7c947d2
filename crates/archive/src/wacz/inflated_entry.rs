//! Inflates a file in a ZIP file.

use super::watched_reader::WatchedReader;
use crate::store::input_file::InputFile;
use flate2::read::DeflateDecoder;
use std::io::{self, Read, Seek, SeekFrom, Take};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// The problem of a file that was inflated. The file then ends as if it were whole.
pub(super) type InflateProblem = Arc<Mutex<Option<String>>>;

/// Inflates a file in a ZIP file. It ends where its data are damaged, or at the size that the
/// directory states. A failed read is an error, not damage: a later run may succeed.
pub(super) struct InflatedEntry {
    data: DeflateDecoder<WatchedReader<Take<InputFile>>>,
    left: u64,
    problem: InflateProblem,
    /// An error that occurred with the last bytes.
    failed: Option<io::Error>,
}

impl InflatedEntry {
    pub(super) fn open(
        mut file: InputFile,
        bytes: &Range<u64>,
        size: u64,
    ) -> io::Result<(InflatedEntry, InflateProblem)> {
        file.seek(SeekFrom::Start(bytes.start))?;
        let data = DeflateDecoder::new(WatchedReader::new(file.take(bytes.end - bytes.start)));
        let problem = InflateProblem::default();
        let inflated =
            InflatedEntry { data, left: size, problem: Arc::clone(&problem), failed: None };
        Ok((inflated, problem))
    }

    fn end(&mut self, why: String) -> usize {
        self.left = 0;
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
        0
    }
}

impl Read for InflatedEntry {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if self.left == 0 || buffer.is_empty() {
            return Ok(0);
        }
        let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        match self.data.read(&mut buffer[..most]) {
            Ok(0) => {
                Ok(self
                    .end(format!("it ends {} bytes before the size in the directory", self.left)))
            }
            Ok(read) => {
                self.left -= read as u64;
                if self.left == 0 {
                    let mut more = [0];
                    match self.data.read(&mut more) {
                        Ok(0) => {}
                        Ok(_) => drop(self.end("it has more bytes than stated".to_owned())),
                        Err(error) if self.data.get_ref().has_failed => self.failed = Some(error),
                        Err(error) => drop(self.end(format!("its data are damaged: {error}"))),
                    }
                }
                Ok(read)
            }
            Err(error) if self.data.get_ref().has_failed => Err(error),
            Err(error) => Ok(self.end(format!("its data are damaged: {error}"))),
        }
    }
}
