//! The machine-readable statements of a page: `meta` elements, and JSON-LD ([`JsonLd`]).
//!
//! The `property`, `name` or `itemprop` of a `meta` element names the field that it states; upper
//! and lower case are equal. If several elements state one field, the value of the highest rank is
//! taken, and among equal ranks the first. Several authors of equal rank are all taken. A smaller
//! number is a higher rank.

use super::date::PartialDate;
use super::json_ld::JsonLd;
use super::line::{Value, truncate_text};
use super::name::{is_address, strip_label};
use super::names::Names;
use super::placeholder::is_placeholder;
use huller_page::entity::{Context, decode};
use huller_page::{Attributes, Node, Page};
use memchr::memchr;

/// All statements of the page.
#[derive(Debug, Default)]
pub(super) struct StatedMetadata<'a> {
    title: BestValue<'a>,
    site_name: BestValue<'a>,
    /// All names of the site in `meta` elements.
    site_names: Names<'a>,
    description: BestValue<'a>,
    authors: (u8, Names<'a>),
    /// A label for the preview of a link, such as `Written by`, and its value.
    labelled: [Option<&'a str>; 2],
    published: Option<(u8, PartialDate)>,
    pub(super) json_ld: JsonLd<'a>,
}

/// The value of the highest rank for a field, with its rank.
#[derive(Clone, Copy, Debug, Default)]
struct BestValue<'a>(Option<(u8, &'a str)>);

impl<'a> BestValue<'a> {
    fn offer(&mut self, rank: u8, value: &'a str) {
        if self.0.is_none_or(|(best_rank, _)| rank < best_rank) && !value.trim().is_empty() {
            self.0 = Some((rank, value));
        }
    }

    fn value(self) -> Option<Value<'a>> {
        self.0.map(|(_, value)| Value::Attribute(value))
    }
}

/// The field that a `meta` element states, and the element's rank for that field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MetaField {
    Title(u8),
    SiteName(u8),
    Description(u8),
    Author(u8),
    Published(u8),
    /// The label or the value of a line in the preview of a link.
    Labelled(usize),
}

/// Beginnings of the names of `meta` elements that state the date, the highest rank first.
const DATES: [&str; 24] = [
    "article:published_time",
    "article:publish_time",
    "og:published_time",
    "og:article:published_time",
    "og:release_date",
    "rnews:datepublished",
    "datepublished",
    "pubdate",
    "publishdate",
    "publish-date",
    "published",
    "pubtime",
    "publication_date",
    "originalpublicationdate",
    "citation_publication_date",
    "dc.date",
    "dc:date",
    "dcterms.date",
    "dcterms.created",
    "parsely-pub-date",
    "sailthru.date",
    "ms.date",
    "article.published",
    "date",
];

/// If one of these follows such a beginning, the element states another date.
const CHANGED: [&str; 3] = ["modif", "updat", "expir"];

/// The first four bytes of all other names in [`meta_field`].
const BEGINNINGS: [&str; 22] = [
    "og:t", "og:s", "og:d", "og:a", "twit", "dc.t", "dc:t", "dc.d", "dc:d", "dc.c", "dc:c", "dcte",
    "cita", "pars", "sail", "appl", "desc", "arti", "auth", "crea", "date", "pubd",
];

/// Whether a name may be known, by its first four bytes. This quick test rejects most names.
static WANTED: [bool; 256] = {
    let mut wanted = [false; 256];
    let mut i = 0;
    while i < BEGINNINGS.len() + DATES.len() {
        let name = if i < DATES.len() { DATES[i] } else { BEGINNINGS[i - DATES.len()] };
        let name = name.as_bytes();
        wanted[slot([name[0], name[1], name[2], name[3]])] = true;
        i += 1;
    }
    wanted
};

/// Returns a number below 256 for the first four bytes of a name; the same in upper and lower case.
const fn slot(beginning: [u8; 4]) -> usize {
    let lower = u32::from_le_bytes(beginning) | 0x2020_2020;
    (lower.wrapping_mul(0x9E37_79B1) >> 24) as usize
}

/// Returns whether a tag can be skipped without reading its attributes: it has the most common
/// form, a name and then `content`, and the name is unknown.
fn is_of_no_use(tag: &[u8]) -> bool {
    let unwanted = || {
        let (attribute, rest) = split_at_quote(tag.strip_prefix(b"<meta ")?)?;
        if !matches!(attribute, b"name=" | b"property=" | b"itemprop=") {
            return None;
        }
        let beginning =
            rest.first_chunk().filter(|beginning| !beginning[0].is_ascii_whitespace())?;
        if WANTED[slot(*beginning)] {
            return None;
        }
        let (_, rest) = split_at_quote(rest)?;
        let (_, end) = split_at_quote(rest.strip_prefix(b" content=\"")?)?;
        Some(matches!(end, b">" | b"/>" | b" />"))
    };
    unwanted() == Some(true)
}

/// Returns the text before and the text after the first `"`.
fn split_at_quote(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let quote = memchr(b'"', text)?;
    Some((&text[..quote], &text[quote + 1..]))
}

/// The rank of an author in the preview of a link.
const LABELLED_RANK: u8 = 1;

/// Largest length of a known name, in bytes.
const MAX_META_NAME_BYTES: usize = 40;

/// Number of bytes of a name with character references to read.
const MAX_ESCAPED_NAME_BYTES: usize = 120;

/// Returns the field that an element of this name states.
fn meta_field(name: &str) -> Option<MetaField> {
    let name = name.trim();
    if memchr(b'&', name.as_bytes()).is_some() {
        // Some systems escape the colon: `article&#x3A;published_time`.
        let mut plain = String::new();
        decode(truncate_text(name, MAX_ESCAPED_NAME_BYTES), Context::Attribute, &mut plain);
        return if plain.contains('&') { None } else { meta_field(&plain) };
    }
    if !WANTED[slot(*name.as_bytes().first_chunk()?)] {
        return None;
    }
    let mut lower = [0; MAX_META_NAME_BYTES];
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    let lower = std::str::from_utf8(lower).ok()?;
    Some(match lower {
        "og:title" => MetaField::Title(0),
        "twitter:title" => MetaField::Title(1),
        "dc.title" | "dc:title" | "dcterms.title" | "citation_title" | "parsely-title"
        | "sailthru.title" => MetaField::Title(2),
        "og:site_name" => MetaField::SiteName(0),
        "application-name" => MetaField::SiteName(1),
        "apple-mobile-web-app-title" => MetaField::SiteName(2),
        "og:description" => MetaField::Description(0),
        "description" => MetaField::Description(1),
        "twitter:description" => MetaField::Description(2),
        "dc.description" | "dc:description" | "dcterms.description" => MetaField::Description(3),
        "parsely-author" | "sailthru.author" | "citation_author" | "article:author_name" => {
            MetaField::Author(0)
        }
        "article:author" | "og:article:author" | "og:author" | "byl" => MetaField::Author(2),
        "author" | "authors" => MetaField::Author(3),
        "twitter:label1" => MetaField::Labelled(0),
        "twitter:data1" => MetaField::Labelled(1),
        "dc.creator" | "dc:creator" | "dcterms.creator" | "dc.contributor" | "creator" => {
            MetaField::Author(4)
        }
        _ => MetaField::Published(date_rank(lower)?),
    })
}

fn date_rank(name: &str) -> Option<u8> {
    let start = name.as_bytes().first_chunk::<4>()?;
    let begins =
        |known: &&str| known.as_bytes().first_chunk() == Some(start) && name.starts_with(*known);
    let rank = DATES.iter().position(begins)?;
    // The rest of the name may begin with such a word, or with a mark such as `_` and then the
    // word.
    let rest = name[DATES[rank].len()..].trim_start_matches(|c: char| c.is_ascii_punctuation());
    let is_change = CHANGED.iter().any(|word| rest.starts_with(word));
    (!is_change).then_some(rank as u8)
}

impl<'a> StatedMetadata<'a> {
    /// Reads a `meta` element.
    pub(super) fn meta(&mut self, page: &Page<'a>, node: &Node, attributes: &mut Attributes) {
        if is_of_no_use(page.node_source(node).as_bytes()) {
            return;
        }
        let (mut names, mut content) = ([None; 3], None);
        for (attribute, value) in page.all_attributes(node, attributes) {
            let field = match attribute.len() {
                7 if attribute.eq_ignore_ascii_case("content") => &mut content,
                4 if attribute.eq_ignore_ascii_case("name") => &mut names[0],
                8 if attribute.eq_ignore_ascii_case("property") => &mut names[1],
                8 if attribute.eq_ignore_ascii_case("itemprop") => &mut names[2],
                _ => continue,
            };
            *field = Some(value);
        }
        let Some(content) = content.filter(|content| !is_placeholder(content)) else { return };
        for about in names.into_iter().flatten().filter_map(meta_field) {
            match about {
                MetaField::Title(rank) => self.title.offer(rank, content),
                MetaField::SiteName(rank) => {
                    self.site_name.offer(rank, content);
                    self.site_names.push(content);
                }
                MetaField::Description(rank) => self.description.offer(rank, content),
                MetaField::Author(rank) => self.offer_author(rank, content),
                MetaField::Published(rank) => self.offer_date(rank, content),
                MetaField::Labelled(part) => {
                    self.labelled[part] = Some(content);
                    if let [Some(label), Some(name)] = self.labelled
                        && strip_label(label.trim()) == Some("")
                    {
                        self.offer_author(LABELLED_RANK, name);
                    }
                }
            }
        }
    }

    fn offer_author(&mut self, rank: u8, name: &'a str) {
        let (best_rank, names) = &mut self.authors;
        if is_address(name) || !names.as_slice().is_empty() && *best_rank < rank {
            return;
        }
        if *best_rank > rank {
            *names = Names::default();
        }
        *best_rank = rank;
        names.push(name);
    }

    fn offer_date(&mut self, rank: u8, value: &str) {
        if self.published.is_some_and(|(best_rank, _)| best_rank <= rank) {
            return;
        }
        if let Some(moment) = PartialDate::parse_stated(value) {
            self.published = Some((rank, moment));
        }
    }

    /// Returns the title that `meta` elements state.
    pub(super) fn title(&self) -> Option<Value<'a>> {
        self.title.value()
    }

    pub(super) fn site_name(&self) -> Option<Value<'a>> {
        self.site_name.value().or_else(|| self.json_ld.site_name().map(Value::Json))
    }

    /// Returns all names of the site that the page states.
    pub(super) fn site_names(&self) -> impl Iterator<Item = Value<'a>> + '_ {
        let of_meta = self.site_names.as_slice().iter().map(|name| Value::Attribute(name));
        of_meta.chain(self.json_ld.site_names().map(Value::Json))
    }

    pub(super) fn description(&self) -> Option<Value<'a>> {
        self.description.value().or_else(|| self.json_ld.description().map(Value::Json))
    }

    /// Returns the authors that `meta` elements state.
    pub(super) fn authors(&self) -> &[&'a str] {
        self.authors.1.as_slice()
    }

    /// Returns the date that `meta` elements state.
    pub(super) fn published(&self) -> Option<PartialDate> {
        self.published.map(|(_, moment)| moment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_any_case() {
        assert_eq!(meta_field(" OG:Title "), Some(MetaField::Title(0)));
        assert_eq!(meta_field("Article:Published_Time"), Some(MetaField::Published(0)));
        assert_eq!(meta_field("dateCreated"), Some(MetaField::Published(23)));
        let others = ["", "viewport", "date_modified", "dateUpdated", "dc.date.modified", "日本"];
        assert!(others.into_iter().all(|name| meta_field(name).is_none()));
        assert_eq!(meta_field(&"date".repeat(99)), None);
    }

    #[test]
    fn addresses_and_handles_are_not_names() {
        assert!(
            ["https://x.org/ann", " /author/ann", "@ann", "see http://x"]
                .into_iter()
                .all(is_address)
        );
        assert!(!is_address("Ann Ray"));
    }
}
