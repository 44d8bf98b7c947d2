//! Reads a file in order, and ahead of the reader.

use crate::shared_resources::{FIRST_PIECE_BYTES, PERMIT_BYTES};
use crate::source::Source;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, sync_channel};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::AbortHandle;

/// Number of bytes that must have been read in order before the stream requests pieces in advance.
const SURE_BYTES: u64 = 512 << 10;

/// Reads a file from an offset on.
pub(crate) struct Stream {
    source: Arc<Source>,
    /// Offset of the first byte that was not requested.
    next: u64,
    /// Number of bytes that have been read.
    read: u64,
    /// Length of the next piece in bytes.
    size: u64,
    /// Pieces that were requested, in order.
    coming: VecDeque<RequestedPiece>,
    piece: Vec<u8>,
    /// Index in the piece of the next byte.
    at: usize,
    /// The share of the budget that the piece uses, which is returned with it.
    permit: Option<OwnedSemaphorePermit>,
}

/// A piece that was requested.
struct RequestedPiece {
    // A receiver alone is not `Sync`.
    piece: Mutex<Receiver<io::Result<Vec<u8>>>>,
    permit: Option<OwnedSemaphorePermit>,
    task: AbortHandle,
}

impl Drop for RequestedPiece {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Stream {
    pub(crate) fn new(source: Arc<Source>, offset: u64) -> Stream {
        let piece = source.kept_bytes(offset).to_vec();
        Stream {
            next: offset + piece.len() as u64,
            read: 0,
            size: FIRST_PIECE_BYTES,
            coming: VecDeque::new(),
            piece,
            at: 0,
            permit: None,
            source,
        }
    }

    /// Requests the next piece if the budget allows, or if it `is_wanted` now. Returns false if it
    /// made no request.
    fn request_next(&mut self, is_wanted: bool) -> bool {
        let left = self.source.version.len.saturating_sub(self.next);
        if left == 0 {
            return false;
        }
        let shared = &self.source.shared;
        let mut length = self.size.min(left);
        let units = u32::try_from(length.div_ceil(PERMIT_BYTES)).unwrap_or(u32::MAX);
        let permit = Arc::clone(&shared.read_ahead_permits).try_acquire_many_owned(units).ok();
        if permit.is_none() {
            if !is_wanted {
                return false;
            }
            length = length.min(FIRST_PIECE_BYTES);
        }
        let range = self.next..self.next + length;
        self.next = range.end;
        self.size = (self.size * 2).min(shared.max_piece_bytes());
        let (send, piece) = sync_channel(1);
        let (object, version) = (self.source.object.clone(), Arc::clone(&self.source.version));
        let task = shared.spawn(async move {
            let fetched = object.fetch(range, &version).await;
            // The receiver may have been dropped.
            let _ = send.send(fetched);
        });
        self.coming.push_back(RequestedPiece { piece: Mutex::new(piece), permit, task });
        true
    }

    /// Waits for the next piece.
    fn advance(&mut self) -> io::Result<()> {
        self.piece = Vec::new();
        (self.at, self.permit) = (0, None);
        if self.coming.is_empty() {
            self.request_next(true);
        }
        if self.read >= SURE_BYTES {
            while self.request_next(false) {}
        }
        let Some(mut coming) = self.coming.pop_front() else { return Ok(()) };
        let gone = |_| io::Error::other("the thread that reads from object storage has ended");
        let piece = coming.piece.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.piece = piece.recv().map_err(gone)??;
        self.permit = coming.permit.take();
        Ok(())
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() {
            self.advance()?;
        }
        let read = buffer.len().min(self.piece.len() - self.at);
        buffer[..read].copy_from_slice(&self.piece[self.at..][..read]);
        self.at += read;
        self.read += read as u64;
        Ok(read)
    }
}
