//! Iterates over the content directly in a segment.

use super::PageView;
use huller_page::{Node, Tag};

/// One piece of the content directly in a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SegmentItem {
    /// A run of text.
    Run(u32),
    /// An element without a segment inside.
    Element(u32),
    /// A segment.
    Segment(u32),
    /// An `hr`.
    Rule,
}

/// Iterates over the items of one segment in document order. It visits every item and every
/// transparent element once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentItems {
    at: u32,
    run: u32,
    end: u32,
    run_end: u32,
}

impl SegmentItems {
    /// Returns the items of a segment.
    pub(crate) fn new(at: u32, node: &Node) -> SegmentItems {
        SegmentItems { at: at + 1, run: node.run_start, end: node.end, run_end: node.run_end }
    }

    /// Returns the next item.
    pub(crate) fn next(&mut self, view: PageView<'_>) -> Option<SegmentItem> {
        let nodes = view.page.nodes();
        loop {
            let at = self.at;
            let node = (at < self.end).then(|| &nodes[at as usize]);
            let Some(node) = node.filter(|node| node.run_start <= self.run) else {
                let run = self.run;
                self.run += 1;
                return (run < self.run_end).then_some(SegmentItem::Run(run));
            };
            let is_rule = node.tag == Tag::HR;
            let is_segment =
                (view.segments.contains(node.tag) && !is_rule) || view.forest.is_cell(at);
            let is_removed = view.removal.removes(node);
            if !(is_removed || is_rule || is_segment) && view.forest.is_transparent(at, node) {
                self.at += 1;
                continue;
            }
            self.at = node.end;
            self.run = node.run_end;
            if !is_removed {
                return Some(match () {
                    () if is_rule => SegmentItem::Rule,
                    () if is_segment => SegmentItem::Segment(at),
                    () => SegmentItem::Element(at),
                });
            }
        }
    }
}
