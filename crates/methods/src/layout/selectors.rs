//! Finds the simple selectors of a rule: `tag`, `.class`, `#id`, `tag.class`, `tag#id`.
//!
//! Names consist of ASCII letters, digits, `_`, `-` and all scalars beyond ASCII; escapes are not
//! decoded. Most selectors of a page are not simple. After the first byte that shows this, the rest
//! up to the comma is skipped. Cost: O(bytes).

use memchr::memchr;

/// The part of a selector besides its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SelectorKind {
    /// No other part.
    Tag,
    /// A class.
    Class,
    /// An id.
    Id,
}

/// A simple selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Selector<'a> {
    /// Empty if the selector names no tag.
    pub(super) tag: &'a str,
    pub(super) kind: SelectorKind,
    /// The class or id.
    pub(super) name: &'a str,
}

/// The role of a byte in selectors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteRole {
    Name,
    White,
    /// Part of a name or of white space; [`beyond_ascii`] decides.
    BeyondAscii,
    Other,
}

static SIGNS: [ByteRole; 256] = {
    let mut signs = [ByteRole::Other; 256];
    let mut b = 0;
    while b < 256 {
        signs[b] = match b as u8 {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'-' => ByteRole::Name,
            b' ' | 0x09..=0x0D => ByteRole::White,
            0x80.. => ByteRole::BeyondAscii,
            _ => ByteRole::Other,
        };
        b += 1;
    }
    signs
};

/// Returns the simple selectors in a comma-separated list.
pub(super) fn simple_selectors(text: &str) -> impl Iterator<Item = Selector<'_>> {
    let mut remaining = Some(text);
    std::iter::from_fn(move || {
        loop {
            let text = remaining?;
            let (selector, end) = first_selector(text);
            remaining = text[end..].strip_prefix(',');
            if selector.is_some() {
                return selector;
            }
        }
    })
}

/// Returns the first selector if it is simple, and the byte offset of the comma after it or of the
/// end of the text.
fn first_selector(text: &str) -> (Option<Selector<'_>>, usize) {
    let bytes = text.as_bytes();
    let pass = |mut offset: usize, sign: ByteRole| {
        while bytes.get(offset).is_some_and(|b| SIGNS[*b as usize] == sign) {
            offset += 1;
        }
        offset
    };
    let start = pass(0, ByteRole::White);
    let tag_end = pass(start, ByteRole::Name);
    let (kind, name_start, name_end) = match bytes.get(tag_end) {
        Some(b'.') => (SelectorKind::Class, tag_end + 1, pass(tag_end + 1, ByteRole::Name)),
        Some(b'#') => (SelectorKind::Id, tag_end + 1, pass(tag_end + 1, ByteRole::Name)),
        _ => (SelectorKind::Tag, tag_end, tag_end),
    };
    let end = pass(name_end, ByteRole::White);
    match bytes.get(end) {
        None | Some(b',') => {
            let selector =
                Selector { tag: &text[start..tag_end], kind, name: &text[name_start..name_end] };
            let is_named = name_start < name_end || kind == SelectorKind::Tag && start < tag_end;
            (is_named.then_some(selector), end)
        }
        Some(b) => {
            let beyond = SIGNS[*b as usize] == ByteRole::BeyondAscii;
            let end = memchr(b',', &bytes[end..]).map_or(bytes.len(), |comma| end + comma);
            (if beyond { beyond_ascii(text[..end].trim()) } else { None }, end)
        }
    }
}

/// Parses a whole, trimmed selector whose names may contain scalars beyond ASCII.
fn beyond_ascii(text: &str) -> Option<Selector<'_>> {
    let is_name = |name: &str| {
        let is_part = |b| matches!(SIGNS[b as usize], ByteRole::Name | ByteRole::BeyondAscii);
        !name.is_empty() && name.bytes().all(is_part)
    };
    let Some(at) = text.bytes().position(|b| matches!(b, b'.' | b'#')) else {
        return is_name(text).then_some(Selector { tag: text, kind: SelectorKind::Tag, name: "" });
    };
    let (tag, name) = (&text[..at], &text[at + 1..]);
    let kind = if text.as_bytes()[at] == b'.' { SelectorKind::Class } else { SelectorKind::Id };
    let is_simple = is_name(name) && (tag.is_empty() || is_name(tag));
    is_simple.then_some(Selector { tag, kind, name })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn simple_selectors_are_found_among_others() {
        let text =
            " div , .a>b, p.x-1\n,#_,a b,.é\u{a0}, td#中,.,#,p.,a:hover,[x],\u{3000}ul,.a.b,,h1";
        let found: Vec<_> = simple_selectors(text).map(|s| (s.tag, s.kind, s.name)).collect();
        let expected = [
            ("div", SelectorKind::Tag, ""),
            ("p", SelectorKind::Class, "x-1"),
            ("", SelectorKind::Id, "_"),
            ("", SelectorKind::Class, "é"),
            ("td", SelectorKind::Id, "中"),
            ("ul", SelectorKind::Tag, ""),
            ("h1", SelectorKind::Tag, ""),
        ];
        assert_eq!(found, expected);
    }

    proptest! {
        #[test]
        fn the_fast_path_equals_parsing_each_selector_alone(text in "([a-c1_.#, >:é\u{a0}\u{b}\u{1c}-]|\n){0,30}") {
            let one_by_one: Vec<_> = text.split(',').filter_map(|one| beyond_ascii(one.trim())).collect();
            prop_assert_eq!(simple_selectors(&text).collect::<Vec<_>>(), one_by_one);
        }
    }
}
