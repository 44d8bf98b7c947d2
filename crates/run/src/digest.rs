//! Computes the SHA-256 of a growing file, in a thread of its own if the file is large.
//!
//! SHA-256 reads all bytes in order, at some 1.6 GB per second. The writer computes it itself for
//! files of up to 256 KiB. Beyond that a thread gets copies of the bytes, and the digest may be
//! fetched later. The copies use a fixed number of buffers. When all are full, the writer waits.

use crate::clocks::{Clocks, thread_nanoseconds};
use crate::error::RunError;
use crossbeam_channel::{Receiver, Sender, bounded};
use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// A file gets a thread once this number of bytes has been written.
const HERE_BYTES: usize = 256 << 10;

/// Length of a buffer in bytes.
const BUFFER_BYTES: usize = 256 << 10;

/// Most buffers of a thread.
const BUFFERS: usize = 8;

/// Most memory that the digest of a file takes, in bytes.
pub const MAX_MEMORY_BYTES: usize = BUFFERS * BUFFER_BYTES;

/// The running SHA-256 of all bytes added so far.
pub struct Digest {
    place: HasherPlace,
    /// Counter for the CPU time of the thread, in nanoseconds.
    clock: Option<Arc<AtomicU64>>,
}

enum HasherPlace {
    Here { digest: Sha256, bytes: usize },
    Behind(DigestThread),
}

/// A handle of the digest thread. The thread ends when this handle is dropped.
struct DigestThread {
    to: Sender<Message>,
    /// Empty buffers that the thread returns.
    used: Receiver<Vec<u8>>,
    /// Number of buffers allocated so far.
    buffers: usize,
    /// The buffer that the writer fills now.
    filling: Vec<u8>,
}

/// Bytes for the digest thread, and a task after them.
#[derive(Default)]
struct Message {
    bytes: Vec<u8>,
    /// Receiver of the digest of all bytes up to this message.
    ask: Option<Sender<Sha256>>,
    /// A task that the thread runs after these bytes, instead of the writer.
    other: Option<Box<dyn FnOnce() + Send>>,
}

/// A requested digest.
pub enum RequestedDigest {
    /// The digest was computed by the caller's thread.
    Known(Sha256),
    /// The digest thread sends it here.
    Coming(Receiver<Sha256>),
}

impl RequestedDigest {
    /// Whether the caller's thread computed the digest. This depends on the length of the file
    /// alone.
    pub fn is_known(&self) -> bool {
        matches!(self, RequestedDigest::Known(_))
    }

    /// Waits for the digest and returns it in hexadecimal.
    ///
    /// # Errors
    ///
    /// The digest thread has died, which is a bug.
    pub fn hex(self) -> Result<String, RunError> {
        match self {
            RequestedDigest::Known(digest) => Ok(hex(digest)),
            RequestedDigest::Coming(from) => from.recv().map(hex).map_err(|_| died()),
        }
    }
}

fn died() -> RunError {
    RunError::Worker("the thread of digests panicked".to_owned())
}

/// Returns the digest in hexadecimal.
pub fn hex(digest: Sha256) -> String {
    HEXLOWER.encode(&digest.finalize())
}

impl Digest {
    /// Continues from the digest of the bytes that the file already has.
    pub fn new(digest: Sha256) -> Digest {
        Digest { place: HasherPlace::Here { digest, bytes: 0 }, clock: None }
    }

    /// Counts the CPU time of the digest thread in `clocks`.
    pub fn add_time_to(&mut self, clocks: &Clocks) {
        self.clock = Some(clocks.digest_counter());
    }

    /// Adds the next bytes.
    ///
    /// # Errors
    ///
    /// The digest thread has died, which is a bug.
    pub fn update(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        if let HasherPlace::Here { digest, bytes: here } = &mut self.place {
            if *here < HERE_BYTES {
                digest.update(bytes);
                *here += bytes.len();
                return Ok(());
            }
            let Some(behind) = DigestThread::start(digest, self.clock.clone()) else {
                // The system refused a thread. The next call tries again.
                digest.update(bytes);
                return Ok(());
            };
            self.place = HasherPlace::Behind(behind);
        }
        let HasherPlace::Behind(behind) = &mut self.place else {
            unreachable!("a digest that is not computed here has a thread")
        };
        while !bytes.is_empty() {
            let room = BUFFER_BYTES - behind.filling.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            behind.filling.extend_from_slice(now);
            if behind.filling.len() == BUFFER_BYTES {
                behind
                    .send(None)
                    .ok_or_else(|| io::Error::other("the thread of digests panicked"))?;
            }
            bytes = later;
        }
        Ok(())
    }

    /// Requests the digest of all bytes so far.
    ///
    /// # Errors
    ///
    /// The digest thread has died, which is a bug.
    pub fn request(&mut self) -> Result<RequestedDigest, RunError> {
        match &mut self.place {
            HasherPlace::Here { digest, .. } => Ok(RequestedDigest::Known(digest.clone())),
            HasherPlace::Behind(behind) => {
                let (to, from) = bounded(1);
                behind.send(Some(to)).ok_or_else(died)?;
                Ok(RequestedDigest::Coming(from))
            }
        }
    }

    /// Runs `other` in the digest thread, after all earlier messages. Without a thread, runs it at
    /// once in this one. The caller does not wait for its end.
    pub fn leave(&self, other: impl FnOnce() + Send + 'static) {
        match &self.place {
            HasherPlace::Here { .. } => other(),
            HasherPlace::Behind(behind) => {
                let message = Message { other: Some(Box::new(other)), ..Message::default() };
                // If the thread has died, the next `update` or `ask` reports it.
                let _ = behind.to.send(message);
            }
        }
    }
}

impl DigestThread {
    /// Starts a thread that continues from `digest`. `None` if the system refuses a thread.
    fn start(digest: &Sha256, clock: Option<Arc<AtomicU64>>) -> Option<DigestThread> {
        // The channel holds more messages than there are buffers and requests, so only a lack of
        // buffers blocks the writer.
        let (to, messages) = bounded(4 * BUFFERS);
        let (back, used) = bounded(BUFFERS);
        let digest = digest.clone();
        let run = move || compute(digest, &messages, &back, clock.as_deref());
        thread::Builder::new().name("digest".to_owned()).spawn(run).ok()?;
        Some(DigestThread { to, used, buffers: 1, filling: Vec::with_capacity(BUFFER_BYTES) })
    }

    /// Sends the filled bytes and the request, if any, and takes another buffer. `None` if the
    /// thread has died.
    fn send(&mut self, ask: Option<Sender<Sha256>>) -> Option<()> {
        if self.filling.is_empty() {
            return self.to.send(Message { ask, ..Message::default() }).ok();
        }
        let next = match self.used.try_recv() {
            Ok(buffer) => buffer,
            Err(_) if self.buffers < BUFFERS => {
                self.buffers += 1;
                Vec::with_capacity(BUFFER_BYTES)
            }
            Err(_) => self.used.recv().ok()?,
        };
        let bytes = std::mem::replace(&mut self.filling, next);
        self.to.send(Message { bytes, ask, other: None }).ok()
    }
}

/// Runs in the digest thread until the channel closes.
fn compute(
    mut digest: Sha256,
    messages: &Receiver<Message>,
    back: &Sender<Vec<u8>>,
    clock: Option<&AtomicU64>,
) {
    // Time spent waiting for messages is not counted.
    let mut since = thread_nanoseconds();
    let count = |since: &mut u64, is_work: bool| {
        let now = thread_nanoseconds();
        if let Some(clock) = clock.filter(|_| is_work) {
            clock.fetch_add(now - *since, Ordering::Relaxed);
        }
        *since = now;
    };
    for Message { mut bytes, ask, other } in messages {
        count(&mut since, false);
        digest.update(&bytes);
        if let Some(other) = other {
            other();
        }
        count(&mut since, true);
        if let Some(ask) = ask {
            // The receiver is gone if its checkpoint is no longer needed.
            let _ = ask.send(digest.clone());
        }
        if bytes.capacity() > 0 {
            bytes.clear();
            // The writer is gone if the file is complete.
            let _ = back.send(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_digest_of_all_bytes_wherever_it_is_computed() {
        let bytes: Vec<u8> = (0..9_000_000_u32).map(|i| (i / 7 % 251) as u8).collect();
        for step in [1000, 70_000, 300_000, 5_000_000] {
            let mut digest = Digest::new(Sha256::new_with_prefix(b"before"));
            let mut asked = Vec::new();
            let mut end = 0;
            for piece in bytes.chunks(step) {
                digest.update(piece).unwrap();
                end += piece.len();
                // The test waits for only some of the requested digests, and not at once.
                let answer = digest.request().unwrap();
                if end % 3 == 0 || end == bytes.len() {
                    asked.push((end, answer));
                }
                if asked.len() > 20 {
                    let (end, answer) = asked.remove(0);
                    assert_eq!(answer.hex().unwrap(), of(&bytes[..end]));
                }
            }
            assert!(matches!(digest.place, HasherPlace::Behind(_)));
            let (done, is_done) = bounded(1);
            digest.leave(move || done.send(()).unwrap());
            is_done.recv().unwrap();
            drop(digest);
            let (end, last) = asked.pop().unwrap();
            assert_eq!((end, last.hex().unwrap()), (bytes.len(), of(&bytes)));
        }
    }

    fn of(bytes: &[u8]) -> String {
        hex(Sha256::new_with_prefix(b"before").chain_update(bytes))
    }

    #[test]
    fn a_small_file_needs_no_thread_and_all_time_is_counted() {
        let clocks = Clocks::default();
        let mut digest = Digest::new(Sha256::new());
        digest.add_time_to(&clocks);
        digest.update(&vec![7; HERE_BYTES]).unwrap();
        assert!(matches!(digest.request().unwrap(), RequestedDigest::Known(_)));
        assert_eq!(clocks.digest_counter().load(Ordering::Relaxed), 0);
        digest.update(&[7; 100]).unwrap();
        digest.request().unwrap().hex().unwrap();
        assert!(clocks.digest_counter().load(Ordering::Relaxed) > 0);
    }
}
