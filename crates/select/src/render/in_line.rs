//! Finds text within a line that is not shown: sort keys, former prices, labels.
//!
//! A hidden block may be text that a reader asks for by a click, so extractors judge it. A few
//! hidden words in the middle of a line are not such text.

use super::render_kind::{KIND_OF_TAG, RenderKind};
use crate::hidden_elements::is_hidden;
use huller_page::{AttributeName, Attributes, Node, Page};

/// Largest number of visible scalars of a label. A longer text may be a sentence that a click
/// shows.
const MAX_LABEL_CHARS: u32 = 150;

/// Number of elements in it that are tested.
const MAX_ELEMENTS: usize = 24;

/// Number of elements around it that are searched for its line.
const AROUND: usize = 16;

/// Classes that hide an element, in lower case. Other classes name screens (`hidden-xs`).
const CLASSES: &[&str] = &[
    "d-none",
    "hidden",
    "hide",
    "invisible",
    "is-hidden",
    "screen-reader-only",
    "screen-reader-text",
    "sr-only",
    "u-hidden",
    "visually-hidden",
    "visuallyhidden",
];

/// Returns whether an element in a line is hidden. It must hold only words, and its line must
/// have other text. A cell of a table of data is such a line.
#[inline]
pub(super) fn holds_nothing_shown(
    page: &Page<'_>,
    at: u32,
    node: &Node,
    is_in_cell: bool,
    attributes: &mut Attributes,
) -> bool {
    node.run_start < node.run_end
        && !page.attributes(node).is_empty()
        && (is_hidden(page, node) || is_hidden_by_class(page, node, attributes))
        && is_label(page, at, node, is_in_cell)
        && (is_in_cell || stands_in_line(page, node))
}

/// Returns whether an element is hidden from screen readers by an attribute, and from other readers
/// by a class.
fn is_hidden_by_class(page: &Page<'_>, node: &Node, attributes: &mut Attributes) -> bool {
    let class = page.attribute(node, AttributeName::Class).unwrap_or_default();
    let hides = |word: &str| CLASSES.iter().any(|known| word.eq_ignore_ascii_case(known));
    class.split_ascii_whitespace().any(hides) && {
        let mut all = page.all_attributes(node, attributes);
        all.any(|(name, value)| {
            name.eq_ignore_ascii_case("aria-hidden") && value.trim().eq_ignore_ascii_case("true")
        })
    }
}

/// Returns whether an element holds a few words and no formula. Only in a cell it may hold blocks,
/// which are words of a line there.
fn is_label(page: &Page<'_>, at: u32, node: &Node, is_in_cell: bool) -> bool {
    let inside = &page.nodes()[at as usize + 1..node.end as usize];
    let runs = &page.runs()[node.runs()];
    inside.len() <= MAX_ELEMENTS
        && runs.len() <= MAX_ELEMENTS
        && runs.iter().map(|run| run.counts.chars).sum::<u32>() <= MAX_LABEL_CHARS
        && inside.iter().all(|inner| match KIND_OF_TAG[inner.tag.index()] {
            RenderKind::Block => is_in_cell,
            RenderKind::Math | RenderKind::Script => false,
            _ => true,
        })
}

/// Returns whether the block that holds an element has other text.
fn stands_in_line(page: &Page<'_>, node: &Node) -> bool {
    let nodes = page.nodes();
    let around = std::iter::successors(Some(node.parent), |at| Some(nodes[*at as usize].parent));
    let block = around
        .take(AROUND)
        .map(|at| &nodes[at as usize])
        .find(|around| KIND_OF_TAG[around.tag.index()] == RenderKind::Block);
    block.is_some_and(|block| block.run_end - block.run_start > node.run_end - node.run_start)
}
