//! The content encodings that a response lists.

use crate::container::gzip::header::MAGIC;
use crate::container::zstd::frame::begins_frame;

/// A content encoding that can be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentEncoding {
    /// `gzip`, `x-gzip` (RFC 1952).
    Gzip,
    /// `deflate`: zlib (RFC 1950) by the standard, bare deflate (RFC 1951) from many servers.
    Deflate,
    /// `br` (RFC 7932).
    Brotli,
    /// `zstd` (RFC 8878).
    Zstd,
}

impl ContentEncoding {
    /// Returns the encoding of this name; `None` for `identity` and unknown names, for which the
    /// body stays unchanged.
    fn from_name(name: &[u8]) -> Option<ContentEncoding> {
        let known: [(&[u8], ContentEncoding); 5] = [
            (b"gzip", ContentEncoding::Gzip),
            (b"x-gzip", ContentEncoding::Gzip),
            (b"deflate", ContentEncoding::Deflate),
            (b"br", ContentEncoding::Brotli),
            (b"zstd", ContentEncoding::Zstd),
        ];
        known
            .iter()
            .find(|(label, _)| name.eq_ignore_ascii_case(label))
            .map(|&(_, encoding)| encoding)
    }

    /// Returns the encoding that the magic number of `body` shows, or this one if there is no magic
    /// number. The magic number of zlib is weak, so it only replaces gzip.
    pub(super) fn or_detected(self, body: &[u8]) -> ContentEncoding {
        if body.starts_with(&MAGIC) {
            ContentEncoding::Gzip
        } else if begins_frame(body) {
            ContentEncoding::Zstd
        } else if self == ContentEncoding::Gzip && begins_zlib(body) {
            ContentEncoding::Deflate
        } else {
            self
        }
    }
}

/// Returns whether bytes begin with the header of zlib (RFC 1950) without a preset dictionary.
pub(super) fn begins_zlib(bytes: &[u8]) -> bool {
    let &[method, flags, ..] = bytes else { return false };
    let header = u16::from_be_bytes([method, flags]);
    method & 0x0F == 8 && header.is_multiple_of(31) && flags & 0x20 == 0
}

/// Content encodings in the order in which they were applied, up to the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentEncodings {
    list: [ContentEncoding; ContentEncodings::MAX_CODINGS],
    len: usize,
    limit: usize,
    too_many: bool,
}

impl ContentEncodings {
    /// Highest limit, since the list has a fixed size.
    const MAX_CODINGS: usize = 8;

    /// Returns an empty list for at most `limit` encodings, which is capped at
    /// [`MAX_CODINGS`](Self::MAX_CODINGS).
    pub(crate) fn new(limit: usize) -> Self {
        let limit = limit.min(Self::MAX_CODINGS);
        ContentEncodings {
            list: [ContentEncoding::Gzip; Self::MAX_CODINGS],
            len: 0,
            limit,
            too_many: false,
        }
    }

    /// Adds the value of one Content-Encoding or Transfer-Encoding line.
    pub(crate) fn add_list(&mut self, value: &[u8]) {
        for encoding in names(value).filter_map(ContentEncoding::from_name) {
            if self.len == self.limit {
                self.too_many = true;
                return;
            }
            self.list[self.len] = encoding;
            self.len += 1;
        }
    }

    /// Returns the encodings in the order in which they were applied.
    pub fn as_slice(&self) -> &[ContentEncoding] {
        &self.list[..self.len]
    }

    /// Returns whether more are listed than the limit allows ([`Limits::content_encodings`], at
    /// most 8).
    ///
    /// [`Limits::content_encodings`]: crate::Limits::content_encodings
    pub fn too_many(&self) -> bool {
        self.too_many
    }
}

/// Returns the names in a comma-separated list, without blanks and parameters.
pub(crate) fn names(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|&byte| byte == b',').map(|item| {
        let end = memchr::memchr(b';', item).unwrap_or(item.len());
        item[..end].trim_ascii()
    })
}
