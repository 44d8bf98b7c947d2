//! Lists the links of a page, for runs that write them.

use crate::settings::Settings;
use crate::work::link_role::role_of;
use huller_archive::charset::Charset;
use huller_extract::{LinkPage, Links, PageLink};
use huller_page::entity::{self, Context};
use huller_page::{AttributeName, Page, Tag};
use huller_provenance::Base;
use huller_refine::Chain;
use huller_row::Link;
use huller_select::{Renderer, Role};
use std::borrow::Cow;
use std::ops::Range;

/// Most bytes of one target or `rel`. Links with longer targets are left out.
const MAX_TARGET_BYTES: usize = 4096;

/// Most Unicode scalars of the text of a link.
const MAX_TEXT_CHARS: usize = 1024;

/// The list ends where it would exceed both this many bytes and [`PAGE_SIZE_FACTOR`] times the
/// bytes of the page. A page may have a link every ten bytes, and each repeats the page's URL and
/// identifier.
const ALWAYS_FITTING_BYTES: usize = 1 << 20;
const PAGE_SIZE_FACTOR: usize = 8;

/// Bytes of a row besides its strings, about.
const BYTES_PER_ROW: usize = 64;

/// The links of a page. It owns its buffers.
#[derive(Default)]
pub(crate) struct LinkList {
    links: Links,
    /// Targets, texts and values of `rel`.
    strings: String,
    list: Vec<PlacedLink>,
    decoded: String,
    text: String,
    spare: String,
}

/// Facts about a page on which its links depend.
#[derive(Clone, Copy)]
pub(crate) struct LinkSource<'a> {
    /// The URL of the page.
    pub(crate) url: Option<&'a str>,
    /// The encoding of the page, which queries have too.
    pub(crate) charset: Charset,
    /// The number of bytes of the page that each row of a link repeats.
    pub(crate) repeated: usize,
}

/// A link whose strings are ranges of the buffer.
struct PlacedLink {
    /// The URL to which it leads.
    target: Range<usize>,
    /// The text of the link.
    text: Range<usize>,
    /// Empty if the link has no `rel`.
    rel: Range<usize>,
    role: Role,
    is_kept: bool,
}

impl LinkList {
    /// Makes a list that finds roles by the thesaurus of the run.
    pub(crate) fn new(settings: &Settings) -> LinkList {
        let own_thesaurus = settings.thesaurus.as_ref().map(|own| own.thesaurus.clone());
        let links = own_thesaurus.map_or_else(Links::default, Links::with_thesaurus);
        LinkList { links, ..LinkList::default() }
    }

    /// Lists the links of a page. The stages change the texts as they changed that of the row.
    pub(crate) fn fill(
        &mut self,
        whole_page: LinkPage<'_, '_>,
        source: LinkSource<'_>,
        renderer: &mut Renderer,
        stages: &mut Chain,
    ) {
        let LinkList { links, strings, list, decoded, text, spare } = self;
        strings.clear();
        strings.shrink_to(ALWAYS_FITTING_BYTES);
        list.clear();
        let LinkSource { url, charset, repeated } = source;
        let base = Base::new(url, stated_base(whole_page.page, decoded));
        let encode: &dyn Fn(&str) -> Cow<'_, [u8]> = &|query| charset.encode(query);
        let mut left = ALWAYS_FITTING_BYTES.max(PAGE_SIZE_FACTOR * whole_page.page.html().len());
        links.for_each_link(whole_page, renderer, |link| {
            let start = strings.len();
            let reference = decoded_value(link.href, decoded);
            if !reference.is_some_and(|href| base.resolve(href, Some(encode), strings)) {
                return;
            }
            let target = start..strings.len();
            write_text(&link, decoded, text);
            let role = role_of(&link, text, &strings[target.clone()], url);
            stages.rewrite(text, spare);
            strings.push_str(text);
            let text = target.end..strings.len();
            let rel = link.rel.and_then(|rel| decoded_value(rel, decoded));
            if let Some(rel) = rel {
                push_words(rel, strings);
            }
            let rel = text.end..strings.len();
            let bytes = rel.end - start + repeated + BYTES_PER_ROW;
            if target.len() > MAX_TARGET_BYTES || bytes > left {
                return strings.truncate(start);
            }
            left -= bytes;
            list.push(PlacedLink { target, text, rel, role, is_kept: link.is_kept });
        });
        join_teasers(list, strings);
    }

    /// Returns the bytes of their strings.
    pub(crate) fn bytes(&self) -> usize {
        self.strings.len()
    }

    /// Returns the links that were listed last.
    pub(crate) fn links(&self) -> Vec<Link<'_>> {
        let link = |(number, link): (usize, &PlacedLink)| Link {
            ordinal: number as u64,
            target: &self.strings[link.target.clone()],
            text: &self.strings[link.text.clone()],
            rel: Some(&self.strings[link.rel.clone()]).filter(|rel| !rel.is_empty()),
            role: link.role.name(),
            kept: link.is_kept,
        };
        self.list.iter().enumerate().map(link).collect()
    }
}

/// Gives links side by side with one target one role: the picture, the headline and the button of a
/// teaser are three links to a related page.
fn join_teasers(list: &mut [PlacedLink], strings: &str) {
    let teaser = |left: &PlacedLink, right: &PlacedLink| {
        !right.is_kept
            && (left.role, right.role) == (Role::Related, Role::Navigation)
            && strings[left.target.clone()] == strings[right.target.clone()]
    };
    for index in 1..list.len() {
        if teaser(&list[index - 1], &list[index]) {
            list[index].role = Role::Related;
        }
    }
    for index in (1..list.len()).rev() {
        if teaser(&list[index], &list[index - 1]) {
            list[index - 1].role = Role::Related;
        }
    }
}

/// Returns the address that the first `base` of a page states.
fn stated_base<'d>(page: &Page<'d>, decoded: &'d mut String) -> Option<&'d str> {
    let mut bases = page.nodes().iter().filter(|node| node.tag == Tag::BASE);
    let stated = bases.find_map(|node| page.attribute(node, AttributeName::Href))?;
    decoded_value(stated, decoded)
}

/// Returns the value of an attribute without character references. `None` for one that is too long.
fn decoded_value<'d>(value: &'d str, decoded: &'d mut String) -> Option<&'d str> {
    if value.len() > MAX_TARGET_BYTES {
        return None;
    }
    if !value.contains('&') {
        return Some(value);
    }
    decoded.clear();
    entity::decode(value, Context::Attribute, decoded);
    Some(decoded)
}

/// Appends the words of a value in lower case, with single spaces.
fn push_words(value: &str, out: &mut String) {
    let start = out.len();
    for word in value.split_ascii_whitespace() {
        if out.len() > start {
            out.push(' ');
        }
        out.push_str(word);
    }
    out[start..].make_ascii_lowercase();
}

/// Writes the text of a link, or else the description of its image, on one line.
fn write_text(link: &PageLink<'_>, decoded: &mut String, text: &mut String) {
    let source = match link.alt.and_then(|alt| decoded_value(alt, decoded)) {
        Some(alt) => alt,
        None => link.text,
    };
    text.clear();
    if source.len() <= MAX_TEXT_CHARS && is_one_line(source) {
        return text.push_str(source);
    }
    let mut left = MAX_TEXT_CHARS;
    for word in source.split_whitespace() {
        if !text.is_empty() {
            text.push(' ');
        }
        let visible = word.chars().filter(|scalar| !scalar.is_control());
        text.extend(visible.take(left));
        left = left.saturating_sub(word.chars().count() + 1);
        if left == 0 {
            break;
        }
    }
}

/// Returns whether a text consists of visible ASCII with single spaces between words.
fn is_one_line(text: &str) -> bool {
    let mut previous_byte = b' ';
    let is_plain = text.bytes().all(|byte| {
        let is_single = byte != b' ' || previous_byte != b' ';
        previous_byte = byte;
        is_single && (0x20..0x7F).contains(&byte)
    });
    is_plain && previous_byte != b' '
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_archive::charset;
    use huller_extract::PageFacts;
    use huller_page::PageBuf;
    use huller_select::Selection;

    fn listed(html: &str, url: Option<&str>) -> Vec<(String, String, Option<String>)> {
        let (mut buffer, mut renderer) = (PageBuf::new(), Renderer::default());
        renderer.note_places();
        let (mut list, mut stages) = (LinkList::default(), Chain::default());
        let page = buffer.fill(html);
        let (selection, facts) = (&Selection::default(), PageFacts::default());
        let whole = LinkPage { page: &page, segmentation: None, selection, facts };
        let charset = charset::detect(b"", None, None);
        let source = LinkSource { url, charset, repeated: 0 };
        list.fill(whole, source, &mut renderer, &mut stages);
        let strings = |link: Link<'_>| {
            (link.target.to_owned(), link.text.to_owned(), link.rel.map(str::to_owned))
        };
        list.links().into_iter().map(strings).collect()
    }

    #[test]
    fn targets_texts_and_relations_are_in_canonical_form() {
        let html = "<base target=x><base href='/f&#47;'><a href=' a&amp;b ' rel='NoFollow\n UGC'>It\
            <br>  rained</a><a href=#><img alt='two  &lt; words' src=x></a><a href=tel:1>1</a>\
            <a rel='' href=//h.test>h</a>";
        let found = listed(html, Some("https://a.test/b/c"));
        let expected = [
            ("https://a.test/f/a&b", "It rained", Some("nofollow ugc")),
            ("https://a.test/f/#", "two < words", None),
            ("https://h.test/", "h", None),
        ];
        let found: Vec<_> =
            found.iter().map(|(a, b, c)| (a.as_str(), b.as_str(), c.as_deref())).collect();
        assert_eq!(found, expected);
        let targets = |url| listed(html, url).into_iter().map(|link| link.0).collect::<Vec<_>>();
        assert!(targets(None).is_empty(), "the address in `base` is relative");
    }

    #[test]
    fn the_links_of_a_teaser_have_one_role() {
        let teaser = "<li><a href=1><img src=x></a><a href=1>Storms close the coast road</a>\
            <a href=1>more</a>";
        let html = format!("<ul>{teaser}<li><a href=2>Sport</a></ul>");
        let (mut buffer, mut renderer) = (PageBuf::new(), Renderer::default());
        renderer.note_places();
        let (selection, facts) = (&Selection::default(), PageFacts::default());
        let whole = LinkPage { page: &buffer.fill(&html), segmentation: None, selection, facts };
        let charset = charset::detect(b"", None, None);
        let source = LinkSource { url: Some("http://a.test/"), charset, repeated: 0 };
        let mut list = LinkList::default();
        list.fill(whole, source, &mut renderer, &mut Chain::default());
        let roles: Vec<_> = list.links().iter().map(|link| link.role).collect();
        assert_eq!(roles, ["related", "related", "related", "navigation"]);
    }

    #[test]
    fn long_strings_and_long_lists_are_cut() {
        let text = "word ".repeat(1000);
        let found = listed(&format!("<a href=http://a.test>{text}</a>"), None);
        assert_eq!(found[0].1.chars().count(), 1024);
        let long = "x".repeat(5000);
        assert!(listed(&format!("<a href=http://a.test/{long}>a</a>"), None).is_empty());
        let url = format!("http://a.test/{}", "x".repeat(4000));
        let many = "<a href=>a</a>".repeat(10_000);
        let count = listed(&many, Some(&url)).len();
        assert!((200..300).contains(&count), "{count}");
    }
}
