//! Intermediate results of DVPS, for the worked examples.

use super::*;
use crate::layout::Rect;
use crate::visual::Functions;
use crate::visual::importance::{self, ImportanceCounts, Weights};
use crate::visual::recorder::Recorder;
use crate::visual::segment::{SegmentDecision, VisualBlock};
use huller_select::Profile;

/// All intermediate results for a page.
#[derive(Clone, Debug)]
pub(crate) struct Analysis {
    /// Height of the page in pixels; 0 if unknown.
    pub(crate) page_height: f64,
    /// Weight of the spatial importance in the importance, 0 to 0.5.
    pub(crate) lambda: f64,
    /// The decision on each segment, in document order.
    pub(crate) segments: Vec<Segment>,
    /// Weights of the separators between neighbouring blocks before they were joined.
    pub(crate) separators: Vec<f64>,
    /// The blocks, in document order, without function blocks.
    pub(crate) blocks: Vec<BlockValues>,
    /// The elements of the function blocks.
    pub(crate) function_blocks: Vec<u32>,
}

/// A segment and the decision on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Index of the node.
    pub(crate) node: u32,
    /// Degree of coherence if it was kept; `None` if it was divided.
    pub(crate) kept: Option<u8>,
    /// The rule that decided.
    pub(crate) rule: &'static str,
}

/// A block of a page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BlockValues {
    /// Its elements, or for stretches of text the elements that hold them.
    pub(crate) nodes: Vec<u32>,
    /// Degree of coherence of each.
    pub(crate) coherence: Vec<u8>,
    /// Degree of coherence of the joined block.
    pub(crate) joined_coherence: f64,
    /// Scalars (U).
    pub(crate) chars: u32,
    /// Scalars in links (L).
    pub(crate) linked_chars: u32,
    /// Elements.
    pub(crate) tags: u32,
    /// Left, top, width and height in pixels.
    pub(crate) rect: [f64; 4],
    /// Eq (5).
    pub(crate) spatial: f64,
    /// Eq (9).
    pub(crate) semantic: f64,
    /// The combined importance.
    pub(crate) importance: f64,
    /// Share of the page's text, eq (6).
    pub(crate) text_share: f64,
    /// Share of the page's topic tags, eq (7).
    pub(crate) topic_share: f64,
    /// Share of the page's phrases of the thesaurus, eq (8).
    pub(crate) function_share: f64,
    /// Whether it is selected.
    pub(crate) is_selected: bool,
}

/// Phrases, and the elements of the removed function blocks.
struct PageNotes {
    phrases: FunctionBlockScratch,
    function_blocks: Vec<u32>,
}

impl Functions for PageNotes {
    fn is_function_block(&mut self, page: &Page<'_>, removed: &[u32], block: &VisualBlock) -> bool {
        let is_functional = self.phrases.is_function_block(page, removed, block);
        self.function_blocks.extend(is_functional.then_some(block.node));
        is_functional
    }

    fn count_phrases(&mut self, page: &Page<'_>, removed: &[u32], blocks: &[VisualBlock]) -> u32 {
        self.phrases.count_phrases(page, removed, blocks)
    }
}

/// Returns DVPS with the settings of the specification's reference program.
pub(crate) fn reference() -> Dvps {
    Dvps { options: Options::reference_settings(), ..PAPER }
}

/// Runs DVPS in a profile on a page and keeps all intermediate results.
pub(crate) fn analyse(page: &Page<'_>, profile: Profile) -> Analysis {
    let Profiles { paper, tuned, .. } = &ADJUSTABLE.0;
    analyse_by(page, if profile == Profile::Paper { paper } else { tuned })
}

/// Runs DVPS on a page and keeps all intermediate results.
pub(crate) fn analyse_by(page: &Page<'_>, extractor: &Dvps) -> Analysis {
    let mut scratch = Scratch::default();
    let mut removed = Vec::new();
    let rules = Recorder::new(rules::DvpsRules);
    let mut noted =
        PageNotes { phrases: FunctionBlockScratch::default(), function_blocks: Vec::new() };
    scratch.visual.cut(page, &extractor.cutting(&rules), &mut removed, &mut noted);
    extractor.choose_groups(page, &mut scratch, &removed);
    let PageNotes { mut phrases, function_blocks } = noted;
    let Scratch { visual, is_chosen, .. } = &scratch;
    let share = |part: u32, whole: u32| f64::from(part) / f64::from(whole.max(1));
    let sum = |of: fn(&BlockGroup) -> u32| visual.groups.iter().map(of).sum::<u32>();
    let (chars, topics) =
        (sum(|group| group.chars), visual.weighed.map_or(0, |weighed| weighed.topics));
    let hits: Vec<u32> = visual
        .groups
        .iter()
        .map(|group| {
            phrases.count_phrases(page, &removed, &visual.segmenter.blocks[group.blocks()])
        })
        .collect();
    let blocks =
        visual.groups.iter().zip(&hits).zip(is_chosen).map(|((group, hits_here), is_selected)| {
            let blocks = &visual.segmenter.blocks[group.blocks()];
            let Rect { left, top, width, height } = group.rect;
            BlockValues {
                nodes: blocks.iter().map(|block| block.node).collect(),
                coherence: blocks.iter().map(|block| block.coherence).collect(),
                joined_coherence: group.coherence,
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
                is_selected: *is_selected,
            }
        });
    Analysis {
        page_height: visual.layout.boxes().page_height(),
        lambda: scratch.visual.weighed.map_or(0.0, |weighed| weighed.lambda),
        segments: rules
            .into_judged()
            .iter()
            .map(|judged| Segment {
                node: judged.node,
                kept: match judged.judgement {
                    SegmentDecision::Keep(coherence) => Some(coherence),
                    SegmentDecision::Divide => None,
                },
                rule: judged.rule,
            })
            .collect(),
        blocks: blocks.collect(),
        function_blocks,
        separators: visual.separators.clone(),
    }
}

/// Computes eq (5) for a block (left, top, width, height) on a page (width, height), all in pixels.
pub(crate) fn spatial_importance(block: [f64; 4], page: [f64; 2]) -> f64 {
    let [left, top, width, height] = block;
    importance::spatial(Rect { left, top, width, height }, page[0], page[1], &Weights::SPECIFIED)
}

/// Computes eq (9) for a block (scalars, linked scalars, elements) on a page (scalars, elements).
pub(crate) fn semantic_importance(block: [u32; 3], page: [u32; 2]) -> f64 {
    let [chars, linked_chars, tags] = block;
    let page = ImportanceCounts { chars: page[0], linked_chars: 0, third: page[1] };
    importance::semantic(
        ImportanceCounts { chars, linked_chars, third: tags },
        page,
        &Weights::SPECIFIED,
    )
}
