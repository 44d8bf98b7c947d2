//! Compares the objects of earlier runs in object storage with the staging folder.
//!
//! The journal in object storage decides which inputs are uploaded: the files of its entries are
//! there. Entries that only the staging folder's journal has are finished, and their files are
//! still to be uploaded. You can therefore resume on another machine with an empty staging folder.

use crate::durable::{create_folder, replace};
use crate::error::RunError;
use crate::options::Options;
use crate::plan::name_of;
use crate::run_files::journal::{self, JournalEntry};
use crate::run_files::paths::{RUN_FILES, SUCCESS, run_file};
use crate::run_files::run_config::{self, RunConfig};
use crate::run_files::{input_list, timing};
use crate::upload::segment::{self, Generation};
use crate::upload::uploader::{UPLOADING, Uploader, files_of};
use crate::upload::uploads::Uploads;
use huller_row::push_line;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The objects of earlier runs in object storage.
pub struct Reconciliation {
    uploads: Uploads,
    /// Lengths of objects in bytes, by name.
    objects: BTreeMap<String, u64>,
    /// Names of the inputs whose entries are in object storage.
    entered: HashSet<String>,
    /// Time of the last change of finished inputs, as noted when they were read.
    modified: HashMap<String, u64>,
    /// Names of the files that an earlier run was uploading when it ended.
    uploading: Vec<String>,
    generation: Generation,
}

impl Reconciliation {
    /// Lists the objects. For a run that resumes or replaces another one, also fetches the run
    /// files into the staging folder. The journal there then has the entries of both places.
    ///
    /// # Errors
    ///
    /// * [`RunError::Output`]: object storage cannot be listed or read, or the staging folder
    ///   cannot be written.
    /// * [`RunError::CannotResume`]: a journal or a segment in object storage is damaged.
    pub fn fetch(
        uploads: &Uploads,
        root: &Path,
        options: &Options,
    ) -> Result<Reconciliation, RunError> {
        let listed = uploads.store.list();
        let objects = listed.map_err(RunError::output("list", uploads.store.display_url()))?;
        let mut reconciliation = Reconciliation {
            uploads: uploads.clone(),
            objects,
            entered: HashSet::new(),
            modified: HashMap::new(),
            uploading: Vec::new(),
            generation: Generation::from_journal(b""),
        };
        if options.resume || options.overwrite {
            let entries = reconciliation.entries(options.overwrite)?;
            reconciliation.merge(&root.join(RUN_FILES), entries)?;
        }
        Ok(reconciliation)
    }

    /// Returns the entries of the journal and its segments in object storage. For a run that is to
    /// be replaced, unreadable entries are skipped.
    fn entries(&mut self, is_replaced: bool) -> Result<Vec<JournalEntry>, RunError> {
        let journal = run_file(journal::NAME);
        let text = self.read(&journal)?.unwrap_or_default();
        self.generation = Generation::from_journal(&text);
        let mut entries = if is_replaced {
            journal::sound_entries(&text)
        } else {
            journal::entries(&text, &self.uploads.path(&journal))?
        };
        let segments = self.objects.keys().filter(|name| self.generation.is_of_generation(name));
        for name in segments.cloned().collect::<Vec<_>>() {
            let Some(text) = self.read(&name)? else { continue };
            match segment::lines(&text) {
                Ok(lines) => {
                    for line in lines {
                        let modified = line.modified.map(|at| (line.entry.input.clone(), at));
                        self.modified.extend(modified);
                        entries.push(line.entry);
                    }
                }
                Err(_) if is_replaced => {}
                Err(error) => {
                    let reason = format!("'{}' is damaged: {error}", self.uploads.object(&name));
                    return Err(RunError::CannotResume { reason });
                }
            }
        }
        self.entered = entries.iter().map(|entry| entry.input.clone()).collect();
        let uploading = self.read(&run_file(UPLOADING))?.unwrap_or_default();
        let names = uploading.split(|byte| *byte == b'\n');
        self.uploading = names.filter_map(|name| serde_json::from_slice(name).ok()).collect();
        Ok(entries)
    }

    /// Writes the run files from object storage into the staging folder. Staged entries stay if
    /// they have the same settings and are of other inputs.
    fn merge(&self, files: &Path, mut entries: Vec<JournalEntry>) -> Result<(), RunError> {
        create_folder(files)?;
        let config = files.join(run_config::NAME);
        for name in [run_config::NAME, input_list::NAME] {
            if let Some(bytes) = self.read(&run_file(name))? {
                replace(&files.join(name), &bytes)?;
            }
        }
        // If the configuration is damaged, the run reports that later.
        let hash = RunConfig::read(&config).ok().flatten().map(|config| config.hash());
        let path = files.join(journal::NAME);
        let mut staged: Vec<JournalEntry> = journal::read_sound(&path)?;
        staged.retain(|entry| {
            !self.entered.contains(&entry.input) && Some(&entry.config_hash) == hash.as_ref()
        });
        entries.append(&mut staged);
        let mut text = Vec::new();
        for entry in &entries {
            push_line(&mut text, entry);
        }
        replace(&path, &text)?;
        let stored_timing = self.read(&run_file(timing::NAME))?.unwrap_or_default();
        timing::add(files, &stored_timing, &self.modified)
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, RunError> {
        if !self.objects.contains_key(name) {
            return Ok(None);
        }
        self.uploads.store.read(name).map_err(self.uploads.storage_error("read", name))
    }

    /// Whether the files of an input are in object storage, and not in the staging folder.
    pub fn has_entry(&self, entry: &JournalEntry) -> bool {
        self.entered.contains(&entry.input)
    }

    /// Returns the length of an object in bytes.
    pub fn len(&self, name: &str) -> Option<u64> {
        self.objects.get(name).copied()
    }

    /// Returns the names of all objects.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.objects.keys()
    }

    /// Returns the URL of an object, for errors.
    pub fn path(&self, name: &str) -> PathBuf {
        self.uploads.path(name)
    }

    /// Returns the URL of a run that must not be overwritten, if there is one.
    pub fn earlier_run(&self) -> Option<PathBuf> {
        let has_journal = self.len(&run_file(journal::NAME)).is_some_and(|len| len > 0);
        let has_run = has_journal || self.names().any(|name| segment::is_segment(name));
        has_run.then(|| PathBuf::from(self.uploads.store.display_url()))
    }

    /// Removes the mark of success, before any other change.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: object storage cannot remove the object.
    pub fn remove_success(&self) -> Result<(), RunError> {
        self.remove(vec![SUCCESS.to_owned()])
    }

    /// Removes the objects of `remains`, and the objects that a killed run was uploading. The files
    /// of kept entries stay.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: object storage cannot remove an object.
    pub fn remove_all(
        &self,
        root: &Path,
        remains: &[PathBuf],
        kept: &[JournalEntry],
    ) -> Result<(), RunError> {
        let kept = kept.iter().filter(|entry| self.has_entry(entry));
        let kept: HashSet<_> =
            kept.flat_map(|entry| files_of(root, entry)).map(|file| file.name).collect();
        let remains = remains.iter().filter_map(|path| path.strip_prefix(root).ok()).map(name_of);
        let uploading = self.uploading.iter().filter(|name| !kept.contains(*name)).cloned();
        self.remove(remains.chain(uploading).collect())
    }

    fn remove(&self, mut names: Vec<String>) -> Result<(), RunError> {
        names.retain(|name| self.objects.contains_key(name));
        let Some(first) = names.first() else { return Ok(()) };
        self.uploads.store.remove(&names).map_err(self.uploads.storage_error("remove", first))
    }

    /// Writes the first run files, with the entries `kept`, and starts to upload the files that
    /// only the staging folder has.
    ///
    /// # Errors
    ///
    /// * [`RunError::Output`]: a run file cannot be read here, or written or removed in object
    ///   storage.
    /// * [`RunError::Threads`]: the thread cannot be started.
    /// * Every error of [`Uploader::add`].
    pub fn begin(
        self,
        root: &Path,
        kept: &[JournalEntry],
        modified: &HashMap<String, u64>,
    ) -> Result<Uploader, RunError> {
        let (there, here): (Vec<_>, Vec<_>) = kept.iter().partition(|entry| self.has_entry(entry));
        let mut text = Vec::new();
        for entry in &there {
            push_line(&mut text, entry);
        }
        let generation = Generation::from_journal(&text);
        let segments: Vec<_> =
            self.names().filter(|name| segment::is_segment(name)).cloned().collect();
        if generation == self.generation {
            // Segments of this generation would continue the new journal.
            self.remove(segments.clone())?;
        }
        self.write_object(journal::NAME, text)?;
        if generation != self.generation {
            self.remove(segments)?;
        }
        for name in [input_list::NAME, run_config::NAME] {
            let path = root.join(RUN_FILES).join(name);
            match fs::read(&path) {
                Ok(bytes) => self.write_object(name, bytes)?,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    self.remove(vec![run_file(name)])?;
                }
                Err(error) => return Err(RunError::output("read", path)(error)),
            }
        }
        // These files were uploaded and entered, and a kill left them here.
        for file in there.iter().flat_map(|entry| files_of(root, entry)) {
            let _ = fs::remove_file(file.path);
        }
        let uploader = Uploader::start(self.uploads, root, generation)?;
        for entry in here {
            uploader.add(entry, modified.get(&entry.input).copied())?;
        }
        Ok(uploader)
    }

    fn write_object(&self, name: &str, bytes: Vec<u8>) -> Result<(), RunError> {
        let object = run_file(name);
        self.uploads
            .store
            .write(&object, bytes)
            .map_err(self.uploads.storage_error("write", &object))
    }
}
