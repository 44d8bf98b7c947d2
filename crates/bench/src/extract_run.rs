//! Runs `huller extract` once as a separate process, and reads its run files.

use crate::error::BenchError;
use crate::process;
use crate::series::{CpuTimes, Run};
use serde::Deserialize;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The call of `huller extract`.
#[derive(Clone, Debug)]
pub struct Extract {
    /// The path of the program.
    pub program: PathBuf,
    /// The number of workers (`-j`).
    pub workers: usize,
    /// The extractor, or several separated by commas.
    pub extractor: String,
    /// The output format.
    pub format: String,
    /// The options that the user passes on.
    pub options: Vec<OsString>,
}

/// The part of `run.account` that is read.
#[derive(Deserialize)]
struct Counters {
    total: Total,
}

#[derive(Deserialize)]
struct Total {
    records: u64,
    written: u64,
}

impl Extract {
    /// Runs the program over `inputs` into the new folder `output`, and removes that folder.
    ///
    /// # Errors
    ///
    /// The run fails, or its run files are not in the expected format.
    pub fn run(&self, inputs: &[PathBuf], output: &Path) -> Result<Run, BenchError> {
        let mut command = Command::new(&self.program);
        command.arg("extract").args(&self.options);
        command.args(["--extractor", &self.extractor, "--format", &self.format, "--quiet"]);
        command.arg("-j").arg(self.workers.to_string()).arg("-o").arg(output).arg("--");
        command.args(inputs).env_remove("RUST_LOG");
        let usage = process::measure(&mut command, Stdio::null())?;
        let path = output.join("_huller/run.account");
        let counters = fs::read(&path).map_err(BenchError::io(&path))?;
        let counters: Counters =
            serde_json::from_slice(&counters).map_err(|_| BenchError::RunFile(path))?;
        let division = CpuTimes::from_run(output)?;
        let out_bytes = bytes_below(output).map_err(BenchError::io(output))?;
        fs::remove_dir_all(output).map_err(BenchError::io(output))?;
        Ok(Run {
            usage,
            records: Some(counters.total.records),
            rows: Some(counters.total.written),
            out_bytes: Some(out_bytes),
            division: Some(division),
            others_cores: None,
        })
    }
}

impl CpuTimes {
    /// Returns the division of CPU time of the run that wrote this folder.
    pub(crate) fn from_run(output: &Path) -> Result<CpuTimes, BenchError> {
        let path = output.join("_huller/run.timing");
        let timing = fs::read(&path).map_err(BenchError::io(&path))?;
        let last_line = timing.split(|byte| *byte == b'\n').rfind(|line| !line.is_empty());
        let division = last_line.and_then(|line| serde_json::from_slice::<CpuTimes>(line).ok());
        division.ok_or(BenchError::RunFile(path))
    }
}

/// Returns the bytes of all files below a folder, except the run files.
fn bytes_below(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            bytes += if entry.file_name() == "_huller" { 0 } else { bytes_below(&entry.path())? };
        } else {
            bytes += entry.metadata()?.len();
        }
    }
    Ok(bytes)
}
