//! Where each node lies: what a layout leaves behind.

use huller_page::Node;

/// A rectangle on the page, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rect {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// What is known of one node, and of all in it of which no more is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) node: u32,
    /// Index of its rectangle, or of that of its nearest ancestor that has one.
    pub(super) rect: u32,
    pub(super) has_own_rect: bool,
    /// Width declared, for itself or an ancestor below the body.
    pub(super) is_declared: bool,
    /// As [`Declarations`] has it; the node's only.
    pub(super) background: u32,
    pub(super) font: f32,
}

/// The place of what is not laid out.
pub(super) const NOWHERE: Place = Place {
    node: u32::MAX,
    rect: 0,
    has_own_rect: false,
    is_declared: false,
    background: 0,
    font: 0.0,
};

/// The places of a page's nodes. Made once and refilled.
#[derive(Debug, Default)]
pub(crate) struct Places {
    all: Vec<Place>,
    /// Of each node the index of its place, or of that of its nearest ancestor that has one.
    of_node: Vec<u32>,
    pub(super) rects: Vec<Rect>,
}

impl Places {
    pub(super) fn clear(&mut self, nodes: usize) {
        self.all.clear();
        self.all.push(NOWHERE);
        self.of_node.clear();
        self.of_node.resize(nodes, 0);
        self.rects.clear();
    }

    /// Adds a rectangle; gives its index.
    #[inline]
    pub(super) fn push(&mut self, rect: Rect) -> u32 {
        self.rects.push(rect);
        self.rects.len() as u32 - 1
    }

    /// Gives a node the place of its parent.
    #[inline]
    pub(super) fn inherit(&mut self, at: u32, node: &Node) {
        self.of_node[at as usize] = self.of_node[node.parent as usize];
    }

    /// Gives a node a place of its own.
    #[inline]
    pub(super) fn put(&mut self, place: Place) {
        self.of_node[place.node as usize] = self.all.len() as u32;
        self.all.push(place);
    }

    #[inline]
    pub(super) fn of(&self, node: u32) -> &Place {
        &self.all[self.of_node[node as usize] as usize]
    }

    /// The rectangle of a node. One that is hidden, or no block, takes its nearest laid out ancestor's, and no height.
    pub(crate) fn rect(&self, node: u32) -> Rect {
        let place = self.of(node);
        let rect = self.rects[place.rect as usize];
        if place.node == node && place.has_own_rect { rect } else { Rect { height: 0.0, ..rect } }
    }

    /// The area of a node that has a rectangle of its own, else 0.
    pub(crate) fn area(&self, node: u32) -> f64 {
        let rect = self.rect(node);
        rect.width * rect.height
    }

    /// The background declared for a node, as a number that tells colours apart; `None` where there is none.
    pub(crate) fn background(&self, node: u32) -> Option<u32> {
        let place = self.of(node);
        (place.node == node && place.background != 0).then_some(place.background)
    }

    /// The font size of a node.
    pub(crate) fn font(&self, node: u32) -> f32 {
        self.of(node).font
    }

    /// Whether a width is declared for a node or for one that holds it, below the body.
    pub(crate) fn is_declared(&self, node: u32) -> bool {
        self.of(node).is_declared
    }

    /// Height of the page; 0 where it comes to less than a pixel, as negative margins can bring about.
    pub(crate) fn page_height(&self) -> f64 {
        let height = self.rects.first().map_or(0.0, |rect| rect.height);
        if height < 1.0 { 0.0 } else { height }
    }
}
