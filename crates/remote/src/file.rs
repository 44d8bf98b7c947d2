//! The interface of an open file for the archive reader.

use crate::shared_resources::MAX_REQUEST_BYTES;
use crate::source::Source;
use crate::stream::Stream;
use huller_archive::RemoteFile;
use std::io::{self, Read};
use std::sync::Arc;

/// An open file.
#[derive(Debug)]
pub(crate) struct File(pub(crate) Arc<Source>);

impl RemoteFile for File {
    fn len(&self) -> u64 {
        self.0.version.len
    }

    fn identity(&self) -> Option<&str> {
        self.0.version.identity.as_deref()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let end = self.len().min(offset.saturating_add(buffer.len() as u64));
        let mut at = offset;
        while at < end {
            let permit = &mut buffer[(at - offset) as usize..(end - offset) as usize];
            let kept = self.0.kept_bytes(at);
            let read = if kept.is_empty() {
                let bytes = self.0.fetch(at..end.min(at + MAX_REQUEST_BYTES))?;
                permit[..bytes.len()].copy_from_slice(&bytes);
                bytes.len()
            } else {
                let read = kept.len().min(permit.len());
                permit[..read].copy_from_slice(&kept[..read]);
                read
            };
            at += read as u64;
        }
        Ok((at - offset) as usize)
    }

    fn read_from(self: Arc<Self>, offset: u64) -> Box<dyn Read + Send + Sync> {
        Box::new(Stream::new(Arc::clone(&self.0), offset))
    }
}
