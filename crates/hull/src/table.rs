//! Features as a table, for training.

use crate::columns::Columns;
use crate::features::Features;
use huller_page::Page;

/// The features of a page's blocks, for training: one row for each block, one column for each
/// feature. Created once and refilled.
#[derive(Debug, Default)]
pub struct Table {
    features: Features,
    columns: Columns,
}

impl Table {
    /// Returns the names of all features; the index of a name is the number of its column.
    pub fn names() -> Vec<String> {
        Features::names()
    }

    /// Reads a page and computes all features of all its blocks.
    pub fn fill(&mut self, page: &Page<'_>) {
        self.features.fill(page);
        let block_indices = 0..self.features.blocks().blocks.len() as u32;
        self.features.fill_columns(block_indices, &mut self.columns);
    }

    /// Returns for each block the index of its first run and the index after its last run.
    pub fn blocks(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let blocks = self.features.blocks();
        blocks.blocks.iter().map(|block| (block.first_run, block.end_run))
    }

    /// Returns the values of one feature, one for each block.
    ///
    /// # Panics
    ///
    /// There is no feature of this number, or no page was read yet.
    pub fn column(&self, feature: usize) -> &[f32] {
        self.columns.column(feature)
    }
}
