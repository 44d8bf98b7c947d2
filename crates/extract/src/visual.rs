//! Visual blocks: what DVPS (paper 002) and VIPS cut a page into without rendering it.
//!
//! * `forest`: the elements that may become blocks, and what stands between them.
//! * `segment`: the top-down cut; a method brings its rules.
//! * `separators`: neighbours that belong together become one block.
//! * `importance`: how much a block weighs by space and by meaning.

pub(crate) mod forest;
pub(crate) mod importance;
pub(crate) mod segment;
pub(crate) mod separators;

use crate::layout::{Layout, Places};
use crate::removal::Removal;
use crate::selection::Selection;
use crate::sums::{LINKS, Sums};
use forest::{Forest, Segments};
use huller_page::{Page, Tag};
use segment::{Rules, Segmenter};
use separators::Group;

/// What all visual methods work on. Made once and refilled.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) layout: Layout,
    pub(crate) forest: Forest,
    pub(crate) segmenter: Segmenter,
    /// Weights of the separators between neighbouring blocks.
    pub(crate) separators: Vec<f64>,
    pub(crate) groups: Vec<Group>,
    roots: Vec<(u32, u32)>,
}

/// A page and all that is known of it before it is cut.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) page: &'a Page<'a>,
    pub(crate) body: u32,
    /// The tags that may become blocks.
    pub(crate) segments: &'a Segments,
    /// The tags that don't count.
    pub(crate) removal: &'a Removal,
    pub(crate) sums: &'a Sums,
    pub(crate) layout: &'a Places,
    pub(crate) forest: &'a Forest,
}

impl Scratch {
    /// Cuts a page into blocks and joins those that belong together; the blocks' importance is in `groups`. `segments` are
    /// the tags that may become blocks. Gives the part that spatial importance has in them, `None` if the page has no
    /// text.
    pub(crate) fn cut(
        &mut self,
        page: &Page<'_>,
        sums: &mut Sums,
        removal: &Removal,
        segments: &Segments,
        rules: &impl Rules,
        removed: &mut Vec<u32>,
    ) -> Option<f64> {
        self.segmenter.clear();
        self.separators.clear();
        self.groups.clear();
        let body = page.nodes().iter().position(|node| node.tag == Tag::BODY)? as u32;
        sums.fill(page, removal, &LINKS, removed);
        self.forest.fill(page, sums, segments);
        self.layout.fill(page, body, removal);
        let Scratch { layout, forest, segmenter, separators, groups, .. } = self;
        let layout = layout.places();
        let view = View { page, body, segments, removal, sums, layout, forest };
        segmenter.run(view, rules);
        separators::join(view, &segmenter.blocks, separators, groups);
        importance::weigh(view, &segmenter.blocks, groups)
    }

    /// Selects the groups that `is_chosen`. Whole elements become roots; where a stretch of text between elements is chosen,
    /// the selection is made of runs.
    pub(crate) fn select(
        &mut self,
        page: &Page<'_>,
        is_chosen: impl Fn(&Group) -> bool,
        out: &mut Selection,
    ) {
        let Scratch { segmenter, groups, roots, .. } = self;
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
        // What holds a stretch may hold other chosen blocks besides.
        roots.sort_unstable();
        let mut end = 0;
        for (root, root_end) in roots.drain(..) {
            if root >= end {
                out.roots.push(root);
                end = root_end;
            }
        }
    }
}
