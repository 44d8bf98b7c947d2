//! The title of a page: its headline (specification section 2; paper 001 wants a title and does not say how).
//!
//! A heading that `meta` og:title (twitter:title, dc:title) or `<title>` confirms is the headline: one of `h1` to `h5` whose words
//! stand, in their order and nothing between them, in what is stated; the longest such. If none is confirmed: the only `h1`; the
//! `meta` title; JSON-LD headline; `<title>`; the last two and the `meta` title up to a mark that parts the site's name from the rest; the first heading.
//! Words are compared in lower case, marks are not compared. A heading that is the site's name is no headline.
//!
//! The specification's order begins with the longest stretch that `<title>` and a heading have in common, wherever it begins and
//! ends. Measured on gold titles that gives parts of headlines; whole headings are right more often (`docs/metadata.md`).
//!
//! Cost: O(nodes), and O(200) for each of 32 headings. Known failures: on the pages of a site whose name stands as the only `h1`
//! and nowhere else the title is that name; a headline that is shorter than what `<title>` says is preferred to it.

use super::LONGEST_TITLE;
use super::line::{Lines, Value, chars};
use super::stated::Stated;
use huller_page::{Page, Tag};

/// Headings of as many scalars or fewer are not confirmed: they may be there by chance.
const CHANCE: u32 = 4;

/// Where a title was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A heading that is confirmed.
    Confirmed,
    /// The only `h1`.
    OnlyHeading,
    /// A `meta` element.
    Meta,
    /// JSON-LD.
    JsonLd,
    /// `<title>` alone.
    Title,
    /// A heading alone.
    Heading,
}

/// Memory for finding titles.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// A heading, or a value.
    line: String,
    words: String,
    /// What may confirm a heading.
    stated: String,
    stated_words: String,
    site_words: String,
}

/// Appends the page's title to `out`; `None` if it has none. With the heading it was taken from.
pub(super) fn find(
    page: &Page<'_>,
    stated: &Stated<'_>,
    headings: &[u32],
    site_name: &str,
    (lines, scratch): (&mut Lines, &mut Scratch),
    out: &mut String,
) -> Option<(Source, Option<u32>)> {
    scratch.site_words.clear();
    put_words(site_name, &mut scratch.site_words);
    let meta = stated.title();
    let mut finder = Finder { page, headings, lines, scratch };
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
    let Scratch { line, stated: title, .. } = scratch;
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

/// Looks for the heading that is the title.
struct Finder<'m, 'p> {
    page: &'p Page<'p>,
    headings: &'p [u32],
    lines: &'m mut Lines,
    scratch: &'m mut Scratch,
}

impl Finder<'_, '_> {
    /// Takes what is stated, which may confirm a heading.
    fn state(&mut self, put: impl FnOnce(&mut Lines, &mut String)) {
        let Scratch { stated, stated_words, .. } = self.scratch;
        stated.clear();
        stated_words.clear();
        put(self.lines, stated);
        put_words(stated, stated_words);
    }

    /// Appends the longest heading that is confirmed.
    fn confirmed(&mut self, out: &mut String) -> Option<u32> {
        let beginnings = beginnings(&self.scratch.stated_words);
        let mut best = None;
        let mut longest = CHANCE;
        for &heading in self.headings {
            let chars = chars(self.page, heading);
            // A heading is much longer than its words only if it is all marks.
            if chars <= longest
                || chars as usize > 2 * self.scratch.stated_words.len()
                || first_word(self.page, heading).is_some_and(|bit| beginnings & bit == 0)
                || !self.read(heading)
            {
                continue;
            }
            let Scratch { line, words, stated_words, .. } = &*self.scratch;
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
                out.push_str(&self.scratch.line);
            }
        }
        only
    }

    /// Reads a heading and its words. False if it is blank, too long, or the site's name.
    fn read(&mut self, heading: u32) -> bool {
        let Scratch { line, words, site_words, .. } = self.scratch;
        line.clear();
        words.clear();
        self.lines.put_node(self.page, heading, LONGEST_TITLE + 1, line);
        // The sign of a link to the heading itself.
        line.truncate(line.trim_end_matches(['¶', ' ']).len());
        put_words(line, words);
        let fits = line.len() <= LONGEST_TITLE || line.chars().count() <= LONGEST_TITLE;
        fits && words.len() > 2 && words != site_words
    }
}

/// Appends the words of a text in lower case, with a blank before, between and behind them.
fn put_words(text: &str, out: &mut String) {
    out.push(' ');
    for c in text.chars() {
        match c {
            // Kana, ideographs and hangul are letters, nearly all, and without case.
            '0'..='9' | 'a'..='z' | '\u{3041}'..='\u{D7A3}' => out.push(c),
            'A'..='Z' => out.push(c.to_ascii_lowercase()),
            // ASCII, and the marks that stand between words.
            ..='\u{BF}' | '\u{2000}'..='\u{206F}' | '\u{3000}'..='\u{3040}' => separate(out),
            _ if c.is_alphanumeric() => out.extend(c.to_lowercase()),
            _ => separate(out),
        }
    }
    separate(out);
}

/// Ends a word.
fn separate(out: &mut String) {
    if !out.ends_with(' ') {
        out.push(' ');
    }
}

/// A bit for the first two letters of every word, or for one and the blank behind it.
fn beginnings(words: &str) -> u64 {
    let bytes = words.as_bytes();
    let of_word = |three: &[u8]| if three[0] == b' ' { beginning(three[1], three[2]) } else { 0 };
    bytes.windows(3).map(of_word).fold(0, |all, bit| all | bit)
}

fn beginning(first: u8, second: u8) -> u64 {
    1 << (first.wrapping_mul(5).wrapping_add(second) & 63)
}

/// That bit for the first word of a heading; `None` where it takes more than a look. To tell in no time that a heading is
/// not confirmed.
fn first_word(page: &Page<'_>, heading: u32) -> Option<u64> {
    let run = &page.runs()[page.nodes()[heading as usize].run_start as usize];
    let source = page.run_source(run).as_bytes();
    let first = source.iter().position(u8::is_ascii_alphanumeric)?;
    // References and letters that are not ASCII may be letters.
    let is_plain = |b: &u8| b.is_ascii() && *b != b'&';
    let pair = source.get(first..first + 2)?;
    if !source[..first].iter().chain(pair).all(is_plain) {
        return None;
    }
    let [first, second] = [pair[0], pair[1]]
        .map(|b| if b.is_ascii_alphanumeric() { b.to_ascii_lowercase() } else { b' ' });
    Some(beginning(first, second))
}

/// Whether the words stand in the text, which has its blanks in the same places.
fn contains(text: &str, words: &str) -> bool {
    let (text, words) = (text.as_bytes(), words.as_bytes());
    text.windows(words.len()).any(|window| window[0] == b' ' && window == words)
}

/// A stated title up to the first mark that parts the site's name from the rest, if there is enough before it.
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
