//! How far the present input has come, so that a killed run can go on within it.

use crate::account::Account;
use crate::durable::sync_folder;
use crate::error::RunError;
use crate::line_log::LogKind;
use crate::plan::Job;
use crate::run_files::marks::{LogMark, OutputMark, SignatureMark};
use huller_row::push_line;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Raised whenever a run could not go on from the checkpoints of an earlier version.
pub const VERSION: u32 = 2;

/// Name of the file among the run files.
pub const NAME: &str = "run.checkpoint";

/// The state after one batch of an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Name of the input.
    pub input: String,
    /// Size of the input, where it is known beforehand.
    pub input_bytes: Option<u64>,
    /// How many bytes of the input had been read, and their digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_read: Option<u64>,
    /// Digest of the first [`Checkpoint::input_read`] bytes: `xxh128:` and hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_digest: Option<String>,
    /// Batches done.
    pub batches: u64,
    /// The output, relative to the output folder. A run that overwrites this one removes its part.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// Length of the output so far, in bytes.
    pub output_bytes: u64,
    /// Its rows, in runs that write several files for an input.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub output_rows: u64,
    /// The files of the input that have become full since the checkpoint before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub full: Vec<OutputMark>,
    /// The files with the same rows in other formats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// SHA-256 of the output so far.
    pub digest: String,
    /// State of the output's assembler, hexadecimal. Formats without state leave it out.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub assembler: String,
    /// Length of the rejects file, where there is one.
    pub rejects_bytes: Option<u64>,
    /// SHA-256 of its lines that are of this input.
    pub rejects_digest: Option<String>,
    /// The same of the dropped rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_bytes: Option<u64>,
    /// SHA-256 of the lines of dropped rows that are of this input, hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_digest: Option<String>,
    /// The file of signatures of the output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signatures: Option<SignatureMark>,
    /// Counts of the records of this input so far.
    pub account: Account,
    /// Hash of the run's `run.config`.
    pub config: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Checkpoint {
    /// Names the files of an input before they are made, so that a later run knows whose they are.
    /// No run continues from it.
    pub fn before(job: &Job, output: String, also: Vec<String>, config: &str) -> Checkpoint {
        Checkpoint {
            input: job.name.clone(),
            input_bytes: job.bytes,
            input_read: None,
            input_digest: None,
            batches: 0,
            output,
            output_bytes: 0,
            output_rows: 0,
            full: Vec::new(),
            also,
            digest: String::new(),
            assembler: String::new(),
            rejects_bytes: None,
            rejects_digest: None,
            dropped_bytes: None,
            dropped_digest: None,
            signatures: None,
            account: Account::default(),
            config: config.to_owned(),
        }
    }

    /// Whether it only names files ([`Checkpoint::before`]).
    pub fn only_names(&self) -> bool {
        self.digest.is_empty()
    }

    /// How long a file of lines was, with the digest of its lines that are of this input.
    pub fn log(&self, kind: LogKind) -> Option<LogMark> {
        let (bytes, digest) = match kind {
            LogKind::Rejects => (self.rejects_bytes, &self.rejects_digest),
            LogKind::Dropped => (self.dropped_bytes, &self.dropped_digest),
        };
        Some(LogMark { bytes: bytes?, digest: digest.clone() })
    }

    /// Notes that so many bytes of lines of other inputs were left out before its own.
    pub fn move_log(&mut self, kind: LogKind, removed: u64) {
        let bytes = match kind {
            LogKind::Rejects => &mut self.rejects_bytes,
            LogKind::Dropped => &mut self.dropped_bytes,
        };
        *bytes = bytes.map(|bytes| bytes.saturating_sub(removed));
    }
}

/// The checkpoints of the input being worked on, oldest first. Emptied when the input is done.
pub struct CheckpointLog {
    file: File,
    path: PathBuf,
    line: Vec<u8>,
}

/// The checkpoints an earlier run left, as far as they can be read.
///
/// # Errors
///
/// [`RunError::Output`]: the file cannot be read. A missing file gives no checkpoint.
pub fn read(path: &Path) -> Result<Vec<Checkpoint>, RunError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(RunError::output("read", path)(error)),
    };
    // The last line may have been cut when the run was killed. What contradicts itself was changed
    // by hand.
    let checkpoints =
        text.split(|b| *b == b'\n').map_while(|line| serde_json::from_slice(line).ok());
    Ok(checkpoints.take_while(|checkpoint: &Checkpoint| checkpoint.account.is_balanced()).collect())
}

impl CheckpointLog {
    /// Begins a log that holds `kept`.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be created or written.
    pub fn create(path: &Path, kept: &[Checkpoint]) -> Result<CheckpointLog, RunError> {
        let file = File::create(path).map_err(RunError::output("create", path))?;
        let mut log = CheckpointLog { file, path: path.to_owned(), line: Vec::new() };
        for checkpoint in kept {
            log.append(checkpoint)?;
        }
        Ok(log)
    }

    /// Appends a checkpoint as one line of JSON, without a sync: a lost line costs its batch.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be written.
    pub fn append(&mut self, checkpoint: &Checkpoint) -> Result<(), RunError> {
        self.line.clear();
        push_line(&mut self.line, checkpoint);
        self.file.write_all(&self.line).map_err(RunError::output("write", &self.path))
    }

    /// Forgets all checkpoints: their input is done.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be created again.
    pub fn clear(&mut self) -> Result<(), RunError> {
        // Made anew rather than cut: a writer that only appends keeps its place in the file.
        self.file = File::create(&self.path).map_err(RunError::output("create", &self.path))?;
        Ok(())
    }

    /// Removes the log for good: the run is complete, and no mark of that may last longer than the
    /// log.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be removed, or its folder cannot be synced.
    pub fn remove(self) -> Result<(), RunError> {
        fs::remove_file(&self.path).map_err(RunError::output("remove", &self.path))?;
        sync_folder(&self.path)
    }
}
