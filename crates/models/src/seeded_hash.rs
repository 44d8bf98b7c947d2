//! Hashes whose seed differs between processes, so an attacker cannot prepare a file whose entries
//! collide.

use foldhash::fast::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;

static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// Returns the seeded hash of bytes.
#[inline]
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut hasher = SEED.build_hasher();
    // Leaves out the length, which `Hash` would add for slices.
    hasher.write(bytes);
    hasher.finish()
}

/// Returns the seeded hash of a number.
#[inline]
pub(crate) fn hash_number(number: u64) -> u64 {
    SEED.hash_one(number)
}
