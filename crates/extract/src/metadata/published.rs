//! When a page was published (specification section 2; paper 001 wants a time and does not say how).
//!
//! In this order: `meta` elements whose property, name or itemprop begins with a known name; JSON-LD datePublished, then dateCreated;
//! `<time datetime>`; a date in the path of the address; short lines around the headline that hold a date; the first date in the
//! text of the body, with a year of four digits first or else of two. What is no date is passed over. Chosen besides the
//! specification: `meta` names that speak of changes don't count; address and lines around the headline are looked at, and d.m.yyyy and
//! names of months are read there; m月d日, which has no year, is no date by ISO 8601 and is not looked for.
//!
//! Cost: O(nodes) for what is stated; where nothing is, one look at each byte of the text for digits. Known failures: a date in
//! the text may be of anything; one that is spread over several elements is not seen; `05/06/2007` is not read, since nobody
//! knows which is the month.

pub(super) mod date;

use super::Window;
use super::line::{Lines, within};
use super::stated::Stated;
use date::{Form, Moment};
use huller_page::{Attributes, Page, RunFlags, Tag};

/// Where a date was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A `meta` element.
    Meta,
    /// JSON-LD.
    JsonLd,
    /// The `datetime` of a `time` element.
    Time,
    /// The address.
    Address,
    /// A line around the headline.
    Line,
    /// The text.
    Text,
}

/// Bytes of a value that are read.
const LONGEST: usize = 256;

/// Bytes that a line around the headline has at most to be mostly a date.
const LONGEST_LINE: usize = 120;

/// The date that the value of an attribute states.
pub(super) fn stated_moment(value: &str) -> Option<Moment> {
    Moment::stated(within(value, LONGEST))
}

/// Appends the date of publication to `out`; `None` if none is found.
pub(super) fn find(
    page: &Page<'_>,
    stated: &Stated<'_>,
    times: &[u32],
    window: &Window,
    url: Option<&str>,
    (lines, attributes): (&mut Lines, &mut Attributes),
    out: &mut String,
) -> Option<Source> {
    let from_json = || stated.json_ld.published().find_map(stated_moment);
    let from_line = || in_window(page, window);
    let (moment, source) = None
        .or_else(|| Some((stated.published()?, Source::Meta)))
        .or_else(|| Some((from_json()?, Source::JsonLd)))
        .or_else(|| Some((in_times(page, times, attributes)?, Source::Time)))
        .or_else(|| Some((Moment::of_address(url?)?, Source::Address)))
        .or_else(|| Some((from_line()?, Source::Line)))
        .or_else(|| Some((in_text(page, lines)?, Source::Text)))?;
    moment.write_iso(out);
    Some(source)
}

fn in_times(page: &Page<'_>, times: &[u32], memory: &mut Attributes) -> Option<Moment> {
    times.iter().find_map(|&node| {
        let mut attributes = page.all_attributes(&page.nodes()[node as usize], memory);
        let (_, value) = attributes.find(|(name, _)| name.eq_ignore_ascii_case("datetime"))?;
        stated_moment(value)
    })
}

fn in_window(page: &Page<'_>, window: &Window) -> Option<Moment> {
    let runs = page.runs()[window.runs.clone()].iter();
    let mut lines = runs.map(|run| page.run_source(run).trim());
    lines.find_map(|line| {
        let fits = line.len() <= LONGEST_LINE && has_digit(line);
        if fits { Moment::shown(line) } else { None }
    })
}

fn in_text(page: &Page<'_>, lines: &mut Lines) -> Option<Moment> {
    /// Bytes of the shortest date.
    const SHORTEST: u32 = 6;
    let body = page.nodes().iter().find(|node| node.tag == Tag::BODY);
    let mut found = None;
    for run in body.map_or(&[][..], |body| &page.runs()[body.runs()]) {
        let source = page.run_source(run);
        if run.byte_end - run.byte_start < SHORTEST || !has_digit(source) {
            continue;
        }
        let text =
            if run.flags.contains(RunFlags::REFERENCES) { lines.decoded(source) } else { source };
        for start in date::starts(text) {
            if let Some((moment, _)) = date::at(text, start, Form::FourDigits) {
                return Some(moment);
            }
            if found.is_none() {
                found = date::at(text, start, Form::TwoDigits).map(|(moment, _)| moment);
            }
        }
    }
    found
}

/// Whether there is a digit; in pieces, so that many bytes are looked at together.
fn has_digit(text: &str) -> bool {
    let any = |piece: &[u8]| piece.iter().fold(false, |found, b| found | b.is_ascii_digit());
    text.as_bytes().chunks(64).any(any)
}

#[cfg(test)]
mod tests;
