//! Files of models, mapped into memory.

use crate::error::ModelError;
use memmap2::Mmap;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io;
use std::path::Path;

/// The bytes of a model file. Share it between threads in an `Arc`; the mapping is not copied.
#[derive(Debug)]
pub struct ModelFile {
    bytes: Bytes,
    digest: String,
}

#[derive(Debug)]
enum Bytes {
    /// The file, mapped into memory.
    Mapped(Mmap),
    /// A copy of the file in memory.
    Owned(Vec<u8>),
}

impl ModelFile {
    /// Maps a file, reads it once and computes its digest.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened or mapped, or is no regular file.
    pub fn open(path: &Path) -> Result<ModelFile, ModelError> {
        // A pipe would wait for its writer.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file").into());
        }
        let file = File::open(path)?;
        // SAFETY: The mapping is read-only and private to this value. Bytes that another program
        // writes into the file are only data: every index that comes from them was copied and
        // checked, or is checked again where it is used. A file that is cut while it is mapped ends
        // the process by SIGBUS; the documentation of the crate states this limit.
        let bytes = unsafe { Mmap::map(&file)? };
        Ok(ModelFile::new(Bytes::Mapped(bytes)))
    }

    /// Makes a model file of bytes in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> ModelFile {
        ModelFile::new(Bytes::Owned(bytes))
    }

    fn new(bytes: Bytes) -> ModelFile {
        let mut file = ModelFile { bytes, digest: String::new() };
        let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(file.bytes()));
        file.digest = format!("sha256:{digest}");
        file
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
        }
    }

    /// Returns the SHA-256 of the bytes, as `sha256:` and hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_its_bytes_have_one_digest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        std::fs::write(&path, "abc").unwrap();
        let [mapped, owned] =
            [ModelFile::open(&path).unwrap(), ModelFile::from_bytes(b"abc".to_vec())];
        assert_eq!((mapped.bytes(), mapped.digest()), (owned.bytes(), owned.digest()));
        let expected = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(mapped.digest(), expected);
        std::fs::write(&path, "").unwrap();
        assert_eq!(ModelFile::open(&path).unwrap().bytes(), b"");
        assert!(ModelFile::open(folder.path()).is_err());
        assert!(ModelFile::open(&folder.path().join("none")).is_err());
    }
}
