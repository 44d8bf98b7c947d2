//! Tables of data and tables of layout.
//!
//! A table of data has rows that mean something together, so each is a line; a table of layout
//! places parts of the page, so its cells are blocks like any other. Pages rarely say which
//! (`role`), so the cells tell.

use huller_page::{AttributeName, Page, Run, Tag, Tags};

/// What a cell of data does not hold.
const PARTS_OF_PAGES: Tags = Tags::NONE.and(&[
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

/// A cell with more visible scalars than this is no cell of data.
const LONGEST_CELL: u32 = 1_000;

/// A cell with more paragraphs than this is none either.
const MOST_PARAGRAPHS: u32 = 2;

/// What a scan of a table has seen.
#[derive(Default)]
struct Seen {
    /// Rows of which at least two cells hold text.
    rows: u32,
    /// Cells with text in the present row.
    cells: u32,
    /// Paragraphs in the present cell.
    paragraphs: u32,
    has_head: bool,
}

/// Whether a table is one of data. Cost: O(nodes up to its end, or up to the first part of a page
/// in it), and such a part may itself be a table: no node is looked at for two tables.
pub fn is_data(page: &Page<'_>, table: u32) -> bool {
    let nodes = page.nodes();
    let node = &nodes[table as usize];
    let role = page.attribute(node, AttributeName::Role).unwrap_or_default();
    if matches!(role, "presentation" | "none") {
        return false;
    }
    if role == "table" {
        return true;
    }
    let mut seen = Seen::default();
    for inner in &nodes[table as usize + 1..node.end as usize] {
        match inner.tag {
            Tag::TR => seen.cells = 0,
            Tag::TD | Tag::TH => {
                let runs = &page.runs()[inner.runs()];
                if is_long(runs) {
                    return false;
                }
                seen.has_head |= inner.tag == Tag::TH;
                seen.paragraphs = 0;
                seen.cells += u32::from(!runs.is_empty());
                seen.rows += u32::from(seen.cells == 2 && !runs.is_empty());
            }
            Tag::THEAD | Tag::CAPTION => seen.has_head = true,
            Tag::P => {
                seen.paragraphs += 1;
                if seen.paragraphs > MOST_PARAGRAPHS {
                    return false;
                }
            }
            tag if PARTS_OF_PAGES.contains(tag) => return false,
            _ => {}
        }
    }
    seen.rows > 1 || seen.rows == 1 && seen.has_head
}

/// Whether a cell is too long for data. Nothing is added up beyond the limit, so a long cell is not
/// read to its end.
fn is_long(runs: &[Run]) -> bool {
    let mut chars = 0;
    runs.iter().any(|run| {
        chars += run.counts.chars;
        chars > LONGEST_CELL
    })
}
