//! Features as columns: one number a block, and all blocks of a feature side by side.

use super::model::LANES;

/// Columns of one page, made once and refilled. Those that are not wanted are not there.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// Column after column, each filled up to whole chunks.
    values: Vec<f32>,
    blocks: usize,
    stride: usize,
    /// Which features are wanted, by their numbers; empty for all.
    wanted: Vec<bool>,
    /// Number of the next feature.
    next: usize,
    /// What the features are called, if someone wants to know.
    names: Option<Vec<String>>,
}

impl Columns {
    /// Columns that take note of the features' names.
    pub(super) fn naming() -> Columns {
        Columns { names: Some(Vec::new()), ..Columns::default() }
    }

    pub(super) fn into_names(self) -> Vec<String> {
        self.names.unwrap_or_default()
    }

    /// From the next page on only these features are wanted.
    pub(super) fn want(&mut self, features: &[u16]) {
        self.wanted.clear();
        let most = features.last().map_or(0, |last| usize::from(*last) + 1);
        self.wanted.resize(most, false);
        for feature in features {
            self.wanted[usize::from(*feature)] = true;
        }
    }

    /// Begins a page of so many blocks.
    pub(super) fn begin(&mut self, blocks: usize) {
        self.values.clear();
        self.values.shrink_to(1 << 20);
        self.blocks = blocks;
        self.stride = blocks.next_multiple_of(LANES);
        self.next = 0;
    }

    /// Adds the next feature: its value for every block.
    #[inline]
    pub(super) fn add(&mut self, name: &str, value: impl FnMut(usize) -> f32) {
        if self.wants_next(name) {
            let end = self.values.len() + self.stride;
            self.values.extend((0..self.blocks).map(value));
            self.values.resize(end, 0.0);
        }
    }

    /// Adds the next feature, which is the same for all blocks and only found out if it is wanted.
    pub(super) fn add_page(&mut self, name: &str, value: &dyn Fn() -> f32) {
        if self.wants_next(name) && self.blocks > 0 {
            self.values.resize(self.values.len() + self.stride, value());
        }
    }

    fn wants_next(&mut self, name: &str) -> bool {
        if let Some(names) = &mut self.names {
            names.push(name.to_owned());
        }
        let number = self.next;
        self.next += 1;
        self.wanted.is_empty() || self.wanted.get(number) == Some(&true)
    }

    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    pub(super) fn chunks(&self) -> usize {
        self.stride / LANES
    }

    /// A chunk of a column, columns counted among those that are there.
    #[inline]
    pub(super) fn lanes(&self, column: usize, chunk: usize) -> &[f32; LANES] {
        let start = column * self.stride + chunk * LANES;
        self.values[start..].first_chunk().expect("columns are whole chunks")
    }

    /// A column, counted among those that are there.
    pub(super) fn column(&self, column: usize) -> &[f32] {
        &self.values[column * self.stride..][..self.blocks]
    }
}
