//! The open part of the tree, and how elements open and close in it.

use super::foster_moves::FosterMoves;
use crate::attribute::AttributeName;
use crate::columns::{Columns, OpenedNode, OwnAttributes, canonical_tags};
use crate::node::NodeFlags;
use crate::open_elements::{ElementKind, INTEGRATION_POINTS, InheritedFacts, OpenElements};
use crate::span::Span;
use crate::tag::{Tag, TagSet};

/// The columns so far, the open elements, and the state since the last of them opened or closed.
pub(super) struct OpenTree<'a, 'b> {
    pub(super) html: &'a str,
    pub(super) columns: &'b mut Columns,
    pub(super) open: &'b mut OpenElements,
    /// The content that belongs before the table around it.
    pub(super) fostered: &'b mut FosterMoves,
    /// Node of `body`, once it is open.
    pub(super) body: Option<u32>,
    /// Whether the page has frames instead of a body. The body is then empty.
    pub(super) has_frames: bool,
    /// Whether a form is open by the rules of forms: until its end tag, even if the element around
    /// it has ended.
    pub(super) in_form: bool,
    /// Number of elements opened below [`MAX_DEPTH`](crate::open_elements::MAX_DEPTH) and not
    /// closed yet.
    pub(super) suppressed: u32,
    /// The tag of the last start tag, if no end tag has come since.
    pub(super) last_start: Tag,
    /// Whether white space is directly before the present position, in the innermost open element.
    pub(super) pending_space: bool,
    /// The smallest level among the elements that were open since the last run.
    pub(super) min_level: u32,
}

impl<'a, 'b> OpenTree<'a, 'b> {
    pub(super) fn new(
        html: &'a str,
        columns: &'b mut Columns,
        open: &'b mut OpenElements,
        fostered: &'b mut FosterMoves,
    ) -> OpenTree<'a, 'b> {
        OpenTree {
            html,
            columns,
            open,
            fostered,
            body: None,
            has_frames: false,
            in_form: false,
            suppressed: 0,
            last_start: Tag::UNKNOWN,
            pending_space: false,
            min_level: 1,
        }
    }

    /// Returns the node of `body`. Opens it at `offset` if it is not open yet.
    pub(super) fn ensure_body(&mut self, offset: u32) -> u32 {
        if let Some(body) = self.body {
            return body;
        }
        self.close_down_to(1, offset);
        let body = self.columns.open(OpenedNode::implied(Tag::BODY, 2, offset));
        let inherited = self.open.child(true);
        self.open.push(
            body,
            Tag::BODY,
            ElementKind::from_tag(Tag::BODY),
            inherited,
            NodeFlags::NONE,
        );
        self.body = Some(body);
        body
    }

    /// Returns the facts that a text at the present position inherits.
    #[inline(always)]
    pub(super) fn child_text(&mut self, offset: u32) -> InheritedFacts {
        let inherited = self.open.child(true);
        if inherited.flags.contains(NodeFlags::FOSTERS) {
            return self.fostered_child(FosterMoves::add_run, offset, true);
        }
        inherited
    }

    /// Returns the facts that an element at the present position inherits.
    #[inline(always)]
    pub(super) fn child_element(&mut self, tag: Tag, offset: u32) -> InheritedFacts {
        let counted = !tag.is(TagSet::UNCOUNTED);
        let inherited = self.open.child(counted);
        if inherited.flags.contains(NodeFlags::FOSTERS) && !self.may_stand_in_table(tag) {
            return self.fostered_child(FosterMoves::add_node, offset, counted);
        }
        inherited
    }

    /// Returns whether an element directly in a table stays in its place.
    fn may_stand_in_table(&self, tag: Tag) -> bool {
        tag.is(TagSet::UNFOSTERED)
            || tag == Tag::INPUT && {
                let attributes = self.columns.attributes.current().iter();
                let mut kinds = attributes.filter(|a| a.name == AttributeName::Type);
                kinds.any(|a| a.value.slice(self.html.as_bytes()).eq_ignore_ascii_case(b"hidden"))
            }
    }

    /// Returns the facts that misplaced content of a table inherits: the same as the table. `add`
    /// notes that the content must move before the table.
    #[cold]
    fn fostered_child(
        &mut self,
        add: fn(&mut FosterMoves, &Columns, u32),
        offset: u32,
        counted: bool,
    ) -> InheritedFacts {
        // The content is not a child of the innermost element, so its count there is undone.
        self.open.uncount_child(counted);
        if self.open.current().tag == Tag::COLGROUP {
            self.close_current(offset);
        }
        let table = self.open.bounds().table_context();
        let is_row_or_table =
            self.open.tag(table) == Tag::TABLE && !self.open.current().is_foreign();
        // The content of a template is not shown, so its order does not matter.
        if !is_row_or_table || self.open.topmost(Tag::TEMPLATE) > 0 {
            return self.open.child(counted);
        }
        let node = self.open.node(table);
        add(self.fostered, self.columns, node);
        // White space in a table stays in the table.
        self.pending_space = false;
        self.open.fostered_child(table, counted)
    }

    /// Adds an element without content for an end tag that has no partner.
    pub(super) fn lone_end_tag(&mut self, tag: Tag, span: Span) {
        let inherited = self.child_element(tag, span.start);
        let mut flags = inherited.flags.and(NodeFlags::IN_LINK.union(NodeFlags::PREFORMATTED));
        let space_before = std::mem::take(&mut self.pending_space);
        flags.insert(NodeFlags::if_true(space_before, NodeFlags::SPACE_BEFORE));
        self.columns.open(OpenedNode {
            tag,
            parent: inherited.parent,
            level: inherited.level as u16,
            flags,
            span,
            markup_chars: canonical_tags(tag.name().len() as u32, tag.is(TagSet::VOID)),
            attributes: OwnAttributes::default(),
        });
    }

    /// Closes elements until `count` of them are open, or fewer if the next ones were dead.
    #[inline]
    pub(super) fn close_down_to(&mut self, count: usize, offset: u32) {
        while self.open.len() > count {
            self.close_current(offset);
        }
    }

    /// Closes the element at `index`, which ends at `offset`, while special elements in it stay
    /// open.
    pub(super) fn close_around(&mut self, index: usize, offset: u32) {
        if index + 1 == self.open.len() {
            self.close_current(offset);
        } else {
            self.open.kill(index);
        }
    }

    /// Closes the innermost open element, which ends at `offset`, and the dead elements around
    /// it.
    #[inline(always)]
    pub(super) fn close_current(&mut self, offset: u32) {
        self.close_one(offset);
        if self.open.current_is_dead() {
            self.close_dead(offset);
        }
    }

    /// Closes the innermost open elements that are dead.
    #[cold]
    fn close_dead(&mut self, offset: u32) {
        while self.open.current_is_dead() {
            self.close_one(offset);
        }
    }

    #[inline(always)]
    fn close_one(&mut self, offset: u32) {
        let Some(open) = self.open.pop() else { return };
        let (nodes, runs) = (self.columns.nodes.len() as u32, self.columns.runs.len() as u32);
        let node = &mut self.columns.nodes[open.node as usize];
        node.end = nodes;
        node.run_end = runs;
        node.byte_end = offset;
        node.children = u16::try_from(open.children).unwrap_or(u16::MAX);
        if std::mem::take(&mut self.pending_space) {
            node.flags.insert(NodeFlags::SPACE_AT_END);
        }
        self.min_level = self.min_level.min(open.level - 1);
    }

    /// Returns the index of the open `svg` or `math` whose rules hold at the present position; 0 if
    /// the rules of HTML hold.
    #[inline]
    pub(super) fn foreign_root(&self) -> usize {
        if self.open.has_any(Tag::SVG, Tag::MATH) { self.innermost_foreign_root() } else { 0 }
    }

    #[cold]
    fn innermost_foreign_root(&self) -> usize {
        let root = self.open.topmost(Tag::SVG).max(self.open.topmost(Tag::MATH));
        // These elements of a drawing may hold HTML.
        if root == 0 || root < self.open.topmost_of(&INTEGRATION_POINTS) { 0 } else { root }
    }
}
