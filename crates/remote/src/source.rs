//! An open remote file, with its version and its first bytes.

use crate::fetch::{Object, Version};
use crate::shared_resources::SharedResources;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Number of bytes at the beginning of a file that are fetched to open it, and kept.
const HEAD_BYTES: u64 = 64 << 10;

/// A file of known length. All bytes that are read have the same version.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) shared: Arc<SharedResources>,
    pub(crate) object: Object,
    pub(crate) version: Arc<Version>,
    /// The first bytes of the file.
    pub(crate) head: Vec<u8>,
}

impl Source {
    pub(crate) fn open(shared: Arc<SharedResources>, object: Object) -> io::Result<Source> {
        let (head, version) = shared.block_on(object.begin(HEAD_BYTES))?;
        Ok(Source { shared, object, version: Arc::new(version), head })
    }

    /// Returns the kept bytes from an offset on.
    pub(crate) fn kept_bytes(&self, offset: u64) -> &[u8] {
        usize::try_from(offset).ok().and_then(|at| self.head.get(at..)).unwrap_or_default()
    }

    /// Fetches a range, which must be in the file, and waits for it.
    pub(crate) fn fetch(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        self.shared.block_on(self.object.fetch(range, &self.version))
    }
}
