//! Finds the blocks of a page: the block element of each run, and the block elements that merge
//! into one block.

use super::features::BlockCounts;
use super::options::{Merge, Options};
use huller_page::{AttributeName, Node, Page, Run, RunFlags, Tag};
use huller_select::Selection;

/// Marks a missing owner or block.
const NONE: u32 = u32::MAX;

/// An element that owns text: the body, or an element with a block tag.
#[derive(Clone, Copy, Debug)]
struct TextOwner {
    /// Index of the element.
    node: u32,
    /// Index of the owner around it; `NONE` for the body.
    around: u32,
    /// Index of the owner's block; `NONE` if the owner has no text.
    block: u32,
    /// Number of `p` elements whose nearest block element this is.
    paragraphs: u32,
}

/// The blocks of one page, numbered in the order of their first text.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    /// The owners in document order.
    owners: Vec<TextOwner>,
    /// For each node, the index of the owner of its own text; `NONE` outside the body and in
    /// removed elements.
    owner_of_node: Vec<u32>,
    /// For each run, the index of its block; `NONE` outside of blocks.
    block_of_run: Vec<u32>,
    counts: Vec<BlockCounts>,
    /// The counts of each owner's subtree; filled only if blocks overlap.
    subtrees: Vec<BlockCounts>,
}

impl Columns {
    /// Finds the blocks of a page, and appends the nodes removed from its body to `removed`.
    pub(crate) fn fill(&mut self, page: &Page<'_>, options: Options, removed: &mut Vec<u32>) {
        self.find_owners(page, options, removed);
        self.group_runs(page, options.merge);
        if options.overlap {
            self.count_subtrees(page);
        }
    }

    /// Replaces the counts of each block by those of the subtrees of its owners. Owners of one
    /// block are siblings, so a run is counted once per block.
    fn count_subtrees(&mut self, page: &Page<'_>) {
        let Columns { owners, owner_of_node, block_of_run, counts, subtrees } = self;
        subtrees.clear();
        let own_counts = |owner: &TextOwner| BlockCounts {
            paragraphs: owner.paragraphs,
            ..BlockCounts::default()
        };
        subtrees.extend(owners.iter().map(own_counts));
        for (run, block) in page.runs().iter().zip(block_of_run.iter()) {
            if *block != NONE {
                subtrees[owner_of_node[run.node as usize] as usize] += count_run(run);
            }
        }
        counts.fill(BlockCounts::default());
        for (index, owner) in owners.iter().enumerate().rev() {
            let subtree = subtrees[index];
            if let Some(outer) = subtrees.get_mut(owner.around as usize) {
                *outer += subtree;
            }
            if let Some(counts) = counts.get_mut(owner.block as usize) {
                *counts += subtree;
            }
        }
    }

    fn find_owners(&mut self, page: &Page<'_>, options: Options, removed: &mut Vec<u32>) {
        let nodes = page.nodes();
        let (tags, removal) = (options.tags.tags(), options.removal.rules());
        self.owners.clear();
        self.owner_of_node.clear();
        self.owner_of_node.resize(nodes.len(), NONE);
        let body = page.body() as usize;
        let mut index = body;
        while index < nodes[body].end as usize {
            let node = &nodes[index];
            if removal.removes(node) {
                removed.push(index as u32);
                index = node.end as usize;
                continue;
            }
            let owner = if index == body || tags.contains(node.tag) {
                let around =
                    if index == body { NONE } else { self.owner_of_node[node.parent as usize] };
                self.owners.push(TextOwner {
                    node: index as u32,
                    around,
                    block: NONE,
                    paragraphs: 0,
                });
                self.owners.len() as u32 - 1
            } else {
                self.owner_of_node[node.parent as usize]
            };
            if node.tag == Tag::P {
                self.owners[owner as usize].paragraphs += 1;
            }
            self.owner_of_node[index] = owner;
            index += 1;
        }
    }

    fn group_runs(&mut self, page: &Page<'_>, merge: Merge) {
        self.counts.clear();
        self.block_of_run.clear();
        let mut previous: Option<TextOwner> = None;
        for run in page.runs() {
            let owner = self.owner_of_node[run.node as usize];
            let Some(owner) = self.owners.get_mut(owner as usize).filter(|_| run.counts.chars > 0)
            else {
                self.block_of_run.push(NONE);
                continue;
            };
            if owner.block == NONE {
                let joined =
                    previous.filter(|previous| joins_block(page, previous.node, owner.node, merge));
                owner.block = joined.map_or(self.counts.len() as u32, |previous| previous.block);
                if joined.is_none() {
                    self.counts.push(BlockCounts::default());
                }
                self.counts[owner.block as usize].paragraphs += owner.paragraphs;
            }
            self.counts[owner.block as usize] += count_run(run);
            self.block_of_run.push(owner.block);
            previous = Some(*owner);
        }
    }

    /// Returns the counts of each block.
    pub(crate) fn counts(&self) -> &[BlockCounts] {
        &self.counts
    }

    /// Returns the block of each run that belongs to a block.
    pub(crate) fn block_of_runs(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..).zip(self.block_of_run.iter().copied()).filter(|(_, block)| *block != NONE)
    }

    /// Returns the owner of a run that belongs to a block.
    pub(crate) fn owner_of_run(&self, page: &Page<'_>, run: u32) -> u32 {
        self.owner_of_node[page.runs()[run as usize].node as usize]
    }

    /// Computes for each owner the largest value among the blocks around it. For overlapping
    /// blocks.
    pub(crate) fn spread(&self, of_blocks: &[f64], of_owners: &mut Vec<f64>) {
        of_owners.clear();
        for owner in &self.owners {
            let outer_value = of_owners.get(owner.around as usize).copied();
            let own_value = of_blocks.get(owner.block as usize).copied();
            let [outer_value, own_value] =
                [outer_value, own_value].map(|value| value.unwrap_or(f64::NEG_INFINITY));
            of_owners.push(outer_value.max(own_value));
        }
    }

    /// Selects the text of the owners for which `is_theme` returns true. For overlapping blocks.
    pub(crate) fn select_overlapping(
        &self,
        page: &Page<'_>,
        is_theme: impl Fn(u32) -> bool,
        out: &mut Selection,
    ) {
        out.is_partial = true;
        let mut end = 0;
        for (index, owner) in (0..).zip(&self.owners) {
            if owner.node >= end && is_theme(index) {
                out.roots.push(owner.node);
                end = page.nodes()[owner.node as usize].end;
            }
        }
        for (run, _) in self.block_of_runs() {
            if is_theme(self.owner_of_run(page, run)) {
                out.push_run(page, run);
            }
        }
    }

    /// Selects the text of the blocks for which `is_theme` returns true.
    pub(crate) fn select(
        &self,
        page: &Page<'_>,
        is_theme: impl Fn(u32) -> bool,
        out: &mut Selection,
    ) {
        out.is_partial = true;
        let chosen = |block: u32| block != NONE && is_theme(block);
        let mut end = 0;
        for owner in &self.owners {
            if owner.node >= end && chosen(owner.block) {
                out.roots.push(owner.node);
                end = page.nodes()[owner.node as usize].end;
            }
        }
        for (run, block) in self.block_of_run.iter().enumerate() {
            if chosen(*block) {
                out.push_run(page, run as u32);
            }
        }
    }
}

/// Returns the counts of a single run.
fn count_run(run: &Run) -> BlockCounts {
    let linked = run.flags.contains(RunFlags::IN_LINK);
    BlockCounts {
        unlinked: if linked { 0 } else { run.counts.chars },
        linked: if linked { run.counts.chars } else { 0 },
        punctuation: run.counts.punctuation,
        paragraphs: 0,
    }
}

/// Returns whether the text of `node` continues the block of `previous` instead of beginning a new
/// one.
fn joins_block(page: &Page<'_>, previous: u32, node: u32, merge: Merge) -> bool {
    let (previous, node) = (&page.nodes()[previous as usize], &page.nodes()[node as usize]);
    let siblings =
        node.parent == previous.parent && node.tag != Tag::BODY && previous.tag != Tag::BODY;
    let class = |node: &Node| page.attribute(node, AttributeName::Class);
    siblings
        && match merge {
            Merge::Siblings => true,
            Merge::SameTag => node.tag == previous.tag,
            Merge::SameSignature => node.tag == previous.tag && class(node) == class(previous),
            Merge::None => false,
        }
}

/// A block of a page, for training and tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its block elements in document order, as indices of nodes.
    pub nodes: Vec<u32>,
    /// Its text runs, as indices.
    pub runs: Vec<u32>,
    /// Its counts.
    pub counts: BlockCounts,
}

impl Block {
    /// Returns a selection of this block alone.
    pub fn selection(&self, page: &Page<'_>) -> Selection {
        let mut selection = Selection { is_partial: true, ..Selection::default() };
        let mut end = 0;
        for node in &self.nodes {
            // Merged elements are siblings, so they do not contain each other; the body never
            // merges.
            if *node >= end {
                selection.roots.push(*node);
                end = page.nodes()[*node as usize].end;
            }
        }
        for run in &self.runs {
            selection.push_run(page, *run);
        }
        selection
    }
}

/// Returns all blocks of a page in the order of their first text.
pub fn blocks(page: &Page<'_>, options: &Options) -> Vec<Block> {
    let mut columns = Columns::default();
    columns.fill(page, *options, &mut Vec::new());
    let empty =
        |counts: &BlockCounts| Block { nodes: Vec::new(), runs: Vec::new(), counts: *counts };
    let mut blocks: Vec<Block> = columns.counts.iter().map(empty).collect();
    for owner in &columns.owners {
        if let Some(block) = blocks.get_mut(owner.block as usize) {
            block.nodes.push(owner.node);
        }
    }
    for (run, _) in columns.block_of_runs() {
        let mut owner = columns.owners.get(columns.owner_of_run(page, run) as usize);
        while let Some(TextOwner { block, around, .. }) = owner {
            if let Some(block) = blocks.get_mut(*block as usize) {
                block.runs.push(run);
            }
            owner = columns.owners.get(*around as usize).filter(|_| options.overlap);
        }
    }
    blocks
}
