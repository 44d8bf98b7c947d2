//! Features as columns: one number a block, and all blocks of a feature side by side.
//!
//! Columns hold the features and the blocks that a forest asks about next. A page of a million blocks would need half a gigabyte, so it
//! asks about some after the others.

/// Blocks that are judged together: a chunk of a column.
pub(super) const LANES: usize = 32;

/// Columns of one page, made once and refilled. Those that are not wanted are not there.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// Column after column, each filled up to whole chunks.
    values: Vec<f32>,
    /// Where the column of each feature begins, or would if it were wanted.
    starts: Vec<usize>,
    /// The blocks, by their numbers on the page.
    blocks: Vec<u32>,
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

    /// From the next blocks on only these features are wanted.
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

    /// Begins with some of the page's blocks, by their numbers.
    pub(super) fn begin(&mut self, blocks: impl IntoIterator<Item = u32>) {
        self.values.clear();
        self.values.shrink_to(1 << 20);
        self.starts.clear();
        self.blocks.clear();
        self.blocks.extend(blocks);
        self.stride = self.blocks.len().next_multiple_of(LANES);
    }

    /// Adds the next feature: its value for every block, known by its number on the page.
    #[inline]
    pub(super) fn add(&mut self, name: &str, value: impl FnMut(usize) -> f32) {
        if self.wants_next(name) {
            let end = self.values.len() + self.stride;
            self.values.extend(self.blocks.iter().map(|at| *at as usize).map(value));
            self.values.resize(end, 0.0);
        }
    }

    /// Adds the next feature, found in what is known of each of the blocks, in their order.
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

    #[inline]
    fn wants_next(&mut self, name: &str) -> bool {
        if self.names.is_some() {
            self.note(name);
        }
        let number = self.starts.len();
        self.starts.push(self.values.len());
        self.wants(number)
    }

    #[cold]
    fn note(&mut self, name: &str) {
        self.names.get_or_insert_default().push(name.to_owned());
    }

    fn wants(&self, feature: usize) -> bool {
        self.wanted.is_empty() || self.wanted.get(feature) == Some(&true)
    }

    /// The blocks, by their numbers on the page.
    pub(super) fn blocks(&self) -> &[u32] {
        &self.blocks
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
        &self.values[self.starts[feature]..][..self.blocks.len()]
    }
}
