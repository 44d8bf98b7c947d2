//! CETD: selects the element with the largest sum of composite text densities of its children.
//!
//! Fei Sun, Dandan Song, Lejian Liao: *DOM Based Content Extraction via Text Density*, 2011.
//!
//! With `C` the visible scalars of an element's text, `T` its tags, `LC` and `LT` the same within
//! links, and `r` = `LC` / `C` of the body:
//!
//! ```text
//! D = C/T * ln(C*T / (LC*LT)) / ln ln(C*LC/(C-LC) + r*C + e)
//! density sum = sum of D over child elements and over runs of own text; of an element without children its own D
//! ```
//!
//! Links are `a`, `button` and `select`. Our choices where the paper is ambiguous (specification
//! section 6):
//!
//! - Tags are those below the element. All tags in a link are link tags.
//! - Counts of zero become one. An element without text has density 0.
//! - A run of own text counts as an element without tags: the authors' program omits the `+1` there
//!   and is infinite if `r` is 0.
//! - Of elements with equal sums an inner one wins, otherwise the first (0.7). A wrapper around one
//!   dense child has the child's sum.
//!
//! The element with the largest density sum is the content. The smallest `D` on the path from it to
//! the body is the threshold. The `paper` profile adds the marking step, which finds all parts of
//! an article. It goes down from the body through every element with `D` at or above the threshold.
//! In each it selects the descendant with the largest density sum. The profile removes scripts,
//! style sheets, `noscript` and the head. The `tuned` profile selects only the one element, and
//! removes the set TUNED and small forms (0.6, `removal.rs`).
//!
//! Measured on ten data sets of crawled pages, unweighted mean of LCS F1, with TUNED and without:
//! one element .867 and .864, marking .866 and .841. Marking is better on pages whose content is in
//! several parts (forums, shops), the one element on articles.
//!
//! Cost: a sweep for the sums, one forwards for densities, one backwards for the largest sums, one
//! for marks. Known failures: long boilerplate without links (terms, comments) beats short
//! articles. Marking also selects other dense parts.

use crate::removal::Removal;
use crate::sweep::prefix_sums::{Links, PrefixSums};
use crate::terms::{ScoreSource, by_element};
use huller_page::{Page, Tag};
use huller_select::{
    Algorithm, Citation, Derivations, ExtractorCard, ExtractorFactory, Profiles, Rule, RunFigures,
    Selection, Term, Verdict, no_content,
};

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &Profiles {
    card: ExtractorCard {
        name: "cetd",
        summary: "selects the element with the largest sum of the densities of unlinked text of \
            its children",
        score: "density sum of the selected element, 0 and up",
        citation: Citation {
            paper: None,
            subject: "CETD: composite text density and density sums (2011)",
        },
        source: "Sun, Song and Liao 2011, *DOM Based Content Extraction via Text Density*",
        selects: "elements",
        cost: "O(n)",
        tuned: "forms; the one best element, no marking",
        failures: "long notices beat short articles",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: Cetd =
    Cetd { removal: Removal::from_tags(no_content::CORE.with(&[Tag::NOSCRIPT])), marking: true };

const TUNED: Cetd =
    Cetd { removal: Removal::from_tags(no_content::TUNED).and_small_forms(), marking: false };

static LINKS: Links = Links::and(&[Tag::BUTTON, Tag::SELECT]);

#[derive(Clone)]
pub(crate) struct Cetd {
    removal: Removal,
    /// Whether to select the marked elements, instead of only the best one.
    marking: bool,
}

/// Densities of one page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    sums: PrefixSums,
    /// One entry per node; removed nodes have the default.
    measures: Vec<NodeDensity>,
}

/// The densities of one node, and the facts they depend on.
#[derive(Clone, Copy, Debug, Default)]
struct NodeDensity {
    /// The composite text density.
    density: f64,
    /// The density sum.
    sum: f64,
    /// The node with the largest density sum in the subtree.
    best: u32,
    kept: bool,
    in_link: bool,
    has_children: bool,
    marked: bool,
}

/// The counts in the formula of a density.
struct DensityCounts {
    chars: u32,
    tags: u32,
    linked_chars: u32,
    link_tags: u32,
}

impl DensityCounts {
    /// Counts an element.
    fn count_element(
        page: &Page<'_>,
        sums: &PrefixSums,
        index: u32,
        in_link: bool,
    ) -> DensityCounts {
        let own_sums = sums.subtree(index, &page.nodes()[index as usize]);
        DensityCounts {
            chars: own_sums.chars,
            tags: own_sums.tags - 1,
            linked_chars: own_sums.linked_chars,
            link_tags: if in_link { own_sums.tags - 1 } else { own_sums.link_tags },
        }
    }

    /// Counts a piece of text.
    fn count_text(chars: u32, in_link: bool) -> DensityCounts {
        DensityCounts {
            chars,
            tags: 0,
            linked_chars: if in_link { chars } else { 0 },
            link_tags: 0,
        }
    }

    /// Returns the composite density. `linked_share` is the share of linked text in the page. The
    /// result is at least 0, because the arguments of all logarithms are at least 1.
    fn density(&self, linked_share: f64) -> f64 {
        if self.chars == 0 {
            return 0.0;
        }
        let at_least_one = |count: u32| f64::from(count.max(1));
        let chars = f64::from(self.chars);
        let unlinked = at_least_one(self.chars - self.linked_chars);
        let (tags, linked, link_tags) = (
            at_least_one(self.tags),
            at_least_one(self.linked_chars),
            at_least_one(self.link_tags),
        );
        let divisor = chars * linked / unlinked + linked_share * chars + std::f64::consts::E;
        let density = chars / tags * (chars * tags / (linked * link_tags)).ln() / divisor.ln().ln();
        debug_assert!(density.is_finite() && density >= 0.0);
        density
    }
}

/// Returns r of the formula: linked characters per character of the page.
fn linked_share(page: &Page<'_>, sums: &PrefixSums) -> f64 {
    let body = page.body();
    let body_sums = sums.subtree(body, &page.nodes()[body as usize]);
    match body_sums.chars {
        0 => 0.0,
        chars => f64::from(body_sums.linked_chars) / f64::from(chars),
    }
}

/// Computes the densities and density sums of all kept nodes of the body.
fn measure_densities(
    page: &Page<'_>,
    body: u32,
    sums: &PrefixSums,
    measures: &mut Vec<NodeDensity>,
) {
    let (nodes, runs) = (page.nodes(), page.runs());
    measures.clear();
    measures.resize(nodes.len(), NodeDensity::default());
    let linked_share = linked_share(page, sums);
    let mut link_end = 0;
    for index in sums.kept_from(body).iter().copied() {
        let node = &nodes[index as usize];
        if LINKS.contains(node.tag) {
            link_end = node.end.max(link_end);
        }
        let in_link = index < link_end;
        let counts = DensityCounts::count_element(page, sums, index, in_link);
        let density = counts.density(linked_share);
        let own = &mut measures[index as usize];
        (own.density, own.kept, own.in_link) = (density, true, in_link);
        if index != body {
            let parent = &mut measures[node.parent as usize];
            parent.sum += density;
            parent.has_children = true;
        }
    }
    for run in &runs[nodes[body as usize].runs()] {
        let own = &mut measures[run.node as usize];
        if own.kept && own.has_children {
            own.sum +=
                DensityCounts::count_text(run.counts.chars, own.in_link).density(linked_share);
        }
    }
    for own in measures.iter_mut().filter(|own| !own.has_children) {
        own.sum = own.density;
    }
}

/// Finds the node with the largest density sum in every subtree.
fn find_best(page: &Page<'_>, body: u32, sums: &PrefixSums, measures: &mut [NodeDensity]) {
    // In reverse document order children come before their parents, the last child first. Until a
    // node's turn, its `subtree_best` is the best of its children so far. The value 0 means "no
    // child yet": node 0 is never in the body.
    for index in sums.kept_from(body).iter().rev().copied() {
        let own_measure = measures[index as usize];
        let best_below = own_measure.best;
        let subtree_best = if best_below == 0 || own_measure.sum > measures[best_below as usize].sum
        {
            index
        } else {
            best_below
        };
        measures[index as usize].best = subtree_best;
        if index != body {
            let parent = page.nodes()[index as usize].parent as usize;
            let parent_best = measures[parent].best;
            if parent_best == 0
                || measures[subtree_best as usize].sum >= measures[parent_best as usize].sum
            {
                measures[parent].best = subtree_best;
            }
        }
    }
}

/// Returns the smallest density on the path from a node to the body, both included.
fn path_threshold(page: &Page<'_>, body: u32, start: u32, measures: &[NodeDensity]) -> f64 {
    let mut index = start;
    let mut min_density = measures[index as usize].density;
    while index != body {
        index = page.nodes()[index as usize].parent;
        min_density = min_density.min(measures[index as usize].density);
    }
    min_density
}

/// Applies the marking step: selects the outermost marked elements.
fn select_marked(
    page: &Page<'_>,
    body: u32,
    threshold: f64,
    measures: &mut [NodeDensity],
    roots: &mut Vec<u32>,
) {
    let nodes = page.nodes();
    let mut index = body as usize;
    while index < nodes.len() {
        if measures[index].kept && measures[index].density >= threshold {
            let best = measures[index].best as usize;
            measures[best].marked = measures[best].sum > 0.0;
            index += 1;
        } else {
            index = nodes[index].end as usize;
        }
    }
    let mut index = body as usize;
    while index < nodes.len() {
        if measures[index].marked {
            roots.push(index as u32);
            index = nodes[index].end as usize;
        } else {
            index += 1;
        }
    }
}

/// Largest number of children whose densities are shown one by one.
const MAX_SHOWN_CHILDREN: usize = 8;

/// Returns the densities whose sum is the density sum of an element.
fn density_terms(page: &Page<'_>, node: u32, scratch: &Scratch, linked_share: f64) -> Vec<Term> {
    let Scratch { sums, measures } = scratch;
    let nodes = page.nodes();
    let measure = measures[node as usize];
    let shown_counts = |index: u32| {
        let counts =
            DensityCounts::count_element(page, sums, index, measures[index as usize].in_link);
        let DensityCounts { chars, tags, linked_chars, link_tags } = counts;
        format!("C {chars}, T {tags}, LC {linked_chars}, LT {link_tags}, r {linked_share:.4}")
    };
    if !measure.has_children {
        return vec![Term::new("its own D", measure.density, shown_counts(node))];
    }
    let mut children = Vec::new();
    let (mut at, end) = (node + 1, nodes[node as usize].end);
    while at < end {
        if measures[at as usize].kept {
            children.push(at);
        }
        at = nodes[at as usize].end;
    }
    let density = |child: &u32| measures[*child as usize].density;
    children.sort_by(|a, b| density(b).total_cmp(&density(a)));
    let (shown, other_children) = children.split_at(children.len().min(MAX_SHOWN_CHILDREN));
    let mut terms: Vec<Term> = shown
        .iter()
        .map(|child| {
            let tag = nodes[*child as usize].tag.name();
            Term::new("D of a child", density(child), format!("{tag}: {}", shown_counts(*child)))
        })
        .collect();
    if !other_children.is_empty() {
        let sum = other_children.iter().map(density).sum();
        terms.push(Term::new("D of the other children", sum, other_children.len().to_string()));
    }
    let texts = page.runs()[nodes[node as usize].runs()].iter().filter(|run| run.node == node);
    let (mut sum, mut pieces) = (0.0, 0_u32);
    for run in texts {
        sum += DensityCounts::count_text(run.counts.chars, measure.in_link).density(linked_share);
        pieces += 1;
    }
    if pieces > 0 {
        terms.push(Term::new("D of its own text", sum, format!("{pieces} pieces")));
    }
    terms
}

impl Algorithm for Cetd {
    type Scratch = Scratch;

    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        let Scratch { sums, measures } = scratch;
        sums.fill(page, &self.removal, &LINKS, &mut out.removed);
        let body = page.body();
        measure_densities(page, body, sums, measures);
        find_best(page, body, sums, measures);
        let best_element = measures[body as usize].best;
        let score = measures[best_element as usize].sum;
        debug_assert!(score.is_finite());
        if score > 0.0 {
            if self.marking {
                let threshold = path_threshold(page, body, best_element, measures);
                select_marked(page, body, threshold, measures, &mut out.roots);
            } else {
                out.roots.push(best_element);
            }
        }
        Verdict { score: Some(score), ..Verdict::default() }
    }

    /// Gives each run the density sum of its innermost element.
    fn figures(&self, page: &Page<'_>, scratch: &Scratch, out: &mut RunFigures) {
        out.score_by_node(page, |index, _| {
            let measure = scratch.measures[index as usize];
            Some(if measure.kept { measure.sum } else { f64::NAN })
        });
    }

    /// Lists the densities of the innermost element's children and of its own text.
    fn derive(&self, page: &Page<'_>, scratch: &mut Scratch, runs: &[u32]) -> Derivations {
        let scratch = &*scratch;
        let linked_share = linked_share(page, &scratch.sums);
        let scored = |node: u32| {
            if scratch.measures[node as usize].kept {
                ScoreSource::Itself
            } else {
                ScoreSource::Nothing
            }
        };
        Derivations {
            equation: "density sum = sum of D over child elements and pieces of own text, with D = C/T * ln(C*T / (LC*LT)) / ln ln(C*LC/(C-LC) + r*C + e)",
            rule: Rule::Sum,
            terms: by_element(page, runs, scored, |node| {
                density_terms(page, node, scratch, linked_share)
            }),
        }
    }
}

#[cfg(test)]
pub(crate) mod inspect {
    //! Intermediate results of CETD, for the worked examples.

    use super::*;
    use huller_select::Profile;

    /// The quantities of one element.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) struct Densities {
        /// Index of the node.
        pub(crate) node: u32,
        /// Composite density (`D`).
        pub(crate) density: f64,
        /// Density sum.
        pub(crate) sum: f64,
    }

    /// Returns the quantities of every element of the body in document order, the element with the
    /// largest density sum, and the threshold.
    pub(crate) fn densities(page: &Page<'_>, profile: Profile) -> (Vec<Densities>, u32, f64) {
        let extractor = match profile {
            Profile::Paper => &PAPER,
            Profile::Tuned => &TUNED,
        };
        let (mut sums, mut measures) = (PrefixSums::default(), Vec::new());
        sums.fill(page, &extractor.removal, &LINKS, &mut Vec::new());
        let body = page.body();
        measure_densities(page, body, &sums, &mut measures);
        find_best(page, body, &sums, &mut measures);
        let best_element = measures[body as usize].best;
        let densities_of_all = sums.kept_from(body).iter().copied().map(|node| {
            let NodeDensity { density, sum, .. } = measures[node as usize];
            Densities { node, density, sum }
        });
        (
            densities_of_all.collect(),
            best_element,
            path_threshold(page, body, best_element, &measures),
        )
    }
}
#[cfg(test)]
mod tests;
