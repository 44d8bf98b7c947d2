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
use memchr::memmem;

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
    line: String,
    site_words: String,
    stated_words: String,
    words: String,
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
    let Scratch { line, site_words, stated_words, words } = scratch;
    site_words.clear();
    put_words(site_name, site_words);
    // The text of a heading, and its words; `None` if it is blank, too long, or the site's name.
    let read = |heading: u32, lines: &mut Lines, out: &mut String, words: &mut String| {
        out.clear();
        words.clear();
        lines.put_node(page, heading, LONGEST_TITLE + 1, out);
        put_words(out, words);
        let fits = out.len() <= LONGEST_TITLE || out.chars().count() <= LONGEST_TITLE;
        fits && words.len() > 2 && words != site_words
    };

    let meta = stated.title();
    for confirms in [Confirms::Meta(meta), Confirms::Title] {
        line.clear();
        match confirms {
            Confirms::Meta(None) => continue,
            Confirms::Meta(Some(value)) => value.put_line(LONGEST_TITLE, lines, line),
            Confirms::Title => lines.put_runs(page, page.title(), LONGEST_TITLE, line),
        }
        stated_words.clear();
        put_words(line, stated_words);
        let beginnings = beginnings(stated_words);
        let mut best: Option<(u32, u32)> = None;
        for &heading in headings {
            let chars = chars(page, heading);
            // A heading is much longer than its words only if it is all marks.
            if chars <= best.map_or(CHANCE, |(longest, _)| longest)
                || chars > LONGEST_TITLE as u32
                || chars as usize > 2 * stated_words.len()
                || first_word(page, heading).is_some_and(|bit| beginnings & bit == 0)
            {
                continue;
            }
            if read(heading, lines, line, words) && contains(stated_words, words) {
                best = Some((chars, heading));
                if words.len() == stated_words.len() {
                    break;
                }
            }
        }
        if let Some((_, heading)) = best {
            lines.put_node(page, heading, LONGEST_TITLE, out);
            return Some((Source::Confirmed, Some(heading)));
        }
    }

    let mut only = None;
    for &heading in headings.iter().filter(|h| page.nodes()[**h as usize].tag == Tag::H1) {
        if !(1..=LONGEST_TITLE as u32).contains(&chars(page, heading))
            || !read(heading, lines, line, words)
        {
            continue;
        }
        if only.replace(heading).is_some() {
            only = None;
            break;
        }
    }
    if let Some(heading) = only {
        lines.put_node(page, heading, LONGEST_TITLE, out);
        return Some((Source::OnlyHeading, Some(heading)));
    }
    let headline = stated.json_ld.headline().map(Value::Json);
    for (source, value) in [(Source::Meta, meta), (Source::JsonLd, headline)] {
        line.clear();
        value.into_iter().for_each(|value| value.put_line(LONGEST_TITLE, lines, line));
        if !line.is_empty() {
            out.push_str(without_site(line));
            return Some((source, None));
        }
    }
    line.clear();
    lines.put_runs(page, page.title(), LONGEST_TITLE, line);
    if !line.is_empty() {
        out.push_str(without_site(line));
        return Some((Source::Title, None));
    }
    let heading = headings.iter().copied().find(|heading| chars(page, *heading) > 0)?;
    lines.put_node(page, heading, LONGEST_TITLE, out);
    (!out.is_empty()).then_some((Source::Heading, Some(heading)))
}

/// What may confirm a heading.
enum Confirms<'a> {
    Meta(Option<Value<'a>>),
    Title,
}

/// Appends the words of a text in lower case, with a blank before, between and behind them.
fn put_words(text: &str, out: &mut String) {
    let start = out.len();
    out.push(' ');
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    debug_assert!(out.len() > start);
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

fn contains(text: &str, words: &str) -> bool {
    words.len() <= text.len() && memmem::find(text.as_bytes(), words.as_bytes()).is_some()
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
