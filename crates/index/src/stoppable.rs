//! A folder of an index to which a run can stop writing at any moment.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tantivy::directory::error::{
    DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError,
};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite,
    WatchCallback, WatchHandle, WritePtr,
};

/// A folder that refuses every change once a flag is set. So tantivy's threads, which flush and
/// merge segments for minutes, end at their next write.
#[derive(Clone, Debug)]
pub(crate) struct StoppableDirectory {
    files: MmapDirectory,
    stop: Arc<AtomicBool>,
    /// Locked while a file is created, replaced or removed.
    change: Arc<Mutex<()>>,
}

impl StoppableDirectory {
    /// Opens a folder.
    pub(crate) fn open(
        path: &Path,
        stop: &Arc<AtomicBool>,
    ) -> Result<StoppableDirectory, OpenDirectoryError> {
        let (files, stop) = (MmapDirectory::open(path)?, Arc::clone(stop));
        Ok(StoppableDirectory { files, stop, change: Arc::default() })
    }

    /// Waits until the change at work ends. If the flag is set, no thread changes the index after
    /// that.
    pub(crate) fn wait_for_change(&self) {
        drop(self.lock());
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.change.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Refuses a change if the flag is set.
fn check(stop: &AtomicBool) -> io::Result<()> {
    if stop.load(Ordering::Relaxed) {
        return Err(io::Error::other("the run was interrupted"));
    }
    Ok(())
}

impl Directory for StoppableDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.files.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        let _change = self.lock();
        check(&self.stop).map_err(|error| {
            let (io_error, filepath) = (Arc::new(error), path.to_owned());
            DeleteError::IoError { io_error, filepath }
        })?;
        self.files.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.files.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let _change = self.lock();
        check(&self.stop).map_err(|error| OpenWriteError::wrap_io_error(error, path.to_owned()))?;
        let file = self.files.open_write(path)?;
        Ok(BufWriter::new(Box::new(StoppableFile { file, stop: Arc::clone(&self.stop) })))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.files.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let _change = self.lock();
        check(&self.stop)?;
        self.files.atomic_write(path, bytes)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.files.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.files.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.files.watch(callback)
    }
}

/// A new file in the folder.
struct StoppableFile {
    file: WritePtr,
    stop: Arc<AtomicBool>,
}

impl Write for StoppableFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check(&self.stop)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        check(&self.stop)?;
        self.file.flush()
    }
}

impl TerminatingWrite for StoppableFile {
    fn terminate_ref(&mut self, token: AntiCallToken) -> io::Result<()> {
        check(&self.stop)?;
        self.file.terminate_ref(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_flag_refuses_every_change() {
        let folder = tempfile::tempdir().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let directory = StoppableDirectory::open(folder.path(), &stop).unwrap();
        let [done, cut, new] = ["done", "cut", "new"].map(Path::new);
        let mut file = directory.open_write(done).unwrap();
        file.write_all(b"done").unwrap();
        file.terminate().unwrap();
        let mut file = directory.open_write(cut).unwrap();
        stop.store(true, Ordering::Relaxed);
        directory.wait_for_change();
        assert!(file.write_all(&vec![0; 1 << 20]).is_err());
        assert!(file.terminate().is_err());
        assert!(directory.open_write(new).is_err() && directory.delete(done).is_err());
        assert!(directory.atomic_write(done, b"other").is_err());
        assert_eq!(directory.atomic_read(done).unwrap(), b"done");
        assert!(!directory.exists(new).unwrap());
    }
}
