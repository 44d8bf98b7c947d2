//! Reads the rows of an input, chunk by chunk.

use crate::error::IndexError;
use huller_archive::Stores;
use huller_corpus::{Limits, RowChunk, RowReader};
use huller_run::change_detector::ChangeDetector;
use huller_run::plan::Job;
use std::hash::Hasher;
use std::path::Path;
use twox_hash::XxHash3_64;

/// A file of rows.
pub(crate) struct File<'a> {
    pub(crate) job: &'a Job,
    pub(crate) stores: &'a Stores,
    /// Longest row in bytes.
    pub(crate) max_line_bytes: usize,
}

/// The way in which the reading of a file ended.
pub(crate) enum ReadEnding {
    Whole,
    Stopped,
    /// The file could not be read to its end, or it changed meanwhile: the reason.
    Failed(String),
}

impl File<'_> {
    /// Passes the rows of the file to `take`, until it returns false.
    pub(crate) fn read(
        &self,
        mut take: impl FnMut(&RowChunk) -> Result<bool, IndexError> + Send,
    ) -> Result<ReadEnding, IndexError> {
        let limits = Limits { record_bytes: self.max_line_bytes, ..Limits::default() };
        let path = self.job.files().next().unwrap_or(Path::new(""));
        let opened = RowReader::open_in(self.stores, path, &limits)
            .and_then(|reader| reader.check_name(&self.job.name).map(|()| reader));
        let mut reader = match opened {
            Ok(reader) => reader,
            Err(error) => return Ok(ReadEnding::Failed(error.to_string())),
        };
        let mut chunk = reader.next_chunk();
        loop {
            let now = match chunk {
                Ok(Some(now)) => now,
                Ok(None) => return Ok(self.ending(&reader)),
                Err(error) => return Ok(ReadEnding::Failed(error.to_string())),
            };
            // The next rows are read and decompressed while `take` works on these.
            let (next, goes_on) = rayon::join(|| reader.next_chunk(), || take(&now));
            if !goes_on? {
                return Ok(ReadEnding::Stopped);
            }
            chunk = next;
        }
    }

    /// Returns the ending of a file that was read to its end. If another program has changed the
    /// file since it was opened, its rows may come from two versions.
    fn ending(&self, reader: &RowReader) -> ReadEnding {
        let File { job, stores, .. } = *self;
        let detector =
            ChangeDetector { job, stores, max_page_bytes: usize::MAX, modified: reader.version() };
        match detector.change_message(reader.prefix_digest()) {
            Some(message) => ReadEnding::Failed(message),
            None => ReadEnding::Whole,
        }
    }
}

/// Counts and hashes lines.
#[derive(Default)]
pub(crate) struct LineDigest {
    hash: XxHash3_64,
    lines: u64,
}

impl LineDigest {
    /// Adds a line.
    pub(crate) fn add(&mut self, line: &[u8]) {
        self.hash.write(line);
        self.hash.write(b"\n");
        self.lines += 1;
    }

    /// Returns the number of lines.
    pub(crate) fn lines(&self) -> u64 {
        self.lines
    }

    /// Returns the digest of all lines, hexadecimal.
    pub(crate) fn hexadecimal(&self) -> String {
        format!("{:016x}", self.hash.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_run::plan::JobSource;
    use std::fs;
    use std::path::PathBuf;
    use std::time::{Duration, UNIX_EPOCH};

    /// Reads a file of one row, which becomes `then` while the row is used.
    fn ending_after_change(then: &str) -> ReadEnding {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let row = "{\"text\": \"one\"}\n";
        fs::write(&path, row).unwrap();
        let (name, output) = ("a.jsonl".to_owned(), PathBuf::new());
        let (source, bytes) = (JobSource::File(path.clone()), Some(row.len() as u64));
        let job = Job { name, source, output, bytes };
        let file = File { job: &job, stores: &Stores::default(), max_line_bytes: 1000 };
        let mut lines = 0;
        let ending = file.read(|chunk| {
            lines += chunk.rows().count();
            fs::write(&path, then).unwrap();
            // Two changes within one tick of the file system's clock would have the same time.
            let changed = fs::File::options().write(true).open(&path).unwrap();
            changed.set_modified(UNIX_EPOCH + Duration::from_secs(1)).unwrap();
            Ok(true)
        });
        assert_eq!(lines, 1);
        ending.unwrap()
    }

    #[test]
    fn a_file_that_changes_while_it_is_read_is_unusable() {
        for then in ["{\"text\": \"two\"}\n", "{\"text\": \"one\"}\n{\"text\": \"two\"}\n", ""] {
            let ReadEnding::Failed(message) = ending_after_change(then) else {
                panic!("the change to {then:?} was not noticed");
            };
            assert!(message.contains("a.jsonl' changed during the run"), "{message}");
        }
        let same = ending_after_change("{\"text\": \"one\"}\n");
        assert!(matches!(same, ReadEnding::Whole), "the same bytes are the same input");
    }
}
