//! Makes folders, names and files survive a loss of power.

use crate::error::RunError;
use rustix::io::Errno;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Creates a folder and its missing ancestors, and makes their names durable.
///
/// # Errors
///
/// [`RunError::Output`], with the path and the error of the system:
/// a folder cannot be created or synced.
pub fn create_folder(folder: &Path) -> Result<(), RunError> {
    let missing: Vec<_> = folder
        .ancestors()
        .take_while(|above| !above.as_os_str().is_empty() && !above.exists())
        .collect();
    fs::create_dir_all(folder).map_err(RunError::output("create the folder", folder))?;
    missing.into_iter().try_for_each(sync_folder)
}

/// Makes the names in the folder of `path` durable.
///
/// # Errors
///
/// [`RunError::Output`]: the folder cannot be opened or synced. Where the file system lacks
/// such a sync, the call succeeds and [`without_sync`] reports it.
pub fn sync_folder(path: &Path) -> Result<(), RunError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if cannot_be_synced(&error) => {
            UNSYNCED_FOLDER.store(true, Ordering::Relaxed);
            Ok(())
        }
        synced => synced.map_err(RunError::output("sync the folder", folder)),
    }
}

/// Errors of file systems that cannot make names durable, such as many FUSE file systems.
const WITHOUT_SYNC: [Errno; 4] = [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP];

fn cannot_be_synced(error: &io::Error) -> bool {
    Errno::from_io_error(error).is_some_and(|errno| WITHOUT_SYNC.contains(&errno))
}

/// Set when a folder could not be synced because its file system cannot do so.
static UNSYNCED_FOLDER: AtomicBool = AtomicBool::new(false);

/// Returns a note for the user if a folder could not be synced.
pub fn without_sync() -> Option<String> {
    let note = "the file system cannot sync folders: after a power failure, finished outputs may \
                be missing; --resume writes them again";
    UNSYNCED_FOLDER.load(Ordering::Relaxed).then(|| note.to_owned())
}

/// Returns the name of the file while [`replace`] writes it.
pub fn new_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}

/// Replaces the bytes of a file durably and atomically. A reader finds either the old bytes or the
/// new ones.
///
/// # Errors
///
/// [`RunError::Output`]: the new file cannot be written, renamed or synced.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let new = new_name(path);
    // The old file may be a remnant of an earlier run, or a link. The run writes only to new files.
    match fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(RunError::output("replace", &new)(error));
        }
        _ => {}
    }
    let written = File::create_new(&new)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
    let renamed = written
        .map_err(RunError::output("write", &new))
        .and_then(|()| fs::rename(&new, path).map_err(RunError::output("rename to", path)));
    if renamed.is_err() {
        // The new file may fill the disk. The error above is the more useful one.
        let _ = fs::remove_file(&new);
    }
    renamed?;
    sync_folder(path)
}

/// Removes a file, if it is there.
///
/// # Errors
///
/// [`RunError::Output`]: the file cannot be removed. A missing file counts as removed.
pub fn remove(path: &Path) -> Result<(), RunError> {
    match fs::remove_file(path) {
        Err(error)
            if !matches!(
                error.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            ) =>
        {
            Err(RunError::output("remove", path)(error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_replace_a_file_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::create_dir(&path).unwrap();
        let error = replace(&path, b"new").unwrap_err().to_string();
        assert!(error.starts_with("cannot rename to '"), "{error}");
        assert!(path.is_dir() && !new_name(&path).exists());
    }

    #[test]
    fn a_file_system_that_cannot_sync_folders_ends_no_run() {
        assert!(WITHOUT_SYNC.into_iter().all(|errno| cannot_be_synced(&errno.into())));
        assert!(
            [Errno::IO, Errno::NOSPC].into_iter().all(|errno| !cannot_be_synced(&errno.into()))
        );
    }
}
