//! A page as a row of blocks, and the block elements around them.
//!
//! A block is a maximal stretch of runs with the same nearest block element and no boundary of a block element between
//! them, nor two line breaks in a row. Custom elements are block elements. What readers never see as text (scripts,
//! styles, form controls, embedded objects) is left out; navigation, headers, footers and the like are kept and flagged.
//!
//! One pass over nodes and runs, merged; O(nodes + runs).

use super::hints::{self, Attributes, Hints};
use super::places::{Places, place};
use super::text::TextFacts;
use crate::tags::Tags;
use huller_page::{Node, Page, Tag, TagSet};
use std::ops::Range;

/// Elements whose text is no text of the page.
static DROPPED: Tags = Tags::EMBEDDED.and(&[Tag::NOEMBED, Tag::NOFRAMES]);

/// A link with so many scalars is text that happens to be linked.
const LONG_LINK: u32 = 400;

/// A block element that holds runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Container {
    /// The element.
    pub(crate) node: u32,
    /// The block element around it; the first is its own.
    pub(crate) parent: u32,
    pub(crate) tag: Tag,
    /// How many block elements are around it.
    pub(crate) depth: u16,
    pub(crate) places: Places,
    /// What its own class and the like say.
    groups: u16,
    pub(crate) hints: Hints,
    /// Digest of its tag and class.
    pub(crate) look: u32,
    /// Index after its last descendant.
    pub(crate) node_end: u32,
    /// Its blocks, those in elements below included.
    pub(crate) first_block: u32,
    pub(crate) end_block: u32,
}

/// A stretch of text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    pub(crate) first_run: u32,
    pub(crate) end_run: u32,
    /// The nearest block element.
    pub(crate) container: u32,
    /// Scalars that are neither white space nor zero width.
    pub(crate) chars: u32,
    pub(crate) words: u32,
    pub(crate) punctuation: u32,
    /// `chars` within links.
    pub(crate) linked: u32,
    /// Links that begin in it.
    pub(crate) links: u16,
    /// Inline elements that begin in it.
    pub(crate) tags: u16,
    /// Start and end tags in it and since the block before.
    pub(crate) markup: u32,
    pub(crate) facts: TextFacts,
}

/// A page cut into blocks, and the containers around them. Made once and refilled.
#[derive(Debug, Default)]
pub(crate) struct Segmentation {
    pub(crate) containers: Vec<Container>,
    pub(crate) blocks: Vec<Block>,
    /// The container of every node that holds runs.
    container_of: Vec<u32>,
    /// Blocks that begin before each run.
    blocks_before: Vec<u32>,
    /// Scalars before each block.
    chars_before: Vec<u32>,
    attributes: Attributes,
}

/// What was passed since the last run.
#[derive(Clone, Copy, Default)]
struct Passed {
    links: u16,
    tags: u16,
    opened: u32,
}

/// The state of the pass.
struct Sweep<'a, 'b> {
    page: &'a Page<'a>,
    out: &'b mut Segmentation,
    passed: Passed,
    /// Line breaks in a row.
    breaks_in_row: u32,
    cut: bool,
    link_end: u32,
    long_link_end: u32,
    /// Level of the element that the last run stands in.
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
        let body = nodes.iter().position(|node| node.tag == Tag::BODY).unwrap_or_default();
        let first_run = nodes[body].run_start;
        self.blocks_before.resize(first_run as usize, 0);
        let mut sweep = Sweep {
            page,
            out: self,
            passed: Passed::default(),
            breaks_in_row: 0,
            cut: true,
            link_end: 0,
            long_link_end: 0,
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
                    sweep.skip(run, node.run_end);
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
        self.hint(page);
    }

    /// The runs of a block.
    pub(super) fn runs(&self, block: usize) -> Range<u32> {
        let Block { first_run, end_run, .. } = self.blocks[block];
        first_run..end_run
    }

    /// Words of a block, at least a little.
    pub(super) fn words(&self, block: usize) -> f32 {
        self.blocks[block].words.max(1) as f32
    }

    /// Scalars before a block.
    pub(super) fn chars_before(&self, block: usize) -> u32 {
        self.chars_before[block]
    }

    /// Scalars of the page.
    pub(super) fn chars(&self) -> u32 {
        self.chars_before.last().copied().unwrap_or_default()
    }

    /// Whether class names say that a block is a comment of a reader.
    pub(super) fn is_comment(&self, block: usize) -> bool {
        let container = &self.containers[self.blocks[block].container as usize];
        container.hints.near(hints::COMMENTS) < hints::FAR
    }

    /// Whether more than half of a block's text is linked.
    pub(super) fn is_mostly_links(&self, block: usize) -> bool {
        link_share(&self.blocks[block]) > 0.5
    }

    /// Gives containers their blocks, and what the classes of those around them say.
    fn hint(&mut self, page: &Page<'_>) {
        let nodes = page.nodes();
        self.chars_before.clear();
        let mut chars = 0;
        for block in &self.blocks {
            self.chars_before.push(chars);
            chars += block.chars;
        }
        self.chars_before.push(chars);
        for at in 0..self.containers.len() {
            let Container { node, parent, groups, .. } = self.containers[at];
            let node = &nodes[node as usize];
            let first_block = self.blocks_before[node.run_start as usize];
            let end_block = self.blocks_before[node.run_end as usize];
            let inside =
                self.chars_before[end_block as usize] - self.chars_before[first_block as usize];
            let is_most = 2 * u64::from(inside) > u64::from(chars);
            let groups = if is_most { groups & hints::OF_WHOLE_PAGES } else { groups };
            let around = if at == 0 { Hints::NONE } else { self.containers[parent as usize].hints };
            let container = &mut self.containers[at];
            container.hints = around.below(groups);
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
        // Within a long link nothing is added up again: links in links would cost more than their text.
        if node.tag == Tag::A && self.link_end.max(self.long_link_end) <= node.run_start {
            passed.links = passed.links.saturating_add(1);
            let runs = &self.page.runs()[node.runs()];
            let chars = runs.iter().map(|run| run.counts.chars).sum::<u32>();
            if chars < LONG_LINK {
                self.link_end = node.run_end;
            } else {
                self.long_link_end = node.run_end;
            }
        }
        let parent = self.out.container_of[node.parent as usize];
        self.out.container_of[index as usize] = parent;
    }

    fn container(&mut self, index: u32, node: &Node) {
        let number = self.out.containers.len() as u32;
        self.out.container_of[index as usize] = number;
        let parent = if number == 0 { 0 } else { self.out.container_of[node.parent as usize] };
        let around = self.out.containers.get(parent as usize);
        let (around_places, depth) =
            around.map_or((Places::default(), 0), |around| (around.places, around.depth + 1));
        let own = self.out.attributes.read(self.page, node);
        let places = Places(around_places.0 | place(node).0 | own.places.0);
        self.out.containers.push(Container {
            node: index,
            node_end: node.end,
            parent,
            tag: node.tag,
            depth,
            places,
            groups: own.groups,
            hints: Hints::NONE,
            look: own.look,
            first_block: 0,
            end_block: 0,
        });
    }

    /// Adds the runs from `from` up to `to`.
    fn runs(&mut self, from: u32, to: u32) {
        for index in from..to {
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
                block.linked += chars;
            }
            let passed = std::mem::take(&mut self.passed);
            let level = u32::from(self.page.nodes()[run.node as usize].level);
            // What was opened and is open no more was closed.
            block.markup += (2 * passed.opened + self.level).saturating_sub(level);
            self.level = level;
            block.links = block.links.saturating_add(passed.links);
            block.tags = block.tags.saturating_add(passed.tags);
            self.breaks_in_row = 0;
        }
    }

    /// Passes over runs that are no text of the page.
    fn skip(&mut self, from: u32, to: u32) {
        let blocks = self.out.blocks.len() as u32;
        for _ in from..to {
            self.out.blocks_before.push(blocks);
        }
        self.cut = true;
    }
}

/// Whether an element's name has a hyphen.
fn is_custom(page: &Page<'_>, node: &Node) -> bool {
    let source = page.html().as_bytes();
    let name = source.get(node.byte_start as usize + 1..).unwrap_or_default();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    name.iter().take(64).take_while(|byte| !ends(byte)).any(|byte| *byte == b'-')
}

/// Share of linked text.
pub(super) fn link_share(block: &Block) -> f32 {
    block.linked as f32 / block.chars.max(1) as f32
}

/// Whether it reads as a paragraph: much text, few links.
pub(super) fn is_long(block: &Block) -> bool {
    /// Scalars.
    const LONG: u32 = 80;
    block.chars >= LONG && 3 * block.linked < block.chars
}

#[cfg(test)]
mod tests;
