//! What an extractor selects.

use huller_page::{Node, Page, Tag};

/// Nodes that hold the content, less some of their descendants; of what is left all text, or only some stretches of it.
/// Holds places in the page, never text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Selected nodes in document order; none lies in another.
    pub roots: Vec<u32>,
    /// Nodes whose subtrees do not count, in document order; none lies in another. They may stand outside the roots.
    pub removed: Vec<u32>,
    /// If `is_partial`, all the text that counts, in document order; none overlaps another.
    pub stretches: Vec<Stretch>,
    /// Whether only the `stretches` count. Methods that choose among runs, words or lines say so.
    pub is_partial: bool,
    /// Comments of readers, in document order, none of which is in the text. Only methods that tell them apart have any.
    pub comments: Vec<Stretch>,
}

/// A piece of a run, or all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Index of the run.
    pub run: u32,
    /// Offset in bytes in the page's source, within the run.
    pub start: u32,
    /// Offset in bytes after it.
    pub end: u32,
}

impl Stretch {
    /// A whole run.
    pub fn of(page: &Page<'_>, run: u32) -> Stretch {
        let huller_page::Run { byte_start, byte_end, .. } = page.runs()[run as usize];
        Stretch { run, start: byte_start, end: byte_end }
    }
}

impl Selection {
    /// Selects nothing and keeps the memory.
    pub fn clear(&mut self) {
        self.roots.clear();
        self.removed.clear();
        self.stretches.clear();
        self.is_partial = false;
        self.comments.clear();
    }

    /// Selects what another selection does, in memory of its own: two that are swapped reach their largest sizes by and by.
    pub(crate) fn copy_from(&mut self, other: &Selection) {
        self.roots.clone_from(&other.roots);
        self.removed.clone_from(&other.removed);
        self.stretches.clone_from(&other.stretches);
        self.is_partial = other.is_partial;
        self.comments.clone_from(&other.comments);
    }

    /// Adds a whole run to the stretches.
    pub(crate) fn push_run(&mut self, page: &Page<'_>, run: u32) {
        self.stretches.push(Stretch::of(page, run));
    }

    /// Adds the captions of figures that stand between the first and the last stretch; comments stay what they are. A selection
    /// that is not partial has them all. Costs O(nodes within the roots + stretches log stretches).
    pub fn add_captions(&mut self, page: &Page<'_>) {
        let Selection { roots, stretches, comments, .. } = self;
        let (Some(first), Some(last)) = (stretches.first(), stretches.last()) else { return };
        let (between, selected) = (first.run..last.run, stretches.len());
        for root in roots {
            let (mut at, end) = (*root as usize, page.nodes()[*root as usize].end as usize);
            while at < end {
                let node = &page.nodes()[at];
                if node.tag != Tag::FIGCAPTION {
                    at += 1;
                    continue;
                }
                at = node.end as usize;
                for run in (node.run_start..node.run_end).filter(|run| between.contains(run)) {
                    let has = |of: &[Stretch]| of.binary_search_by_key(&run, |of| of.run).is_ok();
                    if !has(&stretches[..selected]) && !has(comments) {
                        stretches.push(Stretch::of(page, run));
                    }
                }
            }
        }
        stretches.sort_unstable_by_key(|stretch| (stretch.run, stretch.start));
    }

    /// The removed nodes from the first that stands at or after `node`.
    pub(crate) fn removed_from(&self, node: u32) -> &[u32] {
        &self.removed[self.removed.partition_point(|removed| *removed < node)..]
    }

    /// The stretches from the first in `run` or behind it; `None` if all text counts.
    pub(crate) fn stretches_from(&self, run: u32) -> Option<&[Stretch]> {
        let first = || self.stretches.partition_point(|stretch| stretch.run < run);
        self.is_partial.then(|| &self.stretches[first()..])
    }

    /// The runs of which anything counts, in document order: those inside roots, outside what is removed and, if the
    /// selection is partial, with at least one stretch. Costs O(runs kept + roots log removed + stretches).
    pub fn kept_runs<'a>(&'a self, page: &Page<'a>) -> impl Iterator<Item = u32> + use<'a> {
        let nodes = page.nodes();
        let inside = self.roots.iter().flat_map(move |root| {
            let Node { end, run_start, run_end, .. } = nodes[*root as usize];
            let removed = self.removed_from(*root).iter().take_while(move |node| **node < end);
            let gaps = removed.map(|node| &nodes[*node as usize]);
            let gaps = gaps.map(|node| (node.run_start, node.run_end));
            let mut from = run_start;
            gaps.chain([(run_end, run_end)]).flat_map(move |(start, end)| {
                let kept = from..start;
                from = end;
                kept
            })
        });
        let mut stretches = self.stretches.as_slice();
        inside.filter(move |run| {
            if !self.is_partial {
                return true;
            }
            let before = stretches.iter().take_while(|stretch| stretch.run < *run).count();
            stretches = &stretches[before..];
            stretches.first().is_some_and(|stretch| stretch.run == *run)
        })
    }

    /// The selected nodes.
    pub fn nodes<'a>(&self, page: &Page<'a>) -> impl Iterator<Item = &'a Node> {
        let nodes = page.nodes();
        self.roots.iter().map(move |root| &nodes[*root as usize])
    }
}

#[cfg(test)]
mod tests;
