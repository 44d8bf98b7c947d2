//! The result of a layout: the box of each node.

use huller_page::Node;

/// A rectangle on the page, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rect {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// The box of a node. Descendants without a box use it too.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeBox {
    /// Index of the node.
    pub(super) node: u32,
    /// Index of the rectangle of the node or of its nearest ancestor that has one.
    pub(super) rect: u32,
    pub(super) has_own_rect: bool,
    /// Whether the node, or an ancestor below the body, declares a width.
    pub(super) is_declared: bool,
    /// The node's own background, as in `Declarations`; 0 if unknown.
    pub(super) background: u32,
    /// Font size in pixels.
    pub(super) font: f32,
}

/// The box of nodes that are not laid out.
pub(super) const NO_BOX: NodeBox = NodeBox {
    node: u32::MAX,
    rect: 0,
    has_own_rect: false,
    is_declared: false,
    background: 0,
    font: 0.0,
};

/// The boxes of a page's nodes. Created once and refilled.
#[derive(Debug, Default)]
pub(crate) struct Boxes {
    all: Vec<NodeBox>,
    /// For each node, the index in `all` of its box or of its nearest ancestor's box.
    of_node: Vec<u32>,
    pub(super) rects: Vec<Rect>,
}

impl Boxes {
    pub(super) fn clear(&mut self, nodes: usize) {
        self.all.clear();
        self.all.push(NO_BOX);
        self.of_node.clear();
        self.of_node.resize(nodes, 0);
        self.rects.clear();
    }

    /// Adds a rectangle and returns its index.
    #[inline]
    pub(super) fn push(&mut self, rect: Rect) -> u32 {
        self.rects.push(rect);
        self.rects.len() as u32 - 1
    }

    /// Gives a node the box of its parent.
    #[inline]
    pub(super) fn inherit(&mut self, index: u32, node: &Node) {
        self.of_node[index as usize] = self.of_node[node.parent as usize];
    }

    /// Gives a node a box of its own.
    #[inline]
    pub(super) fn insert(&mut self, node_box: NodeBox) {
        self.of_node[node_box.node as usize] = self.all.len() as u32;
        self.all.push(node_box);
    }

    #[inline]
    pub(super) fn get(&self, node: u32) -> &NodeBox {
        &self.all[self.of_node[node as usize] as usize]
    }

    /// Returns the rectangle of a node. A hidden node or an inline element has the rectangle of its
    /// nearest laid-out ancestor, with height 0.
    pub(crate) fn rect(&self, node: u32) -> Rect {
        let node_box = self.get(node);
        let rect = self.rects[node_box.rect as usize];
        if node_box.node == node && node_box.has_own_rect {
            rect
        } else {
            Rect { height: 0.0, ..rect }
        }
    }

    /// Returns the area of a node in square pixels; 0 if it has no rectangle of its own.
    pub(crate) fn area(&self, node: u32) -> f64 {
        let rect = self.rect(node);
        rect.width * rect.height
    }

    /// Returns the background declared for a node as a number; equal numbers are equal colours.
    /// `None` if the node declares no background.
    pub(crate) fn background(&self, node: u32) -> Option<u32> {
        let node_box = self.get(node);
        (node_box.node == node && node_box.background != 0).then_some(node_box.background)
    }

    /// Returns the font size of a node, in pixels.
    pub(crate) fn font(&self, node: u32) -> f32 {
        self.get(node).font
    }

    /// Returns whether a node, or an ancestor of it below the body, declares a width.
    pub(crate) fn is_declared(&self, node: u32) -> bool {
        self.get(node).is_declared
    }

    /// Returns the height of the page in pixels; 0 if it is less than one pixel, which negative
    /// margins can cause.
    pub(crate) fn page_height(&self) -> f64 {
        let height = self.rects.first().map_or(0.0, |rect| rect.height);
        if height < 1.0 { 0.0 } else { height }
    }
}
