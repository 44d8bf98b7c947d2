//! When a page was published (specification section 2; paper 001 wants a time and does not say how).
//!
//! In this order: `meta` elements whose property, name or itemprop begins with a known name; JSON-LD datePublished, then dateCreated;
//! `<time datetime>`; the first date in the text of the body: with a year of four digits, else with one of two, else m月d日. What
//! is no date is passed over. Chosen besides: `meta` names that speak of changes don't count; what is stated (not the text)
//! may also be spelled in English or be `yyyymmdd`, and only its first 256 bytes count.
//!
//! Cost: O(nodes + bytes of text); every number in the text is tried once for each form. Known failures: a date in the text may be of
//! anything; one that is spread over several elements is not seen; day and month in the order of other countries
//! (`31.12.2010`) are not read, and `05/06/07` is read as 2005-06-07.

mod date;

use crate::stated::{StringMembers, decode_json, each_meta, put_line};
use date::{Form, Moment};
use huller_page::entity::{Context, decode};
use huller_page::{Attributes, Page, RunFlags, Tag};

/// Where a date was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublishedSource {
    /// A `meta` element.
    Meta,
    /// JSON-LD.
    JsonLd,
    /// The `datetime` of a `time` element.
    Time,
    /// The text.
    Text,
}

/// A date of publication. Made once and refilled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// By ISO 8601, as much as is known of it; without a year `--01-30`.
    pub iso: String,
    /// As it is written on the page, on one line.
    pub raw: String,
}

/// Memory for finding dates, made once a worker.
#[derive(Debug, Default)]
pub struct Scratch {
    attributes: Attributes,
    decoded: String,
    json: String,
}

/// How `meta` elements that state the date are called, the most telling first; the names begin so.
const META: [&str; 19] = [
    "article:published_time",
    "article:publish_time",
    "og:published_time",
    "og:release_date",
    "rnews:datepublished",
    "datepublished",
    "pubdate",
    "publishdate",
    "pubtime",
    "publication_date",
    "originalpublicationdate",
    "dc.date",
    "dc:date",
    "dcterms.date",
    "dcterms.created",
    "parsely-pub-date",
    "sailthru.date",
    "article.published",
    "date",
];

/// Names that begin so may still speak of something else.
const CHANGED: [&str; 3] = ["modif", "updat", "expir"];

/// Fills `out` with the date of publication; where none is found `out` is empty.
pub fn find_published(
    page: &Page<'_>,
    scratch: &mut Scratch,
    out: &mut Published,
) -> Option<PublishedSource> {
    out.iso.clear();
    out.raw.clear();
    if from_meta(page, scratch, out) {
        return Some(PublishedSource::Meta);
    }
    for wanted in ["datePublished", "dateCreated"] {
        for (name, value) in page.json_ld().flat_map(StringMembers::of) {
            if name == wanted {
                scratch.decoded.clear();
                decode_json(value, &mut scratch.json, &mut scratch.decoded);
                if state(&scratch.decoded, out) {
                    return Some(PublishedSource::JsonLd);
                }
            }
        }
    }
    for node in page.nodes().iter().filter(|node| node.tag == Tag::TIME) {
        let mut attributes = page.all_attributes(node, &mut scratch.attributes);
        let value = attributes.find(|(name, _)| name.eq_ignore_ascii_case("datetime"));
        if let Some((_, value)) = value
            && state_attribute(value, &mut scratch.decoded, out)
        {
            return Some(PublishedSource::Time);
        }
    }
    from_text(page, &mut scratch.decoded, out).then_some(PublishedSource::Text)
}

fn from_meta(page: &Page<'_>, scratch: &mut Scratch, out: &mut Published) -> bool {
    let Scratch { attributes, decoded, .. } = scratch;
    let mut best = META.len();
    each_meta(page, attributes, |name, content| {
        let begins = |known: &&str| {
            name.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known))
        };
        let Some(rank) = META[..best].iter().position(|known| begins(&known)) else { return };
        let rest = &name[META[rank].len()..];
        if CHANGED.iter().any(|word| starts_within(rest, word)) {
            return;
        }
        if state_attribute(content, decoded, out) {
            best = rank;
        }
    });
    best < META.len()
}

/// Whether the name's rest begins with the word, perhaps behind a mark such as `_`.
fn starts_within(rest: &str, word: &str) -> bool {
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_punctuation());
    rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

fn state_attribute(value: &str, decoded: &mut String, out: &mut Published) -> bool {
    decoded.clear();
    decode(&value[..value.floor_char_boundary(LONGEST)], Context::Attribute, decoded);
    state(decoded, out)
}

/// Takes a value that is meant to be a date, if it is one.
fn state(value: &str, out: &mut Published) -> bool {
    let Some(moment) = Moment::stated(value) else { return false };
    set(moment, value, out);
    true
}

fn set(moment: Moment, raw: &str, out: &mut Published) {
    out.iso.clear();
    moment.write_iso(&mut out.iso);
    out.raw.clear();
    put_line(raw, LONGEST, &mut out.raw);
}

/// Bytes of a value that are read, and scalars of a raw form that are kept.
const LONGEST: usize = 256;

fn from_text(page: &Page<'_>, decoded: &mut String, out: &mut Published) -> bool {
    const FORMS: [Form; 3] = [Form::FourDigits, Form::TwoDigits, Form::NoYear];
    let body = page.nodes().iter().find(|node| node.tag == Tag::BODY);
    // Only forms before the one found can still win.
    let mut left = FORMS.len();
    for run in body.map_or(&[][..], |body| &page.runs()[body.runs()]) {
        let source = page.run_source(run);
        let text = if run.flags.contains(RunFlags::REFERENCES) {
            decoded.clear();
            decode(source, Context::Text, decoded);
            decoded.as_str()
        } else {
            source
        };
        for start in date::starts(text) {
            let mut forms = FORMS[..left].iter().enumerate();
            let found = forms.find_map(|(rank, form)| Some((rank, date::at(text, start, *form)?)));
            if let Some((rank, (moment, place))) = found {
                set(moment, &text[place], out);
                left = rank;
            }
        }
        if left == 0 {
            break;
        }
    }
    left < FORMS.len()
}

#[cfg(test)]
mod tests;
