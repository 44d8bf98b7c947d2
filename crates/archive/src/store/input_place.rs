//! The place of an input, so that it can be opened again.

use super::input_file::InputFile;
use super::remote::RemoteFile;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The place of an input. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) enum InputPlace {
    /// A local file.
    Path(Arc<Path>),
    /// A file of a store, in the version that was first opened.
    Remote(Arc<dyn RemoteFile>),
}

impl InputPlace {
    /// Returns the place of an open file that was opened at this path.
    pub(crate) fn from_file(file: &InputFile, path: &Path) -> InputPlace {
        match file.remote_file() {
            Some(file) => InputPlace::Remote(Arc::clone(file)),
            None => InputPlace::Path(Arc::from(path)),
        }
    }

    /// Opens the file again, at its start.
    pub(crate) fn open(&self) -> io::Result<InputFile> {
        match self {
            InputPlace::Path(path) => InputFile::local(path),
            InputPlace::Remote(file) => Ok(InputFile::remote(Arc::clone(file))),
        }
    }
}
