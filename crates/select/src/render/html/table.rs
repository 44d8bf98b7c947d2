//! Writes tables of data so that they are recognised as such when the HTML is read again.

use super::{Html, OpenTable};
use crate::render::flow::Element;
use crate::render::spans;
use huller_page::Tag;
use std::fmt::Write;

impl Html<'_> {
    pub(super) fn note_head(&mut self) {
        if let Some(table) = &mut self.table {
            table.has_head = true;
        }
    }

    pub(super) fn begin_row(&mut self) {
        if let Some(table) = &mut self.table {
            table.cells = 0;
        }
    }

    /// Notes that the present cell has text.
    #[inline]
    pub(super) fn note_text(&mut self) {
        if let Some(table) = &mut self.table
            && !std::mem::replace(&mut table.has_text, true)
        {
            table.cells += 1;
        }
    }

    pub(super) fn end_row(&mut self) {
        if let Some(table) = &mut self.table {
            table.rows += u32::from(table.cells > 1);
        }
    }

    pub(super) fn open_cell(&mut self, cell: Element) {
        if let Some(table) = &mut self.table {
            table.has_text = false;
            table.has_head |= cell.tag == Tag::TH;
        }
        self.open(cell.tag);
        let Some(node) = self.page.nodes().get(cell.node as usize) else {
            self.out.push('>');
            return;
        };
        let (columns, rows) = spans::spans(self.page, node, &mut self.scratch.attributes);
        self.span("colspan", columns);
        self.span("rowspan", rows);
        self.out.push('>');
    }

    fn span(&mut self, name: &str, span: u32) {
        if span > 1 {
            // Writing to a string cannot fail.
            let _ = write!(self.out, " {name}=\"{span}\"");
        }
    }

    /// Ends the table. If its remaining rows look like a table of layout, adds a role that marks it
    /// as data.
    pub(super) fn end_table(&mut self) {
        let Some(OpenTable { tag, has_head, rows, .. }) = self.table.take() else { return };
        if rows == 0 || rows == 1 && !has_head {
            self.out.insert_str(tag, " role=\"table\"");
        }
    }
}
