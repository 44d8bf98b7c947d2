//! Attributes that someone asks for, as small integers.

/// The name of an attribute whose value is kept with its node. All others only count towards
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
    /// Tells JSON-LD from other scripts, and a password field from a button.
    Type,
}

impl AttributeName {
    /// The kept attribute of that name in any case, if it is one.
    #[inline]
    pub fn from_name(name: &[u8]) -> Option<AttributeName> {
        use AttributeName as N;
        // The length and the first letter decide; one comparison confirms.
        let (candidate, expected): (N, &[u8]) = match (name.len(), name.first()? | 0x20) {
            (2, b'i') => (N::Id, b"id"),
            (5, b'c') => (N::Class, b"class"),
            (5, b's') => (N::Style, b"style"),
            (4, b'h') => (N::Href, b"href"),
            (5, b'w') => (N::Width, b"width"),
            (6, b'h') => {
                if name[1] | 0x20 == b'i' {
                    (N::Hidden, b"hidden")
                } else {
                    (N::Height, b"height")
                }
            }
            (7, b'b') => (N::Bgcolor, b"bgcolor"),
            (4, b'l') => (N::Lang, b"lang"),
            (4, b'r') => (N::Role, b"role"),
            (8, b'i') => (N::Itemprop, b"itemprop"),
            (4, b't') => (N::Type, b"type"),
            _ => return None,
        };
        name.eq_ignore_ascii_case(expected).then_some(candidate)
    }
}
