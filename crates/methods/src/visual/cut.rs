//! Cuts a page into groups of blocks, and selects some of the groups.

use super::PageView;
use super::forest::{Forest, Segments};
use super::importance::{self, ImportanceInputs, ImportanceTerm, Weights};
use super::segment::{SegmentRules, Segmenter, VisualBlock};
use super::separators::{self, BlockGroup, SeparatorSettings};
use crate::layout::{Layout, Rect};
use crate::removal::Removal;
use crate::sweep::prefix_sums::{LINKS, PrefixSums};
use crate::terms::terms_by_part;
use huller_page::Page;
use huller_select::{PageArea, RunFigures, Selection, Term};

/// The buffers of all visual extractors. Created once and refilled.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    sums: PrefixSums,
    pub(crate) layout: Layout,
    pub(crate) forest: Forest,
    pub(crate) segmenter: Segmenter,
    /// Weights of the separators between neighbouring blocks.
    pub(crate) separators: Vec<f64>,
    pub(crate) groups: Vec<BlockGroup>,
    /// For each group, the amount of the third term of (9); empty if that term counts tags.
    third: Vec<u32>,
    /// The inputs of the groups' importance; `None` if the page has no groups.
    pub(crate) weighed: Option<ImportanceInputs>,
    roots: Vec<(u32, u32)>,
}

/// The way in which an extractor cuts pages.
pub(crate) struct CutSettings<'a, R> {
    pub(crate) removal: &'a Removal,
    /// The tags that may become blocks.
    pub(crate) segments: &'a Segments,
    pub(crate) rules: &'a R,
    /// Whether an `hr` anywhere within a segment divides it, not only one directly in it.
    pub(crate) inner_rules: bool,
    /// Whether the cells of tables that rule 5 cuts may become blocks too.
    pub(crate) cut_tables: bool,
    pub(crate) separating: SeparatorSettings,
    pub(crate) weights: Weights,
}

/// Recognises the function of a block by its text. `removed` are the removed elements of the page.
pub(crate) trait Functions {
    /// Returns whether a block is removed before others are joined.
    fn is_function_block(&mut self, page: &Page<'_>, removed: &[u32], block: &VisualBlock) -> bool;

    /// Returns the number of phrases of the thesaurus in these blocks.
    fn count_phrases(&mut self, page: &Page<'_>, removed: &[u32], blocks: &[VisualBlock]) -> u32;
}

/// Recognises no function.
pub(crate) struct NoFunctions;

impl Functions for NoFunctions {
    fn is_function_block(&mut self, _: &Page<'_>, _: &[u32], _: &VisualBlock) -> bool {
        false
    }

    fn count_phrases(&mut self, _: &Page<'_>, _: &[u32], _: &[VisualBlock]) -> u32 {
        0
    }
}

impl Scratch {
    /// Cuts a page into blocks, removes the blocks that `functions` names, joins related blocks
    /// into `groups`, and computes the importance of each group.
    pub(crate) fn cut(
        &mut self,
        page: &Page<'_>,
        cutting: &CutSettings<'_, impl SegmentRules>,
        removed: &mut Vec<u32>,
        functions: &mut impl Functions,
    ) {
        let CutSettings { removal, segments, rules, weights, separating, .. } = cutting;
        self.segmenter.clear();
        self.separators.clear();
        self.groups.clear();
        self.third.clear();
        let body = page.body();
        let Scratch { sums, layout, forest, segmenter, separators, groups, third, .. } = self;
        sums.fill(page, removal, &LINKS, removed);
        forest.fill(page, sums, segments, weights.third.counted_tags());
        layout.fill(page, body, removal);
        let layout = layout.boxes();
        if cutting.inner_rules {
            forest.find_rules(page, sums);
        }
        if cutting.cut_tables {
            forest.cut_tables(page, sums, layout);
        }
        let view = PageView { page, body, segments, removal, sums, layout, forest };
        segmenter.run(view, *rules);
        segmenter.take_out(|block| functions.is_function_block(page, removed, block));
        let blocks = &segmenter.blocks;
        separators::join(view, blocks, *separating, separators, groups);
        match weights.third {
            ImportanceTerm::Tags => {}
            ImportanceTerm::TopicTags => third.extend(groups.iter().map(|group| group.topics)),
            ImportanceTerm::FunctionPhrases => third.extend(
                groups
                    .iter()
                    .map(|group| functions.count_phrases(page, removed, &blocks[group.blocks()])),
            ),
            _ => third.extend(groups.iter().map(|group| group.marked)),
        }
        self.weighed = importance::weigh(view, blocks, groups, weights, third);
    }

    /// Returns for each run the terms of the semantic importance of its group; `with` may add
    /// terms.
    pub(crate) fn derive(
        &self,
        page: &Page<'_>,
        runs: &[u32],
        weights: &Weights,
        with: impl Fn(&BlockGroup, &ImportanceInputs, &mut Vec<Term>),
    ) -> Vec<Option<Vec<Term>>> {
        let Scratch { groups, segmenter, third, weighed, .. } = self;
        let Some(weighed) = weighed else { return vec![None; runs.len()] };
        let parts = groups
            .iter()
            .map(|group| segmenter.blocks[group.blocks()].iter().flat_map(VisualBlock::runs));
        terms_by_part(page, runs, parts, |part_index| {
            let group = &groups[part_index];
            let third = third.get(part_index).copied().unwrap_or(group.tags);
            let mut terms = weighed.terms(group, third, weights).to_vec();
            with(group, weighed, &mut terms);
            terms
        })
    }

    /// Selects the groups for which `is_chosen` returns true; it gets the number of each group. If
    /// all their blocks are whole elements, these become the roots; otherwise the selection
    /// consists of runs.
    pub(crate) fn select(
        &mut self,
        page: &Page<'_>,
        is_chosen: impl Fn(usize, &BlockGroup) -> bool,
        out: &mut Selection,
    ) {
        let Scratch { segmenter, groups, roots, .. } = self;
        let chosen = || {
            let groups =
                groups.iter().enumerate().filter(|(number, group)| is_chosen(*number, group));
            groups.flat_map(|(_, group)| &segmenter.blocks[group.blocks()])
        };
        out.is_partial = chosen().any(|block| !block.is_complete);
        roots.clear();
        for block in chosen() {
            roots.push((block.node, page.nodes()[block.node as usize].end));
            if out.is_partial {
                for run in block.runs() {
                    out.push_run(page, run);
                }
            }
        }
        // The element around a chosen stretch may contain other chosen blocks too.
        roots.sort_unstable();
        let mut end = 0;
        for (root, root_end) in roots.drain(..) {
            if root >= end {
                out.roots.push(root);
                end = root_end;
            }
        }
    }

    /// Gives the runs of each group its value and its rectangle.
    pub(crate) fn figures(&self, value: impl Fn(&BlockGroup) -> f64, out: &mut RunFigures) {
        for group in &self.groups {
            let Rect { left, top, width, height } = group.rect;
            let [left, top, width, height] = [left, top, width, height].map(|side| side as f32);
            for run in self.segmenter.blocks[group.blocks()].iter().flat_map(VisualBlock::runs) {
                out.set_score(run..run + 1, value(group));
                out.set_area(run, PageArea { left, top, width, height });
            }
        }
    }
}
