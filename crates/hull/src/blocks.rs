//! Cuts a page into blocks, and records the block elements around them.
//!
//! A block is a maximal sequence of runs with the same nearest block element. The start or end of a
//! block element divides blocks, and so do two line breaks in a row. Custom elements are block
//! elements. Text that readers never see as text (scripts, styles, form controls, embedded objects)
//! belongs to no block. The same holds for formulas, which are selected together with the text
//! around them. Formulas and small controls in the middle of a paragraph do not cut it. Navigation,
//! headers, footers and the like are kept, and their region is recorded.
//!
//! One merged pass over nodes and runs: O(nodes + runs).

use super::class_words::{self, AttributeReader, ClassWords};
use super::regions::{Regions, region};
use super::text_marks::TextFacts;
use huller_page::TagTable;
use huller_page::{Node, Page, Run, Tag, TagSet};
use huller_select::no_content;
use std::ops::Range;

/// Elements whose text belongs to no block.
static DROPPED: TagTable = no_content::EMBEDDED.with(&[Tag::NOEMBED, Tag::NOFRAMES]);

/// Dropped inline elements. A small one does not end the line of text around it.
static IN_LINE: TagTable = TagTable::NONE.with(&[
    Tag::MATH,
    Tag::SVG,
    Tag::BUTTON,
    Tag::SELECT,
    Tag::CANVAS,
    Tag::TEXTAREA,
]);

/// A control with at most this many visible scalars is small. A formula may have any length.
const MAX_SMALL_CONTROL_CHARS: u32 = 40;

/// A link with at least one in this many of the page's Unicode scalars is text rather than
/// navigation: its scalars don't count as linked.
const TEXT_LINK_DIVISOR: u32 = 3;

/// Links with fewer Unicode scalars count as linked on any page.
const MIN_LONG_LINK_CHARS: u32 = 100;

/// A block element that holds runs. Indices of containers and blocks refer to [`Segmentation`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Container {
    /// Index of the element's node.
    pub(crate) node: u32,
    /// Index of the block element around it. The parent of the first container is itself.
    pub(crate) parent: u32,
    pub(crate) tag: Tag,
    /// Number of block elements around it.
    pub(crate) depth: u16,
    pub(crate) regions: Regions,
    /// The regions that the element itself opens.
    own_regions: Regions,
    /// The word groups of its own class, id and `itemprop`: one bit per group.
    groups: u16,
    pub(crate) class_words: ClassWords,
    /// Digest of its tag and class: containers with the same digest look alike.
    pub(crate) look: u32,
    /// Index of the first node after its last descendant.
    pub(crate) node_end: u32,
    /// Its blocks, including those of elements inside it: index of the first, and index after the
    /// last.
    pub(crate) first_block: u32,
    pub(crate) end_block: u32,
}

/// A maximal sequence of runs that readers see as one piece of text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    /// Index of its first run.
    pub(crate) first_run: u32,
    /// Index after its last run.
    pub(crate) end_run: u32,
    /// Index of its nearest block element.
    pub(crate) container: u32,
    /// Unicode scalars that are neither white space nor zero width.
    pub(crate) chars: u32,
    /// Words, where each Chinese, Japanese or Thai scalar counts as one.
    pub(crate) words: u32,
    /// Number of punctuation scalars.
    pub(crate) punctuation: u32,
    /// The part of `chars` that is inside links. Excludes links with much of the page's text
    /// ([`TEXT_LINK_DIVISOR`]).
    pub(crate) linked_chars: u32,
    /// Number of links that begin in it, without links inside links.
    pub(crate) links: u16,
    /// Number of inline elements with text that begin in it.
    pub(crate) tags: u16,
    /// Number of start and end tags inside it, and between it and the block before it.
    pub(crate) markup: u32,
    pub(crate) facts: TextFacts,
}

/// The blocks of a page, and the containers around them. Created once and refilled for every page.
#[derive(Debug, Default)]
pub(crate) struct Segmentation {
    pub(crate) containers: Vec<Container>,
    pub(crate) blocks: Vec<Block>,
    /// For every node that holds runs, the index of its container.
    container_of: Vec<u32>,
    /// For every run, the number of blocks that begin before it.
    blocks_before: Vec<u32>,
    /// Runs between the first and the last run of a block that do not belong to it, in document
    /// order.
    left_out: Vec<Range<u32>>,
    /// The runs of links that are not short.
    long_links: Vec<Range<u32>>,
    /// For every block, the number of scalars in the blocks before it. The last entry is the total
    /// of the page.
    chars_before: Vec<u32>,
    paragraphs: Paragraphs,
    attributes: AttributeReader,
}

/// Counts of the elements that began since the last run.
#[derive(Clone, Copy, Default)]
struct ElementCounts {
    /// Number of links.
    links: u16,
    /// Number of inline elements.
    tags: u16,
    /// Number of all elements.
    opened: u32,
}

/// State of the pass over nodes and runs.
struct Sweep<'a, 'b> {
    page: &'a Page<'a>,
    out: &'b mut Segmentation,
    passed: ElementCounts,
    /// Number of line breaks since the last run or block element.
    breaks_in_row: u32,
    /// Whether the next run begins a block.
    cut: bool,
    /// Index after the last run of the present link.
    link_end: u32,
    /// Level of the element that holds the last run.
    level: u32,
}

impl Segmentation {
    pub(crate) fn fill(&mut self, page: &Page<'_>) {
        let (nodes, runs) = (page.nodes(), page.runs());
        self.containers.clear();
        self.blocks.clear();
        self.attributes.clear();
        self.container_of.clear();
        self.container_of.resize(nodes.len(), 0);
        self.blocks_before.clear();
        self.left_out.clear();
        self.long_links.clear();
        let body = page.body() as usize;
        let first_run = nodes[body].run_start;
        self.blocks_before.resize(first_run as usize, 0);
        let mut sweep = Sweep {
            page,
            out: self,
            passed: ElementCounts::default(),
            breaks_in_row: 0,
            cut: true,
            link_end: 0,
            level: 0,
        };
        let end = nodes[body].end as usize;
        let mut at = body;
        let mut run = first_run;
        while at < end {
            let node = &nodes[at];
            sweep.runs(run, node.run_start);
            run = run.max(node.run_start);
            if DROPPED.contains(node.tag) {
                if node.run_end > node.run_start {
                    sweep.skip(run, node.run_end, node.tag);
                    run = node.run_end;
                }
                at = node.end as usize;
                continue;
            }
            sweep.node(at as u32, node);
            at += 1;
        }
        sweep.runs(run, nodes[body].run_end);
        self.blocks_before.resize(runs.len() + 1, self.blocks.len() as u32);
        self.finish_containers(page);
    }

    /// Returns the indices of a block's runs.
    pub(super) fn runs(&self, block: usize) -> impl Iterator<Item = u32> + '_ {
        self.runs_within(block, &(0..u32::MAX))
    }

    /// Returns the indices of a block's runs that are in a range. Cost: O(log of the left-out
    /// runs + runs in the range).
    fn runs_within(&self, block: usize, range: &Range<u32>) -> impl Iterator<Item = u32> + '_ {
        let Block { first_run, end_run, .. } = self.blocks[block];
        let (first_run, end_run) = (first_run.max(range.start), end_run.min(range.end));
        let first_left_out = self.left_out.partition_point(|left_out| left_out.end <= first_run);
        let mut left_out = &self.left_out[first_left_out..];
        (first_run..end_run).filter(move |run| {
            while let Some((range, later_ranges)) = left_out.split_first()
                && range.end <= *run
            {
                left_out = later_ranges;
            }
            left_out.first().is_none_or(|range| !range.contains(run))
        })
    }

    /// Returns the block that a run belongs to, if there is one.
    pub(super) fn block_of(&self, run: u32) -> Option<usize> {
        let before = *self.blocks_before.get(run as usize + 1)?;
        let block = before.checked_sub(1)? as usize;
        self.runs_within(block, &(run..run + 1)).next().map(|_| block)
    }

    /// Returns the number of the first block that ends after a run begins. After the last block it
    /// is the number of blocks.
    pub(super) fn first_block_from(&self, run: u32) -> u32 {
        let begun = self.blocks_before.get(run as usize + 1).or(self.blocks_before.last());
        let begun = begun.copied().unwrap_or_default();
        let last_begun = begun.checked_sub(1);
        last_begun
            .filter(|last_begun| self.blocks[*last_begun as usize].end_run > run)
            .unwrap_or(begun)
    }

    /// Returns the container of a node: the node itself, or the nearest one around it.
    pub(super) fn container_at(&self, node: u32) -> usize {
        self.container_of[node as usize] as usize
    }

    /// Returns the number of words of a block, at least 1.
    pub(super) fn words(&self, block: usize) -> f32 {
        self.blocks[block].words.max(1) as f32
    }

    /// Returns the number of scalars before a block.
    pub(super) fn chars_before(&self, block: usize) -> u32 {
        self.chars_before[block]
    }

    /// Returns the number of scalars of the page.
    pub(super) fn chars(&self) -> u32 {
        self.chars_before.last().copied().unwrap_or_default()
    }

    /// Returns whether a block is a reader's comment by the class names of its element, or of one
    /// of the 14 block elements nearest around it.
    pub(super) fn is_comment(&self, block: usize) -> bool {
        let container = &self.containers[self.blocks[block].container as usize];
        container.class_words.distance(class_words::COMMENTS) < class_words::FAR
    }

    /// Returns whether more than half of a block's text is linked.
    pub(super) fn is_mostly_links(&self, block: usize) -> bool {
        link_share(&self.blocks[block]) > 0.5
    }

    /// Stops counting the text of a link as linked if the link holds much of the page. Cost: O(runs
    /// log of the left-out runs).
    fn unlink_text(&mut self, page: &Page<'_>) {
        for link_index in 0..self.long_links.len() {
            let link = self.long_links[link_index].clone();
            let runs = &page.runs()[link.start as usize..link.end as usize];
            let is_text = |chars: u32| {
                u64::from(TEXT_LINK_DIVISOR) * u64::from(chars) >= u64::from(self.chars())
            };
            if !is_text(chars_of(runs)) {
                continue;
            }
            let first_block = self.blocks_before[link.start as usize].saturating_sub(1);
            for block in first_block as usize..self.blocks_before[link.end as usize] as usize {
                let runs_in_link = self.runs_within(block, &link);
                let chars =
                    runs_in_link.map(|run| page.runs()[run as usize].counts.chars).sum::<u32>();
                self.blocks[block].linked_chars -= chars;
            }
        }
    }

    /// Sets each container's blocks and class words.
    fn finish_containers(&mut self, page: &Page<'_>) {
        let nodes = page.nodes();
        self.chars_before.clear();
        let mut chars = 0;
        for block in &self.blocks {
            self.chars_before.push(chars);
            chars += block.chars;
        }
        self.chars_before.push(chars);
        self.unlink_text(page);
        self.paragraphs.fill(&self.blocks, &self.containers);
        for container_index in 0..self.containers.len() {
            let Container { node, parent, groups, .. } = self.containers[container_index];
            let node = &nodes[node as usize];
            let first_block = self.blocks_before[node.run_start as usize];
            let end_block = self.blocks_before[node.run_end as usize];
            let chars_inside =
                self.chars_before[end_block as usize] - self.chars_before[first_block as usize];
            let is_most = 2 * u64::from(chars_inside) > u64::from(chars);
            let groups = if is_most { groups & class_words::OF_WHOLE_PAGES } else { groups };
            let groups = class_words::of_several(groups, end_block - first_block);
            if self.containers[container_index].own_regions.intersects(Regions::LANDMARKS)
                && self.paragraphs.are_mostly_in(first_block, end_block)
            {
                let own_regions = &mut self.containers[container_index].own_regions;
                *own_regions = own_regions.without(Regions::LANDMARKS);
            }
            let around_regions = self.containers[parent as usize].regions;
            let own_regions = self.containers[container_index].own_regions;
            self.containers[container_index].regions = if container_index == 0 {
                own_regions
            } else {
                Regions(around_regions.0 | own_regions.0)
            };
            let outer_class_words = if container_index == 0 {
                ClassWords::NONE
            } else {
                self.containers[parent as usize].class_words
            };
            let container = &mut self.containers[container_index];
            container.class_words = outer_class_words.for_child(groups);
            (container.first_block, container.end_block) = (first_block, end_block);
        }
    }
}

impl Sweep<'_, '_> {
    fn node(&mut self, index: u32, node: &Node) {
        self.passed.opened += 1;
        let holds_text = node.run_end > node.run_start;
        let is_block = node.is(TagSet::BLOCK)
            || node.tag == Tag::NOSCRIPT
            || (node.tag == Tag::UNKNOWN && is_custom(self.page, node));
        if is_block {
            self.cut = true;
            self.breaks_in_row = 0;
            if holds_text {
                self.container(index, node);
            }
            return;
        }
        let passed = &mut self.passed;
        if node.tag == Tag::BR {
            self.breaks_in_row += 1;
            self.cut |= self.breaks_in_row > 1;
        }
        if !holds_text {
            return;
        }
        passed.tags = passed.tags.saturating_add(1);
        // Links inside a link are not measured: measuring each of them would cost more than
        // O(text).
        if node.tag == Tag::A && self.link_end <= node.run_start {
            passed.links = passed.links.saturating_add(1);
            self.link_end = node.run_end;
            if chars_of(&self.page.runs()[node.runs()]) >= MIN_LONG_LINK_CHARS {
                self.out.long_links.push(node.run_start..node.run_end);
            }
        }
        let parent = self.out.container_of[node.parent as usize];
        self.out.container_of[index as usize] = parent;
    }

    fn container(&mut self, index: u32, node: &Node) {
        let number = self.out.containers.len() as u32;
        self.out.container_of[index as usize] = number;
        let parent = if number == 0 { 0 } else { self.out.container_of[node.parent as usize] };
        let outer = self.out.containers.get(parent as usize);
        let (around_regions, depth) =
            outer.map_or((Regions::default(), 0), |outer| (outer.regions, outer.depth + 1));
        let element_meanings = self.out.attributes.read(self.page, node);
        let own_regions = Regions(region(node).0 | element_meanings.regions.0);
        let regions = Regions(around_regions.0 | own_regions.0);
        self.out.containers.push(Container {
            node: index,
            node_end: node.end,
            parent,
            tag: node.tag,
            depth,
            regions,
            own_regions,
            groups: element_meanings.groups,
            class_words: ClassWords::NONE,
            look: element_meanings.look,
            first_block: 0,
            end_block: 0,
        });
    }

    /// Adds the runs from index `first_run` to before `end_run`.
    fn runs(&mut self, first_run: u32, end_run: u32) {
        for index in first_run..end_run {
            let run = &self.page.runs()[index as usize];
            let container = self.out.container_of[run.node as usize];
            let blocks = &mut self.out.blocks;
            self.cut |= blocks.last().is_none_or(|block| block.container != container);
            self.out.blocks_before.push(blocks.len() as u32);
            if self.cut {
                blocks.push(Block { first_run: index, container, ..Block::default() });
                self.cut = false;
            }
            let Some(block) = blocks.last_mut() else { continue };
            block.end_run = index + 1;
            let (chars, source) = (run.counts.chars, self.page.run_source(run));
            block.chars += chars;
            block.punctuation += run.counts.punctuation;
            block.words += run.counts.gaps + 1 + block.facts.add(source);
            if index < self.link_end {
                block.linked_chars += chars;
            }
            let passed = std::mem::take(&mut self.passed);
            let level = u32::from(self.page.nodes()[run.node as usize].level);
            // Elements that opened since the last run and do not contain this run were also closed:
            // two tags each.
            block.markup += (2 * passed.opened + self.level).saturating_sub(level);
            self.level = level;
            block.links = block.links.saturating_add(passed.links);
            block.tags = block.tags.saturating_add(passed.tags);
            self.breaks_in_row = 0;
        }
    }

    /// Skips the runs of an element whose text belongs to no block.
    fn skip(&mut self, first_run: u32, end_run: u32, tag: Tag) {
        let blocks = self.out.blocks.len() as u32;
        for _ in first_run..end_run {
            self.out.blocks_before.push(blocks);
        }
        let runs = &self.page.runs()[first_run as usize..end_run as usize];
        let is_small = || chars_of(runs) <= MAX_SMALL_CONTROL_CHARS;
        if IN_LINE.contains(tag) && (tag == Tag::MATH || is_small()) {
            self.out.left_out.push(first_run..end_run);
        } else {
            self.cut = true;
        }
    }
}

/// The paragraphs of a page.
#[derive(Debug, Default)]
struct Paragraphs {
    /// For every block, the number of paragraphs before it and the number of their scalars. The
    /// last entry holds the totals of the page.
    before: Vec<(u32, u64)>,
}

impl Paragraphs {
    fn fill(&mut self, blocks: &[Block], containers: &[Container]) {
        let before = &mut self.before;
        before.clear();
        let mut sum = (0, 0);
        for block in blocks {
            before.push(sum);
            // Items of lists do not count as paragraphs: shops put their small print in such lists.
            let is_item = containers[block.container as usize].regions.intersects(Regions::ITEM);
            if is_long(block) && !is_item {
                sum = (sum.0 + 1, sum.1 + u64::from(block.chars));
            }
        }
        before.push(sum);
    }

    /// Returns whether these blocks hold an article: several paragraphs, with at least two thirds
    /// of the scalars of all paragraphs.
    fn are_mostly_in(&self, first_block: u32, end_block: u32) -> bool {
        const MIN_PARAGRAPHS: u32 = 3;
        let before_first = self.before[first_block as usize];
        let before_end = self.before[end_block as usize];
        let total = self.before.last().map_or(0, |(_, chars)| *chars);
        before_end.0 - before_first.0 >= MIN_PARAGRAPHS
            && 3 * (before_end.1 - before_first.1) >= 2 * total
    }
}

/// Returns the number of scalars of some runs.
fn chars_of(runs: &[Run]) -> u32 {
    runs.iter().map(|run| run.counts.chars).sum()
}

/// Returns whether the name of an element has a hyphen within its first 64 bytes, as names of
/// custom elements do.
fn is_custom(page: &Page<'_>, node: &Node) -> bool {
    let source = page.html().as_bytes();
    let name = source.get(node.byte_start as usize + 1..).unwrap_or_default();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    name.iter().take(64).take_while(|byte| !ends(byte)).any(|byte| *byte == b'-')
}

/// Returns the share of linked text, 0 to 1.
pub(super) fn link_share(block: &Block) -> f32 {
    block.linked_chars as f32 / block.chars.max(1) as f32
}

/// Returns whether a block is long enough for a paragraph and has few links: less than a third of
/// it is linked.
pub(super) fn is_long(block: &Block) -> bool {
    /// Smallest length in Unicode scalars.
    const MIN_LONG_CHARS: u32 = 80;
    block.chars >= MIN_LONG_CHARS && 3 * block.linked_chars < block.chars
}

#[cfg(test)]
mod tests;
