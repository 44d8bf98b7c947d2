//! What earlier runs left in the store, and how it is brought together with what is in the staging
//! folder.
//!
//! The store is right about inputs whose entries it has: their files are there. The staging folder
//! is right about those that only its own journal has: their files are still to be uploaded. A
//! staging folder that is empty, on another machine say, is as good as any.

use crate::durable::{create_folder, replace};
use crate::error::RunError;
use crate::options::Options;
use crate::plan::name_of;
use crate::run_files::journal::{self, Entry};
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

/// What is in the store.
pub struct Left {
    uploads: Uploads,
    /// Lengths by names.
    objects: BTreeMap<String, u64>,
    /// The inputs whose entries are there.
    entered: HashSet<String>,
    /// When finished inputs had been changed last.
    modified: HashMap<String, u64>,
    /// What a run was uploading when it ended.
    uploading: Vec<String>,
    generation: Generation,
}

impl Left {
    /// Asks the store. For a run that goes on, or replaces another one, the run files are fetched
    /// into the staging folder, with the entries of both.
    ///
    /// # Errors
    ///
    /// * [`RunError::Output`]: the store cannot be listed or read, or the staging folder
    ///   cannot be written.
    /// * [`RunError::CannotResume`]: a journal or a segment in the store is damaged.
    pub fn fetch(uploads: &Uploads, root: &Path, options: &Options) -> Result<Left, RunError> {
        let listed = uploads.store.list();
        let objects = listed.map_err(RunError::output("list", uploads.store.address()))?;
        let mut left = Left {
            uploads: uploads.clone(),
            objects,
            entered: HashSet::new(),
            modified: HashMap::new(),
            uploading: Vec::new(),
            generation: Generation::of(b""),
        };
        if options.resume || options.overwrite {
            let entries = left.entries(options.overwrite)?;
            left.merge(&root.join(RUN_FILES), entries)?;
        }
        Ok(left)
    }

    /// The entries of the journal in the store, and of its segments. Of a run that is to be
    /// replaced those that can be read.
    fn entries(&mut self, is_replaced: bool) -> Result<Vec<Entry>, RunError> {
        let journal = run_file(journal::NAME);
        let text = self.read(&journal)?.unwrap_or_default();
        self.generation = Generation::of(&text);
        let mut entries = if is_replaced {
            journal::sound_entries(&text)
        } else {
            journal::entries(&text, &self.uploads.path(&journal))?
        };
        let segments = self.objects.keys().filter(|name| self.generation.has(name));
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

    /// Writes the run files of the store into the staging folder. Its own entries stay if they were
    /// made with the same settings, and are of other inputs.
    fn merge(&self, files: &Path, mut entries: Vec<Entry>) -> Result<(), RunError> {
        create_folder(files)?;
        let config = files.join(run_config::NAME);
        for name in [run_config::NAME, input_list::NAME] {
            if let Some(bytes) = self.read(&run_file(name))? {
                replace(&files.join(name), &bytes)?;
            }
        }
        // One that is damaged is told of where the run looks at it.
        let hash = RunConfig::read(&config).ok().flatten().map(|config| config.hash());
        let path = files.join(journal::NAME);
        let mut staged: Vec<Entry> = journal::read_sound(&path)?;
        staged.retain(|entry| {
            !self.entered.contains(&entry.input) && Some(&entry.config) == hash.as_ref()
        });
        entries.append(&mut staged);
        let mut text = Vec::new();
        for entry in &entries {
            push_line(&mut text, entry);
        }
        replace(&path, &text)?;
        let there = self.read(&run_file(timing::NAME))?.unwrap_or_default();
        timing::add(files, &there, &self.modified)
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, RunError> {
        if !self.objects.contains_key(name) {
            return Ok(None);
        }
        self.uploads.store.read(name).map_err(self.uploads.failed("read", name))
    }

    /// Whether the files of an input are in the store, and not here.
    pub fn has_entry(&self, entry: &Entry) -> bool {
        self.entered.contains(&entry.input)
    }

    /// The length of an object.
    pub fn len(&self, name: &str) -> Option<u64> {
        self.objects.get(name).copied()
    }

    /// The names of all objects.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.objects.keys()
    }

    /// The address of an object, for errors.
    pub fn path(&self, name: &str) -> PathBuf {
        self.uploads.path(name)
    }

    /// The address where a run is that must not be written over, if there is one.
    pub fn earlier_run(&self) -> Option<PathBuf> {
        let has_journal = self.len(&run_file(journal::NAME)).is_some_and(|len| len > 0);
        let has_run = has_journal || self.names().any(|name| segment::is_segment(name));
        has_run.then(|| PathBuf::from(self.uploads.store.address()))
    }

    /// Takes away the mark of success, before anything else is changed.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the store cannot remove the object.
    pub fn remove_success(&self) -> Result<(), RunError> {
        self.remove(vec![SUCCESS.to_owned()])
    }

    /// Removes what the run removes in its folder, and what a run that was killed was uploading,
    /// but for the files of entries that stay.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the store cannot remove an object.
    pub fn remove_all(
        &self,
        root: &Path,
        remains: &[PathBuf],
        kept: &[Entry],
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
        self.uploads.store.remove(&names).map_err(self.uploads.failed("remove", first))
    }

    /// Puts the run files of the beginning, of which `kept` are the entries, and starts to upload
    /// what only the staging folder has.
    ///
    /// # Errors
    ///
    /// * [`RunError::Output`]: a run file cannot be read here, or written or removed in the store.
    /// * [`RunError::Threads`]: the thread cannot be started.
    /// * Every error of [`Uploader::add`].
    pub fn begin(
        self,
        root: &Path,
        kept: &[Entry],
        modified: &HashMap<String, u64>,
    ) -> Result<Uploader, RunError> {
        let (there, here): (Vec<_>, Vec<_>) = kept.iter().partition(|entry| self.has_entry(entry));
        let mut text = Vec::new();
        for entry in &there {
            push_line(&mut text, entry);
        }
        let generation = Generation::of(&text);
        let segments: Vec<_> =
            self.names().filter(|name| segment::is_segment(name)).cloned().collect();
        if generation == self.generation {
            // Those that are there would go on where the new journal ends.
            self.remove(segments.clone())?;
        }
        self.put(journal::NAME, text)?;
        if generation != self.generation {
            self.remove(segments)?;
        }
        for name in [input_list::NAME, run_config::NAME] {
            let path = root.join(RUN_FILES).join(name);
            match fs::read(&path) {
                Ok(bytes) => self.put(name, bytes)?,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    self.remove(vec![run_file(name)])?;
                }
                Err(error) => return Err(RunError::output("read", path)(error)),
            }
        }
        // Uploaded and entered, and left here by a kill.
        for file in there.iter().flat_map(|entry| files_of(root, entry)) {
            let _ = fs::remove_file(file.path);
        }
        let uploader = Uploader::start(self.uploads, root, generation)?;
        for entry in here {
            uploader.add(entry, modified.get(&entry.input).copied())?;
        }
        Ok(uploader)
    }

    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), RunError> {
        let object = run_file(name);
        self.uploads.store.write(&object, bytes).map_err(self.uploads.failed("write", &object))
    }
}
