//! Judges an element's content by the words in its class, id, role and style.
//!
//! A word is found anywhere in a value, in any case: sites write `post-comments`, `CommentList` and
//! `sidebar2`. We chose the words for their common use on web sites. A table lookup per byte gives
//! the words that could begin there, so the cost is O(length of the value).

use huller_page::{AttributeName, Node, Page};
use huller_select::AttrCache;

/// The meanings of a word for an element, as bits.
mod says {
    /// The element is unlikely to hold content.
    pub(super) const UNLIKELY: u8 = 1;
    /// The element may hold content; overrides [`UNLIKELY`].
    pub(super) const LIKELY: u8 = 1 << 1;
    /// The element gets points.
    pub(super) const POSITIVE: u8 = 1 << 2;
    /// The element loses points.
    pub(super) const NEGATIVE: u8 = 1 << 3;
    /// The element serves to share the page.
    pub(super) const SHARE: u8 = 1 << 4;
}

use says::{LIKELY, NEGATIVE, POSITIVE, SHARE, UNLIKELY};

/// The words and their meanings, sorted.
const WORDS: &[(&str, u8)] = &[
    ("-ad-", UNLIKELY | NEGATIVE),
    ("ad-break", UNLIKELY),
    ("advert", UNLIKELY | NEGATIVE),
    ("agegate", UNLIKELY),
    ("article", LIKELY | POSITIVE),
    ("banner", UNLIKELY | NEGATIVE),
    ("blog", POSITIVE),
    ("body", LIKELY | POSITIVE),
    ("breadcrumb", UNLIKELY),
    ("column", LIKELY),
    ("com-", NEGATIVE),
    ("comment", UNLIKELY | NEGATIVE),
    ("community", UNLIKELY),
    ("contact", NEGATIVE),
    ("content", LIKELY | POSITIVE),
    ("cookie", UNLIKELY),
    ("disqus", UNLIKELY),
    ("entry", POSITIVE),
    ("extra", UNLIKELY),
    ("footer", UNLIKELY | NEGATIVE),
    ("gdpr", UNLIKELY | NEGATIVE),
    ("header", UNLIKELY),
    ("hidden", NEGATIVE),
    ("legends", UNLIKELY),
    ("main", LIKELY | POSITIVE),
    ("masthead", NEGATIVE),
    ("media", NEGATIVE),
    ("menu", UNLIKELY),
    ("meta", NEGATIVE),
    ("newsletter", UNLIKELY | NEGATIVE),
    ("outbrain", NEGATIVE),
    ("page", POSITIVE),
    ("pager", UNLIKELY),
    ("pagination", UNLIKELY),
    ("popup", UNLIKELY),
    ("post", POSITIVE),
    ("promo", NEGATIVE),
    ("related", UNLIKELY | NEGATIVE),
    ("remark", UNLIKELY),
    ("replies", UNLIKELY),
    ("rss", UNLIKELY),
    ("scroll", NEGATIVE),
    ("share", NEGATIVE | SHARE),
    ("shopping", NEGATIVE),
    ("shoutbox", UNLIKELY | NEGATIVE),
    ("sidebar", UNLIKELY | NEGATIVE),
    ("skyscraper", UNLIKELY | NEGATIVE),
    ("social", UNLIKELY),
    ("sponsor", UNLIKELY | NEGATIVE),
    ("story", POSITIVE),
    ("supplement", UNLIKELY),
    ("taboola", UNLIKELY | NEGATIVE),
    ("tags", NEGATIVE),
    ("text", POSITIVE),
    ("widget", NEGATIVE),
];

/// Roles of elements that hold no content.
const ROLES: [&str; 7] =
    ["alert", "alertdialog", "complementary", "dialog", "menu", "menubar", "navigation"];

/// For each byte, in upper or lower case, the range in [`WORDS`] of the words that begin with it.
static STARTS: [(u8, u8); 256] = {
    let mut starts = [(0, 0); 256];
    let mut word = 0;
    while word < WORDS.len() {
        let first = WORDS[word].0.as_bytes()[0];
        let mut end = word + 1;
        while end < WORDS.len() && WORDS[end].0.as_bytes()[0] == first {
            end += 1;
        }
        assert!(starts[first as usize].1 == 0, "words are not in the order of the alphabet");
        starts[first as usize] = (word as u8, end as u8);
        starts[first.to_ascii_uppercase() as usize] = (word as u8, end as u8);
        word = end;
    }
    starts
};

/// For each byte, in upper or lower case, 32 bits over the words that begin with it. A bit is set
/// if a word's second byte has these last five bits. Most bytes of a value are thus rejected
/// without comparing a word.
static SECONDS: [u32; 256] = {
    let mut seconds = [0; 256];
    let mut word = 0;
    while word < WORDS.len() {
        let word_bytes = WORDS[word].0.as_bytes();
        let (first, second) = (word_bytes[0], 1 << (word_bytes[1] & 31));
        seconds[first as usize] |= second;
        if first.is_ascii_lowercase() {
            seconds[first.to_ascii_uppercase() as usize] |= second;
        }
        word += 1;
    }
    seconds
};

/// Returns the union of the meanings of all words in a value.
fn word_meanings(value: &str) -> u8 {
    let bytes = value.as_bytes();
    let mut classes = 0;
    for (offset, pair) in bytes.windows(2).enumerate() {
        // Upper and lower case of a letter share their last five bits.
        if SECONDS[pair[0] as usize] >> (pair[1] & 31) & 1 == 0 {
            continue;
        }
        let (start, end) = STARTS[pair[0] as usize];
        for (word, says) in &WORDS[start as usize..end as usize] {
            let candidate = bytes.get(offset..offset + word.len());
            if candidate.is_some_and(|candidate| candidate.eq_ignore_ascii_case(word.as_bytes())) {
                classes |= says;
            }
        }
    }
    classes
}

/// The meanings of one node's attributes.
#[derive(Clone, Copy, Debug, Default)]
struct AttributeMeanings {
    /// Points that class and id add.
    weight: i8,
    is_unlikely: bool,
    is_hidden: bool,
    is_for_sharing: bool,
}

/// The meanings of the attributes of every node of a page.
#[derive(Debug, Default)]
pub(super) struct ClassWords {
    known: Vec<AttributeMeanings>,
    /// Cached meanings of the classes and ids of the present page.
    class_cache: AttrCache<u8>,
}

impl ClassWords {
    /// Reads the attributes of all nodes from `body` on.
    pub(super) fn fill(&mut self, page: &Page<'_>, body: u32) {
        self.class_cache.clear();
        self.known.clear();
        self.known.resize(page.nodes().len(), AttributeMeanings::default());
        for index in body as usize..page.nodes().len() {
            let node = &page.nodes()[index];
            if !page.attributes(node).is_empty() {
                self.known[index] = attribute_meanings(page, node, &mut self.class_cache);
            }
        }
    }

    /// Returns the points that class and id add to an element.
    pub(super) fn weight(&self, node: u32) -> f64 {
        f64::from(self.known[node as usize].weight)
    }

    /// Returns whether class, id or role make content in the element unlikely.
    pub(super) fn is_unlikely(&self, node: u32) -> bool {
        self.known[node as usize].is_unlikely
    }

    /// Returns whether the element serves to share the page.
    pub(super) fn is_for_sharing(&self, node: u32) -> bool {
        self.known[node as usize].is_for_sharing
    }

    /// Returns whether the element is hidden from readers.
    pub(super) fn is_hidden(&self, node: u32) -> bool {
        self.known[node as usize].is_hidden
    }
}

fn attribute_meanings(
    page: &Page<'_>,
    node: &Node,
    cache: &mut AttrCache<u8>,
) -> AttributeMeanings {
    let (mut class, mut id, mut role, mut is_hidden) = (0, 0, "", false);
    // The page lists each attribute of a node once.
    for attribute in page.attributes(node) {
        let value = || &page.html()[attribute.value.start as usize..attribute.value.end as usize];
        match attribute.name {
            AttributeName::Class => {
                class = cache.get_or_compute(page, attribute.value, word_meanings);
            }
            AttributeName::Id => id = cache.get_or_compute(page, attribute.value, word_meanings),
            AttributeName::Role => role = value().trim(),
            AttributeName::Hidden => is_hidden = true,
            AttributeName::Style => is_hidden |= hides(value()),
            _ => {}
        }
    }
    let either = class | id;
    let weight = [class, id].map(|meanings| {
        25 * (i8::from(meanings & POSITIVE != 0) - i8::from(meanings & NEGATIVE != 0))
    });
    AttributeMeanings {
        weight: weight[0] + weight[1],
        is_unlikely: (either & UNLIKELY != 0 && either & LIKELY == 0)
            || ROLES.iter().any(|known| role.eq_ignore_ascii_case(known)),
        is_hidden,
        is_for_sharing: either & SHARE != 0,
    }
}

/// Returns whether a `style` attribute hides its element.
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

    #[test]
    fn words_are_found_anywhere_in_any_case() {
        assert_eq!(word_meanings("CommentList"), UNLIKELY | NEGATIVE);
        assert_eq!(word_meanings("x-SIDEBAR2 main"), UNLIKELY | NEGATIVE | LIKELY | POSITIVE);
        assert_eq!(word_meanings("a -ad- b"), UNLIKELY | NEGATIVE);
        assert_eq!(word_meanings("headline pag comm ad-"), 0);
        assert_eq!(word_meanings(""), 0);
    }

    #[test]
    fn hiding_styles_are_recognised() {
        for style in ["display:none", "color: red; DISPLAY : None !important;", "visibility:hidden"]
        {
            assert!(hides(style), "{style}");
        }
        for style in ["display:block", "none", "display:", "x-display:none", "visibility:none"] {
            assert!(!hides(style), "{style}");
        }
    }
}
