//! The stack of open elements, with every search in O(1).
//!
//! Each entry knows the entry below it with the same tag, and the nearest elements at or below it
//! that bound each kind of search (`bounds`). So "is there an open `p` above the nearest table
//! cell?" is a few loads and comparisons, and the cost of end tags without partners is linear in
//! their number.
//!
//! An entry may be closed while elements in it stay open: `</b>` in `<b><p>` ends the `b`, but not
//! the `p`. Browsers then move elements about and copy some, so that `b` holds what it held before
//! the tag. That changes no text. Here the entry stays where it is, no search finds it any more (it
//! is "dead"), and it goes as soon as nothing is open in it.

mod bounds;

use crate::fnv;
use crate::node::NodeFlags;
use crate::tag::Tag;
pub(crate) use bounds::Bounds;

/// Depth at which nesting stops: deeper elements become children of the element there.
pub(crate) const MAX_DEPTH: usize = 512;

/// Number of slots that names outside the tag table share, by their hash.
const UNKNOWN_SLOTS: usize = 64;
/// How many open elements a search for an unknown name looks at. On real pages few names share a
/// slot; the bound is for pages that are made to have many.
const UNKNOWN_WALK: usize = 32;
const FIRST_UNKNOWN_SLOT: usize = 256 - UNKNOWN_SLOTS;
const _: () = assert!(Tag::count() <= FIRST_UNKNOWN_SLOT);

/// Elements of a drawing in which HTML may stand.
pub(crate) const INTEGRATION_POINTS: [Tag; 3] = [Tag::FOREIGNOBJECT, Tag::DESC, Tag::TITLE];

/// An open element. Its size is a power of two, which makes an address from a place by a shift.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Open {
    /// What bounds searches from here.
    bounds: Bounds,
    /// Its node.
    pub(crate) node: u32,
    /// Depth, as in [`Node::level`](crate::Node::level). A word of its own, as is `children`: the
    /// compiler loads two halves of a word together, and such a load waits for the last store to
    /// either half.
    pub(crate) level: u32,
    /// Children so far, as in [`Node::children`](crate::Node::children), but not saturating.
    /// Counted here because this entry is in the cache and the node may not be.
    pub(crate) children: u32,
    /// Hash of an unknown name; 0 for known tags.
    hash: u32,
    /// Place of the entry below with the same slot, plus one.
    below: u16,
    /// Slot of the topmost open element of that name.
    slot: u8,
    /// Its tag.
    pub(crate) tag: Tag,
    /// Which of the facts that elements inherit hold for what stands in it.
    pub(crate) flags: NodeFlags,
    /// Whether it is closed, but for the elements that are still open in it.
    dead: bool,
}

const _: () = assert!(size_of::<Open>() == 32);

impl Open {
    /// Whether it is an element of a drawing or formula.
    #[inline]
    pub(crate) fn is_foreign(&self) -> bool {
        self.flags.contains(NodeFlags::FOREIGN)
    }
}

/// What an element or a text inherits from the element it stands in.
#[derive(Clone, Copy)]
pub(crate) struct Inherited {
    /// Node of that element.
    pub(crate) parent: u32,
    /// Depth of an element directly in it.
    pub(crate) level: u32,
    /// The facts that elements inherit.
    pub(crate) flags: NodeFlags,
    bounds: Bounds,
}

impl Inherited {
    /// For `html`, which stands in no element.
    pub(crate) const NOTHING: Inherited =
        Inherited { parent: 0, level: 1, flags: NodeFlags::NONE, bounds: Bounds::NONE };
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

/// What tells elements of one name from those of another without comparing strings. Two unknown
/// names may share it.
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

    /// The innermost open element. While a page is built there always is one.
    #[inline(always)]
    pub(crate) fn current(&self) -> &Open {
        &self.entries[self.entries.len() - 1]
    }

    /// The tag of the element at a place.
    #[inline]
    pub(crate) fn tag(&self, place: usize) -> Tag {
        self.entries[place].tag
    }

    /// The node of the element at a place.
    pub(crate) fn node(&self, place: usize) -> u32 {
        self.entries[place].node
    }

    /// Whether the element at a place belongs to a drawing or formula.
    pub(crate) fn is_foreign(&self, place: usize) -> bool {
        self.entries[place].is_foreign()
    }

    /// What the next child of the innermost open element inherits. Adds it to the element's
    /// children if it is `counted`.
    #[inline]
    pub(crate) fn child(&mut self, counted: bool) -> Inherited {
        let last = self.entries.len() - 1;
        let Open { node: parent, level, flags, bounds, ref mut children, .. } = self.entries[last];
        *children += u32::from(counted);
        Inherited { parent, level: level + 1, flags, bounds }
    }

    /// Takes back that a child was counted for the innermost open element.
    pub(crate) fn uncount_child(&mut self, counted: bool) {
        if let Some(open) = self.entries.last_mut() {
            open.children -= u32::from(counted);
        }
    }

    /// What it inherits if it belongs before the table at `table`: what the table inherits, but for
    /// the bounds of searches.
    pub(crate) fn fostered_child(&mut self, table: usize, counted: bool) -> Inherited {
        let bounds = self.bounds();
        let Open { node: parent, level, flags, ref mut children, .. } = self.entries[table - 1];
        *children += u32::from(counted);
        Inherited { parent, level: level + 1, flags, bounds }
    }

    /// Opens an element, in which `flags` hold.
    #[inline]
    pub(crate) fn push(
        &mut self,
        node: u32,
        tag: Tag,
        kind: Kind,
        inherited: Inherited,
        flags: NodeFlags,
    ) {
        let place = self.entries.len() as u16;
        let bounds = if !flags.contains(NodeFlags::FOREIGN) {
            inherited.bounds.with(place, tag)
        } else if tag.is_any_of(&INTEGRATION_POINTS) {
            inherited.bounds.with_integration_point(place)
        } else {
            inherited.bounds
        };
        let Kind { slot, hash } = kind;
        let below = std::mem::replace(&mut self.topmost[usize::from(slot)], place + 1);
        self.entries.push(Open {
            bounds,
            node,
            level: inherited.level,
            children: 0,
            hash,
            below,
            slot,
            tag,
            flags,
            dead: false,
        });
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Open> {
        let open = self.entries.pop()?;
        if !open.dead {
            self.topmost[usize::from(open.slot)] = open.below;
        }
        Some(open)
    }

    /// Whether the innermost element is closed, so that it must go now that nothing is open in it.
    #[inline(always)]
    pub(crate) fn current_is_dead(&self) -> bool {
        self.entries.last().is_some_and(|open| open.dead)
    }

    /// Closes the element at `place`, while elements in it stay open. It must be the topmost of its
    /// tag. The others lose its bounds, and they are no longer in a link if it was the link. Only
    /// `a` and `form` have something to lose, an element is reached by one call for each of the two
    /// at most, and so all calls together are linear in the number of elements.
    pub(crate) fn kill(&mut self, place: usize) {
        let Open { slot, below, tag, .. } = self.entries[place];
        self.topmost[usize::from(slot)] = below;
        self.entries[place].dead = true;
        let (around, flags) = (self.entries[place - 1].bounds, self.entries[place - 1].flags);
        let is_link = tag == Tag::A && !flags.contains(NodeFlags::IN_LINK);
        if is_link || tag == Tag::FORM {
            for open in &mut self.entries[place + 1..] {
                open.bounds = open.bounds.without(place as u16, around);
                if is_link {
                    open.flags.remove(NodeFlags::IN_LINK);
                }
            }
        }
    }

    /// What bounds searches from the innermost open element.
    #[inline(always)]
    pub(crate) fn bounds(&self) -> Bounds {
        self.current().bounds
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

    /// Place of the topmost element of an unknown name above `bound`; 0 if there is none. `same`
    /// compares the names themselves. Looks at no more than [`UNKNOWN_WALK`] elements.
    pub(crate) fn topmost_unknown(
        &self,
        kind: Kind,
        bound: usize,
        same: impl Fn(Open) -> bool,
    ) -> usize {
        let mut next = usize::from(self.topmost[usize::from(kind.slot)]);
        for _ in 0..UNKNOWN_WALK {
            if next <= bound + 1 {
                break;
            }
            let open = self.entries[next - 1];
            if open.hash == kind.hash && same(open) {
                return next - 1;
            }
            next = usize::from(open.below);
        }
        0
    }
}
