//! Text and symbol density (paper 001): the element whose text is dense, punctuated and in paragraphs is the article.
//!
//! Hong Honghui (洪鸿辉) and others: 基于文本及符号密度的网页正文提取方法, 2019.
//!
//! With `T` the visible scalars of an element's text, `LT` those within links, `TG` its tags, `LTG` its link tags, `Sb` its
//! punctuation scalars and `PNum` its `p` elements, itself included:
//!
//! ```text
//! TD  = (T - LT) / (TG - LTG)                                     (1)
//! SbD = (T - LT) / (Sb + 1)                                       (4)
//! score = ln SD * TD * log10(PNum + 2) * ln SbD                   (5)
//! ```
//!
//! `SD` is the standard deviation of `TD` over the page. What the paper leaves open, and what we chose (specification section
//! 2): `TG` counts the tags below the element, without `br` and `wbr` (B-1); where `TG` = `LTG` > 0, text with few links
//! (`T` >= 11 `LT`) takes `TG` as the denominator, and any other element has density 0 (B-2); links, elements in links, `br` and
//! `wbr` have density 0 too; `SbD` is at least 1 (B-3); `SD` is the sample deviation over all elements of the body, and `ln SD` is
//! replaced by 1 where `SD` is at most 1, so that it never reverses the ranking (B-4); of equal elements an inner one wins,
//! otherwise the first. If no score is positive, nothing is selected.
//!
//! The `tuned` profile replaces an element's `TD` by the sum of its children's densities (the density sum of CETD, not in this
//! paper), uses a denominator of 1 where it would be 0, and omits `SD`. It removes the set TUNED (0.6). If no score is positive,
//! it ranks again without symbols.
//!
//! Cost: one sweep for the sums, one or two over the kept nodes. Known failures: in the `paper` profile, wrappers with few tags
//! beat articles with many; of an article in several parts of equal rank (a page of comments, a list of posts), either the
//! common parent or only one part is selected.

use crate::removal::Removal;
use crate::sweep::sums::{LINKS, Subtree, Sums};
use huller_page::{Node, NodeFlags, Page, Tag};
use huller_select::{
    Algorithm, Card, Citation, Method, Profiles, RunFigures, Selection, Verdict, no_content,
};
use std::cmp::Ordering;

/// The elements that the paper removes.
pub(crate) const REMOVAL: Removal =
    Removal::of(no_content::CORE.and(&[Tag::IFRAME, Tag::NOSCRIPT]));

/// The method.
pub static METHOD: &dyn Method = &Profiles {
    card: Card {
        name: "tsd",
        summary: "the element whose text is densest in its tags, punctuated and in paragraphs",
        score: "the selected element's text density times log10(paragraphs + 2) times ln of its symbol density; 0 and up",
        citation: Citation { paper: Some("001"), subject: "text and symbol density" },
        source: "Hong Honghui et al. 2019 ([paper 001](papers.md#001-text-and-symbol-density))",
        selects: "an element",
        cost: "O(n)",
        tuned: "densities of the children added up; no deviation of the page",
        failures: "articles in several parts of equal rank",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: TextDensity =
    TextDensity { removal: REMOVAL, rank: Rank::Own, symbols: true, or_without_symbols: false };

const TUNED: TextDensity = TextDensity {
    removal: Removal::of(no_content::TUNED),
    rank: Rank::Children,
    symbols: true,
    or_without_symbols: true,
};

/// Text at least this many times as long as its linked text is text with few links, not a list of links.
const TEXT_WITH_LINKS: u32 = 11;

/// The settings of the methods `tsd` and `td`: equations (5) and (2) of the paper.
#[derive(Clone)]
pub(crate) struct TextDensity {
    pub(crate) removal: Removal,
    pub(crate) rank: Rank,
    /// With the factor `ln SbD`: equation (5). Without it: equation (2).
    pub(crate) symbols: bool,
    /// Rank without symbols where no element has a positive score with them.
    pub(crate) or_without_symbols: bool,
}

/// The density that an element is ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rank {
    /// Its own, times the deviation over the page.
    Own,
    /// The sum of its children's densities.
    Children,
}

/// Densities of one page.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    sums: Sums,
    /// For each node, the sum of its children's densities.
    child_sums: Vec<f64>,
}

/// Accumulates the standard deviation of numbers. Most numbers are 0, and no page has so many that the rounding of the squares
/// matters.
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

    /// The sample deviation; 0 for fewer than two numbers.
    fn sample(self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let count = f64::from(self.count);
        let squares = self.squares - self.sum * self.sum / count;
        (squares.max(0.0) / (count - 1.0)).sqrt()
    }
}

/// The sums of a node that may have a density: it has text outside links, is no link, is in no link, and is no break. `None` for
/// other nodes.
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
        // A candidate is no link itself, so all its links are below it.
        let tags = sums.tags - sums.breaks - 1;
        let denominator = match (tags - sums.link_tags, self.rank) {
            (0, Rank::Children) => 1,
            (0, Rank::Own) if text >= linked.saturating_mul(TEXT_WITH_LINKS) => tags,
            (denominator, _) => denominator,
        };
        if denominator == 0 { 0.0 } else { f64::from(text - linked) / f64::from(denominator) }
    }

    /// The density of each kept node of the body; 0 for links and breaks.
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

    /// Fills in the sums of the children's densities if elements are ranked by them.
    fn sum_children(&self, page: &Page<'_>, body: u32, sums: &Sums, child_sums: &mut Vec<f64>) {
        if self.rank == Rank::Own {
            return;
        }
        child_sums.clear();
        child_sums.resize(page.nodes().len(), 0.0);
        for (index, node, density) in self.text_densities(page, body, sums) {
            if index != body {
                child_sums[node.parent as usize] += density;
            }
        }
    }

    /// The density that an element is ranked by, given its own.
    fn ranked_by(&self, index: u32, text_density: f64, child_sums: &[f64]) -> f64 {
        match self.rank {
            Rank::Own => text_density,
            Rank::Children if text_density == 0.0 => 0.0,
            Rank::Children => child_sums[index as usize],
        }
    }

    /// The factor common to all elements of the page, computed from the deviation of their densities.
    fn page_factor(&self, deviation: Deviation) -> f64 {
        let deviation = deviation.sample();
        if self.rank == Rank::Own && deviation > 1.0 { deviation.ln() } else { 1.0 }
    }

    /// The element with the largest positive score and that score, without the page factor; and the deviation for that factor.
    fn best(
        &self,
        page: &Page<'_>,
        body: u32,
        sums: &Sums,
        child_sums: &[f64],
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
            let ranked_by = self.ranked_by(index, density, child_sums);
            if ranked_by == 0.0 {
                continue;
            }
            let score = score(&sums, ranked_by, symbols);
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

/// The score of an element that is ranked by this density, without the page factor.
fn score(sums: &Subtree, ranked_by: f64, symbols: bool) -> f64 {
    let score = ranked_by
        * paragraph_factor(sums.paragraphs)
        * symbol_factor(symbol_density(sums), symbols);
    debug_assert!(score.is_finite() && score >= 0.0);
    score
}

/// `SbD`.
fn symbol_density(sums: &Subtree) -> f64 {
    f64::from(sums.chars - sums.linked_chars) / (f64::from(sums.punctuation) + 1.0)
}

/// The last factor of equation (5); 1 in equation (2).
fn symbol_factor(density: f64, symbols: bool) -> f64 {
    if symbols { density.max(1.0).ln() } else { 1.0 }
}

/// `log10(PNum + 2)`.
fn paragraph_factor(paragraphs: u32) -> f64 {
    (f64::from(paragraphs) + 2.0).log10()
}

impl Algorithm for TextDensity {
    type Memory = Memory;

    fn extract(&self, page: &Page<'_>, memory: &mut Memory, out: &mut Selection) -> Verdict {
        out.clear();
        let Memory { sums, child_sums } = memory;
        sums.fill(page, &self.removal, &LINKS, &mut out.removed);
        let body = page.body();
        self.sum_children(page, body, sums, child_sums);
        let (mut best, deviation) = self.best(page, body, sums, child_sums, self.symbols);
        if best.is_none() && self.symbols && self.or_without_symbols {
            (best, _) = self.best(page, body, sums, child_sums, false);
        }
        let score = best.map_or(0.0, |(_, score)| score * self.page_factor(deviation));
        debug_assert!(score.is_finite());
        if let Some((best, _)) = best {
            out.roots.push(best);
        }
        Verdict { score: Some(score), ..Verdict::default() }
    }

    /// Equation (5), or (2), of the innermost element that may be ranked.
    fn figures(&self, page: &Page<'_>, memory: &Memory, out: &mut RunFigures) {
        let Memory { sums, child_sums } = memory;
        let mut deviation = Deviation::default();
        self.text_densities(page, page.body(), sums)
            .for_each(|(_, _, density)| deviation.add(density));
        let factor = self.page_factor(deviation);
        let mut kept = sums.kept_from(page.body()).iter().peekable();
        out.score_by_node(page, |index, node| {
            if kept.next_if(|kept| **kept == index).is_none() {
                return Some(f64::NAN);
            }
            let own = candidate(sums, index, node)?;
            let ranked_by = self.ranked_by(index, self.text_density(&own), child_sums);
            Some(factor * score(&own, ranked_by, self.symbols))
        });
    }
}

#[cfg(test)]
pub(crate) mod inspect;
#[cfg(test)]
mod tests;
