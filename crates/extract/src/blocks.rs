//! A page as a row of blocks: what stands between two tags of certain elements, start tags and end tags alike.
//!
//! Blocks in this sense don't nest: text before, in and behind a `div` is three blocks. Two neighbours in document order
//! belong to different blocks if one of the cutting elements opened between them, or if they don't have the same innermost
//! cutting element, since then one was closed.
//!
//! Cost: O(nodes + runs).

use crate::removal::Removal;
use crate::tags::Tags;
use huller_page::Page;

/// What blocks are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// An element opens, by the index of its node.
    Element(u32),
    /// A run of text, by its index.
    Run(u32),
}

/// Memory for the walk.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// Of each node the innermost cutting element, itself included.
    cutting: Vec<u32>,
}

impl Blocks {
    /// Shows `visit` all elements and runs in document order, each with whether a block begins with it. The elements of
    /// `removal` are passed over and appended to `removed`; they cut nothing.
    pub(crate) fn walk(
        &mut self,
        page: &Page<'_>,
        removal: &Removal,
        cuts: &Tags,
        removed: &mut Vec<u32>,
        mut visit: impl FnMut(Item, bool),
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
                visit(Item::Run(index as u32), cutting != previous);
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
            visit(Item::Element(index), cutting != previous);
            previous = cutting;
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests;
