//! Text and symbol density (paper 001): selects the element whose text is dense, punctuated and in
//! paragraphs.
//!
//! Hong Honghui (洪鸿辉), Ding Shitao, Huang Ao, Guo Zhiyuan: 基于文本及符号密度的网页正文提取方法,
//! 2019.
//!
//! The counts of an element include the element itself. `T` is the number of visible scalars of its
//! text, `LT` that of its linked ones, and `Sb` that of punctuation. `TG` is the number of its
//! tags, `LTG` that of its link tags, and `PNum` that of its `p` elements:
//!
//! ```text
//! TD  = (T - LT) / (TG - LTG)                                     (1)
//! SbD = (T - LT) / (Sb + 1)                                       (4)
//! score = ln SD * ND * log10(PNum + 2) * ln SbD                   (5)
//! ```
//!
//! Our choices where the paper is open (specification section 2):
//!
//! - `SD` is the standard deviation of the lengths of the texts (runs) in the element, and `ln SD`
//!   is `ln sqrt(SD^2 + 1)` (B-4). An element with one text scores 0.
//! - `ND` is the sum of the `TD` of the element's children (B-6).
//! - `TG` counts the element itself, without `br` and `wbr` (B-1), so that it exceeds `LTG` in
//!   every element but links (B-2).
//! - Links, elements in links, `br` and `wbr` have density 0. The last two do not count as children
//!   either.
//! - `SbD` is at least 1 (B-3), so that every logarithm is at least 0.
//! - The body is no candidate (B-9).
//! - Of equal elements an inner one wins, otherwise the first.
//! - If no score is positive, the selection is empty.
//!
//! The `tuned` profile leaves out `ln SD`, and ranks by `ND` alone (the density sum of CETD). It
//! counts the tags below an element, at least 1, and removes the set TUNED (0.6). The body is a
//! candidate. If no score is positive, it ranks again without symbols.
//!
//! Cost: one sweep for the sums, one over the runs, one or two over the kept nodes. Known failures:
//! an article can have several parts of equal rank (a page of comments, a list of posts). Then the
//! extractor selects either the common parent or only one part. In the `paper` profile it also
//! fails on articles whose paragraphs are children of the body, and on those in one element without
//! children.

use crate::removal::Removal;
use crate::sweep::prefix_sums::{LINKS, PrefixSums, Subtree};
use crate::terms::{ScoreSource, by_element};
use huller_page::{Node, NodeFlags, Page, Tag};
use huller_select::{
    Algorithm, Citation, Derivations, ExtractorCard, ExtractorFactory, Profiles, Rule, RunFigures,
    Selection, Term, Verdict, no_content,
};
use std::ops::AddAssign;

/// The elements that the paper removes.
pub(crate) const REMOVAL: Removal =
    Removal::from_tags(no_content::CORE.with(&[Tag::IFRAME, Tag::NOSCRIPT]));

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &Profiles {
    card: ExtractorCard {
        name: "tsd",
        summary: "selects the element with most text per tag, most punctuation and most paragraphs",
        score: "the sum of the selected element's children's text densities times ln of the deviation of the lengths of its texts (tuned: without it) times log10(paragraphs + 2) times ln of its symbol density; 0 and up",
        citation: Citation { paper: Some("001"), subject: "text and symbol density" },
        source: "Hong Honghui et al. 2019 ([paper 001](papers.md#001-text-and-symbol-density))",
        selects: "an element",
        cost: "O(n)",
        tuned: "without the deviation of the lengths of texts",
        failures: "articles split over several sibling elements",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: TextDensity = TextDensity {
    removal: REMOVAL,
    rank: RankQuantity::LeafDeviation,
    symbols: true,
    or_without_symbols: false,
};

const TUNED: TextDensity = TextDensity {
    removal: Removal::from_tags(no_content::TUNED),
    rank: RankQuantity::ChildSum,
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
    /// `ln sqrt(SD^2 + 1) * ND`, where `SD` is the deviation of the lengths of the texts in it,
    /// and `ND` the sum of its children's densities. The body is no candidate.
    LeafDeviation,
    /// `ln SD * TD`, where `SD` is the deviation of its children's densities.
    ChildDeviation,
    /// The sum of its children's densities.
    ChildSum,
}

/// Densities of one page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    sums: PrefixSums,
    /// For each node, the figures that rank it.
    ranks: Vec<Rank>,
}

/// The figures that rank an element.
#[derive(Clone, Copy, Debug, Default)]
struct Rank {
    children: Children,
    /// The texts in it; filled only if the settings rank by them.
    leaves: Leaves,
}

/// The summed lengths of the texts in an element. A page has fewer than 2^32 scalars, so the sum
/// of the squares fits.
#[derive(Clone, Copy, Debug, Default)]
struct Leaves {
    /// Number of texts.
    count: u32,
    /// Sum of their lengths, in scalars.
    sum: u64,
    /// Sum of the squares of these lengths.
    squares: u64,
}

impl Leaves {
    fn add(&mut self, length: u32) {
        let length = u64::from(length);
        *self += Leaves { count: 1, sum: length, squares: length * length };
    }

    /// Returns the variance; 0 without texts. The difference is exact, so it is never negative.
    fn variance(self) -> f64 {
        let [count, sum, squares] =
            [u64::from(self.count.max(1)), self.sum, self.squares].map(u128::from);
        (count * squares - sum * sum) as f64 / (count * count) as f64
    }

    /// Returns `ln sqrt(SD^2 + 1)`.
    fn log_deviation(self) -> f64 {
        self.variance().ln_1p() / 2.0
    }
}

impl AddAssign for Leaves {
    fn add_assign(&mut self, other: Leaves) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

/// The summed densities of an element's children. Densities are at most the scalars of a page, so
/// the squares stay precise enough beside a deviation above 1.
#[derive(Clone, Copy, Debug, Default)]
struct Children {
    /// Number of children.
    count: u32,
    /// Sum of their densities.
    sum: f64,
    /// Sum of the squares of these densities.
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

    /// Returns `ln SD`. It would be negative below 1, and counts as 0 there.
    fn log_deviation(self) -> f64 {
        self.variance().max(1.0).ln() / 2.0
    }
}

/// Returns the sums of a node that may have a density. Such a node has text outside links, and is
/// neither a link, nor in a link, nor a break. `None` for other nodes.
#[inline]
fn candidate(sums: &PrefixSums, index: u32, node: &Node) -> Option<Subtree> {
    let is_candidate = !node.flags.contains(NodeFlags::IN_LINK)
        && !is_break(node)
        && sums.chars(node) > sums.linked_chars(node);
    is_candidate.then(|| sums.subtree(index, node))
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
            RankQuantity::LeafDeviation | RankQuantity::ChildDeviation => tags,
            RankQuantity::ChildSum => (tags - 1).max(1),
        };
        f64::from(sums.chars - sums.linked_chars) / f64::from(denominator)
    }

    /// Returns the quantity that ranks an element with this density and these figures.
    #[inline]
    fn ranked_by(&self, text_density: f64, Rank { children, leaves }: Rank) -> f64 {
        match self.rank {
            RankQuantity::ChildSum => children.sum,
            RankQuantity::LeafDeviation => leaves.log_deviation() * children.sum,
            RankQuantity::ChildDeviation => children.log_deviation() * text_density,
        }
    }

    /// Returns whether an element can be selected.
    fn is_selectable(&self, page: &Page<'_>, index: u32) -> bool {
        index != page.body() || self.rank != RankQuantity::LeafDeviation
    }

    /// Returns the element with the largest positive score, and that score. Children come before
    /// their parents here, so one sweep computes, sums and ranks.
    fn best_element(
        &self,
        page: &Page<'_>,
        sums: &PrefixSums,
        ranks: &mut Vec<Rank>,
        symbols: bool,
    ) -> Option<(u32, f64)> {
        let nodes = page.nodes();
        ranks.clear();
        ranks.resize(nodes.len(), Rank::default());
        if self.rank == RankQuantity::LeafDeviation {
            for run in page.runs() {
                ranks[run.node as usize].leaves.add(run.counts.chars);
            }
        }
        let mut best: Option<(u32, f64)> = None;
        for index in sums.kept_from(page.body()).iter().rev().copied() {
            let node = &nodes[index as usize];
            let (own_rank, parent) = (ranks[index as usize], &mut ranks[node.parent as usize]);
            parent.leaves += own_rank.leaves;
            let Some(sums) = candidate(sums, index, node) else {
                if !is_break(node) {
                    parent.children.add(0.0);
                }
                continue;
            };
            let text_density = self.text_density(&sums);
            parent.children.add(text_density);
            let ranked_by = self.ranked_by(text_density, own_rank);
            if ranked_by > 0.0 && self.is_selectable(page, index) {
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
    fn factors(&self, subtree: &Subtree, Rank { children, leaves }: Rank) -> Vec<Term> {
        let &Subtree { chars, linked_chars, punctuation, paragraphs, .. } = subtree;
        let density = self.text_density(subtree);
        let sum = |name: &'static str| {
            Term::new(name, children.sum, format!("{} children", children.count))
        };
        let mut factors = match self.rank {
            RankQuantity::ChildSum => vec![sum("sum of the children's TD")],
            RankQuantity::LeafDeviation => vec![
                Term::new(
                    "ln sqrt(SD^2 + 1)",
                    leaves.log_deviation(),
                    format!("SD {:.4} of {} texts", leaves.variance().sqrt(), leaves.count),
                ),
                sum("ND"),
            ],
            RankQuantity::ChildDeviation => vec![
                Term::new(
                    "ln SD",
                    children.log_deviation(),
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
                symbol_factor(symbol_density(subtree), true),
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

    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        let Scratch { sums, ranks } = scratch;
        sums.fill(page, &self.removal, &LINKS, &mut out.removed);
        let mut best_node = self.best_element(page, sums, ranks, self.symbols);
        if best_node.is_none() && self.symbols && self.or_without_symbols {
            best_node = self.best_element(page, sums, ranks, false);
        }
        if let Some((best_node, _)) = best_node {
            out.roots.push(best_node);
        }
        Verdict { score: Some(best_node.map_or(0.0, |(_, score)| score)), ..Verdict::default() }
    }

    /// Gives each run equation (5), or (2), of its innermost rankable element.
    fn figures(&self, page: &Page<'_>, scratch: &Scratch, out: &mut RunFigures) {
        let Scratch { sums, ranks } = scratch;
        let mut kept_nodes = sums.kept_from(page.body()).iter().peekable();
        out.score_by_node(page, |index, node| {
            if kept_nodes.next_if(|kept_node| **kept_node == index).is_none() {
                return Some(f64::NAN);
            }
            let factors = candidate(sums, index, node)?;
            let ranked_by = self.ranked_by(self.text_density(&factors), ranks[index as usize]);
            Some(score(&factors, ranked_by, self.symbols))
        });
    }

    /// Lists the factors of that equation.
    fn derive(&self, page: &Page<'_>, scratch: &mut Scratch, runs: &[u32]) -> Derivations {
        let Scratch { sums, ranks } = scratch;
        let (nodes, kept) = (page.nodes(), sums.kept_from(page.body()));
        let own = |node: u32| candidate(sums, node, &nodes[node as usize]);
        let scored = |node: u32| match kept.binary_search(&node) {
            Err(_) => ScoreSource::Nothing,
            Ok(_) if own(node).is_some() => ScoreSource::Itself,
            Ok(_) => ScoreSource::Around,
        };
        let terms = |node: u32| {
            let Some(own) = own(node) else { return vec![] };
            self.factors(&own, ranks[node as usize])
        };
        Derivations {
            equation: match (self.rank, self.symbols) {
                (RankQuantity::LeafDeviation, true) => {
                    "score = ln sqrt(SD^2 + 1) * ND * log10(PNum + 2) * ln SbD   (5)"
                }
                (RankQuantity::LeafDeviation, false) => {
                    "score = ln sqrt(SD^2 + 1) * ND * log10(PNum + 2)   (2)"
                }
                (RankQuantity::ChildDeviation, true) => {
                    "score = ln SD * TD * log10(PNum + 2) * ln SbD   (5), with the children's SD"
                }
                (RankQuantity::ChildDeviation, false) => {
                    "score = ln SD * TD * log10(PNum + 2)   (2), with the children's SD"
                }
                (RankQuantity::ChildSum, true) => {
                    "score = (sum of the children's TD) * log10(PNum + 2) * ln SbD   (5), without SD"
                }
                (RankQuantity::ChildSum, false) => {
                    "score = (sum of the children's TD) * log10(PNum + 2)   (2), without SD"
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
