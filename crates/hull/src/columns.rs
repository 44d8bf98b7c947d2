//! Features as columns: a column holds one feature, with one number for each block.
//!
//! The columns hold only the features and the blocks that the next forest asks about. A page of a
//! million blocks would need half a gigabyte, so `judge` fills the columns for a part of the blocks
//! at a time.

/// Number of blocks that are judged together: the length of a chunk of a column.
pub(super) const LANES: usize = 32;

/// Columns of one page. Created once and refilled. Stores only columns that a forest asks for.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// One column after another, each padded with zeros to whole chunks.
    values: Vec<f32>,
    /// For each feature, the start of its column in `values`. An unwanted feature has the start of
    /// the next column.
    starts: Vec<usize>,
    /// Indices of the blocks on the page.
    blocks: Vec<u32>,
    /// Length of a column in `values`.
    stride: usize,
    /// For each feature, whether it is wanted; empty if all are.
    wanted: Vec<bool>,
    /// The names of the features, if they are recorded.
    names: Option<Vec<String>>,
}

impl Columns {
    /// Returns columns that record the names of the features.
    pub(super) fn naming() -> Columns {
        Columns { names: Some(Vec::new()), ..Columns::default() }
    }

    pub(super) fn into_names(self) -> Vec<String> {
        self.names.unwrap_or_default()
    }

    /// Restricts the columns to these features, from the next [`Columns::begin`] on.
    pub(super) fn want(&mut self, features: impl IntoIterator<Item = u16>) {
        self.wanted.clear();
        for feature in features {
            let feature = usize::from(feature);
            if feature >= self.wanted.len() {
                self.wanted.resize(feature + 1, false);
            }
            self.wanted[feature] = true;
        }
    }

    /// Empties the columns and prepares them for some of the page's blocks, given by their indices.
    pub(super) fn begin(&mut self, blocks: impl IntoIterator<Item = u32>) {
        self.values.clear();
        self.values.shrink_to(1 << 20);
        self.starts.clear();
        self.blocks.clear();
        self.blocks.extend(blocks);
        self.stride = self.blocks.len().next_multiple_of(LANES);
    }

    /// Adds the next feature. `value` gets the index of a block on the page.
    #[inline]
    pub(super) fn add(&mut self, name: &str, value: impl FnMut(usize) -> f32) {
        if self.wants_next(name) {
            let end = self.values.len() + self.stride;
            self.values.extend(self.blocks.iter().map(|at| *at as usize).map(value));
            self.values.resize(end, 0.0);
        }
    }

    /// Adds the next feature. `value` gets one item of `blocks` for each block, in order.
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

    /// Adds the next feature, with the same value for all blocks.
    pub(super) fn add_page(&mut self, name: &str, value: f32) {
        if self.wants_next(name) {
            self.values.resize(self.values.len() + self.stride, value);
        }
    }

    #[inline]
    fn wants_next(&mut self, name: &str) -> bool {
        if self.names.is_some() {
            self.note_column(name);
        }
        let number = self.starts.len();
        self.starts.push(self.values.len());
        self.wants(number)
    }

    #[cold]
    fn note_column(&mut self, name: &str) {
        self.names.get_or_insert_default().push(name.to_owned());
    }

    fn wants(&self, feature: usize) -> bool {
        self.wanted.is_empty() || self.wanted.get(feature) == Some(&true)
    }

    /// Returns the indices of the blocks on the page.
    pub(super) fn blocks(&self) -> &[u32] {
        &self.blocks
    }

    /// Returns one chunk of a feature's column. The feature must be wanted.
    #[inline]
    pub(super) fn lanes(&self, feature: usize, chunk: usize) -> &[f32; LANES] {
        debug_assert!(self.wants(feature), "feature {feature} is not there");
        let start = self.starts[feature] + chunk * LANES;
        self.values[start..].first_chunk().expect("columns are whole chunks")
    }

    /// Returns the column of a feature, which must be wanted.
    pub(super) fn column(&self, feature: usize) -> &[f32] {
        debug_assert!(self.wants(feature), "feature {feature} is not there");
        &self.values[self.starts[feature]..][..self.blocks.len()]
    }
}
