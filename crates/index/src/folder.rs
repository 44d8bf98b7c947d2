//! Creates, opens or replaces the folder of an index, and leaves files of other programs alone.

use crate::error::IndexError;
use crate::integrity::{catch_read_panics, damaged_files};
use crate::schema::{Fields, register};
use crate::state::IndexState;
use crate::stoppable::StoppableDirectory;
use huller_run::durable::{create_folder, sync_folder};
use huller_run::error::RunError;
use huller_run::run_files::{links, lock};
use huller_run::withdrawals::tombstone::OF_INDEX;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tantivy::directory::error::LockError;
use tantivy::directory::{Directory, INDEX_WRITER_LOCK, MmapDirectory};
use tantivy::{Index, IndexMeta};

/// Name of the file that makes a folder an index.
pub(crate) const META: &str = "meta.json";

/// Name of the list of files that belong to the index.
const FILES: &str = ".managed.json";

/// Name of the lock file.
pub(crate) const LOCK: &str = "huller.lock";

/// Checks whether [`open`] could take a folder, and changes no file.
pub(crate) fn check(out: &Path, (resume, overwrite): (bool, bool)) -> Result<(), IndexError> {
    if !is_index(out) {
        return refuse_strangers(out);
    }
    match (resume, overwrite) {
        (_, true) => Ok(()),
        (true, _) => open_existing(out, &Fields::new()).map(drop),
        _ if has_inputs(out) => Err(IndexError::Exists { path: out.to_owned() }),
        _ => Ok(()),
    }
}

/// An index to which a run writes until a flag is set.
pub(crate) struct OpenIndex {
    pub(crate) index: Index,
    pub(crate) directory: StoppableDirectory,
    pub(crate) state: IndexState,
    pub(crate) lock: File,
}

/// Creates an index in a folder, or opens the existing one.
///
/// # Errors
///
/// Those of the folder, and [`IndexError::Interrupted`].
pub(crate) fn open(
    out: &Path,
    fields: &Fields,
    (resume, overwrite): (bool, bool),
    stop: &Arc<AtomicBool>,
) -> Result<OpenIndex, IndexError> {
    let lock = claim(out, (resume, overwrite))?;
    let is_new = !is_index(out) || !resume;
    if is_new {
        remove(out)?;
    }
    let directory = open_directory(out, stop)?;
    let opened = directory.clone();
    if !is_new {
        let index = Index::open(opened).map_err(IndexError::reading_back(out))?;
        let (index, state) = check_opened(index, out, fields, stop)?;
        return Ok(OpenIndex { index, directory, state, lock });
    }
    let created = Index::create(opened, fields.schema.clone(), Fields::settings());
    let mut index = created.map_err(IndexError::writing(out))?;
    register(&mut index);
    Ok(OpenIndex { index, directory, state: IndexState::new(), lock })
}

/// Opens a folder for writing until a flag is set.
pub(crate) fn open_directory(
    out: &Path,
    stop: &Arc<AtomicBool>,
) -> Result<StoppableDirectory, IndexError> {
    let directory = StoppableDirectory::open(out, stop);
    directory.map_err(|error| IndexError::writing(out)(error.into()))
}

/// Locks a folder, and removes the files of an earlier index. It is no index before
/// [`list`] has written its files.
pub(crate) fn empty(out: &Path, overwrite: bool) -> Result<File, IndexError> {
    let locked = claim(out, (false, overwrite))?;
    remove(out)?;
    Ok(locked)
}

/// Makes an index of the files in a folder, durably. Its list of segments is written last.
pub(crate) fn list<'a>(
    out: &Path,
    files: impl Iterator<Item = &'a PathBuf>,
    meta: &IndexMeta,
) -> Result<(), IndexError> {
    let names: Vec<_> = files.map(PathBuf::as_path).chain([Path::new(META)]).collect();
    let directory =
        MmapDirectory::open(out).map_err(|error| IndexError::writing(out)(error.into()))?;
    let write = |name: &str, json: serde_json::Result<Vec<u8>>| {
        let bytes = json.map_err(io::Error::from);
        let written = bytes.and_then(|bytes| directory.atomic_write(Path::new(name), &bytes));
        written.map_err(IndexError::output("write", &out.join(name)))
    };
    write(FILES, serde_json::to_vec(&names))?;
    sync(out)?;
    write(META, serde_json::to_vec_pretty(meta))?;
    sync(out)
}

/// Locks a folder in which an index can be created, resumed or replaced.
fn claim(out: &Path, (resume, overwrite): (bool, bool)) -> Result<File, IndexError> {
    let refuse = || Err(IndexError::Exists { path: out.to_owned() });
    if !resume && !overwrite && has_inputs(out) {
        // If another run is at work there, the user must wait for it in any case.
        return match lock(out) {
            Err(error @ IndexError::Run(RunError::Locked { .. })) => Err(error),
            _ => refuse(),
        };
    }
    create_folder(out)?;
    refuse_strangers(out)?;
    let locked = lock(out)?;
    remove_temporary(out)?;
    // Another run may have made an index before this one locked the folder.
    if !resume && !overwrite && has_inputs(out) {
        return refuse();
    }
    Ok(locked)
}

/// Locks the folder while an index is built there.
pub(crate) fn lock(out: &Path) -> Result<File, IndexError> {
    let path = out.join(LOCK);
    links::refuse(out, [path.clone()].into_iter())?;
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(IndexError::output("create", &path))?;
    // On a file system without locks, the user must make sure that no other run writes there.
    lock::lock(&file, out)?;
    // An earlier version, or another program, may hold only the library's lock.
    let directory =
        MmapDirectory::open(out).map_err(|error| IndexError::writing(out)(error.into()))?;
    match directory.acquire_lock(&INDEX_WRITER_LOCK) {
        Err(LockError::LockBusy) => Err(RunError::Locked { path: out.to_owned() }.into()),
        _ => Ok(file),
    }
}

/// Makes the names in the folder durable. tantivy renames its list of segments at each commit and
/// merge, and syncs the folder only before that.
pub(crate) fn sync(out: &Path) -> Result<(), IndexError> {
    Ok(sync_folder(&out.join(META))?)
}

pub(crate) fn is_index(out: &Path) -> bool {
    out.join(META).exists()
}

/// Whether a folder has an index with an input, or one that cannot be read. If no input could be
/// used, a run leaves an index without inputs, which the next run replaces.
fn has_inputs(out: &Path) -> bool {
    let is_empty = || {
        let meta = Index::open_in_dir(out).and_then(|index| index.load_metas()).ok()?;
        let state = IndexState::from_index(&meta).ok()?;
        let has_files = state.is_some_and(|state| !state.files.is_empty());
        Some(meta.segments.is_empty() && !has_files)
    };
    is_index(out) && is_empty() != Some(true)
}

/// Whether a folder has both lists of an index. A corpus may have a file `meta.json` of its own.
pub(crate) fn is_tantivy(path: &Path) -> bool {
    is_index(path) && path.join(FILES).exists()
}

/// Opens the existing index. It reads all files, since rows must not be added to damaged ones.
pub(crate) fn open_existing(
    out: &Path,
    fields: &Fields,
) -> Result<(Index, IndexState), IndexError> {
    let index = Index::open_in_dir(out).map_err(IndexError::reading_back(out))?;
    check_opened(index, out, fields, &AtomicBool::new(false))
}

/// Reads all files of an index, and returns its state.
fn check_opened(
    mut index: Index,
    out: &Path,
    fields: &Fields,
    stop: &AtomicBool,
) -> Result<(Index, IndexState), IndexError> {
    let reading = IndexError::reading_back(out);
    let damaged = catch_read_panics(out, || damaged_files(&index, out, stop, &reading))?;
    if let Some(file) = damaged.first() {
        let problem = format!("'{file}' in the index differs from its checksum");
        return Err(IndexError::CannotResume(problem));
    }
    let meta = index.load_metas().map_err(IndexError::reading_back(out))?;
    let state = IndexState::from_index(&meta).map_err(IndexError::CannotResume)?;
    let state = state.unwrap_or_else(IndexState::new);
    if index.schema() != fields.schema {
        let problem = "the index has different fields".to_owned();
        return Err(IndexError::CannotResume(problem));
    }
    register(&mut index);
    Ok((index, state))
}

/// Refuses a folder with files that do not belong to an index. A missing folder passes.
fn refuse_strangers(out: &Path) -> Result<(), IndexError> {
    let entries = match fs::read_dir(out) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(IndexError::output("read", out))?,
    };
    let is_strange = |entry: &fs::DirEntry| !is_ours(&entry.file_name().to_string_lossy());
    if let Some(other) = entries.flatten().find(is_strange) {
        let problem = format!("it contains '{}'", other.file_name().display());
        return Err(IndexError::NoIndex { path: out.to_owned(), problem });
    }
    Ok(())
}

/// Endings of segment files.
const SEGMENT_FILES: [&str; 9] =
    ["idx", "pos", "term", "store", "fast", "fieldnorm", "del", "temp", "spatial"];

/// Whether a file of this name belongs to an index.
fn is_ours(name: &str) -> bool {
    matches!(name, LOCK | META | OF_INDEX | FILES | ".tantivy-writer.lock" | ".tantivy-meta.lock")
        || is_temporary(OsStr::new(name))
        || is_segment_file(name)
}

/// Whether a file of this name belongs to a segment.
fn is_segment_file(name: &str) -> bool {
    name.split_once('.').is_some_and(|(segment, ending)| {
        let ending = ending.rsplit('.').next().unwrap_or(ending);
        segment.len() == 32
            && segment.bytes().all(|byte| byte.is_ascii_hexdigit())
            && SEGMENT_FILES.contains(&ending)
    })
}

/// Removes temporary files that a killed run has not renamed.
pub(crate) fn remove_temporary(out: &Path) -> Result<(), IndexError> {
    let entries = fs::read_dir(out).map_err(IndexError::output("read", out))?;
    for entry in entries.flatten().filter(|entry| is_temporary(&entry.file_name())) {
        fs::remove_file(entry.path()).map_err(IndexError::output("remove", &entry.path()))?;
    }
    Ok(())
}

/// Whether this is a temporary name of the library for a file that replaces another one.
fn is_temporary(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".tmp") && name.len() <= 16
}

/// Removes the files of an index and no others. Its tombstones stay, so that withdrawn pages stay
/// out of the next index. `meta.json` goes first. A kill then leaves files
/// without an index, and the next run removes them.
fn remove(out: &Path) -> Result<(), IndexError> {
    let meta = out.join(META);
    match fs::remove_file(&meta) {
        Ok(()) => sync_folder(&meta)?,
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(IndexError::output("remove", &meta)(error)),
    }
    let entries = fs::read_dir(out).map_err(IndexError::output("read", out))?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if is_ours(&name) && name != LOCK && name != OF_INDEX {
            fs::remove_file(entry.path()).map_err(IndexError::output("remove", &entry.path()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_segments_have_its_name_and_a_known_ending() {
        let segment = "0123456789abcdef0123456789abcdef";
        for (name, expected) in [
            (format!("{segment}.store"), true),
            (format!("{segment}.17.del"), true),
            (format!("{segment}.exe"), false),
            ("meta.json".to_owned(), false),
        ] {
            assert_eq!(is_segment_file(&name), expected, "{name}");
        }
    }

    #[test]
    fn what_is_left_of_an_index_that_could_not_be_removed_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        fs::write(out.join(META), "{}").unwrap();
        // `remove_file` fails on a folder.
        fs::create_dir(out.join(format!("{}.store", "0".repeat(32)))).unwrap();
        assert!(is_index(out) && remove(out).is_err());
        assert!(!is_index(out));
    }
}
