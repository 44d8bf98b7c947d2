//! Features as columns: one number a block, and all blocks of a feature side by side.
//!
//! A page of a million blocks would need half a gigabyte, so columns hold a window of its blocks. No forest asks for all features, so
//! they hold those that are wanted next.

use std::ops::Range;

/// Blocks that are judged together: a chunk of a column.
pub(super) const LANES: usize = 32;

/// Columns of one page, made once and refilled. Those that are not wanted are not there.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// Column after column, each filled up to whole chunks.
    values: Vec<f32>,
    /// Where the column of each feature begins, or would if it were wanted.
    starts: Vec<usize>,
    window: Range<usize>,
    stride: usize,
    /// Which features are wanted, by their numbers; empty for all.
    wanted: Vec<bool>,
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

    /// From the next window on only these features are wanted.
    pub(super) fn want(&mut self, features: impl IntoIterator<Item = u16>) {
        self.wanted.clear();
        self.starts.clear();
        for feature in features {
            let feature = usize::from(feature);
            if feature >= self.wanted.len() {
                self.wanted.resize(feature + 1, false);
            }
            self.wanted[feature] = true;
        }
    }

    /// Whether what is wanted has been filled in for this window.
    pub(super) fn hold(&self, window: &Range<usize>) -> bool {
        !self.starts.is_empty() && self.window == *window
    }

    /// Begins a window of the blocks.
    pub(super) fn begin(&mut self, window: Range<usize>) {
        self.values.clear();
        self.values.shrink_to(1 << 20);
        self.starts.clear();
        self.stride = window.len().next_multiple_of(LANES);
        self.window = window;
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

    /// Adds the next feature, which is the same for all blocks.
    pub(super) fn add_page(&mut self, name: &str, value: f32) {
        if self.wants_next(name) {
            self.values.resize(self.values.len() + self.stride, value);
        }
    }

    fn wants_next(&mut self, name: &str) -> bool {
        if let Some(names) = &mut self.names {
            names.push(name.to_owned());
        }
        let number = self.starts.len();
        self.starts.push(self.values.len());
        self.wants(number)
    }

    fn wants(&self, feature: usize) -> bool {
        self.wanted.is_empty() || self.wanted.get(feature) == Some(&true)
    }

    /// How many blocks there are in the window.
    pub(super) fn blocks(&self) -> usize {
        self.window.len()
    }

    pub(super) fn chunks(&self) -> usize {
        self.stride / LANES
    }

    /// A chunk of the column of a feature that is wanted.
    #[inline]
    pub(super) fn lanes(&self, feature: usize, chunk: usize) -> &[f32; LANES] {
        debug_assert!(self.wants(feature), "feature {feature} is not there");
        let start = self.starts[feature] + chunk * LANES;
        self.values[start..].first_chunk().expect("columns are whole chunks")
    }

    /// The column of a feature that is wanted.
    pub(super) fn column(&self, feature: usize) -> &[f32] {
        debug_assert!(self.wants(feature), "feature {feature} is not there");
        &self.values[self.starts[feature]..][..self.window.len()]
    }
}
