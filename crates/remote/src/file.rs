//! An open file.

use crate::fetch::{Object, Version};
use crate::remote::Shared;
use crate::stream::Stream;
use huller_archive::RemoteFile;
use std::io::{self, Read};
use std::sync::Arc;

/// Bytes of the beginning of a file that are fetched to open it, and kept.
pub(crate) const HEAD_BYTES: u64 = 64 << 10;

/// Most bytes that one request asks for.
pub(crate) const PIECE_BYTES: u64 = 4 << 20;

/// A file of which the length is known. Everything that is read of it is of one version.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) shared: Arc<Shared>,
    pub(crate) object: Object,
    pub(crate) version: Arc<Version>,
    /// Its first bytes.
    pub(crate) head: Vec<u8>,
}

impl File {
    pub(crate) fn open(shared: Arc<Shared>, object: Object) -> io::Result<File> {
        let (head, version) = shared.wait_for(object.begin(HEAD_BYTES))?;
        Ok(File { shared, object, version: Arc::new(version), head })
    }
}

impl RemoteFile for File {
    fn len(&self) -> u64 {
        self.version.len
    }

    fn identity(&self) -> Option<&str> {
        self.version.identity.as_deref()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let end = self.len().min(offset.saturating_add(buffer.len() as u64));
        let mut at = offset;
        while at < end {
            let room = &mut buffer[(at - offset) as usize..(end - offset) as usize];
            let head = self.head.get(at as usize..).unwrap_or_default();
            let read = if head.is_empty() {
                let piece = at..end.min(at + PIECE_BYTES);
                let bytes = self.shared.wait_for(self.object.fetch(piece, &self.version))?;
                room[..bytes.len()].copy_from_slice(&bytes);
                bytes.len()
            } else {
                let read = head.len().min(room.len());
                room[..read].copy_from_slice(&head[..read]);
                read
            };
            at += read as u64;
        }
        Ok((at - offset.min(at)) as usize)
    }

    fn read_from(self: Arc<Self>, offset: u64) -> Box<dyn Read + Send + Sync> {
        Box::new(Stream::new(self, offset))
    }
}
