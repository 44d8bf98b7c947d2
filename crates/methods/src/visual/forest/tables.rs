//! The cells of tables that rule 5 of paper 002 cuts: tables that contain another table, and tables
//! whose cells look different [C-12].
//!
//! Cells look different if their known backgrounds differ, or if their fonts have different sizes.
//! A cell without a background has that of its row. Only declarations of the page itself are known.
//! Two sweeps over the kept nodes.

use crate::layout::Boxes;
use crate::sweep::prefix_sums::PrefixSums;
use huller_page::{Page, Tag};
use std::ops::Range;

/// Marks a node outside of tables.
const NONE: u32 = u32::MAX;

/// The known background and font size of a table's cells.
#[derive(Clone, Copy, Debug, Default)]
struct TableLook {
    /// Background of the first cell with a known one, and font size of the first cell.
    background: Option<u32>,
    /// Font size in pixels; `None` before the first cell.
    font: Option<f32>,
    is_cut: bool,
}

/// The cells of a page's cut tables. Created once and refilled.
#[derive(Debug, Default)]
pub(super) struct CutCells {
    /// For each node, the number of such cells before it. Empty if no table is cut.
    before: Vec<u32>,
    /// For each node, the number of the innermost table that is or contains it, or `NONE`.
    table_of: Vec<u32>,
    tables: Vec<TableLook>,
}

impl CutCells {
    pub(super) fn clear(&mut self) {
        self.before.clear();
    }

    /// Finds the cells of a page's cut tables.
    pub(super) fn fill(&mut self, page: &Page<'_>, sums: &PrefixSums, layout: &Boxes) {
        let nodes = page.nodes();
        self.tables.clear();
        self.table_of.clear();
        self.table_of.resize(nodes.len(), NONE);
        for index in sums.kept_nodes().iter().copied() {
            let node = &nodes[index as usize];
            let outer_table = if index == 0 { NONE } else { self.table_of[node.parent as usize] };
            self.table_of[index as usize] = outer_table;
            if node.tag == Tag::TABLE {
                if let Some(table) = self.tables.get_mut(outer_table as usize) {
                    table.is_cut = true;
                }
                self.table_of[index as usize] = self.tables.len() as u32;
                self.tables.push(TableLook::default());
            } else if is_cell(node.tag)
                && let Some(table) = self.tables.get_mut(outer_table as usize)
            {
                let background =
                    layout.background(index).or_else(|| layout.background(node.parent));
                table.add(background, layout.font(index));
            }
        }
        if !self.tables.iter().any(|table| table.is_cut) {
            return;
        }
        let mut sum = 0;
        for index in sums.kept_nodes().iter().copied() {
            self.before.resize(index as usize + 1, sum);
            let table = self.tables.get(self.table_of[index as usize] as usize);
            let is_cut = table.is_some_and(|table| table.is_cut);
            sum += u32::from(is_cut && is_cell(nodes[index as usize].tag));
        }
        self.before.resize(nodes.len() + 1, sum);
    }

    /// Returns whether any of these nodes is the cell of a cut table.
    #[inline]
    pub(super) fn any(&self, nodes: Range<u32>) -> bool {
        !self.before.is_empty()
            && nodes.start < nodes.end
            && self.before[nodes.end as usize] > self.before[nodes.start as usize]
    }
}

impl TableLook {
    /// Compares a cell with the earlier ones.
    fn add(&mut self, background: Option<u32>, font: f32) {
        if let Some(background) = background {
            let first_background = *self.background.get_or_insert(background);
            self.is_cut |= first_background != background;
        }
        let first_font = *self.font.get_or_insert(font);
        self.is_cut |= first_font.to_bits() != font.to_bits();
    }
}

fn is_cell(tag: Tag) -> bool {
    tag == Tag::TD || tag == Tag::TH
}
