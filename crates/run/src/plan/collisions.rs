//! Checks that the files of a run do not overwrite each other or the inputs.

use super::error::{Collision, PlanError};
use super::inputs::Plan;
use super::job::Job;
use super::names::name_of;
use crate::options::DroppedRowsFolder;
use crate::options::OutputTo;
use crate::part_file::part_of;
use crate::run_files::paths::written_files;
use crate::split::first_file_name;
use crate::upload::uploads::Uploads;
use huller_archive::{is_remote, redact_url};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

impl Plan {
    /// Checks that every output is written once, and every page is read once. No output may be an
    /// input or a folder above another output.
    ///
    /// # Errors
    ///
    /// [`PlanError::Collisions`] with all collisions.
    pub fn check_outputs(&self, to: &OutputTo, suffix: &str) -> Result<(), PlanError> {
        let OutputTo::Folder(folder) = to else { return Ok(()) };
        let paths: Vec<PathBuf> =
            self.jobs.iter().map(|job| lexical(&job.output_path(folder, suffix))).collect();
        let mut outputs: HashMap<&Path, &Job> = HashMap::new();
        let mut collisions = Vec::new();
        let same = |first: &Job, second: &Job, output: &Path| {
            if first.files().map(lexical).eq(second.files().map(lexical)) {
                let input = second.files().next().unwrap_or(Path::new(&second.name));
                return Collision::GivenTwice { input: redact_url(input).display().to_string() };
            }
            let [first, second] = [first, second].map(|job| job.name.clone());
            Collision::SameOutput { first, second, output: output.to_owned() }
        };
        for (job, output) in self.jobs.iter().zip(&paths) {
            match outputs.entry(output) {
                Entry::Occupied(first) => collisions.push(same(first.get(), job, output)),
                Entry::Vacant(place) => {
                    place.insert(job);
                }
            }
        }
        for (job, output) in self.jobs.iter().zip(&paths) {
            for above in output.ancestors().skip(1) {
                let as_part =
                    above.as_os_str().as_bytes().strip_suffix(b".part").map(OsStr::from_bytes);
                let mut file = as_part.map(Path::new).into_iter().chain([above]);
                if let Some(first) = file.find_map(|file| outputs.get(file)) {
                    collisions.push(same(first, job, above));
                }
            }
        }
        for job in &self.jobs {
            let mut pages = HashSet::new();
            for file in job.files() {
                if !pages.insert(lexical(file)) {
                    let input = redact_url(file).display().to_string();
                    collisions.push(Collision::GivenTwice { input });
                }
                let real = file.canonicalize().unwrap_or_else(|_| lexical(file));
                let first = first_file_name(&real, suffix);
                let output = first.as_deref().unwrap_or(&real);
                if let Some(writer) = outputs.get(output) {
                    let input = writer.name.clone();
                    collisions.push(Collision::OverwritesInput { input, output: real });
                }
            }
        }
        if collisions.is_empty() { Ok(()) } else { Err(PlanError::Collisions { collisions }) }
    }

    /// Checks that object storage accepts the names of the outputs, and that no output is an input.
    ///
    /// # Errors
    ///
    /// All outputs that are inputs, or the first output whose name the storage refuses.
    pub fn check_uploads(&self, uploads: &Uploads, suffix: &str) -> Result<(), PlanError> {
        let inputs = self.jobs.iter().flat_map(Job::files).filter_map(Path::to_str);
        let inputs: HashSet<String> =
            inputs.filter(|file| is_remote(Path::new(file))).map(plain_scheme).collect();
        let mut collisions = Vec::new();
        for job in &self.jobs {
            let name = name_of(&job.output_path(Path::new(""), suffix));
            let output = uploads.object(&name);
            if let Err(error) = uploads.store.check_name(&name) {
                return Err(PlanError::ObjectName { output, reason: error.to_string() });
            }
            if inputs.contains(&plain_scheme(&output)) {
                let (input, output) = (job.name.clone(), PathBuf::from(output));
                collisions.push(Collision::OverwritesInput { input, output });
            }
        }
        if collisions.is_empty() { Ok(()) } else { Err(PlanError::Collisions { collisions }) }
    }

    /// Checks that the rejects file is neither an input nor a file of the output. Its folder must
    /// exist, or the run must create it: a mistyped path creates no folder.
    ///
    /// # Errors
    ///
    /// The error names the file or the folder.
    pub fn check_rejects(
        &self,
        rejects: &Path,
        to: &OutputTo,
        suffix: &str,
    ) -> Result<(), PlanError> {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| lexical(path));
        let parent = rejects.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(parent) = parent.filter(|folder| !folder.exists()) {
            // The run creates the output folder, its ancestors, and the requested folders below it.
            let will_be = match to {
                OutputTo::Folder(folder) => [lexical, absolute].into_iter().any(|path| {
                    let (parent, folder) = (path(parent), path(folder));
                    parent.starts_with(&folder) || folder.starts_with(&parent)
                }),
                OutputTo::Stdout => false,
            };
            if !will_be {
                return Err(PlanError::RejectsFolder { path: parent.to_owned() });
            }
        }
        let rejects = real(rejects);
        let mut taken: Vec<PathBuf> = self.jobs.iter().flat_map(Job::files).map(&real).collect();
        if let OutputTo::Folder(folder) = to {
            for output in self.jobs.iter().map(|job| job.output_path(folder, suffix)) {
                taken.extend([real(&part_of(&output)), real(&output)]);
            }
            taken.extend(written_files(folder).map(|file| real(&file)));
        }
        let first = first_file_name(&rejects, suffix);
        match taken.into_iter().find(|file| *file == rejects || Some(file) == first.as_ref()) {
            Some(_) => Err(PlanError::RejectsOverwrite { path: rejects }),
            None => Ok(()),
        }
    }

    /// Checks a file that the run writes besides its outputs, and that `option` names. It must be
    /// no input, no output, no run file and no link. If it exists, its first line must begin with
    /// `beginning`.
    ///
    /// # Errors
    ///
    /// The error names the file.
    pub fn check_side_file(
        &self,
        path: &Path,
        option: &'static str,
        beginning: &[u8],
        to: &OutputTo,
        suffix: &str,
    ) -> Result<(), PlanError> {
        let refused = |reason: &'static str| {
            Err(PlanError::SideFile { path: path.to_owned(), option, reason })
        };
        match self.check_rejects(path, to, suffix) {
            Err(PlanError::RejectsFolder { .. }) => return refused("its folder does not exist"),
            Err(_) => return refused("it is an input, an output or a run file"),
            Ok(()) => {}
        }
        match path.symlink_metadata() {
            Err(_) => Ok(()),
            Ok(there) if there.is_symlink() => refused("it is a symbolic link"),
            Ok(there) if !there.is_file() => refused("it is not a regular file"),
            Ok(_) => {
                let mut head = Vec::new();
                let read = File::open(path)
                    .and_then(|file| file.take(beginning.len() as u64).read_to_end(&mut head));
                match read {
                    Ok(_) if beginning.starts_with(&head) => Ok(()),
                    Ok(_) => refused("it contains other data"),
                    Err(error) => Err(PlanError::SideFileUnread {
                        path: path.to_owned(),
                        option,
                        reason: error.to_string(),
                    }),
                }
            }
        }
    }

    /// Checks that the folder of dropped rows is outside the output folder, and that its parent
    /// exists. The file must not be an input.
    ///
    /// # Errors
    ///
    /// The error names the folder or the file.
    pub fn check_dropped(
        &self,
        dropped: &DroppedRowsFolder,
        to: &OutputTo,
    ) -> Result<(), PlanError> {
        let folder = lexical(&dropped.folder);
        let path = dropped.folder.clone();
        if let OutputTo::Folder(output) = to
            && folder.starts_with(lexical(output))
        {
            return Err(PlanError::DroppedInOutput { path });
        }
        if let Some(above) = folder.parent().filter(|above| !above.is_dir()) {
            return Err(PlanError::DroppedFolder { path: above.to_owned() });
        }
        let file = lexical(&dropped.path());
        let is_input = |read: &Path| read.canonicalize().is_ok_and(|read| read == file);
        if self.jobs.iter().flat_map(Job::files).any(is_input) {
            return Err(PlanError::DroppedIsInput { path: file });
        }
        Ok(())
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns the absolute path without `.` and `..`, whether or not it exists.
fn lexical(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in absolute(path).components() {
        match component {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    // Like the inputs, the folder may exist and be reached through a link.
    match (out.parent().map(Path::canonicalize), out.file_name()) {
        (Some(Ok(parent)), Some(name)) => parent.join(name),
        _ => out,
    }
}

/// Returns a URL with a normalized scheme: lower case, `s3` for `s3a`.
fn plain_scheme(address: &str) -> String {
    match address.split_once("://") {
        Some((scheme, rest)) => {
            let scheme = scheme.to_ascii_lowercase();
            let scheme = if scheme == "s3a" { "s3" } else { &scheme };
            format!("{scheme}://{rest}")
        }
        None => address.to_owned(),
    }
}
