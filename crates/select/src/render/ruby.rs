//! Finds readings of characters (`ruby`), which browsers set small above them. In a line of text
//! they have brackets.

use huller_page::{Node, Page, Tag};

/// Returns whether a reading lacks brackets: it has no `rp` beside it, and no reading in it, which
/// would have its own.
pub(super) fn is_bare(page: &Page<'_>, at: u32, node: &Node) -> bool {
    /// Number of elements between it and the `rp` that are tested.
    const NEAR: usize = 8;
    let nodes = page.nodes();
    let inside = &nodes[at as usize + 1..node.end as usize];
    let holds_reading = inside.iter().take(NEAR).any(|inner| inner.tag == Tag::RT);
    let after = nodes.get(node.end as usize).filter(|next| next.parent == node.parent);
    let is_closed = after.is_some_and(|next| next.tag == Tag::RP && next.run_start < next.run_end);
    let before = (node.parent + 1..at).rev().take(NEAR).map(|before| &nodes[before as usize]);
    let mut siblings = before.filter(|before| before.parent == node.parent);
    let is_opened = siblings
        .next()
        .is_some_and(|before| before.tag == Tag::RP && before.run_end == node.run_start);
    !(holds_reading || is_closed || is_opened)
}
