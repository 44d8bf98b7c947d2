//! Searches for a byline on the page, around the headline.

use super::limits::MAX_AUTHOR_CHARS;
use super::line::{LineWriter, Value, chars};
use super::name::{is_handle, is_name, is_sentence, name_of, spoken_name, strip_by, strip_label};
use super::side_parts::is_apart;
use super::window::Window;
use super::words::is_wide;
use huller_page::{AttributeName, Attributes, Page, RunFlags, Tag};
use memchr::{memchr, memmem};

/// Largest number of visible scalars of a byline.
const MAX_BYLINE_CHARS: u32 = 240;
/// Largest number of texts to read on one page.
const MAX_TEXTS: usize = 48;
/// Largest number of nodes of an element to search for names.
const NODES_WITHIN: u32 = 64;
/// Largest number of text runs of a byline.
const MAX_RUNS: usize = 32;
/// Largest length in bytes of the line with a byline.
const MAX_LINE_BYTES: usize = 200;
/// Largest number of names in one byline.
const MAX_NAMES: usize = 8;

/// An element with a mark of the author.
pub(super) type MarkedNode = (u32, AuthorMark);

/// The kind of an element's mark of the author.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AuthorMark {
    ForMachines,
    ForStyle,
}

/// The source of the authors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// JSON-LD.
    JsonLd,
    /// `meta` elements.
    Meta,
    /// An element with machine-readable marks of the author.
    Marked,
    /// An element whose class or id names the author.
    Class,
    /// Text that begins with "by".
    Text,
}

/// Searches for a byline on the page.
pub(super) struct Byline<'m, 'p> {
    pub(super) page: &'p Page<'p>,
    pub(super) headline: Option<u32>,
    pub(super) lines: &'m mut LineWriter,
    pub(super) attributes: &'m mut Attributes,
    /// The text that is being read, and one run of it.
    pub(super) text: &'m mut String,
    pub(super) of_run: &'m mut String,
    pub(super) marks: &'m mut Vec<MarkedNode>,
    /// Number of texts that may still be read.
    tries: usize,
}

impl<'m, 'p> Byline<'m, 'p> {
    pub(super) fn new(
        page: &'p Page<'p>,
        headline: Option<u32>,
        lines: &'m mut LineWriter,
        attributes: &'m mut Attributes,
        (text, of_run, marks): (&'m mut String, &'m mut String, &'m mut Vec<MarkedNode>),
    ) -> Byline<'m, 'p> {
        Byline { page, headline, lines, attributes, text, of_run, marks, tries: MAX_TEXTS }
    }

    /// Appends the names in marked elements, first of those with machine-readable marks.
    pub(super) fn append_marked(&mut self, window: &Window, out: &mut String) -> Option<Source> {
        // The words match `Author` and `Byline` too. Few pages contain either word, so searching
        // the source for them is quicker than reading all start tags.
        ["uthor", "yline"].into_iter().find_map(|word| {
            self.find_marks(window, word);
            let for_machines = self.names_of_marked(AuthorMark::ForMachines, out);
            for_machines.or_else(|| self.names_of_marked(AuthorMark::ForStyle, out))
        })
    }

    /// Finds the elements whose start tag contains the word and marks the author.
    fn find_marks(&mut self, window: &Window, word: &str) {
        self.marks.clear();
        let bytes = window.bytes(self.page);
        let source = &self.page.html().as_bytes()[bytes.clone()];
        let mut last = None;
        for place in memmem::find_iter(source, word).map(|place| bytes.start + place) {
            let node = window.node_at(self.page, place);
            if last.replace(node) != Some(node)
                && self.marks.len() < MAX_TEXTS
                && let Some(mark) = self.mark(node, place)
                && !is_apart(self.page, node, self.headline)
            {
                self.marks.push((node, mark));
            }
        }
    }

    /// Appends the names of the first marked element that has any, and of the marked elements
    /// beside it.
    fn names_of_marked(&mut self, wanted: AuthorMark, out: &mut String) -> Option<Source> {
        let mut first: Option<u32> = None;
        for place in 0..self.marks.len() {
            let (node, mark) = self.marks[place];
            if mark != wanted || first.is_some_and(|first| !self.continues(first, node)) {
                continue;
            }
            if self.names_in(node, out) {
                first = Some(node);
            }
        }
        first?;
        Some(if wanted == AuthorMark::ForMachines { Source::Marked } else { Source::Class })
    }

    /// Returns whether a marked element continues the list of authors of the one before it. Between
    /// them may be at most five visible scalars, enough for `and`.
    fn continues(&self, last: u32, node: u32) -> bool {
        const BETWEEN: u32 = 5;
        let nodes = self.page.nodes();
        let (last, node) = (&nodes[last as usize], &nodes[node as usize]);
        let between = last.run_end as usize..node.run_start as usize;
        last.parent == node.parent
            && last.tag == node.tag
            && self.page.runs().get(between).is_some_and(|runs| {
                runs.iter().map(|run| run.counts.chars).fold(0, u32::saturating_add) <= BETWEEN
            })
    }

    /// Returns the kind of the author mark in an element's start tag. `None` if the tag has no such
    /// mark, or if the byte `place` of the source is not inside the tag.
    fn mark(&mut self, node: u32, place: usize) -> Option<AuthorMark> {
        let element = &self.page.nodes()[node as usize];
        let start = element.byte_start as usize;
        let before = self.page.html().as_bytes().get(start..place)?;
        let is_in_tag = before.len() < Window::TAG && memchr(b'>', before).is_none();
        if !is_in_tag {
            return None;
        }
        let is_empty = element.run_start == element.run_end;
        let mut mark = None;
        for (name, value) in self.page.all_attributes(element, self.attributes) {
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            let says = |word: &str| value.split_ascii_whitespace().any(|one| one == word);
            let is_property = is("itemprop") && says("author");
            let is_relation = is("rel") && says("author")
                || is("href") && element.tag == Tag::A && value.contains("/author");
            if is_property || is_relation && !is_empty {
                return Some(AuthorMark::ForMachines);
            }
            let names = ["author", "Author", "byline", "Byline"];
            if (is("class") || is("id")) && names.iter().any(|name| value.contains(name)) {
                mark = Some(AuthorMark::ForStyle);
            }
        }
        mark.filter(|_| !is_empty)
    }

    /// Appends the names in an element: those of elements that are marked as names, otherwise of
    /// its links, otherwise of its text.
    fn names_in(&mut self, node: u32, out: &mut String) -> bool {
        if self.tries == 0 || chars(self.page, node) > MAX_BYLINE_CHARS {
            return false;
        }
        let nodes = self.page.nodes();
        let end = nodes[node as usize].end.min(node + NODES_WITHIN);
        if nodes[node as usize].runs().is_empty() {
            return (node..end).any(|inner| self.take_content(inner, out));
        }
        let inside = node + 1..end;
        let is_named = |page: &Page<'_>, inner: u32| is_named(page, inner);
        let is_link = |page: &Page<'_>, inner: u32| is_link_of_person(page, inner);
        self.names_of(inside.clone(), is_named, out)
            || self.names_of(inside, is_link, out)
            || self.take(node, out)
    }

    /// Appends the names in the nodes for which `is_wanted` holds, as long as each continues the
    /// list of the one before.
    fn names_of(
        &mut self,
        nodes: std::ops::Range<u32>,
        is_wanted: fn(&Page<'_>, u32) -> bool,
        out: &mut String,
    ) -> bool {
        let (mut last, mut after, mut names): (Option<u32>, u32, usize) = (None, 0, 0);
        for inner in nodes {
            if inner < after || !is_wanted(self.page, inner) || names == MAX_NAMES {
                continue;
            }
            if last.is_some_and(|last| !self.only_separator_between(last, inner)) {
                break;
            }
            if self.take(inner, out) {
                (last, names) = (Some(inner), names + 1);
                after = self.page.nodes()[inner as usize].end;
            }
        }
        last.is_some()
    }

    /// Returns whether only a separator, such as `, ` or ` and `, is between two elements.
    fn only_separator_between(&self, last: u32, node: u32) -> bool {
        let nodes = self.page.nodes();
        let between =
            nodes[last as usize].run_end as usize..nodes[node as usize].run_start as usize;
        let separators = [
            ",", "&", "&amp;", ";", "and", "und", "et", "y", "e", "en", "i", "och", "og", "/", "·",
            "|", "、",
        ];
        let is_separator = |run: &huller_page::Run| {
            let text = self.page.run_source(run);
            let mut words =
                text.split([' ', ',', '\n', '\t', '\r', '\u{a0}']).filter(|word| !word.is_empty());
            text.len() <= 64
                && words.all(|word| separators.iter().any(|known| word.eq_ignore_ascii_case(known)))
        };
        self.page
            .runs()
            .get(between)
            .is_some_and(|runs| runs.len() <= 3 && runs.iter().all(is_separator))
    }

    /// Appends the name in text around the headline that begins with "by". The name may be in the
    /// next run.
    pub(super) fn spoken(&mut self, window: &Window, out: &mut String) -> Option<Source> {
        let runs = self.page.runs();
        for run in window.runs.clone() {
            if runs[run].counts.chars > MAX_BYLINE_CHARS {
                continue;
            }
            let source = self.page.run_source(&runs[run]).trim_start();
            let Some(rest) = strip_label(source).or_else(|| after_chinese_label(source)) else {
                continue;
            };
            let of_name = run + usize::from(rest.trim_end().is_empty());
            let is_short =
                runs.get(of_name).is_some_and(|run| run.counts.chars <= MAX_BYLINE_CHARS);
            if !is_short || self.tries == 0 {
                continue;
            }
            self.tries -= 1;
            let [label, name] = [runs[run].node, runs[of_name].node];
            if is_apart(self.page, label, self.headline)
                || is_apart(self.page, name, self.headline)
                || strip_by(source).is_some() && self.is_in_sentence(of_name)
            {
                continue;
            }
            self.text.clear();
            self.lines.put_run(self.page, of_name, MAX_AUTHOR_CHARS, self.text);
            let name = match after_chinese_label(self.text) {
                Some(names) => Some(name_of(chinese_names(names))).filter(|name| is_name(name)),
                None => spoken_name(
                    strip_label(self.text).unwrap_or(self.text),
                    strip_by(source).is_none(),
                ),
            };
            let name = name.filter(|name| name.starts_with(begins_name));
            let handle = || {
                Some(&**self.text).filter(|text| {
                    is_linked_handle(self.page, self.page.runs()[of_name].node, text)
                })
            };
            let Some(name) = name.or_else(handle) else { continue };
            // `<h2>By Boat to Town</h2>` begins a part; some pages write names in such headings in
            // capitals.
            let is_headed = is_in_heading(self.page, label) && name.contains(char::is_lowercase);
            if is_headed && strip_by(source).is_some() {
                continue;
            }
            out.push_str(name);
            return Some(Source::Text);
        }
        None
    }

    /// Returns whether a run and the runs after it on the same line form a sentence, or text longer
    /// than a byline.
    fn is_in_sentence(&mut self, run: usize) -> bool {
        const MAX_LINE_RUNS: usize = 8;
        self.of_run.clear();
        for next in (run..self.page.runs().len()).take(MAX_LINE_RUNS) {
            let gap = if next == run { RunGap::Glued } else { gap_before(self.page, next) };
            if gap == RunGap::Block {
                break;
            }
            self.of_run.push_str(if gap == RunGap::Space { " " } else { "" });
            self.lines.put_run(self.page, next, MAX_AUTHOR_CHARS, self.of_run);
        }
        // The end of a time, such as `11:04 a.m.`, is not the end of a sentence.
        self.of_run.len() > MAX_LINE_BYTES
            || is_sentence(self.of_run) && !self.of_run.contains(|c: char| c.is_ascii_digit())
    }

    /// Appends the name that an element without text states for machines:
    /// `<meta itemprop=name content="Ann Ray">`.
    fn take_content(&mut self, node: u32, out: &mut String) -> bool {
        let element = &self.page.nodes()[node as usize];
        let (mut is_name_of_author, mut content) = (false, None);
        for (name, value) in self.page.all_attributes(element, self.attributes) {
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            is_name_of_author |= is("itemprop")
                && value.split_ascii_whitespace().any(|word| matches!(word, "author" | "name"));
            content = content.or(Some(value).filter(|_| is("content")));
        }
        let Some(content) = content.filter(|_| is_name_of_author) else { return false };
        self.text.clear();
        Value::Attribute(content).put_line(MAX_AUTHOR_CHARS, self.lines, self.text);
        self.append_name(out)
    }

    /// Appends the name in the text that was read last, unless `out` already has it.
    fn append_name(&self, out: &mut String) -> bool {
        let name = name_of(self.text.trim());
        let fits = is_name(name)
            && !out.split(", ").any(|known| known == name)
            && out.chars().count() + name.chars().count() + 2 <= MAX_AUTHOR_CHARS;
        if fits {
            out.push_str(if out.is_empty() { "" } else { ", " });
            out.push_str(name);
        }
        fits
    }

    /// Appends the name in the text of an element, unless `out` already has it. Text that the
    /// markup separates from the name, such as a role, is left out.
    fn take(&mut self, node: u32, out: &mut String) -> bool {
        if self.tries == 0 || chars(self.page, node) > MAX_BYLINE_CHARS {
            return false;
        }
        self.tries -= 1;
        self.text.clear();
        let runs = self.page.nodes()[node as usize].runs();
        let start = runs.start;
        for run in runs.take(MAX_RUNS) {
            if is_of_form(self.page, self.page.runs()[run].node, node) {
                continue;
            }
            self.of_run.clear();
            self.lines.put_run(self.page, run, MAX_AUTHOR_CHARS, self.of_run);
            let gap = if run == start { RunGap::Space } else { gap_before(self.page, run) };
            let name = name_of(self.text);
            if gap != RunGap::Space && is_name(name) {
                let begins_word =
                    self.of_run.starts_with(|c: char| c.is_alphanumeric() && !c.is_lowercase());
                if gap == RunGap::Block || begins_word {
                    break;
                }
            }
            if gap == RunGap::Block && !self.text.is_empty() && strip_label(self.text).is_none() {
                self.text.clear();
            }
            let is_apart = gap != RunGap::Glued || strip_label(self.text) == Some("");
            if is_apart && !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(self.of_run);
        }
        self.append_name(out)
    }
}

/// The separation of two text runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunGap {
    /// White space, or text that continues within a line.
    Space,
    /// Inline tags without white space.
    Glued,
    /// The border of a block.
    Block,
}

/// Returns the separation of a text run from the one before it.
fn gap_before(page: &Page<'_>, run: usize) -> RunGap {
    const MAX_GAP_BYTES: usize = 1 << 10;
    const BLOCKS: [&[u8]; 20] = [
        b"div", b"p", b"li", b"ul", b"ol", b"td", b"tr", b"br", b"h1", b"h2", b"h3", b"h4", b"h5",
        b"h6", b"dd", b"dt", b"section", b"header", b"footer", b"time",
    ];
    let (last, next) = (&page.runs()[run - 1], &page.runs()[run]);
    let between = last.byte_end as usize..next.byte_start as usize;
    let Some(between) =
        page.html().as_bytes().get(between).filter(|all| all.len() <= MAX_GAP_BYTES)
    else {
        return RunGap::Block;
    };
    let is_tag_of_block = |tag: &[u8]| {
        let tag = tag.strip_prefix(b"/").unwrap_or(tag);
        let end = tag.iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(tag.len());
        BLOCKS.iter().any(|block| tag[..end].eq_ignore_ascii_case(block))
    };
    if between.split(|b| *b == b'<').skip(1).any(is_tag_of_block) {
        return RunGap::Block;
    }
    let ends_white = page.run_source(last).ends_with(char::is_whitespace);
    let is_spaced = ends_white
        || next.flags.contains(RunFlags::SPACE_BEFORE)
        || page.run_source(next).starts_with(char::is_whitespace);
    if is_spaced || between.is_empty() { RunGap::Space } else { RunGap::Glued }
}

/// Returns whether a node, within the element `outer`, belongs to a form, a button, a label or the
/// title of an icon.
fn is_of_form(page: &Page<'_>, node: u32, outer: u32) -> bool {
    let mut inner = node;
    while inner > outer {
        let element = &page.nodes()[inner as usize];
        if matches!(
            element.tag,
            Tag::LABEL | Tag::BUTTON | Tag::FORM | Tag::SELECT | Tag::TEXTAREA | Tag::TITLE
        ) {
            return true;
        }
        inner = element.parent;
    }
    false
}

/// Returns whether a text is the handle of an account whose page it links to.
fn is_linked_handle(page: &Page<'_>, node: u32, text: &str) -> bool {
    let element = &page.nodes()[node as usize];
    element.tag == Tag::A
        && is_handle(text)
        && is_name(text)
        && page.attribute(element, AttributeName::Href).is_some_and(|href| {
            let last = href.trim_end_matches('/').rsplit(['/', '=']).next();
            last.is_some_and(|last| last.eq_ignore_ascii_case(text))
        })
}

/// Returns whether a name can begin with this scalar.
fn begins_name(c: char) -> bool {
    c.is_alphabetic() && !c.is_lowercase()
}

/// Returns whether a node is a heading of the first three levels or lies directly in one.
fn is_in_heading(page: &Page<'_>, node: u32) -> bool {
    const MAX_LEVELS: usize = 4;
    let mut inner = node;
    for _ in 0..MAX_LEVELS {
        let element = &page.nodes()[inner as usize];
        if matches!(element.tag, Tag::H1 | Tag::H2 | Tag::H3) {
            return true;
        }
        inner = element.parent;
    }
    false
}

/// Returns whether an element is marked as a name: `itemprop=name`, or a class such as
/// `author-name` or `fn`.
fn is_named(page: &Page<'_>, node: u32) -> bool {
    let element = &page.nodes()[node as usize];
    let says = |attribute, is: fn(&str) -> bool| {
        page.attribute(element, attribute)
            .is_some_and(|value| value.split_ascii_whitespace().any(is))
    };
    says(AttributeName::Itemprop, |word| word == "name")
        || says(AttributeName::Class, |word| {
            let word = word.as_bytes();
            let ends = word.len() >= 4 && word[word.len() - 4..].eq_ignore_ascii_case(b"name");
            ends || word == b"fn"
        })
}

/// Returns whether an element is a link that may lead to a person. Anchors, mail addresses and
/// pages of networks are excluded.
fn is_link_of_person(page: &Page<'_>, node: u32) -> bool {
    const NETWORKS: [&str; 7] = [
        "twitter.com",
        "x.com/",
        "facebook.com",
        "instagram.com",
        "linkedin.com",
        "youtube.com",
        "/feed",
    ];
    let element = &page.nodes()[node as usize];
    element.tag == Tag::A
        && page.attribute(element, AttributeName::Href).is_none_or(|href| {
            !href.starts_with("mailto:") && !NETWORKS.iter().any(|network| href.contains(network))
        })
}

/// Returns the text after the word for "author" in a line of Chinese text: `来源：新华社 作者：王小明`.
fn after_chinese_label(text: &str) -> Option<&str> {
    ["作者：", "作者:"].iter().find_map(|label| {
        let at = text.find(label)?;
        Some(text[at + label.len()..].trim_start())
    })
}

/// Returns the names at the beginning of a line of Chinese text: words of two to four scalars.
fn chinese_names(text: &str) -> &str {
    let mut end = 0;
    for word in text.split(' ').take(MAX_NAMES) {
        let is_name = (2..=4).contains(&word.chars().count()) && word.chars().all(is_wide);
        if end > 0 && !is_name {
            break;
        }
        end += word.len() + 1;
    }
    &text[..end.saturating_sub(1).min(text.len())]
}
