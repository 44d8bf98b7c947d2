//! Blocks of a page: which element each piece of text belongs to, and which elements count as one.

use super::features::BlockCounts;
use crate::removal;
use crate::selection::Selection;
use crate::tags::Tags;
use huller_page::{AttributeName, Node, Page, RunFlags, Tag};

/// Settings of the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which elements make blocks.
    pub tags: BlockTags,
    /// Which consecutive blocks become one.
    pub merge: Merge,
    /// Which elements don't count.
    pub removal: Removal,
    /// The probability of a bin is its own for all features, and not for two of them that of all bins up to it.
    pub plain_bins: bool,
    /// Weigh in how many blocks of the training pages were theme.
    pub prior: bool,
    /// Select something where no block is theme.
    pub fall_back: bool,
}

/// Which elements make blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockTags {
    /// `table`, `tr`, `td` and `div`.
    Parts,
    /// `table`.
    Tables,
}

/// Which blocks become one with the block just before them in document order, if the two are siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// All of them.
    Siblings,
    /// Those of the same tag.
    SameTag,
    /// Those of the same tag and the same class.
    SameSignature,
    /// None.
    None,
}

/// Which elements don't count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// Scripts, style sheets and the head.
    Core,
    /// Everything in which there is seldom content (specification 0.6, TUNED), and small forms.
    Tuned,
}

static PARTS: Tags = Tags::NONE.and(&[Tag::TABLE, Tag::TR, Tag::TD, Tag::DIV]);
static TABLES: Tags = Tags::NONE.and(&[Tag::TABLE]);
static CORE: removal::Removal = removal::Removal::of(Tags::CORE);
static TUNED: removal::Removal = removal::Removal::of(Tags::TUNED).and_small_forms();

impl BlockTags {
    fn tags(self) -> &'static Tags {
        match self {
            BlockTags::Parts => &PARTS,
            BlockTags::Tables => &TABLES,
        }
    }
}

impl Removal {
    fn rules(self) -> &'static removal::Removal {
        match self {
            Removal::Core => &CORE,
            Removal::Tuned => &TUNED,
        }
    }
}

/// Stands for no node and no block.
const NONE: u32 = u32::MAX;

/// Blocks of one page, by number in the order of their first text.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    /// The element whose text a node's own text is; `NONE` outside what is kept.
    owner: Vec<u32>,
    /// The block of an owner.
    block_of_node: Vec<u32>,
    block_of_run: Vec<u32>,
    counts: Vec<BlockCounts>,
}

impl Columns {
    /// Finds the blocks of a page, and appends what is removed from its body to `removed`.
    pub(crate) fn fill(&mut self, page: &Page<'_>, options: Options, removed: &mut Vec<u32>) {
        self.find_owners(page, options, removed);
        self.group_runs(page, options.merge);
        for (at, node) in page.nodes().iter().enumerate() {
            let owner = self.owner[at];
            if node.tag == Tag::P && owner != NONE {
                let block = self.block_of_node[owner as usize];
                if let Some(counts) = self.counts.get_mut(block as usize) {
                    counts.paragraphs += 1;
                }
            }
        }
    }

    fn find_owners(&mut self, page: &Page<'_>, options: Options, removed: &mut Vec<u32>) {
        let nodes = page.nodes();
        let (tags, removal) = (options.tags.tags(), options.removal.rules());
        self.owner.clear();
        self.owner.resize(nodes.len(), NONE);
        let Some(body) = nodes.iter().position(|node| node.tag == Tag::BODY) else { return };
        let mut at = body;
        while at < nodes[body].end as usize {
            let node = &nodes[at];
            if removal.removes(node) {
                removed.push(at as u32);
                at = node.end as usize;
                continue;
            }
            let is_owner = at == body || tags.contains(node.tag);
            self.owner[at] = if is_owner { at as u32 } else { self.owner[node.parent as usize] };
            at += 1;
        }
    }

    fn group_runs(&mut self, page: &Page<'_>, merge: Merge) {
        let nodes = page.nodes();
        self.counts.clear();
        self.block_of_run.clear();
        self.block_of_node.clear();
        self.block_of_node.resize(nodes.len(), NONE);
        let mut previous: Option<u32> = None;
        for run in page.runs() {
            let owner = self.owner[run.node as usize];
            if owner == NONE || run.counts.chars == 0 {
                self.block_of_run.push(NONE);
                continue;
            }
            let known = self.block_of_node[owner as usize];
            let block = if known == NONE {
                let joined = previous.filter(|previous| joins(page, *previous, owner, merge));
                let block = joined.map_or(self.counts.len() as u32, |previous| {
                    self.block_of_node[previous as usize]
                });
                self.block_of_node[owner as usize] = block;
                block
            } else {
                known
            };
            if block as usize == self.counts.len() {
                self.counts.push(BlockCounts::default());
            }
            let linked = run.flags.contains(RunFlags::IN_LINK);
            self.counts[block as usize] += BlockCounts {
                unlinked: if linked { 0 } else { run.counts.chars },
                linked: if linked { run.counts.chars } else { 0 },
                punctuation: run.counts.punctuation,
                paragraphs: 0,
            };
            self.block_of_run.push(block);
            previous = Some(owner);
        }
    }

    /// What was counted of each block.
    pub(crate) fn counts(&self) -> &[BlockCounts] {
        &self.counts
    }

    /// Selects the text of those blocks that `is_theme` holds for.
    pub(crate) fn select(
        &self,
        page: &Page<'_>,
        is_theme: impl Fn(u32) -> bool,
        out: &mut Selection,
    ) {
        out.is_partial = true;
        let chosen = |block: u32| block != NONE && is_theme(block);
        let mut at = 0;
        while let Some(block) = self.block_of_node.get(at) {
            if chosen(*block) {
                out.roots.push(at as u32);
                at = page.nodes()[at].end as usize;
            } else {
                at += 1;
            }
        }
        for (run, block) in self.block_of_run.iter().enumerate() {
            if chosen(*block) {
                out.push_run(page, run as u32);
            }
        }
    }
}

/// Whether a block that begins with the text of `node` goes on with the block of `previous`.
fn joins(page: &Page<'_>, previous: u32, node: u32, merge: Merge) -> bool {
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

/// A block, for those who want to look inside, and to train.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its elements in document order.
    pub nodes: Vec<u32>,
    /// Its text.
    pub runs: Vec<u32>,
    /// What was counted.
    pub counts: BlockCounts,
}

impl Block {
    /// The block alone, as a selection.
    pub fn selection(&self, page: &Page<'_>) -> Selection {
        let mut selection = Selection { is_partial: true, ..Selection::default() };
        let mut end = 0;
        for node in &self.nodes {
            // Merged blocks are siblings, so none lies in another; the body merges with none.
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

/// All blocks of a page in the order of their first text.
pub fn blocks(page: &Page<'_>, options: &Options) -> Vec<Block> {
    let mut columns = Columns::default();
    columns.fill(page, *options, &mut Vec::new());
    let empty =
        |counts: &BlockCounts| Block { nodes: Vec::new(), runs: Vec::new(), counts: *counts };
    let mut blocks: Vec<Block> = columns.counts.iter().map(empty).collect();
    for (node, block) in columns.block_of_node.iter().enumerate() {
        if let Some(block) = blocks.get_mut(*block as usize) {
            block.nodes.push(node as u32);
        }
    }
    for (run, block) in columns.block_of_run.iter().enumerate() {
        if let Some(block) = blocks.get_mut(*block as usize) {
            block.runs.push(run as u32);
        }
    }
    blocks
}
