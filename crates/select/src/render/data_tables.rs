//! Distinguishes tables of data and tables of layout.
//!
//! In a table of data the cells of a row belong together, so each row is a line. A table of layout
//! places parts of the page, so its cells are blocks like any other. Pages rarely say which it is
//! (`role`), so the cells decide.

use huller_page::{AttributeName, Page, Run, Tag, Tags};

/// Elements that show that a table lays out the page.
const LAYOUT_ELEMENTS: Tags = Tags::NONE.and(&[
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
    /// Number of cells with text in the present row.
    cells: u32,
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
            Tag::TR => scan.cells = 0,
            Tag::TD | Tag::TH => {
                let runs = &page.runs()[inner.runs()];
                if is_long(runs) {
                    return false;
                }
                scan.has_head |= inner.tag == Tag::TH;
                scan.paragraphs = 0;
                scan.cells += u32::from(!runs.is_empty());
                scan.rows += u32::from(scan.cells == 2 && !runs.is_empty());
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
