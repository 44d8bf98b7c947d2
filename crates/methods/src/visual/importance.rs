//! The importance of a block (specification 3.5, equations (5) and (9) of paper 002).
//!
//! ```text
//! Imp_s = w1 (1 - distance / (sqrt 2 / 2)) + w2 (1 - min(BW, BH) / max(BW, BH)) + w3 (BW / PW + BH / PH)         (5)
//! Imp_y = w4 U / U_page + w5 (1 - L / U) + w6 (1 - tags / tags_page)                                             (9)
//! Imp   = (1 - lambda) Imp_y + lambda Imp_s
//! ```
//!
//! The distance is that between the centres of the block and of the page, as fractions of the
//! page's width and height. BW x BH is the size of the block, PW x PH that of the page. U is the
//! number of all scalars, L that of scalars in links. The weights are .5, .2, .3 and .7, .2, .1,
//! unless an extractor sets others.
//!
//! The second term of (5) rewards narrow blocks, although the paper's text calls them
//! advertisements; it is taken as printed [C-7]. The bracket of the third term can reach 2, so (5)
//! may exceed 1 [C-8]. The paper does not say how the two are combined. It judges a page with a
//! single theme by (9), so lambda is 0. A setting makes lambda a part, such as half, of the share
//! of text in blocks with a declared width [C-10].
//!
//! Equation (8) divides the `FunctionalTags` of a block by those of the page. That may mean phrases
//! of the thesaurus or elements such as form controls; the notes of the paper use neither in a
//! choice. Either can take the place of the tags in the third term of (9), which is how both were
//! measured; so can links and images [C-14]. So can `RTopicTag` (7), the topic tags of a block as a
//! share of those of the page; since they speak for a block, the term is then w6 `RTopicTag`.

use super::PageView;
use super::segment::VisualBlock;
use super::separators::BlockGroup;
use crate::layout::{PAGE_WIDTH, Rect};
use huller_page::{Tag, TagTable};
use huller_select::Term;
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_1_SQRT_2;

/// The weights within (5) and (9), and the weight lambda between the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weights {
    /// Weights w1 to w3 of equation (5), in this order. They sum to 1.
    pub(crate) spatial: [f64; 3],
    /// Weights w4 to w6 of equation (9), in this order. They sum to 1.
    pub(crate) semantic: [f64; 3],
    /// Elements that the third term of equation (9) counts.
    pub(crate) third: ImportanceTerm,
    /// Lambda of a page whose text is in blocks with declared widths.
    pub(crate) spatial_part: f64,
    /// Lambda of every page, instead.
    pub(crate) lambda: Option<f64>,
}

/// Elements that the third term of equation (9) counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ImportanceTerm {
    /// Elements, as printed.
    Tags,
    /// Phrases of the thesaurus: one sense of (8).
    FunctionPhrases,
    /// Elements that a reader can operate: the other sense of (8).
    FunctionTags,
    /// Links.
    Links,
    /// Images.
    Images,
    /// Elements with a topic tag, equation (7). More of them are better.
    TopicTags,
}

impl ImportanceTerm {
    /// Names the counted things for readers.
    fn counted_things(self) -> &'static str {
        match self {
            ImportanceTerm::Tags => "elements",
            ImportanceTerm::FunctionPhrases => "phrases of the thesaurus",
            ImportanceTerm::FunctionTags => "elements to do something with",
            ImportanceTerm::Links => "links",
            ImportanceTerm::Images => "images",
            ImportanceTerm::TopicTags => "topic tags",
        }
    }
}

/// The elements that a reader can operate.
static FUNCTIONS: TagTable = TagTable::NONE.with(&[
    Tag::BUTTON,
    Tag::FIELDSET,
    Tag::FORM,
    Tag::INPUT,
    Tag::LABEL,
    Tag::OPTION,
    Tag::SELECT,
    Tag::TEXTAREA,
]);
static LINKS: TagTable = TagTable::NONE.with(&[Tag::A]);
static IMAGES: TagTable = TagTable::NONE.with(&[Tag::IMG]);

impl ImportanceTerm {
    /// Returns the tags to count; `None` for all elements and for phrases.
    pub(crate) fn counted_tags(self) -> Option<&'static TagTable> {
        match self {
            ImportanceTerm::Tags | ImportanceTerm::FunctionPhrases | ImportanceTerm::TopicTags => {
                None
            }
            ImportanceTerm::FunctionTags => Some(&FUNCTIONS),
            ImportanceTerm::Links => Some(&LINKS),
            ImportanceTerm::Images => Some(&IMAGES),
        }
    }
}

impl Weights {
    /// The weights of the specification.
    pub(crate) const SPECIFIED: Weights = Weights {
        spatial: [0.5, 0.2, 0.3],
        semantic: [0.7, 0.2, 0.1],
        third: ImportanceTerm::Tags,
        spatial_part: 0.5,
        lambda: None,
    };
}

/// Smallest height of a block in pixels, so that the ratio of its sides is finite.
const MIN_HEIGHT_PX: f64 = 1e-9;

/// Computes eq (5) for a block on a page of the given width and height in pixels. A height of 0
/// means unknown.
pub(crate) fn spatial(block: Rect, page_width: f64, page_height: f64, weights: &Weights) -> f64 {
    let (width, height) = (block.width, block.height);
    let x = (block.left + width / 2.0) / page_width;
    let (y, tall) = if page_height > 0.0 {
        ((block.top + height / 2.0) / page_height, height / page_height)
    } else {
        (0.5, 0.0)
    };
    let distance = (x - 0.5).hypot(y - 0.5) / FRAC_1_SQRT_2;
    let [near, narrow, large] = weights.spatial;
    near * (1.0 - distance)
        + narrow * (1.0 - width.min(height) / width.max(height))
        + large * (width / page_width + tall)
}

/// The quantities in eq (9), for a block or for the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImportanceCounts {
    /// Number of visible scalars.
    pub(crate) chars: u32,
    /// Number of visible scalars in links.
    pub(crate) linked_chars: u32,
    /// The amount that the third term counts.
    pub(crate) third: u32,
}

/// The inputs of the groups' importance besides the groups themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImportanceInputs {
    page: ImportanceCounts,
    /// Number of elements with a topic tag.
    pub(crate) topics: u32,
    pub(crate) lambda: f64,
}

impl ImportanceInputs {
    /// Returns the terms of eq (9) for a group; `third` is its amount of the third term.
    pub(crate) fn terms(&self, group: &BlockGroup, third: u32, weights: &Weights) -> [Term; 3] {
        let ImportanceInputs { page, .. } = *self;
        let BlockGroup { chars, linked_chars, .. } = *group;
        let [much, unlinked, few] =
            semantic_terms(ImportanceCounts { chars, linked_chars, third }, page, weights);
        // As a user writes them: a share of a sum may have a rounding error in its last digit.
        let [w4, w5, w6] = weights.semantic.map(|weight| (weight * 1e9).round() / 1e9);
        [
            Term::new("w4 U / U_page", much, format!("{w4} * {chars} / {} characters", page.chars)),
            Term::new("w5 (1 - L / U)", unlinked, format!("{w5} * (1 - {linked_chars} / {chars})")),
            match (weights.third, page.third, weights.third.counted_things()) {
                (ImportanceTerm::TopicTags, of_page, things) => Term::new(
                    "w6 RTopicTag (7)",
                    few,
                    format!("{w6} * {third} / {of_page} {things}"),
                ),
                (_, of_page, things) => Term::new(
                    "w6 (1 - tags / tags_page)",
                    few,
                    format!("{w6} * (1 - {third} / {of_page} {things})"),
                ),
            },
        ]
    }
}

/// Computes eq (9) for a block that has text.
pub(crate) fn semantic(block: ImportanceCounts, page: ImportanceCounts, weights: &Weights) -> f64 {
    let [much, unlinked, few] = semantic_terms(block, page, weights);
    much + unlinked + few
}

fn semantic_terms(block: ImportanceCounts, page: ImportanceCounts, weights: &Weights) -> [f64; 3] {
    let ratio = |part: u32, whole: u32| {
        if whole == 0 { 0.0 } else { f64::from(part) / f64::from(whole) }
    };
    let [much, unlinked, few] = weights.semantic;
    let third = ratio(block.third, page.third);
    [
        much * ratio(block.chars, page.chars),
        unlinked * (1.0 - ratio(block.linked_chars, block.chars)),
        few * if weights.third == ImportanceTerm::TopicTags { third } else { 1.0 - third },
    ]
}

/// Computes the importance of all groups. `third` has the amount of the third term of (9) for each
/// group, unless that term counts tags. Returns the inputs; `None` if there are no groups.
pub(crate) fn weigh(
    view: PageView<'_>,
    blocks: &[VisualBlock],
    groups: &mut [BlockGroup],
    weights: &Weights,
    third: &[u32],
) -> Option<ImportanceInputs> {
    if groups.is_empty() {
        return None;
    }
    let node = &view.page.nodes()[view.body as usize];
    let (body, topics) = (view.sums.subtree(view.body, node), view.forest.topics(view.body, node));
    let third_of_page = match weights.third {
        ImportanceTerm::Tags => body.tags - 1,
        ImportanceTerm::TopicTags => topics,
        _ => third.iter().sum(),
    };
    let page = ImportanceCounts {
        chars: body.chars,
        linked_chars: body.linked_chars,
        third: third_of_page,
    };
    let page_height = view.layout.page_height();
    let mut declared = 0;
    for (index, group) in groups.iter_mut().enumerate() {
        let of_group = &blocks[group.blocks()];
        let rects = of_group.iter().map(|block| view.layout.rect(block.node));
        group.rect = enclosing_rect(rects);
        if view.layout.is_declared(of_group[0].node) {
            declared += group.chars;
        }
        let BlockGroup { chars, linked_chars, tags, .. } = *group;
        group.spatial = spatial(group.rect, PAGE_WIDTH, page_height, weights);
        let third = third.get(index).copied().unwrap_or(tags);
        group.semantic = semantic(ImportanceCounts { chars, linked_chars, third }, page, weights);
    }
    let of_declared = weights.spatial_part * f64::from(declared) / f64::from(page.chars);
    let lambda = weights.lambda.unwrap_or(of_declared);
    for group in groups {
        group.importance = (1.0 - lambda) * group.semantic + lambda * group.spatial;
        debug_assert!(group.importance.is_finite());
    }
    Some(ImportanceInputs { page, topics, lambda })
}

/// Returns the smallest rectangle around the given ones.
fn enclosing_rect(rects: impl Iterator<Item = Rect>) -> Rect {
    let (mut left, mut top) = (f64::INFINITY, f64::INFINITY);
    let (mut right, mut bottom) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for rect in rects {
        left = left.min(rect.left);
        top = top.min(rect.top);
        right = right.max(rect.left + rect.width);
        bottom = bottom.max(rect.top + rect.height);
    }
    Rect { left, top, width: right - left, height: (bottom - top).max(MIN_HEIGHT_PX) }
}
