//! The elements that may become blocks, called segments, and the content between them
//! (specification 3.1).
//!
//! Segments nest as in the page. Any other element that contains a segment is transparent: its
//! content counts as content of the segment around it. A maximal stretch of such content between
//! two segments (or `hr` elements) is a block of its own; otherwise its text would be lost [C-2].
//! An element without a segment inside is content as a whole [C-1].
//!
//! If a setting asks for it, the cells of the tables that rule 5 of the paper cuts are segments
//! too. Rule 5 cuts a table that contains another one, or whose cells look different [C-12].

mod tables;

use crate::layout::Boxes;
use crate::sweep::prefix_sums::PrefixSums;
use huller_page::TagTable;
use huller_page::{Node, Page, Tag};

/// Counts of the kept elements before a node, two in each number as in `sweep::sums`: segments (low
/// half) and solid elements (high); topic tags (low) and tables (high).
type CountsBefore = [u64; 2];

const SEGMENT: u64 = 1;
const SOLID: u64 = 1 << 32;
const TOPIC: u64 = 1;
const TABLE: u64 = 1 << 32;

/// The topic tags of the paper.
const TOPICS: [Tag; 9] =
    [Tag::P, Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6, Tag::TITLE, Tag::HR];

/// Solid tags: an element without any of these is virtual text (text and inline elements).
const SOLIDS: TagTable = TagTable::BLOCK.with(&[Tag::IMG]);

/// The tags that may become blocks.
#[derive(Debug)]
pub(crate) struct Segments {
    tags: TagTable,
    /// The amounts that a node of each tag adds to the counts.
    adds: [CountsBefore; 256],
}

impl Segments {
    /// Lets elements with these tags become blocks.
    pub(crate) const fn from_tags(tags: TagTable) -> Segments {
        let mut adds = [[0; 2]; 256];
        let mut tag = 0;
        while tag < adds.len() {
            adds[tag][0] += if tags.table()[tag] { SEGMENT } else { 0 };
            adds[tag][0] += if SOLIDS.table()[tag] { SOLID } else { 0 };
            tag += 1;
        }
        let mut index = 0;
        while index < TOPICS.len() {
            adds[TOPICS[index].index()][1] += TOPIC;
            index += 1;
        }
        adds[Tag::TABLE.index()][1] += TABLE;
        Segments { tags, adds }
    }

    /// Returns whether elements with this tag may become blocks.
    #[inline]
    pub(crate) fn contains(&self, tag: Tag) -> bool {
        self.tags.contains(tag)
    }
}

/// Prefix sums of one page. Created once and refilled.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    before: Vec<CountsBefore>,
    /// For each node, its depth in tables (the number of tables that are or contain it), and the
    /// largest such depth below it. Empty if the page has fewer than two tables.
    tables: Vec<(u16, u16)>,
    /// The cells of tables that are cut.
    cells: tables::CutCells,
    /// For each node, the number of marked elements before it. Empty if no tag is marked.
    marked: Vec<u32>,
    /// For each node, the number of `hr` elements before it. Empty unless they divide from within.
    rules: Vec<u32>,
}

static RULES: TagTable = TagTable::NONE.with(&[Tag::HR]);

impl Forest {
    /// Counts the elements of a page that `sums` kept, and the marked ones among them.
    pub(crate) fn fill(
        &mut self,
        page: &Page<'_>,
        sums: &PrefixSums,
        segments: &Segments,
        marked: Option<&TagTable>,
    ) {
        let nodes = page.nodes();
        self.cells.clear();
        count_before(page, sums, marked, &mut self.marked);
        self.rules.clear();
        self.before.clear();
        self.before.reserve(nodes.len() + 1);
        let mut sum = CountsBefore::default();
        for index in sums.kept_nodes() {
            let index = *index as usize;
            if self.before.len() < index {
                // The nodes between the last kept one and this one are removed and add nothing.
                self.before.resize(index, sum);
            }
            self.before.push(sum);
            let adds = segments.adds[nodes[index].tag.index()];
            sum[0] += adds[0];
            sum[1] += adds[1];
        }
        self.before.resize(nodes.len() + 1, sum);
        self.tables.clear();
        if sum[1] < 2 * TABLE {
            return;
        }
        self.tables.resize(nodes.len(), (0, 0));
        for index in sums.kept_nodes().iter().copied() {
            let node = &nodes[index as usize];
            let depth = self.tables[node.parent as usize].0 + u16::from(node.tag == Tag::TABLE);
            self.tables[index as usize] = (depth, depth);
        }
        for index in sums.kept_nodes().iter().rev().copied() {
            let deepest = self.tables[index as usize].1;
            let parent_tables = &mut self.tables[nodes[index as usize].parent as usize];
            parent_tables.1 = parent_tables.1.max(deepest);
        }
    }

    /// Lets an `hr` anywhere within a segment divide it. An element that contains one is
    /// transparent then.
    pub(crate) fn find_rules(&mut self, page: &Page<'_>, sums: &PrefixSums) {
        count_before(page, sums, Some(&RULES), &mut self.rules);
    }

    /// Turns the cells of tables that rule 5 cuts into segments.
    pub(crate) fn cut_tables(&mut self, page: &Page<'_>, sums: &PrefixSums, layout: &Boxes) {
        if self.before.last().is_some_and(|sum| sum[1] >= TABLE) {
            self.cells.fill(page, sums, layout);
        }
    }

    fn count(&self, start: u32, end: u32) -> CountsBefore {
        let (start, end) = (self.before[start as usize], self.before[end as usize]);
        [end[0] - start[0], end[1] - start[1]]
    }

    /// Returns whether the content of an element counts as lying directly in the segment around it.
    pub(crate) fn is_transparent(&self, index: u32, node: &Node) -> bool {
        self.holds_segment(index, node) || self.holds_rule(index, node)
    }

    /// Returns whether a node contains a segment.
    fn holds_segment(&self, index: u32, node: &Node) -> bool {
        self.count(index + 1, node.end)[0] as u32 > 0 || self.cells.any(index + 1..node.end)
    }

    /// Returns whether a node contains an `hr` that divides from within.
    pub(crate) fn holds_rule(&self, index: u32, node: &Node) -> bool {
        !self.rules.is_empty() && self.rules[node.end as usize] > self.rules[index as usize + 1]
    }

    /// Returns whether a node is the cell of a cut table.
    #[inline]
    pub(crate) fn is_cell(&self, index: u32) -> bool {
        self.cells.any(index..index + 1)
    }

    /// Returns whether a node contains a cut table.
    pub(crate) fn contains_split_table(&self, index: u32, node: &Node) -> bool {
        self.cells.any(index + 1..node.end)
    }

    /// Returns the number of marked elements in a subtree, the node included.
    pub(crate) fn count_marked(&self, index: u32, node: &Node) -> u32 {
        if self.marked.is_empty() {
            return 0;
        }
        self.marked[node.end as usize] - self.marked[index as usize]
    }

    /// Returns whether a node is or contains a block element or an image.
    pub(crate) fn is_solid(&self, index: u32, node: &Node) -> bool {
        self.count(index, node.end)[0] >= SOLID
    }

    /// Returns the number of elements with a topic tag in a subtree, the node included.
    pub(crate) fn topics(&self, index: u32, node: &Node) -> u32 {
        self.count(index, node.end)[1] as u32
    }

    /// Returns whether a node contains a table within another table.
    pub(crate) fn has_nested_table(&self, index: u32) -> bool {
        self.tables.get(index as usize).is_some_and(|(own_depth, deepest)| deepest - own_depth >= 2)
    }
}

/// Fills `before` with the number of kept elements with one of these tags before each node; with
/// nothing without tags.
fn count_before(
    page: &Page<'_>,
    sums: &PrefixSums,
    tags: Option<&TagTable>,
    before: &mut Vec<u32>,
) {
    before.clear();
    let Some(tags) = tags else { return };
    let nodes = page.nodes();
    let mut sum = 0;
    for index in sums.kept_nodes() {
        before.resize(*index as usize + 1, sum);
        sum += u32::from(tags.contains(nodes[*index as usize].tag));
    }
    before.resize(nodes.len() + 1, sum);
}
