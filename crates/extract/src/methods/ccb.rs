//! Content code blurring (Gottron 2008): words in whose neighbourhood there is more text than markup.
//!
//! The body is a sequence of tokens: start tags and end tags count 0, words 1. The values are blurred, and the words are kept
//! whose value is then above a threshold:
//!
//! ```text
//! v'(i) = mean of v(j) over |i - j| <= 30          three times;  keep the word i if v(i) > 0.75
//! ```
//!
//! Three such boxes are nearly a Gaussian; at the ends of the page the mean is over what is there. Words are those of
//! `words.rs`: in Chinese every character counts one. The tags of links are left out altogether, so that a paragraph with
//! links is not taken for markup (the paper's adapted form). End tags that the source leaves out count, void elements have
//! none. The paper's own constants could not be read; these are those of a public implementation (specification
//! section 6).
//!
//! The `paper` profile removes scripts, styles, the head and `noscript`; `tuned` removes the set TUNED of the specification
//! (0.6) and falls back to the P value where no word is kept.
//! Beside that set it keeps headers of articles (`removal.rs`).
//!
//! Cost: two sweeps over nodes and runs, one over their bytes; a mean is the difference of two prefix sums. 16 bytes of memory a
//! token, and 8 a word.
//!
//! Known failures: headlines and first and last words of an article are lost, since markup is near; short articles are lost
//! as a whole.

use crate::chosen::settle;
use crate::events::{Event, Events, body};
use crate::extractor::{Citation, Extractor, Verdict};
use crate::removal::Removal;
use crate::selection::{Selection, Stretch};
use crate::tags::Tags;
use crate::words::Words;
use huller_page::{Page, Tag, TagSet};
use std::ops::Range;

pub(crate) const CITATION: Citation = Citation { paper: None, subject: "content code blurring" };

pub(crate) static PAPER: Blurring = Blurring {
    removal: Removal::of(Tags::CORE.and(&[Tag::NOSCRIPT])),
    blur: Blur::GAUSSIAN,
    fall_back: false,
};

pub(crate) static TUNED: Blurring = Blurring {
    removal: Removal::of(Tags::TUNED).but_article_headers(),
    blur: Blur::GAUSSIAN,
    fall_back: true,
};

/// How far a token's neighbourhood reaches, and what must be in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blur {
    /// Tokens on either side that a mean is taken over.
    pub radius: usize,
    /// How often it is taken.
    pub rounds: usize,
    /// Words above this value are kept.
    pub threshold: f64,
}

impl Blur {
    /// The constants of both profiles.
    pub const GAUSSIAN: Blur = Blur { radius: 30, rounds: 3, threshold: 0.75 };
}

pub(crate) struct Blurring {
    removal: Removal,
    blur: Blur,
    /// Select by P value where no word is kept.
    fall_back: bool,
}

/// Tokens of one page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Values of all.
    values: Vec<f64>,
    sums: Vec<f64>,
    /// Where the words stand.
    words: Vec<Range<u32>>,
}

impl Scratch {
    /// Forgets the page before. A giant one does not keep its memory.
    fn clear(&mut self) {
        const KEEP: usize = 1 << 17;
        for column in [&mut self.values, &mut self.sums] {
            column.clear();
            column.shrink_to(KEEP);
        }
        self.words.clear();
        self.words.shrink_to(KEEP);
    }
}

impl Blurring {
    /// Gives every token its blurred value.
    fn blur(&self, page: &Page<'_>, scratch: &mut Scratch) {
        scratch.clear();
        for event in Events::new(page, body(page), &self.removal) {
            match event {
                Event::Run(run) => {
                    let before = scratch.words.len();
                    scratch.words.extend(Words::new(page, &page.runs()[run as usize]));
                    let words = scratch.words.len() - before;
                    scratch.values.resize(scratch.values.len() + words, 1.0);
                }
                _ if is_token(page, event) => scratch.values.push(0.0),
                _ => {}
            }
        }
        for _ in 0..self.blur.rounds {
            means(self.blur.radius, &mut scratch.values, &mut scratch.sums);
        }
    }

    /// Adds what is kept to the stretches: the words above the threshold and the white space around them; and what is
    /// removed, whose borders would break lines else.
    fn keep(&self, page: &Page<'_>, scratch: &Scratch, out: &mut Selection) {
        let mut values = scratch.values.iter();
        let mut words = scratch.words.as_slice();
        for event in Events::new(page, body(page), &self.removal) {
            let index = match event {
                Event::Run(index) => index,
                Event::Removed(node) => {
                    out.removed.push(node);
                    continue;
                }
                Event::Open(_) | Event::Close(_) => {
                    if is_token(page, event) {
                        values.next();
                    }
                    continue;
                }
            };
            let run = &page.runs()[index as usize];
            // Where the last word that was left out ends, and where the open stretch begins.
            let mut free = run.byte_start;
            let mut open = None;
            while let Some((word, rest)) = words.split_first()
                && word.start < run.byte_end
            {
                words = rest;
                let is_kept = values.next().is_some_and(|value| *value > self.blur.threshold);
                if is_kept {
                    open.get_or_insert(free);
                    continue;
                }
                if let Some(start) = open.take() {
                    out.stretches.push(Stretch { run: index, start, end: word.start });
                }
                free = word.end;
            }
            if let Some(start) = open {
                out.stretches.push(Stretch { run: index, start, end: run.byte_end });
            }
        }
    }
}

/// Whether a tag counts.
fn is_token(page: &Page<'_>, event: Event) -> bool {
    match event {
        Event::Open(index) => page.nodes()[index as usize].tag != Tag::A,
        Event::Close(index) => {
            let node = &page.nodes()[index as usize];
            node.tag != Tag::A && !node.is(TagSet::VOID)
        }
        Event::Run(_) | Event::Removed(_) => false,
    }
}

/// Replaces every value by the mean of those at most `radius` away.
fn means(radius: usize, values: &mut [f64], sums: &mut Vec<f64>) {
    sums.clear();
    sums.push(0.0);
    let mut sum = 0.0;
    sums.extend(values.iter().map(|value| {
        sum += value;
        sum
    }));
    let (len, width) = (values.len(), 2 * radius + 1);
    let edge = |at: usize| {
        let (from, to) = (at.saturating_sub(radius), len.min(at + radius + 1));
        (sums[to] - sums[from]) / (to - from) as f64
    };
    // All but the ends have as many around them.
    let inside = radius.min(len)..len.saturating_sub(radius).max(radius.min(len));
    for at in (0..inside.start).chain(inside.end..len) {
        values[at] = edge(at);
    }
    let around = sums.get(width..).unwrap_or_default().iter().zip(&*sums);
    for (value, (to, from)) in values[inside].iter_mut().zip(around) {
        *value = (to - from) / width as f64;
        debug_assert!(value.is_finite());
    }
}

/// The blurred value of every token of a page, for those who want to look inside.
pub fn values(page: &Page<'_>, blur: Blur) -> Vec<f64> {
    let mut scratch = Scratch::default();
    Blurring { blur, ..PAPER }.blur(page, &mut scratch);
    scratch.values
}

/// The `paper` profile with other constants.
pub fn with(blur: Blur) -> impl Extractor {
    Blurring { blur, ..PAPER }
}

impl Extractor for Blurring {
    fn extract(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        out: &mut Selection,
    ) -> Verdict {
        out.clear();
        self.blur(page, &mut scratch.ccb);
        self.keep(page, &scratch.ccb, out);
        settle(page, self.fall_back, scratch, out);
        Verdict::default()
    }
}

#[cfg(test)]
mod tests;
