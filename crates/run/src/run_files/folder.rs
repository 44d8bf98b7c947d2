//! The output folder of a run: its lock, its journal, and the state of an earlier run.

use crate::change_detector::ChangeDetector;
use crate::durable::{create_folder, remove, sync_folder};
use crate::error::RunError;
use crate::line_log::{self, LogKind};
use crate::logs::{EarlierLines, Logs, last_mark, missing_lines_note};
use crate::options::Options;
use crate::output_file::OutputFile;
use crate::part_file::part_of;
use crate::plan::{Job, Plan, name_of};
use crate::run_files::case_conflicts::{is_case_insensitive, refuse_case_conflicts};
use crate::run_files::checkpoint::{self, Checkpoint, CheckpointLog};
use crate::run_files::earlier_run::EarlierRun;
use crate::run_files::input_list::{self, ShardRule};
use crate::run_files::journal::{self, Journal, JournalEntry};
use crate::run_files::links;
use crate::run_files::lock::{lock, without_lock};
use crate::run_files::marks::digits;
use crate::run_files::output_folders::OutputFolders;
use crate::run_files::output_names::OutputNames;
use crate::run_files::overwrite;
use crate::run_files::paths::{LOCK, RUN_FILES, SUCCESS, written_files};
use crate::run_files::redo_log::settle;
use crate::run_files::run_config::{self, RunConfig};
use crate::run_files::timing;
use crate::signature_file::{self, SignatureFile};
use crate::split::sibling;
use crate::summary::UnusableInput;
use crate::upload::reconciliation::Reconciliation;
use crate::upload::uploader::Uploader;
use huller_refine::signature::signature_file::Header;
use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// An output folder that is locked for this run.
pub struct RunFolder {
    /// The output folder. If outputs go to object storage, the staging folder.
    pub root: PathBuf,
    /// The folders of the outputs.
    folders: OutputFolders,
    /// The finished inputs, those of earlier runs first.
    pub journal: Journal<JournalEntry>,
    /// Checkpoints of the current input.
    pub checkpoints: CheckpointLog,
    /// Entries of inputs that earlier runs finished, by job of the plan.
    pub earlier: Vec<Option<JournalEntry>>,
    /// Uploads outputs, in runs that write to object storage.
    pub uploader: Option<Uploader>,
    /// Lock on the folder, held until the run ends.
    _lock: File,
}

/// A job that is still to be done, and the number of its batches that an earlier run has done.
#[derive(Clone, Copy, Debug)]
pub struct PendingJob<'a> {
    /// Place of the job in the plan, from 0.
    pub index: usize,
    /// The job: one input and its output.
    pub job: &'a Job,
    /// Number of batches that the output already holds; 0 for an input that begins.
    pub batches_done: u64,
}

/// The state of a run in a folder when it begins.
pub struct RunStart<'p> {
    /// The folder, locked.
    pub folder: RunFolder,
    /// The unfinished jobs in the order of work. A partial job comes first.
    pub todo: Vec<PendingJob<'p>>,
    /// The input that the run continues in the middle, if any.
    pub partial_input: Option<PartialInput>,
    /// The lists of rejects and of dropped rows, open and cut to the lines that stay.
    pub logs: Logs,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// Requirements of a command on its run folder.
#[derive(Debug, Default)]
pub struct CommandFiles {
    /// Whether an output can be continued in the middle.
    pub can_continue: bool,
    /// Header of the signature files, if the command writes them.
    pub signatures: Option<Header>,
    /// Additional files of the earlier run to remove. Only this command knows them.
    pub remains: Vec<PathBuf>,
}

/// An input that an earlier run read in part.
pub struct PartialInput {
    /// Place of the job in the plan, from 0.
    pub job: usize,
    /// The output, open at the last byte that the checkpoint confirms.
    pub output: OutputFile,
    /// The signatures of its rows, in runs that write them.
    pub signatures: Option<SignatureFile>,
    /// The checkpoint from which the run continues.
    pub checkpoint: Checkpoint,
    /// The version of the input that was compared with the checkpoint.
    pub version: Option<u64>,
}

impl RunFolder {
    /// Locks the folder and finds the jobs that are left to do.
    ///
    /// # Errors
    ///
    /// * [`RunError::Locked`]: another run works in the folder.
    /// * [`RunError::Link`]: a file that the run writes is a symbolic link.
    /// * [`RunError::OnlyCaseDiffers`]: the file system takes two outputs for one file.
    /// * Every error of [`EarlierRun::read`] and of [`Logs::open`].
    /// * [`RunError::Output`]: a file of folder or object storage cannot be read, written or
    ///   removed.
    /// * [`RunError::Threads`]: the upload thread cannot be started.
    pub fn open<'p>(
        root: &Path,
        plan: &'p Plan,
        names: &OutputNames,
        config: &RunConfig,
        options: &Options,
        own: CommandFiles,
    ) -> Result<RunStart<'p>, RunError> {
        refuse_links(root, plan, names, options)?;
        let files = root.join(RUN_FILES);
        create_folder(&files)?;
        let lock_path = files.join(LOCK);
        let lock_file = File::create(&lock_path).map_err(RunError::output("create", &lock_path))?;
        let is_locked = lock(&lock_file, root)?;
        settle(root)?;
        refuse_case_conflicts(plan, || is_case_insensitive(&lock_path))?;
        let reconciliation = options.uploads.as_ref();
        let reconciliation = reconciliation
            .map(|uploads| Reconciliation::fetch(uploads, root, options))
            .transpose()?;
        let before = EarlierRun::read(root, plan, names, config, options, reconciliation.as_ref())?;
        let version = before.version;
        let EarlierRun { finished: earlier, all, entries: mut kept, checkpoints, .. } = before;
        let (mut remains, mut notes) = (before.remains, before.notes);
        overwrite::refuse(root, plan, &own.remains)?;
        remains.extend(own.remains);
        if !is_locked {
            notes.push(without_lock(root));
        }
        let mut partial_input = partial_input(
            root,
            plan,
            names.first_suffix(),
            (&earlier, &kept),
            (&checkpoints, version),
            options,
            (own.can_continue, own.signatures),
        )?;
        if partial_input.is_none() {
            remains.extend(before.begun);
        }
        notes.extend(
            LogKind::ALL
                .into_iter()
                .filter_map(|kind| options.log(kind).and_then(|_| missing_lines_note(kind, &kept))),
        );
        let half = partial_input.as_ref().map(|half| &half.checkpoint);
        let lines = EarlierLines { kept: &kept, partial_input: half, files: &files };
        let mut logs = Logs::open(options, Some(&lines))?;
        // Up to here the disk is unchanged, so a refused run loses nothing.
        reconciliation.as_ref().map_or(Ok(()), Reconciliation::remove_success)?;
        remove(&root.join(SUCCESS))?;
        if let Some(half) = &mut partial_input {
            half.output.cut()?;
            half.signatures.as_mut().map(SignatureFile::cut).transpose()?;
        }
        // These files are removed before the journal forgets them.
        reconciliation
            .as_ref()
            .map_or(Ok(()), |reconciliation| reconciliation.remove_all(root, &remains, &kept))?;
        overwrite::remove_all(&remains)?;
        if reconciliation.is_none() {
            let half = partial_input.as_mut().map(|half| &mut half.checkpoint);
            logs.leave_out(&all, &mut kept, half)?;
        }
        let journal = Journal::create(&files.join(journal::NAME), kept)?;
        let kept = partial_input.iter().map(|half| half.checkpoint.clone()).collect::<Vec<_>>();
        let checkpoints = CheckpointLog::create(&files.join(checkpoint::NAME), &kept)?;
        match &plan.shard_rule {
            Some(ShardRule::Position(list)) => list.write(&files.join(input_list::NAME))?,
            _ => remove(&files.join(input_list::NAME))?,
        }
        // The configuration is written after the journal has durably lost the inputs of other
        // settings, and before any new work.
        config.write(&files.join(run_config::NAME))?;
        // The logs are cut after the journal is written, since it notes their lengths.
        logs.cut()?;
        let known = timing::modified(&files);
        let uploader = reconciliation
            .map(|reconciliation| reconciliation.begin(root, journal.entries(), &known))
            .transpose()?;
        let todo = pending(plan, &earlier, partial_input.as_ref());
        let folder = RunFolder {
            root: root.to_owned(),
            folders: OutputFolders::new(root, names.relative_folders()),
            journal,
            checkpoints,
            earlier,
            uploader,
            _lock: lock_file,
        };
        Ok(RunStart { folder, todo, partial_input, logs, notes })
    }

    /// Returns the folder with the run files.
    pub fn files(&self) -> PathBuf {
        self.root.join(RUN_FILES)
    }

    /// Checks inputs and outputs once more before the run is complete. Returns inputs that have
    /// changed since they were read, and inputs whose outputs are missing or have another length.
    /// Files in object storage are not checked.
    pub fn recheck(&self, plan: &Plan, max_page_bytes: usize) -> Vec<UnusableInput> {
        let modified = timing::modified(&self.files());
        let jobs: HashMap<&str, &Job> =
            plan.jobs.iter().map(|job| (job.name.as_str(), job)).collect();
        let is_staged = self.uploader.is_some();
        let found = self.journal.entries().iter().filter_map(|entry| {
            let job = *jobs.get(entry.input.as_str())?;
            let lost = if is_staged { None } else { lost_output(&self.folders, entry) };
            let error = lost.or_else(|| {
                if job.files().any(|file| plan.stores.is_elsewhere(file)) {
                    return None;
                }
                let modified = modified.get(&job.name).copied();
                let detector =
                    ChangeDetector { job, stores: &plan.stores, max_page_bytes, modified };
                detector.changed_since(entry.input_read?, entry.input_digest.as_deref()?)
            });
            Some(UnusableInput { input: entry.input.clone(), error: error? })
        });
        found.collect()
    }

    /// Marks the run as complete.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the checkpoints cannot be removed, or `_SUCCESS` cannot be synced.
    pub fn mark_complete(self) -> Result<(), RunError> {
        self.checkpoints.remove()?;
        let path = self.root.join(SUCCESS);
        File::create(&path)
            .and_then(|file| file.sync_all())
            .map_err(RunError::output("create", &path))?;
        sync_folder(&path)
    }
}

/// Checks whether [`RunFolder::open`] would refuse the run, and changes no file.
///
/// # Errors
///
/// Every error that [`RunFolder::open`] gives before it changes a file, and [`RunError::Output`]
/// where the folder cannot be written.
pub fn check(
    root: &Path,
    plan: &Plan,
    names: &OutputNames,
    config: &RunConfig,
    options: &Options,
) -> Result<(), RunError> {
    refuse_links(root, plan, names, options)?;
    let path = root.join(RUN_FILES).join(LOCK);
    let _lock = match File::open(&path) {
        Ok(file) => match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => {
                return Err(RunError::Locked { path: root.to_owned() });
            }
            _ => Some(file),
        },
        Err(_) => None,
    };
    let reconciliation = options.uploads.as_ref();
    let reconciliation =
        reconciliation.map(|uploads| Reconciliation::fetch(uploads, root, options)).transpose()?;
    EarlierRun::read(root, plan, names, config, options, reconciliation.as_ref())?;
    may_write(root)
}

/// Returns a message if an output of the input is missing or has another length than noted.
fn lost_output(folders: &OutputFolders, entry: &JournalEntry) -> Option<String> {
    let mut lost = entry.all_outputs().filter(|mark| {
        let path = folders.path(&mark.output);
        let length = path.and_then(|path| fs::metadata(path).ok()).map(|file| file.len());
        length != Some(mark.bytes)
    });
    let lost = lost.next()?;
    Some(format!("its output '{}' was changed or removed during the run", lost.output))
}

/// Checks that the user may write to the folder, or to its nearest existing ancestor.
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

/// Checks that the user may write to a line file.
///
/// # Errors
///
/// [`RunError::Output`]: the path is a folder, or the user may not write there.
pub fn may_open(log: &Path) -> Result<(), RunError> {
    use rustix::fs::{Access, access};
    let failed = RunError::output("open", log);
    match log.metadata() {
        Ok(there) if there.is_dir() => Err(failed(io::ErrorKind::IsADirectory.into())),
        Ok(_) => access(log, Access::WRITE_OK).map_err(|error| failed(error.into())),
        Err(_) => log.parent().map_or(Ok(()), may_write),
    }
}

fn refuse_links(
    root: &Path,
    plan: &Plan,
    names: &OutputNames,
    options: &Options,
) -> Result<(), RunError> {
    let outputs = plan.jobs.iter().flat_map(|job| names.paths(root, job));
    let parts = outputs.map(|output| part_of(&output));
    let suffix = names.first_suffix();
    let outputs = plan.jobs.iter().map(|job| name_of(&job.output_path(Path::new(""), suffix)));
    let signatures = outputs.map(|name| part_of(&signature_file::path_of(root, &name)));
    let logs = LogKind::ALL.into_iter().filter_map(|kind| options.log(kind));
    let logs_here = logs.filter(|path| path.starts_with(root));
    links::refuse(root, written_files(root).chain(parts).chain(signatures).chain(logs_here))
}

/// Returns the jobs that are left to do. `partial_input` comes first.
fn pending<'p>(
    plan: &'p Plan,
    earlier: &[Option<JournalEntry>],
    partial_input: Option<&PartialInput>,
) -> Vec<PendingJob<'p>> {
    let mut todo: Vec<_> = (plan.jobs.iter().enumerate())
        .filter(|(index, _)| earlier[*index].is_none())
        .map(|(index, job)| {
            let half = partial_input.filter(|half| half.job == index);
            PendingJob { index, job, batches_done: half.map_or(0, |half| half.checkpoint.batches) }
        })
        .collect();
    // The partial input comes first, since its rejects are at the end of their file. The
    // earlier run aborted the unfinished inputs before it in the plan.
    todo.sort_by_key(|todo| partial_input.is_some_and(|half| half.job != todo.index));
    todo
}

/// Returns the input that the earlier run was working on, if its output can be continued. It
/// continues from the newest checkpoint at which the output and all line files are known to be
/// right.
fn partial_input(
    root: &Path,
    plan: &Plan,
    suffix: &str,
    (earlier, kept): (&[Option<JournalEntry>], &[JournalEntry]),
    (checkpoints, version): (&[Checkpoint], Option<u64>),
    options: &Options,
    (can_continue, signatures_header): (bool, Option<Header>),
) -> Result<Option<PartialInput>, RunError> {
    let Some(last) = checkpoints.last() else { return Ok(None) };
    let Some(job) = plan.jobs.iter().position(|job| job.name == last.input) else {
        return Ok(None);
    };
    if earlier[job].is_some() {
        return Ok(None);
    }
    let is_of_input = |it: &&Checkpoint| it.input == last.input && !it.only_names();
    let mut checkpoints: Vec<_> = checkpoints.iter().filter(is_of_input).collect();
    if !can_continue {
        // Later checkpoints only name the files that had begun.
        checkpoints.truncate(1);
        checkpoints.retain(|checkpoint| checkpoint.output_bytes == 0);
    }
    if checkpoints.is_empty() {
        return Ok(None);
    }
    let mut logs_found = Vec::new();
    for kind in LogKind::ALL {
        let Some(path) = options.log(kind) else { continue };
        let lengths = checkpoints.iter().map_while(|c| c.log(kind)).map(|mark| mark.bytes);
        let base = last_mark(kind, kept).map_or(0, |mark| mark.bytes);
        let found = line_log::digests(&path, base, &lengths.collect::<Vec<_>>())?;
        // Files that cannot be read back are taken as right.
        logs_found.extend(found.map(|found| (kind, found)));
    }
    let logs_hold = |place: usize| {
        logs_found.iter().all(|(kind, found)| {
            let noted = checkpoints[place].log(*kind).and_then(|mark| mark.digest);
            found.get(place).is_some_and(|digest| Some(digest) == noted.as_ref())
        })
    };
    let marks: Vec<_> = checkpoints.iter().map_while(|c| c.signatures.clone()).collect();
    let name = name_of(&plan.jobs[job].output_path(Path::new(""), suffix));
    let signature_path = signature_file::path_of(root, &name);
    // The signatures must reach as far as the output does. The bytes beyond are cut off.
    let signed = match signatures_header {
        Some(header) => match SignatureFile::resume(&signature_path, header, &marks)? {
            Some((_, place)) => place + 1,
            None => return Ok(None),
        },
        None => checkpoints.len(),
    };
    let first = plan.jobs[job].output_path(root, suffix);
    let resumed = resume_files(root, &first, suffix, &checkpoints, |place, digest| {
        place < signed && checkpoints[place].digest == digest && logs_hold(place)
    })?;
    let Some((output, place)) = resumed else { return Ok(None) };
    let full = checkpoints[..=place].iter().flat_map(|checkpoint| checkpoint.full.clone());
    let signatures = match signatures_header {
        Some(header) => SignatureFile::resume(&signature_path, header, &marks[..=place])?,
        None => None,
    };
    Ok(Some(PartialInput {
        job,
        output,
        signatures: signatures.map(|(file, _)| file),
        checkpoint: Checkpoint { full: full.collect(), ..checkpoints[place].clone() },
        version,
    }))
}

/// Continues the newest file that is right at one of the checkpoints, with all files before it.
/// `holds` is called for each checkpoint as by [`OutputFile::resume`].
fn resume_files(
    root: &Path,
    first: &Path,
    suffix: &str,
    checkpoints: &[&Checkpoint],
    mut holds: impl FnMut(usize, &str) -> bool,
) -> Result<Option<(OutputFile, usize)>, RunError> {
    let files: usize = checkpoints.iter().map(|checkpoint| checkpoint.full.len()).sum();
    links::refuse(root, (0..=files).map(|number| part_of(&sibling(first, number, suffix))))?;
    let (mut found, mut before, mut number) = (None, 0, 0);
    for of_file in checkpoints.chunk_by(|a, b| a.output == b.output) {
        for full in &of_file[0].full {
            let path = sibling(first, number, suffix);
            let is_as_long =
                fs::metadata(part_of(&path)).is_ok_and(|file| file.len() == full.bytes);
            let is_right = |_, digest: &str| digest == digits(&full.digest);
            if !is_as_long || OutputFile::resume(&path, &[full.bytes], is_right)?.is_none() {
                return Ok(found);
            }
            number += 1;
        }
        let lengths: Vec<_> = of_file.iter().map(|checkpoint| checkpoint.output_bytes).collect();
        let path = sibling(first, number, suffix);
        let resumed =
            OutputFile::resume(&path, &lengths, |place, digest| holds(before + place, digest))?;
        let Some((file, place)) = resumed else { return Ok(found) };
        found = Some((file, before + place));
        before += of_file.len();
    }
    Ok(found)
}
