//! Which inputs become which outputs.

mod manifest;
mod names;

use crate::output::part_of;
use crate::run_files::{RUN_FILES, run_files};
use crate::settings::OutputTo;
pub use names::name_of;
pub(crate) use names::{is_archive, path_of};
use names::{is_html, is_manifest, stem};
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Where the records of one output come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A WARC or JSONL file; under another name, perhaps a page.
    File(PathBuf),
    /// The HTML files of one folder.
    Html(Vec<PathBuf>),
    /// Standard input.
    Stdin,
}

/// One input and its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The input's name in journal, statistics and rows: its path relative to the folder given, or its file name.
    pub name: String,
    /// Where the records come from.
    pub source: Source,
    /// The output below the output folder, without suffixes.
    pub output: PathBuf,
    /// Size in bytes, as far as it is known.
    pub bytes: Option<u64>,
}

/// All inputs of a run, in the order they will be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The inputs.
    pub jobs: Vec<Job>,
    /// Paths that could not be looked at, and why. The run goes on without them.
    pub unusable: Vec<(String, String)>,
}

/// How paths become a plan.
#[derive(Clone, Debug, Default)]
pub struct PlanOptions {
    /// Files that list paths, one a line.
    pub manifests: Vec<PathBuf>,
    /// What relative paths in manifests are relative to; the folder of the manifest where it is not given.
    pub base: Option<PathBuf>,
    /// The output folder: what lies in it is no input, though it be found in a folder that is.
    pub output: Option<PathBuf>,
    /// Take inputs `i`, `i + n`, … of all (`i` from 0).
    pub shard: Option<(usize, usize)>,
}

/// What file systems allow.
const LONGEST_NAME: usize = 255;

/// What is added to the name of an output while it is being written.
const LONGEST_SUFFIX: &str = ".jsonl.zst.part";

/// Why no plan could be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Two inputs have one output.
    #[error("'{first}' and '{second}' would both be written to '{}'", output.display())]
    SameOutput {
        /// One input.
        first: String,
        /// The other.
        second: String,
        /// Their output.
        output: PathBuf,
    },
    /// An output is an input.
    #[error("the output for '{input}' would overwrite the input '{}'", output.display())]
    OverwritesInput {
        /// The input.
        input: String,
        /// The file.
        output: PathBuf,
    },
    /// The rejects file is something else already.
    #[error("the rejects would overwrite '{}'", path.display())]
    Rejects {
        /// The file.
        path: PathBuf,
    },
    /// A manifest could not be read.
    #[error("cannot read the manifest '{}': {reason}", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Standard input was given twice.
    #[error("standard input ('-') can be read once only")]
    StdinTwice,
    /// There is nothing to read.
    #[error("no inputs: {0}")]
    Nothing(String),
}

impl Plan {
    /// Makes a plan of the paths a user gave: files, folders, manifests (`*.paths`, `*.paths.gz`, `*.txt`), or `-`.
    ///
    /// # Errors
    ///
    /// A manifest cannot be read, or nothing is left to do. Paths that are not there make no error: they are listed in
    /// [`Plan::unusable`].
    pub fn new(inputs: &[PathBuf], options: &PlanOptions) -> Result<Plan, PlanError> {
        let mut plan = Plan::default();
        for input in inputs {
            if input.as_os_str() == "-" {
                if plan.jobs.iter().any(|job| job.source == Source::Stdin) {
                    return Err(PlanError::StdinTwice);
                }
                let (name, output) = ("-".to_owned(), PathBuf::from("stdin"));
                plan.jobs.push(Job { name, source: Source::Stdin, output, bytes: None });
            } else if is_manifest(input) && input.is_file() {
                plan.add_manifest(input, options)?;
            } else {
                plan.add_path(input, options);
            }
        }
        for manifest in &options.manifests {
            plan.add_manifest(manifest, options)?;
        }
        plan.join_html();
        if options.output.is_some() {
            plan.leave_out_long_names();
        }
        if plan.jobs.is_empty() && plan.unusable.is_empty() {
            let reason = "no file ends in .warc, .jsonl (.gz, .zst) or .html".to_owned();
            return Err(PlanError::Nothing(reason));
        }
        if let Some((shard, of)) = options.shard {
            let mine = |i: usize| i % of == shard;
            plan.jobs = plan
                .jobs
                .into_iter()
                .enumerate()
                .filter(|(i, _)| mine(*i))
                .map(|(_, job)| job)
                .collect();
            plan.unusable.truncate(if shard == 0 { usize::MAX } else { 0 });
        }
        Ok(plan)
    }

    /// The paths that a manifest lists, as they stand there.
    ///
    /// # Errors
    ///
    /// It cannot be read, or lists none.
    pub fn manifest(manifest: &Path) -> Result<Vec<PathBuf>, PlanError> {
        let failed = |reason| PlanError::Manifest { path: manifest.to_owned(), reason };
        manifest::read(manifest).map_err(failed)
    }

    fn add_manifest(&mut self, manifest: &Path, options: &PlanOptions) -> Result<(), PlanError> {
        let base = options.base.as_deref().or(manifest.parent()).unwrap_or(Path::new(""));
        for path in Plan::manifest(manifest)? {
            self.add_path(&base.join(path), options);
        }
        Ok(())
    }

    fn add_path(&mut self, path: &Path, options: &PlanOptions) {
        match path.metadata() {
            Err(error) => self.unusable.push((path.display().to_string(), error.to_string())),
            Ok(metadata) if metadata.is_dir() => self.add_folder(path, options),
            Ok(metadata) => {
                let name =
                    path.file_name().map_or_else(|| name_of(path), |name| name_of(Path::new(name)));
                self.add_file(path, name, Path::new(""), metadata.len());
            }
        }
    }

    /// Adds what a folder holds, in the order of names. The run files of an earlier run are no inputs.
    fn add_folder(&mut self, root: &Path, options: &PlanOptions) {
        let output = options.output.as_ref().and_then(|output| output.canonicalize().ok());
        let is_output = |entry: &DirEntry| {
            let is_folder = entry.depth() > 0 && entry.file_type().is_dir();
            let is_ours = || output.is_some() && entry.path().canonicalize().ok() == output;
            is_folder && (entry.file_name() == RUN_FILES || is_ours())
        };
        let mut found = false;
        let entries = WalkDir::new(root).sort_by_file_name().follow_links(true).into_iter();
        for entry in entries.filter_entry(|entry| !is_output(entry)) {
            match entry {
                Ok(entry)
                    if entry.file_type().is_file()
                        && (is_archive(entry.path()) || is_html(entry.path())) =>
                {
                    found = true;
                    let relative = entry.path().strip_prefix(root).unwrap_or(entry.path());
                    let folder = relative.parent().unwrap_or(Path::new(""));
                    let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
                    self.add_file(entry.path(), name_of(relative), folder, bytes);
                }
                Ok(_) => {}
                Err(error) => {
                    let path = error.path().unwrap_or(root).display().to_string();
                    self.unusable.push((path, error.to_string()));
                    found = true;
                }
            }
        }
        if !found {
            let reason = "the folder holds no .warc, .jsonl (.gz, .zst) or .html file".to_owned();
            self.unusable.push((root.display().to_string(), reason));
        }
    }

    fn add_file(&mut self, path: &Path, name: String, folder: &Path, bytes: u64) {
        let (source, output) = if is_html(path) {
            (Source::Html(vec![path.to_owned()]), folder.to_owned())
        } else {
            (Source::File(path.to_owned()), folder.join(stem(path)))
        };
        self.jobs.push(Job { name, source, output, bytes: Some(bytes) });
    }

    /// Makes one input of all HTML files that lie in one folder.
    fn join_html(&mut self) {
        let mut places: BTreeMap<PathBuf, usize> = BTreeMap::new();
        let mut jobs: Vec<Job> = Vec::with_capacity(self.jobs.len());
        for job in self.jobs.drain(..) {
            let Source::Html(files) = &job.source else {
                jobs.push(job);
                continue;
            };
            let folder = files[0].parent().map(Path::to_owned).unwrap_or_default();
            if let Some(place) = places.get(&folder) {
                let known = &mut jobs[*place];
                known.bytes = known.bytes.zip(job.bytes).map(|(a, b)| a + b);
                if let Source::Html(all) = &mut known.source {
                    all.extend_from_slice(files);
                }
                continue;
            }
            places.insert(folder.clone(), jobs.len());
            // The folder given by name becomes `DIR/folder`, a folder within it keeps its relative path.
            let output = if job.output.as_os_str().is_empty() {
                names::folder_name(&folder)
            } else {
                job.output
            };
            jobs.push(Job { name: name_of(&output), output, ..job });
        }
        self.jobs = jobs;
    }

    /// Leaves out inputs whose outputs could not have their names: one such would end the run in the middle.
    fn leave_out_long_names(&mut self) {
        let (jobs, long): (Vec<_>, _) = self.jobs.drain(..).partition(|job| {
            let name = job.output.file_name().map_or(0, OsStr::len);
            name + LONGEST_SUFFIX.len() <= LONGEST_NAME
        });
        self.jobs = jobs;
        let reason = format!("the name of its output would be longer than {LONGEST_NAME} bytes");
        self.unusable.extend(long.into_iter().map(|job| (job.name, reason.clone())));
    }

    /// Checks that every output is written once, that none is a folder of another, and that none is an input.
    ///
    /// # Errors
    ///
    /// Names the two that collide.
    pub fn check_outputs(&self, to: &OutputTo, suffix: &str) -> Result<(), PlanError> {
        let OutputTo::Folder(folder) = to else { return Ok(()) };
        let mut outputs: HashMap<PathBuf, &Job> = HashMap::new();
        for job in &self.jobs {
            let output = lexical(&job.output_path(folder, suffix));
            if let Some(first) = outputs.insert(output.clone(), job) {
                let (first, second) = (first.name.clone(), job.name.clone());
                return Err(PlanError::SameOutput { first, second, output });
            }
        }
        for job in &self.jobs {
            let output = lexical(&job.output_path(folder, suffix));
            for above in output.ancestors().skip(1) {
                let as_part =
                    above.as_os_str().as_bytes().strip_suffix(b".part").map(OsStr::from_bytes);
                let mut file = as_part.map(Path::new).into_iter().chain([above]);
                if let Some(first) = file.find_map(|file| outputs.get(file)) {
                    let (first, second) = (first.name.clone(), job.name.clone());
                    return Err(PlanError::SameOutput { first, second, output: above.to_owned() });
                }
            }
        }
        for job in &self.jobs {
            for file in job.files() {
                let real = file.canonicalize().unwrap_or_else(|_| lexical(file));
                if let Some(writer) = outputs.get(&real) {
                    return Err(PlanError::OverwritesInput {
                        input: writer.name.clone(),
                        output: real,
                    });
                }
            }
        }
        Ok(())
    }

    /// Checks that the rejects file is neither an input nor a file of the output.
    ///
    /// # Errors
    ///
    /// Names the file.
    pub fn check_rejects(
        &self,
        rejects: &Path,
        to: &OutputTo,
        suffix: &str,
    ) -> Result<(), PlanError> {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| lexical(path));
        let rejects = real(rejects);
        let mut taken: Vec<PathBuf> =
            self.jobs.iter().flat_map(Job::files).map(|file| real(file)).collect();
        if let OutputTo::Folder(folder) = to {
            for output in self.jobs.iter().map(|job| job.output_path(folder, suffix)) {
                taken.extend([real(&part_of(&output)), real(&output)]);
            }
            taken.extend(run_files(folder).map(|file| real(&file)));
        }
        match taken.into_iter().find(|file| *file == rejects) {
            Some(path) => Err(PlanError::Rejects { path }),
            None => Ok(()),
        }
    }
}

impl Job {
    /// The files that are read.
    fn files(&self) -> &[PathBuf] {
        match &self.source {
            Source::File(path) => std::slice::from_ref(path),
            Source::Html(paths) => paths,
            Source::Stdin => &[],
        }
    }

    /// The file the rows go to.
    pub fn output_path(&self, folder: &Path, suffix: &str) -> PathBuf {
        let mut name = folder.join(&self.output).into_os_string();
        name.push(".jsonl");
        name.push(suffix);
        PathBuf::from(name)
    }
}

/// The path from the root of the file system without `.` and `..`, whether or not it is there.
fn lexical(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut out = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    // The folder may be there and be reached by a link, as the inputs may.
    match (out.parent().map(Path::canonicalize), out.file_name()) {
        (Some(Ok(parent)), Some(name)) => parent.join(name),
        _ => out,
    }
}

#[cfg(test)]
mod tests;
