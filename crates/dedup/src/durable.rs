//! Files that last a loss of power: written under another name, synced, renamed.

use crate::error::DedupError;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What a finished file is known by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileMark {
    pub(crate) bytes: u64,
    /// `sha256:` and the digest of the bytes, hexadecimal.
    pub(crate) digest: String,
}

/// A file in the making. It has its name only after [`PartFile::finish`].
pub(crate) struct PartFile {
    path: PathBuf,
    part: PathBuf,
    file: BufWriter<File>,
    bytes: u64,
    digest: Sha256,
}

impl PartFile {
    /// Begins a file, and makes the folders above it.
    pub(crate) fn create(path: &Path) -> Result<PartFile, DedupError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(DedupError::output("create the folder", folder))?;
        }
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        // What an earlier run left, or a link: nothing is written through one.
        match fs::remove_file(&part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(DedupError::output("replace", &part)(error));
            }
            _ => {}
        }
        let file = File::create_new(&part).map_err(DedupError::output("create", &part))?;
        let (path, file) = (path.to_owned(), BufWriter::new(file));
        Ok(PartFile { path, part, file, bytes: 0, digest: Sha256::new() })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), DedupError> {
        self.bytes += bytes.len() as u64;
        self.digest.update(bytes);
        self.file.write_all(bytes).map_err(DedupError::output("write", &self.part))
    }

    /// Puts all on the disk and gives the file its name.
    pub(crate) fn finish(self) -> Result<FileMark, DedupError> {
        let PartFile { path, part, file, bytes, digest } = self;
        let failed = DedupError::output("write", &part);
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        file.sync_all().map_err(DedupError::output("sync", &part))?;
        fs::rename(&part, &path).map_err(DedupError::output("rename to", &path))?;
        sync_folder(&path)?;
        let digest = format!("sha256:{}", HEXLOWER.encode(&digest.finalize()));
        Ok(FileMark { bytes, digest })
    }

    /// Removes what was written.
    pub(crate) fn give_up(self) {
        // It has no name that anyone reads; a later run replaces it.
        let _ = fs::remove_file(&self.part);
    }
}

/// Writes a whole file.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), DedupError> {
    let mut file = PartFile::create(path)?;
    file.write(bytes)?;
    file.finish().map(drop)
}

/// Makes the names in the folder of `path` durable.
pub(crate) fn sync_folder(path: &Path) -> Result<(), DedupError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // File systems that cannot sync folders, such as many that programs provide (FUSE).
        Err(error)
            if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) =>
        {
            Ok(())
        }
        synced => synced.map_err(DedupError::output("sync the folder", folder)),
    }
}
