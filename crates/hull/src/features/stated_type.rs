//! The type that a page states for itself in machine-readable form: Open Graph, `meta` and
//! schema.org.
//!
//! Of schema.org, only the names of types are read: after `@type` in JSON-LD, and after
//! `schema.org/` anywhere in the source, where microdata has them. Cost: O(head + JSON-LD), and one
//! search over the source.

use super::values::flag;
use crate::columns::Columns;
use huller_page::{Attributes, Page, Tag};
use memchr::memmem::Finder;
use std::sync::LazyLock;

const ARTICLE: u8 = 1;
const PRODUCT: u8 = 1 << 1;
const OFFER: u8 = 1 << 2;
const THREAD: u8 = 1 << 3;
const QUESTION: u8 = 1 << 4;
const COMMENT: u8 = 1 << 5;
const LIST: u8 = 1 << 6;
const BUSINESS: u8 = 1 << 7;

/// Names of the features for the groups of schema.org types, in the order of the groups' bits.
const SCHEMAS: [&str; 8] = [
    "kind_schema_article",
    "kind_schema_product",
    "kind_schema_offer",
    "kind_schema_thread",
    "kind_schema_question",
    "kind_schema_comment",
    "kind_schema_list",
    "kind_schema_business",
];

/// Types of schema.org in alphabetical order, with their groups.
const TYPES: &[(&str, u8)] = &[
    ("AggregateOffer", OFFER),
    ("Answer", QUESTION),
    ("Article", ARTICLE),
    ("Blog", LIST),
    ("BlogPosting", ARTICLE),
    ("CollectionPage", LIST),
    ("Comment", COMMENT),
    ("ContactPoint", BUSINESS),
    ("DiscussionForumPosting", THREAD),
    ("ItemList", LIST),
    ("LocalBusiness", BUSINESS),
    ("NewsArticle", ARTICLE),
    ("Offer", OFFER),
    ("PostalAddress", BUSINESS),
    ("Product", PRODUCT),
    ("ProductGroup", PRODUCT),
    ("ProfessionalService", BUSINESS),
    ("QAPage", THREAD),
    ("Question", QUESTION),
    ("Recipe", ARTICLE),
    ("ReportageNewsArticle", ARTICLE),
    ("SearchResultsPage", LIST),
    ("Service", BUSINESS),
    ("SoftwareApplication", BUSINESS),
    ("TechArticle", ARTICLE),
];

const OG_ARTICLE: u8 = 1;
const OG_PRODUCT: u8 = 1 << 1;
const OG_SITE: u8 = 1 << 2;
const PUBLISHED: u8 = 1 << 3;
const MODIFIED: u8 = 1 << 4;
const AUTHOR: u8 = 1 << 5;
const PRICE: u8 = 1 << 6;

/// Names of the features for facts in `meta` elements, in the order of the bits above.
const METAS: [&str; 7] = [
    "kind_og_article",
    "kind_og_product",
    "kind_og_site",
    "kind_meta_published",
    "kind_meta_modified",
    "kind_meta_author",
    "kind_meta_price",
];

/// The stated facts: bits of the groups above.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Stated {
    /// One bit per group of schema.org types.
    schemas: u8,
    /// One bit per group of values of `meta` elements.
    metas: u8,
}

static MICRODATA: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("schema.org/"));
static JSON_LD: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"@type\""));

impl Stated {
    /// Returns the facts that a page states.
    pub(super) fn from_page(page: &Page<'_>, attributes: &mut Attributes) -> Stated {
        let mut stated = Stated::default();
        let source = page.html().as_bytes();
        for offset in MICRODATA.find_iter(source) {
            stated.schemas |= schema_at(&source[offset + "schema.org/".len()..]);
        }
        for (index, node) in (0..).zip(page.nodes()) {
            match node.tag {
                Tag::META if index < page.body() => {
                    stated.read_meta(page.all_attributes(node, attributes));
                }
                Tag::SCRIPT => {
                    if let Some(json) = page.json_ld(node, attributes) {
                        stated.read_json_ld(json.as_bytes());
                    }
                }
                _ => {}
            }
        }
        stated
    }

    fn read_meta<'a>(&mut self, attributes: impl Iterator<Item = (&'a str, &'a str)>) {
        let (mut name, mut content) = ("", "");
        for (attribute, value) in attributes {
            if ["name", "property"].iter().any(|key| attribute.eq_ignore_ascii_case(key)) {
                name = value.trim();
            } else if attribute.eq_ignore_ascii_case("content") {
                content = value.trim();
            }
        }
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let begins = |text: &str, prefix: &str| {
            text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        };
        self.metas |= match name.as_bytes() {
            [b'o' | b'O', ..] if is("og:type") => {
                let kinds =
                    [("article", OG_ARTICLE), ("product", OG_PRODUCT), ("website", OG_SITE)];
                let kind = kinds.iter().find(|(kind, _)| begins(content, kind));
                kind.map_or(0, |(_, bit)| *bit)
            }
            [b'o' | b'O', ..] if begins(name, "og:price") => PRICE,
            [b'p' | b'P', ..] if begins(name, "product:") => PRICE,
            [b'a' | b'A', ..] if is("article:published_time") => PUBLISHED,
            [b'a' | b'A', ..] if is("article:modified_time") => MODIFIED,
            [b'a' | b'A', ..] if is("author") || is("article:author") => AUTHOR,
            _ => 0,
        };
    }

    /// Reads the type after every `"@type"`; from a list of types, the first.
    fn read_json_ld(&mut self, json: &[u8]) {
        for offset in JSON_LD.find_iter(json) {
            let value = json[offset + "\"@type\"".len()..].trim_ascii_start();
            let value = value.strip_prefix(b":").unwrap_or_default().trim_ascii_start();
            let value = value.strip_prefix(b"[").unwrap_or(value).trim_ascii_start();
            self.schemas |= value.strip_prefix(b"\"").map_or(0, schema_at);
        }
    }

    /// Adds the features of the stated facts.
    pub(super) fn add(self, out: &mut Columns) {
        for (schema_index, name) in SCHEMAS.iter().enumerate() {
            out.add_page(name, flag(self.schemas >> schema_index & 1 == 1));
        }
        for (meta_index, name) in METAS.iter().enumerate() {
            out.add_page(name, flag(self.metas >> meta_index & 1 == 1));
        }
    }
}

/// Returns the group of the type whose name these bytes begin with.
fn schema_at(bytes: &[u8]) -> u8 {
    /// Length in bytes of the longest known name, or more.
    const MAX_NAME_BYTES: usize = 24;
    let letters = bytes.iter().take(MAX_NAME_BYTES).take_while(|byte| byte.is_ascii_alphanumeric());
    let name = &bytes[..letters.count()];
    TYPES
        .binary_search_by(|(known, _)| known.as_bytes().cmp(name))
        .map_or(0, |index| TYPES[index].1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    fn of(html: &str) -> Stated {
        Stated::from_page(&PageBuf::new().fill(html), &mut Attributes::default())
    }

    #[test]
    fn every_type_is_found_and_nothing_longer() {
        for (name, group) in TYPES {
            assert_eq!(schema_at(format!("{name}\"").as_bytes()), *group, "{name}");
            assert_eq!(schema_at(format!("{name}s").as_bytes()), 0, "{name}");
        }
    }

    #[test]
    fn types_are_read_from_json_ld_and_microdata() {
        let json = |json: &str| format!("<body><script type=application/ld+json>{json}</script>");
        assert_eq!(of(&json(r#"{"@type" : ["QAPage", "Product"]}"#)).schemas, THREAD);
        assert_eq!(
            of(&json(r#"[{"@type":"Product","a":{"@type":"Offer"}}]"#)).schemas,
            PRODUCT | OFFER
        );
        assert_eq!(of(&json(r#"{"@type"}{"@type":{}}{"@type":"#)).schemas, 0);
        assert_eq!(of("<script>x = {\"@type\":\"Product\"}</script>").schemas, 0, "no JSON-LD");
        let page =
            "<p itemscope itemtype='https://schema.org/Comment'>x<b itemtype=//schema.org/Answer>";
        assert_eq!(of(page).schemas, COMMENT | QUESTION);
    }

    #[test]
    fn metas_of_the_head_are_read() {
        assert_eq!(of("<meta content=' Article' Property=OG:type>").metas, OG_ARTICLE);
        assert_eq!(of("<meta property=og:type content=product.item>").metas, OG_PRODUCT);
        assert_eq!(
            of("<meta property=og:type content=x><meta name=author content=A>").metas,
            AUTHOR
        );
        assert_eq!(of("<body><meta name=author content=A>").metas, 0, "not in the head");
        assert_eq!(of("<meta property=product:price:amount content=3>").metas, PRICE);
    }
}
