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
    /// The node that follows the last item.
    next_node: u32,
    /// The run that follows the last item.
    next_run: u32,
    /// Index after the last node of the segment.
    end: u32,
    /// Index after the last run of the segment.
    run_end: u32,
}

impl SegmentItems {
    /// Returns the items of a segment.
    pub(crate) fn new(index: u32, node: &Node) -> SegmentItems {
        SegmentItems {
            next_node: index + 1,
            next_run: node.run_start,
            end: node.end,
            run_end: node.run_end,
        }
    }

    /// Returns the next item.
    pub(crate) fn next(&mut self, view: PageView<'_>) -> Option<SegmentItem> {
        let nodes = view.page.nodes();
        loop {
            let index = self.next_node;
            let node = (index < self.end).then(|| &nodes[index as usize]);
            let Some(node) = node.filter(|node| node.run_start <= self.next_run) else {
                let run = self.next_run;
                self.next_run += 1;
                return (run < self.run_end).then_some(SegmentItem::Run(run));
            };
            let is_rule = node.tag == Tag::HR;
            let is_segment =
                (view.segments.contains(node.tag) && !is_rule) || view.forest.is_cell(index);
            let is_removed = view.removal.removes(node);
            if !(is_removed || is_rule || is_segment) && view.forest.is_transparent(index, node) {
                self.next_node += 1;
                continue;
            }
            self.next_node = node.end;
            self.next_run = node.run_end;
            if !is_removed {
                return Some(match () {
                    () if is_rule => SegmentItem::Rule,
                    () if is_segment => SegmentItem::Segment(index),
                    () => SegmentItem::Element(index),
                });
            }
        }
    }
}
