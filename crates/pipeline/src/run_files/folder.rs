//! The output folder of a run: its lock, its journal, and what an earlier run left.

use crate::error::RunError;
use crate::options::Options;
use crate::plan::Plan;
use crate::read::reader::Todo;
use crate::run_files::checkpoint::{self, Checkpoint, CheckpointLog};
use crate::run_files::earlier_run::EarlierRun;
use crate::run_files::input_list::{self, Shares};
use crate::run_files::journal::{self, Entry, Journal};
use crate::run_files::letter_case::{is_insensitive, refuse_alike};
use crate::run_files::links;
use crate::run_files::lock::{lock, without_lock};
use crate::run_files::overwrite;
use crate::run_files::paths::{RUN_FILES, SUCCESS, run_files};
use crate::run_files::run_config::{self, RunConfig};
use crate::write::durable::{create_folder, sync_folder};
use crate::write::output_file::OutputFile;
use crate::write::part_file::part_of;
use crate::write::rejects::{self, Rejects};
use std::fs::{File, TryLockError};
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
    /// What the user is to be told.
    pub(crate) notes: Vec<String>,
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
        config: &RunConfig,
        options: &Options,
    ) -> Result<Beginning<'p>, RunError> {
        refuse_links(root, plan, suffix, options)?;
        let files = root.join(RUN_FILES);
        create_folder(&files)?;
        let lock_path = files.join("lock");
        let lock_file = File::create(&lock_path).map_err(RunError::output("create", &lock_path))?;
        let is_locked = lock(&lock_file, root)?;
        refuse_alike(plan, || is_insensitive(&lock_path))?;
        let EarlierRun { finished: earlier, entries: kept, checkpoints, remains, mut notes } =
            EarlierRun::look(root, plan, suffix, config, options)?;
        if !is_locked {
            notes.push(without_lock(root));
        }
        let mut half_done = half_done(
            root,
            plan,
            suffix,
            (&earlier, &kept),
            &checkpoints,
            options.rejects.as_deref(),
        )?;
        let rejects = if let Some(path) = &options.rejects {
            notes.extend(not_listed(&kept));
            let last = last_rejects(&kept);
            let base = last.and_then(|entry| entry.rejects_bytes).unwrap_or(0);
            let keep = half_done.as_ref().and_then(|half| half.checkpoint.rejects_bytes);
            let digest = last.and_then(|entry| entry.rejects_digest.clone());
            let left = rejects::Earlier { base, digest, keep: keep.unwrap_or(base) };
            Some(Rejects::open(path, options.resume.then_some(&left))?)
        } else {
            refuse_without_rejects(&kept, half_done.as_ref())?;
            None
        };
        // Nothing on disk has changed up to here, so a run that was refused has lost nothing.
        overwrite::remove(&root.join(SUCCESS))?;
        half_done.as_mut().map(|half| half.output.cut()).transpose()?;
        // Before the journal forgets them.
        overwrite::remove_all(&remains)?;
        let journal = Journal::create(&files.join(journal::NAME), &kept)?;
        let kept = half_done.iter().map(|half| half.checkpoint.clone()).collect::<Vec<_>>();
        let checkpoints = CheckpointLog::create(&files.join(checkpoint::NAME), &kept)?;
        match &plan.shares {
            Some(Shares::Position(list)) => list.write(&files.join(input_list::NAME))?,
            _ => overwrite::remove(&files.join(input_list::NAME))?,
        }
        // After the journal has durably lost what was done with other settings, and before anything is done with these.
        config.write(&files.join(run_config::NAME))?;
        // After the journal, which says how many of their bytes must be there.
        rejects.as_ref().map(Rejects::cut).transpose()?;
        let mut todo: Vec<_> = (plan.jobs.iter().enumerate())
            .filter(|(index, _)| earlier[*index].is_none())
            .map(|(index, job)| {
                let half = half_done.as_ref().filter(|half| half.job == index);
                Todo { index, job, batches_done: half.map_or(0, |half| half.checkpoint.batches) }
            })
            .collect();
        // The half-done input comes first, since its rejects stand at the end of their file. Unfinished inputs before it in the plan
        // were given up by the earlier run.
        todo.sort_by_key(|todo| half_done.as_ref().is_some_and(|half| half.job != todo.index));
        let folder =
            RunFolder { root: root.to_owned(), journal, checkpoints, earlier, _lock: lock_file };
        Ok(Beginning { folder, todo, half_done, rejects, notes })
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

/// Refuses what a run in this folder would be refused for, and changes nothing.
pub(crate) fn check(
    root: &Path,
    plan: &Plan,
    suffix: &str,
    config: &RunConfig,
    options: &Options,
) -> Result<(), RunError> {
    refuse_links(root, plan, suffix, options)?;
    let path = root.join(RUN_FILES).join("lock");
    let _lock = match File::open(&path) {
        Ok(file) => match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => {
                return Err(RunError::Locked { path: root.to_owned() });
            }
            _ => Some(file),
        },
        Err(_) => None,
    };
    EarlierRun::look(root, plan, suffix, config, options)?;
    may_write(root)
}

/// Whether the folder, or the nearest one above it that is there, can be written to.
fn may_write(folder: &Path) -> Result<(), RunError> {
    use rustix::fs::{Access, access};
    let failed = RunError::output("create the folder", folder);
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    match absolute.ancestors().find(|folder| folder.symlink_metadata().is_ok()) {
        Some(there) if !there.is_dir() => Err(failed(io::ErrorKind::NotADirectory.into())),
        Some(there) => {
            access(there, Access::WRITE_OK | Access::EXEC_OK).map_err(|error| failed(error.into()))
        }
        None => Ok(()),
    }
}

/// Whether the rejects file can be written to.
pub(crate) fn may_open(rejects: &Path) -> Result<(), RunError> {
    use rustix::fs::{Access, access};
    let failed = RunError::output("open", rejects);
    match rejects.metadata() {
        Ok(there) if there.is_dir() => Err(failed(io::ErrorKind::IsADirectory.into())),
        Ok(_) => access(rejects, Access::WRITE_OK).map_err(|error| failed(error.into())),
        Err(_) => rejects.parent().map_or(Ok(()), may_write),
    }
}

fn refuse_links(root: &Path, plan: &Plan, suffix: &str, options: &Options) -> Result<(), RunError> {
    let parts = plan.jobs.iter().map(|job| part_of(&job.output_path(root, suffix)));
    let rejects_here = options.rejects.iter().filter(|path| path.starts_with(root)).cloned();
    links::refuse(root, run_files(root).chain(parts).chain(rejects_here))
}

/// The last of these inputs whose rejects were listed. Those that are not in the plan count too: the run is theirs as well.
fn last_rejects(kept: &[Entry]) -> Option<&Entry> {
    kept.iter()
        .filter(|entry| entry.rejects_bytes.is_some())
        .max_by_key(|entry| entry.rejects_bytes)
}

/// Length of the rejects file when the last of these inputs was entered.
fn rejects_bytes(kept: &[Entry]) -> Option<u64> {
    last_rejects(kept).and_then(|entry| entry.rejects_bytes)
}

/// Refuses to go on without the rejects that the earlier run listed.
fn refuse_without_rejects(kept: &[Entry], half_done: Option<&HalfDone>) -> Result<(), RunError> {
    let half_done = half_done.and_then(|half| half.checkpoint.rejects_bytes);
    if last_rejects(kept).is_none() && half_done.is_none() {
        return Ok(());
    }
    let reason = "the run lists its rejects: say --rejects with the same file".to_owned();
    Err(RunError::CannotResume { reason })
}

/// What is to be told if the earlier run did not list all rejects.
fn not_listed(kept: &[Entry]) -> Option<String> {
    let count = kept.iter().filter(|entry| entry.rejects_bytes.is_none()).count();
    (count > 0).then(|| {
        format!(
            "rejects of {count} inputs are not listed: the run that finished them had no --rejects"
        )
    })
}

/// The input that the earlier run was working on, if its output can be continued: from the newest checkpoint at which output and
/// rejects are both known to be right.
fn half_done(
    root: &Path,
    plan: &Plan,
    suffix: &str,
    (earlier, kept): (&[Option<Entry>], &[Entry]),
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
    let checkpoints: Vec<_> =
        checkpoints.iter().filter(|checkpoint| checkpoint.input == last.input).collect();
    let lengths: Vec<_> = checkpoints.iter().map(|checkpoint| checkpoint.output_bytes).collect();
    let rejected = match rejects {
        Some(path) => {
            let lengths: Vec<_> = checkpoints.iter().map_while(|c| c.rejects_bytes).collect();
            rejects::digests(path, rejects_bytes(kept).unwrap_or(0), &lengths)?
        }
        None => None,
    };
    let rejects_hold = |place: usize| match &rejected {
        Some(found) => {
            found.get(place).is_some_and(|d| Some(d) == checkpoints[place].rejects_digest.as_ref())
        }
        // This run writes no rejects, or the earlier ones cannot be read back.
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
