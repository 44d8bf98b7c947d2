//! Finds files in the folder that are not outputs.

use super::finding::{FindingKind, Findings, Severity};
use crate::durable::new_name;
use crate::plan::name_of;
use crate::run_files::journal::JournalEntry;
use crate::run_files::paths::{RUN_FILES, run_files};
use huller_row::Format;
use huller_row::formats::suffixes_of;
use std::collections::HashSet;
use std::path::Path;
use walkdir::WalkDir;

/// The outputs that the run files name.
pub(crate) struct KnownOutputs<'a> {
    /// Their paths, relative to the folder of the rows.
    pub(crate) outputs: &'a [&'a Path],
    pub(crate) entries: &'a [JournalEntry],
    /// Whether the run is complete.
    pub(crate) succeeded: bool,
}

/// Looks through a folder, and does not follow links. `folder` is relative to `root`, the folder of
/// the rows.
pub(crate) fn check_folder(
    root: &Path,
    folder: &Path,
    format: &'static dyn Format,
    known: &KnownOutputs<'_>,
    findings: &mut Findings,
) {
    let KnownOutputs { outputs, entries, succeeded } = *known;
    let outputs: HashSet<&Path> = outputs.iter().copied().collect();
    let new: HashSet<_> = run_files(root).map(|file| new_name(&file)).collect();
    let known_run_files: HashSet<_> = run_files(root).collect();
    let suffixes: Vec<&str> = suffixes_of(format)
        .filter(|suffix| {
            outputs.is_empty() || outputs.iter().any(|o| has_suffix(&name_of(o), suffix))
        })
        .collect();
    let rejects = entries.iter().filter_map(|entry| entry.rejects_bytes).max();
    for entry in WalkDir::new(root.join(folder)).sort_by_file_name().min_depth(1) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(root);
                let path = name_of(path.strip_prefix(root).unwrap_or(path));
                findings.damage(FindingKind::Unreadable, path, error.to_string());
                continue;
            }
        };
        let path = entry.path().strip_prefix(root).unwrap_or(entry.path());
        if entry.file_type().is_dir()
            || outputs.contains(path)
            || known_run_files.contains(entry.path())
        {
            continue;
        }
        let name = name_of(path);
        let is_link = entry.file_type().is_symlink();
        let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
        // `--rejects` may have put its file here.
        let is_rejects = has_suffix(&name, ".jsonl") && Some(bytes) == rejects;
        let is_run_file = path.starts_with(RUN_FILES);
        let (severity, kind, detail) = if has_suffix(&name, ".part") || new.contains(entry.path()) {
            let severity = if succeeded { Severity::Note } else { Severity::Unfinished };
            (severity, FindingKind::Leftover, format!("{bytes} bytes of an interrupted run"))
        } else if !is_run_file
            && !is_rejects
            && suffixes.iter().any(|suffix| has_suffix(&name, suffix))
        {
            if succeeded {
                let detail = "named like an output, but not in the journal".to_owned();
                (Severity::Damage, FindingKind::UnlistedFile, detail)
            } else {
                // A kill between the renaming and the journal line leaves exactly this state.
                let detail =
                    "not in the journal: left by an unfinished input, or not from this run"
                        .to_owned();
                (Severity::Unfinished, FindingKind::UnlistedFile, detail)
            }
        } else {
            let detail =
                if is_link { "a link, which is not followed" } else { "not a file of the run" };
            (Severity::Note, FindingKind::OtherFile, detail.to_owned())
        };
        findings.add(severity, kind, name, detail);
    }
}

fn has_suffix(name: &str, suffix: &str) -> bool {
    name.ends_with(suffix)
}
