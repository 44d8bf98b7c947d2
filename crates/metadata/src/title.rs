//! Finds the title of a page: its headline (specification section 2; paper 001 requires a title
//! without defining it, see `docs/papers.md`).
//!
//! Every source votes: the `meta` titles (og:title, twitter:title, dc:title), the JSON-LD headline,
//! `<title>`, and the headings `h1` to `h5`. Stated titles are split into parts at marks
//! (`Rain falls | Daily`). Parts at both ends that name the site are removed if the page confirms
//! the name elsewhere ([`Site`]): `og:site_name`, `application-name`, the publisher, the text of
//! links to the home page, the host. Words are compared in lower case; marks are not compared.
//!
//! A heading is confirmed if its words are in a stated title, in the same order and without other
//! words between them. For an `h1` that suffices; other headings must be a whole part, or most of
//! the title. Of several confirmed headings the one with most votes is taken (`Finder::votes`). If
//! no heading is confirmed, the title is the first of these:
//!
//! 1. the only `h1` that shares words with the stated title or is a sentence of its own;
//! 2. the `meta` title;
//! 3. the JSON-LD headline;
//! 4. `<title>`;
//! 5. the first heading.
//!
//! An unconfirmed `<title>` is reduced to the parts that the page shows as a text of their own. If
//! it shows no part, the end of the title is cut off at strong marks, as long as it looks like the
//! name of a site (`looks_like_name`).
//!
//! Cost: O(nodes), O(200) for each of 32 headings and of the stated titles, O(runs) if `<title>` is
//! not confirmed. Known failures: if the name of the site is the only `h1` and is not stated
//! elsewhere, it becomes the title. If a headline is shorter than its form in `<title>`, the
//! shorter one is taken.

use super::limits::MAX_TITLE_CHARS;
use super::line::{LineWriter, Value, chars};
use super::parts::{SeparatorStrength, SplitLine};
use super::placeholder::is_placeholder;
use super::site::Site;
use super::stated_metadata::StatedMetadata;
use super::words::{contains, count, count_shared, put_words};
use huller_page::{AttributeName, Page, Tag};
use std::ops::Range;

/// Number of nodes at the beginning of a page that are searched for links to the home page.
const HEADER_NODES: usize = 512;
/// Largest length in scalars of such a link's text that is a name.
const MAX_NAME_CHARS: usize = 60;

/// An unconfirmed `h1` of fewer words, such as `0 Comments`, is not taken as a title.
const SENTENCE: usize = 4;

/// The votes for an `h1` that contains a whole stated title, separated from its other text.
const WHOLE: u32 = 45;
/// Largest number of text runs of a heading that is searched for a stated title.
const MAX_RUNS: usize = 16;

/// The source of the title.
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
    /// `<title>`, if the page has no heading.
    Title,
    /// The first heading.
    Heading,
}

/// Buffers for finding titles.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    site: Site,
    /// The text of a heading, and its words.
    line: String,
    words: String,
    /// Parts of a stated title that the page may show, each with its number of visible scalars.
    ranges: Vec<(u32, Range<usize>)>,
    meta: SplitLine,
    json: SplitLine,
    title: SplitLine,
}

impl Scratch {
    /// Returns the site of the page whose title was found last.
    pub(super) fn site(&self) -> &Site {
        &self.site
    }
}

/// Appends the page's title to `out`. Returns its source and, if it is a heading, the index of its
/// node. `None` if the page has no title.
pub(super) fn append_title(
    page: &Page<'_>,
    stated: &StatedMetadata<'_>,
    headings: &[u32],
    url: Option<&str>,
    (lines, scratch): (&mut LineWriter, &mut Scratch),
    out: &mut String,
) -> Option<(Source, Option<u32>)> {
    let Scratch { site, line, words, ranges, meta, json, title } = scratch;
    site.reset(url);
    for name in stated.site_names() {
        line.clear();
        name.put_line(MAX_TITLE_CHARS, lines, line);
        site.add(line);
    }
    let states_site = site.has_name();
    for link in home_links(page) {
        line.clear();
        lines.put_node(page, link, MAX_NAME_CHARS, line);
        site.add(line);
    }
    let values = [(&mut *meta, stated.title()), (json, stated.json_ld.headline().map(Value::Json))];
    for (parted, value) in values {
        parted.fill(|line| {
            if let Some(value) = value {
                value.put_line(MAX_TITLE_CHARS, lines, line);
            }
        });
    }
    title.fill(|line| {
        page.title().take(1).for_each(|run| lines.put_run(page, run, MAX_TITLE_CHARS, line));
    });
    let stated = [
        StatedTitle::new(Source::Meta, meta, site),
        StatedTitle::new(Source::JsonLd, json, site),
        StatedTitle::new(Source::Title, title, site),
    ];
    let mut finder =
        Finder { page, headings, lines, line, words, ranges, site, states_site, stated };
    if let Some(heading) = finder.append_confirmed(out) {
        return Some((Source::Confirmed, Some(heading)));
    }
    if let Some(heading) = finder.only_h1(out) {
        return Some((Source::OnlyHeading, Some(heading)));
    }
    if let Some(stated) = finder.first_stated().cloned() {
        out.push_str(stated.line.text_of(finder.headline_of(&stated)));
        return Some((stated.source, None));
    }
    let heading = headings.iter().copied().find(|heading| {
        finder.lines.put_node(page, *heading, MAX_TITLE_CHARS, out);
        !out.is_empty()
    })?;
    Some((Source::Heading, Some(heading)))
}

/// Returns the links to the home page near the beginning of the page. Their texts name the site.
fn home_links<'p>(page: &Page<'p>) -> impl Iterator<Item = u32> + use<'p> {
    let nodes = page.nodes();
    let page = *page;
    nodes
        .iter()
        .take(HEADER_NODES)
        .enumerate()
        .filter(move |(_, node)| {
            node.tag == Tag::A
                && page.attribute(node, AttributeName::Href).is_some_and(|href| {
                    matches!(href.trim(), "/" | "../" | "/index.html" | "/index.php")
                })
        })
        .map(|(index, _)| index as u32)
        .take(4)
}

/// A title that the page states.
#[derive(Clone, Debug)]
struct StatedTitle<'m> {
    source: Source,
    line: &'m SplitLine,
    /// The parts that do not name the site.
    parts: Range<usize>,
    /// Whether parts that name the site were removed.
    is_trimmed: bool,
}

impl<'m> StatedTitle<'m> {
    fn new(source: Source, line: &'m mut SplitLine, site: &Site) -> StatedTitle<'m> {
        let (mut parts, is_trimmed) = site.trim(line);
        if is_placeholder(line.text_of(parts.clone())) {
            line.clear();
            parts = 0..0;
        }
        StatedTitle { source, line, parts, is_trimmed }
    }

    fn words(&self) -> &'m str {
        self.line.words_of(self.parts.clone())
    }
}

/// Searches for the heading that is the title.
struct Finder<'m, 'p> {
    page: &'p Page<'p>,
    headings: &'p [u32],
    lines: &'m mut LineWriter,
    /// The last heading that was read.
    line: &'m mut String,
    words: &'m mut String,
    ranges: &'m mut Vec<(u32, Range<usize>)>,
    site: &'m Site,
    /// Whether `meta` elements or JSON-LD state the name of the site.
    states_site: bool,
    stated: [StatedTitle<'m>; 3],
}

impl<'m> Finder<'m, '_> {
    /// Appends the confirmed heading with most votes; of equal ones the first.
    fn append_confirmed(&mut self, out: &mut String) -> Option<u32> {
        let beginnings =
            self.stated.iter().fold(0, |all, stated| all | beginnings(stated.line.words()));
        let longest = self.stated.iter().map(|stated| stated.line.words().len()).max()?;
        let mut best = None;
        for &heading in self.headings {
            let chars = chars(self.page, heading);
            // A heading can be much longer than its words only if it consists mostly of marks.
            if chars == 0
                || chars as usize > 2 * longest
                || self.page.nodes()[heading as usize].tag != Tag::H1
                    && first_word(self.page, heading).is_some_and(|bit| beginnings & bit == 0)
                || !self.read(heading)
            {
                continue;
            }
            if let Some(votes) = self.votes(self.page.nodes()[heading as usize].tag)
                && best.is_none_or(|(most, _)| votes > most)
            {
                out.clear();
                out.push_str(self.line);
                best = Some((votes, heading));
            } else if let Some(whole) = self.whole_within(heading)
                && best.is_none_or(|(most, _)| WHOLE > most)
            {
                out.clear();
                out.push_str(whole.line.text_of(whole.parts.clone()));
                best = Some((WHOLE, heading));
            }
        }
        best.map(|(_, heading)| heading)
    }

    /// Returns the stated title at the beginning or end of an `h1`, if the rest of the heading is
    /// marked up separately, like a kicker or a date: `<h1><span>Travel</span> Rain falls</h1>`.
    fn whole_within(&mut self, heading: u32) -> Option<StatedTitle<'m>> {
        let node = &self.page.nodes()[heading as usize];
        let runs = node.runs();
        if node.tag != Tag::H1 || runs.len() < 2 || runs.len() > MAX_RUNS {
            return None;
        }
        // A kicker that is also a stated title comes before the headline.
        [false, true].into_iter().find_map(|is_first| {
            let mut stated = self.stated.iter().filter(|stated| count(stated.words()) > 2);
            let found = stated.find(|stated| {
                (runs.start + 1..runs.end).any(|middle| {
                    self.words.clear();
                    for run in if is_first { runs.start..middle } else { middle..runs.end } {
                        put_words(self.page.run_source(&self.page.runs()[run]), self.words);
                    }
                    self.words == stated.words()
                })
            });
            found.cloned()
        })
    }

    /// Returns the votes of the stated titles for the last heading that was read. `None` if no
    /// stated title confirms it.
    fn votes(&self, tag: Tag) -> Option<u32> {
        let words = &**self.words;
        let (of_heading, is_h1) = (count(words), tag == Tag::H1);
        let mut votes = 0;
        for stated in self.stated.iter().filter(|stated| contains(stated.line.words(), words)) {
            let title = stated.words();
            let of_title = count(title).max(1);
            let is_in_title = contains(title, words);
            let parts = stated.line.parts_with(words);
            let is_part = parts.as_ref().is_some_and(|parts| {
                stated.line.begins_after_strong(parts.start)
                    && stated.line.begins_after_strong(parts.end)
            });
            let share = 10 * of_heading.min(of_title) / of_title;
            let is_most = is_in_title && share >= 6;
            // `Rain falls | Daily` rarely ends with the headline.
            let is_last = parts.as_ref().is_some_and(|parts| {
                is_part && parts.start > 0 && parts.end == stated.line.part_count()
            });
            let fits = if is_h1 {
                of_heading > 1 || parts.is_some() || is_most
            } else {
                is_most || is_part && !is_last && (of_heading > 2 || share >= 4)
            };
            if !fits {
                continue;
            }
            let begins = parts.as_ref().is_some_and(|parts| parts.start == stated.parts.start);
            votes += 1 + share as u32;
            votes += 20 * u32::from(title == words);
            votes += 10 * u32::from(is_in_title && parts.is_some() && !is_last);
            votes += 10 * u32::from(begins);
        }
        let of_tag = match tag {
            Tag::H1 => 20,
            Tag::H2 => 5,
            _ => 0,
        };
        (votes > 0).then_some(votes + of_tag + of_heading.min(6) as u32)
    }

    /// Appends the text of the only `h1` that may be a title.
    fn only_h1(&mut self, out: &mut String) -> Option<u32> {
        let is_h1 = |heading: &&u32| self.page.nodes()[**heading as usize].tag == Tag::H1;
        let mut only = None;
        let headings = self.headings;
        for &heading in headings.iter().filter(is_h1) {
            if self.read(heading) {
                if only.is_some() {
                    if out == self.line {
                        continue;
                    }
                    out.clear();
                    return None;
                }
                only = Some(heading);
                out.push_str(self.line);
            }
        }
        let stated = self.first_stated().map(|stated| stated.line);
        if let (Some(_), Some(stated)) = (only, stated) {
            self.words.clear();
            put_words(out, self.words);
            let of_heading = count(self.words);
            if of_heading < SENTENCE && 2 * count_shared(self.words, stated.words()) <= of_heading {
                out.clear();
                return None;
            }
        }
        only
    }

    /// Reads a heading and its words. Returns `false` if it is blank, too long, or the name of the
    /// site.
    fn read(&mut self, heading: u32) -> bool {
        self.line.clear();
        self.words.clear();
        self.lines.put_node(self.page, heading, MAX_TITLE_CHARS + 1, self.line);
        // Removes the sign of a heading's link to itself.
        self.line.truncate(self.line.trim_end_matches(['¶', ' ']).len());
        put_words(self.line, self.words);
        let line = &*self.line;
        let fits = line.len() <= MAX_TITLE_CHARS || line.chars().count() <= MAX_TITLE_CHARS;
        fits && self.words.len() > 2 && !self.site.is_named(self.words)
    }

    /// Returns the first stated title that is not blank.
    fn first_stated(&self) -> Option<&StatedTitle<'m>> {
        self.stated.iter().find(|stated| stated.line.part_count() > 0)
    }

    /// Returns the parts of a stated title that form the headline.
    fn headline_of(&mut self, stated: &StatedTitle<'m>) -> Range<usize> {
        let StatedTitle { source, line, ref parts, is_trimmed } = *stated;
        // A `meta` title contains the name of the site less often, if that name is stated
        // separately.
        let may_name_site = source == Source::Title || !self.states_site;
        let strong = |part: &usize| line.begins_after_strong(*part);
        if is_trimmed || !may_name_site {
            return parts.clone();
        }
        if let Some(shown) = self.find_shown(line) {
            return shown;
        }
        let mut title = parts.clone();
        while let Some(last) = (title.start + 1..title.end).rev().find(strong) {
            let name = last..title.end;
            if !looks_like_name(
                line.text_of(name.clone()),
                line.words_of(name),
                line.words_of(title.start..last),
            ) {
                break;
            }
            title.end = last;
        }
        title
    }

    /// Returns the longest parts of the line that the page shows as a text of their own and that
    /// are a title.
    fn find_shown(&mut self, line: &SplitLine) -> Option<Range<usize>> {
        let is_end = |part: usize| line.mark_before(part) >= SeparatorStrength::Colon;
        let count_parts = line.part_count();
        self.ranges.clear();
        let mut lengths = [false; MAX_TITLE_CHARS + 1];
        for start in (0..count_parts).filter(|part| is_end(*part)) {
            for end in (start + 1..=count_parts).filter(|part| is_end(*part)) {
                let length =
                    line.text_of(start..end).chars().filter(|c| !c.is_whitespace()).count();
                if count(line.words_of(start..end)) > 2 && length <= MAX_TITLE_CHARS {
                    lengths[length] = true;
                    self.ranges.push((length as u32, start..end));
                }
            }
        }
        let in_title = self.page.title();
        let mut best: Option<Range<usize>> = None;
        for (index, run) in self.page.runs().iter().enumerate() {
            let fits = lengths.get(run.counts.chars as usize) == Some(&true);
            if !fits || in_title.contains(&index) {
                continue;
            }
            self.line.clear();
            self.words.clear();
            self.lines.put_run(self.page, index, MAX_TITLE_CHARS, self.line);
            put_words(self.line, self.words);
            let longest = best.as_ref().map_or(0, |best| line.words_of(best.clone()).len());
            let of_run = self.ranges.iter().find(|(_, range)| {
                let words = line.words_of(range.clone());
                words.len() > longest && words == self.words && !self.site.is_named_by(words)
            });
            best = of_run.map(|(_, range)| range.clone()).or(best);
        }
        best
    }
}

/// Returns whether the part after the last strong mark of a title may be the name of a site. It
/// begins with a capital letter or a letter without case, is not a number, and the rest is at least
/// as long.
fn looks_like_name(name: &str, words: &str, title: &str) -> bool {
    let begins = name.chars().find(|c| c.is_alphanumeric());
    let is_capital = begins.is_some_and(|c| c.is_alphabetic() && !c.is_lowercase());
    let is_host = name.contains('.') && !name.contains(' ');
    let (of_name, of_title) = (count(words), count(title));
    (is_capital || is_host)
        && of_title > 1
        && (of_name <= of_title || is_host || of_title >= 4 && of_name <= 2 * of_title)
}

/// Returns a set of bits, one for the first two bytes of each word. A word of one byte is combined
/// with the space after it.
fn beginnings(words: &str) -> u64 {
    let bytes = words.as_bytes();
    let of_word = |three: &[u8]| if three[0] == b' ' { beginning(three[1], three[2]) } else { 0 };
    bytes.windows(3).map(of_word).fold(0, |all, bit| all | bit)
}

fn beginning(first: u8, second: u8) -> u64 {
    1 << (first.wrapping_mul(5).wrapping_add(second) & 63)
}

/// Returns the same bit for the first word of a heading; `None` if finding it takes longer. A
/// heading whose bit is missing from all stated titles cannot be confirmed.
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

#[cfg(test)]
mod tests;
