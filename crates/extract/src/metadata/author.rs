//! Who wrote the page.
//!
//! In this order: the authors of JSON-LD; those of `meta` elements; around the headline what an element says that is marked
//! as the author's for machines (`itemprop`, `rel`, a link to `/author`), then one whose class or id says so, then text that begins
//! with "by" in one of a few languages. Of a byline only the name is taken: what stands before "by", and what stands behind a
//! mark or a date is not. What has digits, is an address or is too long is no name.
//!
//! Cost: O(1) for what is stated, O(window) else. Known failures: an author that is stated may be the site, or whoever keeps it;
//! "by" in other languages than the few is taken for a part of the name.

use super::LONGEST_AUTHOR;
use super::Window;
use super::line::{Lines, Value, put_line};
use super::published::date::month_of;
use super::stated::{Stated, is_address};
use huller_page::{Attributes, Node, Page, Tag};
use memchr::{memchr, memmem};

/// Where an author was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// JSON-LD.
    JsonLd,
    /// `meta` elements.
    Meta,
    /// An element that is marked as the author's for machines.
    Marked,
    /// An element whose class or id speaks of the author.
    Class,
    /// Text that begins with "by".
    Text,
}

/// Words that a byline begins with.
const BY: [&str; 14] = [
    "by", "von", "par", "por", "di", "door", "av", "af", "autor", "author", "作者", "记者", "記者",
    "文",
];

/// Scalars that one name has at most, and words.
const LONGEST_NAME: usize = 80;
const MOST_WORDS: usize = 12;

/// Appends the authors to `out`; `None` if none are found.
pub(super) fn find(
    page: &Page<'_>,
    stated: &Stated<'_>,
    window: &Window,
    (lines, attributes, text): (&mut Lines, &mut Attributes, &mut String),
    out: &mut String,
) -> Option<Source> {
    let from_json = stated.json_ld.authors();
    let names = from_json.as_slice().iter().map(|name| Value::Json(name));
    if put_names(names, lines, text, out) {
        return Some(Source::JsonLd);
    }
    let names = stated.authors().iter().map(|name| Value::Attribute(name));
    if put_names(names, lines, text, out) {
        return Some(Source::Meta);
    }
    let mut byline = Byline { page, lines, attributes, text, tries: TRIES };
    byline.marked(window, out).or_else(|| byline.spoken(window, out))
}

/// Appends the names that are names, each once.
fn put_names<'a>(
    names: impl Iterator<Item = Value<'a>>,
    lines: &mut Lines,
    text: &mut String,
    out: &mut String,
) -> bool {
    for value in names.filter(|value| !is_address(value.raw())) {
        text.clear();
        value.put_line(LONGEST_AUTHOR, lines, text);
        let name = after_by(text).unwrap_or(text);
        let known = out.split(", ").any(|known| known == name);
        let separator = if out.is_empty() { "" } else { ", " };
        let room = LONGEST_AUTHOR.saturating_sub(out.chars().count() + separator.len());
        if known || !name.contains(char::is_alphabetic) || name.chars().count() > room {
            continue;
        }
        out.push_str(separator);
        out.push_str(name);
    }
    !out.is_empty()
}

/// Looks for a byline on the page.
struct Byline<'m, 'p> {
    page: &'p Page<'p>,
    lines: &'m mut Lines,
    attributes: &'m mut Attributes,
    text: &'m mut String,
    /// How often text may still be looked at.
    tries: usize,
}

/// Texts that are looked at in one page.
const TRIES: usize = 24;

/// How an element speaks of the author.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    ForMachines,
    ForStyle,
}

impl Byline<'_, '_> {
    /// What marked elements say, those marked for machines first.
    fn marked(&mut self, window: &Window, out: &mut String) -> Option<Source> {
        let mut for_style = false;
        for node in window.nodes.clone() {
            match self.mark(&self.page.nodes()[node]) {
                Some(Mark::ForMachines) if self.name_in(node, out) => return Some(Source::Marked),
                Some(Mark::ForStyle) => for_style = true,
                _ => {}
            }
        }
        let mut nodes = window.nodes.clone().filter(|_| for_style);
        nodes.find(|&node| {
            let mark = self.mark(&self.page.nodes()[node]);
            mark == Some(Mark::ForStyle) && self.name_in(node, out)
        })?;
        Some(Source::Class)
    }

    fn mark(&mut self, node: &Node) -> Option<Mark> {
        /// Bytes of a start tag that are looked at.
        const TAG: usize = 512;
        if node.run_start == node.run_end {
            return None;
        }
        let source = self.page.node_source(node).as_bytes();
        let tag = &source[..source.len().min(TAG)];
        let tag = &tag[..memchr(b'>', tag).unwrap_or(tag.len())];
        // `Author`, `author`; `Byline`, `byline`.
        if memmem::find(tag, b"uthor").is_none() && memmem::find(tag, b"yline").is_none() {
            return None;
        }
        let mut mark = None;
        for (name, value) in self.page.all_attributes(node, self.attributes) {
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            let says = |word: &str| value.split_ascii_whitespace().any(|one| one == word);
            if (is("itemprop") || is("rel")) && says("author")
                || is("href") && node.tag == Tag::A && value.contains("/author")
            {
                return Some(Mark::ForMachines);
            }
            if is("class") || is("id") {
                let lower = |word: &str, rest: &str| {
                    value.match_indices(rest).any(|(at, _)| {
                        let start = at - usize::from(at > 0);
                        value[start..]
                            .get(..word.len())
                            .is_some_and(|w| w.eq_ignore_ascii_case(word))
                    })
                };
                if lower("author", "uthor") || lower("byline", "yline") {
                    mark = Some(Mark::ForStyle);
                }
            }
        }
        mark
    }

    /// Appends the name that an element holds: that of its first link, else all it says.
    fn name_in(&mut self, node: usize, out: &mut String) -> bool {
        let element = &self.page.nodes()[node];
        let inside = node..(element.end as usize).min(node + LINKS_WITHIN);
        let mut links = inside.filter(|inner| self.page.nodes()[*inner].tag == Tag::A);
        links.any(|link| self.take(self.page.nodes()[link].runs(), false, out))
            || self.take(element.runs(), false, out)
    }

    /// Text around the headline that begins with "by"; the name may be in the run behind it.
    fn spoken(&mut self, window: &Window, out: &mut String) -> Option<Source> {
        for run in window.runs.clone() {
            let source = self.page.run_source(&self.page.runs()[run]).trim();
            let Some(rest) = strip_by(source) else { continue };
            let runs = if rest.is_empty() { run + 1..run + 2 } else { run..run + 1 };
            if runs.end <= window.runs.end && self.take(runs, true, out) {
                return Some(Source::Text);
            }
        }
        None
    }

    /// Appends the name that some runs hold, if it is one.
    fn take(&mut self, runs: std::ops::Range<usize>, strict: bool, out: &mut String) -> bool {
        if self.tries == 0 {
            return false;
        }
        self.tries -= 1;
        self.text.clear();
        self.lines.put_runs(self.page, runs, 2 * LONGEST_NAME, self.text);
        let name = name_of(self.text);
        let fits = is_name(name) && (!strict || begins_as_name(name));
        if fits {
            put_line(name, LONGEST_AUTHOR, out);
        }
        fits
    }
}

/// Elements within an element in which its first link is looked for.
const LINKS_WITHIN: usize = 16;

/// The name in a byline.
fn name_of(byline: &str) -> &str {
    let is_mark = |c: char| matches!(c, '|' | '·' | '•' | '–' | '—' | '/' | '(' | '@');
    let name = after_by(byline).unwrap_or(byline);
    let end = name.find(|c: char| c.is_numeric() || is_mark(c)).unwrap_or(name.len());
    let mut name = name[..end].trim();
    // What is left of a date, and what led to it: `Ann Ray on May`.
    if end < byline.len() {
        let mut at = 0;
        let before_month =
            name.split(' ').take_while(|word| month_of(word.trim_matches(',')).is_none());
        before_month.for_each(|word| at += word.len() + 1);
        name = name[..at.min(name.len())].trim_end();
    }
    while let Some((rest, last)) = name.rsplit_once(' ')
        && (last.starts_with(char::is_lowercase) || !last.contains(char::is_alphanumeric))
    {
        name = rest.trim_end();
    }
    name.trim_end_matches([',', ':', ';', '-', '.', ' ']).trim_start_matches(['-', ':', '~', ' '])
}

/// What stands behind "by", if that is among the first words.
fn after_by(text: &str) -> Option<&str> {
    const AMONG: usize = 3;
    let mut rest = text;
    for _ in 0..AMONG {
        if let Some(name) = strip_by(rest).filter(|name| !name.is_empty()) {
            return Some(name);
        }
        rest = rest.split_once(' ')?.1;
    }
    None
}

/// What stands behind "by" at the very beginning.
fn strip_by(text: &str) -> Option<&str> {
    BY.iter().find_map(|word| {
        let start = text.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word))?;
        let rest = &text[start.len()..];
        let name = rest.trim_start_matches([':', '：', ' ', '\u{a0}', '/', '\n', '\t', '\r']);
        // A word that only begins with these letters is another one.
        (rest.is_empty() || name.len() < rest.len()).then_some(name)
    })
}

fn is_name(name: &str) -> bool {
    let words = name.split(' ').count();
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 2 && words <= MOST_WORDS && name.chars().count() <= LONGEST_NAME && !is_address(name)
}

fn begins_as_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase())
}
