//! Finds the authors.
//!
//! The sources, in order: JSON-LD; `meta` elements; then, around the headline: an element marked for machines as the
//! author's (`itemprop`, `rel`, a link to `/author`), an element whose class or id speaks of the author, and text
//! that begins with "by" in one of a few languages. Of a byline only the name is taken, without the text up to "by"
//! and without the text from the first mark or digit on. Text that is an address, is too long or has fewer than two
//! letters is not a name.
//!
//! Cost: O(1) for stated authors, O(window) for the others. Known failures: a stated author may be the site or its
//! administrator; "by" in other languages is taken as a part of the name.

use super::date::month_of;
use super::limits::LONGEST_AUTHOR;
use super::line::{LineWriter, Value, chars};
use super::stated::{Stated, is_address};
use super::window::Window;
use huller_page::{Attributes, Page, Tag};
use memchr::{memchr, memmem};

/// Where the authors were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// JSON-LD.
    JsonLd,
    /// `meta` elements.
    Meta,
    /// An element marked for machines as the author's.
    Marked,
    /// An element whose class or id speaks of the author.
    Class,
    /// Text that begins with "by".
    Text,
}

/// Memory for finding authors.
#[derive(Debug, Default)]
pub(super) struct Memory {
    text: String,
    marks: Vec<(u32, Mark)>,
}

/// Words for "by" at the beginning of a byline. The first three also count after one or two other words (`Written
/// by`); there the other words are parts of names.
const BY: [&str; 13] = [
    "by", "par", "por", "von", "door", "av", "af", "autor", "author", "作者", "记者", "記者", "文",
];
const INNER: usize = 3;

/// For each byte, whether one of the words begins with it, in upper or lower case.
static BEGINS_BY: [bool; 256] = {
    let mut begins = [false; 256];
    let mut i = 0;
    while i < BY.len() {
        let first = BY[i].as_bytes()[0];
        begins[first as usize] = true;
        begins[first.to_ascii_uppercase() as usize] = true;
        i += 1;
    }
    begins
};

/// Largest length of a name, in Unicode scalars, and largest number of its words.
const LONGEST_NAME: usize = 80;
const MOST_WORDS: usize = 12;
/// Largest number of visible scalars of a byline.
const LONGEST_BYLINE: u32 = 160;

/// Appends the authors to `out`. Returns where they were found, or `None` if there are none.
pub(super) fn find(
    page: &Page<'_>,
    stated: &Stated<'_>,
    headline: Option<u32>,
    (lines, attributes, memory): (&mut LineWriter, &mut Attributes, &mut Memory),
    out: &mut String,
) -> Option<Source> {
    let Memory { text, marks } = memory;
    let from_json = stated.json_ld.authors();
    let names = from_json.as_slice().iter().map(|name| Value::Json(name));
    if put_names(names, lines, text, out) {
        return Some(Source::JsonLd);
    }
    let names = stated.authors().iter().map(|name| Value::Attribute(name));
    if put_names(names, lines, text, out) {
        return Some(Source::Meta);
    }
    let mut byline = Byline { page, lines, attributes, text, marks, tries: TRIES };
    let window = Window::around(page, headline, Window::BYLINE);
    byline.marked(&window, out).or_else(|| byline.spoken(&window, out))
}

/// Appends those of the values that are names, each name once. Returns whether `out` has any.
fn put_names<'a>(
    names: impl Iterator<Item = Value<'a>>,
    lines: &mut LineWriter,
    text: &mut String,
    out: &mut String,
) -> bool {
    for value in names.filter(|value| !is_address(value.raw())) {
        text.clear();
        value.put_line(LONGEST_AUTHOR, lines, text);
        let name = strip_by(text, &BY[..1]).unwrap_or(text);
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

/// Searches for a byline on the page.
struct Byline<'m, 'p> {
    page: &'p Page<'p>,
    lines: &'m mut LineWriter,
    attributes: &'m mut Attributes,
    text: &'m mut String,
    marks: &'m mut Vec<(u32, Mark)>,
    /// Number of texts that may still be read.
    tries: usize,
}

/// Largest number of texts that are read on one page.
const TRIES: usize = 24;

/// How an element is marked as the author's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    ForMachines,
    ForStyle,
}

impl Byline<'_, '_> {
    /// Appends the name in a marked element; elements marked for machines come first.
    fn marked(&mut self, window: &Window, out: &mut String) -> Option<Source> {
        // The words match `Author` and `Byline` too. Few pages have either word, so searching the source for them is
        // quicker than reading all start tags.
        ["uthor", "yline"].into_iter().find_map(|word| {
            self.find_marks(window, word);
            let for_machines = self.name_of_marked(Mark::ForMachines, out);
            for_machines.or_else(|| self.name_of_marked(Mark::ForStyle, out))
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
                && self.marks.len() < TRIES
                && let Some(mark) = self.mark(node, place)
            {
                self.marks.push((node, mark));
            }
        }
    }

    fn name_of_marked(&mut self, wanted: Mark, out: &mut String) -> Option<Source> {
        for place in 0..self.marks.len() {
            let (node, mark) = self.marks[place];
            if mark == wanted && self.name_in(node, out) {
                return Some(if mark == Mark::ForMachines {
                    Source::Marked
                } else {
                    Source::Class
                });
            }
        }
        None
    }

    /// How the start tag of an element marks the author; `None` if it does not, or if the byte `place` of the source
    /// is not inside the tag.
    fn mark(&mut self, node: u32, place: usize) -> Option<Mark> {
        let element = &self.page.nodes()[node as usize];
        let start = element.byte_start as usize;
        let before = self.page.html().as_bytes().get(start..place)?;
        let is_in_tag = before.len() < Window::TAG && memchr(b'>', before).is_none();
        if !is_in_tag || element.run_start == element.run_end {
            return None;
        }
        let mut mark = None;
        for (name, value) in self.page.all_attributes(element, self.attributes) {
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            let says = |word: &str| value.split_ascii_whitespace().any(|one| one == word);
            if (is("itemprop") || is("rel")) && says("author")
                || is("href") && element.tag == Tag::A && value.contains("/author")
            {
                return Some(Mark::ForMachines);
            }
            let names = ["author", "Author", "byline", "Byline"];
            if (is("class") || is("id")) && names.iter().any(|name| value.contains(name)) {
                mark = Some(Mark::ForStyle);
            }
        }
        mark
    }

    /// Appends the name in an element: that of its first link that holds one, otherwise its whole text.
    fn name_in(&mut self, node: u32, out: &mut String) -> bool {
        let nodes = self.page.nodes();
        let inside = node..nodes[node as usize].end.min(node + LINKS_WITHIN);
        let mut links = inside.filter(|inner| nodes[*inner as usize].tag == Tag::A);
        links.any(|link| self.take(link, out)) || self.take(node, out)
    }

    /// Appends the name in text around the headline that begins with "by". The name may be in the next run.
    fn spoken(&mut self, window: &Window, out: &mut String) -> Option<Source> {
        let runs = self.page.runs();
        for run in window.runs.clone() {
            if runs[run].counts.chars > LONGEST_BYLINE {
                continue;
            }
            let Some(rest) = strip_by(self.page.run_source(&runs[run]).trim_start(), &BY) else {
                continue;
            };
            let of_name = run + usize::from(rest.trim_end().is_empty());
            let is_short = runs.get(of_name).is_some_and(|run| run.counts.chars <= LONGEST_BYLINE);
            if !is_short || self.tries == 0 {
                continue;
            }
            self.tries -= 1;
            self.text.clear();
            self.lines.put_run(self.page, of_name, LONGEST_AUTHOR, self.text);
            let name = name_of(self.text);
            if is_name(name) && name.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase()) {
                out.push_str(name);
                return Some(Source::Text);
            }
        }
        None
    }

    /// Appends the text of an element if it is a name.
    fn take(&mut self, node: u32, out: &mut String) -> bool {
        if self.tries == 0 || chars(self.page, node) > LONGEST_BYLINE {
            return false;
        }
        self.tries -= 1;
        self.text.clear();
        self.lines.put_node(self.page, node, LONGEST_AUTHOR, self.text);
        let name = name_of(self.text);
        let fits = is_name(name);
        if fits {
            out.push_str(name);
        }
        fits
    }
}

/// Number of nodes of an element among which links are searched.
const LINKS_WITHIN: u32 = 16;

/// Largest number of words between a name and a date: `on`, `am`, `le`.
const LED_BY: usize = 2;

/// The name in a byline.
fn name_of(byline: &str) -> &str {
    let is_mark = |c: char| matches!(c, '|' | '·' | '•' | '–' | '—' | '/' | '(' | '@');
    let name = after_by(byline).unwrap_or(byline);
    let end = name.find(|c: char| c.is_numeric() || is_mark(c)).unwrap_or(name.len());
    let mut name = name[..end].trim();
    // Cuts off the rest of a date, and the words that led to it: `Ann Ray on May`.
    if end < byline.len() {
        let mut at = 0;
        let before_month =
            name.split(' ').take_while(|word| month_of(word.trim_matches(',')).is_none());
        before_month.for_each(|word| at += word.len() + 1);
        name = name[..at.min(name.len())].trim_end();
    }
    for _ in 0..LED_BY {
        let Some((rest, last)) = name.rsplit_once(' ') else { break };
        if last.starts_with(char::is_lowercase) || !last.contains(char::is_alphanumeric) {
            name = rest.trim_end();
        }
    }
    name.trim_end_matches([',', ':', ';', '-', '.', ' ']).trim_start_matches(['-', ':', '~', ' '])
}

/// The text after "by", if that is among the first three words.
fn after_by(text: &str) -> Option<&str> {
    const AMONG: usize = 3;
    let mut rest = text;
    for place in 0..AMONG {
        let words = if place == 0 { &BY[..] } else { &BY[..INNER] };
        if let Some(name) = strip_by(rest, words).filter(|name| !name.is_empty()) {
            return Some(name);
        }
        rest = rest.split_once(' ')?.1;
    }
    None
}

/// The text after one of the words, if `text` begins with it.
fn strip_by<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    let first = text.as_bytes().first().filter(|first| BEGINS_BY[usize::from(**first)])?;
    let begins = |word: &&&str| word.as_bytes()[0] == first.to_ascii_lowercase();
    words.iter().filter(begins).find_map(|word| {
        let start = text.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word))?;
        let rest = &text[start.len()..];
        let name = rest.trim_start_matches([':', '：', ' ', '\u{a0}', '/', '\n', '\t', '\r']);
        // A longer word that begins with the same letters does not count.
        (rest.is_empty() || name.len() < rest.len()).then_some(name)
    })
}

fn is_name(name: &str) -> bool {
    let words = name.split(' ').count();
    let letters = name.chars().filter(|c| c.is_alphabetic()).take(2).count();
    letters == 2 && words <= MOST_WORDS && name.chars().count() <= LONGEST_NAME && !is_address(name)
}

#[cfg(test)]
mod tests;
