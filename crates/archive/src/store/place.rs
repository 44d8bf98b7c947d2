//! Where an input lies, so that it can be opened again.

use super::input_file::InputFile;
use super::remote::RemoteFile;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Where an input lies. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// A local file.
    Path(Arc<Path>),
    /// A file of a store, in the version that was opened first.
    Remote(Arc<dyn RemoteFile>),
}

impl Place {
    /// Of an open file, which was opened at this path.
    pub(crate) fn of(file: &InputFile, path: &Path) -> Place {
        match file.of_store() {
            Some(file) => Place::Remote(Arc::clone(file)),
            None => Place::Path(Arc::from(path)),
        }
    }

    /// Opens it again, at its start.
    pub(crate) fn open(&self) -> io::Result<InputFile> {
        match self {
            Place::Path(path) => InputFile::local(path),
            Place::Remote(file) => Ok(InputFile::remote(Arc::clone(file))),
        }
    }
}
