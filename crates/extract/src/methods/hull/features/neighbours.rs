//! The blocks before and behind a block.

use super::super::blocks::{Block, Segmentation, link_share};
use super::super::columns::Columns;
use super::{Features, flag, tag_rank};

/// Where there is no neighbour.
const NOBODY: f32 = -1.0;

/// Running means of how much unlinked text blocks hold, from the page's start and from its end.
#[derive(Debug, Default)]
pub(super) struct Means {
    before: Vec<f32>,
    after: Vec<f32>,
}

impl Means {
    pub(super) fn fill(&mut self, Segmentation { blocks, .. }: &Segmentation) {
        self.before.clear();
        run(blocks.iter(), &mut self.before);
        self.after.clear();
        run(blocks.iter().rev(), &mut self.after);
        self.after.reverse();
    }
}

/// Adds, for each block, the mean over those before it, the last counting most.
fn run<'a>(blocks: impl Iterator<Item = &'a Block>, out: &mut Vec<f32>) {
    const LAST: f32 = 0.2;
    /// More words say no more.
    const MANY: u32 = 60;
    let mut mean = 0.0;
    out.extend(blocks.map(|block| {
        let before = mean;
        let unlinked = block.words.min(MANY) as f32 * (1.0 - link_share(block));
        mean += LAST * (unlinked - mean);
        before
    }));
}

impl Features {
    pub(super) fn add_neighbours(&self, out: &mut Columns) {
        let other = |at: usize, offset: isize| {
            at.checked_add_signed(offset).filter(|at| *at < self.blocks.blocks.len())
        };
        let links =
            |at: usize, offset| other(at, offset).map_or(NOBODY, |at| link_share(self.block(at)));
        let tag = |at: usize, offset| {
            other(at, offset).map_or(NOBODY, |at| tag_rank(self.container(at).tag))
        };
        out.add("links_before_3", |at| links(at, -3));
        out.add("links_before_2", |at| links(at, -2));
        out.add("links_before", |at| links(at, -1));
        out.add("links_after", |at| links(at, 1));
        out.add("links_after_2", |at| links(at, 2));
        out.add("tag_before", |at| tag(at, -1));
        out.add("tag_after", |at| tag(at, 1));
        out.add("words_after", |at| other(at, 1).map_or(NOBODY, |at| self.block(at).words as f32));
        out.add("same_look_before", |at| {
            flag(other(at, -1).is_some_and(|before| self.looks.same(before, at)))
        });
        out.add("mean_before", |at| self.means.before[at]);
        out.add("mean_after", |at| self.means.after[at]);
    }
}
