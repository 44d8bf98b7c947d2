//! The blocks before and behind a block.

use super::super::blocks::link_share;
use super::super::columns::Columns;
use super::{Features, flag, tag_rank};

/// Where there is no neighbour.
const NOBODY: f32 = -1.0;

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
    }
}
