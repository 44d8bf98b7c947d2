//! Attributes as written, and known attribute names as small integers.

use crate::span::Span;
use crate::tag::{const_key, key, key_of};

/// One attribute as written: letter case and character references are unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attribute {
    /// The name.
    pub name: Span,
    /// The value without its quotes; empty if the attribute has no value.
    pub value: Span,
}

/// An attribute with a known name.
#[derive(Clone, Copy, Debug)]
pub struct NodeAttribute {
    /// The known name.
    pub name: AttributeName,
    /// Its value as written.
    pub value: Span,
}

/// The name of an attribute whose value is kept with its node. Other attributes only count towards
/// [`markup_chars`](crate::Node::markup_chars).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "each is the attribute of that name")]
pub enum AttributeName {
    Id,
    Class,
    Style,
    Href,
    Width,
    Height,
    Bgcolor,
    Hidden,
    Lang,
    Role,
    Itemprop,
    /// Distinguishes JSON-LD from other scripts, and a password field from a button.
    Type,
    Rel,
}

impl AttributeName {
    /// Number of known names.
    pub const COUNT: usize = NAMES.len();

    /// Returns the name as an index below [`AttributeName::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns a hash of a name, which ignores letter case, and the known name if there is one.
    /// `first_eight` is the eight bytes from the start of the name on; for a shorter name they
    /// include the bytes after it.
    #[inline(always)]
    pub(crate) fn hash(first_eight: u64, len: usize) -> (u8, Option<AttributeName>) {
        let key = key_of(first_eight, len);
        let slot = slot_of(key);
        let (known, name) = TABLE[slot];
        // Many long names begin alike, but few of them have the same length.
        let hash = slot as u8 ^ (len as u8).wrapping_mul(8);
        (hash, if known == key && len <= 8 { name } else { None })
    }

    /// Returns the known name that equals `name` in any letter case.
    #[inline]
    pub(crate) fn from_name(name: &[u8]) -> Option<AttributeName> {
        if name.len() > 8 { None } else { Self::from_key(key(name)) }
    }

    /// Returns whether [`markup_chars`](crate::Node::markup_chars) leaves the attribute out
    /// (specification, method `pvalue`).
    #[inline]
    pub(crate) fn is_left_out(self) -> bool {
        matches!(self, AttributeName::Id | AttributeName::Class | AttributeName::Style)
    }

    #[inline]
    fn from_key(key: u64) -> Option<AttributeName> {
        // All known names consist of letters only, and the keys of such names are distinct.
        let (known, name) = TABLE[slot_of(key)];
        if known == key { name } else { None }
    }
}

const NAMES: [(&[u8], AttributeName); 13] = [
    (b"id", AttributeName::Id),
    (b"class", AttributeName::Class),
    (b"style", AttributeName::Style),
    (b"href", AttributeName::Href),
    (b"width", AttributeName::Width),
    (b"height", AttributeName::Height),
    (b"bgcolor", AttributeName::Bgcolor),
    (b"hidden", AttributeName::Hidden),
    (b"lang", AttributeName::Lang),
    (b"role", AttributeName::Role),
    (b"itemprop", AttributeName::Itemprop),
    (b"type", AttributeName::Type),
    (b"rel", AttributeName::Rel),
];

const fn slot_of(key: u64) -> usize {
    (key.wrapping_mul(0x91B7_584A_2265_B1F5) >> 56) as usize
}

/// Known names by the slots of their keys. The compiler checks that no two names share a slot.
static TABLE: [(u64, Option<AttributeName>); 256] = {
    let mut table = [(0, None); 256];
    let mut i = 0;
    while i < NAMES.len() {
        assert!(NAMES[i].1.index() == i, "names are listed in the order of the enum");
        let key = const_key(NAMES[i].0);
        assert!(table[slot_of(key)].0 == 0, "two names share a slot: change the multiplier");
        table[slot_of(key)] = (key, Some(NAMES[i].1));
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tag::key;

    #[test]
    fn names_are_told_apart_in_any_case() {
        let name = |name: &[u8]| AttributeName::from_key(key(name));
        assert_eq!(name(b"Class"), Some(AttributeName::Class));
        assert_eq!(name(b"ITEMPROP"), Some(AttributeName::Itemprop));
        let others: [&[u8]; 5] = [b"ids", b"i", b"clas", b"id\0", b"data-id"];
        assert!(others.iter().all(|other| name(other).is_none()));
    }
}
