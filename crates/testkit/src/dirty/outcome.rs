//! Runs a command over a corpus, and reads its reports.

use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Counters of the records of an input, by outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) records: u64,
    pub(crate) written: u64,
    /// Counts of skipped and failed records, by reason.
    pub(crate) reasons: BTreeMap<String, u64>,
}

/// The outcome of a command.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    /// Inputs that were read, at least in part.
    pub(crate) inputs: BTreeMap<String, Counts>,
    /// The errors of inputs, as printed.
    pub(crate) errors: BTreeSet<String>,
    /// Inconsistencies in the report itself.
    pub(crate) faults: Vec<String>,
}

#[derive(Deserialize)]
struct RunStats {
    inputs: Vec<Input>,
    #[serde(default)]
    unusable: Vec<Value>,
}

#[derive(Deserialize)]
struct Input {
    input: String,
    #[serde(flatten)]
    counts: ReportedCounts,
}

#[derive(Deserialize)]
struct ReportedCounts {
    records: u64,
    written: u64,
    skipped: BTreeMap<String, u64>,
    failed: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct IndexedFile {
    end: u64,
    #[serde(rename = "is_whole")]
    is_complete: bool,
    #[serde(rename = "account")]
    counters: ReportedCounts,
}

impl Counts {
    /// Sums the reported counts, and adds a fault if they are inconsistent.
    fn new(reported: ReportedCounts, faults: &mut Vec<String>) -> Counts {
        let ReportedCounts { records, written, skipped, failed } = reported;
        let mut reasons = skipped;
        for (reason, count) in failed {
            *reasons.entry(reason).or_default() += count;
        }
        let sum: u64 = written + reasons.values().sum::<u64>();
        if sum != records {
            faults.push(format!("{records} records, but {sum} in all: {reasons:?}"));
        }
        Counts { records, written, reasons }
    }
}

/// Runs the program in `folder` to its end.
pub(crate) fn run(huller: &Path, folder: &Path, args: &[String]) -> io::Result<Output> {
    let mut command = Command::new(huller);
    command.current_dir(folder).args(args).stdin(Stdio::null()).env_remove("RUST_LOG").output()
}

/// Runs the program in `folder` with 4 GiB of address space for at most a minute.
pub(crate) fn run_limited<S: AsRef<OsStr>>(
    huller: &Path,
    folder: &Path,
    args: &[S],
) -> io::Result<Output> {
    const LIMITED: &str = "ulimit -v 4194304; exec timeout -s KILL 60 \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", LIMITED]).arg(huller).args(args).current_dir(folder);
    command.stdin(Stdio::null()).env_remove("RUST_LOG").output()
}

impl Outcome {
    /// Runs a command whose output folder is `out`.
    ///
    /// # Errors
    ///
    /// The program cannot be started.
    pub(crate) fn run(
        huller: &Path,
        folder: &Path,
        out: &str,
        args: &[String],
    ) -> io::Result<Outcome> {
        Ok(Outcome::from_output(&run(huller, folder, args)?, &folder.join(out)))
    }

    /// Like [`Outcome::run`], for a command limited to 4 GiB of address space and one minute.
    ///
    /// # Errors
    ///
    /// The program cannot be started.
    pub(crate) fn run_limited(
        huller: &Path,
        folder: &Path,
        out: &str,
        args: &[String],
    ) -> io::Result<Outcome> {
        let output = run_limited(huller, folder, args)?;
        Ok(Outcome::from_output(&output, &folder.join(out)))
    }

    /// Reads the outcome of a finished command from its output and its folder.
    fn from_output(output: &Output, folder: &Path) -> Outcome {
        let stderr = output.stderr.escape_ascii().to_string();
        let errors = stderr.split("\\n").filter(|line| line.starts_with("error: "));
        let mut outcome = Outcome {
            code: output.status.code(),
            inputs: BTreeMap::new(),
            errors: errors.map(str::to_owned).collect(),
            faults: Vec::new(),
        };
        if stderr.contains("panicked") || !matches!(outcome.code, Some(0 | 1)) {
            outcome.faults.push(format!("{:?}: {stderr}", outcome.code));
            return outcome;
        }
        if let Err(error) = outcome.read(folder) {
            outcome.faults.push(format!("its statistics cannot be read: {error}"));
        }
        outcome
    }

    /// Reads the statistics of a run or of an index.
    fn read(&mut self, folder: &Path) -> io::Result<()> {
        let index = folder.join("meta.json");
        if index.exists() {
            let meta: Value = serde_json::from_slice(&std::fs::read(index)?)?;
            let payload: Value = serde_json::from_str(meta["payload"].as_str().unwrap_or("{}"))?;
            let files: BTreeMap<String, IndexedFile> =
                serde_json::from_value(payload["files"].clone())?;
            for (name, file) in files {
                let counts = Counts::new(file.counters, &mut self.faults);
                if file.is_complete || file.end > 0 || counts.records > 0 {
                    self.inputs.insert(name, counts);
                }
            }
            return Ok(());
        }
        let counters = std::fs::read(folder.join("_huller/run.account"))?;
        let counters: RunStats = serde_json::from_slice(&counters)?;
        for Input { input, counts } in counters.inputs {
            self.inputs.insert(input, Counts::new(counts, &mut self.faults));
        }
        if counters.unusable.len() != self.errors.len() {
            self.faults
                .push(format!("unusable: {:?}, errors: {:?}", counters.unusable, self.errors));
        }
        Ok(())
    }
}
