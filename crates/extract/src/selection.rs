//! What an extractor selects.

use huller_page::{Node, Page};

/// Nodes that hold the content, less some of their descendants. Holds indices, never text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Selected nodes in document order; none lies in another.
    pub roots: Vec<u32>,
    /// Nodes whose subtrees do not count, in document order; none lies in another. They may stand outside the roots.
    pub removed: Vec<u32>,
}

impl Selection {
    /// Selects nothing and keeps the memory.
    pub fn clear(&mut self) {
        self.roots.clear();
        self.removed.clear();
    }

    /// The removed nodes from the first that stands at or after `node`.
    pub(crate) fn removed_from(&self, node: u32) -> &[u32] {
        &self.removed[self.removed.partition_point(|removed| *removed < node)..]
    }

    /// The selected nodes.
    pub fn nodes<'a>(&self, page: &Page<'a>) -> impl Iterator<Item = &'a Node> {
        let nodes = page.nodes();
        self.roots.iter().map(move |root| &nodes[*root as usize])
    }
}
