//! Text and symbol density (paper 001): selects the element whose text is dense, punctuated and in
//! paragraphs.
//!
//! Hong Honghui (洪鸿辉) and others: 基于文本及符号密度的网页正文提取方法, 2019.
//!
//! The counts of an element include the element itself. `T` is the number of visible scalars of its
//! text, `LT` that of its linked ones, and `Sb` that of punctuation. `TG` is the number of its
//! tags, `LTG` that of its link tags, and `PNum` that of its `p` elements:
//!
//! ```text
//! TD  = (T - LT) / (TG - LTG)                                     (1)
//! SbD = (T - LT) / (Sb + 1)                                       (4)
//! score = ln SD * TD * log10(PNum + 2) * ln SbD                   (5)
//! ```
//!
//! `SD` is the standard deviation of the `TD` of the element's own children. Our choices where the
//! paper is open (specification section 2):
//!
//! - `TG` counts the element itself, without `br` and `wbr` (B-1), so that it exceeds `LTG` in
//!   every element but links (B-2).
//! - Links, elements in links, `br` and `wbr` have density 0. The last two do not count as children
//!   either.
//! - `SbD` and `SD` are at least 1 (B-3, B-4), so that every logarithm is at least 0. An element
//!   with fewer than two children scores 0.
//! - Of equal elements an inner one wins, otherwise the first.
//! - If no score is positive, the selection is empty.
//!
//! The `tuned` profile replaces `ln SD * TD` by the sum of the children's densities (the density
//! sum of CETD, not in this paper). It counts the tags below an element, at least 1, and removes
//! the set TUNED (0.6). If no score is positive, it ranks again without symbols.
//!
//! Cost: one sweep for the sums, one or two over the kept nodes. Known failures: an article can
//! have several parts of equal rank (a page of comments, a list of posts). Then the extractor
//! selects either the common parent or only one part. In the `paper` profile it also fails on
//! articles whose text is in one element without children.

use crate::removal::Removal;
use crate::sweep::prefix_sums::{LINKS, PrefixSums, Subtree};
use crate::terms::{ScoreSource, by_element};
use huller_page::{Node, NodeFlags, Page, Tag};
use huller_select::{
    Algorithm, Citation, Derivations, ExtractorCard, Method, Profiles, Rule, RunFigures, Selection,
    Term, Verdict, no_content,
};

/// The elements that the paper removes.
pub(crate) const REMOVAL: Removal =
    Removal::from_tags(no_content::CORE.and(&[Tag::IFRAME, Tag::NOSCRIPT]));

/// The extractor.
pub static METHOD: &dyn Method = &Profiles {
    card: ExtractorCard {
        name: "tsd",
        summary: "selects the element with most text per tag, most punctuation and most paragraphs",
        score: "the selected element's text density times ln of the deviation of its children's (tuned: the sum of its children's) times log10(paragraphs + 2) times ln of its symbol density; 0 and up",
        citation: Citation { paper: Some("001"), subject: "text and symbol density" },
        source: "Hong Honghui et al. 2019 ([paper 001](papers.md#001-text-and-symbol-density))",
        selects: "an element",
        cost: "O(n)",
        tuned: "sum of the densities of the children instead of their deviation",
        failures: "articles split over several sibling elements",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: TextDensity = TextDensity {
    removal: REMOVAL,
    rank: RankQuantity::Deviation,
    symbols: true,
    or_without_symbols: false,
};

const TUNED: TextDensity = TextDensity {
    removal: Removal::from_tags(no_content::TUNED),
    rank: RankQuantity::Sum,
    symbols: true,
    or_without_symbols: true,
};

/// The settings of `tsd` and `td`: equations (5) and (2) of the paper.
#[derive(Clone)]
pub(crate) struct TextDensity {
    pub(crate) removal: Removal,
    pub(crate) rank: RankQuantity,
    /// Whether to apply the factor `ln SbD`: equation (5). Without it: equation (2).
    pub(crate) symbols: bool,
    /// Whether to rank without symbols if no element has a positive score with them.
    pub(crate) or_without_symbols: bool,
}

/// The quantity that ranks an element, before the factors for paragraphs and symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RankQuantity {
    /// `ln SD * TD`, where `SD` is the deviation of its children's densities.
    Deviation,
    /// The sum of its children's densities.
    Sum,
}

/// Densities of one page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    sums: PrefixSums,
    /// For each node, the densities of its children.
    children: Vec<Children>,
}

/// The summed densities of an element's children. Densities are at most the scalars of a page, so
/// the squares stay precise enough beside a deviation above 1.
#[derive(Clone, Copy, Debug, Default)]
struct Children {
    count: u32,
    sum: f64,
    squares: f64,
}

impl Children {
    fn add(&mut self, density: f64) {
        self.count += 1;
        self.sum += density;
        self.squares += density * density;
    }

    /// Returns the variance; 0 without children.
    fn variance(self) -> f64 {
        let count = f64::from(self.count.max(1));
        let mean = self.sum / count;
        (self.squares / count - mean * mean).max(0.0)
    }
}

/// Returns the sums of a node that may have a density. Such a node has text outside links, and is
/// neither a link, nor in a link, nor a break. `None` for other nodes.
#[inline]
fn candidate(sums: &PrefixSums, index: u32, node: &Node) -> Option<Subtree> {
    let is_candidate = !node.flags.contains(NodeFlags::IN_LINK)
        && !is_break(node)
        && sums.chars(node) > sums.linked_chars(node);
    is_candidate.then(|| sums.of(index, node))
}

/// Returns whether a node is a line break, which this extractor does not count as a tag.
#[inline]
fn is_break(node: &Node) -> bool {
    node.tag == Tag::BR || node.tag == Tag::WBR
}

impl TextDensity {
    /// Returns `TD` of a candidate.
    fn text_density(&self, sums: &Subtree) -> f64 {
        // A candidate is not a link itself, so it has more tags than links.
        let tags = sums.tags - sums.breaks - sums.link_tags;
        let denominator = match self.rank {
            RankQuantity::Deviation => tags,
            RankQuantity::Sum => (tags - 1).max(1),
        };
        f64::from(sums.chars - sums.linked_chars) / f64::from(denominator)
    }

    /// Returns the quantity that ranks an element with this density and these children.
    #[inline]
    fn ranked_by(&self, text_density: f64, children: Children) -> f64 {
        match self.rank {
            RankQuantity::Sum => children.sum,
            // The logarithm would be 0 or negative; it counts as 0.
            RankQuantity::Deviation if children.variance() <= 1.0 => 0.0,
            RankQuantity::Deviation => children.variance().ln() / 2.0 * text_density,
        }
    }

    /// Returns the element with the largest positive score, and that score. Children come before
    /// their parents here, so one sweep computes, sums and ranks.
    fn best_element(
        &self,
        page: &Page<'_>,
        sums: &PrefixSums,
        children: &mut Vec<Children>,
        symbols: bool,
    ) -> Option<(u32, f64)> {
        let nodes = page.nodes();
        children.clear();
        children.resize(nodes.len(), Children::default());
        let mut best: Option<(u32, f64)> = None;
        for index in sums.kept_from(page.body()).iter().rev().copied() {
            let node = &nodes[index as usize];
            let parent = node.parent as usize;
            let Some(sums) = candidate(sums, index, node) else {
                if !is_break(node) {
                    children[parent].add(0.0);
                }
                continue;
            };
            let text_density = self.text_density(&sums);
            children[parent].add(text_density);
            let ranked_by = self.ranked_by(text_density, children[index as usize]);
            if ranked_by > 0.0 {
                let score = score(&sums, ranked_by, symbols);
                let wins = best.map_or(score > 0.0, |(later, largest)| {
                    score > largest || (score >= largest && nodes[index as usize].end <= later)
                });
                if wins {
                    best = Some((index, score));
                }
            }
        }
        best
    }
}

impl TextDensity {
    /// Returns the factors of an element's score.
    fn factors(&self, own: &Subtree, children: Children) -> Vec<Term> {
        let &Subtree { chars, linked_chars, punctuation, paragraphs, .. } = own;
        let density = self.text_density(own);
        let mut factors = match self.rank {
            RankQuantity::Sum => vec![Term::new(
                "sum of the children's TD",
                children.sum,
                format!("{} children", children.count),
            )],
            RankQuantity::Deviation => vec![
                Term::new(
                    "ln SD",
                    if children.variance() <= 1.0 { 0.0 } else { children.variance().ln() / 2.0 },
                    format!("SD {:.4} of {} children", children.variance().sqrt(), children.count),
                ),
                Term::new(
                    "TD",
                    density,
                    format!("{chars} - {linked_chars} characters, for each tag"),
                ),
            ],
        };
        factors.push(Term::new(
            "log10(PNum + 2)",
            paragraph_factor(paragraphs),
            format!("{paragraphs} paragraphs"),
        ));
        if self.symbols {
            factors.push(Term::new(
                "ln SbD",
                symbol_factor(symbol_density(own), true),
                format!("({chars} - {linked_chars}) / ({punctuation} + 1)"),
            ));
        }
        factors
    }
}

/// Returns the score of an element with this rank.
fn score(sums: &Subtree, ranked_by: f64, symbols: bool) -> f64 {
    let score = ranked_by
        * paragraph_factor(sums.paragraphs)
        * symbol_factor(symbol_density(sums), symbols);
    debug_assert!(score.is_finite() && score >= 0.0);
    score
}

/// Computes `SbD`.
fn symbol_density(sums: &Subtree) -> f64 {
    f64::from(sums.chars - sums.linked_chars) / (f64::from(sums.punctuation) + 1.0)
}

/// Returns the last factor of equation (5); 1 in equation (2).
fn symbol_factor(density: f64, symbols: bool) -> f64 {
    if symbols { density.max(1.0).ln() } else { 1.0 }
}

/// Computes `log10(PNum + 2)`.
fn paragraph_factor(paragraphs: u32) -> f64 {
    (f64::from(paragraphs) + 2.0).log10()
}

impl Algorithm for TextDensity {
    type Scratch = Scratch;

    fn extract(&self, page: &Page<'_>, memory: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        let Scratch { sums, children } = memory;
        sums.fill(page, &self.removal, &LINKS, &mut out.removed);
        let mut best = self.best_element(page, sums, children, self.symbols);
        if best.is_none() && self.symbols && self.or_without_symbols {
            best = self.best_element(page, sums, children, false);
        }
        if let Some((best, _)) = best {
            out.roots.push(best);
        }
        Verdict { score: Some(best.map_or(0.0, |(_, score)| score)), ..Verdict::default() }
    }

    /// Gives each run equation (5), or (2), of its innermost rankable element.
    fn figures(&self, page: &Page<'_>, memory: &Scratch, out: &mut RunFigures) {
        let Scratch { sums, children } = memory;
        let mut kept = sums.kept_from(page.body()).iter().peekable();
        out.score_by_node(page, |index, node| {
            if kept.next_if(|kept| **kept == index).is_none() {
                return Some(f64::NAN);
            }
            let own = candidate(sums, index, node)?;
            let ranked_by = self.ranked_by(self.text_density(&own), children[index as usize]);
            Some(score(&own, ranked_by, self.symbols))
        });
    }

    /// Lists the factors of that equation.
    fn derive(&self, page: &Page<'_>, memory: &mut Scratch, runs: &[u32]) -> Derivations {
        let Scratch { sums, children } = memory;
        let (nodes, kept) = (page.nodes(), sums.kept_from(page.body()));
        let own = |node: u32| candidate(sums, node, &nodes[node as usize]);
        let scored = |node: u32| match kept.binary_search(&node) {
            Err(_) => ScoreSource::Nothing,
            Ok(_) if own(node).is_some() => ScoreSource::Itself,
            Ok(_) => ScoreSource::Around,
        };
        let terms = |node: u32| {
            let Some(own) = own(node) else { return vec![] };
            self.factors(&own, children[node as usize])
        };
        Derivations {
            equation: match (self.rank, self.symbols) {
                (RankQuantity::Deviation, true) => {
                    "score = ln SD * TD * log10(PNum + 2) * ln SbD   (5)"
                }
                (RankQuantity::Deviation, false) => "score = ln SD * TD * log10(PNum + 2)   (2)",
                (RankQuantity::Sum, true) => {
                    "score = (sum of the children's TD) * log10(PNum + 2) * ln SbD   (5), with sums for deviations"
                }
                (RankQuantity::Sum, false) => {
                    "score = (sum of the children's TD) * log10(PNum + 2)   (2), with sums for deviations"
                }
            },
            rule: Rule::Product,
            terms: by_element(page, runs, scored, terms),
        }
    }
}

#[cfg(test)]
pub(crate) mod inspect;
#[cfg(test)]
mod tests;
