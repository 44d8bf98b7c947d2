//! A hash of keys that are hashes themselves, with a secret: no page can make its keys collide, and it costs one product.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Two numbers that nobody outside of this process knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Secret {
    mask: u64,
    factor: u64,
}

impl Default for Secret {
    fn default() -> Secret {
        let random = RandomState::new();
        // An odd factor loses nothing.
        Secret { mask: random.hash_one(0), factor: random.hash_one(1) | 1 }
    }
}

impl BuildHasher for Secret {
    type Hasher = KeyHasher;

    #[inline]
    fn build_hasher(&self) -> KeyHasher {
        KeyHasher { secret: *self, hash: 0 }
    }
}

/// Folds the product of key and secret.
pub(super) struct KeyHasher {
    secret: Secret,
    hash: u64,
}

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.write_u64(u64::from(*b));
        }
    }

    #[inline]
    fn write_u64(&mut self, key: u64) {
        let Secret { mask, factor } = self.secret;
        let product = u128::from(self.hash ^ key ^ mask) * u128::from(factor);
        self.hash = (product >> 64) as u64 ^ product as u64;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_are_spread_and_each_secret_spreads_them_otherwise() {
        let (one, other) = (Secret::default(), Secret::default());
        let places = |secret: Secret| -> HashSet<u64> {
            (0..1_000_u64).map(|key| secret.hash_one(key << 40) >> 54).collect()
        };
        // A thousand random keys take 640 or so of 1,024 places; the secret is random, so this asks for much less.
        assert!(places(one).len() > 32 && places(other).len() > 32);
        assert_ne!(one.hash_one(7_u64), other.hash_one(7_u64));
    }
}
