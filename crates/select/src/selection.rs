//! The result of an extractor: a selection of a page.

use huller_page::{Node, Page, Tag};

/// The nodes that hold the content, without some of their descendants. All their other text counts,
/// or only some ranges of it. A selection holds indices and byte offsets into the page, and no
/// text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Indices of the selected nodes, in document order. Nodes in the list do not lie inside one
    /// another.
    pub roots: Vec<u32>,
    /// Indices of nodes that do not count, with everything in them, in document order. Nodes in the
    /// list do not lie inside one another. Some may be outside the roots.
    pub removed: Vec<u32>,
    /// All the text that counts, if `is_partial`: in document order, without overlaps.
    pub ranges: Vec<RunRange>,
    /// Whether only `ranges` counts. Extractors that select runs, words or lines set this.
    pub is_partial: bool,
    /// Readers' comments, in document order; they are not in the text. Empty unless the extractor
    /// distinguishes comments.
    pub comments: Vec<RunRange>,
    /// The headline at the start of the text: whole runs, in document order, which are among the
    /// ranges too. Empty if the text does not begin with the headline, or the extractor does not
    /// distinguish it.
    pub headline: Vec<RunRange>,
}

/// A range of bytes of one run, or the whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunRange {
    /// Index of the run.
    pub run: u32,
    /// Byte offset in the page's source of the start, inside the run.
    pub start: u32,
    /// Byte offset in the page's source of the end.
    pub end: u32,
}

impl RunRange {
    /// Returns the range of a whole run.
    pub fn whole_run(page: &Page<'_>, run: u32) -> RunRange {
        let huller_page::Run { byte_start, byte_end, .. } = page.runs()[run as usize];
        RunRange { run, start: byte_start, end: byte_end }
    }
}

impl Selection {
    /// Clears the selection and keeps its capacity.
    pub fn clear(&mut self) {
        self.roots.clear();
        self.removed.clear();
        self.ranges.clear();
        self.is_partial = false;
        self.comments.clear();
        self.headline.clear();
    }

    /// Copies another selection into the buffers of this one. Swapping the two would let both grow
    /// to the size of the largest page.
    pub fn copy_from(&mut self, other: &Selection) {
        self.roots.clone_from(&other.roots);
        self.removed.clone_from(&other.removed);
        self.ranges.clone_from(&other.ranges);
        self.is_partial = other.is_partial;
        self.comments.clone_from(&other.comments);
        self.headline.clone_from(&other.headline);
    }

    /// Adds a whole run to the ranges.
    pub fn push_run(&mut self, page: &Page<'_>, run: u32) {
        self.ranges.push(RunRange::whole_run(page, run));
    }

    /// Does the last step of extractors that select ranges: makes the innermost element around
    /// all ranges the root, so that only the ranges count. Without ranges, clears the
    /// selection.
    ///
    /// Extractors may have added ranges in the order of the source. On pages where this is not
    /// the document order, the ranges are sorted.
    pub fn finish_ranges(&mut self, page: &Page<'_>) {
        if page.is_moved() {
            self.ranges.sort_unstable_by_key(|range| (range.run, range.start));
        }
        if let (Some(first), Some(last)) = (self.ranges.first(), self.ranges.last()) {
            self.roots.push(element_around(page, first.run, last.run));
            self.is_partial = true;
        } else {
            self.clear();
        }
    }

    /// Leaves out the headline, if the extractor distinguishes it. The headline stays if nothing
    /// else is selected.
    pub fn leave_out_headline(&mut self) {
        let Selection { ranges, headline, .. } = self;
        if headline.len() < ranges.len() {
            let is_headline = |run: u32| headline.binary_search_by_key(&run, |of| of.run).is_ok();
            ranges.retain(|range| !is_headline(range.run));
            headline.clear();
        }
    }

    /// Adds the figure captions between the first and the last range, except for comments. Does
    /// not change a selection that is not partial, since it holds the captions of its roots
    /// already. Cost: O(nodes in the roots + ranges log ranges).
    pub fn add_captions(&mut self, page: &Page<'_>) {
        let Selection { roots, ranges, comments, .. } = self;
        let (Some(first), Some(last)) = (ranges.first(), ranges.last()) else { return };
        let (runs_between, selected) = (first.run..last.run, ranges.len());
        for root in roots {
            let (mut index, end) = (*root as usize, page.nodes()[*root as usize].end as usize);
            while index < end {
                let node = &page.nodes()[index];
                if node.tag != Tag::FIGCAPTION {
                    index += 1;
                    continue;
                }
                index = node.end as usize;
                for run in (node.run_start..node.run_end).filter(|run| runs_between.contains(run)) {
                    let has = |of: &[RunRange]| of.binary_search_by_key(&run, |of| of.run).is_ok();
                    if !has(&ranges[..selected]) && !has(comments) {
                        ranges.push(RunRange::whole_run(page, run));
                    }
                }
            }
        }
        ranges.sort_unstable_by_key(|range| (range.run, range.start));
    }

    /// Returns the removed nodes from index `node` on.
    pub(crate) fn removed_from(&self, node: u32) -> &[u32] {
        &self.removed[self.removed.partition_point(|removed| *removed < node)..]
    }

    /// Returns the ranges from run `run` on; `None` if all text counts.
    pub(crate) fn ranges_from(&self, run: u32) -> Option<&[RunRange]> {
        let first_range = || self.ranges.partition_point(|range| range.run < run);
        self.is_partial.then(|| &self.ranges[first_range()..])
    }

    /// Returns the indices of the runs with text that counts, in document order. These runs are
    /// inside the roots and outside the removed nodes. If the selection is partial, each has at
    /// least one range. Cost: O(runs kept + roots log removed + ranges).
    pub fn kept_runs<'a>(&'a self, page: &Page<'a>) -> impl Iterator<Item = u32> + use<'a> {
        let nodes = page.nodes();
        let runs_inside = self.roots.iter().flat_map(move |root| {
            let Node { end, run_start, run_end, .. } = nodes[*root as usize];
            let removed = self.removed_from(*root).iter().take_while(move |node| **node < end);
            let gaps = removed.map(|node| &nodes[*node as usize]);
            let gaps = gaps.map(|node| (node.run_start, node.run_end));
            let mut next_run = run_start;
            gaps.chain([(run_end, run_end)]).flat_map(move |(start, end)| {
                let kept = next_run..start;
                next_run = end;
                kept
            })
        });
        let mut ranges = self.ranges.as_slice();
        runs_inside.filter(move |run| {
            if !self.is_partial {
                return true;
            }
            let ranges_before = ranges.iter().take_while(|range| range.run < *run).count();
            ranges = &ranges[ranges_before..];
            ranges.first().is_some_and(|range| range.run == *run)
        })
    }

    /// Returns the selected nodes.
    pub fn nodes<'a>(&self, page: &Page<'a>) -> impl Iterator<Item = &'a Node> {
        let nodes = page.nodes();
        self.roots.iter().map(move |root| &nodes[*root as usize])
    }
}

/// Returns the index of the innermost element that holds all runs from `first` to `last`. Cost:
/// O(depth); the page bounds the depth.
pub fn element_around(page: &Page<'_>, first: u32, last: u32) -> u32 {
    let nodes = page.nodes();
    let mut ancestor = page.runs()[first as usize].node;
    while nodes[ancestor as usize].run_end <= last && ancestor > 0 {
        ancestor = nodes[ancestor as usize].parent;
    }
    ancestor
}

#[cfg(test)]
mod tests;
