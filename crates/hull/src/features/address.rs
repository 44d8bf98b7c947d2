//! The URL that the page states for itself. It helps to find the type of the page: URLs of
//! forums, shops and manuals often contain telling words.
//!
//! The URL is the `href` of `<link rel=canonical>`, or else the `content` of
//! `<meta property=og:url>`. The URL that the page was fetched from is not used, because the
//! result must depend on the page alone. Cost: O(head).

use super::values::flag;
use crate::columns::Columns;
use huller_page::{Attributes, Page, Tag};

const FORUM: u8 = 1;
const PRODUCT: u8 = 1 << 1;
const COLLECTION: u8 = 1 << 2;
const DOCUMENTATION: u8 = 1 << 3;
const SERVICE: u8 = 1 << 4;
const ARTICLE: u8 = 1 << 5;

/// Names of the features for the groups of words in a URL, in the order of the groups' bits.
const GROUPS: [&str; 6] = [
    "kind_address_forum",
    "kind_address_product",
    "kind_address_collection",
    "kind_address_documentation",
    "kind_address_service",
    "kind_address_article",
];

/// English words in URLs, in alphabetical order, with the groups they are in.
const WORDS: &[(&str, u8)] = &[
    ("about", SERVICE),
    ("answers", FORUM),
    ("api", DOCUMENTATION),
    ("archive", COLLECTION),
    ("archives", ARTICLE),
    ("article", ARTICLE),
    ("articles", ARTICLE),
    ("bbs", FORUM),
    ("blog", ARTICLE),
    ("blogs", ARTICLE),
    ("board", FORUM),
    ("boards", FORUM),
    ("browse", COLLECTION),
    ("buy", PRODUCT),
    ("c", COLLECTION),
    ("categories", COLLECTION),
    ("category", COLLECTION),
    ("collection", COLLECTION),
    ("collections", COLLECTION),
    ("communities", FORUM),
    ("community", FORUM),
    ("company", SERVICE),
    ("contact", SERVICE),
    ("discuss", FORUM),
    ("discussion", FORUM),
    ("discussions", FORUM),
    ("doc", DOCUMENTATION),
    ("docs", DOCUMENTATION),
    ("documentation", DOCUMENTATION),
    ("dp", PRODUCT),
    ("entry", ARTICLE),
    ("feature", SERVICE),
    ("features", SERVICE),
    ("forum", FORUM),
    ("forums", FORUM),
    ("guide", DOCUMENTATION),
    ("guides", DOCUMENTATION),
    ("handbook", DOCUMENTATION),
    ("help", DOCUMENTATION),
    ("industries", SERVICE),
    ("item", PRODUCT),
    ("itm", PRODUCT),
    ("kb", DOCUMENTATION),
    ("latest", DOCUMENTATION),
    ("learn", DOCUMENTATION),
    ("library", DOCUMENTATION),
    ("list", COLLECTION),
    ("magazine", ARTICLE),
    ("manual", DOCUMENTATION),
    ("master", DOCUMENTATION),
    ("news", ARTICLE),
    ("opinion", ARTICLE),
    ("p", PRODUCT),
    ("platform", SERVICE),
    ("post", ARTICLE),
    ("posts", ARTICLE),
    ("prd", PRODUCT),
    ("pricing", SERVICE),
    ("product", PRODUCT),
    ("products", PRODUCT),
    ("question", FORUM),
    ("questions", FORUM),
    ("reference", DOCUMENTATION),
    ("search", COLLECTION),
    ("service", SERVICE),
    ("services", SERVICE),
    ("shop", PRODUCT | COLLECTION),
    ("showthread", FORUM),
    ("solution", SERVICE),
    ("solutions", SERVICE),
    ("stable", DOCUMENTATION),
    ("store", PRODUCT),
    ("story", ARTICLE),
    ("support", DOCUMENTATION),
    ("t", FORUM),
    ("tag", COLLECTION),
    ("tags", COLLECTION),
    ("thread", FORUM),
    ("threads", FORUM),
    ("topic", FORUM | COLLECTION),
    ("topics", FORUM | COLLECTION),
    ("tutorial", DOCUMENTATION),
    ("tutorials", DOCUMENTATION),
    ("viewtopic", FORUM),
    ("wiki", DOCUMENTATION),
];

/// Facts about a URL; all 0 if the page states no URL.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Address {
    has_stated_url: bool,
    /// Number of parts of the path.
    depth: u32,
    /// Length of the last part of the path, in bytes.
    length: u32,
    /// Number of hyphens in the last part of the path.
    hyphens: u32,
    /// Number of digits in path and query.
    digits: u32,
    has_query: bool,
    /// Whether a part of the path is a year.
    has_year: bool,
    /// Whether the path ends in `.html` or `.htm`.
    is_file: bool,
    /// The groups of the words in the URL, as bits.
    groups: u8,
}

impl Address {
    /// Returns the URL that a page states.
    pub(super) fn from_page(page: &Page<'_>, attributes: &mut Attributes) -> Address {
        let mut stated_url = "";
        for node in page.nodes().iter().take_while(|node| node.tag != Tag::BODY) {
            let (key, name, value) = match node.tag {
                Tag::LINK => ("rel", "canonical", "href"),
                Tag::META if stated_url.is_empty() => ("property", "og:url", "content"),
                _ => continue,
            };
            let (mut is_it, mut address) = (false, "");
            for (attribute, text) in page.all_attributes(node, attributes) {
                is_it |= attribute.eq_ignore_ascii_case(key) && text.eq_ignore_ascii_case(name);
                if attribute.eq_ignore_ascii_case(value) {
                    address = text;
                }
            }
            if is_it && !address.is_empty() {
                stated_url = address;
                if node.tag == Tag::LINK {
                    break;
                }
            }
        }
        Address::read(stated_url)
    }

    /// Returns whether the page states a URL.
    pub(super) fn has_stated_url(&self) -> bool {
        self.has_stated_url
    }

    fn read(address: &str) -> Address {
        let address = address.trim();
        let mut address_facts =
            Address { has_stated_url: !address.is_empty(), ..Address::default() };
        let address = address.split('#').next().unwrap_or_default();
        let (host, path) = match address.split_once("//") {
            Some((_, rest)) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
            None => ("", address),
        };
        address_facts.digits = path.bytes().filter(u8::is_ascii_digit).count() as u32;
        let words = host.split(['.', '-']).chain(path.split(['/', '?', '&', '=', '.']));
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        // A single letter is a sign only as a part of the path: `?p=12` is a post of WordPress,
        // `t.me` a host.
        let words = words.filter(|word| word.len() > 1).chain(path.split('/'));
        address_facts.groups = words.fold(0, |groups, word| groups | groups_of(word));
        address_facts.has_query = !query.is_empty();
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        address_facts.is_file =
            ["html", "htm"].iter().any(|html| extension.eq_ignore_ascii_case(html));
        for segment in path.split('/').filter(|segment| !segment.is_empty()) {
            address_facts.depth += 1;
            address_facts.length = segment.len() as u32;
            address_facts.hyphens = segment.bytes().filter(|byte| *byte == b'-').count() as u32;
            address_facts.has_year |= is_year(segment);
        }
        address_facts
    }
}

/// Returns the groups of a word; upper and lower case are equal.
fn groups_of(word: &str) -> u8 {
    let order = |(known, _): &(&str, u8)| {
        known.bytes().cmp(word.bytes().map(|byte| byte.to_ascii_lowercase()))
    };
    WORDS.binary_search_by(order).map_or(0, |index| WORDS[index].1)
}

fn is_year(segment: &str) -> bool {
    segment.len() == 4
        && (segment.starts_with("19") || segment.starts_with("20"))
        && segment.bytes().all(|byte| byte.is_ascii_digit())
}

impl Address {
    /// Adds the features of the URL.
    pub(super) fn add(&self, out: &mut Columns) {
        let mut add = |name, value: f32| out.add_page(name, value);
        add("kind_address", flag(self.has_stated_url));
        add("kind_address_depth", self.depth as f32);
        add("kind_address_length", self.length as f32);
        add("kind_address_hyphens", self.hyphens as f32);
        add("kind_address_digits", self.digits as f32);
        add("kind_address_query", flag(self.has_query));
        add("kind_address_year", flag(self.has_year));
        add("kind_address_file", flag(self.is_file));
        for (group, name) in GROUPS.iter().enumerate() {
            add(name, flag(self.groups >> group & 1 == 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    fn of(html: &str) -> Address {
        Address::from_page(&PageBuf::new().fill(html), &mut Attributes::default())
    }

    #[test]
    fn the_canonical_address_wins_over_open_graph() {
        let graph = "<meta property='og:url' content='https://a.example/forum/'>";
        let canonical = "<link rel=stylesheet href=/docs/><link REL=Canonical href='//b.example/shop/a-b-1.html#c'>";
        let shop = Address::read("//b.example/shop/a-b-1.html");
        assert_eq!(of(&[graph, canonical].concat()), shop);
        assert_eq!(of(&[canonical, graph].concat()), shop);
        assert_eq!(of(graph), Address::read("https://a.example/forum/"));
        assert_eq!(of("<body><link rel=canonical href=/forum/>"), Address::default());
    }

    #[test]
    fn addresses_are_read_part_by_part() {
        let groups = |address: &str| Address::read(address).groups;
        let address = Address::read("https://Forum.example.org/2024/05/how-to-3/?page=2");
        let expected = Address {
            has_stated_url: true,
            depth: 3,
            length: 8,
            hyphens: 2,
            digits: 8,
            has_query: true,
            has_year: true,
            is_file: false,
            groups: FORUM,
        };
        assert_eq!(address, expected);
        assert_eq!(groups("/showthread.php?t=1"), groups("https://x.example/threads/"));
        assert_eq!(groups("/Topics?shop=news"), FORUM | PRODUCT | COLLECTION | ARTICLE);
        assert_eq!(groups("/a-forum/"), 0);
        assert_eq!((groups("https://t.me/a"), groups("/?p=12"), groups("/a.c")), (0, 0, 0));
        assert_eq!((groups("/t/a"), groups("/p/1.html")), (FORUM, PRODUCT));
        assert!(WORDS.iter().all(|(word, of)| groups_of(word) == *of));
        assert_eq!(Address::read("  "), Address::default());
    }
}
