//! Which inputs become which outputs.

use super::error::PlanError;
use super::indexed::{self, IndexOptions, Selected};
use super::job::{HtmlFile, Job, Source};
use super::listed;
use super::listing::{Found, Item, Listing};
use super::manifest;
use super::names::{self, is_archive, is_html, is_manifest, kind, name_of, path_of, stem};
use super::shares::{self, ShardBy, Taken};
use crate::error::RunError;
use crate::part_file::part_of;
use crate::run_files::input_list::Shares;
use crate::run_files::journal;
use crate::run_files::paths::{LOCK, RUN_FILES, SUCCESS};
use crate::summary::PassedOver;
use huller_archive::{NO_STORE, Stores, below, beside, is_remote, shown};
use huller_row::formats::suffixes;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// All inputs of a run, in the order they will be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The inputs.
    pub jobs: Vec<Job>,
    /// Paths that could not be read, and why. The run leaves them out.
    pub unusable: Vec<(String, String)>,
    /// What folders hold besides inputs.
    pub passed_over: PassedOver,
    /// How the inputs are shared out, where the run takes a share of them.
    pub shares: Option<Shares>,
    /// What was taken of indexes, where the run reads only the records that these name.
    pub selected: Option<Selected>,
    /// Where addresses among the inputs are read from.
    pub stores: Stores,
}

/// How paths become a plan.
#[derive(Clone, Debug, Default)]
pub struct PlanOptions {
    /// Files that list paths, one on each line.
    pub manifests: Vec<PathBuf>,
    /// What relative paths in manifests are relative to, a folder or an address. Where it is not
    /// given, the folder of the manifest, or of one at an address [what lies beside it](beside).
    pub base: Option<PathBuf>,
    /// The output folder. Files in it are not inputs, even if it lies in a folder that is one.
    pub output: Option<PathBuf>,
    /// Take share `i` of `n` (`i` from 0).
    pub shard: Option<(usize, usize)>,
    /// What decides whose share an input is.
    pub shard_by: ShardBy,
    /// Take no more inputs than these, the first of the list, before it is shared out.
    pub limit: Option<usize>,
    /// Read only the records that indexes name.
    pub index: IndexOptions,
    /// Where addresses are read from. Of local paths alone it is not asked.
    pub stores: Stores,
}

/// Most kinds of files that are counted apart. Names of strangers could make as many as there are
/// files.
const KINDS: usize = 50;

/// Most bytes that file systems allow for a name.
const LONGEST_NAME: usize = 255;

impl Plan {
    /// Makes a plan of the paths a user gave: files, folders, manifests (`*.paths`, `*.paths.gz`,
    /// `*.txt`), addresses, or `-`. Of what is at an address manifests and indexes alone are read;
    /// whether the rest is there shows when it is its turn.
    ///
    /// # Errors
    ///
    /// A manifest or index cannot be read, or nothing is left to do. Paths that are not there make
    /// no error: they are listed in [`Plan::unusable`].
    pub fn new(inputs: &[PathBuf], options: &PlanOptions) -> Result<Plan, PlanError> {
        let mut plan = Plan { stores: options.stores.clone(), ..Plan::default() };
        let mut listing = Listing::default();
        for input in inputs {
            if input.as_os_str() == "-" {
                let is_stdin = |item: &Item| matches!(&item.found, Found::Input(job) if job.source == Source::Stdin);
                if listing.items.iter().any(is_stdin) {
                    return Err(PlanError::StdinTwice);
                }
                let (name, output) = ("-".to_owned(), PathBuf::from("stdin"));
                let job = Job { name, source: Source::Stdin, output, bytes: None };
                listing.add(input, input, Found::Input(job));
            } else if is_manifest(&shown(input)) && (input.is_file() || plan.is_in_store(input)) {
                plan.add_manifest(&mut listing, input, options)?;
            } else {
                let shown = shown(input);
                let listed = if plan.stores.is_elsewhere(input) {
                    &*shown
                } else {
                    input.file_name().map_or(input.as_path(), Path::new)
                };
                plan.add_path(
                    &mut listing,
                    input,
                    listed,
                    (plan.lone_name(input), Path::new("")),
                    options,
                );
            }
        }
        for manifest in &options.manifests {
            plan.add_manifest(&mut listing, manifest, options)?;
        }
        if !options.index.files.is_empty() {
            plan.selected = Some(indexed::add(&mut listing, &options.index, &options.stores)?);
        }
        if let Some(limit) = options.limit {
            listing.cut_after(limit);
        }
        listing.join_html();
        listing.tell_outputs_apart();
        listing.tell_names_apart();
        if options.output.is_some() {
            leave_out_long_names(&mut listing);
        }
        if listing.items.is_empty() {
            let reason = "no file ends in .warc, .arc, .jsonl, .csv, .tsv, .tar (.gz, .zst, .lz4), .wacz, .parquet, .zip or .html".to_owned();
            return Err(PlanError::Nothing(reason));
        }
        if options.shard.is_some_and(|(share, _)| share != 0) {
            // The first share tells it, so that the accounts of all add up.
            plan.passed_over = PassedOver::default();
        }
        let Taken { jobs, unusable, shares } =
            shares::take(listing, options.shard, options.shard_by);
        Ok(Plan { jobs, unusable, shares, ..plan })
    }

    /// The paths that a manifest lists, as they stand there.
    ///
    /// # Errors
    ///
    /// It cannot be read, or lists none.
    pub fn manifest(manifest: &Path, stores: &Stores) -> Result<Vec<PathBuf>, PlanError> {
        let failed = |reason| PlanError::Manifest { path: shown(manifest).into_owned(), reason };
        manifest::read(manifest, stores).map_err(failed)
    }

    /// The names that files have as inputs if these paths are given by themselves. Nothing is read,
    /// so an engine that copies files from elsewhere names them as the program does.
    ///
    /// ```
    /// use huller_run::plan::Plan;
    ///
    /// let names = |paths: [&str; 3]| Plan::names_of_given(&paths.map(Into::into));
    /// assert_eq!(names(["mon/a.warc", "tue/a.warc", "b.warc"]), ["mon/a.warc", "tue/a.warc", "b.warc"]);
    /// assert_eq!(names(["mon/a.warc", "s3://x/b", "/c.warc"]), ["a.warc", "s3://x/b", "c.warc"]);
    /// ```
    pub fn names_of_given(paths: &[PathBuf]) -> Vec<String> {
        let whole = |path: &Path| name_of(&shown(path));
        let lone = |path: &PathBuf| if is_remote(path) { whole(path) } else { lone_name(path) };
        let mut names: Vec<String> = paths.iter().map(lone).collect();
        let mut seen: HashMap<String, usize> = HashMap::new();
        for name in &names {
            *seen.entry(name.clone()).or_default() += 1;
        }
        for (name, path) in names.iter_mut().zip(paths) {
            if seen[name.as_str()] > 1 {
                *name = whole(path);
            }
        }
        names
    }

    /// The name of a file that was given by itself. An address is named as a list would have it.
    fn lone_name(&self, path: &Path) -> String {
        if self.stores.is_elsewhere(path) { name_of(&shown(path)) } else { lone_name(path) }
    }

    /// Whether a path is an address that can be read.
    fn is_in_store(&self, path: &Path) -> bool {
        self.stores.has_store() && self.stores.is_elsewhere(path)
    }

    fn add_manifest(
        &mut self,
        listing: &mut Listing,
        manifest: &Path,
        options: &PlanOptions,
    ) -> Result<(), PlanError> {
        let full = |line: &Path| match &options.base {
            _ if is_remote(line) => line.to_owned(),
            Some(base) if is_remote(base) => below(base, line),
            Some(base) => base.join(line),
            None if self.stores.is_elsewhere(manifest) => beside(manifest, line),
            None => manifest.parent().unwrap_or(Path::new("")).join(line),
        };
        let lines = Plan::manifest(manifest, &options.stores)?;
        let places: Vec<PathBuf> = lines.iter().map(|line| full(line)).collect();
        let listed: Vec<PathBuf> = lines.iter().map(|line| shown(line).into_owned()).collect();
        for ((place, name), folder) in places.iter().zip(&listed).zip(listed::folders(&listed)) {
            self.add_path(listing, place, name, (name_of(name), &folder), options);
            if options.base.is_none()
                && name.is_relative()
                && let Some(Item { found: Found::Unusable(_, why), .. }) = listing.items.last_mut()
                && place.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound)
            {
                why.push_str("; it is looked for beside the list, and --base names another folder");
            }
        }
        Ok(())
    }

    /// Adds what a folder holds, or a file of this name whose output lies in this folder. `listed`
    /// is what the list calls it.
    fn add_path(
        &mut self,
        listing: &mut Listing,
        path: &Path,
        listed: &Path,
        (name, folder): (String, &Path),
        options: &PlanOptions,
    ) {
        match path.metadata() {
            Err(_) if self.is_in_store(path) => {
                listing.add(path, listed, Found::Input(job(path, name, folder, None)));
            }
            Err(error) => {
                let why = if is_remote(path) { NO_STORE.to_owned() } else { error.to_string() };
                listing.add(path, listed, Found::Unusable(shown(path).display().to_string(), why));
            }
            Ok(metadata) if metadata.is_dir() => self.add_folder(listing, path, listed, options),
            Ok(metadata) => {
                let job = job(path, name, folder, Some(metadata.len()));
                listing.add(path, listed, Found::Input(job));
            }
        }
    }

    /// Adds what a folder holds, in the order of names. What an earlier run wrote is no input:
    /// neither its run files nor its rows.
    fn add_folder(
        &mut self,
        listing: &mut Listing,
        root: &Path,
        listed: &Path,
        options: &PlanOptions,
    ) {
        let output = options.output.as_ref().and_then(|output| output.canonicalize().ok());
        let is_output = output.is_some() && root.canonicalize().ok() == output;
        if !is_output && is_being_written(root) {
            let what = "a run is writing it: wait for its end".to_owned();
            listing.add(root, listed, Found::Unusable(root.display().to_string(), what));
            return;
        }
        let also = match also(root) {
            Ok(also) => also,
            Err(error) => {
                let said = Found::Unusable(root.display().to_string(), error.to_string());
                listing.add(root, listed, said);
                return;
            }
        };
        let is_ours =
            |entry: &DirEntry| output.is_some() && entry.path().canonicalize().ok() == output;
        let mut found = false;
        let mut entries = WalkDir::new(root).sort_by_file_name().follow_links(true).into_iter();
        while let Some(entry) = entries.next() {
            match entry {
                Ok(entry) if entry.depth() == 0 && entry.file_type().is_dir() => {}
                Ok(entry) if entry.file_type().is_dir() => {
                    if entry.file_name() == RUN_FILES || is_ours(&entry) {
                        entries.skip_current_dir();
                    } else if entry.path().join(RUN_FILES).is_dir() {
                        self.passed_over.outputs.push(name_of(entry.path()));
                        entries.skip_current_dir();
                    }
                }
                Ok(entry) if entry.path().strip_prefix(root).is_ok_and(|it| also.contains(it)) => {
                    self.pass_over(entry.path());
                }
                Ok(entry) if is_archive(entry.path()) || is_html(entry.path()) => {
                    if !entry.file_type().is_file() {
                        continue;
                    }
                    found = true;
                    let relative = entry.path().strip_prefix(root).unwrap_or(entry.path());
                    let folder = relative.parent().unwrap_or(Path::new(""));
                    let bytes = Some(entry.metadata().map_or(0, |metadata| metadata.len()));
                    let job = job(entry.path(), name_of(relative), folder, bytes);
                    listing.add(entry.path(), &listed.join(relative), Found::Input(job));
                }
                // The folder of a run was named itself, and this is a part of the run.
                Ok(entry) if entry.file_name() == SUCCESS && root.join(RUN_FILES).is_dir() => {}
                Ok(entry) => self.pass_over(entry.path()),
                Err(error) => {
                    let path = error.path().unwrap_or(root);
                    let relative = path.strip_prefix(root).unwrap_or(path);
                    let said = Found::Unusable(path.display().to_string(), error.to_string());
                    listing.add(path, &listed.join(relative), said);
                    found = true;
                }
            }
        }
        if !found {
            let reason = "the folder holds no .warc, .arc, .jsonl, .csv, .tsv, .tar (.gz, .zst, .lz4), .wacz, .parquet, .zip or .html file".to_owned();
            listing.add(root, listed, Found::Unusable(root.display().to_string(), reason));
        }
    }

    /// Counts a file of a folder that is no input by its name.
    fn pass_over(&mut self, path: &Path) {
        let files = &mut self.passed_over.files;
        let mut kind = kind(path);
        if files.len() >= KINDS && !files.contains_key(&kind) {
            "other".clone_into(&mut kind);
        }
        *files.entry(kind).or_default() += 1;
    }
}

/// Whether a run works in a folder. What is read of it now would be a mixture.
fn is_being_written(root: &Path) -> bool {
    let lock = File::open(root.join(RUN_FILES).join(LOCK));
    lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// The files of a run's folder that hold the rows of other files in another format: of several
/// formats the first is read. Without the journal rows would be read twice, so that it cannot be
/// read is an error.
fn also(root: &Path) -> Result<HashSet<PathBuf>, RunError> {
    let run_files = root.join(RUN_FILES);
    if !run_files.is_dir() {
        return Ok(HashSet::new());
    }
    let entries: Vec<journal::Entry> = journal::read_sound(&run_files.join(journal::NAME))?;
    let also = entries.into_iter().flat_map(|entry| entry.also);
    Ok(also.map(|file| path_of(&file.output)).collect())
}

/// The input that a file is.
fn job(path: &Path, name: String, folder: &Path, bytes: Option<u64>) -> Job {
    let (source, output) = if is_html(&shown(path)) {
        let file = HtmlFile { path: path.to_owned(), name: name.clone() };
        (Source::Html(vec![file]), folder.to_owned())
    } else {
        (Source::File(path.to_owned()), folder.join(stem(&shown(path))))
    };
    Job { name, source, output, bytes }
}

/// Leaves out inputs whose outputs could not have their names: one such would end the run in the
/// middle.
fn leave_out_long_names(listing: &mut Listing) {
    let longest_suffix = suffixes().map(|suffix| part_of(Path::new(suffix)).as_os_str().len());
    let longest_suffix = longest_suffix.max().unwrap_or_default();
    for item in &mut listing.items {
        let Found::Input(job) = &item.found else { continue };
        let name = job.output.file_name().map_or(0, OsStr::len);
        if name + longest_suffix > LONGEST_NAME {
            let reason =
                format!("the name of its output would be longer than {LONGEST_NAME} bytes");
            item.found = Found::Unusable(job.name.clone(), reason);
        }
    }
}

/// The name of a local file that was given by itself: its file name, and for a page, of which many
/// folders have one of that name, the folder's before it.
fn lone_name(path: &Path) -> String {
    let name = Path::new(path.file_name().unwrap_or(path.as_os_str()));
    match path.parent() {
        Some(folder) if is_html(path) => name_of(&names::folder_name(folder).join(name)),
        _ => name_of(name),
    }
}

#[cfg(test)]
mod tests;
