//! Where addresses (`s3://`, `https://` and the like) are read from.

use huller_archive::Stores;

/// Bytes that are read ahead of what is at work where nothing is said.
pub(crate) const READ_AHEAD: usize = 32 << 20;

/// The files that this program can reach. Nothing is opened or started before an address is read.
#[cfg(feature = "remote")]
pub(crate) fn stores(read_ahead: usize) -> Stores {
    use huller_remote::{Remote, Settings};
    const { assert!(READ_AHEAD == Settings::READ_AHEAD, "help and library say the same") };
    let settings = Settings { read_ahead, ..Settings::default() };
    Stores::of(std::sync::Arc::new(Remote::new(settings)))
}

/// The files that this program can reach: local ones.
#[cfg(not(feature = "remote"))]
pub(crate) fn stores(_read_ahead: usize) -> Stores {
    Stores::default()
}
