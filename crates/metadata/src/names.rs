//! A short list of authors' names.

/// Up to eight names, in the page's spelling.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Names<'a> {
    names: [&'a str; 8],
    /// Number of names.
    count: usize,
}

impl<'a> Names<'a> {
    /// Adds a name, unless it is blank or the list is full.
    pub(super) fn push(&mut self, name: &'a str) {
        if self.count < self.names.len() && !name.trim().is_empty() {
            self.names[self.count] = name;
            self.count += 1;
        }
    }

    pub(super) fn as_slice(&self) -> &[&'a str] {
        &self.names[..self.count]
    }
}
