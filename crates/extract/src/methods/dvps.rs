//! `DIV_FOREST` and DVPS (paper 002): the page is cut into visual blocks made of `div` subtrees, blocks are weighed by space and
//! meaning, the heaviest is the theme block.
//!
//! 1. Where everything lies: `layout`, an estimate, since the paper renders pages and we do not.
//! 2. The body and every `div` with text are segments, cut top-down by Table 1 of the paper (`dvps/rules.rs`).
//! 3. Neighbouring blocks over a light separator become one (`visual/separators.rs`).
//! 4. Each is weighed by equations (5) and (9) (`visual/importance.rs`).
//! 5. Function blocks (fewer than 200 scalars, two phrases of the thesaurus or more) are dropped (`dvps/functions.rs`).
//!
//! `paper` selects the block of the largest importance; `tuned` all of at least .8 of that, without the set TUNED of the
//! specification (0.6), and falls back to P value where the page has no text.
//! Beside that set it removes small forms and keeps headers of articles (`removal.rs`).
//!
//! What the paper leaves open, and what we chose (specification section 3): what counts as content instead of tag lists [C-1];
//! stretches of content between child segments are blocks of their own [C-2]; the rules' conditions and order [C-3..C-5]; weights
//! of separators [C-6]; (5) as printed [C-7, C-8]; a page without text gives nothing [C-9]; how (5) and (9) combine
//! [C-10]. The paper does not say what a function block counts for; it is no candidate.
//!
//! Cost: O(nodes + runs), beyond what `layout` takes. Known failures: pages whose article is cut into many `div`s
//! (`tuned` helps), pages without `div` (one block), comments that outweigh a short article.

mod functions;
mod rules;

use crate::extractor::{Citation, Extractor, Verdict};
use crate::layout::Rect;
use crate::methods::pvalue;
use crate::profile::Profile;
use crate::removal::Removal;
use crate::selection::Selection;
use crate::tags::Tags;
use crate::visual::forest::Segments;
use crate::visual::importance::{self, Amounts};
use crate::visual::segment::Judgement;
use crate::visual::separators::Group;
use huller_page::{Page, Tag};

pub(crate) use functions::Scratch;

pub(crate) const CITATION: Citation =
    Citation { paper: Some("002"), subject: "DIV_FOREST and DVPS" };

pub(crate) static PAPER: Dvps = Dvps {
    removal: Removal::of(Tags::CORE.and(&[Tag::NOSCRIPT, Tag::IFRAME, Tag::TEMPLATE])),
    chosen: 1.0,
    fall_back: false,
};

pub(crate) static TUNED: Dvps = Dvps {
    removal: Removal::of(Tags::TUNED).but_article_headers().and_small_forms(),
    chosen: 0.8,
    fall_back: true,
};

static SEGMENTS: Segments = Segments::of(Tags::NONE.and(&[Tag::DIV]));

pub(crate) struct Dvps {
    removal: Removal,
    /// What part of the largest importance a block must have; 1 is the first of the largest alone.
    chosen: f64,
    /// Select what P value selects where nothing else would be selected.
    fall_back: bool,
}

impl Dvps {
    /// Cuts the page and weighs its blocks; gives lambda.
    fn weigh(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        removed: &mut Vec<u32>,
    ) -> Option<f64> {
        let crate::Scratch { sums, visual, .. } = scratch;
        visual.cut(page, sums, &self.removal, &SEGMENTS, &rules::Table1, removed)
    }

    /// Chooses among the blocks.
    fn choose(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        removed: &[u32],
    ) -> Option<Choice> {
        let crate::Scratch { visual, dvps, .. } = scratch;
        let blocks = &visual.segmenter.blocks;
        let is_functional = |group: &Group| {
            group.chars < functions::LONGEST
                && dvps.hits(page, removed, &blocks[group.blocks()]) >= functions::HITS
        };
        let importance = |group: &Group| group.importance;
        Choice::of(&mut visual.groups, self.chosen, importance, is_functional)
    }
}

impl Extractor for Dvps {
    fn extract(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        out: &mut Selection,
    ) -> Verdict {
        out.clear();
        self.weigh(page, scratch, &mut out.removed);
        let Some(choice) = self.choose(page, scratch, &out.removed) else {
            if self.fall_back {
                pvalue::TUNED.extract(page, scratch, out);
            }
            return Verdict { score: Some(0.0), ..Verdict::default() };
        };
        let is_chosen = |group: &Group| choice.holds(group, group.importance);
        scratch.visual.select(page, is_chosen, out);
        Verdict { score: Some(choice.largest), ..Verdict::default() }
    }
}

/// Which groups of a page are selected.
pub(crate) struct Choice {
    /// The largest value of any.
    pub(crate) largest: f64,
    /// What others must reach; `None` if only the best counts.
    least: Option<f64>,
    best: Group,
}

impl Choice {
    /// The groups with a value of at least `part` of the largest; with 1 the first of the largest alone. Function blocks
    /// don't count; of those that could be chosen `is_functional` says so, and the others are not asked. `None` if there are
    /// no others.
    pub(crate) fn of(
        groups: &mut [Group],
        part: f64,
        value: impl Fn(&Group) -> f64,
        mut is_functional: impl FnMut(&Group) -> bool,
    ) -> Option<Choice> {
        let mut best: Option<(Group, f64)> = None;
        for group in groups.iter_mut() {
            let value = value(group);
            if best.is_none_or(|(_, largest)| value > largest) {
                group.is_functional = is_functional(group);
                if !group.is_functional {
                    best = Some((*group, value));
                }
            }
        }
        let (best, largest) = best?;
        let least = (part < 1.0).then(|| largest - (1.0 - part) * largest.abs());
        if let Some(least) = least {
            for group in groups.iter_mut().filter(|group| value(group) >= least) {
                group.is_functional = group.is_functional || is_functional(group);
            }
        }
        Some(Choice { largest, least, best })
    }

    /// Whether a group of that value is selected.
    pub(crate) fn holds(&self, group: &Group, value: f64) -> bool {
        !group.is_functional
            && self.least.map_or(group.blocks() == self.best.blocks(), |least| value >= least)
    }
}

/// A page as DVPS sees it, for those who want to look inside.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Height of the page in pixels; 0 where it is not known.
    pub page_height: f64,
    /// The part of spatial importance in the whole.
    pub lambda: f64,
    /// What was decided of each segment, in document order.
    pub segments: Vec<Segment>,
    /// Weights of the separators between neighbouring blocks before they were joined.
    pub separators: Vec<f64>,
    /// The blocks, in document order.
    pub blocks: Vec<VisualBlock>,
}

/// A segment and what was decided of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Index of the node.
    pub node: u32,
    /// Degree of coherence with which it was kept; `None` if it was divided.
    pub kept: Option<u8>,
    /// The rule that decided.
    pub rule: &'static str,
}

/// A block of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct VisualBlock {
    /// The elements that it is, or in which its stretches of text lie.
    pub nodes: Vec<u32>,
    /// Degree of coherence of each.
    pub coherence: Vec<u8>,
    /// Scalars (U).
    pub chars: u32,
    /// Scalars in links (L).
    pub linked_chars: u32,
    /// Elements.
    pub tags: u32,
    /// Left, top, width and height in pixels.
    pub rect: [f64; 4],
    /// Eq (5).
    pub spatial: f64,
    /// Eq (9).
    pub semantic: f64,
    /// Both together.
    pub importance: f64,
    /// Share of the page's text, eq (6).
    pub text_share: f64,
    /// Share of the page's topic tags, eq (7).
    pub topic_share: f64,
    /// Share of the page's phrases of the thesaurus, eq (8).
    pub function_share: f64,
    /// Whether it is a function block.
    pub is_functional: bool,
    /// Whether it is selected.
    pub is_selected: bool,
}

/// Looks at a page.
pub fn analyse(page: &Page<'_>, profile: Profile) -> Analysis {
    let method = match profile {
        Profile::Paper => &PAPER,
        Profile::Tuned => &TUNED,
    };
    let mut scratch = crate::Scratch::default();
    let mut removed = Vec::new();
    let lambda = method.weigh(page, &mut scratch, &mut removed).unwrap_or(0.0);
    let choice = method.choose(page, &mut scratch, &removed);
    let crate::Scratch { visual, dvps, .. } = &mut scratch;
    let share = |part: u32, whole: u32| f64::from(part) / f64::from(whole.max(1));
    let sum = |of: fn(&Group) -> u32| visual.groups.iter().map(of).sum::<u32>();
    let (chars, topics) = (sum(|group| group.chars), sum(|group| group.topics));
    let hits: Vec<u32> = visual
        .groups
        .iter()
        .map(|group| dvps.hits(page, &removed, &visual.segmenter.blocks[group.blocks()]))
        .collect();
    let blocks = visual.groups.iter().zip(&hits).map(|(group, hits_here)| {
        let blocks = &visual.segmenter.blocks[group.blocks()];
        let Rect { left, top, width, height } = group.rect;
        VisualBlock {
            nodes: blocks.iter().map(|block| block.node).collect(),
            coherence: blocks.iter().map(|block| block.coherence).collect(),
            chars: group.chars,
            linked_chars: group.linked_chars,
            tags: group.tags,
            rect: [left, top, width, height],
            spatial: group.spatial,
            semantic: group.semantic,
            importance: group.importance,
            text_share: share(group.chars, chars),
            topic_share: share(group.topics, topics),
            function_share: share(*hits_here, hits.iter().sum()),
            is_functional: group.chars < functions::LONGEST && *hits_here >= functions::HITS,
            is_selected: choice
                .as_ref()
                .is_some_and(|choice| choice.holds(group, group.importance)),
        }
    });
    Analysis {
        page_height: visual.layout.places().page_height(),
        lambda,
        segments: visual
            .segmenter
            .judged
            .iter()
            .map(|judged| Segment {
                node: judged.node,
                kept: match judged.judgement {
                    Judgement::Keep(coherence) => Some(coherence),
                    Judgement::Divide => None,
                },
                rule: judged.rule,
            })
            .collect(),
        blocks: blocks.collect(),
        separators: visual.separators.clone(),
    }
}

/// Eq (5) for a block (left, top, width, height) on a page (width, height), all in pixels.
pub fn spatial_importance(block: [f64; 4], page: [f64; 2]) -> f64 {
    let [left, top, width, height] = block;
    importance::spatial(Rect { left, top, width, height }, page[0], page[1])
}

/// Eq (9) for a block with scalars, linked scalars and elements, on a page with scalars and elements.
pub fn semantic_importance(block: [u32; 3], page: [u32; 2]) -> f64 {
    let [chars, linked_chars, tags] = block;
    let page = Amounts { chars: page[0], linked_chars: 0, tags: page[1] };
    importance::semantic(Amounts { chars, linked_chars, tags }, page)
}

#[cfg(test)]
mod tests;
