//! What `--overwrite` removes: the files of the run that it replaces, as that run's own journal and
//! checkpoints name them, and nothing else. A resumed run removes the outputs of those inputs that
//! it does anew.
//!
//! The new run may have other inputs, or another compression, and an input that is done anew may
//! get another place, or turn out to be unusable. What stayed of the old one would lie beside
//! `_SUCCESS`, and whoever reads all files of the folder would get those rows too.

use crate::durable::remove;
use crate::error::RunError;
use crate::line_log::{self, DROPPED_NEW, REJECTS_NEW};
use crate::part_file::part_of;
use crate::plan::{Job, Plan, name_of, path_of};
use crate::run_files::checkpoint::Checkpoint;
use crate::run_files::journal::Entry;
use crate::run_files::links;
use crate::run_files::marks::{OutputMark, SignatureMark, digits};
use crate::run_files::paths::RUN_FILES;
use crate::run_files::{checkpoint, journal, run_config};
use crate::signature_file;
use crate::split::{first_ending, first_of, sibling};
use huller_row::formats::of_name;
use rayon::prelude::*;
use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Run files that the new run does not write before its end.
const OF_THE_END: [&str; 5] =
    ["run.account", "run.account.csv", "run.timing", REJECTS_NEW, DROPPED_NEW];

/// The files that the run in the folder left. Files that lie behind a link, that this run reads, or
/// that are not as the earlier run left them, are refused.
///
/// # Errors
///
/// * [`RunError::Link`]: a file lies behind a symbolic link.
/// * [`RunError::RemovesInput`]: a file is an input of `plan`.
/// * [`RunError::Changed`]: a file has another length or digest than the journal notes.
/// * [`RunError::Output`]: a file cannot be read.
pub fn remains(root: &Path, plan: &Plan) -> Result<Vec<PathBuf>, RunError> {
    let files = root.join(RUN_FILES);
    let entries: Vec<Entry> = journal::read_sound(&files.join(journal::NAME))?;
    let mut remains = Vec::new();
    for entry in &entries {
        remains.extend(entry.output_names().flat_map(|output| with_signatures(root, output)));
    }
    let checkpoints = checkpoint::read(&files.join(checkpoint::NAME))?;
    remains.extend(begun(root, &checkpoints)?);
    refuse(root, plan, &remains)?;
    refuse_changed(root, &entries)?;
    remains.extend(OF_THE_END.map(|name| files.join(name)));
    Ok(remains)
}

/// The files of the input that the run was working on. They are parts, or have their names if the
/// kill came before the entry.
///
/// # Errors
///
/// [`RunError::Output`]: a file cannot be read.
pub fn begun(root: &Path, checkpoints: &[Checkpoint]) -> Result<Vec<PathBuf>, RunError> {
    let Some(last) = checkpoints.last() else { return Ok(Vec::new()) };
    let Some(output) = below(root, &last.output) else { return Ok(Vec::new()) };
    let mut begun = named_before_entered(root, checkpoints)?;
    begun.push(part_of(&output));
    begun.extend(other_parts(&output, full(checkpoints).count()));
    let also = last.also.iter().filter_map(|name| below(root, name));
    begun.extend(also.map(|output| part_of(&output)));
    let signatures = signature_file::path_of(root, &last.output);
    begun.extend([part_of(&signatures), signatures]);
    Ok(begun)
}

/// Refuses to remove outputs that are not as the earlier run left them: someone may have written
/// others in their places.
fn refuse_changed(root: &Path, entries: &[Entry]) -> Result<(), RunError> {
    let marks = entries.iter().flat_map(|entry| {
        let outputs = entry.outputs().into_iter().chain(entry.also.iter().cloned());
        let signatures = entry.signatures.iter().zip(entry.row_names()).map(|(mark, output)| {
            let SignatureMark { bytes, ref digest, .. } = *mark;
            (signature_file::path_of(root, output), bytes, digest.clone())
        });
        let outputs = outputs.filter_map(|mark| {
            Some((below(root, &mark.output)?, mark.bytes, digits(&mark.digest).to_owned()))
        });
        outputs.chain(signatures).collect::<Vec<_>>()
    });
    let changed = marks.collect::<Vec<_>>().into_par_iter().map(|(path, bytes, digest)| {
        let is_right = match path.symlink_metadata() {
            Err(_) => true,
            Ok(file) if file.len() != bytes || !file.is_file() => false,
            Ok(_) => {
                let found = line_log::digests(&path, 0, &[bytes])?;
                found.is_some_and(|found| found.first().is_some_and(|found| *found == digest))
            }
        };
        Ok((!is_right).then_some(path))
    });
    let changed: Vec<_> = changed.collect::<Result<_, RunError>>()?;
    match changed.into_iter().flatten().next() {
        Some(path) => Err(RunError::Changed { path }),
        None => Ok(()),
    }
}

/// Refuses to overwrite what no run of ours wrote: a folder with files and without run files, and
/// files in the places of outputs that the earlier run does not name.
///
/// # Errors
///
/// * [`RunError::NoRunOfOurs`]: the folder holds files, and no run wrote a `run.config` there.
/// * [`RunError::Changed`]: an output of `plan` is there, and `remains` lacks it.
pub fn refuse_others(
    root: &Path,
    plan: &Plan,
    suffixes: &[String],
    remains: &[PathBuf],
) -> Result<(), RunError> {
    // Earlier versions wrote a journal and no configuration.
    let names = [run_config::NAME, journal::NAME];
    let is_run =
        names.iter().any(|name| root.join(RUN_FILES).join(name).symlink_metadata().is_ok());
    let is_ours = |entry: &fs::DirEntry| entry.file_name() == RUN_FILES;
    let holds_files = || {
        let entries = fs::read_dir(root).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| !is_ours(&entry))
    };
    if !is_run && holds_files() {
        return Err(RunError::NoRunOfOurs { path: root.to_owned() });
    }
    let remains: HashSet<&Path> = remains.iter().map(PathBuf::as_path).collect();
    let outputs = |job| suffixes.iter().map(move |suffix| Job::output_path(job, root, suffix));
    let mut outputs = plan.jobs.iter().flat_map(outputs);
    let other = outputs
        .find(|output| output.symlink_metadata().is_ok() && !remains.contains(output.as_path()));
    other.map_or(Ok(()), |path| Err(RunError::Changed { path }))
}

/// An output that a run file names, if it lies below the folder, and its file of signatures.
pub fn with_signatures(root: &Path, output: &str) -> Vec<PathBuf> {
    let path = below(root, output);
    path.into_iter().flat_map(|path| [path, signature_file::path_of(root, output)]).collect()
}

/// The files that were full, of the input of the last checkpoint.
fn full(checkpoints: &[Checkpoint]) -> impl Iterator<Item = &OutputMark> {
    let input = checkpoints.last().map(|last| &last.input);
    let of_input = checkpoints.iter().filter(move |checkpoint| Some(&checkpoint.input) == input);
    of_input.flat_map(|checkpoint| &checkpoint.full)
}

/// The parts of the other files of an input, of which so many were full at the last checkpoint.
/// More may have become so since.
fn other_parts(output: &Path, full: usize) -> Vec<PathBuf> {
    let (format, compression) = of_name(&name_of(output));
    let ending = first_ending(format.suffix(compression));
    let Some(first) = first_of(output, &ending) else { return Vec::new() };
    let part = |number| part_of(&sibling(&first, number, &ending));
    let later = (full + 1..).map(part).take_while(|part| part.symlink_metadata().is_ok());
    (0..full).map(part).chain(later).collect()
}

/// The files of the input that the run was working on which have their names, if the kill came
/// between these and the entry.
///
/// # Errors
///
/// [`RunError::Output`]: a file cannot be read.
pub fn named_before_entered(
    root: &Path,
    checkpoints: &[Checkpoint],
) -> Result<Vec<PathBuf>, RunError> {
    let Some(last) = checkpoints.last() else { return Ok(Vec::new()) };
    let full = full(checkpoints).map(|file| (&file.output, file.bytes, digits(&file.digest)));
    let mut named = Vec::new();
    for (output, bytes, digest) in full.chain([(&last.output, last.output_bytes, &*last.digest)]) {
        let Some(output) = below(root, output) else { continue };
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

/// Refuses to remove what lies behind a link, or what this run reads.
///
/// # Errors
///
/// * [`RunError::Link`]: a folder above a file is a symbolic link.
/// * [`RunError::RemovesInput`]: a file is an input of `plan`.
pub fn refuse(root: &Path, plan: &Plan, remains: &[PathBuf]) -> Result<(), RunError> {
    // The file itself may be a link, which is removed; a folder above it may not.
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

/// Removes them. The journal still names those that are left if this is broken off.
///
/// # Errors
///
/// [`RunError::Output`]: a file cannot be removed. A missing file counts as removed.
pub fn remove_all(remains: &[PathBuf]) -> Result<(), RunError> {
    remains.iter().try_for_each(|file| remove(file))
}

/// The file that a run file names, if it lies below the folder and is no run file.
pub fn below(root: &Path, name: &str) -> Option<PathBuf> {
    let path = path_of(name);
    let mut parts = path.components();
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    let first = parts.next()?;
    (is_below && first.as_os_str() != RUN_FILES).then(|| root.join(path))
}
