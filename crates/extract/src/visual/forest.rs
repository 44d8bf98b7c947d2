//! The elements that may become blocks (segments), and what stands between them (specification 3.1).
//!
//! Segments nest as in the page. Everything else that holds a segment is transparent: what is in it counts as lying directly
//! in the segment around it. A maximal stretch of such content between two segments (or rules) is an anonymous block;
//! without it that text would be lost [C-2]. An element without a segment in it is content as a whole [C-1].

use super::View;
use crate::sums::Sums;
use crate::tags::Tags;
use huller_page::{Node, Page, Tag};

/// Kept elements before a node: segments and solids, topics and tables; two counts to a number, as in `sums`.
type Before = [u64; 2];

const SEGMENT: u64 = 1;
const SOLID: u64 = 1 << 32;
const TOPIC: u64 = 1;
const TABLE: u64 = 1 << 32;

/// Tags that speak of a topic.
const TOPICS: [Tag; 9] =
    [Tag::P, Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6, Tag::TITLE, Tag::HR];

/// Tags that are more than text.
const SOLIDS: Tags = Tags::BLOCK.and(&[Tag::IMG]);

/// The tags that may become blocks.
#[derive(Debug)]
pub(crate) struct Segments {
    tags: Tags,
    /// What a node of each tag adds to the counts.
    adds: [Before; 256],
}

impl Segments {
    /// These.
    pub(crate) const fn of(tags: Tags) -> Segments {
        let mut adds = [[0; 2]; 256];
        let mut tag = 0;
        while tag < adds.len() {
            adds[tag][0] += if tags.0[tag] { SEGMENT } else { 0 };
            adds[tag][0] += if SOLIDS.0[tag] { SOLID } else { 0 };
            tag += 1;
        }
        let mut at = 0;
        while at < TOPICS.len() {
            adds[TOPICS[at].index()][1] += TOPIC;
            at += 1;
        }
        adds[Tag::TABLE.index()][1] += TABLE;
        Segments { tags, adds }
    }

    /// Whether the tag is one of them.
    #[inline]
    pub(crate) fn contains(&self, tag: Tag) -> bool {
        self.tags.contains(tag)
    }
}

/// Prefix sums of one page. Made once and refilled.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    before: Vec<Before>,
    /// For each node how many tables it lies in or is, and the most of any node in it; empty without two tables.
    tables: Vec<(u16, u16)>,
}

impl Forest {
    /// Counts what a page holds of the elements that `sums` kept.
    pub(crate) fn fill(&mut self, page: &Page<'_>, sums: &Sums, segments: &Segments) {
        let nodes = page.nodes();
        self.before.clear();
        self.before.reserve(nodes.len() + 1);
        let mut sum = Before::default();
        for at in sums.kept() {
            let at = *at as usize;
            if self.before.len() < at {
                // Removed nodes, which stand between two kept ones, count nothing.
                self.before.resize(at, sum);
            }
            self.before.push(sum);
            let adds = segments.adds[nodes[at].tag.index() & 0xFF];
            sum[0] += adds[0];
            sum[1] += adds[1];
        }
        self.before.resize(nodes.len() + 1, sum);
        self.tables.clear();
        if sum[1] < 2 * TABLE {
            return;
        }
        self.tables.resize(nodes.len(), (0, 0));
        for at in sums.kept().iter().copied() {
            let node = &nodes[at as usize];
            let depth = self.tables[node.parent as usize].0 + u16::from(node.tag == Tag::TABLE);
            self.tables[at as usize] = (depth, depth);
        }
        for at in sums.kept().iter().rev().copied() {
            let deepest = self.tables[at as usize].1;
            let above = &mut self.tables[nodes[at as usize].parent as usize];
            above.1 = above.1.max(deepest);
        }
    }

    fn count(&self, from: u32, to: u32) -> Before {
        let (from, to) = (self.before[from as usize], self.before[to as usize]);
        [to[0] - from[0], to[1] - from[1]]
    }

    /// Whether a segment lies below a node.
    pub(crate) fn holds_segment(&self, at: u32, node: &Node) -> bool {
        self.count(at + 1, node.end)[0] as u32 > 0
    }

    /// Whether a node is or holds a block element or an image.
    pub(crate) fn is_solid(&self, at: u32, node: &Node) -> bool {
        self.count(at, node.end)[0] >= SOLID
    }

    /// How many elements speak of a topic, the node included.
    pub(crate) fn topics(&self, at: u32, node: &Node) -> u32 {
        self.count(at, node.end)[1] as u32
    }

    /// Whether a table lies within another below a node.
    pub(crate) fn has_nested_table(&self, at: u32) -> bool {
        self.tables.get(at as usize).is_some_and(|(own, deepest)| deepest - own >= 2)
    }
}

/// One piece of what lies directly in a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// Text.
    Run(u32),
    /// An element that counts as a whole.
    Element(u32),
    /// A segment.
    Segment(u32),
    /// An `hr`.
    Rule,
}

/// Walks what lies directly in one segment, in document order. Every item is met once, and so is every transparent element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Items {
    at: u32,
    run: u32,
    end: u32,
    run_end: u32,
}

impl Items {
    /// The items of a segment.
    pub(crate) fn of(at: u32, node: &Node) -> Items {
        Items { at: at + 1, run: node.run_start, end: node.end, run_end: node.run_end }
    }

    /// The next item.
    pub(crate) fn next(&mut self, view: View<'_>) -> Option<Item> {
        let nodes = view.page.nodes();
        loop {
            let at = self.at;
            let node = (at < self.end).then(|| &nodes[at as usize]);
            let Some(node) = node.filter(|node| node.run_start <= self.run) else {
                let run = self.run;
                self.run += 1;
                return (run < self.run_end).then_some(Item::Run(run));
            };
            let is_rule = node.tag == Tag::HR;
            let is_segment = view.segments.contains(node.tag) && !is_rule;
            let is_removed = view.removal.removes(node);
            if !(is_removed || is_rule || is_segment) && view.forest.holds_segment(at, node) {
                self.at += 1;
                continue;
            }
            self.at = node.end;
            self.run = node.run_end;
            if !is_removed {
                return Some(match () {
                    () if is_rule => Item::Rule,
                    () if is_segment => Item::Segment(at),
                    () => Item::Element(at),
                });
            }
        }
    }
}
