//! Digests of the bytes of an input, so that a later run can check whether the input has changed.

use super::input_file::InputFile;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use twox_hash::XxHash3_128;

/// The number of bytes that were read from the start of an input, and their digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrefixDigest {
    /// Number of bytes.
    pub bytes: u64,
    digest: u128,
}

impl PrefixDigest {
    /// Reads up to `most` bytes and digests them.
    ///
    /// # Errors
    ///
    /// The bytes cannot be read.
    pub fn compute(mut input: impl Read, most: u64) -> io::Result<PrefixDigest> {
        let mut digest = InputDigest::default();
        digest.read(&mut input, most)?;
        Ok(digest.prefix_digest())
    }

    /// Returns `xxh128:` and the digest in hexadecimal, as `xxhsum -H2` prints it. The 128 bits of
    /// XXH3 detect any accidental change and cost a twentieth of SHA-256.
    pub fn digest(&self) -> String {
        format!("xxh128:{:032x}", self.digest)
    }
}

/// Digests the bytes of an input, in order.
#[derive(Default)]
pub struct InputDigest {
    bytes: u64,
    hasher: XxHash3_128,
}

impl InputDigest {
    /// Adds the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.hasher.write(bytes);
        self.bytes += bytes.len() as u64;
    }

    /// Reads and adds up to `most` bytes.
    ///
    /// # Errors
    ///
    /// The bytes cannot be read.
    pub fn read(&mut self, input: &mut impl Read, most: u64) -> io::Result<()> {
        let mut buffer = vec![0; 256 << 10];
        let mut left = most;
        while left > 0 {
            let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            match input.read(&mut buffer[..wanted]) {
                Ok(0) => break,
                Ok(read) => {
                    self.update(&buffer[..read]);
                    left -= read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Returns the digest of the bytes that were added so far.
    pub fn prefix_digest(&self) -> PrefixDigest {
        PrefixDigest { bytes: self.bytes, digest: self.hasher.finish_128() }
    }
}

/// A handle to the digest of an input that a [`RecordStream`](crate::RecordStream) is still
/// reading.
#[derive(Clone)]
pub struct DigestHandle(OrderedHasher);

impl DigestHandle {
    /// Returns the digest of the bytes read of the file so far, still compressed.
    pub fn prefix_digest(&self) -> PrefixDigest {
        self.0.prefix_digest()
    }
}

impl From<&OrderedHasher> for DigestHandle {
    fn from(hasher: &OrderedHasher) -> DigestHandle {
        DigestHandle(hasher.clone())
    }
}

/// Digests the bytes that are read from one input. All readers of that input share it. If a range
/// is read more than once, its bytes count only the first time.
///
/// Other threads read the ranges that were [promised](OrderedHasher::promise), and
/// [show](OrderedHasher::hash_in_turn) them in the order of the file. All other calls wait until
/// that is done.
#[derive(Clone, Default)]
pub(crate) struct OrderedHasher(Arc<SharedDigest>);

#[derive(Default)]
struct SharedDigest {
    state: Mutex<DigestState>,
    /// Signals that more bytes were seen, or that a promise was broken.
    changed: Condvar,
}

#[derive(Default)]
struct DigestState {
    digest: InputDigest,
    /// All bytes before this offset have been seen or are promised.
    promised: u64,
    /// Whether a thread dropped a range that it had promised to show. Bytes after that range are
    /// never seen, and all waiting threads continue.
    is_broken: bool,
}

impl DigestState {
    fn is_settled(&self) -> bool {
        self.digest.bytes >= self.promised || self.is_broken
    }
}

impl OrderedHasher {
    /// Adds bytes that were read at `offset`, after all earlier bytes have been seen. Known bytes
    /// count once.
    pub(crate) fn add_at(&self, offset: u64, bytes: &[u8]) {
        add_new(&mut self.lock().digest, offset, bytes);
    }

    /// Adds bytes after all bytes that have been seen.
    pub(crate) fn add(&self, bytes: &[u8]) {
        self.lock().digest.update(bytes);
    }

    /// Reads the unseen bytes before `offset` from `file`. The position of the file is then
    /// undefined.
    pub(crate) fn hash_up_to(&self, offset: u64, file: &mut InputFile) -> io::Result<()> {
        let digest = &mut self.lock().digest;
        if digest.bytes < offset {
            file.seek(SeekFrom::Start(digest.bytes))?;
            let missing = offset - digest.bytes;
            digest.read(file, missing)?;
        }
        Ok(())
    }

    /// Returns the number of bytes seen so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.lock().digest.bytes
    }

    pub(crate) fn prefix_digest(&self) -> PrefixDigest {
        self.lock().digest.prefix_digest()
    }

    /// As [`OrderedHasher::prefix_digest`], but returns `None` while other threads still read
    /// promised ranges.
    pub(crate) fn complete_prefix_digest(&self) -> Option<PrefixDigest> {
        let state = self.state();
        state.is_settled().then(|| state.digest.prefix_digest())
    }

    /// Promises that the bytes before `end` will be seen later, in order, unless the promise is
    /// [broken](OrderedHasher::break_promise). Until then, a thread that reads such a range may
    /// wait only for the ranges before it.
    pub(crate) fn promise(&self, end: u64) {
        let mut state = self.state();
        state.promised = state.promised.max(end);
    }

    /// Adds promised bytes as soon as all bytes before them have been seen. Returns the digest up
    /// to there.
    pub(crate) fn hash_in_turn(&self, offset: u64, bytes: &[u8]) -> PrefixDigest {
        let mut state = self.wait_while(|state| state.digest.bytes < offset && !state.is_broken);
        if state.digest.bytes >= offset {
            add_new(&mut state.digest, offset, bytes);
        }
        let seen = state.digest.prefix_digest();
        drop(state);
        self.0.changed.notify_all();
        seen
    }

    /// Breaks the promise for the unseen bytes before `end`.
    pub(crate) fn break_promise(&self, end: u64) {
        let mut state = self.state();
        state.is_broken |= state.digest.bytes < end;
        drop(state);
        self.0.changed.notify_all();
    }

    /// Waits until all promised bytes have been seen, then locks the state.
    fn lock(&self) -> MutexGuard<'_, DigestState> {
        self.wait_while(|state| !state.is_settled())
    }

    fn wait_while(
        &self,
        mut waits: impl FnMut(&DigestState) -> bool,
    ) -> MutexGuard<'_, DigestState> {
        let state = self.state();
        let waited = self.0.changed.wait_while(state, |state| waits(state));
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, DigestState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds the bytes at `offset` that have not been seen.
fn add_new(digest: &mut InputDigest, offset: u64, bytes: &[u8]) {
    let known = usize::try_from(digest.bytes.saturating_sub(offset)).unwrap_or(usize::MAX);
    debug_assert!(offset <= digest.bytes, "no bytes are passed over");
    if let Some(new) = bytes.get(known..) {
        digest.update(new);
    }
}

impl fmt::Debug for OrderedHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Witness").field(&self.state().digest.bytes).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_read_again_count_once() {
        let bytes: Vec<u8> = (0..100_000_u32).map(|i| (i % 253) as u8).collect();
        let hasher = OrderedHasher::default();
        for (from, to) in [(0, 10), (0, 4000), (3000, 3500), (3500, 90_000), (90_000, 100_000)] {
            hasher.add_at(from as u64, &bytes[from..to]);
        }
        let seen = PrefixDigest::compute(&bytes[..], u64::MAX).unwrap();
        assert_eq!(hasher.prefix_digest(), seen);
        assert_eq!(seen.bytes, 100_000);
        assert_ne!(seen.digest(), PrefixDigest::compute(&bytes[..], 99_999).unwrap().digest());
    }

    #[test]
    fn what_other_threads_read_is_seen_in_its_order_whoever_comes_first() {
        let bytes: Vec<u8> = (0..100_000_u32).map(|i| (i % 253) as u8).collect();
        let hasher = OrderedHasher::default();
        hasher.add_at(0, &bytes[..1000]);
        hasher.promise(90_000);
        assert_eq!(hasher.complete_prefix_digest(), None);
        std::thread::scope(|scope| {
            for from in [60_000, 30_000, 1000] {
                let (hasher, bytes) = (&hasher, &bytes);
                scope.spawn(move || {
                    let end = if from == 1000 { 30_000 } else { from + 30_000 };
                    let seen = hasher.hash_in_turn(from as u64, &bytes[from..end]);
                    assert!(seen.bytes >= end as u64);
                });
            }
            hasher.add_at(85_000, &bytes[85_000..]);
        });
        assert_eq!(
            hasher.complete_prefix_digest(),
            Some(PrefixDigest::compute(&bytes[..], u64::MAX).unwrap())
        );
    }

    #[test]
    fn nobody_waits_for_a_promise_that_is_broken() {
        let hasher = OrderedHasher::default();
        hasher.promise(20);
        std::thread::scope(|scope| {
            let second = scope.spawn(|| hasher.hash_in_turn(10, &[1; 10]));
            let whole = scope.spawn(|| hasher.prefix_digest());
            hasher.break_promise(10);
            assert_eq!(second.join().unwrap().bytes, 0, "what comes after a gap does not count");
            assert_eq!(whole.join().unwrap().bytes, 0);
        });
        hasher.break_promise(0);
        assert_eq!(hasher.bytes(), 0);
    }

    #[test]
    fn the_digest_is_that_of_the_published_test_vector() {
        // The digest of no bytes with seed 0 (XXH3_128bits), from the specification of xxHash.
        let seen = PrefixDigest::compute(io::empty(), 1).unwrap();
        assert_eq!(seen.digest(), "xxh128:99aa06d3014798d86001c324468d497f");
    }
}
