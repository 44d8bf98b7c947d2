//! Writes rows and cells. The number of columns of a table is known at its end.

use super::{Markdown, OpenTable};
use crate::render::flow::Element;
use huller_page::Tag;

impl Markdown<'_> {
    pub(super) fn is_in_head_cell(&self) -> bool {
        self.table.as_ref().is_some_and(|table| table.is_in_head)
    }

    /// Begins a line directly below the one before.
    pub(super) fn next_line(&mut self) {
        self.out.push('\n');
        self.write_marks(self.scratch.containers.len());
        self.line.content = self.out.len();
    }

    pub(super) fn open_row(&mut self) {
        let Some(table) = &mut self.table else { return };
        (table.cells, table.is_in_row) = (0, true);
        if table.head.is_none() {
            self.begin_line();
        } else {
            self.next_line();
        }
    }

    pub(super) fn open_cell(&mut self, cell: Element) {
        let Some(table) = &mut self.table else { return };
        table.is_in_head = cell.tag == Tag::TH;
        self.tex = None;
        self.out.push_str("| ");
        self.line.is_begun = true;
        self.line.dollar = None;
        self.line.content = self.out.len();
    }

    pub(super) fn close_cell(&mut self) {
        self.flush_code();
        self.settle_delimiters(None);
        self.out.push(' ');
        let Some(table) = &mut self.table else { return };
        table.cells += 1;
        table.is_in_head = false;
    }

    pub(super) fn close_row(&mut self) {
        self.out.push('|');
        self.line.is_begun = false;
        let end = self.out.len();
        let Some(table) = &mut self.table else { return };
        table.is_in_row = false;
        table.columns = table.columns.max(table.cells);
        table.head.get_or_insert((end, table.cells));
    }

    pub(super) fn close_table(&mut self) {
        let Some(OpenTable { head: Some((end, cells)), columns, .. }) = self.table.take() else {
            return;
        };
        std::mem::swap(self.out, &mut self.scratch.code);
        (cells..columns).for_each(|_| self.out.push_str("  |"));
        self.next_line();
        self.out.push('|');
        (0..columns).for_each(|_| self.out.push_str("---|"));
        std::mem::swap(self.out, &mut self.scratch.code);
        self.out.insert_str(end, &self.scratch.code);
        self.scratch.code.clear();
        self.line.is_begun = false;
    }
}
