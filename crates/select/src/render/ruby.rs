//! Finds readings of characters (`ruby`), which browsers set small above them. In a line of text
//! they have brackets.

use huller_page::{Node, Page, Run, Tag, TagTable};
use std::ops::Range;

/// The parts of a `ruby`, between which browsers show no white space.
const PARTS: TagTable = TagTable::NONE.with(&[Tag::RB, Tag::RP, Tag::RT, Tag::RTC]);

/// Number of elements before an element or a run that are tested.
const NEAR: usize = 8;

/// Returns whether a reading lacks brackets: it has no `rp` beside it, and no reading in it, which
/// would have its own.
pub(super) fn is_bare(page: &Page<'_>, at: u32, node: &Node) -> bool {
    let nodes = page.nodes();
    let inside = &nodes[at as usize + 1..node.end as usize];
    let holds_reading = inside.iter().take(NEAR).any(|inner| inner.tag == Tag::RT);
    let after = nodes.get(node.end as usize).filter(|next| next.parent == node.parent);
    let is_closed = after.is_some_and(|next| next.tag == Tag::RP && next.run_start < next.run_end);
    let is_opened = sibling_before(page, node.parent, at).is_some_and(|before| {
        before.tag == Tag::RP
            && before.run_start < before.run_end
            && before.run_end == node.run_start
    });
    !(holds_reading || is_closed || is_opened)
}

/// Returns the child of `parent` that ends directly before the node `at`, if it is near.
fn sibling_before<'a>(page: &Page<'a>, parent: u32, at: u32) -> Option<&'a Node> {
    let before = (parent + 1..at).rev().take(NEAR).map(|before| &page.nodes()[before as usize]);
    before.into_iter().find(|before| before.parent == parent)
}

/// Returns whether a bracket of the page (`rp`) belongs to a reading without text.
pub(super) fn is_around_nothing(page: &Page<'_>, at: u32, node: &Node) -> bool {
    let after = page.nodes().get(node.end as usize);
    let reading = after
        .filter(|next| next.parent == node.parent && next.tag == Tag::RT)
        .filter(|next| next.run_start == node.run_end)
        .or_else(|| sibling_before(page, node.parent, at));
    reading.is_some_and(|reading| {
        let is_beside = reading.run_start == node.run_end || reading.run_end == node.run_start;
        reading.tag == Tag::RT && reading.runs().is_empty() && is_beside
    })
}

/// Returns whether the white space before an element in a `ruby` is shown.
pub(super) fn shows_space_before(page: &Page<'_>, at: u32, node: &Node) -> bool {
    let around = &page.nodes()[node.parent as usize];
    match node.tag {
        Tag::RT | Tag::RP | Tag::RTC => false,
        Tag::RB => {
            let is_after_part = sibling_before(page, node.parent, at).is_some();
            is_after_part
                && page.runs()[node.runs()].first().is_some_and(|run| begins_word(page, run))
        }
        _ => !is_ruby_or_part(around) || node.run_start > around.run_start,
    }
}

/// Returns whether the white space at the end of an element is shown.
pub(super) fn shows_space_at_end(node: &Node) -> bool {
    !is_ruby_or_part(node)
}

fn is_ruby_or_part(node: &Node) -> bool {
    node.tag == Tag::RUBY || PARTS.contains(node.tag)
}

/// Returns the range of the source of a run in a `ruby` without the white space at its ends that
/// browsers do not show. `at` is the next node. Words with spaces between them keep the space
/// before a base.
pub(super) fn shown_part(page: &Page<'_>, run: &Run, at: u32) -> Range<u32> {
    let (nodes, source) = (page.nodes(), page.run_source(run));
    let parent = &nodes[run.node as usize];
    if !is_ruby_or_part(parent) {
        return run.byte_start..run.byte_end;
    }
    let trims_start = run.node + 1 == at
        || sibling_before(page, run.node, at).is_some_and(|before| PARTS.contains(before.tag))
            && !begins_word(page, run);
    let next = nodes.get(at as usize).filter(|next| next.parent == run.node);
    let trims_end = next.is_none_or(|next| PARTS.contains(next.tag));
    let (mut start, mut end) = (run.byte_start, run.byte_end);
    if trims_start {
        start += (source.len() - source.trim_ascii_start().len()) as u32;
    }
    if trims_end {
        end -= (source.len() - source.trim_ascii_end().len()) as u32;
    }
    start..end
}

/// Returns whether a run begins with a word of a script with spaces between words.
fn begins_word(page: &Page<'_>, run: &Run) -> bool {
    page.run_source(run)
        .trim_start()
        .chars()
        .next()
        .is_some_and(|c| c < '\u{0E00}' && c.is_alphanumeric())
}
