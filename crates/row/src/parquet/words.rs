//! Numbers that stand for words in Parquet's metadata, and its magic.

use crate::columns::Kind;
use crate::compress::Compression;

/// Stands at the beginning and the end of a file.
pub(super) const MAGIC: &[u8; 4] = b"PAR1";

/// A page of version 1: levels and values are compressed together. All readers know it.
pub(super) const DATA_PAGE: i32 = 0;

/// Encodings.
pub(super) const PLAIN: i32 = 0;
pub(super) const RLE: i32 = 3;

/// Whether every row has a value.
pub(super) const REQUIRED: i32 = 0;
pub(super) const OPTIONAL: i32 = 1;

/// Byte arrays that are UTF-8, in the older words.
pub(super) const UTF8: i32 = 0;

/// The physical type.
pub(super) fn physical_type(kind: Kind) -> i32 {
    match kind {
        Kind::Flag => 0,
        Kind::Int => 1,
        Kind::Long => 2,
        Kind::Float => 5,
        Kind::Text => 6,
    }
}

/// The number of the compression.
pub(super) fn codec(compression: Compression) -> i32 {
    match compression {
        Compression::None => 0,
        Compression::Gzip { .. } => 2,
        Compression::Zstd { .. } => 6,
    }
}

/// The compression of that number, of those that we write.
pub(super) fn compression(codec: i64) -> Option<Compression> {
    match codec {
        0 => Some(Compression::None),
        2 => Some(Compression::DEFAULT_GZIP),
        6 => Some(Compression::DEFAULT_ZSTD),
        _ => None,
    }
}
