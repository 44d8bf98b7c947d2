//! Finds dialogs and popovers, which browsers show only after a script or a click has opened them.

use super::render_kind::{KIND_OF_TAG, RenderKind};
use crate::selection::RunRange;
use huller_page::{Attributes, Node, Page, Tag};
use std::ops::Range;

/// Returns whether an element is a `dialog` without `open`, or has the attribute `popover`.
#[inline]
pub(super) fn is_closed_layer(page: &Page<'_>, node: &Node, attributes: &mut Attributes) -> bool {
    if node.tag == Tag::DIALOG {
        return !has_attribute(page, node, "open", attributes);
    }
    let is_tested = matches!(node.tag, Tag::SPAN | Tag::UNKNOWN)
        || KIND_OF_TAG[node.tag.index()] == RenderKind::Block;
    is_tested && names_popover(page, node) && has_attribute(page, node, "popover", attributes)
}

/// Returns whether the start of an element's tag has the word `popover`, as a name or in a value.
fn names_popover(page: &Page<'_>, node: &Node) -> bool {
    /// Longest tag in bytes that is read to its end.
    const MAX_TAG_BYTES: usize = 1024;
    const WORD: &[u8] = b"popover";
    let source = &page.html().as_bytes()[node.byte_start as usize..];
    let name_end = (node.tag.name().len() + 1).min(source.len());
    let source = &source[name_end..source.len().min(MAX_TAG_BYTES)];
    if source.first() == Some(&b'>') {
        return false;
    }
    let tag = &source[..memchr::memchr(b'>', source).unwrap_or(source.len())];
    // The letter is rare, so most tags are passed at once.
    memchr::memchr2_iter(b'v', b'V', tag).any(|v| {
        let word = v.checked_sub(4).and_then(|start| tag.get(start..start + WORD.len()));
        word.is_some_and(|word| word.eq_ignore_ascii_case(WORD))
    })
}

fn has_attribute(page: &Page<'_>, node: &Node, wanted: &str, attributes: &mut Attributes) -> bool {
    page.all_attributes(node, attributes).any(|(name, _)| name.eq_ignore_ascii_case(wanted))
}

/// Returns the number of bytes of the text that is written from these runs. `chosen` are the ranges
/// of the selection.
pub(super) fn bytes_of(page: &Page<'_>, runs: Range<u32>, chosen: Option<&[RunRange]>) -> u64 {
    let Some(chosen) = chosen else {
        let runs = &page.runs()[runs.start as usize..runs.end as usize];
        return runs.iter().map(|run| u64::from(run.byte_end - run.byte_start)).sum();
    };
    let first = chosen.partition_point(|range| range.run < runs.start);
    let inside = chosen[first..].iter().take_while(|range| range.run < runs.end);
    inside.map(|range| u64::from(range.end - range.start)).sum()
}

#[cfg(test)]
mod tests {
    use crate::render::tests::forms::{clean, markdown};
    use crate::render::tests::text;

    #[test]
    fn closed_dialogs_and_popovers_are_no_text() {
        for layer in [
            "<dialog><p>Sign up</dialog>",
            "<dialog id=d class='x open'>Sign up</dialog>",
            "<div popover><p>Sign up</div>",
            "<aside id=t POPOVER=manual>Sign up</aside>",
            "<x-tip popover='auto'>Sign up</x-tip>",
        ] {
            let html = format!("<p>The reed boats lie.</p>{layer}<p>They are old.</p>");
            assert_eq!(text(&html), "The reed boats lie.\nThey are old.", "{layer}");
            assert_eq!(markdown(&html), "The reed boats lie.\n\nThey are old.", "{layer}");
            assert_eq!(clean(&html), "<p>The reed boats lie.</p>\n<p>They are old.</p>", "{layer}");
        }
        assert_eq!(text("<p>The reed <span popover>tip</span>boats"), "The reed boats");
        let cell = "<table><tr><th>reeds<th>boats<tr><td>1<div popover>tip</div><td>2</table>";
        assert_eq!(text(cell), "reeds\tboats\n1\t2");
    }

    #[test]
    fn open_dialogs_and_those_with_most_of_the_text_stay() {
        for (html, wanted) in [
            (
                "<p>The reed boats lie.</p><dialog open>Sign up</dialog>",
                "The reed boats lie.\nSign up",
            ),
            (
                "<p>The reed boats lie.</p><div data-toggle=popover popovertarget=x>tip</div>",
                "The reed boats lie.\ntip",
            ),
            ("<h1>Boats</h1><dialog><p>The reed boats lie.</dialog>", "Boats\nThe reed boats lie."),
            (
                "<dialog><p>The reed boats lie.<dialog><p>Old</dialog></dialog>",
                "The reed boats lie.\nOld",
            ),
        ] {
            assert_eq!(text(html), wanted, "{html}");
        }
    }
}
