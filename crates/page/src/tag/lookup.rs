//! Looks up the tag of a name's bytes.
//!
//! The first eight bytes of a name, as a number, are its key. The compiler fills a table with the
//! only tag that can have each key. One comparison of eight bytes then decides whether the tag has
//! the key. Names of more than eight bytes are then compared as strings too.

use super::table::{NAMES, Tag};

/// Number of slots of the table from keys to tags. With this many there is a multiplier under which
/// no two names share a slot.
const SLOTS: usize = 2048;

/// Returns the first eight bytes of a name in lower case, as a number. Short names are padded with
/// zeros.
#[inline]
pub(crate) fn key(name: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let len = name.len().min(8);
    bytes[..len].copy_from_slice(&name[..len]);
    key_of(u64::from_le_bytes(bytes), len)
}

/// Returns the key of a name of `len` bytes. `first_eight` is the eight bytes from the start of the
/// name on; for a shorter name they include the bytes after it.
#[inline(always)]
pub(crate) fn key_of(first_eight: u64, len: usize) -> u64 {
    (first_eight | LOWER) & mask_of_first(len)
}

/// The lower-case bit of eight bytes. The two cases of a letter differ in this bit alone. A byte
/// that is not a letter does not become one when the bit is set.
const LOWER: u64 = 0x2020_2020_2020_2020;

/// Returns all bits of the first `len` bytes; of all eight if `len` is larger.
#[inline(always)]
fn mask_of_first(len: usize) -> u64 {
    if len < 8 { !(u64::MAX << (8 * len)) } else { u64::MAX }
}

/// Returns the [`key`] of a name in lower case, at compile time.
pub(crate) const fn const_key(name: &[u8]) -> u64 {
    let mut key = 0;
    let mut i = 0;
    while i < name.len() && i < 8 {
        key |= (name[i] as u64) << (8 * i);
        i += 1;
    }
    key
}

#[inline]
const fn slot_of(key: u64) -> usize {
    (key.wrapping_mul(0x230D_977E_E225_7159) >> 53) as usize
}

/// The only tag that can have each key, by the key's slot.
static TABLE: [u8; SLOTS] = {
    let mut table = [0; SLOTS];
    let mut number = 1;
    while number < NAMES.len() {
        let slot = slot_of(const_key(NAMES[number].as_bytes()));
        assert!(table[slot] == 0, "two names share a slot: change the multiplier");
        table[slot] = number as u8;
        number += 1;
    }
    table
};

/// A pattern to compare eight bytes with a name, in any case of its letters.
#[derive(Clone, Copy)]
struct Pattern {
    /// [`key`] of the name.
    key: u64,
    /// The lower-case bits of its letters. A digit has no such bit, so that `h` and the control
    /// character 0x11 are not `h1`.
    case: u64,
}

impl Pattern {
    const fn from_name(name: &[u8]) -> Pattern {
        let mut case = 0;
        let mut i = 0;
        while i < name.len() && i < 8 {
            if name[i].is_ascii_alphabetic() {
                case |= 0x20 << (8 * i);
            }
            i += 1;
        }
        Pattern { key: const_key(name), case }
    }
}

/// The pattern of every name.
static PATTERNS: [Pattern; 256] = {
    let mut patterns = [Pattern { key: 0, case: 0 }; 256];
    let mut number = 1;
    while number < NAMES.len() {
        patterns[number] = Pattern::from_name(NAMES[number].as_bytes());
        number += 1;
    }
    patterns
};

/// A pattern to compare eight bytes with an end tag that is written without white space, from after
/// its `</` to its `>`.
#[derive(Clone, Copy)]
struct EndTag {
    /// The name in lower case and `>`. If both take more than eight bytes: 1, which masked bytes
    /// never equal.
    key: u64,
    /// As in [`Pattern`].
    case: u64,
    /// The bits of the bytes that are compared.
    mask: u64,
    /// Number of bytes that are compared.
    len: usize,
}

static END_TAGS: [EndTag; 256] = {
    let mut tags = [EndTag { key: 1, case: 0, mask: 0, len: 0 }; 256];
    let mut number = 1;
    while number < NAMES.len() {
        let name = NAMES[number].as_bytes();
        let len = name.len();
        // The end tags of `html` and `body` end no element, and that of `form` has a rule of its
        // own.
        if len < 8 && !Tag::from_index(number).is_any_of(&[Tag::HTML, Tag::BODY, Tag::FORM]) {
            let Pattern { key, case } = Pattern::from_name(name);
            let key = key | (b'>' as u64) << (8 * len);
            tags[number] = EndTag { key, case, mask: u64::MAX >> (56 - 8 * len), len: len + 1 };
        }
        number += 1;
    }
    tags
};

impl Tag {
    /// Returns the tag of a name, which may be in any case.
    pub fn from_name(name: &[u8]) -> Tag {
        let number = TABLE[slot_of(key(name))];
        let is_same = NAMES[number as usize].as_bytes().eq_ignore_ascii_case(name);
        if is_same { Tag(number) } else { Tag::UNKNOWN }
    }

    /// Returns the tag of a name of at most eight bytes. `first_eight` is as in [`key_of`].
    #[inline(always)]
    pub(crate) fn from_eight(first_eight: u64, len: usize) -> Tag {
        debug_assert!(len <= 8, "longer names are more than their first eight bytes");
        let mask = mask_of_first(len);
        let number = TABLE[slot_of((first_eight | LOWER) & mask)];
        let Pattern { key, case } = PATTERNS[number as usize];
        // This has no branch, because the processor could not predict it.
        Tag(if (first_eight | case) & mask == key { number } else { Tag::UNKNOWN.0 })
    }

    /// Returns the number of bytes of this tag's name and a `>`, if the eight bytes after a `</`
    /// begin with both.
    ///
    /// Always `None` for names of more than seven bytes. It is also `None` for `html` and `body`,
    /// whose end tags mean nothing, and for `form`, whose end tag has a rule of its own.
    #[inline(always)]
    pub(crate) fn ends_with(self, after_slash: u64) -> Option<usize> {
        let EndTag { key, case, mask, len } = END_TAGS[self.0 as usize];
        ((after_slash | case) & mask == key).then_some(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_in_any_case() {
        for (number, name) in NAMES.iter().enumerate().skip(1) {
            assert_eq!(Tag::from_name(name.as_bytes()).index(), number, "{name}");
            assert_eq!(Tag::from_name(name.to_uppercase().as_bytes()).index(), number, "{name}");
        }
    }

    #[test]
    fn names_that_only_look_alike_are_unknown() {
        for name in
            ["", "h7", "h\x11", "divx", "blockquot", "blockquotes", "my-tag", "foreignobjects"]
        {
            assert_eq!(Tag::from_name(name.as_bytes()), Tag::UNKNOWN, "{name:?}");
            if name.len() <= 8 {
                assert_eq!(Tag::from_eight(eight(name), name.len()), Tag::UNKNOWN, "{name:?}");
            }
        }
    }

    /// Returns the first eight bytes of a name and the text after it.
    fn eight(name: &str) -> u64 {
        let bytes = format!("{name}>\n<p>more");
        u64::from_le_bytes(*bytes.as_bytes().first_chunk().unwrap())
    }

    #[test]
    fn eight_bytes_give_the_tag_that_the_name_gives() {
        for lower in NAMES.iter().skip(1).filter(|name| name.len() <= 8) {
            for name in [(*lower).to_owned(), lower.to_uppercase()] {
                let tag = Tag::from_name(name.as_bytes());
                assert_eq!(Tag::from_eight(eight(&name), name.len()), tag);
                let short = name.len() < 8 && !matches!(*lower, "html" | "body" | "form");
                let end = short.then_some(name.len() + 1);
                assert_eq!(tag.ends_with(eight(&name)), end, "{name}");
                for other in [" ", "x", "/", "\x1e", "\0"] {
                    assert_eq!(
                        tag.ends_with(eight(&format!("{name}{other}"))),
                        None,
                        "{name}{other}"
                    );
                }
                assert_eq!(tag.ends_with(eight(&name[1..])), None, "{name}");
            }
        }
        assert_eq!(Tag::H1.ends_with(eight("h\x11")), None);
        assert_eq!(Tag::UNKNOWN.ends_with(0), None);
    }
}
