//! Finds hidden rows and cells of tables of data.

use crate::hidden_elements::is_hidden;
use huller_page::{AttributeName, Node, Page, Tag, TagTable};

/// Parts of a table that browsers leave out if they are hidden.
const PARTS: TagTable = TagTable::NONE.with(&[
    Tag::CAPTION,
    Tag::THEAD,
    Tag::TBODY,
    Tag::TFOOT,
    Tag::TR,
    Tag::TD,
    Tag::TH,
]);

/// The effect of attributes that hide a part of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hiding {
    Shown,
    /// The part takes no place, so the cells after it move up.
    Removes,
    /// The part is empty, but the cells after it keep their columns.
    KeepsPlace,
}

/// Returns whether a part of a table is hidden. Other elements are shown.
pub(super) fn hiding_of_table_part(page: &Page<'_>, node: &Node) -> Hiding {
    if !PARTS.contains(node.tag) || page.attributes(node).is_empty() || !is_hidden(page, node) {
        return Hiding::Shown;
    }
    let is_cell = matches!(node.tag, Tag::TD | Tag::TH);
    let style = page.attribute(node, AttributeName::Style).unwrap_or_default();
    let mut windows = style.as_bytes().windows(b"display".len());
    let has_display = windows.any(|window| window.eq_ignore_ascii_case(b"display"));
    let is_removed = page.attribute(node, AttributeName::Hidden).is_some() || has_display;
    if is_cell && !is_removed { Hiding::KeepsPlace } else { Hiding::Removes }
}

#[cfg(test)]
mod tests {
    use crate::render::tests::forms::{clean, markdown};
    use crate::render::tests::text;

    #[test]
    fn hidden_parts_of_tables_are_no_text() {
        for (rows, wanted) in [
            ("<tr><th>a<th hidden>k<th>b<tr><td>1<td hidden>9<td>2", "a\tb\n1\t2"),
            (
                "<tr><th>a<th style='display:none'>k<th>b<tr><td>1<td style='DISPLAY: none'>9<td>2",
                "a\tb\n1\t2",
            ),
            ("<tr><th>a<th>b<tr hidden><td>8<td>9<tr><td>1<td>2", "a\tb\n1\t2"),
            ("<tr><th>a<th>b<tr style='display:none'><td>8<td>9<tr><td>1<td>2", "a\tb\n1\t2"),
            (
                "<thead><tr><th>a<th>b<tbody style='display:none'><tr><td>8<td>9<tbody><tr><td>1<td>2",
                "a\tb\n1\t2",
            ),
            ("<caption hidden>c</caption><tr><th>a<th>b<tr><td>1<td>2", "a\tb\n1\t2"),
            ("<tr><th>a<th>b<th>c<tr><td>1<td style='visibility:hidden'>9<td>2", "a\tb\tc\n1\t\t2"),
            ("<tr><td rowspan=2>a<td>b<tr hidden><td>9<tr><td>c", "a\tb\n\tc"),
            ("<tr><th>a<th>b<tr><td>1<div style='display:none'><p>9</div><td>2", "a\tb\n1\t2"),
            ("<tr><th>a<th>b<tr><td>1<ul hidden><li>8<li>9</ul><td>2<img src=x>", "a\tb\n1\t2"),
        ] {
            let html = format!("<table role=table>{rows}</table>");
            assert_eq!(text(&html), wanted, "{rows}");
        }
        let html = "<table><tr><th>a<th hidden>k<th>b<tr hidden><td>7<td>8<td>9<tr><td>1<td hidden>9<td>2</table>";
        assert_eq!(markdown(html), "| a | b |\n|---|---|\n| 1 | 2 |");
        let wanted =
            "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>2</td></tr></table>";
        assert_eq!(clean(html), wanted);
        let html =
            "<table><tr><th>a<th>b<th>c<tr><td>1<td style='visibility:hidden'>9<td>2</table>";
        assert_eq!(markdown(html), "| a | b | c |\n|---|---|---|\n| 1 |  | 2 |");
    }

    #[test]
    fn hidden_words_in_a_line_may_have_an_image() {
        let html = "<p>Toll <span hidden><img src=x.png alt=y>old</span>70 coins.";
        assert_eq!(text(html), "Toll 70 coins.");
        assert_eq!(markdown(html), "Toll 70 coins.");
        assert_eq!(clean(html), "<p>Toll 70 coins.</p>");
    }
}
