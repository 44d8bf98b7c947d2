//! Manages the output folder of a run: the files of every run, and those of this command.

use crate::corpus::CorpusFile;
use crate::error::DedupError;
use crate::file_pass::ReadToEnd;
use crate::journal::{Entry, Milestone, SignedInput};
use huller_run::change_detector::ChangeDetector;
use huller_run::counters::Counters;
use huller_run::durable::create_folder;
use huller_run::error::RunError;
use huller_run::options::Options;
use huller_run::output_file::OutputFile;
use huller_run::part_file::part_of;
use huller_run::plan::{Plan, path_of};
use huller_run::run_files::checkpoint::Checkpoint;
use huller_run::run_files::folder::{CommandFiles, RunFolder, RunStart};
use huller_run::run_files::journal::{self, Journal, JournalEntry as FinishedInputs};
use huller_run::run_files::marks::SignatureMark;
use huller_run::run_files::output_folders::OutputFolders;
use huller_run::run_files::output_names::OutputNames;
use huller_run::run_files::paths::{DEDUP_CLUSTERS, DEDUP_JOURNAL, RUN_FILES};
use huller_run::run_files::run_config::{self, RunConfig};
use huller_run::run_files::side_tables::SideTables;
use huller_run::run_files::timing::{self, Timing};
use huller_run::run_files::{links, overwrite, stats};
use huller_run::signature_file;
use huller_run::summary::{IgnoredFiles, Summary, UnusableInput};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Folder, among the run files, for the signatures that the run makes of its inputs.
const OF_INPUTS: &str = "signatures-in";

/// The section of the configuration that names the inputs.
pub(crate) const INPUTS: &str = "inputs";

/// Folder for data that do not fit into memory.
const TEMPORARY: &str = "tmp";

/// The bytes of a file, and the digest of its content.
type LengthAndDigest = (u64, String);

/// An output folder, locked by this run.
pub(crate) struct Folder<'p> {
    plan: &'p Plan,
    run: RunFolder,
    timing: Timing,
    steps: Journal<Entry>,
    /// Hash of the configuration.
    config: String,
}

/// The facts that decide whether a run continues the steps of an earlier one.
struct EarlierFacts<'p> {
    plan: &'p Plan,
    /// Time of the last change of each input, at the time when an earlier run read it.
    modified: HashMap<String, u64>,
    /// Hash of the configuration.
    config: String,
}

impl EarlierFacts<'_> {
    /// Returns the steps that an earlier run of the same configuration has done. Refuses an input
    /// whose bytes have changed since it was signed, since other rows would be kept.
    fn steps(&self, path: &Path) -> Result<Vec<Entry>, DedupError> {
        let mut steps: Vec<Entry> = journal::read(path)?;
        steps.retain(|entry| entry.config == self.config);
        let jobs: HashMap<_, _> =
            self.plan.jobs.iter().map(|job| (job.name.as_str(), job)).collect();
        for signed in steps.iter().filter_map(Entry::signed) {
            let Some(job) = jobs.get(signed.input.as_str()) else { continue };
            let modified = self.modified.get(&job.name).copied();
            let stores = &self.plan.stores;
            let detector = ChangeDetector { job, stores, max_page_bytes: usize::MAX, modified };
            if detector.changed_since(signed.read, &signed.digest).is_some() {
                let reason =
                    format!("'{}' has changed since its signatures were computed", job.name);
                return Err(RunError::CannotResume { reason }.into());
            }
        }
        Ok(steps)
    }
}

impl<'p> Folder<'p> {
    /// Locks the folder, and takes over or removes the files of an earlier run. Also returns notes
    /// for the user.
    pub(crate) fn open(
        root: &Path,
        plan: &'p Plan,
        config: &RunConfig,
        options: &Options,
    ) -> Result<(Folder<'p>, Vec<String>), DedupError> {
        let files = root.join(RUN_FILES);
        let of_inputs = files.join(OF_INPUTS);
        let steps_path = files.join(DEDUP_JOURNAL);
        links::refuse(root, [of_inputs.clone(), files.join(TEMPORARY)].into_iter())?;
        let known =
            EarlierFacts { plan, modified: timing::modified(&files), config: config.hash() };
        // A refused run must have changed nothing, so this comes first.
        let kept = if options.resume { known.steps(&steps_path)? } else { Vec::new() };
        let mut remains = signed_before(&files, &of_inputs, &kept)?;
        let is_decided = |entry: &Entry| matches!(entry.done, Milestone::Decided(_));
        if !kept.iter().any(is_decided) {
            // The clusters belong to other decisions.
            remains.push(files.join(DEDUP_CLUSTERS));
        }
        let own = CommandFiles { remains, ..CommandFiles::default() };
        // The only suffix is empty: outputs have their whole names in the plan.
        let names = OutputNames::new(vec![String::new()]);
        let RunStart { folder: run, notes, .. } =
            RunFolder::open(root, plan, &names, config, options, own)?;
        // Another run may have done more before the folder was locked.
        let kept = if options.resume { known.steps(&steps_path)? } else { Vec::new() };
        let steps = Journal::create(&steps_path, kept)?;
        let timing = Timing::open(&run.files())?;
        Ok((Folder { plan, run, timing, steps, config: known.config }, notes))
    }

    /// Returns the path of the folder.
    pub(crate) fn root(&self) -> &Path {
        &self.run.root
    }

    /// Returns the path of a run file.
    pub(crate) fn run_file(&self, name: &str) -> PathBuf {
        self.run.files().join(name)
    }

    /// Returns the path of the signatures that the run makes of an input.
    pub(crate) fn signed(&self, name: &str) -> PathBuf {
        signature_path(&self.run_file(OF_INPUTS), name)
    }

    /// Creates the file of these signatures.
    pub(crate) fn create_signed(&self, name: &str) -> Result<OutputFile, DedupError> {
        let path = self.signed(name);
        links::refuse(self.root(), [path.clone()].into_iter())?;
        Ok(OutputFile::create(&path)?)
    }

    /// Creates an output and, if it is signed, the file of its signatures. The checkpoint that
    /// names them comes first, so that a run after a kill knows which input they belong to.
    pub(crate) fn create_output(
        &mut self,
        job: usize,
        file: &CorpusFile,
        is_signed: bool,
    ) -> Result<(OutputFile, Option<OutputFile>), DedupError> {
        let before = self.checkpoint(job, file);
        self.run.checkpoints.append(&before)?;
        let rows = OutputFile::create(&self.root().join(path_of(&file.output)))?;
        let signatures = signature_file::path_of(self.root(), &file.output);
        let signatures = is_signed.then(|| OutputFile::create(&signatures)).transpose()?;
        Ok((rows, signatures))
    }

    /// Gives an output and its signatures their names, and returns their lengths and digests. The
    /// signatures come first, so that an output with its name always has its signatures.
    pub(crate) fn name_output(
        &mut self,
        job: usize,
        file: &CorpusFile,
        (mut rows, signatures): (OutputFile, Option<OutputFile>),
    ) -> Result<(LengthAndDigest, Option<LengthAndDigest>), DedupError> {
        let (output_bytes, digest) = (rows.bytes_written(), rows.digest()?);
        let whole = Checkpoint { output_bytes, digest, ..self.checkpoint(job, file) };
        self.run.checkpoints.append(&whole)?;
        let signatures = signatures.map(OutputFile::finish_marked).transpose()?;
        Ok((rows.finish_marked()?, signatures))
    }

    fn checkpoint(&self, job: usize, file: &CorpusFile) -> Checkpoint {
        Checkpoint::before_first_batch(
            &self.plan.jobs[job],
            file.output.clone(),
            Vec::new(),
            &self.config,
        )
    }

    /// Returns the folder for data that do not fit into memory.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.run_file(TEMPORARY)
    }

    /// Creates that folder.
    pub(crate) fn create_temporary(&self) -> Result<PathBuf, DedupError> {
        let folder = self.temporary();
        create_folder(&folder)?;
        Ok(folder)
    }

    /// Returns the inputs that earlier runs have signed.
    pub(crate) fn signed_inputs(&self) -> impl Iterator<Item = &SignedInput> {
        self.steps.entries().iter().filter_map(Entry::signed)
    }

    /// Returns how many bytes of an input were read to sign it, and their digest, if it was signed
    /// here.
    pub(crate) fn read_of(&self, input: &str) -> Option<(u64, String)> {
        let signed = self.signed_inputs().find(|signed| signed.input == input)?;
        Some((signed.read, signed.digest.clone()))
    }

    /// Returns the digest of the decisions of earlier runs.
    pub(crate) fn decided(&self) -> Option<&str> {
        self.steps.entries().iter().rev().find_map(|entry| match &entry.done {
            Milestone::Decided(digest) => Some(digest.as_str()),
            Milestone::Signed(_) => None,
        })
    }

    /// Returns whether inputs were signed after the decisions. An earlier run could not read them
    /// and decided without them.
    pub(crate) fn has_more_inputs(&self) -> bool {
        self.decided().is_some()
            && self.steps.entries().last().is_some_and(|entry| entry.signed().is_some())
    }

    /// Removes the outputs of earlier runs, so that they are written again by other decisions.
    pub(crate) fn forget_outputs(&mut self) -> Result<(), DedupError> {
        let folders = OutputFolders::new(self.root(), SideTables::default());
        let names = self.written_inputs().iter().flat_map(FinishedInputs::output_names);
        let mut files: Vec<_> =
            names.flat_map(|name| overwrite::with_signatures(&folders, name)).collect();
        files.push(self.run_file(DEDUP_CLUSTERS));
        overwrite::refuse(self.root(), self.plan, &files)?;
        // If this is interrupted, the journal still names each remaining file.
        overwrite::remove_all(&files)?;
        self.run.journal = Journal::create(&self.run.files().join(journal::NAME), Vec::new())?;
        Ok(())
    }

    /// Notes a finished step. A run without inputs has none, so the next run needs no permission to
    /// replace it.
    pub(crate) fn note_milestone(&mut self, done: Milestone) -> Result<(), DedupError> {
        if self.plan.jobs.is_empty() {
            return Ok(());
        }
        Ok(self.steps.append(Entry { done, config: self.config.clone() })?)
    }

    /// Returns a message if an input has changed since it was read.
    pub(crate) fn change_message(&self, job: usize, read: ReadToEnd) -> Option<String> {
        let (job, stores, modified) = (&self.plan.jobs[job], &self.plan.stores, read.version);
        ChangeDetector { job, stores, max_page_bytes: usize::MAX, modified }
            .change_message(read.seen)
    }

    /// Notes that an input was read to its end, and the time of its last change before.
    pub(crate) fn note_time(
        &mut self,
        input: &str,
        modified: Option<u64>,
    ) -> Result<(), DedupError> {
        Ok(self.timing.finished(input, modified)?)
    }

    /// Returns the journal entries of the inputs that are written.
    pub(crate) fn written_inputs(&self) -> &[FinishedInputs] {
        self.run.journal.entries()
    }

    /// Notes that an input is written.
    pub(crate) fn finish(&mut self, finished: FinishedInputs) -> Result<(), DedupError> {
        self.run.journal.append(finished)?;
        Ok(self.run.checkpoints.clear()?)
    }

    /// Makes the journal entry of an input that is written. Without rows there are no files.
    /// `output` has the name, the length and the digest of its output.
    pub(crate) fn finished(
        &self,
        file: &CorpusFile,
        counters: Counters,
        seen: Option<(u64, String)>,
        output: Option<(String, u64, String)>,
        signatures: Option<SignatureMark>,
    ) -> FinishedInputs {
        let (input_read, input_digest) = seen.unzip();
        let (output, output_bytes, digest) = match output {
            Some((name, bytes, digest)) => (Some(name), bytes, Some(format!("sha256:{digest}"))),
            None => (None, 0, None),
        };
        FinishedInputs {
            input: file.name.clone(),
            // The file may have changed between planning and reading.
            input_bytes: input_read.or(file.bytes).unwrap_or_default(),
            input_read,
            input_digest,
            output,
            output_bytes,
            digest,
            files: Vec::new(),
            secondary_outputs: Vec::new(),
            side_files: SideTables::default(),
            rejects_bytes: None,
            cut_by_limit: false,
            rejects_digest: None,
            dropped_bytes: None,
            dropped_digest: None,
            signatures,
            counters,
            note: None,
            config_hash: self.config.clone(),
        }
    }

    /// Checks inputs and outputs again, and returns the changed ones.
    pub(crate) fn recheck(&self) -> Vec<UnusableInput> {
        self.run.recheck(self.plan, usize::MAX)
    }

    /// Writes the statistics.
    pub(crate) fn write_statistics(&self, summary: &Summary) -> Result<(), DedupError> {
        Ok(stats::write(&self.run.files(), summary)?)
    }

    /// Returns what the folders of the inputs hold besides inputs.
    pub(crate) fn ignored(&self) -> IgnoredFiles {
        self.plan.ignored.clone()
    }

    /// Ends a run that has done everything, and removes the files that only a resumed run needs.
    pub(crate) fn mark_complete(self) -> Result<(), DedupError> {
        for signed in self.signed_inputs() {
            remove_file(&self.signed(&signed.input))?;
        }
        for folder in [OF_INPUTS, TEMPORARY].map(|name| self.run_file(name)) {
            remove_empty(&folder)?;
        }
        Ok(self.run.mark_complete()?)
    }
}

/// Returns the signatures that the earlier run made of the inputs in its configuration, except the
/// kept ones. The run may have been killed before it noted that an input is signed.
fn signed_before(
    files: &Path,
    of_inputs: &Path,
    kept: &[Entry],
) -> Result<Vec<PathBuf>, DedupError> {
    let Some(earlier) = RunConfig::read(&files.join(run_config::NAME))? else {
        return Ok(Vec::new());
    };
    let kept: HashSet<&str> =
        kept.iter().filter_map(Entry::signed).map(|signed| signed.input.as_str()).collect();
    let inputs = earlier.names(INPUTS).filter(|input| !kept.contains(input));
    let paths = inputs.map(|input| signature_path(of_inputs, input));
    Ok(paths.flat_map(|path| [part_of(&path), path]).collect())
}

/// Returns the path of the signatures of an input, below their folder.
fn signature_path(folder: &Path, name: &str) -> PathBuf {
    let mut path = folder.join(path_of(name)).into_os_string();
    path.push(".sig");
    PathBuf::from(path)
}

fn remove_file(path: &Path) -> Result<(), DedupError> {
    match fs::remove_file(path) {
        Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Err(DedupError::output_error("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Removes a folder and the folders in it, unless they hold files.
fn remove_empty(folder: &Path) -> Result<(), DedupError> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_empty(&entry.path())?;
        }
    }
    match fs::remove_dir(folder) {
        Err(error)
            if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty) =>
        {
            Err(DedupError::output_error("remove", folder)(error))
        }
        _ => Ok(()),
    }
}
