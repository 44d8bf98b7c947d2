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
use crate::profile::Profile;
use crate::removal::Removal;
use crate::selection::Selection;
use crate::sums::{LINKS, Subtree, Sums};
use crate::tags::Tags;
use huller_page::{Node, NodeFlags, Page, Tag};
use std::cmp::Ordering;
use std::sync::LazyLock;

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

/// The deviation of numbers that come one by one. Most are 0, and no page has so many that the squares' rounding tells.
#[derive(Clone, Copy, Default)]
struct Deviation {
    count: u32,
    sum: f64,
    squares: f64,
}

impl Deviation {
    fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// The sample deviation; 0 for a single number.
    fn sample(self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let count = f64::from(self.count);
        let squares = self.squares - self.sum * self.sum / count;
        (squares.max(0.0) / (count - 1.0)).sqrt()
    }
}

/// The sums of a node that may have a density: it has text outside links, and is neither a link nor in one nor a break.
#[inline]
fn candidate(sums: &Sums, index: u32, node: &Node) -> Option<Subtree> {
    let is_candidate = !node.flags.contains(NodeFlags::IN_LINK)
        && node.tag != Tag::BR
        && node.tag != Tag::WBR
        && sums.chars(node) > sums.linked_chars(node);
    is_candidate.then(|| sums.of(index, node))
}

impl TextDensity {
    /// `TD` of a candidate.
    fn text_density(&self, sums: &Subtree) -> f64 {
        let (text, linked) = (sums.chars, sums.linked_chars);
        // The element itself is no link, so all links are below it.
        let tags = sums.tags - sums.breaks - 1;
        let denominator = match (tags - sums.link_tags, self.rank) {
            (0, Rank::Children) => 1,
            (0, Rank::Own) if text >= linked.saturating_mul(TEXT_WITH_LINKS) => tags,
            (denominator, _) => denominator,
        };
        if denominator == 0 { 0.0 } else { f64::from(text - linked) / f64::from(denominator) }
    }

    /// The density of each kept node of the body, links and breaks having none.
    fn text_densities<'a>(
        &'a self,
        page: &'a Page<'_>,
        body: u32,
        sums: &'a Sums,
    ) -> impl Iterator<Item = (u32, &'a Node, f64)> {
        sums.kept_from(body).iter().copied().map(move |index| {
            let node = &page.nodes()[index as usize];
            let candidate = candidate(sums, index, node);
            (index, node, candidate.map_or(0.0, |sums| self.text_density(&sums)))
        })
    }

    /// Fills the densities' sums over children if elements are ranked by them.
    fn sum_children(&self, page: &Page<'_>, body: u32, sums: &Sums, scratch: &mut Scratch) {
        if self.rank == Rank::Own {
            return;
        }
        scratch.child_sums.clear();
        scratch.child_sums.resize(page.nodes().len(), 0.0);
        for (index, node, density) in self.text_densities(page, body, sums) {
            if index != body {
                scratch.child_sums[node.parent as usize] += density;
            }
        }
    }

    /// What an element of some density is ranked by.
    fn ranked_by(&self, index: u32, text_density: f64, scratch: &Scratch) -> f64 {
        match self.rank {
            Rank::Own => text_density,
            Rank::Children if text_density == 0.0 => 0.0,
            Rank::Children => scratch.child_sums[index as usize],
        }
    }

    /// The factor of the page, by the deviation of its densities.
    fn page_factor(&self, deviation: Deviation) -> f64 {
        let deviation = deviation.sample();
        if self.rank == Rank::Own && deviation > 1.0 { deviation.ln() } else { 1.0 }
    }

    /// The element with the largest positive score, without the factor of the page; and what that is made of, if it has one.
    fn best(
        &self,
        page: &Page<'_>,
        body: u32,
        sums: &Sums,
        scratch: &Scratch,
        symbols: bool,
    ) -> (Option<(u32, f64)>, Deviation) {
        let nodes = page.nodes();
        let mut best: Option<(u32, f64)> = None;
        let mut deviation = Deviation::default();
        for index in sums.kept_from(body).iter().copied() {
            let node = &nodes[index as usize];
            let Some(sums) = candidate(sums, index, node) else {
                deviation.add(0.0);
                continue;
            };
            let density = self.text_density(&sums);
            deviation.add(density);
            let ranked_by = self.ranked_by(index, density, scratch);
            if ranked_by == 0.0 {
                continue;
            }
            let paragraphs = paragraph_factor(sums.paragraphs);
            let density = symbol_density(&sums);
            // Most elements are far from the best, which a logarithm that is never too small tells.
            let is_beaten = |(_, score): (u32, f64)| {
                symbols && ranked_by * paragraphs * at_least_ln(density) < score
            };
            if best.is_some_and(is_beaten) {
                continue;
            }
            let score = ranked_by * paragraphs * symbol_factor(density, symbols);
            debug_assert!(score.is_finite() && score >= 0.0);
            let wins = match best {
                None => score > 0.0,
                Some((best, best_score)) => match score.total_cmp(&best_score) {
                    Ordering::Less => false,
                    Ordering::Equal => index < nodes[best as usize].end,
                    Ordering::Greater => true,
                },
            };
            if wins {
                best = Some((index, score));
            }
        }
        (best, deviation)
    }
}

/// `SbD`.
fn symbol_density(sums: &Subtree) -> f64 {
    f64::from(sums.chars - sums.linked_chars) / (f64::from(sums.punctuation) + 1.0)
}

/// The last factor of equation (5); 1 in equation (2).
fn symbol_factor(density: f64, symbols: bool) -> f64 {
    if symbols { density.max(1.0).ln() } else { 1.0 }
}

/// No less than `max(1, density).ln()`, by the exponent alone.
fn at_least_ln(density: f64) -> f64 {
    const BIAS: u64 = 1023;
    let exponent = density.max(1.0).to_bits() >> 52;
    // The next power of two, and more than any rounding takes.
    (exponent - BIAS + 1) as f64 * (std::f64::consts::LN_2 * (1.0 + 1e-9))
}

/// `log10(PNum + 2)`.
fn paragraph_factor(paragraphs: u32) -> f64 {
    static FACTORS: LazyLock<[f64; 256]> =
        LazyLock::new(|| std::array::from_fn(|paragraphs| (paragraphs as f64 + 2.0).log10()));
    let factor = FACTORS.get(paragraphs as usize).copied();
    factor.unwrap_or_else(|| (f64::from(paragraphs) + 2.0).log10())
}

/// Index of the body, which every page has.
pub(crate) fn body(page: &Page<'_>) -> u32 {
    page.nodes().iter().position(|node| node.tag == Tag::BODY).unwrap_or_default() as u32
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
        sums.fill(page, &self.removal, &LINKS, &mut out.removed);
        let body = body(page);
        self.sum_children(page, body, sums, own);
        let (mut best, deviation) = self.best(page, body, sums, own, self.symbols);
        if best.is_none() && self.fall_back && self.symbols {
            (best, _) = self.best(page, body, sums, own, false);
        }
        let score = best.map_or(0.0, |(_, score)| score * self.page_factor(deviation));
        debug_assert!(score.is_finite());
        if let Some((best, _)) = best {
            out.roots.push(best);
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
    sums.fill(page, &method.removal, &LINKS, &mut Vec::new());
    let body = body(page);
    method.sum_children(page, body, &sums, &mut scratch);
    let mut deviation = Deviation::default();
    let all = method.text_densities(page, body, &sums);
    all.for_each(|(_, _, density)| deviation.add(density));
    let factor = method.page_factor(deviation);
    let all = method.text_densities(page, body, &sums).map(|(index, node, text_density)| {
        let sums = sums.of(index, node);
        let ranked_by = method.ranked_by(index, text_density, &scratch);
        let density = symbol_density(&sums);
        let paragraphs = paragraph_factor(sums.paragraphs);
        let score = ranked_by * paragraphs * symbol_factor(density, method.symbols);
        Densities {
            node: index,
            text: sums.chars,
            linked: sums.linked_chars,
            paragraphs: sums.paragraphs,
            text_density,
            symbol_density: density,
            score: score * factor,
        }
    });
    (all.collect(), deviation.sample())
}

#[cfg(test)]
mod tests;
