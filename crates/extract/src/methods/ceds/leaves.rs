//! The leaves of a page: where they stand, how deep, and which block they belong to.

use super::Root;
use crate::removal::Removal;
use huller_page::{Node, Page, Run, Tag};

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// A run of text or an image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// The run or the image itself.
    itself: Root,
    /// Level of the real node.
    pub(super) level: u16,
    /// Root of its block.
    pub(super) block: Root,
    /// The link it lies in, or `NONE`.
    pub(super) link: u32,
}

impl Leaf {
    /// The element it stands in.
    pub(super) fn parent(&self, page: &Page<'_>) -> u32 {
        match self.itself {
            Root::Run(run) => page.runs()[run as usize].node,
            Root::Node(image) => page.nodes()[image as usize].parent,
        }
    }

    /// Level of the innermost element that holds this leaf and one behind it. From neighbour to neighbour every element is left
    /// once, so for all of them together this costs no more than there are elements.
    pub(super) fn common_level(&self, page: &Page<'_>, next: &Leaf) -> u16 {
        let nodes = page.nodes();
        let (mut common, next) = (self.parent(page), next.parent(page));
        while nodes[common as usize].end <= next || next < common {
            common = nodes[common as usize].parent;
        }
        nodes[common as usize].level
    }

    /// The run, unless it is an image.
    pub(super) fn run(&self) -> Option<u32> {
        match self.itself {
            Root::Run(run) => Some(run),
            Root::Node(_) => None,
        }
    }
}

/// What the sweeps know of a node.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Child elements but `br` and `wbr`, and runs.
    children: u32,
    /// The highest element that holds nothing but this one.
    top: u32,
    /// The outermost block this node lies in, or `NONE`.
    block: u32,
    /// The innermost link this node lies in, or `NONE`.
    link: u32,
}

/// The leaves of one page in document order.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    pub(super) leaves: Vec<Leaf>,
    places: Vec<Place>,
}

/// The leaves found so far.
struct List<'a> {
    places: &'a mut [Place],
    leaves: &'a mut Vec<Leaf>,
}

impl List<'_> {
    #[inline]
    fn add_element(&mut self, at: u32, node: &Node) {
        let Node { tag, parent, .. } = *node;
        let Place { children, link, .. } = &mut self.places[parent as usize];
        *children += u32::from(tag != Tag::BR && tag != Tag::WBR);
        let link = *link;
        self.places[at as usize].link = if tag == Tag::A { at } else { link };
        if tag == Tag::IMG {
            self.leaves.push(Leaf {
                itself: Root::Node(at),
                level: 0,
                block: Root::Node(at),
                link,
            });
        }
    }

    #[inline]
    fn add_run(&mut self, at: u32, run: &Run) {
        let Place { children, link, .. } = &mut self.places[run.node as usize];
        *children += 1;
        let link = *link;
        self.leaves.push(Leaf { itself: Root::Run(at), level: 0, block: Root::Run(at), link });
    }
}

impl Leaves {
    /// Finds the leaves below `body`; what is removed is appended to `removed`.
    pub(super) fn fill(
        &mut self,
        page: &Page<'_>,
        body: u32,
        removal: &Removal,
        removed: &mut Vec<u32>,
    ) {
        self.collect(page, body, removal, removed);
        self.raise(page, body);
        self.fuse(page, body);
    }

    /// Lists the leaves and counts children.
    fn collect(&mut self, page: &Page<'_>, body: u32, removal: &Removal, removed: &mut Vec<u32>) {
        let (nodes, runs) = (page.nodes(), page.runs());
        self.leaves.clear();
        self.places.clear();
        let unknown = Place { children: 0, top: NONE, block: NONE, link: NONE };
        self.places.resize(nodes.len(), unknown);
        let mut list = List { places: &mut self.places, leaves: &mut self.leaves };
        let Node { end, run_start, run_end, .. } = nodes[body as usize];
        let (mut at, mut run) = (body, run_start);
        while at < end {
            let node = &nodes[at as usize];
            while run < node.run_start {
                list.add_run(run, &runs[run as usize]);
                run += 1;
            }
            if removal.removes(node) {
                removed.push(at);
                at = node.end;
                run = run.max(node.run_end);
                continue;
            }
            list.add_element(at, node);
            at += 1;
        }
        while run < run_end {
            list.add_run(run, &runs[run as usize]);
            run += 1;
        }
    }

    /// Finds the real node of every leaf, which stands in `block` until the blocks are known, and marks what is a block:
    /// the parent of two neighbouring real nodes.
    fn raise(&mut self, page: &Page<'_>, body: u32) {
        let nodes = page.nodes();
        for at in body + 1..nodes[body as usize].end {
            let parent = nodes[at as usize].parent;
            let alone = parent != body && self.places[parent as usize].children == 1;
            self.places[at as usize].top =
                if alone { self.places[parent as usize].top } else { at };
        }
        let mut last_parent = NONE;
        for leaf in &mut self.leaves {
            let real = match leaf.itself {
                Root::Node(image) => Root::Node(self.places[image as usize].top),
                Root::Run(run) => {
                    let parent = page.runs()[run as usize].node;
                    let Place { children, top, .. } = self.places[parent as usize];
                    if parent != body && children == 1 { Root::Node(top) } else { leaf.itself }
                }
            };
            let parent = match real {
                Root::Node(node) => nodes[node as usize].parent,
                Root::Run(run) => page.runs()[run as usize].node,
            };
            leaf.level = nodes[parent as usize].level + 1;
            leaf.block = real;
            if parent == last_parent && parent != body {
                self.places[parent as usize].block = parent;
            }
            last_parent = parent;
        }
    }

    /// Gives every leaf its block: the outermost that is marked, else its real node.
    fn fuse(&mut self, page: &Page<'_>, body: u32) {
        let nodes = page.nodes();
        for at in body + 1..nodes[body as usize].end {
            let outer = self.places[nodes[at as usize].parent as usize].block;
            if outer != NONE {
                self.places[at as usize].block = outer;
            }
        }
        for leaf in &mut self.leaves {
            let block = self.places[leaf.parent(page) as usize].block;
            if block != NONE {
                leaf.block = Root::Node(block);
            }
        }
    }
}
