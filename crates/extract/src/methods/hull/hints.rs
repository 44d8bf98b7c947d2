//! What class, id and role of an element say of it: sixteen groups of words, and which of them is how near above a block.
//!
//! Words are parted where a value leaves letters and at capitals, so `postComments`, `post-comments` and `Post_Comments2` all
//! begin with `comment` somewhere. The lists are ours, from what sites commonly write; languages don't matter to them, since
//! class names are mostly English or nothing.

use super::places::Places;
use huller_page::{AttributeName, Node, Page};

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

const CONTENT: u16 = 1;
const NAV: u16 = 1 << 1;
const SIDE: u16 = 1 << 2;
const FOOT: u16 = 1 << 3;
const HEAD: u16 = 1 << 4;
const AD: u16 = 1 << 5;
const SHARE: u16 = 1 << 6;
const RELATED: u16 = 1 << 7;
const COMMENT: u16 = 1 << 8;
const META: u16 = 1 << 9;
const CAPTION: u16 = 1 << 10;
const TITLE: u16 = 1 << 11;
const POPUP: u16 = 1 << 12;
const PRODUCT: u16 = 1 << 13;
const FORUM: u16 = 1 << 14;
const HIDDEN: u16 = 1 << 15;

/// Beginnings of words in the order of the alphabet; with a `$` the whole word.
const WORDS: &[(&str, u16)] = &[
    ("ad$", AD),
    ("ads$", AD),
    ("adsense", AD),
    ("adv$", AD),
    ("advert", AD),
    ("alert", POPUP),
    ("also", RELATED),
    ("answer", FORUM),
    ("archive", RELATED),
    ("article", CONTENT),
    ("aside", SIDE),
    ("author", META),
    ("avatar", META),
    ("banner", AD | HEAD),
    ("bbs", FORUM),
    ("bio$", META),
    ("blog", CONTENT),
    ("body", CONTENT),
    ("bottom", FOOT),
    ("brand", HEAD),
    ("bread", NAV),
    ("buy", PRODUCT),
    ("byline", META),
    ("caption", CAPTION),
    ("cart", PRODUCT),
    ("categor", META | NAV),
    ("collaps", HIDDEN),
    ("column", SIDE),
    ("comment", COMMENT),
    ("consent", POPUP),
    ("content", CONTENT),
    ("cookie", POPUP),
    ("copyright", FOOT),
    ("credit", CAPTION),
    ("crumb", NAV),
    ("date", META),
    ("dek$", TITLE),
    ("desc", CONTENT),
    ("dialog", POPUP),
    ("discuss", COMMENT),
    ("disqus", COMMENT),
    ("dropdown", NAV | HIDDEN),
    ("email", SHARE),
    ("entry", CONTENT),
    ("excerpt", TITLE),
    ("facebook", SHARE),
    ("fig$", CAPTION),
    ("figure", CAPTION),
    ("follow", SHARE),
    ("foot", FOOT),
    ("forum", FORUM),
    ("gallery", CAPTION),
    ("gdpr", POPUP),
    ("head", HEAD),
    ("headline", TITLE),
    ("hidden", HIDDEN),
    ("hide", HIDDEN),
    ("image", CAPTION),
    ("img", CAPTION),
    ("info", META),
    ("intro", TITLE),
    ("invisible", HIDDEN),
    ("kommentar", COMMENT),
    ("latest", RELATED),
    ("lead", TITLE),
    ("legal", FOOT),
    ("like", SHARE),
    ("link", NAV),
    ("lede", TITLE),
    ("list", NAV),
    ("login", POPUP),
    ("logo", HEAD),
    ("main", CONTENT),
    ("masthead", HEAD),
    ("media", CAPTION),
    ("menu", NAV),
    ("message", FORUM),
    ("meta", META),
    ("modal", POPUP),
    ("more$", RELATED),
    ("most", RELATED),
    ("nav", NAV),
    ("newsletter", POPUP),
    ("next", RELATED),
    ("none$", HIDDEN),
    ("notice", POPUP),
    ("offer", PRODUCT),
    ("outbrain", AD),
    ("overlay", POPUP),
    ("page$", CONTENT),
    ("pager", NAV),
    ("pagin", NAV),
    ("partner", AD),
    ("pb$", FORUM),
    ("photo", CAPTION),
    ("popular", RELATED),
    ("popup", POPUP),
    ("post", CONTENT),
    ("prev", RELATED),
    ("price", PRODUCT),
    ("print", SHARE),
    ("privacy", FOOT),
    ("product", PRODUCT),
    ("promo", AD),
    ("prose", CONTENT),
    ("publish", META),
    ("question", FORUM),
    ("quote", FORUM),
    ("rail", SIDE),
    ("rating", PRODUCT),
    ("read$", RELATED),
    ("recent", RELATED),
    ("recommend", RELATED),
    ("region", SIDE),
    ("register", POPUP),
    ("related", RELATED),
    ("replies", COMMENT),
    ("reply", COMMENT),
    ("respond", COMMENT),
    ("review", PRODUCT),
    ("rich", CONTENT),
    ("screen", HIDDEN),
    ("search", NAV),
    ("share", SHARE),
    ("sharing", SHARE),
    ("shop", PRODUCT),
    ("side", SIDE),
    ("sign", POPUP),
    ("similar", RELATED),
    ("sku", PRODUCT),
    ("social", SHARE),
    ("source", META),
    ("spec$", PRODUCT),
    ("specs", PRODUCT),
    ("sponsor", AD),
    ("sr$", HIDDEN),
    ("standfirst", TITLE),
    ("sticky", POPUP),
    ("story", CONTENT),
    ("sub$", TITLE),
    ("subscri", POPUP),
    ("subtitle", TITLE),
    ("summary", TITLE),
    ("tab$", NAV),
    ("taboola", AD),
    ("tabs", NAV),
    ("tag$", META),
    ("tags", META),
    ("teaser", RELATED),
    ("text", CONTENT),
    ("thread", FORUM),
    ("thumb", CAPTION),
    ("time", META),
    ("title", TITLE),
    ("toc$", NAV),
    ("toolbar", NAV),
    ("top$", HEAD),
    ("topic", FORUM),
    ("trend", RELATED),
    ("tweet", SHARE),
    ("twitter", SHARE),
    ("user", META),
    ("video", CAPTION),
    ("visually", HIDDEN),
    ("whatsapp", SHARE),
    ("widget", SIDE),
    ("wrapper", CONTENT),
];

/// For every letter the words that begin with it: index of the first and index after the last.
static STARTS: [(u8, u8); 26] = {
    let mut starts = [(0, 0); 26];
    let mut word = 0;
    while word < WORDS.len() {
        let first = (WORDS[word].0.as_bytes()[0] - b'a') as usize;
        let mut end = word + 1;
        while end < WORDS.len() && WORDS[end].0.as_bytes()[0] - b'a' == first as u8 {
            end += 1;
        }
        assert!(starts[first].1 == 0, "words are not in the order of the alphabet");
        starts[first] = (word as u8, end as u8);
        word = end;
    }
    starts
};

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

/// Groups that may hold most of a page's text. A word of another group in the class of such an element says what else is
/// there (`has-sidebar`, `comments-open`).
pub(super) const OF_WHOLE_PAGES: u16 = CONTENT | PRODUCT | FORUM;

/// Reads the attributes of an element.
pub(super) fn own(page: &Page<'_>, node: &Node) -> Own {
    let mut own = Own {
        groups: 0,
        places: Places::default(),
        look: (node.tag.index() as u32 + 1).wrapping_mul(0x9E37_79B1),
    };
    for attribute in page.attributes(node) {
        let value = &page.html()[attribute.value.start as usize..attribute.value.end as usize];
        match attribute.name {
            AttributeName::Class => {
                own.groups |= groups(value);
                own.look = digest(own.look, value);
            }
            AttributeName::Id | AttributeName::Itemprop => own.groups |= groups(value),
            AttributeName::Role => own.places.0 |= role(value).0,
            AttributeName::Hidden => own.places.0 |= Places::HIDDEN.0,
            AttributeName::Style if hides(value) => own.places.0 |= Places::HIDDEN.0,
            _ => {}
        }
    }
    own
}

/// The groups of the words in a value.
fn groups(value: &str) -> u16 {
    let bytes = value.as_bytes();
    let mut groups = 0;
    let mut before = 0_u8;
    for (at, byte) in bytes.iter().enumerate() {
        let starts = if byte.is_ascii_lowercase() {
            !before.is_ascii_alphabetic()
        } else {
            byte.is_ascii_uppercase() && !before.is_ascii_uppercase()
        };
        before = *byte;
        if !starts {
            continue;
        }
        let (first, end) = STARTS[((byte | 0x20) - b'a') as usize];
        for (word, group) in &WORDS[first as usize..end as usize] {
            if begins(&bytes[at..], word.as_bytes()) {
                groups |= group;
            }
        }
    }
    groups
}

fn begins(bytes: &[u8], word: &[u8]) -> bool {
    let (word, whole) = match word {
        [word @ .., b'$'] => (word, true),
        word => (word, false),
    };
    let here = bytes.get(..word.len());
    here.is_some_and(|here| here.eq_ignore_ascii_case(word))
        && !(whole && bytes.get(word.len()).is_some_and(u8::is_ascii_lowercase))
}

/// Digest of a class without its digits, which number what otherwise looks alike.
fn digest(seed: u32, value: &str) -> u32 {
    value.bytes().filter(|byte| !byte.is_ascii_digit()).fold(seed, |digest, byte| {
        (digest.rotate_left(5) ^ u32::from(byte)).wrapping_mul(0x9E37_79B1)
    })
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
    style.split(';').filter_map(|declaration| declaration.split_once(':')).any(|(name, value)| {
        let value = value.split('!').next().unwrap_or_default().trim();
        let is = |property: &str, hidden: &str| {
            name.trim().eq_ignore_ascii_case(property) && value.eq_ignore_ascii_case(hidden)
        };
        is("display", "none") || is("visibility", "hidden")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_begin_where_letters_do_and_at_capitals() {
        for value in ["comment", "postComments", "post_comments2", "x-COMMENT", "3comments"] {
            assert_eq!(groups(value) & COMMENT, COMMENT, "{value}");
        }
        assert_eq!(groups("recomment xcomment"), 0);
        assert_eq!(groups("adapt add-ad"), AD);
        assert_eq!(groups(""), 0);
    }

    #[test]
    fn looks_do_not_differ_by_numbers() {
        assert_eq!(digest(1, "post-12 odd"), digest(1, "post-7 odd"));
        assert_ne!(digest(1, "post"), digest(1, "past"));
        assert_ne!(digest(1, "post"), digest(2, "post"));
    }

    #[test]
    fn styles_hide() {
        assert!(hides("color: red; DISPLAY : none !important"));
        assert!(!hides("display:block; x-display:none"));
    }

    proptest! {
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
