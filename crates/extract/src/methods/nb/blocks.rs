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

/// Stands for no owner and no block.
const NONE: u32 = u32::MAX;

/// An element whose text is that of a block.
#[derive(Clone, Copy, Debug)]
struct Owner {
    node: u32,
    /// `NONE` if it has no text.
    block: u32,
    /// `p` elements of which it is the nearest block element.
    paragraphs: u32,
}

/// Blocks of one page, by number in the order of their first text.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    /// In document order.
    owners: Vec<Owner>,
    /// For each node the number of the owner of its own text; `NONE` outside what is kept.
    owner_of_node: Vec<u32>,
    block_of_run: Vec<u32>,
    counts: Vec<BlockCounts>,
}

impl Columns {
    /// Finds the blocks of a page, and appends what is removed from its body to `removed`.
    pub(crate) fn fill(&mut self, page: &Page<'_>, options: Options, removed: &mut Vec<u32>) {
        self.find_owners(page, options, removed);
        self.group_runs(page, options.merge);
    }

    fn find_owners(&mut self, page: &Page<'_>, options: Options, removed: &mut Vec<u32>) {
        let nodes = page.nodes();
        let (tags, removal) = (options.tags.tags(), options.removal.rules());
        self.owners.clear();
        self.owner_of_node.clear();
        self.owner_of_node.resize(nodes.len(), NONE);
        let Some(body) = nodes.iter().position(|node| node.tag == Tag::BODY) else { return };
        let mut at = body;
        while at < nodes[body].end as usize {
            let node = &nodes[at];
            if removal.removes(node) {
                removed.push(at as u32);
                at = node.end as usize;
                continue;
            }
            let owner = if at == body || tags.contains(node.tag) {
                self.owners.push(Owner { node: at as u32, block: NONE, paragraphs: 0 });
                self.owners.len() as u32 - 1
            } else {
                self.owner_of_node[node.parent as usize]
            };
            if node.tag == Tag::P {
                self.owners[owner as usize].paragraphs += 1;
            }
            self.owner_of_node[at] = owner;
            at += 1;
        }
    }

    fn group_runs(&mut self, page: &Page<'_>, merge: Merge) {
        self.counts.clear();
        self.block_of_run.clear();
        let mut previous: Option<Owner> = None;
        for run in page.runs() {
            let owner = self.owner_of_node[run.node as usize];
            let Some(owner) = self.owners.get_mut(owner as usize).filter(|_| run.counts.chars > 0)
            else {
                self.block_of_run.push(NONE);
                continue;
            };
            if owner.block == NONE {
                let joined =
                    previous.filter(|previous| joins(page, previous.node, owner.node, merge));
                owner.block = joined.map_or(self.counts.len() as u32, |previous| previous.block);
                if joined.is_none() {
                    self.counts.push(BlockCounts::default());
                }
                self.counts[owner.block as usize].paragraphs += owner.paragraphs;
            }
            let linked = run.flags.contains(RunFlags::IN_LINK);
            self.counts[owner.block as usize] += BlockCounts {
                unlinked: if linked { 0 } else { run.counts.chars },
                linked: if linked { run.counts.chars } else { 0 },
                punctuation: run.counts.punctuation,
                paragraphs: 0,
            };
            self.block_of_run.push(owner.block);
            previous = Some(*owner);
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
    for owner in &columns.owners {
        if let Some(block) = blocks.get_mut(owner.block as usize) {
            block.nodes.push(owner.node);
        }
    }
    for (run, block) in columns.block_of_run.iter().enumerate() {
        if let Some(block) = blocks.get_mut(*block as usize) {
            block.runs.push(run as u32);
        }
    }
    blocks
}
