//! Text and symbol density (paper 001): the element whose text is dense, punctuated and in paragraphs is the article.
//!
//! With `T` the scalars of an element's text, `LT` those within links, `TG` its tags, `LTG` its link tags, `Sb` its punctuation
//! and `PNum` its `p` elements, itself included:
//!
//! ```text
//! TD  = (T - LT) / (TG - LTG)                                     (1)
//! SbD = (T - LT) / (Sb + 1)                                       (4)
//! score = ln SD * TD * log10(PNum + 2) * ln SbD                   (5)
//! ```
//!
//! `SD` is the standard deviation of `TD` over the page. What the paper leaves open, and what we chose (specification section
//! 2): `TG` counts the tags below the element, `br` and `wbr` not (B-1); where `TG` = `LTG` > 0, text with a few links in it
//! (`T` >= 11 `LT`) takes `TG` for the denominator, everything else has no density (B-2), nor have links, what is in them, and
//! `br`; `SbD` counts one at least (B-3); `SD` is the sample deviation over all elements of the body, a factor of 1 where it is
//! not above 1, so that it never turns the ranking round (B-4); of equal elements the inner one wins, else the first.
//! Where no score is positive nothing is selected.
//!
//! The `tuned` profile puts the sum of the densities of an element's children in the place of its own `TD` (the density sum of
//! CETD: not in this paper), with a denominator of 1 where it would be 0, and without `SD`; it removes the set TUNED (0.6), and
//! falls back to the same without symbols, then to the P value, then to all text.
//!
//! Cost: one sweep for the sums, one or two over the kept nodes; no search. Known failures: in the `paper` profile wrappers with
//! few tags beat articles with many; articles cut in several parts of equal rank (a page of comments, a list of posts)
//! lose all but their common parent or one of them.

use crate::extractor::{Citation, Extractor, Verdict};
use crate::methods::pvalue;
use crate::registry::Profile;
use crate::removal::Removal;
use crate::selection::Selection;
use crate::sums::{Subtree, Sums};
use crate::tags::Tags;
use huller_page::{Node, Page, Tag};
use std::cmp::Ordering;

pub(crate) const CITATION: Citation =
    Citation { paper: Some("001"), subject: "text and symbol density" };

/// What the paper removes.
pub(crate) const REMOVAL: Removal = Removal::of(Tags::CORE.and(&[Tag::IFRAME, Tag::NOSCRIPT]));

pub(crate) static PAPER: TextDensity =
    TextDensity { removal: REMOVAL, rank: Rank::Own, symbols: true, fall_back: false };

pub(crate) static TUNED: TextDensity = TextDensity {
    removal: Removal::of(Tags::TUNED),
    rank: Rank::Children,
    symbols: true,
    fall_back: true,
};

/// What has a text like this many times as long as that of its links is text with a few links in it, not a list of links.
const TEXT_WITH_LINKS: u32 = 11;

/// Equations (2) and (5) of the paper.
pub(crate) struct TextDensity {
    pub(crate) removal: Removal,
    pub(crate) rank: Rank,
    /// With the factor `ln SbD`: equation (5). Without it: equation (2).
    pub(crate) symbols: bool,
    /// Select something else where nothing has a positive score.
    pub(crate) fall_back: bool,
}

/// Whose density an element is ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rank {
    /// Its own, times the deviation over the page.
    Own,
    /// The sum of its children's.
    Children,
}

/// Densities of one page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Sum of the densities of a node's children, by node.
    child_sums: Vec<f64>,
}

/// The quantities of one element, under the paper's names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Densities {
    /// Index of the node.
    pub node: u32,
    /// Scalars of text (`T`).
    pub text: u32,
    /// Those within links (`LT`).
    pub linked: u32,
    /// `p` elements, the element included (`PNum`).
    pub paragraphs: u32,
    /// `TD`.
    pub text_density: f64,
    /// `SbD`.
    pub symbol_density: f64,
    /// What elements are ranked by.
    pub score: f64,
}

/// Mean and deviation of numbers that come one by one (Welford).
#[derive(Clone, Copy, Default)]
struct Deviation {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Deviation {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let from_mean = value - self.mean;
        self.mean += from_mean / self.count;
        self.squares += from_mean * (value - self.mean);
    }

    /// The sample deviation; 0 for a single number.
    fn sample(self) -> f64 {
        if self.count > 1.0 { (self.squares / (self.count - 1.0)).sqrt() } else { 0.0 }
    }
}

/// Whether the element may be selected at all.
fn is_candidate(node: &Node, in_link: bool) -> bool {
    !in_link && node.tag != Tag::BR && node.tag != Tag::WBR
}

impl TextDensity {
    /// `TD` of a candidate.
    fn text_density(&self, sums: &Subtree) -> f64 {
        let (text, linked) = (sums.chars, sums.linked_chars);
        if text <= linked {
            return 0.0;
        }
        // The element itself is no link, so all links are below it.
        let tags = sums.tags - sums.breaks - 1;
        let denominator = match (tags - sums.link_tags, self.rank) {
            (0, Rank::Children) => 1,
            (0, Rank::Own) if text >= linked.saturating_mul(TEXT_WITH_LINKS) => tags,
            (denominator, _) => denominator,
        };
        if denominator == 0 { 0.0 } else { f64::from(text - linked) / f64::from(denominator) }
    }

    /// Fills the densities' sums over children if they are wanted; gives the deviation over the page.
    fn measure(&self, page: &Page<'_>, body: u32, sums: &Sums, scratch: &mut Scratch) -> f64 {
        let nodes = page.nodes();
        if self.rank == Rank::Children {
            scratch.child_sums.clear();
            scratch.child_sums.resize(nodes.len(), 0.0);
        }
        let mut deviation = Deviation::default();
        for (index, in_link) in in_body(sums, body) {
            let node = &nodes[index as usize];
            let density = if is_candidate(node, in_link) {
                self.text_density(&sums.of(index, node))
            } else {
                0.0
            };
            deviation.add(density);
            if self.rank == Rank::Children && index != body {
                scratch.child_sums[node.parent as usize] += density;
            }
        }
        deviation.sample()
    }

    /// The quantities of one element; its score without the factor of the page.
    fn densities(
        &self,
        index: u32,
        node: &Node,
        in_link: bool,
        sums: &Sums,
        scratch: &Scratch,
        symbols: bool,
    ) -> Densities {
        let sums = sums.of(index, node);
        let text_density = if is_candidate(node, in_link) { self.text_density(&sums) } else { 0.0 };
        let unlinked = f64::from(sums.chars - sums.linked_chars);
        let symbol_density = unlinked / (f64::from(sums.punctuation) + 1.0);
        let ranked_by = match self.rank {
            Rank::Own => text_density,
            Rank::Children if text_density == 0.0 => 0.0,
            Rank::Children => scratch.child_sums[index as usize],
        };
        let paragraphs = (f64::from(sums.paragraphs) + 2.0).log10();
        let symbol_factor = if symbols { symbol_density.max(1.0).ln() } else { 1.0 };
        let score = ranked_by * paragraphs * symbol_factor;
        debug_assert!(score.is_finite() && score >= 0.0);
        Densities {
            node: index,
            text: sums.chars,
            linked: sums.linked_chars,
            paragraphs: sums.paragraphs,
            text_density,
            symbol_density,
            score,
        }
    }

    /// The factor of the page.
    fn page_factor(&self, deviation: f64) -> f64 {
        if self.rank == Rank::Own && deviation > 1.0 { deviation.ln() } else { 1.0 }
    }

    /// The element with the largest positive score.
    fn best(
        &self,
        page: &Page<'_>,
        body: u32,
        sums: &Sums,
        scratch: &Scratch,
        symbols: bool,
    ) -> Option<Densities> {
        let nodes = page.nodes();
        let mut best: Option<Densities> = None;
        for (index, in_link) in in_body(sums, body) {
            let node = &nodes[index as usize];
            if !is_candidate(node, in_link) {
                continue;
            }
            let found = self.densities(index, node, in_link, sums, scratch, symbols);
            let wins = match best {
                None => found.score > 0.0,
                Some(best) => match found.score.total_cmp(&best.score) {
                    Ordering::Less => false,
                    Ordering::Equal => index < nodes[best.node as usize].end,
                    Ordering::Greater => true,
                },
            };
            if wins {
                best = Some(found);
            }
        }
        best
    }
}

/// Index of the body, which every page has.
pub(crate) fn body(page: &Page<'_>) -> u32 {
    page.nodes().iter().position(|node| node.tag == Tag::BODY).unwrap_or_default() as u32
}

/// The kept nodes from the body on, each with whether it is a link or lies in one.
pub(crate) fn in_body(
    sums: &Sums,
    body: u32,
) -> impl DoubleEndedIterator<Item = (u32, bool)> + use<'_> {
    sums.kept().filter(move |(index, _)| *index >= body)
}

impl Extractor for TextDensity {
    fn extract(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        out: &mut Selection,
    ) -> Verdict {
        out.clear();
        let (sums, own) = (&mut scratch.sums, &mut scratch.tsd);
        sums.fill(page, &self.removal, &Tags::NONE.and(&[Tag::A]), &mut out.removed);
        let body = body(page);
        let deviation = self.measure(page, body, sums, own);
        let mut best = self.best(page, body, sums, own, self.symbols);
        if best.is_none() && self.fall_back && self.symbols {
            best = self.best(page, body, sums, own, false);
        }
        let score = best.map_or(0.0, |best| best.score * self.page_factor(deviation));
        debug_assert!(score.is_finite());
        if let Some(best) = best {
            out.roots.push(best.node);
        } else if self.fall_back {
            pvalue::TUNED.extract(page, scratch, out);
        }
        Verdict { score: Some(score), ..Verdict::default() }
    }
}

/// The quantities of every element of the body in document order, and the standard deviation of `TD`, for those who
/// want to look inside.
pub fn densities(page: &Page<'_>, profile: Profile) -> (Vec<Densities>, f64) {
    let method = match profile {
        Profile::Paper => &PAPER,
        Profile::Tuned => &TUNED,
    };
    let (mut sums, mut scratch) = (Sums::default(), Scratch::default());
    sums.fill(page, &method.removal, &Tags::NONE.and(&[Tag::A]), &mut Vec::new());
    let body = body(page);
    let deviation = method.measure(page, body, &sums, &mut scratch);
    let factor = method.page_factor(deviation);
    let all = in_body(&sums, body).map(|(index, in_link)| {
        let node = &page.nodes()[index as usize];
        let found = method.densities(index, node, in_link, &sums, &scratch, method.symbols);
        Densities { score: found.score * factor, ..found }
    });
    (all.collect(), deviation)
}

#[cfg(test)]
mod tests;
