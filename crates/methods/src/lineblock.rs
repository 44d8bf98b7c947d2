//! Line blocks: selects places where several long lines follow one another.
//!
//! Chen Xin (陈鑫): 基于行块分布函数的通用网页正文抽取算法, published with the program cx-extractor.
//!
//! ```text
//! index(i) = length(i) + length(i+1) + length(i+2)         lengths in visible scalars, blank lines included
//! limit    = max(50, min(100, mean index << ((blank / (lines - blank)) / 2)))        whole numbers, shift at most 6
//! ```
//!
//! A segment begins at `i` if `index(i)` exceeds the limit and one of the next three indices is
//! not 0. For the first segment, half of the limit and the next two indices are used. A segment
//! ends at `i` if `index(i)` or `index(i+1)` is 0, or at the end of the page. The lines of a
//! segment with at least five scalars are content. If one of these lines holds `Copyright` or
//! `版权所有`, the whole segment is left out.
//!
//! Our choices (specification section 6):
//!
//! - A segment with a copyright line ends before it is left out (the Java program does not end it).
//! - Pages with fewer than three lines are kept whole.
//! - A line feed written as a character reference does not end a line.
//!
//! `paper` removes scripts, style sheets, and elements whose content browsers treat as raw text of
//! frames (`iframe`, `noembed`, `noframes`). It keeps chains of links.
//!
//! `tuned` removes the set TUNED, `title` and small forms (specification 0.6, `removal.rs`). It
//! also removes chains of links: at least three links, with fewer than 30 visible scalars between
//! each and the next. Ending lines at block elements measured worse than the source's own lines, so
//! `tuned` does it only in pages with fewer than three lines.
//!
//! Cost: O(n). Known failures: minified pages that have a few lines. Long footers, comments and
//! lists of headlines are kept. If the links of an article form a chain, the text between them is
//! lost.

use crate::removal::Removal;
use crate::sweep::lines::{LineBreaks, Lines};
use huller_page::TagTable;
use huller_page::entity::{self, Context};
use huller_page::{Page, RunFlags, Tag};
use huller_select::{
    Algorithm, Citation, ExtractorCard, ExtractorFactory, Profiles, Selection, Verdict, no_content,
};
use std::ops::Range;

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &Profiles {
    card: ExtractorCard {
        name: "lineblock",
        summary: "selects segments of the page in which three consecutive lines have much text",
        score: "fraction of the page's text on the kept lines, 0 to 1",
        citation: Citation { paper: None, subject: "line blocks" },
        source: "Chen Xin, cx-extractor",
        selects: "lines",
        cost: "O(l)",
        tuned: "forms; chains of links are removed; pages of fewer than three lines are cut where blocks end",
        failures: "minified pages of a few lines; long footers and comments",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: LineBlock = LineBlock {
    removal: Removal::from_tags(TagTable::NONE.with(&[
        Tag::SCRIPT,
        Tag::STYLE,
        Tag::IFRAME,
        Tag::NOEMBED,
        Tag::NOFRAMES,
    ])),
    strip_link_chains: false,
    cut_minified: false,
};

const TUNED: LineBlock = LineBlock {
    removal: Removal::from_tags(no_content::TUNED.with(&[Tag::TITLE])).and_small_forms(),
    strip_link_chains: true,
    cut_minified: true,
};

#[derive(Clone)]
pub(crate) struct LineBlock {
    removal: Removal,
    /// Whether to leave out chains of links with little text between them.
    strip_link_chains: bool,
    /// Whether to end lines also after block elements if the page has fewer than
    /// [`LINES_PER_INDEX`] lines.
    cut_minified: bool,
}

/// Number of lines whose lengths an index sums.
const LINES_PER_INDEX: usize = 3;
/// Smallest length of a content line, in visible scalars.
const MIN_LINE_CHARS: u32 = 5;
/// Smallest number of links in a chain.
const MIN_CHAIN_LINKS: u32 = 3;
/// Number of visible scalars between two links that ends a chain.
const CHAIN_GAP_CHARS: u32 = 30;

#[derive(Debug, Default)]
pub(crate) struct Scratch {
    lines: Lines,
    segmentation: Segmentation,
    /// Ranges of the runs of chains of links.
    chains: Vec<Range<u32>>,
    decoded: String,
}

/// The lengths, indices and segments of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segmentation {
    /// Visible scalars of each line.
    pub lengths: Vec<u32>,
    /// Sums of the lengths of three consecutive lines.
    pub indices: Vec<u64>,
    /// A segment begins only if an index exceeds this value.
    pub limit: u64,
    /// First and last line of each segment.
    pub segments: Vec<(u32, u32)>,
}

impl Segmentation {
    /// Measures the lines and finds the segments. `limit` replaces the limit computed from the
    /// page.
    fn fill(&mut self, lines: &Lines, limit: Option<u64>) {
        self.lengths.clear();
        self.lengths.extend(lines.all().iter().map(|line| line.chars));
        self.indices.clear();
        self.indices.extend(
            self.lengths
                .windows(LINES_PER_INDEX)
                .map(|w| w.iter().map(|len| u64::from(*len)).sum::<u64>()),
        );
        self.limit = limit.unwrap_or_else(|| self.own_limit());
        self.segments.clear();
        let last_line = self.lengths.len().saturating_sub(1) as u32;
        if self.indices.is_empty() {
            self.segments.push((0, last_line));
            return;
        }
        let index = |line_index: usize| self.indices.get(line_index).copied().unwrap_or(0);
        let mut start = None;
        for line_index in 0..self.indices.len() {
            let Some(begun) = start else {
                let is_first = self.segments.is_empty();
                let (factor, ahead) = if is_first { (2, 2) } else { (1, 3) };
                let goes_on = (1..=ahead).any(|step| index(line_index + step) > 0);
                if index(line_index) * factor > self.limit && goes_on {
                    start = Some(line_index as u32);
                }
                continue;
            };
            let is_last = line_index + 1 == self.indices.len();
            if index(line_index) == 0 || !is_last && index(line_index + 1) == 0 {
                self.segments.push((begun, line_index as u32));
                start = None;
            }
        }
        self.segments.extend(start.map(|begun| (begun, last_line)));
    }

    fn own_limit(&self) -> u64 {
        let Some(count) = std::num::NonZeroU64::new(self.indices.len() as u64) else { return 0 };
        let mean = self.indices.iter().sum::<u64>() / count;
        let blank = self.lengths.iter().filter(|len| **len == 0).count();
        let shift = blank / (self.lengths.len() - blank).max(1) / 2;
        (mean << shift.min(6)).clamp(50, 100)
    }
}

/// Finds all chains of links, as ranges of runs: at least [`MIN_CHAIN_LINKS`] links with little
/// text between each and the next.
fn find_chains(page: &Page<'_>, chains: &mut Vec<Range<u32>>) {
    chains.clear();
    let mut chain: Range<u32> = 0..0;
    let mut links = 0;
    for link in page.nodes().iter().filter(|node| node.tag == Tag::A) {
        if link.run_start == link.run_end || link.run_start < chain.end {
            continue;
        }
        let runs_between = &page.runs()[chain.end as usize..link.run_start as usize];
        let mut chars = runs_between.iter().scan(0, |sum, run| {
            *sum += run.counts.chars;
            Some(*sum)
        });
        if links > 0 && chars.all(|sum| sum < CHAIN_GAP_CHARS) {
            chain.end = link.run_end;
            links += 1;
            continue;
        }
        if links >= MIN_CHAIN_LINKS {
            chains.push(chain);
        }
        chain = link.run_start..link.run_end;
        links = 1;
    }
    if links >= MIN_CHAIN_LINKS {
        chains.push(chain);
    }
}

impl LineBlock {
    fn sweep(
        &self,
        page: &Page<'_>,
        scratch: &mut Scratch,
        limit: Option<u64>,
        removed: &mut Vec<u32>,
    ) {
        let Scratch { lines, segmentation, chains, .. } = scratch;
        chains.clear();
        if self.strip_link_chains {
            find_chains(page, chains);
        }
        lines.fill(page, &self.removal, LineBreaks::Source, chains, removed);
        if self.cut_minified && lines.all().len() < LINES_PER_INDEX {
            removed.clear();
            lines.fill(page, &self.removal, LineBreaks::Blocks, chains, removed);
        }
        segmentation.fill(lines, limit);
    }
}

/// Returns whether a line holds a copyright notice.
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

impl Algorithm for LineBlock {
    type Scratch = Scratch;

    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        self.sweep(page, scratch, None, &mut out.removed);
        let Scratch { lines, segmentation, decoded, .. } = scratch;
        let mut chars = 0;
        // A page with too few lines for an index is kept whole.
        let shortest = if segmentation.indices.is_empty() { 1 } else { MIN_LINE_CHARS };
        for (first, last) in &segmentation.segments {
            let content = || {
                (*first as usize..=*last as usize).filter(|line| {
                    lines.all().get(*line).is_some_and(|line| line.chars >= shortest)
                })
            };
            if shortest == MIN_LINE_CHARS
                && content().any(|line| is_notice(page, lines, line, decoded))
            {
                continue;
            }
            for line in content() {
                lines.select(line, out);
                chars += lines.all()[line].chars;
            }
        }
        let score = f64::from(chars) / f64::from(lines.chars().max(1));
        out.finish_ranges(page);
        Verdict { score: Some(score), ..Verdict::default() }
    }
}

#[cfg(test)]
pub(crate) mod inspect {
    //! Intermediate results of line blocks, for the worked examples.

    use super::*;
    use huller_select::Profile;

    /// Returns the lengths, indices and segments of a page. `limit` replaces the limit computed
    /// from the page.
    pub(crate) fn segmentation(
        page: &Page<'_>,
        profile: Profile,
        limit: Option<u64>,
    ) -> Segmentation {
        let extractor = match profile {
            Profile::Paper => &PAPER,
            Profile::Tuned => &TUNED,
        };
        let mut scratch = Scratch::default();
        extractor.sweep(page, &mut scratch, limit, &mut Vec::new());
        scratch.segmentation
    }
}
#[cfg(test)]
mod tests;
