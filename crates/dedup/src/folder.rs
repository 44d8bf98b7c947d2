//! The output folder of a run: what every run has there, and what this command adds.

use crate::corpus::CorpusFile;
use crate::error::DedupError;
use crate::in_order::ReadToEnd;
use crate::journal::{Entry, Milestone, SignedInput};
use huller_run::account::Account;
use huller_run::durable::create_folder;
use huller_run::error::RunError;
use huller_run::options::Options;
use huller_run::output_file::OutputFile;
use huller_run::part_file::part_of;
use huller_run::plan::{Plan, path_of};
use huller_run::run_files::checkpoint::Checkpoint;
use huller_run::run_files::folder::{Beginning, CommandFiles, RunFolder};
use huller_run::run_files::journal::{self, Entry as Finished, Journal};
use huller_run::run_files::marks::SignatureMark;
use huller_run::run_files::paths::{DEDUP_CLUSTERS, DEDUP_JOURNAL, RUN_FILES};
use huller_run::run_files::run_config::{self, RunConfig};
use huller_run::run_files::timing::{self, Timing};
use huller_run::run_files::{links, overwrite, stats};
use huller_run::signature_file;
use huller_run::summary::{PassedOver, Summary, UnusableInput};
use huller_run::watch::Watch;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Folder of the signatures that the run makes of its inputs, among the run files.
const OF_INPUTS: &str = "signatures-in";

/// The section of the configuration that names the inputs.
pub(crate) const INPUTS: &str = "inputs";

/// Folder of what does not fit into memory.
const TEMPORARY: &str = "tmp";

/// An output folder that this run alone works in.
pub(crate) struct Folder<'p> {
    plan: &'p Plan,
    run: RunFolder,
    timing: Timing,
    steps: Journal<Entry>,
    /// Hash of the configuration.
    config: String,
}

/// What decides whether a run goes on with the steps of an earlier one.
struct Known<'p> {
    plan: &'p Plan,
    /// When inputs had been changed last, when an earlier run read them.
    modified: HashMap<String, u64>,
    /// Hash of the configuration.
    config: String,
}

impl Known<'_> {
    /// The steps that an earlier run of the same configuration has done. An input with other bytes
    /// than it signed is refused, since other rows would be kept.
    fn steps(&self, path: &Path) -> Result<Vec<Entry>, DedupError> {
        let mut steps: Vec<Entry> = journal::read(path)?;
        steps.retain(|entry| entry.config == self.config);
        let jobs: HashMap<_, _> =
            self.plan.jobs.iter().map(|job| (job.name.as_str(), job)).collect();
        for signed in steps.iter().filter_map(Entry::signed) {
            let Some(job) = jobs.get(signed.input.as_str()) else { continue };
            let modified = self.modified.get(&job.name).copied();
            let stores = &self.plan.stores;
            let watch = Watch { job, stores, max_page_bytes: usize::MAX, modified };
            if watch.changed_since(signed.read, &signed.digest).is_some() {
                let reason = format!("'{}' has other bytes than when it was signed", job.name);
                return Err(RunError::CannotResume { reason }.into());
            }
        }
        Ok(steps)
    }
}

impl<'p> Folder<'p> {
    /// Locks the folder, and takes over or removes what an earlier run left there. Gives what the
    /// user should know, too.
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
        let known = Known { plan, modified: timing::modified(&files), config: config.hash() };
        // A run that is refused has changed nothing.
        let kept = if options.resume { known.steps(&steps_path)? } else { Vec::new() };
        let mut remains = signed_before(&files, &of_inputs, &kept)?;
        let is_decided = |entry: &Entry| matches!(entry.done, Milestone::Decided(_));
        if !kept.iter().any(is_decided) {
            // The clusters of other decisions.
            remains.push(files.join(DEDUP_CLUSTERS));
        }
        let own = CommandFiles { remains, ..CommandFiles::default() };
        // One suffix that adds nothing: outputs have their whole names in the plan.
        let Beginning { folder: run, notes, .. } =
            RunFolder::open(root, plan, &[String::new()], config, options, own)?;
        // Until the folder was locked, another run may have done more.
        let kept = if options.resume { known.steps(&steps_path)? } else { Vec::new() };
        let steps = Journal::create(&steps_path, kept)?;
        let timing = Timing::open(&run.files())?;
        Ok((Folder { plan, run, timing, steps, config: known.config }, notes))
    }

    /// Path of the folder.
    pub(crate) fn root(&self) -> &Path {
        &self.run.root
    }

    /// Where a run file is.
    pub(crate) fn run_file(&self, name: &str) -> PathBuf {
        self.run.files().join(name)
    }

    /// Where the signatures are that are made of an input.
    pub(crate) fn signed(&self, name: &str) -> PathBuf {
        of_input(&self.run_file(OF_INPUTS), name)
    }

    /// Begins the file of these signatures.
    pub(crate) fn create_signed(&self, name: &str) -> Result<OutputFile, DedupError> {
        let path = self.signed(name);
        links::refuse(self.root(), [path.clone()].into_iter())?;
        Ok(OutputFile::create(&path)?)
    }

    /// Begins an output and the file of its signatures. The checkpoint that names them comes first,
    /// so that a later run knows whose they are if this one is killed.
    pub(crate) fn create_output(
        &mut self,
        job: usize,
        file: &CorpusFile,
    ) -> Result<(OutputFile, OutputFile), DedupError> {
        let before = self.checkpoint(job, file);
        self.run.checkpoints.append(&before)?;
        let rows = OutputFile::create(&self.root().join(path_of(&file.output)))?;
        let signatures = signature_file::path_of(self.root(), &file.output);
        Ok((rows, OutputFile::create(&signatures)?))
    }

    /// Gives an output and its signatures their names, and returns their lengths and digests. The
    /// signatures come first, since an output that has its name has its signatures.
    pub(crate) fn name_output(
        &mut self,
        job: usize,
        file: &CorpusFile,
        (mut rows, signatures): (OutputFile, OutputFile),
    ) -> Result<[(u64, String); 2], DedupError> {
        let (output_bytes, digest) = (rows.written(), rows.digest()?);
        let whole = Checkpoint { output_bytes, digest, ..self.checkpoint(job, file) };
        self.run.checkpoints.append(&whole)?;
        let signatures = signatures.finish_marked()?;
        Ok([rows.finish_marked()?, signatures])
    }

    fn checkpoint(&self, job: usize, file: &CorpusFile) -> Checkpoint {
        Checkpoint::before(&self.plan.jobs[job], file.output.clone(), Vec::new(), &self.config)
    }

    /// Where what doesn't fit into memory goes.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.run_file(TEMPORARY)
    }

    /// Makes that folder.
    pub(crate) fn create_temporary(&self) -> Result<PathBuf, DedupError> {
        let folder = self.temporary();
        create_folder(&folder)?;
        Ok(folder)
    }

    /// The inputs that earlier runs have signed.
    pub(crate) fn signed_inputs(&self) -> impl Iterator<Item = &SignedInput> {
        self.steps.entries().iter().filter_map(Entry::signed)
    }

    /// How many bytes of an input were read to sign it, and their digest, if it was signed here.
    pub(crate) fn read_of(&self, input: &str) -> Option<(u64, String)> {
        let signed = self.signed_inputs().find(|signed| signed.input == input)?;
        Some((signed.read, signed.digest.clone()))
    }

    /// The digest of what earlier runs have decided.
    pub(crate) fn decided(&self) -> Option<&str> {
        self.steps.entries().iter().rev().find_map(|entry| match &entry.done {
            Milestone::Decided(digest) => Some(digest.as_str()),
            Milestone::Signed(_) => None,
        })
    }

    /// Whether inputs were signed since then. An earlier run could not read them and decided
    /// without them.
    pub(crate) fn has_more_inputs(&self) -> bool {
        self.decided().is_some()
            && self.steps.entries().last().is_some_and(|entry| entry.signed().is_some())
    }

    /// Removes the outputs of earlier runs, so that they are written again by other decisions.
    pub(crate) fn forget_outputs(&mut self) -> Result<(), DedupError> {
        let names = self.written().iter().flat_map(Finished::output_names);
        let mut files: Vec<_> =
            names.flat_map(|name| overwrite::with_signatures(self.root(), name)).collect();
        files.push(self.run_file(DEDUP_CLUSTERS));
        overwrite::refuse(self.root(), self.plan, &files)?;
        // Until then the journal names each file that is left if this is broken off.
        overwrite::remove_all(&files)?;
        self.run.journal = Journal::create(&self.run.files().join(journal::NAME), Vec::new())?;
        Ok(())
    }

    /// Notes a step that is done.
    pub(crate) fn note(&mut self, done: Milestone) -> Result<(), DedupError> {
        Ok(self.steps.append(Entry { done, config: self.config.clone() })?)
    }

    /// Says that an input is not what it was when it was read, if so.
    pub(crate) fn changed(&self, job: usize, read: ReadToEnd) -> Option<String> {
        let (job, stores, modified) = (&self.plan.jobs[job], &self.plan.stores, read.version);
        Watch { job, stores, max_page_bytes: usize::MAX, modified }.changed(read.seen)
    }

    /// Notes that an input was read to its end, and when it had been changed last before.
    pub(crate) fn note_time(
        &mut self,
        input: &str,
        modified: Option<u64>,
    ) -> Result<(), DedupError> {
        Ok(self.timing.finished(input, modified)?)
    }

    /// The inputs that are written, with what was written.
    pub(crate) fn written(&self) -> &[Finished] {
        self.run.journal.entries()
    }

    /// Notes that an input is written.
    pub(crate) fn finish(&mut self, finished: Finished) -> Result<(), DedupError> {
        self.run.journal.append(finished)?;
        Ok(self.run.checkpoints.clear()?)
    }

    /// What the journal says of an input that is written: without rows there are no files. `output`
    /// has the name, the length and the digest of its output.
    pub(crate) fn finished(
        &self,
        file: &CorpusFile,
        account: Account,
        seen: Option<(u64, String)>,
        output: Option<(String, u64, String)>,
        signatures: Option<SignatureMark>,
    ) -> Finished {
        let (input_read, input_digest) = seen.unzip();
        let (output, output_bytes, digest) = match output {
            Some((name, bytes, digest)) => (Some(name), bytes, Some(format!("sha256:{digest}"))),
            None => (None, 0, None),
        };
        Finished {
            input: file.name.clone(),
            // The file may have changed between the plan and the reading.
            input_bytes: input_read.or(file.bytes).unwrap_or_default(),
            input_read,
            input_digest,
            output,
            output_bytes,
            digest,
            files: Vec::new(),
            also: Vec::new(),
            rejects_bytes: None,
            cut_by_limit: false,
            rejects_digest: None,
            dropped_bytes: None,
            dropped_digest: None,
            signatures,
            account,
            note: None,
            config: self.config.clone(),
        }
    }

    /// Looks once more at inputs and outputs: those that have changed since.
    pub(crate) fn recheck(&self) -> Vec<UnusableInput> {
        self.run.recheck(self.plan, usize::MAX)
    }

    /// Writes the statistics.
    pub(crate) fn write_statistics(&self, summary: &Summary) -> Result<(), DedupError> {
        Ok(stats::write(&self.run.files(), summary)?)
    }

    /// What the folders of the inputs hold besides inputs.
    pub(crate) fn passed_over(&self) -> PassedOver {
        self.plan.passed_over.clone()
    }

    /// Ends a run that has done everything, and removes what only a run that goes on needs.
    pub(crate) fn succeed(self) -> Result<(), DedupError> {
        for signed in self.signed_inputs() {
            remove_file(&self.signed(&signed.input))?;
        }
        for folder in [OF_INPUTS, TEMPORARY].map(|name| self.run_file(name)) {
            remove_empty(&folder)?;
        }
        Ok(self.run.succeed()?)
    }
}

/// The signatures that the earlier run made of its inputs, which its configuration names. Kept
/// signatures are left out. The run may have been killed before it noted that an input is signed.
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
    let paths = inputs.map(|input| of_input(of_inputs, input));
    Ok(paths.flat_map(|path| [part_of(&path), path]).collect())
}

/// Where the signatures of an input are, below their folder.
fn of_input(folder: &Path, name: &str) -> PathBuf {
    let mut path = folder.join(path_of(name)).into_os_string();
    path.push(".sig");
    PathBuf::from(path)
}

fn remove_file(path: &Path) -> Result<(), DedupError> {
    match fs::remove_file(path) {
        Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Err(DedupError::output("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Removes a folder with the folders in it, as far as they hold no files.
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
            Err(DedupError::output("remove", folder)(error))
        }
        _ => Ok(()),
    }
}
