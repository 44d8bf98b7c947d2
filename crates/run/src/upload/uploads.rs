//! Where outputs go, and how much may wait for it.

use crate::error::RunError;
use data_encoding::HEXLOWER;
use huller_archive::OutputStore;
use sha2::{Digest, Sha256};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// A place in a store that a run's files are brought to. The folder of the run is a staging folder
/// then: what was uploaded is removed there.
#[derive(Clone, Debug)]
pub struct Uploads {
    /// The place.
    pub store: Arc<dyn OutputStore>,
    /// So many bytes of finished files may wait to be uploaded; then the run waits. A file that is
    /// larger waits alone.
    pub most_bytes: u64,
}

impl Uploads {
    /// The name of a folder for the files of a run to this place, the same in every run to it and
    /// another for any other place.
    pub fn staging_name(&self) -> String {
        let digest = Sha256::digest(self.store.address());
        format!("huller-{}", &HEXLOWER.encode(&digest)[..16])
    }

    /// The address of an object, for errors.
    pub fn path(&self, name: &str) -> PathBuf {
        PathBuf::from(self.object(name))
    }

    /// The address of an object.
    pub fn object(&self, name: &str) -> String {
        format!("{}/{name}", self.store.address())
    }

    /// What an error of the store becomes.
    pub fn failed(&self, action: &'static str, name: &str) -> impl FnOnce(io::Error) -> RunError {
        RunError::output(action, self.path(name))
    }
}
