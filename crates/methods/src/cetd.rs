//! CETD: the element with the largest sum of composite text densities of its children.
//!
//! Fei Sun, Dandan Song, Lejian Liao: *DOM Based Content Extraction via Text Density*, 2011.
//!
//! With `C` the visible scalars of an element's text, `T` its tags, `LC` and `LT` the same within links, and `r` = `LC` / `C` of
//! the body:
//!
//! ```text
//! D = C/T * ln(C*T / (LC*LT)) / ln ln(C*LC/(C-LC) + r*C + e)
//! density sum = sum of D over child elements and over runs of own text; of an element without children its own D
//! ```
//!
//! Links are `a`, `button` and `select`. What was ambiguous, and what we chose (specification section 6): tags are those below the
//! element; all tags in a link are link tags; counts of zero become one; an element without text has density 0. A run of own
//! text counts as an element without tags: the authors' program omits the `+1` there and is infinite where `r` is 0. Of elements
//! with equal sums an inner one wins, otherwise the first (0.7), because a wrapper around one dense child has the child's sum.
//!
//! The element with the largest density sum is the content; the smallest `D` on the path from it to the body is the threshold.
//! The `paper` profile adds the marking step: from the body down, in every element with `D` at or above the threshold, it
//! selects the descendant with the largest density sum, so that it finds all parts of an article. It removes scripts, style
//! sheets, `noscript` and the head. The `tuned` profile selects only the one element, and removes the set TUNED and small forms
//! (0.6, `removal.rs`). Measured on ten data sets of crawled pages, unweighted mean of LCS F1, with TUNED and without: one
//! element .867 and .864, marking .866 and .841. Marking is better on pages whose content lies in several parts (forums,
//! shops), the one element on articles.
//!
//! Cost: a sweep for the sums, one forwards for densities, one backwards for the largest sums, one for marks. Known failures:
//! long boilerplate without links (terms, comments) beats short articles; marking also selects other dense parts.

use crate::removal::Removal;
use crate::sweep::sums::{Links, Sums};
use huller_page::{Page, Tag};
use huller_select::{
    Algorithm, Card, Citation, Method, Profiles, RunFigures, Selection, Verdict, no_content,
};

/// The method.
pub static METHOD: &dyn Method = &Profiles {
    card: Card {
        name: "cetd",
        summary: "the element whose children are densest in unlinked text, added up",
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
    Cetd { removal: Removal::of(no_content::CORE.and(&[Tag::NOSCRIPT])), marking: true };

const TUNED: Cetd =
    Cetd { removal: Removal::of(no_content::TUNED).and_small_forms(), marking: false };

static LINKS: Links = Links::and(&[Tag::BUTTON, Tag::SELECT]);

#[derive(Clone)]
pub(crate) struct Cetd {
    removal: Removal,
    /// Whether to select what the marking step marks, instead of only the best element.
    marking: bool,
}

/// Densities of one page.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    sums: Sums,
    /// One entry per node; removed nodes have the default.
    measures: Vec<NodeDensity>,
}

/// The densities of one node, and what they depend on.
#[derive(Clone, Copy, Debug, Default)]
struct NodeDensity {
    density: f64,
    sum: f64,
    /// The node with the largest density sum in the subtree.
    best: u32,
    kept: bool,
    in_link: bool,
    has_children: bool,
    marked: bool,
}

/// The counts in the formula of a density.
struct Counts {
    chars: u32,
    tags: u32,
    linked_chars: u32,
    link_tags: u32,
}

impl Counts {
    /// The composite density; `linked_share` is the share of linked text in the page. It is at least 0, because the arguments
    /// of all logarithms are at least 1.
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

/// Computes the densities and density sums of all kept nodes of the body.
fn measure(page: &Page<'_>, body: u32, sums: &Sums, measures: &mut Vec<NodeDensity>) {
    let (nodes, runs) = (page.nodes(), page.runs());
    measures.clear();
    measures.resize(nodes.len(), NodeDensity::default());
    let whole = sums.of(body, &nodes[body as usize]);
    let linked_share = match whole.chars {
        0 => 0.0,
        chars => f64::from(whole.linked_chars) / f64::from(chars),
    };
    let mut link_end = 0;
    for index in sums.kept_from(body).iter().copied() {
        let node = &nodes[index as usize];
        let here = sums.of(index, node);
        if LINKS.contains(node.tag) {
            link_end = node.end.max(link_end);
        }
        let in_link = index < link_end;
        let counts = Counts {
            chars: here.chars,
            tags: here.tags - 1,
            linked_chars: here.linked_chars,
            link_tags: if in_link { here.tags - 1 } else { here.link_tags },
        };
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
            let chars = run.counts.chars;
            let linked_chars = if own.in_link { chars } else { 0 };
            let counts = Counts { chars, tags: 0, linked_chars, link_tags: 0 };
            own.sum += counts.density(linked_share);
        }
    }
    for own in measures.iter_mut().filter(|own| !own.has_children) {
        own.sum = own.density;
    }
}

/// Finds the node with the largest density sum in every subtree.
fn find_best(page: &Page<'_>, body: u32, sums: &Sums, measures: &mut [NodeDensity]) {
    // In reverse document order children come before their parents, the last child first. Until a node's turn, its `best` is
    // the best of its children so far; 0, which is never a node of the body, means that there is none yet.
    for index in sums.kept_from(body).iter().rev().copied() {
        let own = measures[index as usize];
        let below = own.best;
        let best = if below == 0 || own.sum > measures[below as usize].sum { index } else { below };
        measures[index as usize].best = best;
        if index != body {
            let parent = page.nodes()[index as usize].parent as usize;
            let other = measures[parent].best;
            if other == 0 || measures[best as usize].sum >= measures[other as usize].sum {
                measures[parent].best = best;
            }
        }
    }
}

/// The smallest density on the path from a node to the body, both included.
fn threshold(page: &Page<'_>, body: u32, from: u32, measures: &[NodeDensity]) -> f64 {
    let mut at = from;
    let mut least = measures[at as usize].density;
    while at != body {
        at = page.nodes()[at as usize].parent;
        least = least.min(measures[at as usize].density);
    }
    least
}

/// The marking step: selects the outermost marked elements.
fn mark(
    page: &Page<'_>,
    body: u32,
    threshold: f64,
    measures: &mut [NodeDensity],
    roots: &mut Vec<u32>,
) {
    let nodes = page.nodes();
    let mut at = body as usize;
    while at < nodes.len() {
        if measures[at].kept && measures[at].density >= threshold {
            let best = measures[at].best as usize;
            measures[best].marked = measures[best].sum > 0.0;
            at += 1;
        } else {
            at = nodes[at].end as usize;
        }
    }
    let mut at = body as usize;
    while at < nodes.len() {
        if measures[at].marked {
            roots.push(at as u32);
            at = nodes[at].end as usize;
        } else {
            at += 1;
        }
    }
}

impl Algorithm for Cetd {
    type Memory = Memory;

    fn extract(&self, page: &Page<'_>, memory: &mut Memory, out: &mut Selection) -> Verdict {
        out.clear();
        let Memory { sums, measures } = memory;
        sums.fill(page, &self.removal, &LINKS, &mut out.removed);
        let body = page.body();
        measure(page, body, sums, measures);
        find_best(page, body, sums, measures);
        let best = measures[body as usize].best;
        let score = measures[best as usize].sum;
        debug_assert!(score.is_finite());
        if score > 0.0 {
            if self.marking {
                let threshold = threshold(page, body, best, measures);
                mark(page, body, threshold, measures, &mut out.roots);
            } else {
                out.roots.push(best);
            }
        }
        Verdict { score: Some(score), ..Verdict::default() }
    }

    /// The density sum of the innermost element.
    fn figures(&self, page: &Page<'_>, memory: &Memory, out: &mut RunFigures) {
        out.score_by_node(page, |index, _| {
            let own = memory.measures[index as usize];
            Some(if own.kept { own.sum } else { f64::NAN })
        });
    }
}

#[cfg(test)]
pub(crate) mod inspect;
#[cfg(test)]
mod tests;
