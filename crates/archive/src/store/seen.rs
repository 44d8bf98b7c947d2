//! What has been seen of the bytes of an input, so that a later look can tell whether they are still the same.

use super::input_file::InputFile;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use twox_hash::XxHash3_128;

/// How many bytes of an input were read, from its start on, and their digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Number of bytes.
    pub bytes: u64,
    digest: u128,
}

impl Seen {
    /// Reads up to `most` bytes.
    ///
    /// # Errors
    ///
    /// They cannot be read.
    pub fn of(mut input: impl Read, most: u64) -> io::Result<Seen> {
        let mut digest = InputDigest::default();
        digest.read(&mut input, most)?;
        Ok(digest.seen())
    }

    /// `xxh128:` and the digest in hexadecimal, as `xxhsum -H2` gives it: 128 bits of XXH3 find any change by accident and cost a
    /// twentieth of SHA-256.
    pub fn digest(&self) -> String {
        format!("xxh128:{:032x}", self.digest)
    }
}

/// Digests the bytes of an input, in their order.
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
    /// They cannot be read.
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

    /// What was added so far.
    pub fn seen(&self) -> Seen {
        Seen { bytes: self.bytes, digest: self.hasher.finish_128() }
    }
}

/// Sees what is read of one input. The readers of that input share it, since some stretches are read more than once; each byte counts
/// when it is read first.
#[derive(Clone, Default)]
pub(crate) struct Witness(Arc<Mutex<InputDigest>>);

impl Witness {
    /// Bytes were read at `offset`. Those before them have been seen.
    pub(crate) fn see(&self, offset: u64, bytes: &[u8]) {
        let mut digest = self.lock();
        let known = usize::try_from(digest.bytes.saturating_sub(offset)).unwrap_or(usize::MAX);
        debug_assert!(offset <= digest.bytes, "no bytes are passed over");
        if let Some(new) = bytes.get(known..) {
            digest.update(new);
        }
    }

    /// Adds bytes after all that have been seen.
    pub(crate) fn add(&self, bytes: &[u8]) {
        self.lock().update(bytes);
    }

    /// Reads what lies before `offset` and has not been seen. The file is then at any place.
    pub(crate) fn see_up_to(&self, offset: u64, file: &mut InputFile) -> io::Result<()> {
        let mut digest = self.lock();
        if digest.bytes < offset {
            file.seek(SeekFrom::Start(digest.bytes))?;
            let missing = offset - digest.bytes;
            digest.read(file, missing)?;
        }
        Ok(())
    }

    /// Number of bytes seen so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.lock().bytes
    }

    pub(crate) fn seen(&self) -> Seen {
        self.lock().seen()
    }

    fn lock(&self) -> MutexGuard<'_, InputDigest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Witness").field(&self.bytes()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_read_again_count_once() {
        let bytes: Vec<u8> = (0..100_000_u32).map(|i| (i % 253) as u8).collect();
        let witness = Witness::default();
        for (from, to) in [(0, 10), (0, 4000), (3000, 3500), (3500, 90_000), (90_000, 100_000)] {
            witness.see(from as u64, &bytes[from..to]);
        }
        let seen = Seen::of(&bytes[..], u64::MAX).unwrap();
        assert_eq!(witness.seen(), seen);
        assert_eq!(seen.bytes, 100_000);
        assert_ne!(seen.digest(), Seen::of(&bytes[..], 99_999).unwrap().digest());
    }

    #[test]
    fn the_digest_is_that_of_the_published_test_vector() {
        // XXH3_128bits of no bytes with seed 0, from the specification of xxHash.
        let seen = Seen::of(io::empty(), 1).unwrap();
        assert_eq!(seen.digest(), "xxh128:99aa06d3014798d86001c324468d497f");
    }
}
