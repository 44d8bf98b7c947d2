//! The memory of one page's tree, which the builder fills.

use crate::memory::clear_and_shrink;
use crate::node::{Node, NodeFlags};
use crate::run::{Run, WhiteRun};
use crate::span::Span;
use crate::tag::Tag;
use crate::tokenizer::Attributes;

/// All columns of one page. The builder clears and refills them for every page, so a worker
/// allocates only while pages are larger than all pages before.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    pub(crate) nodes: Vec<Node>,
    pub(crate) runs: Vec<Run>,
    /// White space in preformatted text.
    pub(crate) white_runs: Vec<WhiteRun>,
    pub(crate) attributes: Attributes,
    /// Indices of the nodes and runs in the order of the source. Both are empty if this is the
    /// document order.
    pub(crate) nodes_in_source: Vec<u32>,
    pub(crate) runs_in_source: Vec<u32>,
    /// Node of the first `title` element outside foreign content.
    pub(crate) title: Option<u32>,
    /// Node of `body`, once the page is complete.
    pub(crate) body: u32,
}

impl Columns {
    pub(crate) fn clear(&mut self) {
        const MAX_KEPT_ENTRIES: usize = 1 << 15;
        clear_and_shrink(&mut self.nodes, MAX_KEPT_ENTRIES);
        clear_and_shrink(&mut self.runs, MAX_KEPT_ENTRIES);
        clear_and_shrink(&mut self.white_runs, MAX_KEPT_ENTRIES);
        clear_and_shrink(&mut self.nodes_in_source, MAX_KEPT_ENTRIES);
        clear_and_shrink(&mut self.runs_in_source, MAX_KEPT_ENTRIES);
        self.attributes.clear_kept(MAX_KEPT_ENTRIES);
        self.title = None;
        self.body = 0;
    }

    /// Adds a node as the last child of its parent, and returns its index.
    #[inline]
    pub(crate) fn open(&mut self, opening: OpenedNode) -> u32 {
        let OpenedNode { tag, parent, level, flags, span, markup_chars, attributes } = opening;
        let index = self.nodes.len() as u32;
        let run = self.runs.len() as u32;
        self.nodes.push(Node {
            parent,
            end: index + 1,
            byte_start: span.start,
            byte_end: span.end,
            run_start: run,
            run_end: run,
            markup_chars: markup_chars + attributes.chars,
            attribute_start: attributes.start,
            attribute_count: attributes.count,
            tag,
            flags,
            level,
            children: 0,
        });
        index
    }

    /// Sets the attributes of a node that was opened before its tag was read.
    pub(crate) fn set_attributes(&mut self, node: u32, attributes: OwnAttributes) {
        let node = &mut self.nodes[node as usize];
        node.attribute_start = attributes.start;
        node.attribute_count = attributes.count;
        node.markup_chars += attributes.chars;
    }
}

/// Facts that are known about a node when it opens.
#[derive(Clone, Copy)]
pub(crate) struct OpenedNode {
    pub(crate) tag: Tag,
    /// Index of the parent.
    pub(crate) parent: u32,
    /// Depth: 1 for `html`.
    pub(crate) level: u16,
    pub(crate) flags: NodeFlags,
    /// The start tag; empty if the element is implied.
    pub(crate) span: Span,
    /// Length of the tags without attributes, in scalars.
    pub(crate) markup_chars: u32,
    pub(crate) attributes: OwnAttributes,
}

impl OpenedNode {
    /// Describes `html` or `body`, which every page has, with or without their tags.
    pub(crate) fn implied(tag: Tag, level: u16, offset: u32) -> OpenedNode {
        OpenedNode {
            tag,
            parent: 0,
            level,
            flags: NodeFlags::default(),
            span: Span { start: offset, end: offset },
            markup_chars: canonical_tags(tag.name().len() as u32, false),
            attributes: OwnAttributes::default(),
        }
    }
}

/// The attributes of one node.
#[derive(Clone, Copy, Default)]
pub(crate) struct OwnAttributes {
    /// Index of the first kept attribute.
    pub(crate) start: u32,
    /// Number of kept attributes.
    pub(crate) count: u8,
    /// Length in scalars of all attributes that count towards the node's markup.
    pub(crate) chars: u32,
}

/// Returns the length in scalars of `<name>` and, unless void, `</name>`, for a name of `name`
/// scalars.
pub(crate) fn canonical_tags(name: u32, void: bool) -> u32 {
    2 + name + if void { 0 } else { 3 + name }
}
