//! Verifies the folder of a run: it must hold exactly the files that the journal names.
//!
//! The check does not write. It reads only the folder and the inputs that its caller names, even if
//! the journal was edited to name other files. It reads each output once, for digest, length,
//! frames and every row, and each of these inputs once, for its digest. Cost: reading,
//! decompressing and parsing the outputs, on all threads of rayon's pool. Memory: for each open
//! output one row (at most 64 MiB) and 16 bytes per row.

mod coverage;
mod finding;
mod inputs;
mod outputs;
mod run_files;
mod unlisted_files;

use crate::counters::Counters;
use crate::error::RunError;
use crate::monitor::{Monitor, Progress};
use crate::plan::{Plan, path_of};
use crate::run_files::journal::{self, JournalEntry};
use crate::run_files::marks::OutputMark;
use crate::run_files::output_folders::OutputFolders;
use crate::run_files::paths::RUN_FILES;
use crate::run_files::side_tables::{SideTable, SideTables};
use crate::signature_file;
pub use coverage::{Coverage, FinishedInputs, RepeatedInput};
use finding::Findings;
pub use finding::{Finding, FindingKind, Severity};
use outputs::OutputMeasurements;
use rayon::prelude::*;
use serde::Serialize;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The state of a run's folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FolderState {
    /// The run reached its end, and everything is as the run left it.
    Complete,
    /// All files agree with the journal, but the run has not reached its end.
    Unfinished,
    /// Some file is not as the run left it.
    Damaged,
}

/// The result of a check.
#[derive(Clone, Debug, Serialize)]
pub struct Verification {
    /// State of the folder.
    pub state: FolderState,
    /// Lines of the journal: finished inputs.
    pub inputs: u64,
    /// Outputs that could be read.
    pub outputs: u64,
    /// Bytes of these outputs.
    pub bytes: u64,
    /// Rows of these outputs.
    pub rows: u64,
    /// The sum of the counters in the journal.
    pub total: Counters,
    /// The findings, worst first.
    pub findings: Vec<Finding>,
    /// Names of the finished inputs.
    #[serde(skip)]
    pub done: Vec<String>,
    /// How the inputs were divided into shards, and the digest of the list. `None` for a run over
    /// all inputs.
    #[serde(skip)]
    pub list: Option<String>,
}

/// The content of an output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutputKind {
    /// Rows, each of which is in exactly one file of this kind.
    Rows,
    /// The same rows in another format.
    SameRows,
    /// Rows of a side table.
    Side(SideTable),
}

/// The reason why a folder could not be checked at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The folder holds no run.
    #[error("'{}' contains no run: {reason}", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// The missing file, with the reason.
        reason: String,
    },
    /// A run is at work in the folder.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Checks the folder of a run. `inputs` is the plan of the paths that the run was given. If it is
/// set, also checks that these files still hold the bytes that the run read.
///
/// # Errors
///
/// The folder holds no run, or a run is at work in it.
pub fn verify(
    root: &Path,
    inputs: Option<&Plan>,
    monitor: &mut (dyn Monitor + Send),
) -> Result<Verification, VerifyError> {
    let no_run = |reason: String| VerifyError::NoRun { path: root.to_owned(), reason };
    let files = root.join(RUN_FILES);
    match files.metadata() {
        Ok(folder) if folder.is_dir() => {}
        Ok(_) => return Err(no_run(format!("'{RUN_FILES}' is not a folder"))),
        Err(error) => return Err(no_run(format!("'{RUN_FILES}': {error}"))),
    }
    let _lock = lock(root, &files.join("lock"))?;
    let mut findings = Findings::default();
    let entries = run_files::journal(&files, &mut findings);
    let has_rows = run_files::has_rows(&files, &mut findings);
    let succeeded = root.join("_SUCCESS").symlink_metadata().is_ok();
    run_files::compare(&files, &entries, succeeded, &mut findings);
    if let Some(plan) = inputs {
        if run_files::has_index(&files) && plan.selected.is_none() {
            let detail =
                "the run read only the records listed in indexes, so its inputs are not compared";
            findings.add(Severity::Note, FindingKind::Input, journal::NAME, detail.to_owned());
        } else {
            inputs::check(&entries, plan, run_files::max_page_bytes(&files), &mut findings);
        }
    }

    let (layout, format) = run_files::outputs(&files);
    let side_layouts = run_files::side_layouts(&files);
    // An unreadable configuration is among the findings already.
    let folders = OutputFolders::read(root)
        .unwrap_or_else(|_| OutputFolders::new(root, SideTables::default()));
    let places = places(&entries, &folders, has_rows, &mut findings);
    monitor.started(places.len() as u64, Some(places.iter().map(|(_, n, ..)| n.bytes).sum()));
    let counted = Mutex::new((monitor, Progress::default()));
    let checked: Vec<_> = (places.par_iter())
        .map(|(entry, noted, path, kind)| {
            // Signatures belong to the rows of the first format.
            let signed = entry.signatures.as_ref().filter(|_| *kind == OutputKind::Rows);
            let layout = match kind {
                OutputKind::Side(table) => side_layouts.get(*table).unwrap_or(&layout),
                OutputKind::Rows | OutputKind::SameRows => &layout,
            };
            let checked = outputs::check(root, path, noted, signed, layout);
            if let Ok(mut counted) = counted.lock() {
                let (monitor, progress) = &mut *counted;
                progress.bytes += checked.0.bytes;
                progress.rows += checked.0.rows;
                progress.inputs += 1;
                monitor.progress(*progress);
            }
            (checked, kind)
        })
        .collect();
    let mut sums = OutputMeasurements::default();
    let mut outputs = 0;
    for ((facts, found), kind) in checked {
        outputs += u64::from(facts.is_there);
        sums.bytes += facts.bytes;
        sums.rows += if *kind == OutputKind::Rows { facts.rows } else { 0 };
        findings.0.extend(found.0);
    }
    let signed = places
        .iter()
        .filter(|(entry, .., kind)| entry.signatures.is_some() && *kind == OutputKind::Rows);
    let signed = signed.map(|(_, noted, ..)| &noted.output);
    let signed = signed.map(|output| signature_file::path_of(Path::new(""), output));
    let signatures: Vec<_> = signed.collect();
    let known = places.iter().map(|(.., path, _)| path).chain(&signatures);
    let known: Vec<_> = known.map(PathBuf::as_path).collect();
    let seen = unlisted_files::KnownOutputs { outputs: &known, entries: &entries, succeeded };
    unlisted_files::check_folder(root, Path::new(""), format, &seen, &mut findings);
    // A table without rows has no folder.
    let side_folders = folders.side_tables().values();
    for folder in side_folders.filter(|folder| root.join(folder).exists()) {
        unlisted_files::check_folder(root, folder, format, &seen, &mut findings);
    }
    let list = run_files::list(&files);
    Ok(Verification { list, ..conclude(&entries, outputs, &sums, findings) })
}

/// An output that the journal names: its entry, its mark, its path and its kind.
type NotedOutput<'e> = (&'e JournalEntry, OutputMark, PathBuf, OutputKind);

/// Returns the outputs that the journal names, with their paths. An output outside of the run's
/// folders is a finding.
fn places<'e>(
    entries: &'e [JournalEntry],
    folders: &OutputFolders,
    has_rows: bool,
    findings: &mut Findings,
) -> Vec<NotedOutput<'e>> {
    let mut places = Vec::with_capacity(entries.len());
    for entry in entries {
        let outputs = entry.outputs();
        if outputs.is_empty() && entry.counters.written > 0 && has_rows {
            let detail = format!("'{}' has rows, but the journal names no output", entry.input);
            findings.damage(FindingKind::Missing, journal::NAME, detail);
        }
        let outputs = outputs.into_iter().map(|noted| (noted, OutputKind::Rows));
        let others = |noted: &OutputMark| (noted.clone(), OutputKind::SameRows);
        let others = entry.secondary_outputs.iter().map(others);
        let side = entry.side_files.iter();
        let side = side.map(|(table, noted)| (noted.clone(), OutputKind::Side(table)));
        for (noted, kind) in outputs.chain(others).chain(side) {
            match folders.path(&noted.output).map(|_| path_of(&noted.output)) {
                Some(path) => places.push((entry, noted, path, kind)),
                None => findings.damage(
                    FindingKind::OutsideFolder,
                    journal::NAME,
                    format!("the output '{}' is outside the folder and was not read", noted.output),
                ),
            }
        }
    }
    places
}

fn conclude(
    entries: &[JournalEntry],
    outputs: u64,
    sums: &OutputMeasurements,
    Findings(mut findings): Findings,
) -> Verification {
    findings.sort_by(|a, b| (a.severity, &a.path, a.kind).cmp(&(b.severity, &b.path, b.kind)));
    let state = match findings.first().map(|finding| finding.severity) {
        Some(Severity::Damage) => FolderState::Damaged,
        Some(Severity::Unfinished) => FolderState::Unfinished,
        Some(Severity::Note) | None => FolderState::Complete,
    };
    let mut total = Counters::default();
    for entry in entries {
        total += &entry.counters;
    }
    let inputs = entries.len() as u64;
    let done = entries.iter().map(|entry| entry.input.clone()).collect();
    let OutputMeasurements { bytes, rows, .. } = *sums;
    Verification { state, inputs, outputs, bytes, rows, total, findings, done, list: None }
}

/// Keeps runs out of the folder during the check. `None` if the folder has no lock file.
fn lock(root: &Path, path: &Path) -> Result<Option<File>, RunError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(RunError::output("open", path)(error)),
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(RunError::Locked { path: root.to_owned() }),
        Err(TryLockError::Error(error)) => Err(RunError::output("lock", path)(error)),
    }
}
