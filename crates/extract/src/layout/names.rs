//! Which names of classes and ids have a rule: most have none, and this says so without hashing them.

/// One bit for every 4,096th name, by [`look`].
#[derive(Debug)]
pub(super) struct Names {
    bits: [u64; 64],
    is_empty: bool,
}

impl Default for Names {
    fn default() -> Names {
        Names { bits: [0; 64], is_empty: true }
    }
}

impl Names {
    pub(super) fn clear(&mut self) {
        if !self.is_empty {
            *self = Names::default();
        }
    }

    pub(super) fn add(&mut self, name: &str) {
        let look = look(name);
        self.bits[look / 64] |= 1 << (look % 64);
        self.is_empty = false;
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Whether a name was added, or one that looks like it.
    #[inline]
    pub(super) fn may_have(&self, name: &str) -> bool {
        let look = look(name);
        self.bits[look / 64] >> (look % 64) & 1 != 0
    }
}

/// A number below 4,096 by a name's length and three of its bytes, the same for any case of its letters.
#[inline]
fn look(name: &str) -> usize {
    let bytes = name.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return 0 };
    let letter = |b: &u8| u64::from(*b | 0x20);
    let some = bytes.len() as u64
        | letter(first) << 16
        | letter(&bytes[bytes.len() / 2]) << 24
        | letter(last) << 32;
    (some.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize
}
