//! The part of the tree that is still open, and how it is closed.

use crate::columns::Columns;
use crate::node::NodeFlags;
use crate::open_elements::OpenElements;
use crate::tag::Tag;

/// The columns so far, the elements that are open, and what has been read since the last of them opened or closed.
pub(super) struct OpenTree<'a, 'b> {
    pub(super) html: &'a str,
    pub(super) columns: &'b mut Columns,
    pub(super) open: &'b mut OpenElements,
    /// Number of elements opened below [`MAX_DEPTH`](crate::open_elements::MAX_DEPTH) and not closed yet.
    pub(super) suppressed: u32,
    /// The tag of the last start tag, if no end tag has come since.
    pub(super) last_start: Tag,
    /// Whether white space stands directly before the present position, in the innermost open element.
    pub(super) pending_space: bool,
    /// The smallest level among the elements that were open since the last run.
    pub(super) min_level: u32,
}

impl<'a, 'b> OpenTree<'a, 'b> {
    pub(super) fn new(
        html: &'a str,
        columns: &'b mut Columns,
        open: &'b mut OpenElements,
    ) -> OpenTree<'a, 'b> {
        OpenTree {
            html,
            columns,
            open,
            suppressed: 0,
            last_start: Tag::UNKNOWN,
            pending_space: false,
            min_level: 1,
        }
    }

    /// Closes elements until `place` of them are open.
    #[inline]
    pub(super) fn close_down_to(&mut self, place: usize, at: u32) {
        while self.open.len() > place {
            self.close_current(at);
        }
    }

    /// Closes the innermost open element, which ends at offset `at`.
    #[inline]
    pub(super) fn close_current(&mut self, at: u32) {
        let Some(open) = self.open.pop() else { return };
        let (nodes, runs) = (self.columns.nodes.len() as u32, self.columns.runs.len() as u32);
        let node = &mut self.columns.nodes[open.node as usize];
        node.end = nodes;
        node.run_end = runs;
        node.byte_end = at;
        node.children = u16::try_from(open.children).unwrap_or(u16::MAX);
        if std::mem::take(&mut self.pending_space) {
            node.flags.insert(NodeFlags::SPACE_AT_END);
        }
        self.min_level = self.min_level.min(open.level - 1);
    }

    /// Place of the open `svg` or `math` whose rules hold at the present position; 0 if those of HTML hold.
    #[inline]
    pub(super) fn foreign_root(&self) -> usize {
        if self.open.has_any(Tag::SVG, Tag::MATH) { self.innermost_foreign_root() } else { 0 }
    }

    #[cold]
    fn innermost_foreign_root(&self) -> usize {
        let root = self.open.topmost(Tag::SVG).max(self.open.topmost(Tag::MATH));
        // HTML may stand in these elements of a drawing.
        if root == 0 || root < self.open.topmost_of(&[Tag::FOREIGNOBJECT, Tag::DESC, Tag::TITLE]) {
            0
        } else {
            root
        }
    }
}
