//! Line blocks (Chen Xin's cx-extractor): content is where several long lines stand together.
//!
//! ```text
//! index(i) = length(i) + length(i+1) + length(i+2)         lengths in visible scalars, blank lines included
//! limit    = max(50, min(100, mean index << ((blank / (lines - blank)) / 2)))        whole numbers, shift at most 6
//! ```
//!
//! A segment begins at `i` where `index(i)` exceeds the limit (for the first one: half of it) and one of the next three (two)
//! indices is not 0; it ends at `i` where `index(i)` or `index(i+1)` is 0, or with the page. Of a segment the lines of
//! five scalars and more are content. A segment of which such a line holds `Copyright` or `版权所有` is left out.
//!
//! What we chose (specification section 6): such a segment is closed before it is left out, which the Java forgets; pages
//! of fewer than three lines are kept whole; a line feed that stands as a character reference cuts no line. `paper` takes
//! out scripts, style sheets, and what browsers read as text of frames; it keeps chains of links, as the companion does.
//!
//! `tuned` takes out the set TUNED of the specification (0.6) and chains of links: three and more with less than 30 visible
//! scalars between each and the next. Line feeds at the ends of blocks measured worse than the page's own lines, so
//! it makes them only where a page has fewer than three lines. It falls back to the P value.
//! Beside that set it removes small forms (`removal.rs`).
//!
//! Cost: O(n). Known failures: minified pages with some lines; long footers, comments and lists of headlines are kept; an
//! article so full of links that they make a chain loses the text between them.

use crate::chosen::settle;
use crate::extractor::{Citation, Extractor, Verdict};
use crate::lines::{Breaks, Lines};
use crate::profile::Profile;
use crate::removal::Removal;
use crate::selection::Selection;
use crate::tags::Tags;
use huller_page::entity::{self, Context};
use huller_page::{Page, RunFlags, Tag};
use std::ops::Range;

pub(crate) const CITATION: Citation = Citation { paper: None, subject: "line blocks" };

pub(crate) static PAPER: LineBlock = LineBlock {
    removal: Removal::of(Tags::NONE.and(&[
        Tag::SCRIPT,
        Tag::STYLE,
        Tag::IFRAME,
        Tag::NOEMBED,
        Tag::NOFRAMES,
    ])),
    strip_link_chains: false,
    cut_minified: false,
    fall_back: false,
};

pub(crate) static TUNED: LineBlock = LineBlock {
    removal: Removal::of(Tags::TUNED.and(&[Tag::TITLE])).and_small_forms(),
    strip_link_chains: true,
    cut_minified: true,
    fall_back: true,
};

pub(crate) struct LineBlock {
    removal: Removal,
    /// Leave out chains of links with hardly any text between them.
    strip_link_chains: bool,
    /// Cut the source behind the ends of blocks where it has fewer lines than an index.
    cut_minified: bool,
    /// Select what the P value selects where nothing else would be selected.
    fall_back: bool,
}

/// Lines whose lengths make up an index.
const WIDTH: usize = 3;
/// Shortest line that is content, in scalars.
const SHORTEST: u32 = 5;
/// Fewest links that are a chain.
const CHAIN: u32 = 3;
/// Scalars between two links that break a chain.
const APART: u32 = 30;

#[derive(Debug, Default)]
pub(crate) struct Scratch {
    inside: Inside,
    chains: Vec<Range<u32>>,
    decoded: String,
}

/// What the method makes of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inside {
    /// Visible scalars of each line.
    pub lengths: Vec<u32>,
    /// Their sums over three lines.
    pub indices: Vec<u64>,
    /// What an index must exceed.
    pub limit: u64,
    /// First and last line of each segment.
    pub segments: Vec<(u32, u32)>,
}

impl Inside {
    /// Measures and segments the lines; `limit` overrules the page's own.
    fn fill(&mut self, lines: &Lines, limit: Option<u64>) {
        self.lengths.clear();
        self.lengths.extend(lines.all().iter().map(|line| line.chars));
        self.indices.clear();
        self.indices.extend(
            self.lengths.windows(WIDTH).map(|w| w.iter().map(|len| u64::from(*len)).sum::<u64>()),
        );
        self.limit = limit.unwrap_or_else(|| self.own_limit());
        self.segments.clear();
        let last = self.lengths.len().saturating_sub(1) as u32;
        if self.indices.is_empty() {
            self.segments.push((0, last));
            return;
        }
        let index = |at: usize| self.indices.get(at).copied().unwrap_or(0);
        let mut start = None;
        for at in 0..self.indices.len() {
            let Some(begun) = start else {
                let is_first = self.segments.is_empty();
                let (factor, ahead) = if is_first { (2, 2) } else { (1, 3) };
                let goes_on = (1..=ahead).any(|step| index(at + step) > 0);
                if index(at) * factor > self.limit && goes_on {
                    start = Some(at as u32);
                }
                continue;
            };
            let is_last = at + 1 == self.indices.len();
            if index(at) == 0 || !is_last && index(at + 1) == 0 {
                self.segments.push((begun, at as u32));
                start = None;
            }
        }
        self.segments.extend(start.map(|begun| (begun, last)));
    }

    fn own_limit(&self) -> u64 {
        let Some(count) = std::num::NonZeroU64::new(self.indices.len() as u64) else { return 0 };
        let mean = self.indices.iter().sum::<u64>() / count;
        let blank = self.lengths.iter().filter(|len| **len == 0).count();
        let shift = blank / (self.lengths.len() - blank).max(1) / 2;
        (mean << shift.min(6)).clamp(50, 100)
    }
}

/// What the method makes of a page, for those who want to look inside; `limit` overrules the page's own.
pub fn inside(page: &Page<'_>, profile: Profile, limit: Option<u64>) -> Inside {
    let method = match profile {
        Profile::Paper => &PAPER,
        Profile::Tuned => &TUNED,
    };
    let (mut lines, mut scratch) = (Lines::default(), Scratch::default());
    method.sweep(page, &mut lines, &mut scratch, limit, &mut Vec::new());
    scratch.inside
}

/// Finds the runs of every chain of links: three and more with little text between each and the next.
fn find_chains(page: &Page<'_>, chains: &mut Vec<Range<u32>>) {
    chains.clear();
    let mut chain: Range<u32> = 0..0;
    let mut links = 0;
    for link in page.nodes().iter().filter(|node| node.tag == Tag::A) {
        if link.run_start == link.run_end || link.run_start < chain.end {
            continue;
        }
        let between = &page.runs()[chain.end as usize..link.run_start as usize];
        let mut chars = between.iter().scan(0, |sum, run| {
            *sum += run.counts.chars;
            Some(*sum)
        });
        if links > 0 && chars.all(|sum| sum < APART) {
            chain.end = link.run_end;
            links += 1;
            continue;
        }
        if links >= CHAIN {
            chains.push(chain);
        }
        chain = link.run_start..link.run_end;
        links = 1;
    }
    if links >= CHAIN {
        chains.push(chain);
    }
}

impl LineBlock {
    fn sweep(
        &self,
        page: &Page<'_>,
        lines: &mut Lines,
        scratch: &mut Scratch,
        limit: Option<u64>,
        removed: &mut Vec<u32>,
    ) {
        scratch.chains.clear();
        if self.strip_link_chains {
            find_chains(page, &mut scratch.chains);
        }
        lines.fill(page, &self.removal, Breaks::Source, &scratch.chains, removed);
        if self.cut_minified && lines.all().len() < WIDTH {
            removed.clear();
            lines.fill(page, &self.removal, Breaks::Blocks, &scratch.chains, removed);
        }
        scratch.inside.fill(lines, limit);
    }
}

/// Whether a line says that all rights are reserved.
fn is_notice(page: &Page<'_>, lines: &Lines, line: usize, decoded: &mut String) -> bool {
    decoded.clear();
    for piece in lines.pieces(line) {
        let text = &page.html()[piece.start as usize..piece.end as usize];
        if page.runs()[piece.run as usize].flags.contains(RunFlags::REFERENCES) {
            entity::decode(text, Context::Text, decoded);
        } else {
            decoded.push_str(text);
        }
    }
    decoded.contains("Copyright") || decoded.contains("版权所有")
}

impl Extractor for LineBlock {
    fn extract(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        out: &mut Selection,
    ) -> Verdict {
        out.clear();
        let (lines, own) = (&mut scratch.lines, &mut scratch.lineblock);
        self.sweep(page, lines, own, None, &mut out.removed);
        let mut chars = 0;
        // Of a page of fewer lines than an index has all that is there is kept.
        let shortest = if own.inside.indices.is_empty() { 1 } else { SHORTEST };
        for (first, last) in &own.inside.segments {
            let content = || {
                (*first as usize..=*last as usize).filter(|line| {
                    lines.all().get(*line).is_some_and(|line| line.chars >= shortest)
                })
            };
            if shortest == SHORTEST
                && content().any(|line| is_notice(page, lines, line, &mut own.decoded))
            {
                continue;
            }
            for line in content() {
                lines.select(line, out);
                chars += lines.all()[line].chars;
            }
        }
        let score = f64::from(chars) / f64::from(lines.chars().max(1));
        settle(page, self.fall_back, scratch, out);
        Verdict { score: Some(score), ..Verdict::default() }
    }
}

#[cfg(test)]
mod tests;
