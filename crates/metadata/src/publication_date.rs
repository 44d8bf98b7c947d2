//! Finds the date of publication (specification section 2; paper 001 requires a time without
//! defining it, see `docs/papers.md`).
//!
//! The sources, in order:
//!
//! 1. `meta` elements whose property, name or itemprop begins with a known name.
//! 2. JSON-LD datePublished, then dateCreated.
//! 3. An element around the headline with `itemprop=datePublished`.
//! 4. `<time datetime>`, first those marked as the date of publication.
//! 5. A date in the path of the URL.
//! 6. The first short line around the headline that holds a date.
//!
//! Values that are not dates of the calendar are ignored, and so are names that refer to changes.
//! Elements and lines in forms, comments, lists of related pages, footers and other articles do not
//! count ([`is_apart`]), nor do lines about another thing than the page ([`dates_page`]).
//!
//! The specification first chose the first date of the whole text, in the forms yyyy-m-d, yy-m-d
//! and m月d日. Measured on gold dates (`docs/metadata.md`), lines around the headline find more
//! dates; d.m.yyyy and names of months are read there too. Dates from the rest of the text are
//! right less than half of the time, so they are left out. The form m月d日 has no year, so it is not
//! a date of ISO 8601.
//!
//! Cost: O(bytes of the URL); all other work is bounded. Known failures: a date around the headline
//! may date another thing; a date that is spread over several elements is not found; `05/06/2007`
//! is not read, because it may be May or June.

use super::date::PartialDate;
use super::date_line::{LinePlace, dates_page, is_labelled, names_other_date};
use super::side_parts::is_apart;
use super::stated_metadata::StatedMetadata;
use super::window::Window;
use huller_page::{Attributes, Page, Tag};
use memchr::memmem;
use std::ops::Range;

/// The source of the date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A `meta` element.
    Meta,
    /// JSON-LD.
    JsonLd,
    /// An element with microdata.
    Microdata,
    /// The `datetime` of a `time` element.
    Time,
    /// The path of the URL.
    Url,
    /// A line around the headline.
    ShownLine,
}

/// Largest length in bytes of a line around the headline that is searched for a date. A longer line
/// is more than a date.
const MAX_DATE_LINE_BYTES: u32 = 120;

/// Appends the date of publication in ISO 8601 to `out`. Returns its source, or `None` if no date
/// was found.
pub(super) fn find_published(
    page: &Page<'_>,
    stated: &StatedMetadata<'_>,
    (times, headline): (&[u32], Option<u32>),
    url: Option<&str>,
    attributes: &mut Attributes,
    out: &mut String,
) -> Option<Source> {
    let from_json = || stated.json_ld.published().find_map(PartialDate::parse_stated);
    let from_line =
        || find_in_window(page, &Window::around_headline(page, headline, Window::DATE), headline);
    let (date, source) = None
        .or_else(|| Some((stated.published()?, Source::Meta)))
        .or_else(|| Some((from_json()?, Source::JsonLd)))
        .or_else(|| Some((find_in_marked(page, headline, attributes)?, Source::Microdata)))
        .or_else(|| Some((find_in_times(page, times, headline, attributes)?, Source::Time)))
        .or_else(|| Some((PartialDate::from_url(url?)?, Source::Url)))
        .or_else(|| Some((from_line()?, Source::ShownLine)))?;
    date.write_iso(out);
    Some(source)
}

/// Returns the date of the first `time` element that belongs to the main text. An element that is
/// marked as the date of publication comes first.
fn find_in_times(
    page: &Page<'_>,
    times: &[u32],
    headline: Option<u32>,
    attributes: &mut Attributes,
) -> Option<PartialDate> {
    let mut first = None;
    for &node in times {
        let element = &page.nodes()[node as usize];
        let (mut date, mut mark) = (None, DateMark::Unmarked);
        for (name, value) in page.all_attributes(element, attributes) {
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            if is("datetime") {
                date = PartialDate::parse_stated(value);
            } else if is("pubdate") {
                mark = DateMark::Published;
            } else if is("itemprop") || is("class") {
                mark = DateMark::from_value(value).unwrap_or(mark);
            }
        }
        let Some(date) = date.filter(|_| mark != DateMark::Changed) else { continue };
        if is_apart(page, node, headline) || is_in_sentence(page, node, &element.runs()) {
            continue;
        }
        if mark == DateMark::Published {
            return Some(date);
        }
        first = first.or(Some(date));
    }
    first
}

/// Returns the date in an element around the headline that microdata mark as the date of
/// publication, or otherwise of creation.
fn find_in_marked(
    page: &Page<'_>,
    headline: Option<u32>,
    attributes: &mut Attributes,
) -> Option<PartialDate> {
    const MAX_CANDIDATES: usize = 4;
    let window = Window::around_headline(page, headline, Window::DATE);
    let bytes = window.bytes(page);
    let source = &page.html().as_bytes()[bytes.clone()];
    ["datePublished", "dateCreated"].into_iter().find_map(|property| {
        let places = memmem::find_iter(source, property).take(MAX_CANDIDATES);
        places.map(|place| window.node_at(page, bytes.start + place)).find_map(|node| {
            let element = &page.nodes()[node as usize];
            let (mut is_marked, mut date) = (false, None);
            for (name, value) in page.all_attributes(element, attributes) {
                let is = |known: &str| name.eq_ignore_ascii_case(known);
                is_marked |= (is("itemprop") || is("property"))
                    && value.split([' ', ':']).any(|word| word == property);
                if is("content") || is("datetime") || is("title") {
                    date = date.or_else(|| PartialDate::parse_stated(value));
                }
            }
            date.filter(|_| is_marked && !is_apart(page, node, headline))
        })
    })
}

/// The kind of date that the attributes of a `time` element state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DateMark {
    Unmarked,
    Published,
    Changed,
}

impl DateMark {
    /// Returns the kind that the words of `itemprop` or `class` state; `None` if they state none.
    fn from_value(value: &str) -> Option<DateMark> {
        let has = |part: &str| {
            let mut windows = value.as_bytes().windows(part.len());
            windows.any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
        };
        // WordPress writes `published updated` if the two are equal.
        if has("publish") {
            Some(DateMark::Published)
        } else if has("modif") || has("update") {
            Some(DateMark::Changed)
        } else {
            None
        }
    }
}

fn find_in_window(page: &Page<'_>, window: &Window, headline: Option<u32>) -> Option<PartialDate> {
    const MAX_DATES: usize = 64;
    let text_start = text_start(page, headline);
    let runs = page.runs()[window.runs.clone()].iter().zip(window.runs.clone());
    let short = runs.filter(|(run, _)| run.byte_end - run.byte_start <= MAX_DATE_LINE_BYTES);
    let dates = short.filter_map(|(run, index)| {
        let line = page.run_source(run);
        let date = if has_year(line) { PartialDate::parse_shown(line)? } else { return None };
        let place =
            if index > text_start { LinePlace::AfterText } else { LinePlace::BesideHeadline };
        let is_item = place == LinePlace::AfterText && is_in_item(page, run.node);
        (dates_page(line, place) && (!is_item || is_labelled(line)))
            .then_some((date, run.node, index))
    });
    // The number of dates is limited, because each check examines the elements around the date, and
    // a heading may contain a whole page.
    let mut dates = dates.take(MAX_DATES);
    dates.find_map(|(date, node, run)| {
        let is_of_sentence = || {
            let line = page.run_source(&page.runs()[run]);
            !is_labelled(line) && is_in_sentence(page, node, &(run..run + 1))
        };
        let is_other =
            is_apart(page, node, headline) || is_of_sentence() || has_other_label(page, node, run);
        (!is_other).then_some(date)
    })
}

/// Returns whether a date in these runs lies in a paragraph that is a sentence about it:
/// `The pier was built on <time>5 May 1951</time>.`
fn is_in_sentence(page: &Page<'_>, node: u32, date: &Range<usize>) -> bool {
    const MAX_LEVELS: usize = 3;
    const MAX_RUNS: usize = 16;
    const MIN_WORDS: usize = 4;
    let mut inner = node;
    let mut levels = 0..MAX_LEVELS;
    while page.nodes()[inner as usize].tag != Tag::P {
        inner = page.nodes()[inner as usize].parent;
        if levels.next().is_none() {
            return false;
        }
    }
    let all = page.nodes()[inner as usize].runs();
    if all.is_empty() || all.len() > MAX_RUNS {
        return false;
    }
    let text = |run: usize| page.run_source(&page.runs()[run]);
    let ends = text(all.end - 1).trim_end().ends_with(['.', '?', '!']);
    let others = all.filter(|run| !date.contains(run));
    let words = others.flat_map(|run| text(run).split_whitespace().take(MIN_WORDS));
    ends && words.count() >= MIN_WORDS
}

/// Returns the text run in which the text of the page is under way: its second paragraph after the
/// headline. The first may be a summary above the date.
fn text_start(page: &Page<'_>, headline: Option<u32>) -> usize {
    const MIN_PARAGRAPH_CHARS: u32 = 80;
    let start = headline.map_or(0, |headline| page.nodes()[headline as usize].run_end as usize);
    let runs = page.runs()[start..].iter().enumerate();
    let mut paragraphs = runs.filter(|(_, run)| run.counts.chars >= MIN_PARAGRAPH_CHARS);
    paragraphs.nth(1).map_or(usize::MAX, |(place, _)| start + place)
}

/// Returns whether the run before a date is its label, and names another date: `<b>Born:</b>`. Both
/// runs are in one element, which is at most a few levels above the date.
fn has_other_label(page: &Page<'_>, node: u32, run: usize) -> bool {
    const MAX_LEVELS: usize = 3;
    const MAX_LABEL_CHARS: u32 = 30;
    let nodes = page.nodes();
    let Some(before) = run.checked_sub(1) else { return false };
    let label = &page.runs()[before];
    if label.counts.chars > MAX_LABEL_CHARS || !names_other_date(page.run_source(label)) {
        return false;
    }
    let is_heading = |node: u32| {
        let tag = nodes[node as usize].tag;
        matches!(tag, Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6)
    };
    let mut inner = node;
    let together = (0..MAX_LEVELS).any(|_| {
        let holds = nodes[inner as usize].runs().contains(&before);
        inner = nodes[inner as usize].parent;
        holds
    });
    together && !is_heading(label.node) && !is_heading(nodes[label.node as usize].parent)
}

/// Returns whether a node is or lies directly in an item of a list or a cell of a table.
fn is_in_item(page: &Page<'_>, node: u32) -> bool {
    const MAX_LEVELS: usize = 4;
    let mut inner = node;
    for _ in 0..MAX_LEVELS {
        let element = &page.nodes()[inner as usize];
        if matches!(element.tag, Tag::LI | Tag::TD | Tag::TH | Tag::DD) {
            return true;
        }
        inner = element.parent;
    }
    false
}

/// Returns whether a text has an ASCII digit. Works in pieces of 64 bytes, so that the compiler can
/// use SIMD instructions.
fn has_digit(text: &str) -> bool {
    let any = |piece: &[u8]| piece.iter().fold(false, |found, b| found | b.is_ascii_digit());
    text.as_bytes().chunks(64).any(any)
}

/// Returns whether a text has four digits in a row that begin with 19 or 20.
fn has_year(text: &str) -> bool {
    let is_year = |four: &[u8]| {
        (four.starts_with(b"19") || four.starts_with(b"20"))
            && four[2..].iter().all(u8::is_ascii_digit)
    };
    has_digit(text) && text.as_bytes().windows(4).any(is_year)
}

#[cfg(test)]
mod tests;
