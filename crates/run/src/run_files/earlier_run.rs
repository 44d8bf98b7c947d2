//! Reads the files of an earlier run, and decides whether this run may resume or replace it. It
//! changes no file.

use crate::change_detector::{is_same, modified};
use crate::error::RunError;
use crate::options::Options;
use crate::part_file::part_of;
use crate::plan::{Job, Plan, name_of, path_of};
use crate::run_files::checkpoint::{self, Checkpoint};
use crate::run_files::input_list::{self, InputList, ShardRule};
use crate::run_files::journal::{self, JournalEntry};
use crate::run_files::marks::OutputMark;
use crate::run_files::output_folders::OutputFolders;
use crate::run_files::output_names::OutputNames;
use crate::run_files::overwrite::{self, with_signatures};
use crate::run_files::paths::{DEDUP_JOURNAL, RUN_FILES};
use crate::run_files::run_config::{self, RunConfig};
use crate::run_files::timing;
use crate::signature_file;
use crate::split::{first_file_name, number_of};
use crate::upload::reconciliation::Reconciliation;
use crate::withdrawals::keys::REASON;
use huller_archive::Stores;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The parts of an earlier run that this run keeps or removes.
pub struct EarlierRun {
    /// Finished inputs that stay, by job of the plan.
    pub finished: Vec<Option<JournalEntry>>,
    /// All entries of the earlier run's journal.
    pub all: Vec<JournalEntry>,
    /// The entries that stay, including those of inputs outside the plan.
    pub entries: Vec<JournalEntry>,
    /// The checkpoints that were made with the settings of this run.
    pub checkpoints: Vec<Checkpoint>,
    /// The version of the input of the last checkpoint, taken before its bytes were compared.
    pub version: Option<u64>,
    /// Files to remove: outputs of inputs that are read again, or files of a run to be overwritten.
    pub remains: Vec<PathBuf>,
    /// Files of the input that the earlier run was working on. They are removed unless this run
    /// continues them.
    pub begun: Vec<PathBuf>,
    /// Notes for the user on inputs that are read again.
    pub notes: Vec<String>,
}

impl EarlierRun {
    /// Reads the run files in the folder.
    ///
    /// # Errors
    ///
    /// * [`RunError::OutputExists`], [`RunError::EarlierRun`]: `options` neither resume nor
    ///   overwrite, and the folder or object storage holds an output or a run.
    /// * [`RunError::CannotResume`], [`RunError::EarlierVersion`]: the run in the folder had other
    ///   settings or inputs, or left a damaged journal.
    /// * [`RunError::NoRunOfOurs`], [`RunError::Changed`], [`RunError::RemovesInput`],
    ///   [`RunError::Link`]: a file that would be removed must stay.
    /// * [`RunError::Output`]: a file of the earlier run cannot be read.
    pub fn read(
        root: &Path,
        plan: &Plan,
        names: &OutputNames,
        config: &RunConfig,
        options: &Options,
        reconciliation: Option<&Reconciliation>,
    ) -> Result<EarlierRun, RunError> {
        let suffix = names.first_suffix();
        let folders = OutputFolders::read(root)?;
        let files = root.join(RUN_FILES);
        let journal_path = files.join(journal::NAME);
        let checkpoint_path = files.join(checkpoint::NAME);
        let steps_path = files.join(DEDUP_JOURNAL);
        if !options.resume && !options.overwrite {
            let logs = [&*journal_path, &checkpoint_path, &steps_path];
            refuse_earlier_run(root, plan, names, logs)?;
            reconciliation.map_or(Ok(()), |reconciliation| {
                refuse_what_is_left(reconciliation, plan, names)
            })?;
        }
        let mut remains = Vec::new();
        if options.overwrite {
            remains = overwrite::files_of_run(root, plan)?;
            overwrite::refuse_others(root, plan, names, &remains)?;
        }
        let mut earlier = EarlierRun {
            finished: vec![None; plan.jobs.len()],
            all: Vec::new(),
            entries: Vec::new(),
            checkpoints: Vec::new(),
            version: None,
            remains,
            begun: Vec::new(),
            notes: Vec::new(),
        };
        if !options.resume {
            return Ok(earlier);
        }
        let entries: Vec<JournalEntry> = journal::read(&journal_path)?;
        let mut checkpoints = checkpoint::read(&checkpoint_path)?;
        if let Some(last) = checkpoints.last()
            && entries.iter().all(|entry| entry.output_names().all(|name| *name != last.output))
        {
            earlier.remains.extend(overwrite::named_before_entered(&folders, &checkpoints)?);
            earlier.begun = overwrite::files_in_progress(&folders, &checkpoints)?;
        }
        if !entries.is_empty() || !checkpoints.is_empty() || has_lines(&steps_path) {
            refuse_other_settings(root, plan, config, &entries)?;
        }
        // A run that replaced an older one may have lost power before it emptied this file.
        let hash = config.hash();
        checkpoints.retain(|checkpoint| checkpoint.config == hash);
        let max_page_bytes = config.max_page_bytes().unwrap_or(usize::MAX);
        let known = KnownInputs {
            stores: &plan.stores,
            modified: timing::modified(&files),
            max_page_bytes,
        };
        let check = EarlierRunCheck::new(
            plan,
            suffix,
            &known,
            FinishedFiles { folders: &folders, reconciliation },
        );
        let mut anew = Vec::new();
        earlier.all.clone_from(&entries);
        for entry in entries {
            match check.verdict(&entry, options.inputs_belong_together)? {
                Verdict::Done(job) => {
                    earlier.finished[job] = Some(entry.clone());
                    earlier.entries.push(entry);
                }
                Verdict::Other => earlier.entries.push(entry),
                Verdict::Restart(note) => {
                    earlier.notes.extend(note);
                    anew.extend(entry.output_names().cloned());
                }
            }
        }
        earlier.drop_cut_inputs(config.limit(), &mut anew);
        let kept: HashSet<&String> =
            earlier.entries.iter().flat_map(JournalEntry::output_names).collect();
        let anew = anew.iter().filter(|output| !kept.contains(output));
        earlier.remains.extend(anew.flat_map(|output| with_signatures(&folders, output)));
        overwrite::refuse(root, plan, &earlier.remains)?;
        overwrite::refuse(root, plan, &earlier.begun)?;
        if let Some(last) = checkpoints.last()
            && let Some(&job) = check.job_indexes.get(last.input.as_str())
            && earlier.finished[job].is_none()
        {
            earlier.version = modified(&plan.jobs[job], &plan.stores);
            if let Some(note) = known.changed_half(&plan.jobs[job], last) {
                earlier.notes.push(format!("{note}: it is processed again"));
                checkpoints.clear();
            }
        }
        earlier.checkpoints = checkpoints;
        Ok(earlier)
    }
}

impl EarlierRun {
    /// Drops inputs that were cut off by the limit of rows, if more rows fit now. This happens if
    /// another input has fewer rows than before, or is gone.
    fn drop_cut_inputs(&mut self, limit: Option<u64>, anew: &mut Vec<String>) {
        // Withdrawn rows filled the limit too.
        let rows = |entry: &JournalEntry| entry.counters.written + entry.counters.count_of(REASON);
        let written = self.finished.iter().flatten().map(rows).sum();
        if limit.is_none_or(|limit: u64| limit <= written) {
            return;
        }
        for slot in &mut self.finished {
            if let Some(entry) = slot.take_if(|entry| entry.cut_by_limit) {
                self.entries.retain(|other| other.input != entry.input);
                anew.extend(entry.output_names().cloned());
            }
        }
    }
}

/// The decision on an entry of the earlier run.
enum Verdict {
    /// Keep it: this job of the plan is done.
    Done(usize),
    /// Keep it: the input is outside the plan, and its rows stay.
    Other,
    /// Drop it and remove its outputs, with this note for the user.
    Restart(Option<String>),
}

/// Decides on the entries of the earlier run.
struct EarlierRunCheck<'a> {
    plan: &'a Plan,
    suffix: &'a str,
    known: &'a KnownInputs<'a>,
    finished_files: FinishedFiles<'a>,
    /// Jobs by name.
    job_indexes: HashMap<&'a str, usize>,
    /// Jobs by name of their output.
    jobs_by_output: HashMap<String, &'a Job>,
    /// Jobs by the last component of their names.
    jobs_by_base_name: HashMap<&'a str, Vec<&'a Job>>,
}

impl<'a> EarlierRunCheck<'a> {
    fn new(
        plan: &'a Plan,
        suffix: &'a str,
        known: &'a KnownInputs<'a>,
        finished_files: FinishedFiles<'a>,
    ) -> EarlierRunCheck<'a> {
        let jobs = || plan.jobs.iter();
        let mut jobs_by_base_name: HashMap<&str, Vec<&Job>> = HashMap::new();
        for job in jobs() {
            jobs_by_base_name.entry(base(&job.name)).or_default().push(job);
        }
        let output = |job: &Job| name_of(&job.output_path(Path::new(""), suffix));
        EarlierRunCheck {
            plan,
            suffix,
            known,
            finished_files,
            job_indexes: jobs()
                .enumerate()
                .map(|(place, job)| (job.name.as_str(), place))
                .collect(),
            jobs_by_output: jobs().map(|job| (output(job), job)).collect(),
            jobs_by_base_name,
        }
    }

    fn verdict(&self, entry: &JournalEntry, belong_together: bool) -> Result<Verdict, RunError> {
        let Some(&place) = self.job_indexes.get(entry.input.as_str()) else {
            return self.judge_unplanned(entry);
        };
        let job = &self.plan.jobs[place];
        if let Some(note) = self.known.changed_input(job, entry) {
            if belong_together {
                let reason = format!("{note}; the rows of all inputs are compared");
                return Err(RunError::CannotResume { reason });
            }
            return Ok(Verdict::Restart(Some(format!("{note}: it is processed again"))));
        }
        // If the output is missing, or has another place in this plan, the run writes it again.
        let output = job.output_path(Path::new(""), self.suffix);
        let is_there = self.finished_files.has_outputs(&output, self.suffix, entry);
        Ok(if is_there { Verdict::Done(place) } else { Verdict::Restart(None) })
    }

    /// Decides on an entry whose input is not in the plan.
    fn judge_unplanned(&self, entry: &JournalEntry) -> Result<Verdict, RunError> {
        let input = &entry.input;
        let refused = |reason| Err(RunError::CannotResume { reason });
        let mut alike = self.jobs_by_base_name.get(base(input)).into_iter().flatten();
        if let Some(job) = alike.find(|job| self.known.is_same(job, entry)) {
            let name = &job.name;
            return refused(format!(
                "'{name}' is '{input}' of the earlier run: its rows would be written twice"
            ));
        }
        let names: Vec<_> = entry.output_names().collect();
        let Some(&output) = names.first() else { return Ok(Verdict::Other) };
        if let Some(job) = self.jobs_by_output.get(output) {
            let name = &job.name;
            return refused(format!(
                "'{name}' would be written over '{output}', which has the rows of '{input}'"
            ));
        }
        let is_gone = |output: &&&String| self.finished_files.is_gone(entry, output);
        Ok(match names.iter().find(is_gone) {
            None => Verdict::Other,
            // Its signatures may be left, too.
            Some(output) => Verdict::Restart(Some(format!(
                "'{output}' is missing, and '{input}' is not among the inputs: it no longer \
                 counts as done"
            ))),
        })
    }
}

/// Returns the last component of a name.
fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Finds the files of finished inputs: in object storage if the input has an entry there, else in
/// the folder.
#[derive(Clone, Copy)]
struct FinishedFiles<'a> {
    folders: &'a OutputFolders,
    reconciliation: Option<&'a Reconciliation>,
}

impl FinishedFiles<'_> {
    /// Whether all files of an input exist with their noted lengths, at their places in this plan.
    /// `first` is the place of the first file.
    fn has_outputs(self, first: &Path, suffix: &str, entry: &JournalEntry) -> bool {
        let is_as_long = |noted: &OutputMark| self.len(entry, &noted.output) == Some(noted.bytes);
        // The places of these files follow from that of the first.
        entry.secondary_outputs.iter().chain(entry.side_files.values()).all(is_as_long)
            && has_places(entry, first, suffix)
            && entry
                .outputs()
                .iter()
                .all(|noted| is_as_long(noted) && self.has_signatures(entry, &noted.output))
    }

    /// Whether the signature file of an output exists with its noted length, if one was noted.
    fn has_signatures(self, entry: &JournalEntry, output: &str) -> bool {
        entry.signatures.as_ref().is_none_or(|noted| {
            let length = match self.in_store(entry) {
                Some(reconciliation) => reconciliation.len(&signature_file::name_of(output)),
                None => length(&signature_file::path_of(self.folders.root(), output)),
            };
            length == Some(noted.bytes)
        })
    }

    /// Returns the length of an output file of an input.
    fn len(self, entry: &JournalEntry, output: &str) -> Option<u64> {
        match self.in_store(entry) {
            Some(reconciliation) => reconciliation.len(output),
            None => length(&self.folders.path(output)?),
        }
    }

    /// Whether an output file of an input is missing.
    fn is_gone(self, entry: &JournalEntry, output: &str) -> bool {
        match self.in_store(entry) {
            Some(reconciliation) => reconciliation.len(output).is_none(),
            None => self.folders.path(output).is_some_and(|path| !path.exists()),
        }
    }

    fn in_store(&self, entry: &JournalEntry) -> Option<&Reconciliation> {
        self.reconciliation.filter(|reconciliation| reconciliation.has_entry(entry))
    }
}

/// Whether the files of an input are at their places in this plan. A file whose rows were all
/// withdrawn leaves a gap.
fn has_places(entry: &JournalEntry, first: &Path, suffix: &str) -> bool {
    let has_gaps = entry.counters.count_of(REASON) > 0;
    let mut next = 0;
    entry.outputs().iter().all(|noted| {
        let number = number_of(&path_of(&noted.output), first, suffix);
        let is_right = number.is_some_and(|number| number == next || has_gaps && number > next);
        next = number.map_or(next, |number| number + 1);
        is_right
    })
}

/// Returns the length of a regular file.
fn length(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().filter(Metadata::is_file).map(|file| file.len())
}

/// Refuses to overwrite outputs or a run in object storage.
fn refuse_what_is_left(
    reconciliation: &Reconciliation,
    plan: &Plan,
    names: &OutputNames,
) -> Result<(), RunError> {
    let outputs = plan.jobs.iter().flat_map(|job| names.paths(Path::new(""), job));
    let outputs: HashSet<_> = outputs.collect();
    let is_of_run = |name: &&String| {
        let path = path_of(name);
        let first = first_file_name(&path, names.first_suffix());
        outputs.contains(&path) || first.is_some_and(|first| outputs.contains(&first))
    };
    if let Some(name) = reconciliation.names().find(is_of_run) {
        return Err(RunError::OutputExists { path: reconciliation.path(name) });
    }
    reconciliation.earlier_run().map_or(Ok(()), |path| Err(RunError::EarlierRun { path }))
}

fn refuse_earlier_run(
    root: &Path,
    plan: &Plan,
    names: &OutputNames,
    logs: [&Path; 3],
) -> Result<(), RunError> {
    for output in plan.jobs.iter().flat_map(|job| names.paths(root, job)) {
        if let Some(path) = [part_of(&output), output].into_iter().find(|path| path.exists()) {
            return Err(RunError::OutputExists { path });
        }
    }
    refuse_later_files(root, plan, names.first_suffix())?;
    // A run whose inputs were all missing leaves empty logs.
    if logs.into_iter().any(has_lines) {
        return Err(RunError::EarlierRun { path: root.to_owned() });
    }
    Ok(())
}

fn has_lines(log: &Path) -> bool {
    fs::metadata(log).is_ok_and(|file| file.len() > 0)
}

/// Refuses to write if later files of a split output exist already.
fn refuse_later_files(root: &Path, plan: &Plan, suffix: &str) -> Result<(), RunError> {
    let outputs: HashSet<_> = plan.jobs.iter().map(|job| job.output_path(root, suffix)).collect();
    let folders: HashSet<_> = outputs.iter().filter_map(|output| output.parent()).collect();
    let mut found = Vec::new();
    for file in folders.into_iter().flat_map(fs::read_dir).flatten().flatten() {
        let path = file.path();
        let name = path.as_os_str().as_encoded_bytes();
        let whole = name.strip_suffix(b".part").unwrap_or(name);
        if first_file_name(Path::new(OsStr::from_bytes(whole)), suffix)
            .is_some_and(|first| outputs.contains(&first))
        {
            found.push(path);
        }
    }
    found.into_iter().min().map_or(Ok(()), |path| Err(RunError::OutputExists { path }))
}

/// Refuses to resume a run that had other settings, or read a shard of another list.
fn refuse_other_settings(
    root: &Path,
    plan: &Plan,
    config: &RunConfig,
    entries: &[JournalEntry],
) -> Result<(), RunError> {
    let path = root.join(RUN_FILES).join(run_config::NAME);
    let earlier = RunConfig::read(&path).map_err(|error| match error {
        RunError::DamagedRun { .. } => RunError::CannotResume { reason: error.to_string() },
        error => error,
    })?;
    let Some(earlier) = earlier else {
        return Err(RunError::EarlierVersion { path: root.to_owned() });
    };
    let differences = config.differences(&earlier);
    if !differences.is_empty() {
        let differences = differences.join("; ");
        let reason =
            format!("the settings differ from those of the run in the folder: {differences}");
        return Err(RunError::CannotResume { reason });
    }
    refuse_other_list(root, plan, config, &earlier)?;
    let hash = earlier.hash();
    if let Some(entry) = entries.iter().find(|entry| entry.config_hash != hash) {
        let reason = format!(
            "'{}' was processed with other settings than those in '{}'",
            entry.input,
            path.display()
        );
        return Err(RunError::CannotResume { reason });
    }
    Ok(())
}

/// Refuses a shard of another list than that of the earlier run. The shards of another list hold
/// other inputs.
fn refuse_other_list(
    root: &Path,
    plan: &Plan,
    config: &RunConfig,
    earlier: &RunConfig,
) -> Result<(), RunError> {
    if config.has_same_shards(earlier) {
        return Ok(());
    }
    let shard_text = |config: &RunConfig| match config.shard_rule() {
        Some(by) => format!("takes a shard by {by}"),
        None => "takes all inputs".to_owned(),
    };
    if config.shard_rule() != earlier.shard_rule() {
        let (now, then) = (shard_text(config), shard_text(earlier));
        let reason = format!("this run {now}, but the run in the folder {then}");
        return Err(RunError::CannotResume { reason });
    }
    let then = InputList::read(&root.join(RUN_FILES).join(input_list::NAME))
        .filter(|list| Some(&*list.digest()) == earlier.list_digest());
    let difference = match (&plan.shard_rule, then) {
        (Some(ShardRule::Position(now)), Some(then)) => now.first_difference(&then),
        _ => None,
    };
    let difference = difference.unwrap_or_else(|| {
        let [now, then] = [config, earlier].map(|config| config.list_digest().unwrap_or_default());
        format!("its digest is {now}, was {then}")
    });
    let reason = format!(
        "the list of inputs differs from that of the run in the folder: {difference}; shards are \
         assigned by position in the list (for lists that grow, start with --shard-by name)"
    );
    Err(RunError::CannotResume { reason })
}

/// Facts about inputs that earlier runs read.
struct KnownInputs<'a> {
    stores: &'a Stores,
    /// Time of the last change of finished inputs, as noted when they were read.
    modified: HashMap<String, u64>,
    max_page_bytes: usize,
}

impl KnownInputs<'_> {
    /// Returns a note for the user if a finished input has changed. The run reads it again, since
    /// its rows come from other bytes.
    fn changed_input(&self, job: &Job, then: &JournalEntry) -> Option<String> {
        let is_untouched = || {
            modified(job, self.stores).is_some_and(|now| self.modified.get(&job.name) == Some(&now))
        };
        size_difference(job, Some(then.input_bytes)).or_else(|| {
            if is_untouched() {
                None
            } else {
                self.bytes_difference(job, then.input_read, then.input_digest.as_deref())
            }
        })
    }

    /// Whether an input has the bytes of an input that the earlier run read under another name.
    fn is_same(&self, job: &Job, then: &JournalEntry) -> bool {
        let same = |read, digest| is_same(job, self.stores, self.max_page_bytes, read, digest);
        job.bytes == Some(then.input_bytes)
            && then.input_read.zip(then.input_digest.as_deref()).and_then(|(r, d)| same(r, d))
                == Some(true)
    }

    /// Like [`KnownInputs::changed_input`], for an input that was read in part.
    fn changed_half(&self, job: &Job, then: &Checkpoint) -> Option<String> {
        size_difference(job, then.input_bytes)
            .or_else(|| self.bytes_difference(job, then.input_read, then.input_digest.as_deref()))
    }

    /// Reads the bytes that were read before once more. Returns a note if they differ.
    fn bytes_difference(
        &self,
        job: &Job,
        read: Option<u64>,
        digest: Option<&str>,
    ) -> Option<String> {
        let is_same = is_same(job, self.stores, self.max_page_bytes, read?, digest?)?;
        let name = &job.name;
        (!is_same).then(|| format!("'{name}' has the same size as before, but other content"))
    }
}

fn size_difference(job: &Job, then: Option<u64>) -> Option<String> {
    match (then, job.bytes) {
        (Some(then), Some(now)) if then != now => {
            let name = &job.name;
            Some(format!("'{name}' had {then} bytes before and now has {now}"))
        }
        _ => None,
    }
}
