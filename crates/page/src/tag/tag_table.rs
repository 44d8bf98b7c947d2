//! Arbitrary sets of tags.

use super::table::Tag;
use super::tag_set::TagSet;

/// Any set of tags, as a table that is made at compile time. [`TagSet`] has the sets that the rules
/// of HTML use.
///
/// ```
/// use huller_page::{Tag, TagTable};
///
/// const CUTS: TagTable = TagTable::BLOCK.with(&[Tag::IMG]).without(&[Tag::OPTION]);
/// assert!(CUTS.contains(Tag::P) && CUTS.contains(Tag::IMG) && !CUTS.contains(Tag::OPTION));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagTable([bool; 256]);

impl TagTable {
    /// The empty set.
    pub const NONE: TagTable = TagTable([false; 256]);

    /// The block elements (specification 0.5): the tags of [`TagSet::BLOCK`].
    pub const BLOCK: TagTable = TagTable::from_sets(TagSet::BLOCK);

    /// Returns the tags that belong to one of the sets.
    pub const fn from_sets(sets: TagSet) -> TagTable {
        let mut tags = TagTable::NONE;
        let mut number = 0;
        while number < Tag::count() {
            tags.0[number] = Tag(number as u8).is(sets);
            number += 1;
        }
        tags
    }

    /// Returns the union with `tags`.
    #[must_use]
    pub const fn with(self, tags: &[Tag]) -> TagTable {
        self.set(tags, true)
    }

    /// Returns the set without `tags`.
    #[must_use]
    pub const fn without(self, tags: &[Tag]) -> TagTable {
        self.set(tags, false)
    }

    const fn set(mut self, tags: &[Tag], is_member: bool) -> TagTable {
        let mut i = 0;
        while i < tags.len() {
            self.0[tags[i].index()] = is_member;
            i += 1;
        }
        self
    }

    /// Returns whether the tag is in the set.
    #[inline]
    pub const fn contains(&self, tag: Tag) -> bool {
        self.0[tag.index()]
    }

    /// Returns whether each tag is in the set, by [`Tag::index`]. Other tables are made from this
    /// one at compile time.
    pub const fn table(&self) -> &[bool; 256] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The block elements as specification 0.5 lists them, and `listing`, `plaintext`, `search` and
    /// `xmp` of the HTML standard.
    const BLOCKS: &str = "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption \
        figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol option p \
        plaintext pre search section summary table tbody td tfoot th thead tr ul xmp";

    #[test]
    fn block_elements_are_those_of_the_specification() {
        let names = (0..Tag::count()).map(|number| Tag(number as u8));
        let blocks = names.filter(|tag| TagTable::BLOCK.contains(*tag)).map(Tag::name);
        assert!(blocks.eq(BLOCKS.split_whitespace()));
    }

    #[test]
    fn tags_are_added_and_taken_away() {
        let set = TagTable::NONE.with(&[Tag::P, Tag::UNKNOWN]).without(&[Tag::P]);
        assert!(!set.contains(Tag::P) && set.contains(Tag::UNKNOWN));
        assert_eq!(set.table().iter().filter(|is_member| **is_member).count(), 1);
        assert!(set.table()[Tag::UNKNOWN.index()]);
    }
}
