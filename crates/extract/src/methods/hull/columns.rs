//! Features as columns: one number a block, and all blocks of a feature side by side.
//!
//! A page of a million blocks would need half a gigabyte, so columns hold a window of its blocks. What is the same for all blocks is
//! found out for the first window of a page and remembered.

use super::model::LANES;
use std::ops::Range;

/// Columns of one page, made once and refilled. Those that are not wanted are not there.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// Column after column, each filled up to whole chunks.
    values: Vec<f32>,
    window: Range<usize>,
    stride: usize,
    /// Which features are wanted, by their numbers; empty for all.
    wanted: Vec<bool>,
    /// Number of the next feature.
    next: usize,
    /// Values that are the same for the whole page, in the order they are asked for.
    of_page: Vec<f32>,
    next_of_page: usize,
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

    /// Begins a window of the blocks; the first of a page begins with 0.
    pub(super) fn begin(&mut self, window: Range<usize>) {
        self.values.clear();
        self.values.shrink_to(1 << 20);
        if window.start == 0 {
            self.of_page.clear();
        }
        self.stride = window.len().next_multiple_of(LANES);
        self.window = window;
        self.next = 0;
        self.next_of_page = 0;
    }

    /// Adds the next feature: its value for every block, known by its number on the page.
    #[inline]
    pub(super) fn add(&mut self, name: &str, value: impl FnMut(usize) -> f32) {
        if self.wants_next(name) {
            let end = self.values.len() + self.stride;
            self.values.extend(self.window.clone().map(value));
            self.values.resize(end, 0.0);
        }
    }

    /// Adds the next feature, found in what is known of the window's blocks, one after another.
    #[inline]
    pub(super) fn add_of<T>(
        &mut self,
        name: &str,
        blocks: impl IntoIterator<Item = T>,
        value: impl FnMut(T) -> f32,
    ) {
        if self.wants_next(name) {
            let end = self.values.len() + self.stride;
            self.values.extend(blocks.into_iter().map(value));
            self.values.resize(end, 0.0);
        }
    }

    /// Adds the next feature, which is the same for all blocks and only found out if it is wanted.
    pub(super) fn add_page(&mut self, name: &str, value: &dyn Fn() -> f32) {
        if self.wants_next(name) && !self.window.is_empty() {
            if self.next_of_page == self.of_page.len() {
                self.of_page.push(value());
            }
            let value = self.of_page[self.next_of_page];
            self.next_of_page += 1;
            self.values.resize(self.values.len() + self.stride, value);
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

    /// How many blocks there are in the window.
    pub(super) fn blocks(&self) -> usize {
        self.window.len()
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
        &self.values[column * self.stride..][..self.window.len()]
    }
}
