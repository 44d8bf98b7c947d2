//! Features of the blocks before and after a block.

use super::similar_blocks::SimilarBlocks;
use super::values::{flag, tag_rank};
use crate::blocks::{Segmentation, link_share};
use crate::columns::Columns;

/// Value of a feature if the page has no such neighbour.
const NO_NEIGHBOUR: f32 = -1.0;

/// Adds the features of the neighbours of each block.
pub(super) fn add(blocks: &Segmentation, similar_blocks: &SimilarBlocks, out: &mut Columns) {
    let block = |at: usize| &blocks.blocks[at];
    let container = |at: usize| &blocks.containers[block(at).container as usize];
    let other = |at: usize, offset: isize| {
        at.checked_add_signed(offset).filter(|at| *at < blocks.blocks.len())
    };
    let links =
        |at: usize, offset| other(at, offset).map_or(NO_NEIGHBOUR, |at| link_share(block(at)));
    let tag = |at: usize, offset| {
        other(at, offset).map_or(NO_NEIGHBOUR, |at| tag_rank(container(at).tag))
    };
    out.add("links_before_3", |at| links(at, -3));
    out.add("links_before_2", |at| links(at, -2));
    out.add("links_before", |at| links(at, -1));
    out.add("links_after", |at| links(at, 1));
    out.add("links_after_2", |at| links(at, 2));
    out.add("tag_before", |at| tag(at, -1));
    out.add("tag_after", |at| tag(at, 1));
    out.add("words_after", |at| other(at, 1).map_or(NO_NEIGHBOUR, |at| block(at).words as f32));
    out.add("same_look_before", |at| {
        flag(other(at, -1).is_some_and(|before| similar_blocks.are_similar(before, at)))
    });
}
