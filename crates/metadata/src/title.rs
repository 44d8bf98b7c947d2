//! Finds the title of a page: its headline (specification section 2; paper 001 wants a title and does not define it,
//! see `docs/papers.md`).
//!
//! A heading that the page's `meta` title (og:title, twitter:title, dc:title) or `<title>` confirms is the headline.
//! A heading, `h1` to `h5`, is confirmed if its words are in the stated title, in the same order and without other
//! words between them; of several such headings the longest is taken. If no heading is confirmed, the title is the
//! first of these that the page has: the only `h1`; the `meta` title; the JSON-LD headline; `<title>`; the first
//! heading. The three stated ones end before a mark that separates the name of the site. Words are compared in lower
//! case; marks are not compared. A heading that is the name of the site is not a headline.
//!
//! The first decision of the specification began with the longest stretch that `<title>` and a heading have in
//! common, wherever it begins and ends. Measured on gold titles, that gives parts of headlines; whole headings are
//! right more often (`docs/metadata.md`).
//!
//! Cost: O(nodes), and O(200) for each of 32 headings. Known failures: if the name of the site is the only `h1` and
//! is stated nowhere else, it becomes the title; if a headline is shorter than its form in `<title>`, the shorter one
//! is taken.

use super::limits::LONGEST_TITLE;
use super::line::{LineWriter, Value, chars};
use super::stated::Stated;
use huller_page::{Page, Tag};

/// Headings of at most this many scalars are not confirmed: their words may be in the stated title by chance.
const CHANCE: u32 = 4;

/// Where the title was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A confirmed heading.
    Confirmed,
    /// The only `h1`.
    OnlyHeading,
    /// A `meta` element.
    Meta,
    /// JSON-LD.
    JsonLd,
    /// `<title>`, with no heading.
    Title,
    /// The first heading.
    Heading,
}

/// Memory for finding titles.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The text of a heading, or a stated value.
    line: String,
    words: String,
    /// The stated title that may confirm a heading.
    stated: String,
    stated_words: String,
    site_words: String,
}

/// Appends the page's title to `out`. Returns where it was found and, if it is a heading, the index of its node;
/// `None` if the page has no title.
pub(super) fn find(
    page: &Page<'_>,
    stated: &Stated<'_>,
    headings: &[u32],
    site_name: &str,
    (lines, memory): (&mut LineWriter, &mut Memory),
    out: &mut String,
) -> Option<(Source, Option<u32>)> {
    memory.site_words.clear();
    put_words(site_name, &mut memory.site_words);
    let meta = stated.title();
    let mut finder = Finder { page, headings, lines, memory };
    if let Some(value) = meta {
        finder.state(|lines, line| value.put_line(LONGEST_TITLE, lines, line));
        if let Some(heading) = finder.confirmed(out) {
            return Some((Source::Confirmed, Some(heading)));
        }
    }
    let title = page.title();
    finder.state(|lines, line| {
        title.clone().take(1).for_each(|run| lines.put_run(page, run, LONGEST_TITLE, line));
    });
    if let Some(heading) = finder.confirmed(out) {
        return Some((Source::Confirmed, Some(heading)));
    }
    if let Some(heading) = finder.only_h1(out) {
        return Some((Source::OnlyHeading, Some(heading)));
    }
    let headline = stated.json_ld.headline().map(Value::Json);
    let Memory { line, stated: title, .. } = memory;
    for (source, value) in [(Source::Meta, meta), (Source::JsonLd, headline)] {
        line.clear();
        if let Some(value) = value {
            value.put_line(LONGEST_TITLE, lines, line);
        }
        if !line.is_empty() {
            out.push_str(without_site(line));
            return Some((source, None));
        }
    }
    if !title.is_empty() {
        out.push_str(without_site(title));
        return Some((Source::Title, None));
    }
    let heading = headings.iter().copied().find(|heading| {
        lines.put_node(page, *heading, LONGEST_TITLE, out);
        !out.is_empty()
    })?;
    Some((Source::Heading, Some(heading)))
}

/// Searches for the heading that is the title.
struct Finder<'m, 'p> {
    page: &'p Page<'p>,
    headings: &'p [u32],
    lines: &'m mut LineWriter,
    memory: &'m mut Memory,
}

impl Finder<'_, '_> {
    /// Sets the stated title that may confirm a heading.
    fn state(&mut self, put: impl FnOnce(&mut LineWriter, &mut String)) {
        let Memory { stated, stated_words, .. } = self.memory;
        stated.clear();
        stated_words.clear();
        put(self.lines, stated);
        put_words(stated, stated_words);
    }

    /// Appends the longest confirmed heading.
    fn confirmed(&mut self, out: &mut String) -> Option<u32> {
        let beginnings = beginnings(&self.memory.stated_words);
        let mut best = None;
        let mut longest = CHANCE;
        for &heading in self.headings {
            let chars = chars(self.page, heading);
            // A heading can be much longer than its words only if it is mostly marks.
            if chars <= longest
                || chars as usize > 2 * self.memory.stated_words.len()
                || first_word(self.page, heading).is_some_and(|bit| beginnings & bit == 0)
                || !self.read(heading)
            {
                continue;
            }
            let Memory { line, words, stated_words, .. } = &*self.memory;
            if contains(stated_words, words) {
                out.clear();
                out.push_str(line);
                (best, longest) = (Some(heading), chars);
                if words.len() == stated_words.len() {
                    break;
                }
            }
        }
        best
    }

    /// Appends the text of the only `h1` that may be a title.
    fn only_h1(&mut self, out: &mut String) -> Option<u32> {
        let is_h1 = |heading: &&u32| self.page.nodes()[**heading as usize].tag == Tag::H1;
        let mut only = None;
        for &heading in self.headings.iter().filter(is_h1) {
            if self.read(heading) {
                out.clear();
                if only.is_some() {
                    return None;
                }
                only = Some(heading);
                out.push_str(&self.memory.line);
            }
        }
        only
    }

    /// Reads a heading and its words. Returns `false` if it is blank, too long, or the name of the site.
    fn read(&mut self, heading: u32) -> bool {
        let Memory { line, words, site_words, .. } = self.memory;
        line.clear();
        words.clear();
        self.lines.put_node(self.page, heading, LONGEST_TITLE + 1, line);
        // Removes the sign of a link to the heading itself.
        line.truncate(line.trim_end_matches(['¶', ' ']).len());
        put_words(line, words);
        let fits = line.len() <= LONGEST_TITLE || line.chars().count() <= LONGEST_TITLE;
        fits && words.len() > 2 && words != site_words
    }
}

/// Appends the words of a text in lower case, with a space before, between and after them.
fn put_words(text: &str, out: &mut String) {
    out.push(' ');
    for c in text.chars() {
        match c {
            // Nearly all kana, Chinese characters and hangul syllables are letters, and none has upper and lower
            // case.
            '0'..='9' | 'a'..='z' | '\u{3041}'..='\u{D7A3}' => out.push(c),
            'A'..='Z' => out.push(c.to_ascii_lowercase()),
            // ASCII marks, and blocks of Unicode with marks and spaces.
            ..='\u{BF}' | '\u{2000}'..='\u{206F}' | '\u{3000}'..='\u{3040}' => separate(out),
            _ if c.is_alphanumeric() => out.extend(c.to_lowercase()),
            _ => separate(out),
        }
    }
    separate(out);
}

/// Ends a word with a space.
fn separate(out: &mut String) {
    if !out.ends_with(' ') {
        out.push(' ');
    }
}

/// A set of bits, one for the first two bytes of each word; for a word of one byte, for it and the space after it.
fn beginnings(words: &str) -> u64 {
    let bytes = words.as_bytes();
    let of_word = |three: &[u8]| if three[0] == b' ' { beginning(three[1], three[2]) } else { 0 };
    bytes.windows(3).map(of_word).fold(0, |all, bit| all | bit)
}

fn beginning(first: u8, second: u8) -> u64 {
    1 << (first.wrapping_mul(5).wrapping_add(second) & 63)
}

/// The same bit for the first word of a heading; `None` if finding it takes longer. If the stated title does not have
/// this bit, the heading is not confirmed.
fn first_word(page: &Page<'_>, heading: u32) -> Option<u64> {
    let run = &page.runs()[page.nodes()[heading as usize].run_start as usize];
    let source = page.run_source(run).as_bytes();
    let first = source.iter().position(u8::is_ascii_alphanumeric)?;
    // Character references, and bytes beyond ASCII, may be letters.
    let is_plain = |b: &u8| b.is_ascii() && *b != b'&';
    let pair = source.get(first..first + 2)?;
    if !source[..first].iter().chain(pair).all(is_plain) {
        return None;
    }
    let [first, second] = [pair[0], pair[1]]
        .map(|b| if b.is_ascii_alphanumeric() { b.to_ascii_lowercase() } else { b' ' });
    Some(beginning(first, second))
}

/// Whether the words are in the text. Both are written by [`put_words`].
fn contains(text: &str, words: &str) -> bool {
    let (text, words) = (text.as_bytes(), words.as_bytes());
    text.windows(words.len()).any(|window| window[0] == b' ' && window == words)
}

/// A stated title up to the first mark that separates the name of the site, if there are at least 4 visible scalars
/// before it.
fn without_site(line: &str) -> &str {
    let is_mark = |c: char| matches!(c, '-' | '–' | '—' | '·' | '•' | '»' | '«' | ':' | '|' | '_');
    let mut before = 0;
    for (place, c) in line.char_indices() {
        let alone = || {
            let rest = &line[place + c.len_utf8()..];
            line[..place].ends_with(' ') && rest.trim_start_matches(is_mark).starts_with(' ')
        };
        if before >= CHANCE && is_mark(c) && (matches!(c, '|' | '_') || alone()) {
            return line[..place].trim_end();
        }
        before += u32::from(!c.is_whitespace());
    }
    line
}

#[cfg(test)]
mod tests;
