//! Content code blurring: selects words that are surrounded by more text than markup.
//!
//! Thomas Gottron: *Content Code Blurring: A New Approach to Content Extraction*, 2008.
//!
//! The body is a sequence of tokens: a start tag or end tag has the value 0, a word 1. The values
//! are blurred; a word is kept if its blurred value is above a threshold:
//!
//! ```text
//! v'(i) = mean of v(j) over |i - j| <= 30          three times;  keep the word i if v(i) > 0.75
//! ```
//!
//! Three such means approximate a Gaussian blur. Near the ends of the page the mean is over the
//! tokens that exist. Words are those of `words.rs`: each Chinese character is a word. The tags of
//! links are not tokens, so that a paragraph with links does not look like markup (the paper's
//! adapted form). An end tag that the source omits is a token; void elements have no end tag. The
//! paper was not at hand: the constants are those of a public implementation (specification section
//! 6).
//!
//! The `paper` profile removes scripts, styles, the head and `noscript`. The `tuned` profile
//! removes the set TUNED, but keeps headers of articles (specification 0.6, `removal.rs`).
//!
//! Cost: two sweeps over nodes and runs, one of them over the bytes of the runs. A mean is the
//! difference of two prefix sums. Memory: 16 bytes per token, and 8 more per word.
//!
//! Known failures: it loses headlines and the first and last words of an article, because markup is
//! near them. It loses short articles entirely.

use crate::removal::Removal;
use crate::sweep::events::{Event, Events};
use crate::sweep::run_words::RunWords;
use huller_page::{Page, Tag, TagSet};
use huller_select::{
    Algorithm, Citation, ExtractorCard, ExtractorFactory, Profiles, RunRange, Selection, Verdict,
    no_content,
};
use std::ops::Range;

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &Profiles {
    card: ExtractorCard {
        name: "ccb",
        summary: "selects words that are surrounded by more text than markup",
        score: "none",
        citation: Citation { paper: None, subject: "content code blurring" },
        source: "Gottron 2008, *Content Code Blurring*",
        selects: "words",
        cost: "O(t)",
        tuned: "headers",
        failures: "headlines, first and last words, short articles",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: Ccb = Ccb {
    removal: Removal::from_tags(no_content::CORE.with(&[Tag::NOSCRIPT])),
    blur: Blur::GAUSSIAN,
};

const TUNED: Ccb = Ccb {
    removal: Removal::from_tags(no_content::TUNED).but_article_headers(),
    blur: Blur::GAUSSIAN,
};

/// The constants of the blur.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blur {
    /// Number of tokens on each side of a token that enter the mean.
    pub radius: usize,
    /// Number of times that the blur is applied.
    pub rounds: usize,
    /// Words with a blurred value above this are kept.
    pub threshold: f64,
}

impl Blur {
    /// The constants of both profiles.
    pub const GAUSSIAN: Blur = Blur { radius: 30, rounds: 3, threshold: 0.75 };
}

#[derive(Clone)]
pub(crate) struct Ccb {
    removal: Removal,
    blur: Blur,
}

/// The tokens of one page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The value of every token.
    values: Vec<f64>,
    /// Prefix sums of the values.
    sums: Vec<f64>,
    /// The byte ranges of the words.
    words: Vec<Range<u32>>,
}

impl Scratch {
    /// Clears the buffers, and shrinks them if a giant page has grown them.
    fn clear(&mut self) {
        const MAX_KEPT_ENTRIES: usize = 1 << 17;
        for column in [&mut self.values, &mut self.sums] {
            column.clear();
            column.shrink_to(MAX_KEPT_ENTRIES);
        }
        self.words.clear();
        self.words.shrink_to(MAX_KEPT_ENTRIES);
    }
}

impl Ccb {
    /// Computes the blurred value of every token.
    fn blur_values(&self, page: &Page<'_>, scratch: &mut Scratch) {
        scratch.clear();
        for event in Events::new(page, page.body(), &self.removal) {
            match event {
                Event::Run(run) => {
                    let words_before = scratch.words.len();
                    scratch.words.extend(RunWords::new(page, &page.runs()[run as usize]));
                    let words = scratch.words.len() - words_before;
                    scratch.values.resize(scratch.values.len() + words, 1.0);
                }
                _ if is_token(page, event) => scratch.values.push(0.0),
                _ => {}
            }
        }
        for _ in 0..self.blur.rounds {
            replace_by_means(self.blur.radius, &mut scratch.values, &mut scratch.sums);
        }
    }

    /// Adds the words above the threshold, with the white space around them, to the ranges. Adds
    /// the removed elements to `removed`; their borders would otherwise break lines in the text.
    fn add_kept_words(&self, page: &Page<'_>, scratch: &Scratch, out: &mut Selection) {
        let mut values = scratch.values.iter();
        let mut words = scratch.words.as_slice();
        for event in Events::new(page, page.body(), &self.removal) {
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
            // `free`: the end of the last word that was not kept. `open`: the start of the open
            // stretch.
            let mut free = run.byte_start;
            let mut open = None;
            while let Some((word, later_words)) = words.split_first()
                && (run.byte_start..run.byte_end).contains(&word.start)
            {
                words = later_words;
                let is_kept = values.next().is_some_and(|value| *value > self.blur.threshold);
                if is_kept {
                    open.get_or_insert(free);
                    continue;
                }
                if let Some(start) = open.take() {
                    out.ranges.push(RunRange { run: index, start, end: word.start });
                }
                free = word.end;
            }
            if let Some(start) = open {
                out.ranges.push(RunRange { run: index, start, end: run.byte_end });
            }
        }
    }
}

/// Returns whether an event is a tag that counts as a token.
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

/// Replaces every value by the mean of the values at most `radius` places away.
fn replace_by_means(radius: usize, values: &mut [f64], sums: &mut Vec<f64>) {
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
    // Except near the ends, every mean is over `width` values.
    let full_windows = radius.min(len)..len.saturating_sub(radius).max(radius.min(len));
    for at in (0..full_windows.start).chain(full_windows.end..len) {
        values[at] = edge(at);
    }
    let window_sums = sums.get(width..).unwrap_or_default().iter().zip(&*sums);
    for (value, (to, from)) in values[full_windows].iter_mut().zip(window_sums) {
        *value = (to - from) / width as f64;
        debug_assert!(value.is_finite());
    }
}

impl Algorithm for Ccb {
    type Scratch = Scratch;

    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        self.blur_values(page, scratch);
        self.add_kept_words(page, scratch, out);
        out.finish_ranges(page);
        Verdict::default()
    }
}

#[cfg(test)]
pub(crate) mod inspect {
    //! Intermediate results of CCB, for the worked examples.

    use super::*;

    /// Returns the blurred value of every token of a page.
    pub(crate) fn values(page: &Page<'_>, blur: Blur) -> Vec<f64> {
        let mut scratch = Scratch::default();
        Ccb { blur, ..PAPER }.blur_values(page, &mut scratch);
        scratch.values
    }

    /// Returns the `paper` profile with other constants.
    pub(crate) fn with_constants(blur: Blur) -> Ccb {
        Ccb { blur, ..PAPER }
    }
}
#[cfg(test)]
mod tests;
