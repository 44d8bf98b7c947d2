//! Opens URLs (`s3://`, `https://` and the like) for reading and writing.

use huller_archive::{OutputStore, Stores};
use std::io;
use std::sync::Arc;

/// Default number of bytes that are read ahead of the workers.
pub(crate) const READ_AHEAD: usize = 32 << 20;

/// Returns access to all files that this program can reach. A connection is opened only when a URL
/// is read.
#[cfg(feature = "remote")]
pub(crate) fn stores(read_ahead: usize) -> Stores {
    use huller_remote::{Remote, Settings};
    const { assert!(READ_AHEAD == Settings::READ_AHEAD, "help and library say the same") };
    let settings = Settings { read_ahead, ..Settings::default() };
    Stores::with_store(Arc::new(Remote::new(settings)))
}

/// Returns the folder in object storage for outputs.
#[cfg(feature = "remote")]
pub(crate) fn folder(address: &str) -> io::Result<Arc<dyn OutputStore>> {
    use huller_remote::{Remote, Settings};
    Remote::new(Settings::default()).folder(address)
}

/// Returns access to the files that this program can reach, which are local ones.
#[cfg(not(feature = "remote"))]
pub(crate) fn stores(_read_ahead: usize) -> Stores {
    Stores::default()
}

/// Refuses a folder in object storage for outputs, because this build has no support for it.
#[cfg(not(feature = "remote"))]
pub(crate) fn folder(_address: &str) -> io::Result<Arc<dyn OutputStore>> {
    let message = "this program was built without the feature `remote` (`--features remote`); write \
        to a folder and upload it, or pipe the output of -o -";
    Err(io::Error::new(io::ErrorKind::Unsupported, message))
}
