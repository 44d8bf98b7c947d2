//! Finds repeated names among the attributes of one tag, if they are too many to compare each with
//! all others.

use crate::attribute::Attribute;
use crate::fnv;
use crate::span::Span;

/// An open-addressed table of names. It is rebuilt for each tag that needs it.
#[derive(Clone, Debug, Default)]
pub(super) struct NameIndex {
    /// Place in the list of attributes, plus one, of the name in each slot; 0 if the slot is empty.
    /// At most half of the slots are taken.
    slots: Vec<u32>,
    /// Number of attributes of the list that are in the table.
    indexed: usize,
}

/// Largest number of slots that a search reads. After that the search is aborted, so that names
/// made to collide cost no more than others. Other names never take so many slots in a row, since
/// at most half of all slots are taken.
const MAX_PROBES: usize = 64;

impl NameIndex {
    /// Forgets all names.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.indexed = 0;
    }

    /// Forgets all names and frees the memory beyond `keep` slots.
    pub(super) fn shrink(&mut self, keep: usize) {
        self.indexed = 0;
        self.slots.clear();
        self.slots.shrink_to(keep);
    }

    /// Returns whether no attribute of `list` has that name. Since the last [`NameIndex::clear`],
    /// `list` may only have grown.
    #[cold]
    pub(super) fn is_new(&mut self, list: &[Attribute], input: &[u8], name: Span) -> bool {
        if self.indexed == 0 || list.len() * 2 > self.slots.len() {
            // The table is as large as this tag needs, however many slots other tags left: clearing
            // it must not cost more than reading the tag.
            let slots = (list.len() * 4).next_power_of_two();
            self.slots.clear();
            self.slots.resize(slots, 0);
            self.indexed = 0;
        }
        for (index, earlier) in list.iter().enumerate().skip(self.indexed) {
            if let Some(slot) = self.find(list, input, earlier.name) {
                self.slots[slot] = index as u32 + 1;
            }
        }
        self.indexed = list.len();
        // After an aborted search the name may be new or not. It counts as repeated.
        self.find(list, input, name).is_some_and(|slot| self.slots[slot] == 0)
    }

    /// Returns the slot that holds `name`, or the empty slot where it belongs; `None` if the search
    /// is aborted.
    fn find(&self, list: &[Attribute], input: &[u8], name: Span) -> Option<usize> {
        let hash = fnv::hash_lowercase(name.slice(input));
        let mask = self.slots.len() - 1;
        let first_slot = (hash ^ (hash >> 32)) as usize;
        (first_slot..first_slot + MAX_PROBES).map(|slot| slot & mask).find(|slot| {
            match self.slots[*slot] {
                0 => true,
                place => names_are_equal(input, list[place as usize - 1].name, name),
            }
        })
    }
}

/// Returns whether two names are the same in any letter case.
#[inline]
pub(super) fn names_are_equal(input: &[u8], a: Span, b: Span) -> bool {
    a.len() == b.len() && a.slice(input).eq_ignore_ascii_case(b.slice(input))
}
