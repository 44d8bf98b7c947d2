//! Moves misplaced content of tables before them.
//!
//! Browsers move text and elements that are directly in a table, where only rows and the like are
//! allowed, before the table ("foster parenting"). The tree grows in the order of the source. At
//! the end, on pages with such content, [`FosterMoves::apply`] puts nodes and runs into document
//! order. Cost: O(nodes + runs) on such pages, besides sorting the moves, else nothing.
//!
//! Moves are never nested. An element that belongs before a table holds no table, since a `table`
//! tag in it ends the outer table first.

use super::forms::Forms;
use crate::columns::Columns;
use crate::memory::clear_and_shrink;
use crate::node::Node;
use crate::run::Run;
use std::ops::Range;

/// The elements and texts of one page that must move, and scratch buffers for the move.
#[derive(Debug, Default)]
pub(super) struct FosterMoves {
    /// In the order of the source.
    moves: Vec<FosterMove>,
    /// The moves by table, and in the order of the source for each table.
    by_table: Vec<FosterMove>,
    nodes: Vec<Node>,
    runs: Vec<Run>,
}

/// An element or a text that belongs before a table.
#[derive(Clone, Copy, Debug)]
struct FosterMove {
    /// Node of the table.
    table: u32,
    /// Index of the next node when it began: the element itself, if it is an element.
    node: u32,
    /// Index of the next run when it began: the text itself, if it is a text.
    run: u32,
    is_text: bool,
}

/// A place in the columns of nodes and of runs.
#[derive(Clone, Copy)]
struct ColumnLengths {
    /// Number of nodes before the place.
    node: usize,
    /// Number of runs before the place.
    run: usize,
}

impl FosterMoves {
    pub(super) fn clear(&mut self) {
        const MAX_KEPT_ENTRIES: usize = 1 << 15;
        const MAX_KEPT_MOVES: usize = 1 << 12;
        clear_and_shrink(&mut self.moves, MAX_KEPT_MOVES);
        clear_and_shrink(&mut self.by_table, MAX_KEPT_MOVES);
        clear_and_shrink(&mut self.nodes, MAX_KEPT_ENTRIES);
        clear_and_shrink(&mut self.runs, MAX_KEPT_ENTRIES);
    }

    /// Notes that the next run belongs before a table.
    pub(super) fn add_run(&mut self, columns: &Columns, table: u32) {
        self.add(columns, table, true);
    }

    /// Notes that the next node, with all in it, belongs before a table.
    pub(super) fn add_node(&mut self, columns: &Columns, table: u32) {
        self.add(columns, table, false);
    }

    fn add(&mut self, columns: &Columns, table: u32, is_text: bool) {
        let (node, run) = (columns.nodes.len() as u32, columns.runs.len() as u32);
        self.moves.push(FosterMove { table, node, run, is_text });
    }

    /// Puts the columns of a complete page into document order, and renumbers its forms.
    pub(super) fn apply(&mut self, columns: &mut Columns, forms: &mut Forms) {
        if self.moves.is_empty() {
            return;
        }
        self.by_table.extend_from_slice(&self.moves);
        self.by_table.sort_unstable_by_key(|m| (m.table, m.node, m.run));
        self.reorder_columns(columns);
        // The buffers are not swapped, so each keeps the capacity that it has needed so far.
        columns.nodes.copy_from_slice(&self.nodes);
        columns.runs.copy_from_slice(&self.runs);
        let Columns { nodes, runs, body, title, nodes_in_source: places, .. } = columns;
        let set_place = |node: &mut u32| *node = places[*node as usize];
        for node in nodes {
            set_place(&mut node.parent);
        }
        for run in runs {
            set_place(&mut run.node);
        }
        set_place(body);
        title.iter_mut().for_each(set_place);
        forms.renumber(set_place);
        find_ends(columns);
        find_min_levels(columns);
        move_white_runs(columns);
    }

    /// Copies nodes and runs in their new order.
    fn reorder_columns(&mut self, columns: &mut Columns) {
        columns.nodes_in_source.resize(columns.nodes.len(), 0);
        columns.runs_in_source.resize(columns.runs.len(), 0);
        let mut copied = ColumnLengths { node: 0, run: 0 };
        let (mut moved, mut inserted) = (0, 0);
        loop {
            let leaves = self.moves.get(moved).map(|m| m.node as usize);
            let table = self.by_table.get(inserted).map(|m| m.table as usize);
            // Both may be at the same node only if the table is the next node and the leaving
            // content comes before it.
            match (leaves, table) {
                (None, None) => break,
                (Some(node), table) if table.is_none_or(|table| node <= table) => {
                    let leaving = self.moves[moved];
                    self.copy_range(
                        columns,
                        copied,
                        ColumnLengths { node, run: leaving.run as usize },
                    );
                    copied = leaving.content_end(columns);
                    moved += 1;
                }
                (_, Some(table)) => {
                    let run = columns.nodes[table].run_start as usize;
                    self.copy_range(columns, copied, ColumnLengths { node: table, run });
                    copied = ColumnLengths { node: table, run };
                    while let Some(arriving) =
                        self.by_table.get(inserted).copied().filter(|m| m.table as usize == table)
                    {
                        let start = ColumnLengths {
                            node: arriving.node as usize,
                            run: arriving.run as usize,
                        };
                        self.copy_range(columns, start, arriving.content_end(columns));
                        inserted += 1;
                    }
                }
                _ => unreachable!("the first arm takes what leaves if there is no table"),
            }
        }
        self.copy_range(
            columns,
            copied,
            ColumnLengths { node: columns.nodes.len(), run: columns.runs.len() },
        );
    }

    /// Appends a range of the columns to the copy.
    fn copy_range(&mut self, columns: &mut Columns, start: ColumnLengths, end: ColumnLengths) {
        let mut run = start.run;
        for index in start.node..end.node {
            let node = columns.nodes[index];
            let before = (node.run_start as usize).max(run);
            self.copy_runs(columns, run..before);
            run = before;
            columns.nodes_in_source[index] = self.nodes.len() as u32;
            let run_start = self.runs.len() as u32;
            self.nodes.push(Node { run_start, ..node });
        }
        self.copy_runs(columns, run..end.run);
    }

    fn copy_runs(&mut self, columns: &mut Columns, range: Range<usize>) {
        for run in range {
            columns.runs_in_source[run] = self.runs.len() as u32;
            self.runs.push(columns.runs[run]);
        }
    }
}

impl FosterMove {
    /// Returns the end of the moved content in the order of the source.
    fn content_end(self, columns: &Columns) -> ColumnLengths {
        if self.is_text {
            return ColumnLengths { node: self.node as usize, run: self.run as usize + 1 };
        }
        let node = &columns.nodes[self.node as usize];
        ColumnLengths { node: node.end as usize, run: node.run_end as usize }
    }
}

/// Finds the ends of all nodes from the parents of nodes and runs.
fn find_ends(columns: &mut Columns) {
    let Columns { nodes, runs, .. } = columns;
    for (index, node) in nodes.iter_mut().enumerate() {
        node.end = index as u32 + 1;
        node.run_end = node.run_start;
    }
    for (index, run) in runs.iter().enumerate() {
        nodes[run.node as usize].run_end = index as u32 + 1;
    }
    for index in (1..nodes.len()).rev() {
        let Node { parent, end, run_end, .. } = nodes[index];
        let parent = &mut nodes[parent as usize];
        parent.end = parent.end.max(end);
        parent.run_end = parent.run_end.max(run_end);
    }
}

/// Finds [`Run::min_level`] for all runs: the level of the lowest element that holds both the run
/// and the one before. The walk leaves each element once, so this is linear.
fn find_min_levels(columns: &mut Columns) {
    let Columns { nodes, runs, .. } = columns;
    let mut node = 0;
    let mut level = 1;
    for run in runs {
        while nodes[node].end <= run.node || run.node < node as u32 {
            node = nodes[node].parent as usize;
        }
        level = nodes[node].level.min(level);
        run.min_level = level;
        node = run.node as usize;
        level = nodes[node].level;
    }
}

/// Puts the white space of preformatted text after the run that it followed. If this is outside its
/// element, puts it where the element begins or ends.
fn move_white_runs(columns: &mut Columns) {
    let Columns { white_runs, nodes, nodes_in_source, runs_in_source, .. } = columns;
    for white in white_runs.iter_mut() {
        white.node = nodes_in_source[white.node as usize];
        let Node { run_start, run_end, .. } = nodes[white.node as usize];
        let before = white.run.checked_sub(1).map(|run| runs_in_source[run as usize] + 1);
        white.run = before.unwrap_or(0).clamp(run_start, run_end);
    }
    white_runs.sort_unstable_by_key(|white| (white.run, white.span.start));
}
