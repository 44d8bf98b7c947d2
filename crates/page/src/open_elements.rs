//! The stack of open elements, with every search in O(1).
//!
//! Each entry stores the index of the entry below it with the same tag. It also stores the nearest
//! elements at or below it that bound each kind of search (`bounds`). So "is there an open `p`
//! above the nearest table cell?" is a few loads and comparisons. The cost of end tags without
//! partners is linear in their number.
//!
//! An entry may be closed while elements in it stay open: `</b>` in `<b><p>` ends the `b`, but not
//! the `p`. Browsers then move elements and copy some, so that `b` holds the same content as before
//! the tag. That changes no text. Here the entry stays in its place, but is "dead": no search finds
//! it. It is removed as soon as no element in it is open.

mod search_bounds;

use crate::fnv;
use crate::node::NodeFlags;
use crate::tag::Tag;
pub(crate) use search_bounds::SearchBounds;

/// Depth at which nesting stops. A deeper element becomes a child of the element at this depth.
pub(crate) const MAX_DEPTH: usize = 512;

/// Number of slots that names outside the tag table share, by their hash.
const UNKNOWN_SLOTS: usize = 64;
/// Largest number of open elements that a search for an unknown name reads. On real pages few names
/// share a slot; the bound protects against pages that are made to have many.
const UNKNOWN_WALK: usize = 32;
const FIRST_UNKNOWN_SLOT: usize = 256 - UNKNOWN_SLOTS;
const _: () = assert!(Tag::count() <= FIRST_UNKNOWN_SLOT);

/// Elements of a drawing that may hold HTML.
pub(crate) const INTEGRATION_POINTS: [Tag; 3] = [Tag::FOREIGNOBJECT, Tag::DESC, Tag::TITLE];

/// An open element. The size is a power of two, so the address of an index is a shift.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct OpenElement {
    /// The bounds of searches that begin here.
    bounds: SearchBounds,
    /// Index of the node.
    pub(crate) node: u32,
    /// Depth, as in [`Node::level`](crate::Node::level). It is a word of its own, as is `children`.
    /// The compiler loads two halves of a word together, and such a load waits for the last store
    /// to either half.
    pub(crate) level: u32,
    /// Children so far, as in [`Node::children`](crate::Node::children), but not saturating. They
    /// are counted here because this entry is in the cache and the node may not be.
    pub(crate) children: u32,
    /// Hash of an unknown name; 0 for known tags.
    hash: u32,
    /// Place of the entry below with the same slot, plus one.
    below: u16,
    /// Slot of the topmost open element of that name.
    slot: u8,
    /// The tag.
    pub(crate) tag: Tag,
    /// The flags that content of the element inherits.
    pub(crate) flags: NodeFlags,
    /// Whether the element is closed although elements in it are still open.
    dead: bool,
}

const _: () = assert!(size_of::<OpenElement>() == 32);

impl OpenElement {
    /// Returns whether this is an element of a drawing or formula.
    #[inline]
    pub(crate) fn is_foreign(&self) -> bool {
        self.flags.contains(NodeFlags::FOREIGN)
    }
}

/// The facts that an element or a text inherits from its parent.
#[derive(Clone, Copy)]
pub(crate) struct InheritedFacts {
    /// Node of the parent.
    pub(crate) parent: u32,
    /// Depth of an element directly in the parent.
    pub(crate) level: u32,
    /// The inherited flags.
    pub(crate) flags: NodeFlags,
    bounds: SearchBounds,
}

impl InheritedFacts {
    /// For `html`, which has no parent.
    pub(crate) const NOTHING: InheritedFacts =
        InheritedFacts { parent: 0, level: 1, flags: NodeFlags::NONE, bounds: SearchBounds::NONE };
}

/// The stack. Place 0 is `html`. No search looks for it, and it closes only at the end of the page.
#[derive(Debug)]
pub(crate) struct OpenElements {
    entries: Vec<OpenElement>,
    /// Place of the topmost entry of each slot, plus one; 0 if the slot has no entry.
    topmost: [u16; 256],
}

impl Default for OpenElements {
    fn default() -> Self {
        OpenElements { entries: Vec::with_capacity(MAX_DEPTH), topmost: [0; 256] }
    }
}

/// A key that distinguishes elements by name without comparing strings. Two unknown names may share
/// a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ElementKind {
    /// Slot of the topmost open element of that name.
    slot: u8,
    /// Hash of an unknown name; 0 for known tags.
    hash: u32,
}

impl ElementKind {
    /// Returns the kind of elements with a known tag.
    #[inline]
    pub(crate) fn from_tag(tag: Tag) -> ElementKind {
        ElementKind { slot: tag.index() as u8, hash: 0 }
    }

    /// Returns the kind of elements with an unknown name.
    pub(crate) fn unknown(name: &[u8]) -> ElementKind {
        let hash = name.iter().fold(fnv::EMPTY_32, |hash, b| fnv::add_32(hash, b | 0x20));
        ElementKind {
            slot: (FIRST_UNKNOWN_SLOT + (hash >> 16) as usize % UNKNOWN_SLOTS) as u8,
            hash,
        }
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

    /// Returns the innermost open element. The stack is never empty while a page is built.
    #[inline(always)]
    pub(crate) fn current(&self) -> &OpenElement {
        &self.entries[self.entries.len() - 1]
    }

    /// Returns the tag of the element at an index.
    #[inline]
    pub(crate) fn tag(&self, index: usize) -> Tag {
        self.entries[index].tag
    }

    /// Returns the node of the element at an index.
    pub(crate) fn node(&self, index: usize) -> u32 {
        self.entries[index].node
    }

    /// Returns whether the element at an index belongs to a drawing or formula.
    pub(crate) fn is_foreign(&self, index: usize) -> bool {
        self.entries[index].is_foreign()
    }

    /// Returns the facts that the next child of the innermost open element inherits. Counts the
    /// child if it is `counted`.
    #[inline]
    pub(crate) fn child(&mut self, counted: bool) -> InheritedFacts {
        let last = self.entries.len() - 1;
        let OpenElement { node: parent, level, flags, bounds, ref mut children, .. } =
            self.entries[last];
        *children += u32::from(counted);
        InheritedFacts { parent, level: level + 1, flags, bounds }
    }

    /// Undoes the count of one child of the innermost open element.
    pub(crate) fn uncount_child(&mut self, counted: bool) {
        if let Some(open) = self.entries.last_mut() {
            open.children -= u32::from(counted);
        }
    }

    /// Returns the facts that a child inherits if it belongs before the table at `table`. They are
    /// the facts that the table inherits, but with the bounds of the innermost open element.
    pub(crate) fn fostered_child(&mut self, table: usize, counted: bool) -> InheritedFacts {
        let bounds = self.bounds();
        let OpenElement { node: parent, level, flags, ref mut children, .. } =
            self.entries[table - 1];
        *children += u32::from(counted);
        InheritedFacts { parent, level: level + 1, flags, bounds }
    }

    /// Opens an element. `flags` are the flags that its content inherits.
    #[inline]
    pub(crate) fn push(
        &mut self,
        node: u32,
        tag: Tag,
        kind: ElementKind,
        inherited: InheritedFacts,
        flags: NodeFlags,
    ) {
        let index = self.entries.len() as u16;
        let bounds = if !flags.contains(NodeFlags::FOREIGN) {
            inherited.bounds.with_element(index, tag)
        } else if tag.is_any_of(&INTEGRATION_POINTS) {
            inherited.bounds.with_integration_point(index)
        } else {
            inherited.bounds
        };
        let ElementKind { slot, hash } = kind;
        let below = std::mem::replace(&mut self.topmost[usize::from(slot)], index + 1);
        self.entries.push(OpenElement {
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
    pub(crate) fn pop(&mut self) -> Option<OpenElement> {
        let open = self.entries.pop()?;
        if !open.dead {
            self.topmost[usize::from(open.slot)] = open.below;
        }
        Some(open)
    }

    /// Returns whether the innermost element is closed and so must now be removed.
    #[inline(always)]
    pub(crate) fn current_is_dead(&self) -> bool {
        self.entries.last().is_some_and(|open| open.dead)
    }

    /// Closes the element at `index`, while elements in it stay open. It must be the topmost
    /// element of its tag.
    ///
    /// Searches from the elements in it are no longer bounded by it. If it was the link around
    /// them, they are no longer in a link. Only `a` and `form` need this walk over the elements
    /// above. For each of the two, at most one walk reaches an element, so all calls together are
    /// linear in the number of elements.
    pub(crate) fn kill(&mut self, index: usize) {
        let OpenElement { slot, below, tag, .. } = self.entries[index];
        self.topmost[usize::from(slot)] = below;
        self.entries[index].dead = true;
        let (bounds_around, flags) =
            (self.entries[index - 1].bounds, self.entries[index - 1].flags);
        let is_link = tag == Tag::A && !flags.contains(NodeFlags::IN_LINK);
        if is_link || tag == Tag::FORM {
            for open in &mut self.entries[index + 1..] {
                open.bounds = open.bounds.without_element(index as u16, bounds_around);
                if is_link {
                    open.flags.remove(NodeFlags::IN_LINK);
                }
            }
        }
    }

    /// Returns the bounds of searches from the innermost open element.
    #[inline(always)]
    pub(crate) fn bounds(&self) -> SearchBounds {
        self.current().bounds
    }

    /// Returns the index of the topmost element of that tag; 0 if no such element is open (or only
    /// `html`).
    #[inline]
    pub(crate) fn topmost(&self, tag: Tag) -> usize {
        usize::from(self.topmost[tag.index()]).saturating_sub(1)
    }

    /// Returns whether an element of either tag is open.
    #[inline]
    pub(crate) fn has_any(&self, a: Tag, b: Tag) -> bool {
        self.topmost[a.index()] | self.topmost[b.index()] != 0
    }

    /// Returns the index of the topmost element of any of these tags; 0 if no such element is open.
    #[inline]
    pub(crate) fn topmost_of(&self, tags: &[Tag]) -> usize {
        tags.iter().map(|tag| self.topmost(*tag)).max().unwrap_or(0)
    }

    /// Returns the index of the topmost element of an unknown name above `bound`; 0 if there is no
    /// such element. `is_same` compares the names themselves. Reads at most [`UNKNOWN_WALK`]
    /// elements.
    pub(crate) fn topmost_unknown(
        &self,
        kind: ElementKind,
        bound: usize,
        is_same: impl Fn(OpenElement) -> bool,
    ) -> usize {
        let mut candidate = usize::from(self.topmost[usize::from(kind.slot)]);
        for _ in 0..UNKNOWN_WALK {
            if candidate <= bound + 1 {
                break;
            }
            let open = self.entries[candidate - 1];
            if open.hash == kind.hash && is_same(open) {
                return candidate - 1;
            }
            candidate = usize::from(open.below);
        }
        0
    }
}
