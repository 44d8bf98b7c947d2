//! The output folder of a run: its lock, its journal, and what an earlier run left.

use crate::checkpoint::{self, Checkpoint, CheckpointLog};
use crate::error::RunError;
use crate::journal::{self, Entry, Journal};
use crate::links;
use crate::options::Options;
use crate::output::{OutputFile, create_folder, part_of, sync_folder};
use crate::plan::{Job, Plan};
use crate::reader::Todo;
use crate::rejects::{self, Rejects};
use crate::run_files::{RUN_FILES, SUCCESS, run_files};
use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// An output folder that this run alone works in.
pub(crate) struct RunFolder {
    pub(crate) root: PathBuf,
    pub(crate) journal: Journal,
    pub(crate) checkpoints: CheckpointLog,
    /// What earlier runs finished, by job of the plan.
    pub(crate) earlier: Vec<Option<Entry>>,
    /// Held until the run ends.
    _lock: File,
}

/// What a run in a folder begins with.
pub(crate) struct Beginning<'p> {
    pub(crate) folder: RunFolder,
    pub(crate) todo: Vec<Todo<'p>>,
    pub(crate) half_done: Option<HalfDone>,
    pub(crate) rejects: Option<Rejects>,
}

/// An input that an earlier run left in the middle.
pub(crate) struct HalfDone {
    pub(crate) job: usize,
    pub(crate) output: OutputFile,
    pub(crate) checkpoint: Checkpoint,
}

impl RunFolder {
    /// Locks the folder and finds out what is to be done.
    pub(crate) fn open<'p>(
        root: &Path,
        plan: &'p Plan,
        suffix: &str,
        config: &str,
        options: &Options,
    ) -> Result<Beginning<'p>, RunError> {
        let files = root.join(RUN_FILES);
        let parts = plan.jobs.iter().map(|job| part_of(&job.output_path(root, suffix)));
        links::refuse(root, run_files(root).chain(parts))?;
        create_folder(&files)?;
        let lock = lock(root, &files.join("lock"))?;
        let journal_path = files.join(journal::NAME);
        let checkpoint_path = files.join("checkpoint.jsonl");
        if !options.resume && !options.overwrite {
            refuse_earlier_run(root, plan, suffix, [&journal_path, &checkpoint_path])?;
        }
        let (entries, checkpoints) = if options.resume {
            (journal::read(&journal_path)?, checkpoint::read(&checkpoint_path)?)
        } else {
            (Vec::new(), Vec::new())
        };
        if let Some(other) = entries
            .iter()
            .map(|e| &e.config)
            .chain(checkpoints.iter().map(|c| &c.config))
            .find(|c| *c != config)
        {
            let reason = format!(
                "the settings differ from those of the run in the folder ({config}, there {other})"
            );
            return Err(RunError::CannotResume { reason });
        }
        let mut earlier = vec![None; plan.jobs.len()];
        let mut kept = Vec::new();
        let places: HashMap<&str, usize> =
            plan.jobs.iter().enumerate().map(|(place, job)| (job.name.as_str(), place)).collect();
        for entry in entries {
            if let Some(&job) = places.get(entry.input.as_str()) {
                refuse_changed_input(&plan.jobs[job], Some(entry.input_bytes))?;
                let output = plan.jobs[job].output_path(root, suffix);
                if fs::metadata(&output).map(|file| file.len()).ok() != Some(entry.output_bytes) {
                    // The output has gone since: it is made again, and entered again.
                    continue;
                }
                earlier[job] = Some(entry.clone());
            }
            kept.push(entry);
        }
        let half_done =
            half_done(root, plan, suffix, &earlier, &checkpoints, options.rejects.as_deref())?;
        // The rejects of inputs that are done, and with those of the input to be gone on with.
        let base = rejects_bytes(&earlier).unwrap_or(0);
        let keep = half_done.as_ref().and_then(|half| half.checkpoint.rejects_bytes);
        let rejects = options.rejects.as_ref();
        let rejects =
            rejects.map(|path| Rejects::open(path, base, keep.unwrap_or(base))).transpose()?;
        // From here on the run goes on: whoever was refused has lost nothing.
        remove(&root.join(SUCCESS))?;
        let journal = Journal::create(&journal_path, &kept)?;
        let kept = half_done.iter().map(|half| half.checkpoint.clone()).collect::<Vec<_>>();
        let checkpoints = CheckpointLog::create(&checkpoint_path, &kept)?;
        // After the journal, which counts on what it says of them being there.
        rejects.as_ref().map(Rejects::cut).transpose()?;
        let mut todo: Vec<_> = (plan.jobs.iter().enumerate())
            .filter(|(index, _)| earlier[*index].is_none())
            .map(|(index, job)| {
                let half = half_done.as_ref().filter(|half| half.job == index);
                Todo { index, job, batches_done: half.map_or(0, |half| half.checkpoint.batches) }
            })
            .collect();
        // One before it was given up by the run that left it, or it would be done. It comes first, since its rejects stand
        // at the end of their file.
        todo.sort_by_key(|todo| half_done.as_ref().is_some_and(|half| half.job != todo.index));
        let folder =
            RunFolder { root: root.to_owned(), journal, checkpoints, earlier, _lock: lock };
        Ok(Beginning { folder, todo, half_done, rejects })
    }

    /// The folder with the run files.
    pub(crate) fn files(&self) -> PathBuf {
        self.root.join(RUN_FILES)
    }

    /// Marks the run as complete.
    pub(crate) fn succeed(self) -> Result<(), RunError> {
        self.checkpoints.remove()?;
        let path = self.root.join(SUCCESS);
        File::create(&path)
            .and_then(|file| file.sync_all())
            .map_err(RunError::output("create", &path))?;
        sync_folder(&path)
    }
}

fn lock(root: &Path, path: &Path) -> Result<File, RunError> {
    let file = File::create(path).map_err(RunError::output("create", path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RunError::Locked { path: root.to_owned() }),
        Err(TryLockError::Error(error)) => Err(RunError::output("lock", path)(error)),
    }
}

fn remove(path: &Path) -> Result<(), RunError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(RunError::output("remove", path)(error))
        }
        _ => Ok(()),
    }
}

fn refuse_earlier_run(
    root: &Path,
    plan: &Plan,
    suffix: &str,
    logs: [&Path; 2],
) -> Result<(), RunError> {
    for job in &plan.jobs {
        let output = job.output_path(root, suffix);
        if let Some(path) = [part_of(&output), output].into_iter().find(|path| path.exists()) {
            return Err(RunError::OutputExists { path });
        }
    }
    // Empty ones are left by a run that found none of its inputs.
    if logs.into_iter().any(|log| fs::metadata(log).is_ok_and(|file| file.len() > 0)) {
        return Err(RunError::EarlierRun { path: root.to_owned() });
    }
    Ok(())
}

fn refuse_changed_input(job: &Job, then: Option<u64>) -> Result<(), RunError> {
    match (then, job.bytes) {
        (Some(then), Some(now)) if then != now => {
            let reason =
                format!("the input '{}' had {then} bytes then and has {now} now", job.name);
            Err(RunError::CannotResume { reason })
        }
        _ => Ok(()),
    }
}

/// Length of the rejects file when the last of these inputs was entered.
fn rejects_bytes(earlier: &[Option<Entry>]) -> Option<u64> {
    earlier.iter().flatten().filter_map(|entry| entry.rejects_bytes).max()
}

/// The input that was being worked on, if its output can be gone on with, from the newest checkpoint at which output and
/// rejects are both known to be right.
fn half_done(
    root: &Path,
    plan: &Plan,
    suffix: &str,
    earlier: &[Option<Entry>],
    checkpoints: &[Checkpoint],
    rejects: Option<&Path>,
) -> Result<Option<HalfDone>, RunError> {
    let Some(last) = checkpoints.last() else { return Ok(None) };
    let Some(job) = plan.jobs.iter().position(|job| job.name == last.input) else {
        return Ok(None);
    };
    if earlier[job].is_some() {
        return Ok(None);
    }
    refuse_changed_input(&plan.jobs[job], last.input_bytes)?;
    let checkpoints: Vec<_> =
        checkpoints.iter().filter(|checkpoint| checkpoint.input == last.input).collect();
    let lengths: Vec<_> = checkpoints.iter().map(|checkpoint| checkpoint.output_bytes).collect();
    let rejected = match rejects {
        Some(path) => {
            let lengths: Vec<_> = checkpoints.iter().map_while(|c| c.rejects_bytes).collect();
            rejects::digests(path, rejects_bytes(earlier).unwrap_or(0), &lengths)?
        }
        None => None,
    };
    let rejects_hold = |place: usize| match &rejected {
        Some(found) => {
            found.get(place).is_some_and(|d| Some(d) == checkpoints[place].rejects_digest.as_ref())
        }
        // None are wanted now, or they went to where they cannot be read back.
        None => true,
    };
    let output = plan.jobs[job].output_path(root, suffix);
    let resumed = OutputFile::resume(&output, &lengths, |place, digest| {
        checkpoints[place].digest == digest && rejects_hold(place)
    })?;
    Ok(resumed.map(|(output, place)| HalfDone {
        job,
        output,
        checkpoint: checkpoints[place].clone(),
    }))
}
