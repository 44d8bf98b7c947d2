//! Runs a command over a corpus, and reads what it reports.

use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Counts the records of an input by outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) records: u64,
    pub(super) written: u64,
    /// Skipped and failed ones.
    pub(super) reasons: BTreeMap<String, u64>,
}

/// What a command did.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) code: Option<i32>,
    /// Inputs that were read, at least in part.
    pub(super) inputs: BTreeMap<String, Counts>,
    /// Errors of inputs as they were printed.
    pub(super) errors: BTreeSet<String>,
    /// Problems of the report itself.
    pub(super) faults: Vec<String>,
}

#[derive(Deserialize)]
struct Account {
    inputs: Vec<Input>,
    #[serde(default)]
    unusable: Vec<Value>,
}

#[derive(Deserialize)]
struct Input {
    input: String,
    #[serde(flatten)]
    counts: Reported,
}

#[derive(Deserialize)]
struct Reported {
    records: u64,
    written: u64,
    skipped: BTreeMap<String, u64>,
    failed: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct IndexedFile {
    end: u64,
    is_whole: bool,
    account: Reported,
}

impl Counts {
    /// Counts, or what is wrong with them.
    fn new(reported: Reported, faults: &mut Vec<String>) -> Counts {
        let Reported { records, written, skipped, failed } = reported;
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

/// Runs the program in `place` to its end.
pub(super) fn run(huller: &Path, place: &Path, args: &[String]) -> io::Result<Output> {
    let mut command = Command::new(huller);
    command.current_dir(place).args(args).stdin(Stdio::null()).env_remove("RUST_LOG").output()
}

impl Outcome {
    /// Runs a command whose output folder is `out`.
    ///
    /// # Errors
    ///
    /// The program cannot be started.
    pub(super) fn of(
        huller: &Path,
        place: &Path,
        out: &str,
        args: &[String],
    ) -> io::Result<Outcome> {
        let output = run(huller, place, args)?;
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
            return Ok(outcome);
        }
        let folder = place.join(out);
        if let Err(error) = outcome.read(&folder) {
            outcome.faults.push(format!("its statistics cannot be read: {error}"));
        }
        Ok(outcome)
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
                let counts = Counts::new(file.account, &mut self.faults);
                if file.is_whole || file.end > 0 || counts.records > 0 {
                    self.inputs.insert(name, counts);
                }
            }
            return Ok(());
        }
        let account = std::fs::read(folder.join("_huller/run.account"))?;
        let account: Account = serde_json::from_slice(&account)?;
        for Input { input, counts } in account.inputs {
            self.inputs.insert(input, Counts::new(counts, &mut self.faults));
        }
        if account.unusable.len() != self.errors.len() {
            self.faults
                .push(format!("unusable: {:?}, errors: {:?}", account.unusable, self.errors));
        }
        Ok(())
    }
}
