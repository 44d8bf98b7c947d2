//! A folder of an index that is only read.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::directory::error::{
    DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError,
};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};

/// A folder in which nothing is written, not even a lock file. So an index on a medium without
/// write access can be searched.
#[derive(Clone, Debug)]
pub(crate) struct ReadOnlyDirectory {
    path: PathBuf,
    files: MmapDirectory,
}

impl ReadOnlyDirectory {
    /// Opens a folder.
    pub(crate) fn open(path: &Path) -> Result<ReadOnlyDirectory, OpenDirectoryError> {
        Ok(ReadOnlyDirectory { path: path.to_owned(), files: MmapDirectory::open(path)? })
    }
}

fn refused() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "the index is open for reading only")
}

impl Directory for ReadOnlyDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.files.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        let (io_error, filepath) = (Arc::new(refused()), path.to_owned());
        Err(DeleteError::IoError { io_error, filepath })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.files.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(refused(), path.to_owned()))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.files.atomic_read(path)
    }

    fn atomic_write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        Err(refused())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Err(refused())
    }

    /// Locks a lock file if it exists. Every writer makes it, so without it no writer is at work.
    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        match File::open(self.path.join(&lock.filepath)) {
            Ok(file) => {
                // Some network file systems refuse a lock without write access. A file that a
                // writer removes meanwhile is then an error of this search.
                let _ = file.lock();
                Ok(DirectoryLock::from(Box::new(file)))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(DirectoryLock::from(Box::new(())))
            }
            Err(error) => Err(LockError::wrap_io_error(error)),
        }
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.files.watch(callback)
    }
}
