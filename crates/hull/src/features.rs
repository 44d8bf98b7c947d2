//! The features of every block: the numbers that the model judges by.
//!
//! The name and the definition of a feature are in one place, a call of [`Columns::add`]. The calls
//! come in the same order for every page, so a number identifies a feature. Features that no forest
//! asks for are not computed. Only three parts compare words, most of them English: the class words
//! (`own`) and, for the type of the page, the URL (`address`) and the `vocabulary`. All features
//! depend on the page alone.

mod address;
mod element_levels;
mod neighbours;
mod own;
mod page;
mod position;
mod shape;
mod similar_blocks;
mod stated_type;
mod title;
mod values;
mod vocabulary;

use super::blocks::Segmentation;
use super::columns::Columns;
use super::scores::Scores;
use address::Address;
use element_levels::ElementLevels;
use huller_page::{Attributes, Page, PageBuf};
use page::PageTotals;
use position::Positions;
use shape::Shape;
use similar_blocks::SimilarBlocks;
use stated_type::Stated;
use vocabulary::Vocabulary;

/// The inputs of the features, for one page. Created once and refilled.
#[derive(Debug, Default)]
pub(super) struct Features {
    blocks: Segmentation,
    scores: Scores,
    similar_blocks: SimilarBlocks,
    positions: Positions,
    levels: ElementLevels,
    totals: PageTotals,
    address: Address,
    shape: Shape,
    stated: Stated,
    vocabulary: Vocabulary,
    attributes: Attributes,
}

impl Features {
    /// Returns the names of all features, in the order of their numbers.
    pub(super) fn names() -> Vec<String> {
        let mut columns = Columns::naming();
        let mut features = Features::default();
        features.fill(&PageBuf::new().fill(""));
        features.fill_columns([], &mut columns);
        columns.into_names()
    }

    /// Reads a page.
    pub(super) fn fill(&mut self, page: &Page<'_>) {
        self.blocks.fill(page);
        self.scores.fill(page, &self.blocks);
        self.similar_blocks.fill(&self.blocks);
        self.positions.fill(page, &self.blocks);
        self.totals.fill(page, &self.blocks, &self.scores, &self.similar_blocks);
        self.address = Address::from_page(page, &mut self.attributes);
        self.shape = Shape::from_blocks(&self.blocks, &self.similar_blocks);
        self.stated = Stated::from_page(page, &mut self.attributes);
        self.vocabulary.fill(page);
    }

    /// Fills the wanted columns for some of the page's blocks, given by their indices.
    pub(super) fn fill_columns(
        &mut self,
        blocks: impl IntoIterator<Item = u32>,
        columns: &mut Columns,
    ) {
        columns.begin(blocks);
        let Features { blocks, scores, similar_blocks, positions, levels, totals, .. } = self;
        element_levels::fill(levels, blocks, columns.blocks());
        own::add(blocks, positions, levels, columns);
        positions.add(blocks, scores, columns);
        similar_blocks.add(blocks, scores, levels, columns);
        element_levels::add(blocks, scores, levels, columns);
        neighbours::add(blocks, similar_blocks, columns);
        totals.add(blocks, columns);
        self.address.add(columns);
        self.shape.add(blocks, columns);
        self.stated.add(columns);
        self.vocabulary.add(columns);
    }

    /// Returns whether the last page that was read states its URL.
    pub(super) fn states_address(&self) -> bool {
        self.address.has_stated_url()
    }

    /// Returns the blocks of the last page that may be its headline, the likelier one first.
    pub(super) fn headlines(&self) -> [Option<usize>; 2] {
        self.positions.headlines(&self.blocks)
    }

    /// Returns the blocks of the last page that was read.
    pub(super) fn blocks(&self) -> &Segmentation {
        &self.blocks
    }
}
