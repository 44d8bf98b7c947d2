//! The elements that bound searches for an open element.

use crate::tag::{Tag, TagSet};

/// The nearest open elements, at or below an entry of the stack, that bound each kind of search.
/// Four places of 16 bits, so that an entry copies and changes the bounds of the entry below with
/// two operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchBounds(u64);

/// The bits of each place.
const SCOPE: u64 = 0xFFFF;
const SPECIAL: u64 = SCOPE << 16;
const ITEM: u64 = SCOPE << 32;
const CONTEXT: u64 = SCOPE << 48;

/// Factor that copies a place into all four.
const REPEAT_IN_ALL: u64 = 0x0001_0001_0001_0001;

/// The kinds of search that an element of each tag bounds, as a mask of their places.
static MASKS: [u64; 256] = {
    let mut masks = [0; 256];
    let mut number = 0;
    while number < Tag::count() {
        masks[number] = mask(Tag::from_index(number));
        number += 1;
    }
    masks
};

const fn mask(tag: Tag) -> u64 {
    let mut mask = 0;
    if tag.is(TagSet::SCOPE) {
        mask |= SCOPE;
    }
    if tag.is(TagSet::SPECIAL) {
        mask |= SPECIAL;
        if !tag.is_any_of(&[Tag::ADDRESS, Tag::DIV, Tag::P]) {
            mask |= ITEM;
        }
    }
    if tag.is_any_of(&[Tag::HTML, Tag::TABLE, Tag::TD, Tag::TH, Tag::CAPTION, Tag::TEMPLATE]) {
        mask |= CONTEXT;
    }
    mask
}

impl SearchBounds {
    /// The bounds of `html`, which bounds all searches.
    pub(crate) const NONE: SearchBounds = SearchBounds(0);

    /// Returns the bounds of an HTML element at `index` whose parent has these bounds.
    #[inline(always)]
    pub(super) fn with_element(self, index: u16, tag: Tag) -> SearchBounds {
        self.set_masked(index, MASKS[tag.index()])
    }

    /// Returns the bounds of an SVG or MathML element at `index` that may hold HTML. Other elements
    /// of SVG and MathML do not bound searches.
    pub(super) fn with_integration_point(self, index: u16) -> SearchBounds {
        self.set_masked(index, SCOPE | SPECIAL | ITEM)
    }

    #[inline(always)]
    fn set_masked(self, index: u16, mask: u64) -> SearchBounds {
        SearchBounds(self.0 & !mask | (u64::from(index) * REPEAT_IN_ALL) & mask)
    }

    /// Returns these bounds, with each bound equal to `index` replaced by that of `other`. This is
    /// the state after the element at `index` is removed.
    pub(super) fn without_element(self, index: u16, other: SearchBounds) -> SearchBounds {
        let differing = self.0 ^ (u64::from(index) * REPEAT_IN_ALL);
        let parts = [SCOPE, SPECIAL, ITEM, CONTEXT];
        let mask = parts.iter().filter(|part| differing & **part == 0).sum::<u64>();
        SearchBounds(self.0 & !mask | other.0 & mask)
    }

    /// Returns the index of the nearest element that bounds the default scope of the HTML standard.
    #[inline(always)]
    pub(crate) fn scope(self) -> usize {
        (self.0 & SCOPE) as usize
    }

    /// Returns the index of the nearest special element.
    #[inline(always)]
    pub(crate) fn special(self) -> usize {
        (self.0 >> 16 & SCOPE) as usize
    }

    /// Returns the index of the nearest special element other than `address`, `div` and `p`. A list
    /// item may end across these three.
    #[inline(always)]
    pub(crate) fn list_item(self) -> usize {
        (self.0 >> 32 & SCOPE) as usize
    }

    /// Returns the index of the nearest `table`, cell, `caption` or `template`, which decides the
    /// meaning of table tags; 0 if there is no such element.
    #[inline(always)]
    pub(crate) fn table_context(self) -> usize {
        (self.0 >> 48) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_search_has_its_own_bounds() {
        let all = |bounds: SearchBounds| {
            [bounds.scope(), bounds.special(), bounds.list_item(), bounds.table_context()]
        };
        let table = SearchBounds::NONE.with_element(511, Tag::TABLE);
        assert_eq!(all(table), [511; 4]);
        assert_eq!(all(table.with_element(3, Tag::SPAN)), [511; 4]);
        assert_eq!(all(table.with_element(3, Tag::DIV)), [511, 3, 511, 511]);
        assert_eq!(all(table.with_element(3, Tag::LI)), [511, 3, 3, 511]);
        assert_eq!(all(table.with_element(3, Tag::OBJECT)), [3, 3, 3, 511]);
        assert_eq!(all(table.with_integration_point(3)), [3, 3, 3, 511]);
        let form = table.with_element(3, Tag::FORM);
        assert_eq!(form.without_element(3, table), table);
        assert_eq!(
            all(form.with_element(4, Tag::DIV).without_element(3, table)),
            [511, 4, 511, 511]
        );
    }
}
