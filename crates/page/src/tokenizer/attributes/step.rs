//! Reads the next attribute of a tag, or the end of the tag (HTML standard, sections 13.2.5.32 to
//! 13.2.5.40).

use super::window::{Window, name_ends};
use crate::attribute::Attribute;
use crate::byte_source::ByteSource;
use crate::span::Span;
use crate::tag::key;

/// The next part of a tag: an attribute or the end of the tag.
pub(super) struct AttributeStep {
    /// Offset after this part.
    pub(super) end: usize,
    pub(super) kind: StepKind,
}

pub(super) enum StepKind {
    /// An attribute.
    Attribute {
        attribute: Attribute,
        /// The eight bytes from the start of the name on; for a shorter name they include the bytes
        /// after it.
        first_eight: u64,
    },
    TagEnd {
        self_closing: bool,
    },
}

/// Reads the attribute at `start` if it is written as nearly all are, `name="value"`, and its name
/// has less than 32 bytes. Also returns the first eight bytes as in [`StepKind::Attribute`].
#[inline(always)]
pub(super) fn usual_attribute<W: Window>(
    by: W,
    source: ByteSource<'_>,
    start: usize,
) -> Option<(Attribute, u64)> {
    let window = source.bytes64(start)?;
    let name_len = by.name_ends(window).trailing_zeros() as usize;
    let name_fits = (1..32).contains(&name_len);
    if !name_fits || window[name_len..name_len + 2] != *b"=\"" {
        return None;
    }
    let value = start + name_len + 2;
    let quotes = by.quotes(window) >> (name_len + 2);
    let end = if quotes == 0 {
        source.find(start + window.len(), b'"')?
    } else {
        value + quotes.trailing_zeros() as usize
    };
    let name = Span::new(start, start + name_len);
    let first_eight = u64::from_le_bytes(window.as_chunks().0[0]);
    Some((Attribute { name, value: Span::new(value, end) }, first_eight))
}

/// Reads the next attribute at or after `offset`, or the end of the tag if no attribute is left;
/// `None` if the input ends in the tag.
pub(super) fn next_attribute(source: ByteSource<'_>, offset: usize) -> Option<AttributeStep> {
    let input = source.bytes();
    let (mut start, mut b) = skip_spaces(input, offset)?;
    while b == b'/' {
        if *input.get(start + 1)? == b'>' {
            return Some(AttributeStep {
                end: start + 2,
                kind: StepKind::TagEnd { self_closing: true },
            });
        }
        (start, b) = skip_spaces(input, start + 1)?;
    }
    if b == b'>' {
        return Some(AttributeStep {
            end: start + 1,
            kind: StepKind::TagEnd { self_closing: false },
        });
    }
    let (name_end, first_eight) = name(source, start);
    let (value, end) = read_value(source, name_end)?;
    let attribute = Attribute { name: Span::new(start, name_end), value };
    Some(AttributeStep { end, kind: StepKind::Attribute { attribute, first_eight } })
}

/// The parts of a tag that a byte ends, as bits.
mod ends {
    pub(super) const NAME: u8 = 1;
    pub(super) const UNQUOTED: u8 = 2;
    pub(super) const SPACE: u8 = 4;
}

static ENDS: [u8; 256] = {
    let mut table = [0; 256];
    let spaces = [b'\t', b'\n', b'\x0C', b'\r', b' '];
    let mut i = 0;
    while i < spaces.len() {
        table[spaces[i] as usize] = ends::NAME | ends::UNQUOTED | ends::SPACE;
        i += 1;
    }
    table[b'>' as usize] = ends::NAME | ends::UNQUOTED;
    table[b'/' as usize] = ends::NAME;
    table[b'=' as usize] = ends::NAME;
    table
};

/// Returns the offset of the first byte at or after `offset` that ends a part in `end`; the length
/// if no byte does.
#[inline]
fn find_end(input: &[u8], mut offset: usize, end: u8) -> usize {
    while offset < input.len() && ENDS[input[offset] as usize] & end == 0 {
        offset += 1;
    }
    offset
}

#[inline(always)]
fn ends_name(input: &[u8], offset: usize) -> bool {
    input.get(offset).is_some_and(|b| ENDS[*b as usize] & ends::NAME != 0)
}

/// Returns the offset of the first byte at or after `offset` that is not white space, and that
/// byte; `None` at the end of the input.
#[inline(always)]
fn skip_spaces(input: &[u8], mut offset: usize) -> Option<(usize, u8)> {
    loop {
        let b = *input.get(offset)?;
        if ENDS[b as usize] & ends::SPACE == 0 {
            return Some((offset, b));
        }
        offset += 1;
    }
}

/// Returns the end of the attribute name that begins at `start`, and the first eight bytes as in
/// [`StepKind::Attribute`]. A `=` at the start is part of the name.
fn name(source: ByteSource<'_>, start: usize) -> (usize, u64) {
    if let Some(bytes) = source.bytes16(start) {
        let bits = name_ends(bytes) & !1;
        let end = start + bits.trailing_zeros() as usize;
        if bits != 0 && ends_name(source.bytes(), end) {
            return (end, bytes.first_eight());
        }
    }
    long_name(source.bytes(), start)
}

/// Reads a name as [`name`] does, but of any length.
#[cold]
fn long_name(input: &[u8], start: usize) -> (usize, u64) {
    let end = find_end(input, start + 1, ends::NAME);
    (end, key(&input[start..end]))
}

/// Returns the value between quotes that begins at `start`, and the offset after its closing quote;
/// `None` if this quote is missing.
fn quoted_value(source: ByteSource<'_>, start: usize, quote: u8) -> Option<(Span, usize)> {
    let end = source.find(start, quote)?;
    Some((Span::new(start, end), end + 1))
}

/// Returns the value that may follow the name which ends at `offset`, and the offset after it and
/// its quotes; `None` if the input ends in it.
fn read_value(source: ByteSource<'_>, offset: usize) -> Option<(Span, usize)> {
    let input = source.bytes();
    let (offset, b) = skip_spaces(input, offset)?;
    if b != b'=' {
        return Some((Span::new(offset, offset), offset));
    }
    let (start, b) = skip_spaces(input, offset + 1)?;
    if b == b'"' || b == b'\'' {
        return quoted_value(source, start + 1, b);
    }
    let end = find_end(input, start, ends::UNQUOTED);
    Some((Span::new(start, end), end))
}
