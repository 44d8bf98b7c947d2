//! Features of the blocks before and after a block.

use super::similar_blocks::SimilarBlocks;
use super::values::{flag, tag_rank};
use crate::blocks::{Segmentation, link_share};
use crate::columns::Columns;

/// Value of a feature if the page has no such neighbour.
const NO_NEIGHBOUR: f32 = -1.0;

/// Adds the features of the neighbours of each block.
pub(super) fn add(blocks: &Segmentation, similar_blocks: &SimilarBlocks, out: &mut Columns) {
    let block = |index: usize| &blocks.blocks[index];
    let container = |index: usize| &blocks.containers[block(index).container as usize];
    let neighbour = |index: usize, offset: isize| {
        index.checked_add_signed(offset).filter(|index| *index < blocks.blocks.len())
    };
    let links = |index: usize, offset| {
        neighbour(index, offset).map_or(NO_NEIGHBOUR, |index| link_share(block(index)))
    };
    let tag = |index: usize, offset| {
        neighbour(index, offset).map_or(NO_NEIGHBOUR, |index| tag_rank(container(index).tag))
    };
    out.add("links_before_3", |index| links(index, -3));
    out.add("links_before_2", |index| links(index, -2));
    out.add("links_before", |index| links(index, -1));
    out.add("links_after", |index| links(index, 1));
    out.add("links_after_2", |index| links(index, 2));
    out.add("tag_before", |index| tag(index, -1));
    out.add("tag_after", |index| tag(index, 1));
    out.add("words_after", |index| {
        neighbour(index, 1).map_or(NO_NEIGHBOUR, |index| block(index).words as f32)
    });
    out.add("same_look_before", |index| {
        flag(
            neighbour(index, -1)
                .is_some_and(|index_before| similar_blocks.are_similar(index_before, index)),
        )
    });
}
