//! The title of a page (specification section 2; paper 001 wants one and does not say how).
//!
//! In this order: the longest stretch that `<title>` and one of `h1` to `h5` have in common, if it is longer than 4 scalars; `meta`
//! og:title, twitter:title, dc:title; JSON-LD headline; `<title>` up to the first of `- _ |`, if that is 4 scalars or more, else
//! all of it; the first of `h1` to `h4`. Chosen besides: no title is longer than 200 scalars; only the first 32 headings are
//! looked at, and of white space and markup within one no more than a few kilobytes at a place.
//!
//! Cost: O(nodes), and 200 * 200 steps for each of the headings. Known failures: a site's name that stands in a heading may be longer
//! than what title and headline share; of several JSON-LD headlines the first counts, whosever it is.

use crate::stated::{StringMembers, decode_json, each_meta, put_line};
use huller_page::entity::{Context, decode};
use huller_page::{Attributes, Page, RunFlags, Tag, TagSet, Token, Tokenizer};
use std::ops::Range;

/// Scalars that a title has at most.
pub const LONGEST: usize = 200;
/// Scalars that must be in common are more than these.
const CHANCE: usize = 4;
/// Headings that are looked at.
const HEADINGS: usize = 32;
/// Bytes that are looked at in one run, or between two.
const REACH: usize = 4096;

/// Where a title was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TitleSource {
    /// `<title>` and a heading agree on it.
    TitleAndHeading,
    /// A `meta` element.
    Meta,
    /// JSON-LD.
    JsonLd,
    /// `<title>` alone.
    Title,
    /// A heading alone.
    Heading,
}

/// Memory for finding titles, made once a worker.
#[derive(Debug, Default)]
pub struct Scratch {
    attributes: Attributes,
    decoded: String,
    json: String,
    title: Vec<char>,
    heading: Vec<char>,
    lengths: Vec<u8>,
}

/// Appends the page's title to `out`; `None` if it has none.
pub fn find_title(page: &Page<'_>, scratch: &mut Scratch, out: &mut String) -> Option<TitleSource> {
    let Scratch { attributes, decoded, json, title, heading, lengths } = scratch;
    let from = out.len();
    line(page, page.title(), attributes, decoded, title);

    let headings = |last: Tag| {
        let is_heading = move |tag: Tag| tag >= Tag::H1 && tag <= last;
        page.nodes().iter().filter(move |node| is_heading(node.tag))
    };
    let mut common = 0..0;
    if title.len() > CHANCE {
        for node in headings(Tag::H5).take(HEADINGS) {
            line(page, node.runs(), attributes, decoded, heading);
            let found = longest_common(title, heading, lengths);
            if found.len() > common.len() {
                common = found;
            }
        }
    }
    if common.len() > CHANCE {
        out.extend(&title[common]);
        return Some(TitleSource::TitleAndHeading);
    }

    let mut best: Option<(usize, &str)> = None;
    each_meta(page, attributes, |name, content| {
        const NAMES: [&str; 4] = ["og:title", "twitter:title", "dc:title", "dc.title"];
        let rank = NAMES.iter().position(|known| name.eq_ignore_ascii_case(known));
        if let Some(rank) = rank.filter(|rank| best.is_none_or(|best| *rank < best.0))
            && !content.trim().is_empty()
        {
            best = Some((rank, content));
        }
    });
    if let Some((_, content)) = best {
        decoded.clear();
        decode(content, Context::Attribute, decoded);
        put_line(decoded, LONGEST, out);
        if out.len() > from {
            return Some(TitleSource::Meta);
        }
    }

    for (name, value) in page.json_ld().flat_map(StringMembers::of) {
        if name == "headline" {
            decoded.clear();
            decode_json(value, json, decoded);
            put_line(decoded, LONGEST, out);
            if out.len() > from {
                return Some(TitleSource::JsonLd);
            }
        }
    }

    if !title.is_empty() {
        let end = title.iter().position(|c| matches!(c, '-' | '_' | '|')).unwrap_or(title.len());
        let first = trimmed(title, 0..end);
        out.extend(&title[if first.len() >= CHANCE { first } else { 0..title.len() }]);
        return Some(TitleSource::Title);
    }

    for node in headings(Tag::H4).take(HEADINGS) {
        line(page, node.runs(), attributes, decoded, heading);
        if !heading.is_empty() {
            out.extend(heading.iter());
            return Some(TitleSource::Heading);
        }
    }
    None
}

/// Fills `out` with the text of some runs as one line.
fn line(
    page: &Page<'_>,
    runs: Range<usize>,
    attributes: &mut Attributes,
    decoded: &mut String,
    out: &mut Vec<char>,
) {
    out.clear();
    let mut space = false;
    let mut last_end = None;
    for run in &page.runs()[runs] {
        let start = run.byte_start as usize;
        if let Some(end) = last_end.replace(run.byte_end as usize) {
            space |= is_gap(within_reach(&page.html()[end..start]), attributes);
        }
        let source = within_reach(page.run_source(run));
        decoded.clear();
        if run.flags.contains(RunFlags::REFERENCES) {
            decode(source, Context::Text, decoded);
        } else {
            decoded.push_str(source);
        }
        for c in decoded.chars() {
            if c.is_whitespace() {
                space = true;
                continue;
            }
            if c.is_control() {
                continue;
            }
            if std::mem::take(&mut space) && !out.is_empty() {
                out.push(' ');
            }
            if out.len() >= LONGEST {
                out.truncate(trimmed(out, 0..LONGEST).end);
                return;
            }
            out.push(c);
        }
    }
}

/// Whether what stands between two runs parts words.
fn is_gap(markup: &str, attributes: &mut Attributes) -> bool {
    let mut tokenizer = Tokenizer::new(markup);
    std::iter::from_fn(|| tokenizer.next(attributes)).any(|token| match token {
        Token::Start { tag, .. } | Token::End { tag, .. } => {
            tag.is(TagSet::BLOCK) || tag == Tag::BR
        }
        Token::Text { .. } => true,
        Token::Comment(_) | Token::Doctype(_) => false,
    })
}

fn within_reach(text: &str) -> &str {
    &text[..text.floor_char_boundary(REACH)]
}

/// Where in `a` the longest stretch stands that is in `b` too, the first of equals, without blanks at its ends.
fn longest_common(a: &[char], b: &[char], lengths: &mut Vec<u8>) -> Range<usize> {
    // For each place of `b` the length of the common stretch that ends there and at the place of `a` that is looked at.
    const { assert!(LONGEST <= u8::MAX as usize) };
    lengths.clear();
    lengths.resize(b.len() + 1, 0);
    let mut longest = 0..0;
    for (end, c) in a.iter().enumerate() {
        for place in (0..b.len()).rev() {
            let length = if b[place] == *c { lengths[place] + 1 } else { 0 };
            lengths[place + 1] = length;
            if usize::from(length) > longest.len() {
                longest = end + 1 - usize::from(length)..end + 1;
            }
        }
    }
    trimmed(a, longest)
}

/// The stretch without blanks at its ends.
fn trimmed(text: &[char], stretch: Range<usize>) -> Range<usize> {
    let part = &text[stretch.clone()];
    let Some(before) = part.iter().position(|c| *c != ' ') else {
        return stretch.start..stretch.start;
    };
    let after = part.iter().rev().take_while(|c| **c == ' ').count();
    stretch.start + before..stretch.end - after
}

#[cfg(test)]
mod tests;
