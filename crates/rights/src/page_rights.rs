//! Reads the statements of one page: HTTP headers, `meta` elements, links, and the licence in its
//! JSON-LD.
//!
//! A `meta` element concerns robots if its name is `robots`, the name of a known robot, or any name
//! that is no other kind of metadata. Names of robots are not a closed list. So an element of an
//! unknown name counts only if its content is a word that no other metadata use, such as `noai`.

use crate::directives::{directive, directives};
use crate::license::license_name;
use crate::statement::{EvidenceLocation, Signal, Source};
use crate::statement_list::StatementList;
use crate::usage_preferences::for_each_preference;
use huller_page::entity::{Context, decode};
use huller_page::{AttributeName, Attributes, Node, Page, Tag};
use memchr::memmem;

/// Reads the statements of pages. Each worker has one and reuses its memory.
#[derive(Debug, Default)]
pub struct PageRights {
    list: StatementList,
    place: OwnedPlace,
    attributes: Attributes,
    value: String,
}

/// The record of the page.
#[derive(Debug, Default)]
struct OwnedPlace {
    file: String,
    /// Offset of the record in the archive, in bytes.
    offset: Option<u64>,
}

impl OwnedPlace {
    fn place(&self) -> EvidenceLocation<'_> {
        EvidenceLocation { file: &self.file, offset: self.offset }
    }
}

impl PageRights {
    /// Begins a page whose record is at this place.
    pub fn begin(&mut self, location: EvidenceLocation<'_>) {
        self.list.clear();
        self.place.file.clear();
        self.place.file.push_str(location.file);
        self.place.offset = location.offset;
    }

    /// Returns whether a header of this name may state rights.
    pub fn is_wanted(name: &[u8]) -> bool {
        HeaderKind::from_name(name).is_some()
    }

    /// Reads a header of the response.
    pub fn header(&mut self, name: &str, value: &str) {
        let PageRights { list, place, .. } = self;
        let mut push = |signal, value: &str, agent: Option<&str>| {
            list.push(signal, value, Source::Header, agent, place.place());
        };
        match HeaderKind::from_name(name.as_bytes()) {
            Some(HeaderKind::Robots) => {
                directives(value, |agent, signal, written| push(signal, written, agent));
            }
            Some(HeaderKind::Reservation) if matches!(value.trim(), "0" | "1") => {
                push(Signal::TdmReservation, value, None);
            }
            Some(HeaderKind::Policy) if !value.trim().is_empty() => {
                push(Signal::TdmPolicy, value, None);
            }
            Some(HeaderKind::Usage) => {
                for_each_preference(value, |signal, answer| push(signal, answer, None));
            }
            Some(HeaderKind::Link) => links(value, |target| {
                push_license(list, target, Source::Header, place.place());
            }),
            _ => {}
        }
    }

    /// Reads the elements of the page.
    pub fn page(&mut self, page: &Page<'_>) {
        let html = page.html().as_bytes();
        // Few pages state a licence, and most others do not have the word.
        let has_license =
            [b"icense", b"ICENSE"].iter().any(|word| memmem::find(html, *word).is_some());
        for node in page.nodes() {
            match node.tag {
                Tag::META => self.meta(page, node),
                Tag::A | Tag::AREA | Tag::LINK if has_license => self.link(page, node),
                _ => {}
            }
        }
    }

    /// Reads what JSON-LD states about the page: the licence and the terms of use.
    pub fn json_ld(&mut self, license: &str, usage_info: &str) {
        let PageRights { list, place, .. } = self;
        if !license.is_empty() {
            push_license(list, license, Source::JsonLd, place.place());
        }
        if !usage_info.is_empty() {
            list.push(Signal::UsageInfo, usage_info, Source::JsonLd, None, place.place());
        }
    }

    /// Completes the list of the page's statements.
    pub fn finish(&mut self) {
        self.list.end();
    }

    /// Returns the list that [`PageRights::finish`] completed last, as JSON. The statements are in
    /// the order in which they were read.
    pub fn json(&self) -> &str {
        self.list.text()
    }

    fn meta(&mut self, page: &Page<'_>, node: &Node) {
        let PageRights { list, place, attributes, value } = self;
        let (mut names, mut content) = ([None; 2], None);
        for (attribute, text) in page.all_attributes(node, attributes) {
            match attribute.len() {
                4 if attribute.eq_ignore_ascii_case("name") => names[0] = Some(text),
                8 if attribute.eq_ignore_ascii_case("property") => names[1] = Some(text),
                7 if attribute.eq_ignore_ascii_case("content") => content = Some(text),
                _ => {}
            }
        }
        let Some(content) = content else { return };
        for name in names.into_iter().flatten().map(str::trim) {
            let Some(kind) = MetaKind::from_name(name) else { continue };
            let content = decoded(content, value);
            let mut push = |signal, value: &str, agent: Option<&str>| {
                list.push(signal, value, Source::Meta, agent, place.place());
            };
            match kind {
                MetaKind::Robots { agent } => {
                    directives(content, |named, signal, written| {
                        push(signal, written, named.or(agent));
                    });
                }
                MetaKind::Unknown if is_of_robots_alone(content) => {
                    directives(content, |named, signal, written| {
                        push(signal, written, named.or(Some(name)));
                    });
                }
                MetaKind::Reservation if matches!(content.trim(), "0" | "1") => {
                    push(Signal::TdmReservation, content, None);
                }
                MetaKind::Policy if !content.trim().is_empty() => {
                    push(Signal::TdmPolicy, content, None);
                }
                MetaKind::License if !content.trim().is_empty() => {
                    push_license(list, content, Source::Meta, place.place());
                }
                MetaKind::Rights if !content.trim().is_empty() => {
                    if license_name(content).is_some() {
                        push_license(list, content, Source::Meta, place.place());
                    } else {
                        push(Signal::Rights, content, None);
                    }
                }
                _ => {}
            }
        }
    }

    fn link(&mut self, page: &Page<'_>, node: &Node) {
        let PageRights { list, place, value, .. } = self;
        let Some(target) = page.attribute(node, AttributeName::Href) else { return };
        let relations = page.attribute(node, AttributeName::Rel);
        if relations.is_some_and(is_license_relation) && !target.trim().is_empty() {
            push_license(list, decoded(target, value), Source::Link, place.place());
        }
    }
}

/// The kind of a header.
#[derive(Clone, Copy)]
enum HeaderKind {
    /// `X-Robots-Tag`.
    Robots,
    /// `tdm-reservation`.
    Reservation,
    /// `tdm-policy`.
    Policy,
    /// `Content-Usage` or `Content-Signal`.
    Usage,
    /// `Link`.
    Link,
}

impl HeaderKind {
    fn from_name(name: &[u8]) -> Option<HeaderKind> {
        const NAMES: [(&[u8], HeaderKind); 6] = [
            (b"x-robots-tag", HeaderKind::Robots),
            (b"tdm-reservation", HeaderKind::Reservation),
            (b"tdm-policy", HeaderKind::Policy),
            (b"content-usage", HeaderKind::Usage),
            (b"content-signal", HeaderKind::Usage),
            (b"link", HeaderKind::Link),
        ];
        let known = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(_, kind)| *kind)
    }
}

/// The kind of a `meta` element.
enum MetaKind<'n> {
    /// For robots, or for the robot of this name.
    Robots {
        agent: Option<&'n str>,
    },
    /// For a robot, if the content is that of such an element.
    Unknown,
    Reservation,
    Policy,
    License,
    Rights,
}

impl MetaKind<'_> {
    fn from_name(name: &str) -> Option<MetaKind<'_>> {
        const MAX_NAME_BYTES: usize = 64;
        const KNOWN_ROBOTS: [&str; 12] = [
            "anthropic-ai",
            "applebot-extended",
            "bytespider",
            "claude-web",
            "cohere-ai",
            "facebookexternalhit",
            "google-extended",
            "googlebot-news",
            "meta-externalagent",
            "slurp",
            "teoma",
            "yandex",
        ];
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        if name.is_empty() || name.len() > MAX_NAME_BYTES {
            return None;
        }
        let is_bot =
            name.len() > 3 && name.as_bytes()[name.len() - 3..].eq_ignore_ascii_case(b"bot");
        Some(match name {
            _ if is("robots") => MetaKind::Robots { agent: None },
            _ if is_bot || KNOWN_ROBOTS.iter().any(|known| is(known)) => {
                MetaKind::Robots { agent: Some(name) }
            }
            _ if is("tdm-reservation") => MetaKind::Reservation,
            _ if is("tdm-policy") => MetaKind::Policy,
            _ if ["dcterms.license", "dcterms:license", "dc.rights.license", "cc:license"]
                .iter()
                .any(|known| is(known)) =>
            {
                MetaKind::License
            }
            _ if ["dcterms.rights", "dcterms:rights", "dc.rights", "dc:rights", "rights"]
                .iter()
                .any(|known| is(known)) =>
            {
                MetaKind::Rights
            }
            _ => MetaKind::Unknown,
        })
    }
}

/// Returns whether a list of directives has one that no other kind of metadata uses.
fn is_of_robots_alone(content: &str) -> bool {
    const MAX_CONTENT_BYTES: usize = 200;
    content.len() <= MAX_CONTENT_BYTES
        && content.split([',', ' ']).all(|word| {
            let word = word.trim();
            let other_words = ["nofollow", "follow", "index", "noimageindex", "notranslate", ""];
            directive(word).is_some()
                || other_words.iter().any(|known| known.eq_ignore_ascii_case(word))
        })
        && content.split([',', ' ']).any(|word| {
            let is_other = word.trim().eq_ignore_ascii_case("none");
            !is_other && directive(word.trim()).is_some()
        })
}

/// Returns whether the value of `rel` has the type `license`.
fn is_license_relation(relations: &str) -> bool {
    relations.split_ascii_whitespace().any(|relation| relation.eq_ignore_ascii_case("license"))
}

/// Adds a licence: its short name, or the text as it is.
fn push_license(
    list: &mut StatementList,
    text: &str,
    source: Source,
    location: EvidenceLocation<'_>,
) {
    match license_name(text) {
        Some(name) => list.push(Signal::License, &name, source, None, location),
        None => list.push(Signal::License, text, source, None, location),
    }
}

/// Returns a text with its character references decoded.
fn decoded<'v>(text: &'v str, buffer: &'v mut String) -> &'v str {
    if memchr::memchr(b'&', text.as_bytes()).is_none() {
        return text;
    }
    buffer.clear();
    decode(text, Context::Attribute, buffer);
    buffer
}

/// Calls `visit` with the target of each link of a `Link` header (RFC 8288) that is the licence of
/// the page.
fn links(value: &str, mut visit: impl FnMut(&str)) {
    let mut rest = value;
    while let Some((_, after_sign)) = rest.split_once('<') {
        let Some((target, after_sign)) = after_sign.split_once('>') else { return };
        let parameters =
            after_sign.split_once('<').map_or(after_sign, |(parameters, _)| parameters);
        let is_license = parameters.split([';', ',']).any(|parameter| {
            parameter.split_once('=').is_some_and(|(name, relations)| {
                let relations = relations.trim().trim_matches('"');
                name.trim().eq_ignore_ascii_case("rel") && is_license_relation(relations)
            })
        });
        if is_license {
            visit(target);
        }
        rest = after_sign;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;
    use std::fmt::Write;

    /// Returns the statements of headers and a page.
    fn stated(headers: &[(&str, &str)], html: &str) -> Vec<String> {
        let (mut rights, mut buffer) = (PageRights::default(), PageBuf::new());
        rights.begin(EvidenceLocation { file: "a.warc", offset: Some(1) });
        for (name, value) in headers {
            rights.header(name, value);
        }
        rights.page(&buffer.fill(html));
        rights.finish();
        let statements = crate::read_statements(rights.json()).unwrap();
        let statements = statements.iter().map(|statement| {
            assert_eq!((&*statement.file, statement.offset), ("a.warc", Some(1)));
            let agent = statement.agent.as_deref().unwrap_or("-");
            format!(
                "{:?} {agent} {} {}",
                statement.source,
                statement.signal.name(),
                statement.value
            )
        });
        statements.collect()
    }

    #[test]
    fn headers_state_directives_reservations_uses_and_licences() {
        let headers = [
            ("x-robots-tag", "noindex, noai"),
            ("X-Robots-Tag", "GPTBot: noimageai"),
            ("TDM-Reservation", "1"),
            ("tdm-policy", "https://a.test/policy.json"),
            ("Content-Usage", "train-ai=n"),
            ("content-signal", "ai-input=yes"),
            (
                "Link",
                "</style>; rel=preload, <https://creativecommons.org/licenses/by/4.0/>; rel=\"license\"",
            ),
            ("tdm-reservation", "2"),
            ("X-Other", "noindex"),
        ];
        assert_eq!(
            stated(&headers, ""),
            [
                "Header - noindex noindex",
                "Header - noai noai",
                "Header GPTBot noimageai noimageai",
                "Header - tdm-reservation 1",
                "Header - tdm-policy https://a.test/policy.json",
                "Header - ai-train no",
                "Header - ai-input yes",
                "Header - license CC-BY-4.0",
            ]
        );
        assert!(PageRights::is_wanted(b"LINK") && !PageRights::is_wanted(b"Linked"));
    }

    #[test]
    fn metas_state_directives_for_all_robots_and_for_named_ones() {
        let html = "<meta NAME=Robots content='NOINDEX, nofollow'><meta name=GPTBot content=none>\
            <meta name=google-extended content=noai><meta content='noai, nofollow' name=my-crawler>\
            <meta name=robots content='unavailable_after: 2025-09-21'>\
            <body><meta name=robots content='max-snippet:0&#44; noarchive'>";
        assert_eq!(
            stated(&[], html),
            [
                "Meta - noindex NOINDEX",
                "Meta GPTBot noindex none",
                "Meta google-extended noai noai",
                "Meta my-crawler noai noai",
                "Meta - unavailable_after 2025-09-21",
                "Meta - nosnippet max-snippet:0",
                "Meta - noarchive noarchive",
            ]
        );
    }

    #[test]
    fn other_metas_and_links_state_nothing() {
        let html = "<meta name=description content='noindex and noai are words'>\
            <meta name=author content=none><meta name=robots content='index, follow, all'>\
            <meta name=robots><meta content=noai><meta name=tdm-reservation content=yes>\
            <meta name=tdm-policy content=' '><meta property=og:title content='noai or not'>\
            <a href=/license>License</a><a rel=nofollow href=/x title=license>x</a>\
            <p>noindex, noai</p><!-- <meta name=robots content=noai> --><a rel=license>none</a>\
            <script>'<meta name=robots content=noai>'</script>";
        assert_eq!(stated(&[], html), [""; 0]);
    }

    #[test]
    fn metas_and_links_state_reservations_licences_and_rights() {
        let html = "<meta name=tdm-reservation content=1><meta name=tdm-policy content=/p>\
            <meta name=dcterms.license content='https://creativecommons.org/licenses/by-nd/4.0/'>\
            <meta property=dcterms:rights content='&copy; Press'><meta name=rights content='CC0'>\
            <link rel=license href=/terms><a REL='noopener License' href='//creativecommons.org/publicdomain/zero/1.0/'>x</a>\
            <map><area rel=license href='/x?a&amp;b'></map>";
        assert_eq!(
            stated(&[], html),
            [
                "Meta - tdm-reservation 1",
                "Meta - tdm-policy /p",
                "Meta - license CC-BY-ND-4.0",
                "Meta - rights © Press",
                "Meta - license CC0",
                "Link - license /terms",
                "Link - license CC0-1.0",
                "Link - license /x?a&b",
            ]
        );
    }

    #[test]
    fn json_ld_states_a_licence_and_terms() {
        let mut rights = PageRights::default();
        rights.begin(EvidenceLocation::default());
        rights.json_ld("https://creativecommons.org/licenses/by/4.0/", "https://a.test/terms");
        rights.json_ld("", "");
        rights.finish();
        let statements = crate::read_statements(rights.json()).unwrap();
        let values: Vec<_> = statements.iter().map(|statement| &*statement.value).collect();
        assert_eq!(values, ["CC-BY-4.0", "https://a.test/terms"]);
    }

    #[test]
    fn hostile_pages_and_headers_cost_time_in_proportion_to_their_size() {
        let metas = (0..10_000).fold(String::new(), |mut html, number| {
            write!(html, "<meta name=bot{number}bot content='noai, noindex, none'>").unwrap();
            html
        });
        let links = "<a rel=license href=/x>".repeat(10_000);
        let header = "noai,".repeat(13_000);
        let agents = "a:".repeat(32_000);
        let targets = "<".repeat(65_536);
        let headers = [
            ("x-robots-tag", &*header),
            ("x-robots-tag", &agents),
            ("x-robots-tag", &",".repeat(65_536)),
            ("link", &targets),
            ("link", &"<a>;rel=".repeat(8000)),
            ("content-usage", &"train-ai=n,".repeat(6000)),
        ];
        let statements = stated(&headers, &[metas, links].concat());
        assert!(statements.len() <= 100 * Signal::ALL.len());
        // Many statements of one kind leave room for others.
        assert!(statements.contains(&"Header - ai-train no".to_owned()));
        assert!(statements.contains(&"Link - license /x".to_owned()));
    }
}
