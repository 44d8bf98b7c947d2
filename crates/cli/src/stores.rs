//! Where addresses (`s3://`, `https://` and the like) are read from and written to.

use huller_archive::{OutputStore, Stores};
use std::io;
use std::sync::Arc;

/// Bytes that are read ahead of what is at work where nothing is said.
pub(crate) const READ_AHEAD: usize = 32 << 20;

/// The files that this program can reach. Nothing is opened or started before an address is read.
#[cfg(feature = "remote")]
pub(crate) fn stores(read_ahead: usize) -> Stores {
    use huller_remote::{Remote, Settings};
    const { assert!(READ_AHEAD == Settings::READ_AHEAD, "help and library say the same") };
    let settings = Settings { read_ahead, ..Settings::default() };
    Stores::of(Arc::new(Remote::new(settings)))
}

/// The folder of a store that outputs go to.
#[cfg(feature = "remote")]
pub(crate) fn folder(address: &str) -> io::Result<Arc<dyn OutputStore>> {
    use huller_remote::{Remote, Settings};
    Remote::new(Settings::default()).folder(address)
}

/// The files that this program can reach: local ones.
#[cfg(not(feature = "remote"))]
pub(crate) fn stores(_read_ahead: usize) -> Stores {
    Stores::default()
}

/// The folder of a store that outputs go to: there is none.
#[cfg(not(feature = "remote"))]
pub(crate) fn folder(_address: &str) -> io::Result<Arc<dyn OutputStore>> {
    let what = "this program was built without the feature `remote` (`--features remote`); write to a folder and upload it, or use -o - and a pipe";
    Err(io::Error::new(io::ErrorKind::Unsupported, what))
}
