//! CETD, content extraction via text density (Sun, Song, Liao, SIGIR 2011), with composite density and density sums.
//!
//! With `C` the scalars of an element's text, `T` its tags, `LC` and `LT` the same within links, and `r` = `LC` / `C` of the body:
//!
//! ```text
//! D = C/T * ln(C*T / (LC*LT)) / ln ln(C*LC/(C-LC) + r*C + e)
//! density sum = sum of D over child elements and over runs of own text; of an element without children its own D
//! ```
//!
//! Links are `a`, `button` and `select`. What was ambiguous, and what we chose (specification section 6): tags are those below the
//! element; all tags in a link are link tags; counts of zero become one; an element without text has no density. A
//! run of own text is an element without tags: the authors' program leaves out the `+1` there and is infinite where `r` is 0.
//! Of equal elements the inner one wins, else the first (0.7), since a wrapper around one dense child has just the child's sum.
//!
//! The element with the largest density sum is the content; the smallest `D` between it and the body is the threshold. The `paper`
//! profile then marks: from the body down, in every element with `D` at or above the threshold, the descendant with the largest
//! density sum, so that an article in several parts is found whole. It removes scripts, style sheets, `noscript` and the head.
//! The `tuned` profile takes the one element, removes the set TUNED, and falls back to the P value, then to all text. Measured on ten data
//! sets of crawled pages, unweighted mean of LCS F1, with TUNED and without: the one element .867 and .864, marking .866 and .841.
//! Marking is the better on pages whose content lies in several parts (forums, shops), the one element on articles.
//! Beside that set it removes small forms (`removal.rs`).
//!
//! Cost: a sweep for the sums, one forwards for densities, one backwards for the largest sums, one for marks. Known failures:
//! long unlinked boilerplate (terms, comments) beats short articles; marking takes whatever else is dense.

use crate::extractor::{Citation, Extractor, Verdict};
use crate::methods::pvalue;
use crate::methods::tsd::body;
use crate::profile::Profile;
use crate::removal::Removal;
use crate::selection::Selection;
use crate::sums::{Links, Sums};
use crate::tags::Tags;
use huller_page::{Page, Tag};

pub(crate) const CITATION: Citation =
    Citation { paper: None, subject: "CETD: composite text density and density sums (2011)" };

pub(crate) static PAPER: Cetd = Cetd {
    removal: Removal::of(Tags::CORE.and(&[Tag::NOSCRIPT])),
    marking: true,
    fall_back: false,
};

pub(crate) static TUNED: Cetd =
    Cetd { removal: Removal::of(Tags::TUNED).and_small_forms(), marking: false, fall_back: true };

static LINKS: Links = Links::and(&[Tag::BUTTON, Tag::SELECT]);

pub(crate) struct Cetd {
    removal: Removal,
    /// Select what the marking step marks, not only the best element.
    marking: bool,
    /// Select something else where no density sum is positive.
    fall_back: bool,
}

/// Densities of one page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// By node; of removed nodes the default.
    measures: Vec<Measure>,
}

/// What is known of one node.
#[derive(Clone, Copy, Debug, Default)]
struct Measure {
    density: f64,
    sum: f64,
    /// The node with the largest density sum in the subtree.
    best: u32,
    kept: bool,
    in_link: bool,
    has_children: bool,
    marked: bool,
}

/// The quantities of one element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Densities {
    /// Index of the node.
    pub node: u32,
    /// Composite density (`D`).
    pub density: f64,
    /// Density sum.
    pub sum: f64,
}

/// Counts that a density is made of.
struct Counts {
    chars: u32,
    tags: u32,
    linked_chars: u32,
    link_tags: u32,
}

impl Counts {
    /// Composite density, given the share of linked text in the page. At least 0: neither logarithm's argument is below 1,
    /// nor the inner logarithm of the divisor.
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

/// Fills densities and sums of all kept nodes from the body on.
fn measure(page: &Page<'_>, body: u32, sums: &Sums, measures: &mut Vec<Measure>) {
    let (nodes, runs) = (page.nodes(), page.runs());
    measures.clear();
    measures.resize(nodes.len(), Measure::default());
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
fn find_best(page: &Page<'_>, body: u32, sums: &Sums, measures: &mut [Measure]) {
    // Children stand after their parents, and the last child comes first here: `best` of a node is that of the children seen so
    // far, and 0, which is no node of the body, before the first.
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

/// The smallest density between a node and the body.
fn threshold(page: &Page<'_>, body: u32, from: u32, measures: &[Measure]) -> f64 {
    let mut at = from;
    let mut least = measures[at as usize].density;
    while at != body {
        at = page.nodes()[at as usize].parent;
        least = least.min(measures[at as usize].density);
    }
    least
}

/// Selects what the marking step marks; marks within marks count once.
fn mark(
    page: &Page<'_>,
    body: u32,
    threshold: f64,
    measures: &mut [Measure],
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

impl Extractor for Cetd {
    fn extract(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        out: &mut Selection,
    ) -> Verdict {
        out.clear();
        let (sums, measures) = (&mut scratch.sums, &mut scratch.cetd.measures);
        sums.fill(page, &self.removal, &LINKS, &mut out.removed);
        let body = body(page);
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
        } else if self.fall_back {
            pvalue::TUNED.extract(page, scratch, out);
        }
        Verdict { score: Some(score), ..Verdict::default() }
    }
}

/// The quantities of every element of the body in document order, the element with the largest density sum, and the threshold, for
/// those who want to look inside.
pub fn densities(page: &Page<'_>, profile: Profile) -> (Vec<Densities>, u32, f64) {
    let method = match profile {
        Profile::Paper => &PAPER,
        Profile::Tuned => &TUNED,
    };
    let (mut sums, mut measures) = (Sums::default(), Vec::new());
    sums.fill(page, &method.removal, &LINKS, &mut Vec::new());
    let body = body(page);
    measure(page, body, &sums, &mut measures);
    find_best(page, body, &sums, &mut measures);
    let best = measures[body as usize].best;
    let all = sums.kept_from(body).iter().copied().map(|node| {
        let Measure { density, sum, .. } = measures[node as usize];
        Densities { node, density, sum }
    });
    (all.collect(), best, threshold(page, body, best, &measures))
}

#[cfg(test)]
mod tests;
