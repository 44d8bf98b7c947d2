//! Finds inline elements that meet without white space between them. Browsers may show them apart
//! by style sheets.

use super::render_kind::{KIND_OF_TAG, RenderKind};
use huller_page::{AttributeName, Node, NodeFlags, Page, Tag};

/// The kind of elements that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InlineBoundary {
    /// Two links, or two pieces of code. They are mostly words of their own.
    Alike,
    /// Other inline elements.
    Others,
}

/// Returns whether an inline element begins directly after an end tag, and the kind of the two
/// elements.
pub(super) fn inline_boundary(page: &Page<'_>, index: u32, node: &Node) -> Option<InlineBoundary> {
    /// Longest end tag that is read, in bytes without its `>` and the white space before that.
    const MAX_END_TAG_BYTES: usize = 9;
    /// Largest number of bytes of white space before a `>`. Formatters put line breaks there, so
    /// that no white space is between elements.
    const MAX_SPACE_BYTES: usize = 120;
    if node.flags.contains(NodeFlags::SPACE_BEFORE) || matches!(node.tag, Tag::SUP | Tag::SUB) {
        return None;
    }
    let source_before = &page.html().as_bytes()[..node.byte_start as usize];
    let source_before = source_before.strip_suffix(b">")?;
    let window = source_before
        [source_before.len().saturating_sub(MAX_END_TAG_BYTES + MAX_SPACE_BYTES)..]
        .trim_ascii_end();
    let window = &window[window.len().saturating_sub(MAX_END_TAG_BYTES)..];
    let start = window.iter().rposition(|byte| *byte == b'<')?;
    let name = window[start + 1..].strip_prefix(b"/")?;
    match Tag::from_name(name) {
        Tag::A if node.tag == Tag::A && !is_link_in_pieces(page, index, node) => {
            Some(InlineBoundary::Alike)
        }
        Tag::CODE if node.tag == Tag::CODE => Some(InlineBoundary::Alike),
        Tag::UNKNOWN | Tag::SUP | Tag::SUB => None,
        tag if KIND_OF_TAG[tag.index()] == RenderKind::Inline || tag == Tag::A => {
            Some(InlineBoundary::Others)
        }
        _ => None,
    }
}

/// Returns whether a link has the same address as the link directly before it: one link, written in
/// pieces.
fn is_link_in_pieces(page: &Page<'_>, index: u32, node: &Node) -> bool {
    let nodes = page.nodes();
    let mut previous = index - 1;
    while previous > node.parent && nodes[previous as usize].parent != node.parent {
        previous = nodes[previous as usize].parent;
    }
    let href = |node| page.attribute(node, AttributeName::Href);
    href(&nodes[previous as usize]) == href(node)
}
