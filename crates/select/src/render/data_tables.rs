//! Distinguishes tables of data and tables of layout.
//!
//! In a table of data the cells of a row belong together, so each row is a line. A table of layout
//! places parts of the page, so its cells are blocks like any other. Pages rarely say which it is
//! (`role`), so the cells decide.

use super::spans;
use huller_page::{AttributeName, Page, Run, Tag, TagTable};

/// Elements that show that a table lays out the page.
const LAYOUT_ELEMENTS: TagTable = TagTable::NONE.with(&[
    Tag::TABLE,
    Tag::FORM,
    Tag::PRE,
    Tag::BLOCKQUOTE,
    Tag::ARTICLE,
    Tag::SECTION,
    Tag::NAV,
    Tag::ASIDE,
    Tag::MAIN,
    Tag::HEADER,
    Tag::FOOTER,
    Tag::TEXTAREA,
    Tag::IFRAME,
    Tag::H1,
    Tag::H2,
]);

/// Largest number of visible scalars of a cell of data.
const MAX_CELL_CHARS: u32 = 1_000;

/// Largest number of paragraphs of a cell of data.
const MAX_PARAGRAPHS: u32 = 2;

/// The state of a scan of a table.
#[derive(Default)]
struct TableScan {
    /// Number of rows with at least two cells with text.
    rows: u32,
    /// Number of cells with text in the present row. All cells that reach into it count as one.
    cells: u32,
    /// Whether the present row is counted.
    is_counted: bool,
    /// Number of rows after the present one that cells with text reach into.
    reached_rows: u32,
    /// Number of paragraphs in the present cell.
    paragraphs: u32,
    has_head: bool,
}

/// Returns whether a table holds data. Cost: O(nodes up to its end, or up to the first part of
/// a page in it). Such a part may itself be a table, so each node is read for at most one table.
pub fn is_data_table(page: &Page<'_>, table: u32) -> bool {
    let nodes = page.nodes();
    let node = &nodes[table as usize];
    let role = page.attribute(node, AttributeName::Role).unwrap_or_default();
    if matches!(role, "presentation" | "none") {
        return false;
    }
    if role == "table" {
        return true;
    }
    let mut scan = TableScan::default();
    for inner in &nodes[table as usize + 1..node.end as usize] {
        match inner.tag {
            Tag::TR => {
                scan.cells = u32::from(scan.reached_rows > 0);
                scan.reached_rows = scan.reached_rows.saturating_sub(1);
                scan.is_counted = false;
            }
            // Cells do not reach into another part of the table.
            Tag::TBODY | Tag::TFOOT => scan.reached_rows = 0,
            Tag::TD | Tag::TH => {
                let runs = &page.runs()[inner.runs()];
                if is_long(runs) {
                    return false;
                }
                scan.has_head |= inner.tag == Tag::TH;
                scan.paragraphs = 0;
                if !runs.is_empty() {
                    scan.cells += 1;
                    if scan.cells > 1 && !std::mem::replace(&mut scan.is_counted, true) {
                        scan.rows += 1;
                    }
                    let rows = spans::stated_rows(page, inner);
                    scan.reached_rows = scan.reached_rows.max(rows - 1);
                }
            }
            Tag::THEAD | Tag::CAPTION => scan.has_head = true,
            Tag::P => {
                scan.paragraphs += 1;
                if scan.paragraphs > MAX_PARAGRAPHS {
                    return false;
                }
            }
            tag if LAYOUT_ELEMENTS.contains(tag) => return false,
            _ => {}
        }
    }
    scan.rows > 1 || scan.rows == 1 && scan.has_head
}

/// Returns whether a cell is too long for data. The sum stops beyond the limit, so a long cell is
/// not read to its end.
fn is_long(runs: &[Run]) -> bool {
    let mut chars = 0;
    runs.iter().any(|run| {
        chars += run.counts.chars;
        chars > MAX_CELL_CHARS
    })
}

#[cfg(test)]
mod tests {
    use crate::render::tests::forms::{clean, markdown};
    use crate::render::tests::text;

    #[test]
    fn cells_from_above_count_in_their_rows() {
        for (rows, wanted) in [
            ("<tr><td rowspan=2>a<td>b<tr><td>c", "a\tb\n\tc"),
            (
                "<tr><td rowspan='3 '>a<td rowspan=3>b<td>c<tr><td>d<tr><td>e",
                "a\tb\tc\n\t\td\n\t\te",
            ),
            ("<tr><td rowspan=65535>a<td>1<tr><td>2", "a\t1\n\t2"),
            ("<tr><td ROWSPAN=0>a<td>1<tr><td>2", "a\t1\n\t2"),
            // Here no cell reaches into the row below, so one row has two cells.
            ("<tr><td rowspan=1>a<td>b<tr><td>c", "a\nb\nc"),
            ("<tr><td rowspan=2><td>b<tr><td>c", "b\nc"),
            ("<tbody><tr><td rowspan=2>a<td>b<tbody><tr><td>c", "a\nb\nc"),
        ] {
            assert_eq!(text(&format!("<table>{rows}</table>")), wanted, "{rows}");
        }
        let html = "<table><tr><td rowspan=2>a<td>b<tr><td>c</table>";
        assert_eq!(markdown(html), "| a | b |\n|---|---|\n|  | c |");
        for span in ["2", "'2 '", "0", "65535", "99999999999"] {
            let html = format!("<table><tr><td rowspan={span}>a<td>b<tr><td>c</table>");
            assert_eq!(text(&clean(&html)), text(&html), "{span}");
        }
    }
}
