//! Class words: sixteen groups of English words in the class, id and role of elements. For each
//! group, records how close above a block the nearest element of the group is.
//!
//! The lists of words are in [`words`].

mod words;

use super::bytes8::eights;
use super::regions::Regions;
use huller_page::{AttributeName, Node, Page};
use huller_select::{AttrCache, hides};
pub(super) use words::OF_WHOLE_PAGES;
use words::{groups, groups_of_id};

/// Number of groups.
pub(super) const GROUPS: usize = 16;

/// Names of the features for the distance of each group, in the order of the groups' bits.
pub(super) const NEAR: [&str; GROUPS] = [
    "near_content",
    "near_nav",
    "near_side",
    "near_foot",
    "near_head",
    "near_ad",
    "near_share",
    "near_related",
    "near_comment",
    "near_meta",
    "near_caption",
    "near_title",
    "near_popup",
    "near_product",
    "near_forum",
    "near_hidden",
];

/// The numbers of the groups that the code asks for individually.
pub(super) const NAVIGATION: usize = 1;
pub(super) const SIDES: usize = 2;
pub(super) const FEET: usize = 3;
pub(super) const ADVERTISEMENTS: usize = 5;
pub(super) const SHARES: usize = 6;
pub(super) const RELATED: usize = 7;
pub(super) const COMMENTS: usize = 8;
pub(super) const POPUPS: usize = 12;
pub(super) const PRODUCTS: usize = 13;
pub(super) const FORUMS: usize = 14;

/// The distance of a group that is 15 or more block elements away, or absent.
pub(super) const FAR: u8 = 15;

/// For each group, the number of block elements from this one up to the nearest element of the
/// group. The value 0 is the element itself, and 15 is far away or absent. Four bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClassWords(u64);

impl ClassWords {
    pub(super) const NONE: ClassWords = ClassWords(u64::MAX);

    /// Returns the distances for an element directly inside this one. `groups` are those of the
    /// inner element itself.
    pub(super) fn for_child(self, groups: u16) -> ClassWords {
        const LOW: u64 = 0x1111_1111_1111_1111;
        // Adds 1 to every group of four bits that is below 15.
        let full = self.0 & (self.0 >> 1) & (self.0 >> 2) & (self.0 >> 3) & LOW;
        let mut near = self.0 + (LOW & !full);
        let mut rest = groups;
        while rest != 0 {
            near &= !(0xF << (4 * rest.trailing_zeros()));
            rest &= rest - 1;
        }
        ClassWords(near)
    }

    /// Returns the distance of a group, 0 to [`FAR`].
    pub(super) fn distance(self, group: usize) -> u8 {
        (self.0 >> (4 * group)) as u8 & 0xF
    }
}

/// Returns the groups of an element that holds `blocks` blocks. An element of several blocks whose
/// class names text is not a caption, even if its class also names pictures (`text-image`).
pub(super) fn of_several(groups: u16, blocks: u32) -> u16 {
    const CONTENT: u16 = 1;
    const CAPTION: u16 = 1 << 10;
    let is_text = blocks > 1 && groups & CONTENT != 0;
    if is_text { groups & !CAPTION } else { groups }
}

/// The meanings of one element's attributes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementMeanings {
    /// One bit per group of class words.
    pub(super) groups: u16,
    pub(super) regions: Regions,
    /// Digest of tag and class.
    pub(super) look: u32,
}

/// Reads classes, ids and roles. Caches the results for the attribute values of the current page.
#[derive(Debug, Default)]
pub(super) struct AttributeReader {
    /// Groups and digest of each class.
    classes: AttrCache<(u16, u32)>,
    ids: AttrCache<u16>,
}

impl AttributeReader {
    /// Discards the cached values. Call this before another page.
    pub(super) fn clear(&mut self) {
        self.classes.clear();
        self.ids.clear();
    }

    /// Reads the attributes of an element.
    pub(super) fn read(&mut self, page: &Page<'_>, node: &Node) -> ElementMeanings {
        let look = (node.tag.index() as u32 + 1).wrapping_mul(0x9E37_79B1);
        let mut meanings = ElementMeanings { groups: 0, regions: Regions::default(), look };
        for attribute in page.attributes(node) {
            let span = attribute.value;
            let value = || &page.html()[span.start as usize..span.end as usize];
            match attribute.name {
                AttributeName::Class => {
                    let compute = |value: &str| (groups(value), class_digest(value));
                    let (groups, digest) = self.classes.get_or_compute(page, span, compute);
                    meanings.groups |= groups;
                    meanings.look ^= digest;
                }
                AttributeName::Id | AttributeName::Itemprop => {
                    meanings.groups |= self.ids.get_or_compute(page, span, groups_of_id);
                }
                AttributeName::Role => meanings.regions.0 |= role_region(value()).0,
                AttributeName::Hidden => meanings.regions.0 |= Regions::HIDDEN.0,
                AttributeName::Style if hides(value()) => meanings.regions.0 |= Regions::HIDDEN.0,
                _ => {}
            }
        }
        meanings
    }
}

/// Computes the digest of a class without its digits, because digits only number elements that look
/// alike. The digest of an empty class is 0.
fn class_digest(value: &str) -> u32 {
    let mut digest = Digest::default();
    for (eight, len) in eights(value.as_bytes()) {
        digest.add(eight, len);
    }
    digest.finish()
}

/// Sets bit 4 of each of the eight bytes that is a digit.
fn mark_digits(eight: u64) -> u64 {
    // Digits become 0 to 9. In any other byte, the upper four bits are not 0, or adding 6 to the
    // lower four sets one of them.
    let from_zero = eight ^ (0x30 * ONES);
    let other_digits =
        (from_zero | ((from_zero & (0x0F * ONES)) + 0x06 * ONES)) >> 4 & (0x0F * ONES);
    !(other_digits + 0x0F * ONES) & (0x10 * ONES)
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// Digest of a sequence of bytes without digits. It does not depend on the division of the sequence
/// into calls.
#[derive(Default)]
struct Digest {
    mixed: u64,
    /// Bytes that are not mixed in yet, the first in the lowest bits.
    eight: u64,
    /// Number of bits in use in `eight`: less than 64.
    bits: u32,
}

impl Digest {
    /// Adds `len` bytes of `eight`, at most eight; the remaining bytes are zeros.
    #[inline]
    fn add(&mut self, mut eight: u64, mut len: u32) {
        let mut digits = mark_digits(eight);
        while digits != 0 {
            // Mask of all bytes before the first digit.
            let before = ((digits & digits.wrapping_neg()) >> 4) - 1;
            eight = (eight & before) | (eight >> 8 & !before);
            digits = (digits & (digits - 1)) >> 8;
            len -= 1;
        }
        let joined = self.eight | eight << self.bits;
        let bits = self.bits + 8 * len;
        if bits < 64 {
            (self.eight, self.bits) = (joined, bits);
        } else {
            self.mix(joined);
            // Two shifts, because a 64-bit integer cannot be shifted by 64.
            (self.eight, self.bits) = (eight >> 1 >> (63 - self.bits), bits - 64);
        }
    }

    fn mix(&mut self, eight: u64) {
        self.mixed = (self.mixed.rotate_left(23) ^ eight).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(mut self) -> u32 {
        self.mix(self.eight);
        (self.mixed >> 32) as u32
    }
}

/// Returns the region that an ARIA role names; empty for other roles.
fn role_region(value: &str) -> Regions {
    const ROLES: [(&str, Regions); 9] = [
        ("main", Regions::MAIN),
        ("article", Regions::ARTICLE),
        ("navigation", Regions::NAV),
        ("banner", Regions::HEADER),
        ("contentinfo", Regions::FOOTER),
        ("complementary", Regions::ASIDE),
        ("search", Regions::FORM),
        ("dialog", Regions::HIDDEN),
        ("alertdialog", Regions::HIDDEN),
    ];
    let value = value.trim();
    let known = ROLES.iter().find(|(role, _)| value.eq_ignore_ascii_case(role));
    known.map_or(Regions::default(), |(_, regions)| *regions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn looks_that_differ_by_digits_are_equal() {
        assert_eq!(class_digest("post-12 odd"), class_digest("post-7 odd"));
        assert_ne!(class_digest("post"), class_digest("past"));
    }

    proptest! {
        #[test]
        fn digits_do_not_change_the_digest(value in "[a-c/:0-9é-]{0,60}") {
            let without: String = value.chars().filter(|c| !c.is_ascii_digit()).collect();
            prop_assert_eq!(class_digest(&value), class_digest(&without));
            prop_assert_ne!(class_digest(&value), class_digest(&(without + "x")));
        }

        #[test]
        fn digits_are_found_in_any_byte(bytes in any::<[u8; 8]>()) {
            let expected = bytes.map(|byte| u8::from(byte.is_ascii_digit()) << 4);
            prop_assert_eq!(mark_digits(u64::from_le_bytes(bytes)), u64::from_le_bytes(expected));
        }

        #[test]
        fn distances_count_up_to_far(steps in prop::collection::vec(any::<u16>(), 0..40)) {
            let mut nearness = ClassWords::NONE;
            let mut naive = [FAR; GROUPS];
            for groups in steps {
                // Puts only a few elements into each group.
                let groups = groups & groups.rotate_left(5) & groups.rotate_left(9);
                nearness = nearness.for_child(groups);
                for (group, near) in naive.iter_mut().enumerate() {
                    *near = if groups >> group & 1 == 1 { 0 } else { (*near + 1).min(FAR) };
                    prop_assert_eq!(nearness.distance(group), *near);
                }
            }
        }
    }
}
