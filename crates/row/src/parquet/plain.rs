//! The encoding PLAIN, as far as it has to be taken apart.

use crate::columns::Kind;

/// Bytes of a value of this kind, as [`Values`] hold it; `None` for texts.
pub(super) fn width(kind: Kind) -> Option<usize> {
    match kind {
        Kind::Text => None,
        Kind::Int => Some(4),
        Kind::Long | Kind::Float => Some(8),
        Kind::Flag => Some(1),
    }
}

/// The texts of plain values.
pub(super) fn texts(mut plain: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, rest) = plain.split_first_chunk()?;
        let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        plain = rest;
        Some(text)
    })
}
