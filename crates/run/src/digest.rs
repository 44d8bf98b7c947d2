//! The SHA-256 of a file that grows, computed behind the thread that writes it.
//!
//! SHA-256 has to go through all bytes in their order, at some 1.6 GB a second. The writer does it
//! itself for files of up to 256 KiB. Beyond that a thread takes copies of the bytes, and the
//! digest may be taken later. Copies lie in a fixed number of buffers: a writer that is far ahead
//! waits.

use crate::clocks::{Clocks, thread_nanoseconds};
use crate::error::RunError;
use crossbeam_channel::{Receiver, Sender, bounded};
use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// A file gets a thread when so many bytes of it have been written.
const HERE_BYTES: usize = 256 << 10;

/// Length of a buffer.
const BUFFER_BYTES: usize = 256 << 10;

/// Buffers of a thread, at most.
const BUFFERS: usize = 8;

/// The memory that a file takes for its digest.
pub const MOST_BYTES: usize = BUFFERS * BUFFER_BYTES;

/// The digest of what has been added so far.
pub struct Digest {
    place: Place,
    /// Where the thread counts its CPU time.
    clock: Option<Arc<AtomicU64>>,
}

enum Place {
    Here { digest: Sha256, bytes: usize },
    Behind(Behind),
}

/// The thread that computes it. It ends when nothing more is sent to it.
struct Behind {
    to: Sender<Message>,
    /// Buffers that have been dealt with.
    used: Receiver<Vec<u8>>,
    /// How many buffers there are.
    buffers: usize,
    /// The buffer that is being filled.
    filling: Vec<u8>,
}

/// More bytes, and what is to be done after them.
#[derive(Default)]
struct Message {
    bytes: Vec<u8>,
    /// Who is told the digest of all bytes up to here.
    ask: Option<Sender<Sha256>>,
    /// Anything that the writer need not do itself.
    other: Option<Box<dyn FnOnce() + Send>>,
}

/// A digest that was asked for.
pub enum Asked {
    /// It is known.
    Known(Sha256),
    /// It comes from here.
    Coming(Receiver<Sha256>),
}

impl Asked {
    /// Whether it has been computed here, which depends on the length of the file alone.
    pub fn is_known(&self) -> bool {
        matches!(self, Asked::Known(_))
    }

    /// The digest in hexadecimal. Waits for it.
    ///
    /// # Errors
    ///
    /// The thread has died, which is a bug.
    pub fn hex(self) -> Result<String, RunError> {
        match self {
            Asked::Known(digest) => Ok(hex(digest)),
            Asked::Coming(from) => from.recv().map(hex).map_err(|_| died()),
        }
    }
}

fn died() -> RunError {
    RunError::Worker("the thread of digests panicked".to_owned())
}

/// The digest in hexadecimal.
pub fn hex(digest: Sha256) -> String {
    HEXLOWER.encode(&digest.finalize())
}

impl Digest {
    /// Goes on from the digest of what is there already.
    pub fn new(digest: Sha256) -> Digest {
        Digest { place: Place::Here { digest, bytes: 0 }, clock: None }
    }

    /// Has the CPU time of the thread counted there.
    pub fn count_in(&mut self, clocks: &Clocks) {
        self.clock = Some(clocks.of_digests());
    }

    /// Adds the next bytes.
    ///
    /// # Errors
    ///
    /// The thread has died, which is a bug.
    pub fn update(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        if let Place::Here { digest, bytes: here } = &mut self.place {
            if *here < HERE_BYTES {
                digest.update(bytes);
                *here += bytes.len();
                return Ok(());
            }
            let Some(behind) = Behind::start(digest, self.clock.clone()) else {
                // No thread can be had now. The next call tries again.
                digest.update(bytes);
                return Ok(());
            };
            self.place = Place::Behind(behind);
        }
        let Place::Behind(behind) = &mut self.place else {
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

    /// Asks for the digest of all bytes so far.
    ///
    /// # Errors
    ///
    /// The thread has died, which is a bug.
    pub fn ask(&mut self) -> Result<Asked, RunError> {
        match &mut self.place {
            Place::Here { digest, .. } => Ok(Asked::Known(digest.clone())),
            Place::Behind(behind) => {
                let (to, from) = bounded(1);
                behind.send(Some(to)).ok_or_else(died)?;
                Ok(Asked::Coming(from))
            }
        }
    }

    /// Runs `other` in the thread, after what was sent before; at once and here if there is no
    /// thread. The caller does not wait for its end.
    pub fn leave(&self, other: impl FnOnce() + Send + 'static) {
        match &self.place {
            Place::Here { .. } => other(),
            Place::Behind(behind) => {
                let message = Message { other: Some(Box::new(other)), ..Message::default() };
                // If the thread has died, the next bytes tell.
                let _ = behind.to.send(message);
            }
        }
    }
}

impl Behind {
    /// Starts a thread that goes on from here. `None` if the system gives none.
    fn start(digest: &Sha256, clock: Option<Arc<AtomicU64>>) -> Option<Behind> {
        // As many messages as buffers and questions can wait, so that none but a lack of buffers
        // holds the writer up.
        let (to, messages) = bounded(4 * BUFFERS);
        let (back, used) = bounded(BUFFERS);
        let digest = digest.clone();
        let run = move || compute(digest, &messages, &back, clock.as_deref());
        thread::Builder::new().name("digest".to_owned()).spawn(run).ok()?;
        Some(Behind { to, used, buffers: 1, filling: Vec::with_capacity(BUFFER_BYTES) })
    }

    /// Sends what has been filled, with a question if there is one, and takes another buffer.
    /// `None` if the thread has died.
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

/// The thread.
fn compute(
    mut digest: Sha256,
    messages: &Receiver<Message>,
    back: &Sender<Vec<u8>>,
    clock: Option<&AtomicU64>,
) {
    // What it takes to wait for messages is not counted.
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
            // A checkpoint that is no longer needed waits for no digest.
            let _ = ask.send(digest.clone());
        }
        if bytes.capacity() > 0 {
            bytes.clear();
            // The file may be complete, and its writer gone.
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
                // Not all that is asked for is waited for, and not at once.
                let answer = digest.ask().unwrap();
                if end % 3 == 0 || end == bytes.len() {
                    asked.push((end, answer));
                }
                if asked.len() > 20 {
                    let (end, answer) = asked.remove(0);
                    assert_eq!(answer.hex().unwrap(), of(&bytes[..end]));
                }
            }
            assert!(matches!(digest.place, Place::Behind(_)));
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
        digest.count_in(&clocks);
        digest.update(&vec![7; HERE_BYTES]).unwrap();
        assert!(matches!(digest.ask().unwrap(), Asked::Known(_)));
        assert_eq!(clocks.of_digests().load(Ordering::Relaxed), 0);
        digest.update(&[7; 100]).unwrap();
        digest.ask().unwrap().hex().unwrap();
        assert!(clocks.of_digests().load(Ordering::Relaxed) > 0);
    }
}
