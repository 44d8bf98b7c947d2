//! Finds and removes the files that `--overwrite` replaces. These are the files that the earlier
//! run's journal and checkpoints name, and no others. A resumed run removes the outputs of inputs
//! that it reads again.
//!
//! The new run may have other inputs or another compression. An input that is read again may get
//! another place, or become unusable. An old file that stayed would lie beside `_SUCCESS`, and a
//! reader of all files of the folder would read its rows too.

use crate::durable::remove;
use crate::error::RunError;
use crate::line_log::{self, DROPPED_NEW, REJECTS_NEW};
use crate::part_file::part_of;
use crate::plan::{Job, Plan, name_of};
use crate::run_files::checkpoint::Checkpoint;
use crate::run_files::journal::JournalEntry;
use crate::run_files::links;
use crate::run_files::marks::{OutputMark, SignatureMark, digits};
use crate::run_files::output_folders::OutputFolders;
use crate::run_files::output_names::OutputNames;
use crate::run_files::paths::RUN_FILES;
use crate::run_files::{checkpoint, journal, run_config};
use crate::signature_file;
use crate::split::{first_ending, first_file_name, sibling};
use huller_row::formats::format_of_name;
use rayon::prelude::*;
use std::collections::HashSet;
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};

/// Run files that the new run writes only at its end.
const OF_THE_END: [&str; 5] =
    ["run.account", "run.account.csv", "run.timing", REJECTS_NEW, DROPPED_NEW];

/// Returns the files of the run in the folder. Refuses files behind a link, inputs of this run, and
/// files that have changed since the earlier run.
///
/// # Errors
///
/// * [`RunError::Link`]: a file lies behind a symbolic link.
/// * [`RunError::RemovesInput`]: a file is an input of `plan`.
/// * [`RunError::Changed`]: a file has another length or digest than the journal notes.
/// * [`RunError::Output`]: a file cannot be read.
pub fn files_of_run(root: &Path, plan: &Plan) -> Result<Vec<PathBuf>, RunError> {
    let files = root.join(RUN_FILES);
    let folders = OutputFolders::read(root)?;
    let entries: Vec<JournalEntry> = journal::read_sound(&files.join(journal::NAME))?;
    let mut remains = Vec::new();
    for entry in &entries {
        remains.extend(entry.output_names().flat_map(|output| with_signatures(&folders, output)));
    }
    let checkpoints = checkpoint::read(&files.join(checkpoint::NAME))?;
    remains.extend(files_in_progress(&folders, &checkpoints)?);
    refuse(root, plan, &remains)?;
    refuse_changed(&folders, &entries)?;
    remains.extend(OF_THE_END.map(|name| files.join(name)));
    Ok(remains)
}

/// Returns the files of the input that the run was working on. They are parts, or already have
/// their names if the kill came before the entry.
///
/// # Errors
///
/// [`RunError::Output`]: a file cannot be read.
pub fn files_in_progress(
    folders: &OutputFolders,
    checkpoints: &[Checkpoint],
) -> Result<Vec<PathBuf>, RunError> {
    let Some(last) = checkpoints.last() else { return Ok(Vec::new()) };
    let Some(output) = folders.path(&last.output) else { return Ok(Vec::new()) };
    let mut begun = named_before_entered(folders, checkpoints)?;
    begun.push(part_of(&output));
    begun.extend(secondary_parts(&output, full(checkpoints).count()));
    let others = last.secondary_outputs.iter().chain(last.side_files.values());
    begun.extend(others.filter_map(|name| folders.path(name)).map(|output| part_of(&output)));
    let signatures = signature_file::path_of(folders.root(), &last.output);
    begun.extend([part_of(&signatures), signatures]);
    Ok(begun)
}

/// Refuses to remove outputs that differ from their marks. They may be files of the user in the
/// same places.
fn refuse_changed(folders: &OutputFolders, entries: &[JournalEntry]) -> Result<(), RunError> {
    let marks = entries.iter().flat_map(|entry| {
        let signatures = entry.signatures.iter().zip(entry.row_names()).map(|(mark, output)| {
            let SignatureMark { bytes, ref digest, .. } = *mark;
            (signature_file::path_of(folders.root(), output), bytes, digest.clone())
        });
        let outputs = entry.all_outputs().filter_map(|mark| {
            Some((folders.path(&mark.output)?, mark.bytes, digits(&mark.digest).to_owned()))
        });
        outputs.chain(signatures).collect::<Vec<_>>()
    });
    let changed = marks
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|(path, bytes, digest)| Ok((!is_unchanged(&path, bytes, &digest)?).then_some(path)));
    let changed: Vec<_> = changed.collect::<Result<_, RunError>>()?;
    match changed.into_iter().flatten().next() {
        Some(path) => Err(RunError::Changed { path }),
        None => Ok(()),
    }
}

/// Returns whether a file has this length and this SHA-256, hexadecimal. A missing file counts as
/// unchanged.
///
/// # Errors
///
/// [`RunError::Output`]: the file cannot be read.
pub fn is_unchanged(path: &Path, bytes: u64, digest: &str) -> Result<bool, RunError> {
    match path.symlink_metadata() {
        Err(_) => Ok(true),
        Ok(file) if file.len() != bytes || !file.is_file() => Ok(false),
        Ok(_) => {
            let found = line_log::digests(path, 0, &[bytes])?;
            Ok(found.is_some_and(|found| found.first().is_some_and(|found| found == digest)))
        }
    }
}

/// Refuses to overwrite files of other programs. These are files in a folder without run files, and
/// files in the places of outputs that the earlier run does not name.
///
/// # Errors
///
/// * [`RunError::NoRunOfOurs`]: the folder holds files, and neither a `run.config` nor a journal.
/// * [`RunError::Changed`]: an output of `plan` exists, and `remains` lacks it.
pub fn refuse_others(
    root: &Path,
    plan: &Plan,
    names: &OutputNames,
    remains: &[PathBuf],
) -> Result<(), RunError> {
    // Earlier versions wrote a journal but no configuration.
    let of_run = [run_config::NAME, journal::NAME];
    let is_run =
        of_run.iter().any(|name| root.join(RUN_FILES).join(name).symlink_metadata().is_ok());
    let is_ours = |entry: &fs::DirEntry| entry.file_name() == RUN_FILES;
    let holds_files = || {
        let entries = fs::read_dir(root).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| !is_ours(&entry))
    };
    if !is_run && holds_files() {
        return Err(RunError::NoRunOfOurs { path: root.to_owned() });
    }
    let remains: HashSet<&Path> = remains.iter().map(PathBuf::as_path).collect();
    let mut outputs = plan.jobs.iter().flat_map(|job| names.paths(root, job));
    let other = outputs
        .find(|output| output.symlink_metadata().is_ok() && !remains.contains(output.as_path()));
    other.map_or(Ok(()), |path| Err(RunError::Changed { path }))
}

/// Returns the path of an output that a run file names, if it is below the folders of the run. Adds
/// its signature file, which only rows have.
pub fn with_signatures(folders: &OutputFolders, output: &str) -> Vec<PathBuf> {
    let Some(path) = folders.path(output) else { return Vec::new() };
    let signatures = || signature_file::path_of(folders.root(), output);
    let signatures = folders.side_table_of(output).is_none().then(signatures);
    iter::once(path).chain(signatures).collect()
}

/// Returns the full files of the input of the last checkpoint.
fn full(checkpoints: &[Checkpoint]) -> impl Iterator<Item = &OutputMark> {
    let input = checkpoints.last().map(|last| &last.input);
    let of_input = checkpoints.iter().filter(move |checkpoint| Some(&checkpoint.input) == input);
    of_input.flat_map(|checkpoint| &checkpoint.full)
}

/// Returns the parts of the other files of an input, of which `full` were full at the last
/// checkpoint. More may have become full since.
fn secondary_parts(output: &Path, full: usize) -> Vec<PathBuf> {
    let (format, compression) = format_of_name(&name_of(output));
    let ending = first_ending(format.suffix(compression));
    let Some(first) = first_file_name(output, &ending) else { return Vec::new() };
    let part = |number| part_of(&sibling(&first, number, &ending));
    let later = (full + 1..).map(part).take_while(|part| part.symlink_metadata().is_ok());
    (0..full).map(part).chain(later).collect()
}

/// Returns the files of the current input that already have their names. This happens if a kill
/// comes between the renaming and the entry.
///
/// # Errors
///
/// [`RunError::Output`]: a file cannot be read.
pub fn named_before_entered(
    folders: &OutputFolders,
    checkpoints: &[Checkpoint],
) -> Result<Vec<PathBuf>, RunError> {
    let Some(last) = checkpoints.last() else { return Ok(Vec::new()) };
    let full = full(checkpoints).map(|file| (&file.output, file.bytes, digits(&file.digest)));
    let mut named = Vec::new();
    for (output, bytes, digest) in full.chain([(&last.output, last.output_bytes, &*last.digest)]) {
        let Some(output) = folders.path(output) else { continue };
        // An output without rows gets no name. The format may have ended the file after the
        // checkpoint.
        let is_as_long = |len: u64| bytes > 0 && len >= bytes;
        if fs::metadata(&output).is_ok_and(|file| is_as_long(file.len())) {
            let digests = line_log::digests(&output, 0, &[bytes])?;
            if digests.is_some_and(|digests| digests.first().is_some_and(|found| found == digest)) {
                named.push(output);
            }
        }
    }
    Ok(named)
}

/// Refuses to remove files behind a link, and inputs of this run.
///
/// # Errors
///
/// * [`RunError::Link`]: a folder above a file is a symbolic link.
/// * [`RunError::RemovesInput`]: a file is an input of `plan`.
pub fn refuse(root: &Path, plan: &Plan, remains: &[PathBuf]) -> Result<(), RunError> {
    // The file itself may be a link, and is then removed. A folder above it may not be a link.
    links::refuse(
        root,
        remains
            .iter()
            .filter_map(|file| file.parent())
            .map(Path::to_owned)
            .filter(|folder| folder != root),
    )?;
    let read: HashSet<PathBuf> =
        plan.jobs.iter().flat_map(Job::files).filter_map(|file| file.canonicalize().ok()).collect();
    for file in remains {
        if file.canonicalize().is_ok_and(|file| read.contains(&file)) {
            return Err(RunError::RemovesInput { path: file.clone() });
        }
    }
    Ok(())
}

/// Removes the files. If the call is interrupted, the journal still names the files that are left.
///
/// # Errors
///
/// [`RunError::Output`]: a file cannot be removed. A missing file counts as removed.
pub fn remove_all(remains: &[PathBuf]) -> Result<(), RunError> {
    remains.iter().try_for_each(|file| remove(file))
}
