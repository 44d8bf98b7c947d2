//! A pair of a key and a row, in memory and on the disk.

use std::io::{self, Write};

/// The key by which rows are grouped.
pub(crate) trait Key: Copy + Ord + Send + Sync {
    /// Bytes of a key.
    const BYTES: usize;

    /// Writes the key as little-endian bytes.
    fn write(self, out: &mut impl Write) -> io::Result<()>;

    /// Reads a key of [`Key::BYTES`] bytes.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! key {
    ($Number:ty) => {
        impl Key for $Number {
            const BYTES: usize = size_of::<$Number>();

            fn write(self, out: &mut impl Write) -> io::Result<()> {
                out.write_all(&self.to_le_bytes())
            }

            fn read(bytes: &[u8]) -> $Number {
                <$Number>::from_le_bytes(bytes.try_into().expect("as many bytes as a key has"))
            }
        }
    };
}

key!(u64);
key!(u128);

/// A key and its row, without padding: 12 or 20 bytes.
#[derive(Clone, Copy)]
#[repr(C, packed(4))]
pub(super) struct Pair<K> {
    key: K,
    /// Number of the row.
    row: u32,
}

impl<K: Key> Pair<K> {
    /// Bytes of a pair on the disk.
    pub(super) const BYTES: usize = K::BYTES + size_of::<u32>();

    pub(super) fn new(key: K, row: u32) -> Pair<K> {
        Pair { key, row }
    }

    // Fields are copied out, since unaligned fields must not be referenced.

    #[inline]
    pub(super) fn key(self) -> K {
        self.key
    }

    #[inline]
    pub(super) fn row(self) -> u32 {
        self.row
    }

    pub(super) fn write(self, out: &mut impl Write) -> io::Result<()> {
        self.key.write(out)?;
        out.write_all(&self.row.to_le_bytes())
    }

    pub(super) fn read(bytes: &[u8]) -> Pair<K> {
        let (key, row) = bytes.split_at(K::BYTES);
        let row = u32::from_le_bytes(row.try_into().expect("four bytes after the key"));
        Pair { key: K::read(key), row }
    }
}
