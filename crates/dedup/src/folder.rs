//! The output folder of a run: its lock, its configuration, and what an earlier run left.

use crate::corpus::{CorpusFile, RUN_FILES, SIGNATURES};
use crate::durable;
use crate::error::DedupError;
use crate::journal::{self, Entry, Journal};
use serde_json::Value;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Written last, when nothing is left to do.
const SUCCESS: &str = "_SUCCESS";

/// What an earlier run of this command is known by.
const CONFIG: &str = "dedup.config";

const JOURNAL: &str = "dedup.journal";

/// What is to become of an earlier run in the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Earlier {
    Refuse,
    Resume,
    Overwrite,
}

/// An output folder that this run alone works in.
pub(crate) struct Folder {
    pub(crate) root: PathBuf,
    pub(crate) journal: Journal,
    /// Whether an earlier run came to its end.
    pub(crate) is_done: bool,
    /// Held until the run ends.
    _lock: File,
}

impl Folder {
    /// Locks the folder. `config` is what decides the bytes of the output.
    pub(crate) fn open(
        root: &Path,
        files: &[CorpusFile],
        config: &Value,
        earlier: Earlier,
    ) -> Result<Folder, DedupError> {
        let run_files = root.join(RUN_FILES);
        let config_path = run_files.join(CONFIG);
        let is_ours = config_path.exists();
        refuse(root, files, is_ours, earlier)?;
        fs::create_dir_all(&run_files).map_err(DedupError::output("create", &run_files))?;
        let lock = lock(root, &run_files.join("lock"))?;
        let journal_path = run_files.join(JOURNAL);
        if is_ours && earlier == Earlier::Overwrite {
            overwrite(root, &run_files)?;
        } else if is_ours {
            compare(&config_path, config)?;
        }
        if !config_path.exists() {
            let mut text = Vec::new();
            huller_row::push_line(&mut text, config);
            durable::replace(&config_path, &text)?;
        }
        let journal = Journal::open(&journal_path)?;
        let is_done = root.join(SUCCESS).exists();
        Ok(Folder { root: root.to_owned(), journal, is_done, _lock: lock })
    }

    /// Where a run file is.
    pub(crate) fn run_file(&self, name: &str) -> PathBuf {
        self.root.join(RUN_FILES).join(name)
    }

    /// Where the signatures are that are made of an input.
    pub(crate) fn signed(&self, name: &str) -> PathBuf {
        self.run_file("signatures-in").join(format!("{name}.sig"))
    }

    /// Where what doesn't fit into memory goes.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.run_file("tmp")
    }

    /// Ends a run that has done everything.
    pub(crate) fn succeed(&self) -> Result<(), DedupError> {
        if !self.root.join(SUCCESS).exists() {
            durable::replace(&self.root.join(SUCCESS), b"")?;
        }
        Ok(())
    }

    /// Removes what only a run that goes on needs.
    pub(crate) fn tidy(&self) -> Result<(), DedupError> {
        for folder in [self.run_file("signatures-in"), self.temporary()] {
            match fs::remove_dir_all(&folder) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(DedupError::output("remove", &folder)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Refuses a folder that holds something else than what may be gone on with or replaced.
fn refuse(
    root: &Path,
    files: &[CorpusFile],
    is_ours: bool,
    earlier: Earlier,
) -> Result<(), DedupError> {
    let exists = |path: &Path| Err(DedupError::Exists { path: path.to_owned() });
    let outputs = files.iter().map(|file| root.join(&file.output));
    for path in outputs.chain([root.join(RUN_FILES).join(SIGNATURES)]) {
        refuse_links(root, &path)?;
    }
    if is_ours {
        return if earlier == Earlier::Refuse { exists(root) } else { Ok(()) };
    }
    for name in ["run.config", "run.journal"] {
        if root.join(RUN_FILES).join(name).exists() {
            let problem = format!("'{}' holds the output of another command", root.display());
            return Err(DedupError::Usage(problem));
        }
    }
    for file in files {
        let output = root.join(&file.output);
        if fs::canonicalize(&output)
            .ok()
            .is_some_and(|path| fs::canonicalize(&file.path).ok() == Some(path))
        {
            let problem = format!("'{}' is both input and output", output.display());
            return Err(DedupError::Usage(problem));
        }
        if fs::symlink_metadata(&output).is_ok() && earlier != Earlier::Overwrite {
            return exists(&output);
        }
    }
    Ok(())
}

/// Refuses a path with a link below the output folder: nothing is written through one.
fn refuse_links(root: &Path, path: &Path) -> Result<(), DedupError> {
    for above in path.ancestors().take_while(|above| *above != root) {
        if fs::symlink_metadata(above).is_ok_and(|found| found.is_symlink()) {
            let problem = io::Error::other("it is a symbolic link");
            return Err(DedupError::output("write through", above)(problem));
        }
    }
    Ok(())
}

fn lock(root: &Path, path: &Path) -> Result<File, DedupError> {
    let file = File::create(path).map_err(DedupError::output("create", path))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(DedupError::Locked { path: root.to_owned() }),
        // The file system has no locks. The user has to see to it that no other run writes there.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// Removes what an earlier run wrote. The configuration goes last: as long as it is there, the folder is known for what it is.
fn overwrite(root: &Path, run_files: &Path) -> Result<(), DedupError> {
    let remove = |path: &Path| match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    };
    let written = journal::read(&run_files.join(JOURNAL)).unwrap_or_default();
    // A name of ours leads nowhere else, whatever the journal says.
    let is_below =
        |name: &str| Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let outputs = written.into_iter().filter_map(|entry| match entry {
        Entry::Written(written) if is_below(&written.account.input) => {
            Some(root.join(written.account.input))
        }
        _ => None,
    });
    let names = [
        SIGNATURES,
        "signatures-in",
        "tmp",
        "run.account",
        "run.account.csv",
        "dedup.clusters",
        JOURNAL,
        CONFIG,
    ];
    let run_files = names.map(|name| run_files.join(name));
    for path in [root.join(SUCCESS)].into_iter().chain(outputs).chain(run_files) {
        remove(&path).map_err(DedupError::output("remove", &path))?;
    }
    Ok(())
}

/// Refuses to go on with a run of another configuration, and names what differs.
fn compare(path: &Path, config: &Value) -> Result<(), DedupError> {
    let text = fs::read(path).map_err(DedupError::output("read", path))?;
    let earlier: Value = serde_json::from_slice(&text).map_err(|error| {
        DedupError::CannotResume(format!("'{}' is damaged: {error}", path.display()))
    })?;
    match difference("", &earlier, config) {
        None => Ok(()),
        Some(difference) => Err(DedupError::CannotResume(difference)),
    }
}

/// The first thing that differs.
fn difference(name: &str, earlier: &Value, now: &Value) -> Option<String> {
    if earlier == now {
        return None;
    }
    let inner = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match (earlier, now) {
        (Value::Object(earlier), Value::Object(now)) => {
            let keys = earlier.keys().chain(now.keys());
            let null = Value::Null;
            keys.into_iter().find_map(|key| {
                let [earlier, now] = [earlier, now].map(|of| of.get(key).unwrap_or(&null));
                difference(&inner(key), earlier, now)
            })
        }
        (Value::Array(earlier), Value::Array(now)) if earlier.len() == now.len() => {
            let mut pairs = earlier.iter().zip(now).enumerate();
            pairs.find_map(|(at, (earlier, now))| difference(&inner(&at.to_string()), earlier, now))
        }
        (Value::Array(earlier), Value::Array(now)) => {
            Some(format!("{name} has {} entries, had {}", now.len(), earlier.len()))
        }
        _ => Some(format!("{name} is {now}, was {earlier}")),
    }
}
