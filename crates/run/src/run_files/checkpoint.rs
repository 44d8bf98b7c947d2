//! Records the progress within an input, so that a killed run can resume in the middle of it.

use crate::counters::Counters;
use crate::durable::sync_folder;
use crate::error::RunError;
use crate::line_log::LogKind;
use crate::plan::Job;
use crate::run_files::marks::{LogMark, OutputMark, SignatureMark};
use crate::run_files::side_tables::SideTables;
use huller_row::push_line;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Version of the file format. It is raised when runs cannot continue from older checkpoints.
pub const VERSION: u32 = 2;

/// Name of the file among the run files.
pub const NAME: &str = "run.checkpoint";

/// The state after one batch of an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Name of the input.
    pub input: String,
    /// Size of the input in bytes, if it is known beforehand.
    pub input_bytes: Option<u64>,
    /// Number of bytes of the input that had been read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_read: Option<u64>,
    /// Digest of the first [`Checkpoint::input_read`] bytes: `xxh128:` and hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_digest: Option<String>,
    /// Batches done.
    pub batches: u64,
    /// Name of the output, relative to the output folder. A run that overwrites this one removes
    /// its part.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// Length of the output so far, in bytes.
    pub output_bytes: u64,
    /// Rows in the output so far, in runs that write several files per input.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub output_rows: u64,
    /// Files of the input that have become full since the previous checkpoint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub full: Vec<OutputMark>,
    /// Files with the same rows in other formats.
    #[serde(rename = "also", default, skip_serializing_if = "Vec::is_empty")]
    pub secondary_outputs: Vec<String>,
    /// The files in the side tables of the run.
    #[serde(flatten)]
    pub side_files: SideTables<String>,
    /// SHA-256 of the output so far.
    pub digest: String,
    /// State of the output's assembler, hexadecimal. Empty for formats without state.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub assembler: String,
    /// Length of the rejects file in bytes, if the run writes it.
    pub rejects_bytes: Option<u64>,
    /// SHA-256 of the lines of rejects of this input, hexadecimal.
    pub rejects_digest: Option<String>,
    /// Length of the file of dropped rows in bytes, if the run writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_bytes: Option<u64>,
    /// SHA-256 of the lines of dropped rows of this input, hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_digest: Option<String>,
    /// The signature file of the output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signatures: Option<SignatureMark>,
    /// Counters of the input's records so far.
    #[serde(rename = "account")]
    pub counters: Counters,
    /// Hash of the run's `run.config`.
    pub config: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Checkpoint {
    /// Names the files of an input before they are created, so that a later run can assign them to
    /// it. A run cannot resume from this checkpoint.
    pub fn before_first_batch(
        job: &Job,
        output: String,
        secondary_outputs: Vec<String>,
        config: &str,
    ) -> Checkpoint {
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
            secondary_outputs,
            side_files: SideTables::default(),
            digest: String::new(),
            assembler: String::new(),
            rejects_bytes: None,
            rejects_digest: None,
            dropped_bytes: None,
            dropped_digest: None,
            signatures: None,
            counters: Counters::default(),
            config: config.to_owned(),
        }
    }

    /// Whether the checkpoint only names files ([`Checkpoint::before_first_batch`]).
    pub fn only_names(&self) -> bool {
        self.digest.is_empty()
    }

    /// Returns the length of a line file, with the digest of its lines of this input.
    pub fn log(&self, kind: LogKind) -> Option<LogMark> {
        let (bytes, digest) = match kind {
            LogKind::Rejects => (self.rejects_bytes, &self.rejects_digest),
            LogKind::Dropped => (self.dropped_bytes, &self.dropped_digest),
        };
        Some(LogMark { bytes: bytes?, digest: digest.clone() })
    }

    /// Subtracts the bytes of removed lines of earlier inputs from the length of a line file.
    pub fn move_log(&mut self, kind: LogKind, removed: u64) {
        let bytes = match kind {
            LogKind::Rejects => &mut self.rejects_bytes,
            LogKind::Dropped => &mut self.dropped_bytes,
        };
        *bytes = bytes.map(|bytes| bytes.saturating_sub(removed));
    }
}

/// The checkpoints of the current input, oldest first. The log is emptied when the input is done.
pub struct CheckpointLog {
    file: File,
    path: PathBuf,
    line: Vec<u8>,
}

/// Reads the checkpoints of an earlier run, up to the first unreadable one.
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
    // A kill may have cut the last line. A checkpoint whose counts disagree was edited by hand.
    let checkpoints =
        text.split(|b| *b == b'\n').map_while(|line| serde_json::from_slice(line).ok());
    Ok(checkpoints
        .take_while(|checkpoint: &Checkpoint| checkpoint.counters.is_balanced())
        .collect())
}

impl CheckpointLog {
    /// Creates a log that holds `kept`.
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

    /// Drops all checkpoints, because their input is done.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be re-created.
    pub fn clear(&mut self) -> Result<(), RunError> {
        // The file is created again, not cut: a cut would leave the write position beyond the new
        // end.
        self.file = File::create(&self.path).map_err(RunError::output("create", &self.path))?;
        Ok(())
    }

    /// Removes the log at the end of the run. A mark of completion must not exist beside a log.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be removed, or its folder cannot be synced.
    pub fn remove(self) -> Result<(), RunError> {
        fs::remove_file(&self.path).map_err(RunError::output("remove", &self.path))?;
        sync_folder(&self.path)
    }
}
