//! The destination of uploads, and how much may wait.

use crate::error::RunError;
use data_encoding::HEXLOWER;
use huller_archive::OutputStore;
use sha2::{Digest, Sha256};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// A place in object storage for the files of a run. The folder of the run is then a staging
/// folder, where uploaded files are removed.
#[derive(Clone, Debug)]
pub struct Uploads {
    /// The object storage.
    pub store: Arc<dyn OutputStore>,
    /// Most bytes of finished files that may wait for upload; then the run waits. A larger file
    /// waits alone.
    pub most_bytes: u64,
}

impl Uploads {
    /// Returns the name of a staging folder for this destination. It depends on the destination
    /// alone.
    pub fn staging_name(&self) -> String {
        let digest = Sha256::digest(self.store.display_url());
        format!("huller-{}", &HEXLOWER.encode(&digest)[..16])
    }

    /// Returns the URL of an object, for errors.
    pub fn path(&self, name: &str) -> PathBuf {
        PathBuf::from(self.object(name))
    }

    /// Returns the URL of an object.
    pub fn object(&self, name: &str) -> String {
        format!("{}/{name}", self.store.display_url())
    }

    /// Returns a function that makes an error of the storage a [`RunError::Output`].
    pub fn storage_error(
        &self,
        action: &'static str,
        name: &str,
    ) -> impl FnOnce(io::Error) -> RunError {
        RunError::output(action, self.path(name))
    }
}
