//! Finds the leaves of a page, their levels and their blocks.

use super::options::Nesting;
use crate::removal::Removal;
use huller_page::{Node, Page, Run, Tag};

/// The part of a page that a block covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockRoot {
    /// An element with all its content.
    Node(u32),
    /// A run of text that has siblings but no neighbouring leaf with the same parent.
    Run(u32),
}

/// Marks a missing parent or link.
pub(super) const NONE: u32 = u32::MAX;

/// A run of text or an image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// The run or the image itself.
    itself: BlockRoot,
    /// Its parent element.
    pub(super) parent: u32,
    /// Level of its real node.
    pub(super) level: u16,
    /// Root of its block.
    pub(super) block: BlockRoot,
    /// Number of the link that holds it, or `NONE`.
    pub(super) link: u32,
}

impl Leaf {
    fn new(itself: BlockRoot, parent: u32, link: u32) -> Leaf {
        Leaf { itself, parent, level: 0, block: itself, link }
    }

    /// Returns the level of the innermost element around this leaf and a later one. The caller
    /// passes each pair of neighbours in turn. Each element is then left once, so all calls
    /// together cost O(elements).
    pub(super) fn common_level(&self, page: &Page<'_>, next_leaf: &Leaf) -> u16 {
        let nodes = page.nodes();
        let (mut common, next_parent) = (self.parent, next_leaf.parent);
        while nodes[common as usize].end <= next_parent || next_parent < common {
            common = nodes[common as usize].parent;
        }
        nodes[common as usize].level
    }

    /// Returns the run; `None` if the leaf is an image.
    pub(super) fn run(&self) -> Option<u32> {
        match self.itself {
            BlockRoot::Run(run) => Some(run),
            BlockRoot::Node(_) => None,
        }
    }
}

/// Facts that the sweep collects about a node.
#[derive(Clone, Copy, Debug)]
struct NodeFacts {
    /// Number of child elements (without `br` and `wbr`) and child runs.
    children: u32,
    /// Number of the innermost link that is or contains this node, or `NONE`.
    link: u32,
}

/// The leaves of one page in document order.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    pub(super) all: Vec<Leaf>,
    /// Number of links.
    pub(super) links: u32,
    facts: Vec<NodeFacts>,
    /// The outermost blocks, in document order. If the innermost blocks count, all blocks, in any
    /// order.
    blocks: Vec<u32>,
    /// For each node, the innermost block that is or contains it, or `NONE`. Filled only if the
    /// innermost blocks count.
    innermost: Vec<u32>,
    /// For each leaf, the index of the first leaf of its block, and its own index.
    order: Vec<(u32, u32)>,
    sorted: Vec<Leaf>,
}

impl Leaves {
    /// Finds the leaves below `body`, and appends the removed nodes to `removed`. Leaves are in
    /// document order. If the innermost blocks count, the leaves of each block are moved together.
    pub(super) fn fill(
        &mut self,
        page: &Page<'_>,
        body: u32,
        removal: &Removal,
        nesting: Nesting,
        removed: &mut Vec<u32>,
    ) {
        self.list_leaves(page, body, removal, removed);
        self.find_real_nodes(page, body, nesting);
        match nesting {
            Nesting::Outermost => self.assign_blocks(page),
            Nesting::Innermost => self.fuse_innermost(page),
        }
    }

    /// Lists the leaves, counts children and numbers links.
    fn list_leaves(
        &mut self,
        page: &Page<'_>,
        body: u32,
        removal: &Removal,
        removed: &mut Vec<u32>,
    ) {
        let (nodes, runs) = (page.nodes(), page.runs());
        self.all.clear();
        self.links = 0;
        self.facts.clear();
        self.facts.resize(nodes.len(), NodeFacts { children: 0, link: NONE });
        let Node { end, run_start, run_end, .. } = nodes[body as usize];
        let (mut index, mut run) = (body, run_start);
        loop {
            let node = (index < end).then(|| &nodes[index as usize]);
            let next_run = node.map_or(run_end, |node| node.run_start);
            while run < next_run {
                self.add_run(run, &runs[run as usize]);
                run += 1;
            }
            let Some(node) = node else { break };
            if removal.removes(node) {
                removed.push(index);
                index = node.end;
                run = run.max(node.run_end);
                continue;
            }
            self.add_element(index, node);
            index += 1;
        }
    }

    #[inline]
    fn add_element(&mut self, index: u32, node: &Node) {
        let parent = &mut self.facts[node.parent as usize];
        parent.children += u32::from(node.tag != Tag::BR && node.tag != Tag::WBR);
        let link = parent.link;
        self.facts[index as usize].link = if node.tag == Tag::A {
            self.links += 1;
            self.links - 1
        } else {
            link
        };
        if node.tag == Tag::IMG {
            self.all.push(Leaf::new(BlockRoot::Node(index), node.parent, link));
        }
    }

    #[inline]
    fn add_run(&mut self, index: u32, run: &Run) {
        let parent = &mut self.facts[run.node as usize];
        parent.children += 1;
        self.all.push(Leaf::new(BlockRoot::Run(index), run.node, parent.link));
    }

    /// Finds the real node of every leaf, and keeps it in `block` until the blocks are known. Lists
    /// the blocks: the parents of two neighbouring real nodes. An element with one child contains
    /// one leaf, so each element is climbed at most once.
    fn find_real_nodes(&mut self, page: &Page<'_>, body: u32, nesting: Nesting) {
        let nodes = page.nodes();
        let Leaves { all, facts, blocks, .. } = self;
        blocks.clear();
        let mut last_parent = NONE;
        for leaf in all {
            let mut parent = leaf.parent;
            while parent != body && facts[parent as usize].children == 1 {
                leaf.block = BlockRoot::Node(parent);
                parent = nodes[parent as usize].parent;
            }
            leaf.level = nodes[parent as usize].level + 1;
            if parent == last_parent && parent != body {
                match nesting {
                    Nesting::Outermost => add_block(nodes, parent, blocks),
                    Nesting::Innermost => blocks.push(parent),
                }
            }
            last_parent = parent;
        }
    }

    /// Sets the block of every leaf: the listed block around it, or its real node if it has none.
    fn assign_blocks(&mut self, page: &Page<'_>) {
        let nodes = page.nodes();
        let mut blocks = self.blocks.iter().copied().peekable();
        for leaf in &mut self.all {
            let parent = leaf.parent;
            while blocks.next_if(|block| nodes[*block as usize].end <= parent).is_some() {}
            if let Some(block) = blocks.peek().filter(|block| **block <= parent) {
                leaf.block = BlockRoot::Node(*block);
            }
        }
    }
}

impl Leaves {
    /// Sets the block of every leaf: the innermost block around it, or its real node if it has
    /// none. Then moves the leaves of each block together, with blocks in the order of their first
    /// leaves.
    fn fuse_innermost(&mut self, page: &Page<'_>) {
        let Leaves { all, blocks, innermost, order, sorted, .. } = self;
        let nodes = page.nodes();
        innermost.clear();
        innermost.resize(nodes.len(), NONE);
        for block in blocks.iter() {
            innermost[*block as usize] = *block;
        }
        for index in 1..nodes.len() {
            if innermost[index] == NONE {
                innermost[index] = innermost[nodes[index].parent as usize];
            }
        }
        for leaf in all.iter_mut() {
            let block = innermost[leaf.parent as usize];
            if block != NONE {
                leaf.block = BlockRoot::Node(block);
            }
        }
        // From here on, `innermost` holds the index of the first leaf of each block.
        innermost.fill(NONE);
        order.clear();
        for (leaf_index, leaf) in (0..).zip(all.iter()) {
            let first = match leaf.block {
                BlockRoot::Run(_) => leaf_index,
                BlockRoot::Node(block) => {
                    let first = &mut innermost[block as usize];
                    *first = (*first).min(leaf_index);
                    *first
                }
            };
            order.push((first, leaf_index));
        }
        order.sort_unstable();
        sorted.clear();
        sorted.extend(order.iter().map(|(_, leaf_index)| all[*leaf_index as usize]));
        std::mem::swap(all, sorted);
    }
}

/// Adds a block around the present leaf and the one before it, unless one of `blocks` contains the
/// new block. Drops the blocks within the new one. These are the last of `blocks`, because they
/// begin before the present leaf.
fn add_block(nodes: &[Node], block: u32, blocks: &mut Vec<u32>) {
    let holds = |outer: u32| outer <= block && block < nodes[outer as usize].end;
    if blocks.last().is_some_and(|last_block| holds(*last_block)) {
        return;
    }
    while blocks.pop_if(|last_block| *last_block > block).is_some() {}
    blocks.push(block);
}
