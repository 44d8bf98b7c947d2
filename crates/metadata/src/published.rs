//! Finds the date of publication (specification section 2; paper 001 wants a time and does not define it, see
//! `docs/papers.md`).
//!
//! The sources, in order: `meta` elements whose property, name or itemprop begins with a known name; JSON-LD
//! datePublished, then dateCreated; `<time datetime>`; a date in the path of the address; the first short line around
//! the headline that holds a date. Values that are not dates are ignored, and so are `meta` names that speak of
//! changes.
//!
//! The first decision of the specification was the first date of the whole text, in the forms yyyy-m-d, yy-m-d and
//! m月d日. Measured on gold dates (`docs/metadata.md`), lines around the headline, where d.m.yyyy and names of months
//! are read too, find more dates. Dates from the rest of the text are right less than half of the time, so they are
//! left out. m月d日 has no year, so it is not a date of ISO 8601.
//!
//! Cost: O(bytes of the address); everything else is bounded. Known failures: a date around the headline may be the
//! date of something else; a date that is spread over several elements is not found; `05/06/2007` is not read, since
//! it may be May or June.

use super::date::Moment;
use super::stated::Stated;
use super::window::Window;
use huller_page::{Attributes, Page};

/// Where the date was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A `meta` element.
    Meta,
    /// JSON-LD.
    JsonLd,
    /// The `datetime` of a `time` element.
    Time,
    /// The path of the address.
    Address,
    /// A line around the headline.
    Line,
}

/// Largest length of a line around the headline that is searched for a date, in bytes: a longer line is more than a
/// date.
const LONGEST_DATE_LINE: u32 = 120;

/// Appends the date of publication in ISO 8601 to `out`. Returns where it was found, or `None` if it was not.
pub(super) fn find(
    page: &Page<'_>,
    stated: &Stated<'_>,
    (times, headline): (&[u32], Option<u32>),
    url: Option<&str>,
    attributes: &mut Attributes,
    out: &mut String,
) -> Option<Source> {
    let from_json = || stated.json_ld.published().find_map(Moment::stated);
    let from_line = || in_window(page, &Window::around(page, headline, Window::DATE));
    let (moment, source) = None
        .or_else(|| Some((stated.published()?, Source::Meta)))
        .or_else(|| Some((from_json()?, Source::JsonLd)))
        .or_else(|| Some((in_times(page, times, attributes)?, Source::Time)))
        .or_else(|| Some((Moment::of_address(url?)?, Source::Address)))
        .or_else(|| Some((from_line()?, Source::Line)))?;
    moment.write_iso(out);
    Some(source)
}

fn in_times(page: &Page<'_>, times: &[u32], memory: &mut Attributes) -> Option<Moment> {
    times.iter().find_map(|&node| {
        let mut attributes = page.all_attributes(&page.nodes()[node as usize], memory);
        let (_, value) = attributes.find(|(name, _)| name.eq_ignore_ascii_case("datetime"))?;
        Moment::stated(value)
    })
}

fn in_window(page: &Page<'_>, window: &Window) -> Option<Moment> {
    let runs = page.runs()[window.runs.clone()].iter();
    let short = runs.filter(|run| run.byte_end - run.byte_start <= LONGEST_DATE_LINE);
    let mut lines = short.map(|run| page.run_source(run));
    lines.find_map(|line| if has_year(line) { Moment::shown(line) } else { None })
}

/// Whether a text has an ASCII digit. Works in pieces of 64 bytes, so that the compiler can use SIMD instructions.
fn has_digit(text: &str) -> bool {
    let any = |piece: &[u8]| piece.iter().fold(false, |found, b| found | b.is_ascii_digit());
    text.as_bytes().chunks(64).any(any)
}

/// Whether a text has four digits in a row that begin with 19 or 20.
fn has_year(text: &str) -> bool {
    let is_year = |four: &[u8]| {
        (four.starts_with(b"19") || four.starts_with(b"20"))
            && four[2..].iter().all(u8::is_ascii_digit)
    };
    has_digit(text) && text.as_bytes().windows(4).any(is_year)
}

#[cfg(test)]
mod tests;
