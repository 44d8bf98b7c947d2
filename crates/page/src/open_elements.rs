//! The stack of open elements, with every search in O(1).
//!
//! Each entry knows the entry below it with the same tag, and the nearest element at or below it that bounds searches.
//! So "is there an open `p` above the nearest table cell?" is two loads and a comparison, and the cost of end tags without
//! partners is linear in their number.

use crate::fnv;
use crate::tag::{Tag, TagSet};

/// Depth at which nesting stops: deeper elements become children of the element there.
pub(crate) const MAX_DEPTH: usize = 512;

/// Number of slots that names outside the tag table share, by their hash.
const UNKNOWN_SLOTS: usize = 64;
/// How many open elements a search for an unknown name looks at. On real pages few names share a slot; the bound is for pages that
/// are made to have many.
const UNKNOWN_WALK: usize = 32;
const FIRST_UNKNOWN_SLOT: usize = 256 - UNKNOWN_SLOTS;
const _: () = assert!(Tag::count() <= FIRST_UNKNOWN_SLOT);

/// An open element. Its size is a power of two, which makes an address from a place by a shift.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(crate) struct Open {
    /// Its node.
    pub(crate) node: u32,
    /// Its tag.
    pub(crate) tag: Tag,
    /// Depth, as in [`Node::level`](crate::Node::level). A word of its own, as is `children`: the compiler loads two halves of a
    /// word together, and such a load waits for the last store to either half.
    pub(crate) level: u32,
    /// Children so far, as in [`Node::children`](crate::Node::children), but not saturating. Counted here because this entry is in
    /// the cache and the node may not be.
    pub(crate) children: u32,
    /// Whether it is a link or lies in one.
    pub(crate) in_link: bool,
    kind: Kind,
    /// Place of the entry below with the same slot, plus one.
    below: u16,
    /// Place of the nearest entry at or below that bounds searches.
    scope: u16,
}

const _: () = assert!(size_of::<Open>() == 32);

/// What an element or a text inherits from the element it stands in.
#[derive(Clone, Copy)]
pub(crate) struct Inherited {
    /// Node of that element.
    pub(crate) parent: u32,
    /// Depth of an element directly in it.
    pub(crate) level: u32,
    /// Whether that element is a link or lies in one.
    pub(crate) in_link: bool,
    /// Place of the nearest element that bounds searches.
    scope: u16,
}

impl Inherited {
    /// For `html`, which stands in no element.
    pub(crate) const NOTHING: Inherited =
        Inherited { parent: 0, level: 1, in_link: false, scope: 0 };
}

/// The stack. Place 0 is `html`, which is never searched for and never closed before the end.
#[derive(Debug)]
pub(crate) struct OpenElements {
    entries: Vec<Open>,
    /// Place of the topmost entry of each slot, plus one; 0 if there is none.
    topmost: [u16; 256],
}

impl Default for OpenElements {
    fn default() -> Self {
        OpenElements { entries: Vec::with_capacity(MAX_DEPTH), topmost: [0; 256] }
    }
}

/// What tells elements of one name from those of another without comparing strings. Two unknown names may share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// Slot of the topmost open element of that name.
    slot: u8,
    /// Hash of an unknown name; 0 for known tags.
    hash: u32,
}

impl Kind {
    /// For elements with a known tag.
    #[inline]
    pub(crate) fn of(tag: Tag) -> Kind {
        Kind { slot: tag.index() as u8, hash: 0 }
    }

    /// For elements of an unknown name.
    pub(crate) fn unknown(name: &[u8]) -> Kind {
        let hash = name.iter().fold(fnv::EMPTY_32, |hash, b| fnv::add_32(hash, b | 0x20));
        Kind { slot: (FIRST_UNKNOWN_SLOT + (hash >> 16) as usize % UNKNOWN_SLOTS) as u8, hash }
    }
}

impl OpenElements {
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.topmost = [0; 256];
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The tag of the innermost open element. While a page is built there always is one.
    #[inline]
    pub(crate) fn current_tag(&self) -> Tag {
        self.entries[self.entries.len() - 1].tag
    }

    /// What the next child of the innermost open element inherits. Adds it to the element's children if it is `counted`.
    #[inline]
    pub(crate) fn child(&mut self, counted: bool) -> Inherited {
        let last = self.entries.len() - 1;
        let Open { node: parent, level, in_link, scope, ref mut children, .. } = self.entries[last];
        *children += u32::from(counted);
        Inherited { parent, level: level + 1, in_link, scope }
    }

    #[inline]
    pub(crate) fn push(&mut self, node: u32, tag: Tag, kind: Kind, inherited: Inherited) {
        let Inherited { level, in_link, scope, .. } = inherited;
        let place = self.entries.len() as u16;
        let scope = if tag.is(TagSet::SCOPE) { place } else { scope };
        let in_link = in_link || tag == Tag::A;
        let below = self.topmost[usize::from(kind.slot)];
        self.topmost[usize::from(kind.slot)] = place + 1;
        self.entries.push(Open { node, tag, level, children: 0, in_link, kind, below, scope });
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Open> {
        let open = self.entries.pop()?;
        self.topmost[usize::from(open.kind.slot)] = open.below;
        Some(open)
    }

    /// Place of the nearest element that bounds searches.
    #[inline]
    pub(crate) fn scope(&self) -> usize {
        self.entries.last().map_or(0, |open| usize::from(open.scope))
    }

    /// Place of the topmost element of that tag; 0 if there is none (or only `html`).
    #[inline]
    pub(crate) fn topmost(&self, tag: Tag) -> usize {
        usize::from(self.topmost[tag.index()]).saturating_sub(1)
    }

    /// Whether an element of either tag is open.
    #[inline]
    pub(crate) fn has_any(&self, a: Tag, b: Tag) -> bool {
        self.topmost[a.index()] | self.topmost[b.index()] != 0
    }

    /// Place of the topmost element of any of these tags; 0 if there is none.
    #[inline]
    pub(crate) fn topmost_of(&self, tags: &[Tag]) -> usize {
        tags.iter().map(|tag| self.topmost(*tag)).max().unwrap_or(0)
    }

    /// Place of the topmost element of an unknown name above the nearest element that bounds searches; 0 if there is none. `same`
    /// compares the names themselves. Looks at no more than [`UNKNOWN_WALK`] elements.
    pub(crate) fn topmost_unknown(&self, kind: Kind, same: impl Fn(Open) -> bool) -> usize {
        let scope = self.scope();
        let mut next = usize::from(self.topmost[usize::from(kind.slot)]);
        for _ in 0..UNKNOWN_WALK {
            if next <= scope + 1 {
                break;
            }
            let open = self.entries[next - 1];
            if open.kind == kind && same(open) {
                return next - 1;
            }
            next = usize::from(open.below);
        }
        0
    }
}
