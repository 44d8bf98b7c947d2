//! Cuts a page into groups of blocks, and selects some of the groups.

use super::View;
use super::forest::{Forest, Segments};
use super::importance;
use super::segment::{Rules, Segmenter, VisualBlock};
use super::separators::{self, Group};
use crate::layout::{Layout, Rect};
use crate::removal::Removal;
use crate::sweep::sums::{LINKS, Sums};
use huller_page::Page;
use huller_select::{Area, RunFigures, Selection};

/// The memory of all visual methods. Made once and refilled.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    sums: Sums,
    pub(crate) layout: Layout,
    pub(crate) forest: Forest,
    pub(crate) segmenter: Segmenter,
    /// Weights of the separators between neighbouring blocks.
    pub(crate) separators: Vec<f64>,
    pub(crate) groups: Vec<Group>,
    roots: Vec<(u32, u32)>,
}

impl Memory {
    /// Cuts a page into blocks, joins blocks that belong together into `groups`, and computes the importance of each group.
    /// `segments` are the tags that may become blocks. Blocks for which `is_functional` returns true are taken out before others
    /// are joined; it also gets the removed elements. Returns lambda, the weight of the spatial importance; `None` if there is
    /// no block.
    pub(crate) fn cut(
        &mut self,
        page: &Page<'_>,
        removal: &Removal,
        segments: &Segments,
        rules: &impl Rules,
        removed: &mut Vec<u32>,
        mut is_functional: impl FnMut(&VisualBlock, &[u32]) -> bool,
    ) -> Option<f64> {
        self.segmenter.clear();
        self.separators.clear();
        self.groups.clear();
        let body = page.body();
        let Memory { sums, layout, forest, segmenter, separators, groups, .. } = self;
        sums.fill(page, removal, &LINKS, removed);
        forest.fill(page, sums, segments);
        layout.fill(page, body, removal);
        let layout = layout.boxes();
        let view = View { page, body, segments, removal, sums, layout, forest };
        segmenter.run(view, rules);
        segmenter.take_out(|block| is_functional(block, removed));
        separators::join(view, &segmenter.blocks, separators, groups);
        importance::weigh(view, &segmenter.blocks, groups)
    }

    /// Selects the groups for which `is_chosen` returns true. If all their blocks are whole elements, these become the roots;
    /// otherwise the selection consists of runs.
    pub(crate) fn select(
        &mut self,
        page: &Page<'_>,
        is_chosen: impl Fn(&Group) -> bool,
        out: &mut Selection,
    ) {
        let Memory { segmenter, groups, roots, .. } = self;
        let chosen = || {
            let groups = groups.iter().filter(|group| is_chosen(group));
            groups.flat_map(|group| &segmenter.blocks[group.blocks()])
        };
        out.is_partial = chosen().any(|block| !block.is_whole);
        roots.clear();
        for block in chosen() {
            roots.push((block.node, page.nodes()[block.node as usize].end));
            if out.is_partial {
                for run in block.runs() {
                    out.push_run(page, run);
                }
            }
        }
        // The element that holds a chosen stretch may hold other chosen blocks too.
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
    pub(crate) fn figures(&self, value: impl Fn(&Group) -> f64, out: &mut RunFigures) {
        for group in &self.groups {
            let Rect { left, top, width, height } = group.rect;
            let [left, top, width, height] = [left, top, width, height].map(|side| side as f32);
            for run in self.segmenter.blocks[group.blocks()].iter().flat_map(VisualBlock::runs) {
                out.set_score(run..run + 1, value(group));
                out.set_area(run, Area { left, top, width, height });
            }
        }
    }
}
