//! A page as a sequence of blocks: the content between two tags of given elements, start tags and
//! end tags alike.
//!
//! These blocks don't nest: the text before, in and after a `div` makes three blocks. The elements
//! that end a block are called cutting elements. Two neighbours in document order belong to
//! different blocks if a cutting element opens between them. They also do if their innermost
//! cutting elements differ, because then a cutting element was closed between them.
//!
//! Cost: O(nodes + runs).

use crate::removal::Removal;
use huller_page::Page;
use huller_page::TagTable;

/// One piece of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockItem {
    /// An element that begins, by the index of its node.
    Element(u32),
    /// A text run, by its index.
    Run(u32),
}

/// Reusable buffers for walking the blocks of a page.
#[derive(Debug, Default)]
pub(crate) struct BlockWalk {
    /// For each node, its innermost cutting element, possibly the node itself.
    cutting: Vec<u32>,
}

impl BlockWalk {
    /// Calls `visit` with every element and run in document order, and with whether a new block
    /// begins there. Skips the elements that `removal` removes and appends them to `removed`; they
    /// do not end a block.
    pub(crate) fn walk(
        &mut self,
        page: &Page<'_>,
        removal: &Removal,
        cuts: &TagTable,
        removed: &mut Vec<u32>,
        mut visit: impl FnMut(BlockItem, bool),
    ) {
        let (nodes, runs) = (page.nodes(), page.runs());
        self.cutting.clear();
        self.cutting.resize(nodes.len(), 0);
        let mut previous = 0;
        let mut next_run = 0;
        let mut at = 0;
        loop {
            let run_end = nodes.get(at).map_or(runs.len(), |node| node.run_start as usize);
            for (index, run) in runs.iter().enumerate().take(run_end).skip(next_run) {
                let cutting = self.cutting[run.node as usize];
                visit(BlockItem::Run(index as u32), cutting != previous);
                previous = cutting;
            }
            next_run = next_run.max(run_end);
            let Some(node) = nodes.get(at) else { break };
            if removal.removes(node) {
                removed.push(at as u32);
                at = node.end as usize;
                next_run = node.run_end as usize;
                continue;
            }
            let index = at as u32;
            let cutting =
                if cuts.contains(node.tag) { index } else { self.cutting[node.parent as usize] };
            self.cutting[at] = cutting;
            visit(BlockItem::Element(index), cutting != previous);
            previous = cutting;
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests;
