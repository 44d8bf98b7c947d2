//! What class, id and role of an element say of it: sixteen groups of words, and which of them is how near above a block.
//!
//! The words are in [`words`].

mod words;

use super::eights::eights;
use super::places::Places;
use crate::remembered::Remembered;
use huller_page::{AttributeName, Node, Page};
pub(super) use words::OF_WHOLE_PAGES;
use words::{groups, groups_of_id};

/// How many groups there are.
pub(super) const GROUPS: usize = 16;

/// What the features are called that say how near each group is, in the order of the groups' bits.
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

/// The groups of comments, of shops, of forums.
pub(super) const COMMENTS: usize = 8;
pub(super) const PRODUCTS: usize = 13;
pub(super) const FORUMS: usize = 14;

/// How near a group is that is far or not there.
pub(super) const FAR: u8 = 15;

/// How near above the nearest element of each group is: 0 for the element itself, 15 for far or none. Four bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hints(u64);

impl Hints {
    pub(super) const NONE: Hints = Hints(u64::MAX);

    /// The hints of an element below, which itself is in `groups`.
    pub(super) fn below(self, groups: u16) -> Hints {
        const LOW: u64 = 0x1111_1111_1111_1111;
        // One is added to every four bits that are not all set.
        let full = self.0 & (self.0 >> 1) & (self.0 >> 2) & (self.0 >> 3) & LOW;
        let mut near = self.0 + (LOW & !full);
        let mut rest = groups;
        while rest != 0 {
            near &= !(0xF << (4 * rest.trailing_zeros()));
            rest &= rest - 1;
        }
        Hints(near)
    }

    /// How near the group is.
    pub(super) fn near(self, group: usize) -> u8 {
        (self.0 >> (4 * group)) as u8 & 0xF
    }
}

/// What the attributes of one element say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    pub(super) groups: u16,
    pub(super) places: Places,
    /// Digest of tag and class.
    pub(super) look: u32,
}

/// What classes and ids of the page's elements were read already.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    /// Groups and digest.
    classes: Remembered<(u16, u32)>,
    ids: Remembered<u16>,
}

impl Attributes {
    /// Begins another page.
    pub(super) fn clear(&mut self) {
        self.classes.clear();
        self.ids.clear();
    }

    /// Reads those of an element.
    pub(super) fn read(&mut self, page: &Page<'_>, node: &Node) -> Own {
        let look = (node.tag.index() as u32 + 1).wrapping_mul(0x9E37_79B1);
        let mut own = Own { groups: 0, places: Places::default(), look };
        for attribute in page.attributes(node) {
            let span = attribute.value;
            let value = || &page.html()[span.start as usize..span.end as usize];
            match attribute.name {
                AttributeName::Class => {
                    let find_out = |value: &str| (groups(value), digest(value));
                    let (groups, digest) = self.classes.of(page, span, find_out);
                    own.groups |= groups;
                    own.look ^= digest;
                }
                AttributeName::Id | AttributeName::Itemprop => {
                    own.groups |= self.ids.of(page, span, groups_of_id);
                }
                AttributeName::Role => own.places.0 |= role(value()).0,
                AttributeName::Hidden => own.places.0 |= Places::HIDDEN.0,
                AttributeName::Style if hides(value()) => own.places.0 |= Places::HIDDEN.0,
                _ => {}
            }
        }
        own
    }
}

/// Digest of a class without its digits, which number what otherwise looks alike; 0 of none.
fn digest(value: &str) -> u32 {
    let mut digest = Digest::default();
    for (eight, len) in eights(value.as_bytes()) {
        digest.add(eight, len);
    }
    digest.finish()
}

/// A bit in each of eight bytes that is a digit.
fn digits(eight: u64) -> u64 {
    // Digits become 0 to 9. Adding 6 to the lower four bits of what is more gives it one of the upper four, if it has none.
    let from_zero = eight ^ (0x30 * ONES);
    let others = (from_zero | ((from_zero & (0x0F * ONES)) + 0x06 * ONES)) >> 4 & (0x0F * ONES);
    !(others + 0x0F * ONES) & (0x10 * ONES)
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// A digest of bytes without digits, eight after eight, however they came.
#[derive(Default)]
struct Digest {
    mixed: u64,
    /// Bytes that are not mixed yet, the first lowest.
    eight: u64,
    /// How many bits they have: less than 64.
    bits: u32,
}

impl Digest {
    /// Adds up to eight bytes, behind which are zeros.
    #[inline]
    fn add(&mut self, mut eight: u64, mut len: u32) {
        let mut digits = digits(eight);
        while digits != 0 {
            // The bits of all bytes before the first digit.
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
            // In two steps, since a number of 64 bits cannot be shifted by 64.
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

fn role(value: &str) -> Places {
    const ROLES: [(&str, Places); 9] = [
        ("main", Places::MAIN),
        ("article", Places::ARTICLE),
        ("navigation", Places::NAV),
        ("banner", Places::HEADER),
        ("contentinfo", Places::FOOTER),
        ("complementary", Places::ASIDE),
        ("search", Places::FORM),
        ("dialog", Places::HIDDEN),
        ("alertdialog", Places::HIDDEN),
    ];
    let value = value.trim();
    let known = ROLES.iter().find(|(role, _)| value.eq_ignore_ascii_case(role));
    known.map_or(Places::default(), |(_, places)| *places)
}

/// Whether a style keeps its element from being shown.
fn hides(style: &str) -> bool {
    style.as_bytes().split(|byte| *byte == b';').map(<[u8]>::trim_ascii_start).any(|declaration| {
        let is = |property: &str, hidden: &str| {
            let (name, rest) = declaration.split_at_checked(property.len())?;
            let value = rest.trim_ascii_start().strip_prefix(b":")?;
            let value = value.split(|byte| *byte == b'!').next()?.trim_ascii();
            let holds = name.eq_ignore_ascii_case(property.as_bytes());
            (holds && value.eq_ignore_ascii_case(hidden.as_bytes())).then_some(())
        };
        match declaration.first() {
            Some(b'd' | b'D') => is("display", "none").is_some(),
            Some(b'v' | b'V') => is("visibility", "hidden").is_some(),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn looks_do_not_differ_by_numbers() {
        assert_eq!(digest("post-12 odd"), digest("post-7 odd"));
        assert_ne!(digest("post"), digest("past"));
    }

    #[test]
    fn styles_hide() {
        for style in
            ["color: red; DISPLAY : none !important", "display:none", ";\nVisibility:Hidden ;"]
        {
            assert!(hides(style), "{style}");
        }
        let shown = [
            "display:block; x-display:none",
            "display",
            "displays:none",
            "visibility:none",
            "d",
            "",
        ];
        for style in shown {
            assert!(!hides(style), "{style}");
        }
    }

    proptest! {
        #[test]
        fn digits_leave_no_trace(value in "[a-c/:0-9é-]{0,60}") {
            let without: String = value.chars().filter(|c| !c.is_ascii_digit()).collect();
            prop_assert_eq!(digest(&value), digest(&without));
            prop_assert_ne!(digest(&value), digest(&(without + "x")));
        }

        #[test]
        fn digits_are_found_wherever_they_stand(bytes in any::<[u8; 8]>()) {
            let expected = bytes.map(|byte| u8::from(byte.is_ascii_digit()) << 4);
            prop_assert_eq!(digits(u64::from_le_bytes(bytes)), u64::from_le_bytes(expected));
        }

        #[test]
        fn nearness_counts_up_to_far(steps in prop::collection::vec(any::<u16>(), 0..40)) {
            let mut hints = Hints::NONE;
            let mut naive = [FAR; GROUPS];
            for groups in steps {
                // Few elements are in a group.
                let groups = groups & groups.rotate_left(5) & groups.rotate_left(9);
                hints = hints.below(groups);
                for (group, near) in naive.iter_mut().enumerate() {
                    *near = if groups >> group & 1 == 1 { 0 } else { (*near + 1).min(FAR) };
                    prop_assert_eq!(hints.near(group), *near);
                }
            }
        }
    }
}
