//! Handles cells that span several columns or rows, and the empty cells that keep columns in place.
//!
//! A cell with `colspan` is followed by empty cells, and a cell with `rowspan` has empty cells
//! below it. Pages may ask for any number. A table gets at most [`MIN_EMPTY_CELLS`] empty cells and
//! [`EMPTY_CELLS_PER_CELL`] for each of its cells. All steps are O(columns that are recorded).

use huller_page::{Attributes, Node, Page, Tag};

/// Number of empty cells that any table may have.
const MIN_EMPTY_CELLS: u32 = 64;
/// Number of empty cells more for each cell.
const EMPTY_CELLS_PER_CELL: u32 = 8;
/// Number of columns for which spans over rows are recorded.
const MAX_COLUMNS: usize = 128;
/// The largest numbers that browsers read.
const MAX_SPANNED_COLUMNS: u32 = 1000;
const MAX_SPANNED_ROWS: u32 = 65_534;

/// The columns of the table of data that the walk is in.
#[derive(Debug, Default)]
pub(super) struct Spans {
    /// For each column, the first row without a cell that reaches into it from above.
    free_from: Vec<u32>,
    row: u32,
    column: usize,
    /// Whether the row has one cell and no column before it: a line over all columns.
    is_lone: bool,
    /// Number of columns that the last cell spans besides its own.
    beside: u32,
    /// Number of empty cells that the table may still have.
    left: u32,
    attributes: Attributes,
}

impl Spans {
    pub(super) fn begin_table(&mut self) {
        self.free_from.clear();
        (self.row, self.column, self.beside, self.left) = (0, 0, 0, MIN_EMPTY_CELLS);
    }

    /// Begins a part of the table (`tbody`). Cells from above do not reach into it.
    pub(super) fn begin_section(&mut self) {
        self.free_from.clear();
    }

    pub(super) fn begin_row(&mut self) {
        (self.column, self.beside) = (0, 0);
    }

    /// Begins a cell. Returns the number of empty cells before it.
    pub(super) fn begin_cell(&mut self, page: &Page<'_>, cell: &Node) -> u32 {
        self.is_lone = self.column == 0;
        let mut empty = self.end_cell();
        while self.is_taken(self.column) && self.left > empty {
            self.column += 1;
            empty += 1;
        }
        self.left = self.left.saturating_sub(empty).saturating_add(EMPTY_CELLS_PER_CELL);
        let (columns, rows) = spans(page, cell, &mut self.attributes);
        self.record_cell(columns, rows);
        self.beside = columns - 1;
        self.column += 1;
        empty
    }

    /// Ends a row. Returns the number of empty cells at its end.
    pub(super) fn end_row(&mut self) -> u32 {
        if self.is_lone {
            self.beside = 0;
        }
        let mut empty = self.end_cell();
        let reached = self.free_from.iter().rposition(|free| *free > self.row);
        let end = reached.map_or(0, |last| last + 1);
        if self.column < end {
            let most = self.left.saturating_sub(empty);
            empty += u32::try_from(end - self.column).unwrap_or(most).min(most);
        }
        self.left = self.left.saturating_sub(empty);
        self.row += 1;
        (self.column, self.beside) = (0, 0);
        empty
    }

    /// Returns the number of empty cells beside the last cell.
    fn end_cell(&mut self) -> u32 {
        let empty = std::mem::take(&mut self.beside).min(self.left);
        self.column += empty as usize;
        empty
    }

    fn is_taken(&self, column: usize) -> bool {
        self.free_from.get(column).is_some_and(|free| *free > self.row)
    }

    /// Records the columns that a cell takes in the rows below.
    fn record_cell(&mut self, columns: u32, rows: u32) {
        let end = (self.column + columns as usize).min(MAX_COLUMNS);
        if rows < 2 || self.column >= end {
            return;
        }
        if self.free_from.len() < end {
            self.free_from.resize(end, 0);
        }
        let free = self.row.saturating_add(rows);
        self.free_from[self.column..end].iter_mut().for_each(|from| *from = free.max(*from));
    }
}

/// Returns the number of columns and rows that a cell spans.
pub(super) fn spans(page: &Page<'_>, cell: &Node, attributes: &mut Attributes) -> (u32, u32) {
    let source = page.node_source(cell);
    let tag = &source.as_bytes()[..source.find('>').unwrap_or(0)];
    let has_span = tag.windows(4).any(|four| four.eq_ignore_ascii_case(b"span"));
    let (mut columns, mut rows) = (1, 1);
    if !has_span || !matches!(cell.tag, Tag::TD | Tag::TH) {
        return (columns, rows);
    }
    for (name, value) in page.all_attributes(cell, attributes) {
        if name.eq_ignore_ascii_case("colspan") {
            columns = number(value).unwrap_or(1).clamp(1, MAX_SPANNED_COLUMNS);
        } else if name.eq_ignore_ascii_case("rowspan") {
            rows = rows_of(value);
        }
    }
    (columns, rows)
}

/// Returns the number of rows that a value of `rowspan` states.
fn rows_of(value: &str) -> u32 {
    // 0 means all rows of the part of the table.
    let stated = number(value).unwrap_or(1);
    if stated == 0 { MAX_SPANNED_ROWS } else { stated.min(MAX_SPANNED_ROWS) }
}

/// Returns the number of rows that a cell spans, by the first `rowspan=` in its tag. It needs no
/// memory, unlike [`spans`].
pub(super) fn stated_rows(page: &Page<'_>, cell: &Node) -> u32 {
    const NAME: &[u8] = b"rowspan";
    let source = page.node_source(cell);
    let tag = &source[..source.find('>').unwrap_or(0)];
    let mut windows = tag.as_bytes().windows(NAME.len());
    let Some(at) = windows.position(|window| window.eq_ignore_ascii_case(NAME)) else { return 1 };
    let value = tag[at + NAME.len()..].trim_start().strip_prefix('=');
    value.map_or(1, |value| rows_of(value.trim_start().trim_start_matches(['"', '\''])))
}

/// Reads the digits at the start of a value, as browsers do.
fn number(value: &str) -> Option<u32> {
    let value = value.trim_start();
    let value = value.strip_prefix('+').unwrap_or(value);
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 9 { Some(u32::MAX) } else { value[..digits].parse().ok() }
}

#[cfg(test)]
mod tests {
    use crate::render::tests::text;
    use proptest::prelude::*;

    #[track_caller]
    fn check(rows: &str, wanted: &str) {
        assert_eq!(text(&format!("<table role=table>{rows}</table>")), wanted, "{rows}");
    }

    #[test]
    fn cells_that_span_keep_their_columns() {
        for (rows, wanted) in [
            ("<tr><td rowspan=2>a<td>b<tr><td>c", "a\tb\n\tc"),
            ("<tr><td>a<td rowspan=2>b<tr><td>c", "a\tb\nc\t"),
            ("<tr><td>a<td rowspan=2>b<td>c<tr><td>d<td>e", "a\tb\tc\nd\t\te"),
            ("<tr><th colspan=2>a<th>b<tr><td>1<td>2<td>3", "a\t\tb\n1\t2\t3"),
            ("<tr><td>a<td COLSPAN='3'>b<tr><td>1<td>2<td>3<td>4", "a\tb\t\t\n1\t2\t3\t4"),
            ("<tr><td rowspan=2 colspan=2>a<td>b<tr><td>c", "a\t\tb\n\t\tc"),
            ("<tr><td rowspan=3>a<td>b<tr><td rowspan=2>c<td>d<tr><td>e", "a\tb\n\tc\td\n\t\te"),
            ("<tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d", "a\tb\n\tc\n\td"),
            // Cells do not span beyond the end of a part of a table.
            ("<thead><tr><th rowspan=5>a<th>b</thead><tbody><tr><td>c<td>d</tbody>", "a\tb\nc\td"),
            ("<tr><td rowspan=2>a<td>b<tr></tr><tr><td>c<td>d", "a\tb\nc\td"),
            ("<tr><td colspan=x>a<td rowspan=-1>b<tr><td>c<td>d", "a\tb\nc\td"),
            ("<tr><td rowspan='2px'>a<td>b<tr><td>c", "a\tb\n\tc"),
        ] {
            check(rows, wanted);
        }
    }

    #[test]
    fn hostile_spans_give_few_cells() {
        let wide = "<tr><td colspan=1000 rowspan=65534>a".repeat(2_000);
        let html = format!("<table role=table>{wide}</table>");
        assert!(text(&html).len() < html.len());
        let deep = "<td rowspan=65534>a".repeat(2_000);
        let html = format!("<table role=table><tr>{deep}{}</table>", "<tr><td>b".repeat(2_000));
        assert!(text(&html).len() < html.len());
    }

    proptest! {
        /// Checks that every cell has the column that it has on the page.
        #[test]
        fn columns_stay_columns(
            spans in prop::collection::vec(prop::collection::vec((1..4_usize, 1..4_usize), 1..4), 1..6),
        ) {
            let (mut html, mut taken) = (String::from("<table role=table>"), vec![[false; 64]; 16]);
            let mut places = Vec::new();
            for (row, cells) in spans.iter().enumerate() {
                html.push_str("<tr>");
                let mut column = 0;
                for (columns, rows) in cells {
                    while taken[row][column] {
                        column += 1;
                    }
                    let name = format!("r{row}c{column}");
                    let cell = format!("<td colspan={columns} rowspan={rows}>{name}");
                    html.push_str(&cell);
                    let rows = row..row + rows;
                    for row in &mut taken[rows] {
                        row[column..column + columns].fill(true);
                    }
                    places.push((row, column, name));
                    column += columns;
                }
            }
            let text = text(&html);
            let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
            for (row, column, name) in places {
                prop_assert_eq!(lines[row][column], name, "{}\n{}", html, text);
            }
        }
    }
}
