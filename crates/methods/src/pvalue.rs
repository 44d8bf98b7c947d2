//! P value (paper 003 in docs/papers.md): computes one number per element, and selects the element
//! with the largest.
//!
//! All lengths are in Unicode scalars after white space is normalised. Between two words it is one
//! space, also where a tag stands between them. Between blocks it is nothing. `l_t` is the length
//! of an element's text, `l_s` that of its text and markup, and `l_vt` that of its text outside
//! links. `L_VT` is the `l_vt` of the whole page:
//!
//! ```text
//! P = (l_t / l_s) * (l_vt / L_VT)          page P = max P; the page has an article iff page P >= 0.5
//! ```
//!
//! Our choices where the paper is open (specification section 4):
//!
//! - The name lost in the printed removal list is `img` (D-1).
//! - `id`, `class` and `style` don't count towards `l_s`, other attributes do (D-2).
//! - White space is normalised in `l_t` and in `l_s` (D-5). At the borders of tags only the `paper`
//!   profile counts it.
//! - Links, everything in links and `br` are not candidates (D-6).
//! - If the page has no text outside links, the selection is empty (D-7).
//! - Of equal elements the first wins (D-8).
//!
//! The `tuned` profile removes the set TUNED, `img`, `label`, `meta`, `link`, `channel` and small
//! forms, but keeps other forms (D-4) and headers of articles (specification 0.6, `removal.rs`). It
//! ignores the markup of elements without text (D-3).
//!
//! Cost: two sweeps over the nodes and one over the runs. Every subtree total is the difference of
//! two prefix sums.
//!
//! Known failures: a list of links with one paragraph counts as an article, because `l_vt` / `L_VT`
//! is 1 there. A page with a short article is judged to have no article (the paper says so). If a
//! page has several articles of equal weight, their common parent is selected.
//!
//! `docs/papers.md` has the figures of `huller eval --judge`. P orders pages far better than the
//! length of their text does, but the threshold 0.5 is too high for the `paper` profile.

use crate::removal::Removal;
use crate::terms::{ScoreSource, by_element};
use border_space::BorderSpace;
use huller_page::{Node, NodeFlags, Page, RunFlags, Tag};
use huller_select::{
    Algorithm, Citation, Derivations, ExtractorCard, ExtractorFactory, Profiles, Rule, RunFigures,
    Selection, Term, Verdict, no_content,
};

mod border_space;

/// A page has an article if its page P is at least this.
pub const ARTICLE_THRESHOLD: f64 = 0.5;

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &Profiles {
    card: ExtractorCard {
        name: "pvalue",
        summary: "selects the element with the largest product of two fractions: text in its \
            markup, and its part of the page's unlinked text",
        score: "P of the selected element, 0 to 1; 0.5 or more means that the page has an article",
        citation: Citation { paper: Some("003"), subject: "P value" },
        source: "P value ([paper 003](papers.md#003-p-value))",
        selects: "an element",
        cost: "O(n)",
        tuned: "forms, headers; large forms are kept; empty elements count nothing",
        failures: "a single paragraph next to a list of links counts as an article; for several \
            articles their parent is selected",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: PValue = PValue {
    removal: Removal::from_tags(no_content::CORE.with(&[
        Tag::NOSCRIPT,
        Tag::EMBED,
        Tag::LABEL,
        Tag::FORM,
        Tag::INPUT,
        Tag::IFRAME,
        Tag::META,
        Tag::LINK,
        Tag::OBJECT,
        Tag::ASIDE,
        Tag::IMG,
        Tag::CHANNEL,
    ])),
    drop_empty: false,
    border_spaces: true,
};

const TUNED: PValue = PValue {
    removal: Removal::from_tags(no_content::TUNED.with(&[
        Tag::IMG,
        Tag::LABEL,
        Tag::META,
        Tag::LINK,
        Tag::CHANNEL,
    ]))
    .but_article_headers()
    .and_small_forms(),
    drop_empty: true,
    border_spaces: false,
};

#[derive(Clone)]
pub(crate) struct PValue {
    removal: Removal,
    /// Whether elements without text, except `br`, `p` and `div`, add nothing to the markup of
    /// their ancestors (D-3).
    drop_empty: bool,
    /// Whether white space between two runs of a line counts (D-5).
    border_spaces: bool,
}

/// Lengths of kept text, in Unicode scalars.
#[derive(Clone, Copy, Debug, Default)]
struct TextLengths {
    /// Length of the text.
    text: u32,
    /// Length of the text outside links.
    unlinked: u32,
}

/// The kept text before a run.
#[derive(Clone, Copy, Debug, Default)]
struct TextBefore {
    /// Without the space between the run and the run before it.
    lengths: TextLengths,
    /// That space. It belongs to the elements that hold both runs.
    border: BorderSpace,
}

impl TextLengths {
    /// Adds a text.
    fn add(&mut self, length: u32, is_linked: bool) {
        self.text += length;
        self.unlinked += if is_linked { 0 } else { length };
    }

    /// Adds a space at a border.
    fn add_space(&mut self, space: BorderSpace) {
        match space {
            BorderSpace::None => {}
            BorderSpace::Linked => self.add(1, true),
            BorderSpace::Unlinked => self.add(1, false),
        }
    }
}

/// Prefix sums and candidates of one page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    text_before: Vec<TextBefore>,
    /// For each node, the scalars of kept markup before it.
    markup_before: Vec<u32>,
    /// Indices of the kept nodes.
    kept: Vec<u32>,
    /// The space before each run; empty if the settings do not count it.
    border_spaces: Vec<BorderSpace>,
    decoded: String,
}

/// The quantities of one element, under the paper's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// Index of the node.
    pub node: u32,
    /// Scalars of text, where each gap of white space counts as one (`l_t`).
    pub text: u32,
    /// Scalars of text outside links (`l_vt`).
    pub unlinked: u32,
    /// Scalars of text and markup (`l_s`).
    pub total: u32,
}

impl Lengths {
    /// Returns P of the element; 0 if `page_unlinked`, the `l_vt` of the whole page, is 0.
    pub fn p(&self, page_unlinked: u32) -> f64 {
        if page_unlinked == 0 {
            return 0.0;
        }
        let (text, unlinked) = (f64::from(self.text), f64::from(self.unlinked));
        (text / f64::from(self.total.max(1))) * (unlinked / f64::from(page_unlinked))
    }
}

impl PValue {
    /// Computes prefix sums over the kept text and markup, and appends the removed nodes to
    /// `removed`.
    fn sweep(&self, page: &Page<'_>, scratch: &mut Scratch, removed: &mut Vec<u32>) {
        let (nodes, runs) = (page.nodes(), page.runs());
        let Scratch { text_before, border_spaces, decoded, .. } = scratch;
        if self.border_spaces {
            border_space::fill_border_spaces(page, &self.removal, decoded, border_spaces);
        }
        text_before.clear();
        let mut sum = TextLengths::default();
        let mut index = 0;
        while index < nodes.len() {
            let node = &nodes[index];
            if !self.removal.removes(node) {
                index += 1;
                continue;
            }
            removed.push(index as u32);
            sum = add_runs(text_before, sum, &runs[..node.run_start as usize], border_spaces);
            let next = border_spaces.get(node.run_start as usize).copied().unwrap_or_default();
            let before = TextBefore { lengths: sum, border: next };
            text_before.resize(node.run_end as usize, before);
            index = node.end as usize;
        }
        sum = add_runs(text_before, sum, runs, border_spaces);
        text_before.push(TextBefore { lengths: sum, border: BorderSpace::None });

        scratch.markup_before.clear();
        scratch.markup_before.resize(nodes.len() + 1, 0);
        scratch.kept.clear();
        let mut markup = 0;
        let mut index = 0;
        while index < nodes.len() {
            let node = &nodes[index];
            scratch.markup_before[index] = markup;
            let empty = self.drop_empty
                && text_before[node.run_end as usize].lengths.text
                    == text_before[node.run_start as usize].lengths.text
                && !matches!(node.tag, Tag::BR | Tag::P | Tag::DIV);
            if empty || self.removal.removes(node) {
                index = node.end as usize;
            } else {
                markup += node.markup_chars;
                scratch.kept.push(index as u32);
                index += 1;
            }
        }
        scratch.markup_before[nodes.len()] = markup;
    }
}

/// Appends the sums before each of `runs` that is still missing, with the space before each run.
/// Returns the sum after the last.
fn add_runs(
    before: &mut Vec<TextBefore>,
    mut sum: TextLengths,
    runs: &[huller_page::Run],
    spaces: &[BorderSpace],
) -> TextLengths {
    let first_index = before.len();
    let spaces = spaces.get(first_index..).unwrap_or_default().iter().copied();
    let spaces = spaces.chain(std::iter::repeat(BorderSpace::None));
    before.extend(runs[first_index..].iter().zip(spaces).map(|(run, border)| {
        let text_before = TextBefore { lengths: sum, border };
        sum.add_space(border);
        sum.add(run.counts.chars + run.counts.gaps, run.flags.contains(RunFlags::IN_LINK));
        text_before
    }));
    sum
}

impl Scratch {
    /// Returns the lengths of a node's text. Call it after a sweep.
    #[inline]
    fn text_of(&self, node: &Node) -> TextLengths {
        let text_before_node = self.text_before[node.run_start as usize];
        let end = self.text_before[node.run_end as usize].lengths;
        // The space before the first run is outside the node. A node without text does not count it
        // in `end` either.
        let mut start = text_before_node.lengths;
        start.add_space(text_before_node.border);
        TextLengths {
            text: end.text.saturating_sub(start.text),
            unlinked: end.unlinked.saturating_sub(start.unlinked),
        }
    }

    /// Returns the quantities of a node; `None` if it is not a candidate. Call it after a sweep.
    #[inline]
    fn candidate(&self, nodes: &[Node], index: u32) -> Option<Lengths> {
        let node = &nodes[index as usize];
        if node.flags.contains(NodeFlags::IN_LINK) || node.tag == Tag::BR {
            return None;
        }
        let TextLengths { text, unlinked } = self.text_of(node);
        let markup = self.markup_before[node.end as usize] - self.markup_before[index as usize];
        Some(Lengths { node: index, text, unlinked, total: markup + text })
    }
}

impl Algorithm for PValue {
    type Scratch = Scratch;

    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        self.sweep(page, scratch, &mut out.removed);
        let page_unlinked = scratch.text_before[page.runs().len()].lengths.unlinked;
        // `l_t` * `l_vt` / `l_s` ranks elements as P does; the division by `L_VT` comes at the end.
        let mut best_candidate: Option<(f64, Lengths)> = None;
        for index in &scratch.kept {
            let best_rank = best_candidate.map_or(0.0, |(rank, _)| rank);
            // `l_t` / `l_s` is at most 1, so an element with too small an `l_vt` cannot win. This
            // rules out most elements.
            if f64::from(scratch.text_of(&page.nodes()[*index as usize]).unlinked) <= best_rank {
                continue;
            }
            let Some(lengths) = scratch.candidate(page.nodes(), *index) else { continue };
            let rank =
                f64::from(lengths.text) * f64::from(lengths.unlinked) / f64::from(lengths.total);
            if rank > best_rank {
                best_candidate = Some((rank, lengths));
            }
        }
        let score = best_candidate.map_or(0.0, |(_, lengths)| lengths.p(page_unlinked));
        debug_assert!(score.is_finite());
        if let Some((_, lengths)) = best_candidate {
            out.roots.push(lengths.node);
        }
        Verdict {
            score: Some(score),
            has_article: Some(score >= ARTICLE_THRESHOLD),
            ..Verdict::default()
        }
    }

    /// Gives each run the P of its innermost candidate.
    fn figures(&self, page: &Page<'_>, scratch: &Scratch, out: &mut RunFigures) {
        let page_unlinked = scratch.text_before[page.runs().len()].lengths.unlinked;
        let mut kept_nodes = scratch.kept.iter().peekable();
        out.score_by_node(page, |index, _| {
            match kept_nodes.next_if(|kept_node| **kept_node == index) {
                None => Some(f64::NAN),
                Some(_) => {
                    scratch.candidate(page.nodes(), index).map(|lengths| lengths.p(page_unlinked))
                }
            }
        });
    }

    /// Lists the two factors of P of the innermost candidate.
    fn derive(&self, page: &Page<'_>, scratch: &mut Scratch, runs: &[u32]) -> Derivations {
        let page_unlinked = scratch.text_before[page.runs().len()].lengths.unlinked;
        let lengths = |node: u32| scratch.candidate(page.nodes(), node);
        let scored = |node: u32| match scratch.kept.binary_search(&node) {
            Err(_) => ScoreSource::Nothing,
            Ok(_) if lengths(node).is_some() => ScoreSource::Itself,
            Ok(_) => ScoreSource::Around,
        };
        let terms = |node: u32| {
            let Some(Lengths { text, unlinked, total, .. }) = lengths(node) else { return vec![] };
            let share = |part: u32, whole: u32| f64::from(part) / f64::from(whole.max(1));
            vec![
                Term::new(
                    "l_t / l_s",
                    share(text, total),
                    format!("{text} of text / {total} of text and markup"),
                ),
                Term::new(
                    "l_vt / L_VT",
                    share(unlinked, page_unlinked),
                    format!("{unlinked} outside links / {page_unlinked} outside links on the page"),
                ),
            ]
        };
        Derivations {
            equation: "P = (l_t / l_s) * (l_vt / L_VT), of the innermost candidate for the article",
            rule: Rule::Product,
            terms: by_element(page, runs, scored, terms),
        }
    }
}

#[cfg(test)]
pub(crate) mod inspect {
    //! Intermediate results of the P value, for the worked examples.

    use super::*;
    use huller_select::Profile;

    /// Returns the quantities of every candidate of a page in document order.
    pub(crate) fn lengths(page: &Page<'_>, profile: Profile) -> Vec<Lengths> {
        let extractor = match profile {
            Profile::Paper => &PAPER,
            Profile::Tuned => &TUNED,
        };
        let mut scratch = Scratch::default();
        extractor.sweep(page, &mut scratch, &mut Vec::new());
        scratch.kept.iter().filter_map(|index| scratch.candidate(page.nodes(), *index)).collect()
    }
}
#[cfg(test)]
mod tests;
