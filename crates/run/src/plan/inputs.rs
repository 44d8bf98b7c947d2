//! Makes a plan of the paths that the user gives: inputs and their outputs.

use super::error::PlanError;
use super::indexed_inputs::{self, IndexOptions, RecordSelection};
use super::job::{HtmlFile, Job, JobSource};
use super::listed;
use super::listing::{ListedInput, ListedPath, Listing};
use super::manifest;
use super::names::{self, is_archive, is_html, is_manifest, kind, name_of, path_of, stem};
use super::shard_inputs::{self, ShardBy, ShardInputs};
use crate::error::RunError;
use crate::part_file::part_of;
use crate::run_files::input_list::ShardRule;
use crate::run_files::journal;
use crate::run_files::paths::{LOCK, RUN_FILES, SUCCESS};
use crate::summary::IgnoredFiles;
use huller_archive::{NO_STORE, Stores, is_remote, redact_url, resolve_below, resolve_beside};
use huller_row::formats::suffixes;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// All inputs of a run, in the order in which the run reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The inputs.
    pub jobs: Vec<Job>,
    /// Paths that could not be read, with the reason. The run leaves them out.
    pub unusable: Vec<(String, String)>,
    /// Files and folders in the given folders that are not inputs.
    pub ignored: IgnoredFiles,
    /// How the inputs are divided into shards, if the run reads a shard.
    pub shard_rule: Option<ShardRule>,
    /// Records taken from indexes, if the run reads only these.
    pub selected: Option<RecordSelection>,
    /// Where the URLs among the inputs are read from.
    pub stores: Stores,
}

/// Options of a plan.
#[derive(Clone, Debug, Default)]
pub struct PlanOptions {
    /// Files that list paths, one per line.
    pub manifests: Vec<PathBuf>,
    /// Folder or URL to which relative paths in manifests refer. By default it is the folder of the
    /// manifest, or for a manifest at a URL [the place beside it](resolve_beside).
    pub base: Option<PathBuf>,
    /// The folders of outputs. Files in them are not inputs, even if one lies in an input folder.
    pub outputs: Vec<PathBuf>,
    /// Read only shard `i` of `n` (`i` from 0).
    pub shard: Option<(usize, usize)>,
    /// The rule that assigns inputs to shards.
    pub shard_by: ShardBy,
    /// Most inputs, taken from the beginning of the list before it is divided into shards.
    pub limit: Option<usize>,
    /// Indexes, if only the records that they name are read.
    pub index: IndexOptions,
    /// Where URLs are read from. Unused if all paths are local.
    pub stores: Stores,
}

/// Most kinds of files with a count of their own. Untrusted names could make as many kinds as there
/// are files.
const KINDS: usize = 50;

/// Most bytes of a file name in common file systems.
const MAX_NAME_BYTES: usize = 255;

impl Plan {
    /// Makes a plan from paths of the user: files, folders, manifests (`*.paths`, `*.paths.gz`,
    /// `*.txt`), URLs, or `-`. At URLs only manifests and indexes are read now. The run finds out
    /// later whether the other objects exist.
    ///
    /// # Errors
    ///
    /// A manifest or index cannot be read, or no input is left. Missing paths cause no error:
    /// [`Plan::unusable`] lists them.
    pub fn new(inputs: &[PathBuf], options: &PlanOptions) -> Result<Plan, PlanError> {
        let mut plan = Plan { stores: options.stores.clone(), ..Plan::default() };
        let mut listing = Listing::default();
        for input in inputs {
            if input.as_os_str() == "-" {
                let is_stdin = |item: &ListedPath| matches!(&item.input, ListedInput::Input(job) if job.source == JobSource::Stdin);
                if listing.items.iter().any(is_stdin) {
                    return Err(PlanError::StdinTwice);
                }
                let (name, output) = ("-".to_owned(), PathBuf::from("stdin"));
                let job = Job { name, source: JobSource::Stdin, output, bytes: None };
                listing.add(input, input, ListedInput::Input(job));
            } else if is_manifest(&redact_url(input))
                && (input.is_file() || plan.is_in_store(input))
            {
                plan.add_manifest(&mut listing, input, options)?;
            } else {
                let shown = redact_url(input);
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
            plan.selected =
                Some(indexed_inputs::add(&mut listing, &options.index, &options.stores)?);
        }
        if let Some(limit) = options.limit {
            listing.truncate_positions(limit);
        }
        listing.join_html();
        listing.make_outputs_unique();
        listing.make_names_unique();
        if !options.outputs.is_empty() {
            leave_out_long_names(&mut listing);
        }
        if listing.items.is_empty() {
            let reason = "no file ends in .warc, .arc, .jsonl, .csv, .tsv, .tar (.gz, .zst, .lz4), .wacz, .parquet, .zip or .html".to_owned();
            return Err(PlanError::NoInputs(reason));
        }
        if options.shard.is_some_and(|(share, _)| share != 0) {
            // Only the first shard reports these files, so that the sum over all shards is right.
            plan.ignored = IgnoredFiles::default();
        }
        let ShardInputs { jobs, unusable, shard_rule } =
            shard_inputs::select_shard(listing, options.shard, options.shard_by);
        Ok(Plan { jobs, unusable, shard_rule, ..plan })
    }

    /// Returns the paths of a manifest as it lists them.
    ///
    /// # Errors
    ///
    /// The manifest cannot be read, or lists no path.
    pub fn manifest(manifest: &Path, stores: &Stores) -> Result<Vec<PathBuf>, PlanError> {
        let failed =
            |reason| PlanError::Manifest { path: redact_url(manifest).into_owned(), reason };
        manifest::read(manifest, stores).map_err(failed)
    }

    /// Returns the names of files as inputs if these paths are given directly. The call reads no
    /// file, so an engine that copies files from elsewhere can name them as the program does.
    ///
    /// ```
    /// use huller_run::plan::Plan;
    ///
    /// let names = |paths: [&str; 3]| Plan::names_of_given(&paths.map(Into::into));
    /// assert_eq!(names(["mon/a.warc", "tue/a.warc", "b.warc"]), ["mon/a.warc", "tue/a.warc", "b.warc"]);
    /// assert_eq!(names(["mon/a.warc", "s3://x/b", "/c.warc"]), ["a.warc", "s3://x/b", "c.warc"]);
    /// ```
    pub fn names_of_given(paths: &[PathBuf]) -> Vec<String> {
        let whole = |path: &Path| name_of(&redact_url(path));
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

    /// Returns the name of a file that was given directly. A URL is named as in a list.
    fn lone_name(&self, path: &Path) -> String {
        if self.stores.is_elsewhere(path) { name_of(&redact_url(path)) } else { lone_name(path) }
    }

    /// Whether a path is a URL that can be read.
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
            Some(base) if is_remote(base) => resolve_below(base, line),
            Some(base) => base.join(line),
            None if self.stores.is_elsewhere(manifest) => resolve_beside(manifest, line),
            None => manifest.parent().unwrap_or(Path::new("")).join(line),
        };
        let lines = Plan::manifest(manifest, &options.stores)?;
        let places: Vec<PathBuf> = lines.iter().map(|line| full(line)).collect();
        let listed: Vec<PathBuf> = lines.iter().map(|line| redact_url(line).into_owned()).collect();
        for ((place, name), folder) in places.iter().zip(&listed).zip(listed::folders(&listed)) {
            self.add_path(listing, place, name, (name_of(name), &folder), options);
            if options.base.is_none()
                && name.is_relative()
                && let Some(ListedPath { input: ListedInput::Unusable(_, why), .. }) =
                    listing.items.last_mut()
                && place.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound)
            {
                why.push_str(
                    "; paths are relative to the folder of the list; --base sets another \
                    folder",
                );
            }
        }
        Ok(())
    }

    /// Adds the files of a folder, or a single file with this name and output folder. `listed` is
    /// the path as the list has it.
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
                listing.add(path, listed, ListedInput::Input(job(path, name, folder, None)));
            }
            Err(error) => {
                let why = if is_remote(path) { NO_STORE.to_owned() } else { error.to_string() };
                listing.add(
                    path,
                    listed,
                    ListedInput::Unusable(redact_url(path).display().to_string(), why),
                );
            }
            Ok(metadata) if metadata.is_dir() => self.add_folder(listing, path, listed, options),
            Ok(metadata) => {
                let job = job(path, name, folder, Some(metadata.len()));
                listing.add(path, listed, ListedInput::Input(job));
            }
        }
    }

    /// Adds the files of a folder, sorted by name. Run files and rows of an earlier run are not
    /// inputs.
    fn add_folder(
        &mut self,
        listing: &mut Listing,
        root: &Path,
        listed: &Path,
        options: &PlanOptions,
    ) {
        let outputs = options.outputs.iter().filter_map(|output| output.canonicalize().ok());
        let outputs: Vec<_> = outputs.collect();
        let is_one = |path: &Path| path.canonicalize().is_ok_and(|path| outputs.contains(&path));
        let is_output = !outputs.is_empty() && is_one(root);
        if !is_output && is_being_written(root) {
            let problem = "a run is writing it: wait for it to end".to_owned();
            listing.add(root, listed, ListedInput::Unusable(root.display().to_string(), problem));
            return;
        }
        let secondary_outputs = match repeated_outputs(root) {
            Ok(secondary_outputs) => secondary_outputs,
            Err(error) => {
                let unusable = ListedInput::Unusable(root.display().to_string(), error.to_string());
                listing.add(root, listed, unusable);
                return;
            }
        };
        let is_ours = |entry: &DirEntry| !outputs.is_empty() && is_one(entry.path());
        let mut found = false;
        let mut entries = WalkDir::new(root).sort_by_file_name().follow_links(true).into_iter();
        while let Some(entry) = entries.next() {
            match entry {
                Ok(entry) if entry.depth() == 0 && entry.file_type().is_dir() => {}
                Ok(entry) if entry.file_type().is_dir() => {
                    if entry.file_name() == RUN_FILES || is_ours(&entry) {
                        entries.skip_current_dir();
                    } else if entry.path().join(RUN_FILES).is_dir() {
                        self.ignored.outputs.push(name_of(entry.path()));
                        entries.skip_current_dir();
                    }
                }
                Ok(entry)
                    if entry
                        .path()
                        .strip_prefix(root)
                        .is_ok_and(|it| secondary_outputs.contains(it)) =>
                {
                    self.pass_over(entry.path());
                }
                Ok(entry) if is_apple_double(&entry) => self.pass_over(entry.path()),
                Ok(entry) if is_archive(entry.path()) || is_html(entry.path()) => {
                    if !entry.file_type().is_file() {
                        continue;
                    }
                    found = true;
                    let relative = entry.path().strip_prefix(root).unwrap_or(entry.path());
                    let folder = relative.parent().unwrap_or(Path::new(""));
                    let bytes = Some(entry.metadata().map_or(0, |metadata| metadata.len()));
                    let job = job(entry.path(), name_of(relative), folder, bytes);
                    listing.add(entry.path(), &listed.join(relative), ListedInput::Input(job));
                }
                // The user named the folder of a run, and this file belongs to the run.
                Ok(entry) if entry.file_name() == SUCCESS && root.join(RUN_FILES).is_dir() => {}
                Ok(entry) => self.pass_over(entry.path()),
                Err(error) => {
                    let path = error.path().unwrap_or(root);
                    let relative = path.strip_prefix(root).unwrap_or(path);
                    let unusable =
                        ListedInput::Unusable(path.display().to_string(), error.to_string());
                    listing.add(path, &listed.join(relative), unusable);
                    found = true;
                }
            }
        }
        if !found {
            let reason = "the folder holds no .warc, .arc, .jsonl, .csv, .tsv, .tar (.gz, .zst, .lz4), .wacz, .parquet, .zip or .html file".to_owned();
            listing.add(root, listed, ListedInput::Unusable(root.display().to_string(), reason));
        }
    }

    /// Counts a file of a folder that is not an input by its name.
    fn pass_over(&mut self, path: &Path) {
        let files = &mut self.ignored.files;
        let mut kind = kind(path);
        if files.len() >= KINDS && !files.contains_key(&kind) {
            "other".clone_into(&mut kind);
        }
        *files.entry(kind).or_default() += 1;
    }
}

/// Whether a file holds the attributes of the file beside it. macOS writes such files (`._a.jsonl`)
/// on other file systems.
fn is_apple_double(entry: &DirEntry) -> bool {
    const MAGIC: [u8; 4] = [0, 5, 0x16, 7];
    if !entry.file_name().as_encoded_bytes().starts_with(b"._") || !entry.file_type().is_file() {
        return false;
    }
    let mut head = [0; MAGIC.len()];
    File::open(entry.path()).and_then(|mut file| file.read_exact(&mut head)).is_ok()
        && head == MAGIC
}

/// Whether a run is at work in the folder. Reading it now would give a mixture.
fn is_being_written(root: &Path) -> bool {
    let lock = File::open(root.join(RUN_FILES).join(LOCK));
    lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Returns the files in a run's folder that repeat the rows of other files in another format. Of
/// several formats only the first is read. An unreadable journal is an error, since rows would then
/// be read twice.
fn repeated_outputs(root: &Path) -> Result<HashSet<PathBuf>, RunError> {
    let run_files = root.join(RUN_FILES);
    if !run_files.is_dir() {
        return Ok(HashSet::new());
    }
    let entries: Vec<journal::JournalEntry> = journal::read_sound(&run_files.join(journal::NAME))?;
    let secondary_outputs = entries.into_iter().flat_map(|entry| entry.secondary_outputs);
    Ok(secondary_outputs.map(|file| path_of(&file.output)).collect())
}

/// Returns the input for a file.
fn job(path: &Path, name: String, folder: &Path, bytes: Option<u64>) -> Job {
    let (source, output) = if is_html(&redact_url(path)) {
        let file = HtmlFile { path: path.to_owned(), name: name.clone() };
        (JobSource::Html(vec![file]), folder.to_owned())
    } else {
        (JobSource::File(path.to_owned()), folder.join(stem(&redact_url(path))))
    };
    Job { name, source, output, bytes }
}

/// Marks inputs as unusable whose outputs would have too long a name. Such an input would end the
/// run in the middle.
fn leave_out_long_names(listing: &mut Listing) {
    let longest_suffix = suffixes().map(|suffix| part_of(Path::new(suffix)).as_os_str().len());
    let longest_suffix = longest_suffix.max().unwrap_or_default();
    for item in &mut listing.items {
        let ListedInput::Input(job) = &item.input else { continue };
        let name = job.output.file_name().map_or(0, OsStr::len);
        if name + longest_suffix > MAX_NAME_BYTES {
            let reason =
                format!("its output would have a name of more than {MAX_NAME_BYTES} bytes");
            item.input = ListedInput::Unusable(job.name.clone(), reason);
        }
    }
}

/// Returns the name of a local file that was given directly: its file name. For a page it adds the
/// name of the folder, since many folders have a page of that name.
fn lone_name(path: &Path) -> String {
    let name = Path::new(path.file_name().unwrap_or(path.as_os_str()));
    match path.parent() {
        Some(folder) if is_html(path) => name_of(&names::folder_name(folder).join(name)),
        _ => name_of(name),
    }
}

#[cfg(test)]
mod tests;
