//! Walks over a selection: finds the parts to write, in document order, for any writer.
//!
//! Nodes and runs are merged; a node comes before the first run in it. The walk makes every
//! decision that must be the same for all writers. It decides which tables are data, where
//! preformatted text begins, and which formulas are among the kept text. It also drops text without
//! meaning (permalinks, glyphs of icon fonts). Cost: O(nodes + runs in the roots).

use super::closing::Closing;
pub(super) use super::closing::Scratch;
use super::formula::{self, Formula};
use super::hidden_parts::{Hiding, hiding_of_table_part};
use super::inline_boundary::{InlineBoundary, inline_boundary};
use super::render_kind::{KIND_OF_TAG, RenderKind};
use super::visited_part::VisitedPart;
use super::{
    closed_layers, code_lines, data_tables, gutters, hidden_copies, in_line, noise, permalinks,
    ruby, share,
};
use crate::selection::RunRange;
use huller_page::{Node, NodeFlags, Page, Tag, WhiteRun};
use std::ops::{ControlFlow, Range};

/// Writes the parts that a [`Walk`] finds.
pub(super) trait Writer {
    /// Whether thematic breaks (`hr`) are written. They are between texts and belong to no text.
    const WRITES_BREAKS: bool;

    /// Begins an element. Returns whether the walk must call [`close`](Writer::close) at its end.
    fn open(&mut self, node: u32, kind: RenderKind) -> bool;

    /// Ends an element.
    fn close(&mut self, node: u32, kind: RenderKind);

    /// Writes `count` empty cells, because cells beside or above take their columns.
    fn empty_cells(&mut self, count: u32);

    /// Writes white space between elements.
    fn space(&mut self);

    /// Notes that an inline element begins exactly where another one ended.
    fn note_boundary(&mut self, boundary: InlineBoundary);

    /// Writes a run, or a part of it: a byte range of the page's source.
    fn text(&mut self, run: u32, source: Range<usize>);

    /// Writes white space of preformatted text, a byte range of the page's source.
    fn white(&mut self, source: Range<usize>);

    /// Writes a formula in TeX, on one line, in place of the runs in this range.
    fn formula(&mut self, tex: &str, is_display: bool, runs: Range<u32>);

    /// Writes a formula without TeX, on one line, in place of the runs in this range.
    fn linear(&mut self, text: &str, is_display: bool, runs: Range<u32>);
}

/// The kinds of elements that the walk distinguishes: all kinds with a meaning, or only those of
/// specification 0.5 (blocks, `br`, and the rest).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementDetail {
    Specification,
    Form,
}

/// A walk over one selection.
pub(super) struct Walk<'a> {
    page: &'a Page<'a>,
    detail: ElementDetail,
    removed: &'a [u32],
    chosen: Option<&'a [RunRange]>,
    /// Ranges of runs that are not written, in document order.
    left_out: &'a [Range<u32>],
    /// The white space of preformatted text from here on.
    white: &'a [WhiteRun],
    /// The next thematic break. The walk has passed all breaks before it.
    next_break: u32,
    scratch: &'a mut Scratch,
    /// Ends, as indices of nodes, of the table of data, its row, its cell, and the preformatted
    /// element that the walk is in.
    table_end: u32,
    row_end: u32,
    cell_end: u32,
    preformatted_end: u32,
    /// The end of the element with code that the walk is in. In code every scalar counts.
    code_end: u32,
    /// The end of the `ruby` that the walk is in, or the node after the last one. Holds the end of
    /// the runs in it too.
    ruby_end: u32,
    ruby_run_end: u32,
    /// The end of the closed dialog or popover that is written all the same.
    layer_end: u32,
    /// The runs of the whole walk, and the number of bytes of text from them once it is known.
    root_runs: Range<u32>,
    root_bytes: Option<u64>,
    /// The end of the hidden block that the walk is in.
    hidden_end: u32,
    /// The hidden block.
    hidden: u32,
    /// Index after the last run that was written.
    written_to: u32,
    /// All chosen ranges, including the passed ones.
    all_chosen: Option<&'a [RunRange]>,
}

/// Walks over a part of a page.
pub(super) fn over(
    page: &Page<'_>,
    part: VisitedPart<'_>,
    detail: ElementDetail,
    scratch: &mut Scratch,
    writer: &mut impl Writer,
) {
    let VisitedPart { root, removed, chosen, left_out } = part;
    scratch.closing.clear();
    let white = if detail == ElementDetail::Form { page.white_runs() } else { &[] };
    let first_run = page.nodes()[root as usize].run_start;
    let walk = Walk {
        page,
        detail,
        removed,
        chosen,
        left_out: &left_out[left_out.partition_point(|runs| runs.end <= first_run)..],
        white: &white[white.partition_point(|white| white.run < first_run)..],
        scratch,
        next_break: 0,
        table_end: 0,
        row_end: 0,
        cell_end: 0,
        preformatted_end: 0,
        code_end: 0,
        ruby_end: 0,
        ruby_run_end: 0,
        layer_end: 0,
        root_runs: first_run..page.nodes()[root as usize].run_end,
        root_bytes: None,
        hidden_end: 0,
        hidden: 0,
        written_to: u32::MAX,
        all_chosen: chosen,
    };
    walk.over(root, writer);
}

impl Walk<'_> {
    fn over<W: Writer>(mut self, root: u32, writer: &mut W) {
        let (nodes, runs) = (self.page.nodes(), self.page.runs());
        let Node { end, run_start: mut run, run_end, .. } = nodes[root as usize];
        let mut at = root;
        loop {
            let node = (at < end).then(|| &nodes[at as usize]).filter(|node| node.run_start <= run);
            if node.is_none() && run >= run_end {
                break;
            }
            self.close(at, run, writer);
            if !self.white.is_empty() {
                let next =
                    node.map_or_else(|| runs[run as usize].byte_start, |node| node.byte_start);
                self.white(run, next, writer);
            }
            let Some(node) = node else {
                self.run(run, at, writer);
                run += 1;
                continue;
            };
            if node.flags.contains(NodeFlags::SPACE_BEFORE)
                && (at >= self.ruby_end || ruby::shows_space_before(self.page, at, node))
            {
                writer.space();
            }
            let is_removed = self.removed.first() == Some(&at);
            if is_removed {
                self.removed = &self.removed[1..];
            }
            if is_removed || !self.node(at, node, writer) || self.is_left_out::<W>(at, node) {
                at = node.end;
                self.removed = &self.removed[self.removed.partition_point(|it| *it < at)..];
                run = run.max(node.run_end);
            } else {
                at += 1;
            }
        }
        self.close(u32::MAX, u32::MAX, writer);
    }

    /// Writes the white space before this run and before this offset of the source.
    fn white(&mut self, run: u32, next: u32, writer: &mut impl Writer) {
        while let Some((white, rest)) = self.white.split_first()
            && (white.run < run || white.run == run && white.span.start < next)
        {
            if white.node < self.preformatted_end {
                writer.white(white.span.start as usize..white.span.end as usize);
            }
            self.white = rest;
        }
    }

    /// Closes the elements that end before this node and this run.
    #[inline(always)]
    fn close(&mut self, at: u32, run: u32, writer: &mut impl Writer) {
        if self.scratch.closing.last().is_some_and(|last| last.has_ended(at, run)) {
            self.close_ended(at, run, writer);
        }
    }

    fn close_ended(&mut self, at: u32, run: u32, writer: &mut impl Writer) {
        let has_ended = |last: &mut Closing| last.has_ended(at, run);
        while let Some(Closing { node, kind, .. }) = self.scratch.closing.pop_if(has_ended) {
            let element = &self.page.nodes()[node as usize];
            if element.flags.contains(NodeFlags::SPACE_AT_END)
                && (node >= self.ruby_end || ruby::shows_space_at_end(element))
            {
                writer.space();
            }
            if let Some(kind) = kind {
                if kind == RenderKind::Row && node < self.table_end {
                    writer.empty_cells(self.scratch.spans.end_row());
                }
                writer.close(node, kind);
            }
        }
    }

    /// Opens an element; false if the walk must pass over it and all that is in it.
    #[inline]
    fn node(&mut self, at: u32, node: &Node, writer: &mut impl Writer) -> bool {
        let mut kind = KIND_OF_TAG[node.tag.index()];
        if node.tag == Tag::OPTION && self.detail == ElementDetail::Form {
            // Specification 0.5 calls it a block, but browsers show it in the line of its control.
            kind = RenderKind::Control;
        }
        if self.detail == ElementDetail::Specification {
            if !matches!(kind, RenderKind::Block | RenderKind::LineBreak) {
                kind = RenderKind::Inline;
            }
        } else if kind == RenderKind::Block
            && (self.is_hidden_copy(at, node)
                || permalinks::is_wiki_tool(self.page, node)
                || self.is_closed_layer(at, node))
        {
            return false;
        } else if at < self.table_end
            || kind != RenderKind::Block
            || node.tag == Tag::TABLE
            || node.flags.contains(NodeFlags::PREFORMATTED)
        {
            match self.form(at, node, kind, writer) {
                Some(form) => kind = form,
                None => return false,
            }
        }
        let wants_end = writer.open(at, kind);
        if wants_end || node.flags.contains(NodeFlags::SPACE_AT_END) {
            self.scratch.closing.push(Closing {
                node: at,
                node_end: node.end,
                run_end: node.run_end,
                kind: wants_end.then_some(kind),
            });
        }
        true
    }

    /// Returns the final kind of an element; `None` if the walk passes over it, written or not.
    fn form(
        &mut self,
        at: u32,
        node: &Node,
        kind: RenderKind,
        writer: &mut impl Writer,
    ) -> Option<RenderKind> {
        if at < self.table_end {
            if at >= self.cell_end {
                if let ControlFlow::Break(form) = self.table_part(at, node, writer) {
                    return form;
                }
            } else if matches!(kind, RenderKind::Block | RenderKind::LineBreak) {
                let is_hidden = self.is_hidden_in_line(at, node);
                return (!is_hidden).then_some(RenderKind::BlockInCell);
            }
        } else if node.tag == Tag::TABLE {
            if data_tables::is_data_table(self.page, at) {
                self.table_end = node.end;
                self.scratch.spans.begin_table();
                return Some(RenderKind::Table);
            }
            return Some(RenderKind::Block);
        } else if node.flags.contains(NodeFlags::PREFORMATTED) && at >= self.preformatted_end {
            self.preformatted_end = node.end;
            return Some(RenderKind::Preformatted);
        }
        self.form_in_line(at, node, kind, writer)
    }

    /// Returns the final kind of a part of the table of data outside its cells, as
    /// [`form`](Walk::form) does. Continues at an element that is not such a part.
    fn table_part(
        &mut self,
        at: u32,
        node: &Node,
        writer: &mut impl Writer,
    ) -> ControlFlow<Option<RenderKind>> {
        let hiding = hiding_of_table_part(self.page, node);
        if hiding == Hiding::Removes {
            return ControlFlow::Break(None);
        }
        match node.tag {
            Tag::TR => {
                self.row_end = node.end;
                self.scratch.spans.begin_row();
                ControlFlow::Break(Some(RenderKind::Row))
            }
            Tag::TD | Tag::TH => {
                self.cell_end = node.end;
                if at >= self.row_end {
                    // A cell outside a row is a row by itself.
                    return ControlFlow::Break(Some(RenderKind::Row));
                }
                writer.empty_cells(self.scratch.spans.begin_cell(self.page, node));
                if hiding == Hiding::KeepsPlace {
                    writer.open(at, RenderKind::Cell);
                    return ControlFlow::Break(None);
                }
                ControlFlow::Break(Some(RenderKind::Cell))
            }
            Tag::THEAD | Tag::TBODY | Tag::TFOOT => {
                self.scratch.spans.begin_section();
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Returns the final kind of an element outside the parts of tables and the outermost
    /// preformatted element, as [`form`](Walk::form) does.
    fn form_in_line(
        &mut self,
        at: u32,
        node: &Node,
        kind: RenderKind,
        writer: &mut impl Writer,
    ) -> Option<RenderKind> {
        let is_code = at < self.preformatted_end.max(self.code_end);
        if at < self.preformatted_end
            && kind == RenderKind::Inline
            && code_lines::is_line(self.page, node)
        {
            return Some(RenderKind::Block);
        }
        if matches!(node.tag, Tag::CODE | Tag::KBD | Tag::SAMP | Tag::TT) {
            self.code_end = self.code_end.max(node.end);
        }
        match node.tag {
            Tag::RUBY if at >= self.ruby_end => {
                (self.ruby_end, self.ruby_run_end) = (node.end, node.run_end);
            }
            Tag::RP if ruby::is_around_nothing(self.page, at, node) => return None,
            _ => {}
        }
        match kind {
            RenderKind::Block | RenderKind::LineBreak => return Some(kind),
            // Browsers show one of the options, and a page often has many.
            RenderKind::Control
                if node.tag == Tag::SELECT && !self.is_any_kept(node.run_start..node.run_end) =>
            {
                writer.space();
                return None;
            }
            RenderKind::Control => return (!self.is_hidden_in_line(at, node)).then_some(kind),
            RenderKind::Link
                if permalinks::is_permalink(self.page, node) || share::is_link(self.page, node) =>
            {
                return None;
            }
            _ => {}
        }
        if let Some(found) = formula::find_formula(self.page, at, node, kind, &mut self.scratch.tex)
        {
            self.formula(at, found, node.run_start..node.run_end, writer);
            return None;
        }
        if kind == RenderKind::Image
            && (!self.is_image_kept(node.run_start) || noise::is_in_button(self.page, node))
        {
            return None;
        }
        if kind == RenderKind::Script
            || permalinks::is_wiki_tool(self.page, node)
            || self.is_closed_layer(at, node)
            || noise::is_icon(self.page, at, node)
            || self.is_hidden_in_line(at, node)
        {
            return None;
        }
        if kind == RenderKind::RubyText {
            let is_bare = ruby::is_bare(self.page, at, node);
            let is_shown = is_bare && self.is_any_kept(node.run_start..node.run_end);
            return Some(if is_shown { kind } else { RenderKind::Inline });
        }
        if !is_code {
            if noise::is_copy(self.page, at, node) && self.written_to == node.run_start {
                return None;
            }
            if let Some(boundary) = inline_boundary(self.page, at, node) {
                writer.note_boundary(boundary);
            }
        }
        if node.tag == Tag::UNKNOWN
            && kind == RenderKind::Inline
            && noise::is_custom(self.page, node)
        {
            return Some(RenderKind::Custom);
        }
        Some(kind)
    }

    /// Returns whether a block is hidden and repeats a shown one. Rows and cells stay, so that
    /// columns do.
    fn is_hidden_copy(&mut self, at: u32, node: &Node) -> bool {
        if at >= self.hidden_end {
            if !hidden_copies::hides(self.page, node) {
                return false;
            }
            (self.hidden, self.hidden_end) = (at, node.end);
        }
        let whole = &self.page.nodes()[self.hidden as usize];
        at >= self.table_end
            && self.scratch.hidden_copies.repeats_shown_block(
                self.page,
                node,
                whole,
                self.all_chosen,
            )
    }

    /// Returns whether an element is a closed dialog or popover, without most of the text.
    fn is_closed_layer(&mut self, at: u32, node: &Node) -> bool {
        let attributes = &mut self.scratch.attributes;
        if at < self.layer_end || !closed_layers::is_closed_layer(self.page, node, attributes) {
            return false;
        }
        let (page, chosen) = (self.page, self.all_chosen);
        let bytes = |runs: &Range<u32>| closed_layers::bytes_of(page, runs.clone(), chosen);
        let all = *self.root_bytes.get_or_insert_with(|| bytes(&self.root_runs));
        let holds_most = 2 * bytes(&(node.run_start..node.run_end)) >= all;
        if holds_most {
            self.layer_end = node.end;
        }
        !holds_most
    }

    /// Returns whether an element is hidden words in a line.
    fn is_hidden_in_line(&mut self, at: u32, node: &Node) -> bool {
        let attributes = &mut self.scratch.attributes;
        in_line::holds_nothing_shown(self.page, at, node, at < self.cell_end, attributes)
    }

    /// Writes a formula that was found in place of these runs, if it is among kept text.
    fn formula(&mut self, at: u32, found: Formula, runs: Range<u32>, writer: &mut impl Writer) {
        let (Formula::Tex { is_display } | Formula::Linear { is_display }) = found else { return };
        let is_empty = self.scratch.tex.is_empty();
        if is_empty || self.is_copy(runs.start) || !self.stands_among_kept(runs.clone()) {
            return;
        }
        // A row of a table is one line.
        let is_display = is_display && at >= self.table_end;
        if matches!(found, Formula::Tex { .. }) {
            writer.formula(&self.scratch.tex, is_display, runs.clone());
        } else {
            writer.linear(&self.scratch.tex, is_display, runs.clone());
        }
        self.pass(runs.end);
        self.written_to = runs.end;
    }

    /// Returns whether an opened block has no part to write, so that the walk can skip its content.
    /// In such a block no run is chosen. The runs directly before and after it are not chosen
    /// either, because formulas and images are written if text beside them is.
    #[inline]
    fn is_left_out<W: Writer>(&mut self, at: u32, node: &Node) -> bool {
        let is_plain = KIND_OF_TAG[node.tag.index()] == RenderKind::Block
            && node.tag != Tag::TABLE
            && at >= self.table_end
            && !node.flags.contains(NodeFlags::PREFORMATTED);
        if !is_plain || self.chosen.is_none() || self.written_to == node.run_start {
            return false;
        }
        self.pass(node.run_start);
        self.chosen.and_then(<[_]>::first).is_none_or(|next| next.run > node.run_end)
            && !(W::WRITES_BREAKS && self.break_from(at + 1) < node.end)
    }

    /// Returns the first thematic break from a node on. Each node is tested once, since the walk
    /// only moves forward.
    fn break_from(&mut self, at: u32) -> u32 {
        if self.next_break < at {
            let mut after = (at..).zip(&self.page.nodes()[at as usize..]);
            let found = after.find(|(_, node)| node.tag == Tag::HR);
            self.next_break = found.map_or(u32::MAX, |(index, _)| index);
        }
        self.next_break
    }

    /// Returns whether a formula in place of these runs is written. It is if the whole selection is
    /// written, or if some of the runs or the run before or after them is chosen. A formula has no
    /// text of its own that an extractor could choose.
    fn stands_among_kept(&self, runs: Range<u32>) -> bool {
        let Some(chosen) = self.chosen else { return true };
        let passed = chosen.iter().take_while(|range| range.run < runs.start).count();
        self.written_to == runs.start || chosen.get(passed).is_some_and(|next| next.run <= runs.end)
    }

    /// Returns whether any of these runs is written.
    fn is_any_kept(&mut self, runs: Range<u32>) -> bool {
        self.pass(runs.start);
        let first = match self.chosen {
            Some(chosen) => chosen.first().map(|next| next.run),
            None => Some(runs.start),
        };
        first.is_some_and(|first| first < runs.end && !self.is_copy(first)) && !runs.is_empty()
    }

    /// Returns whether an image before this run is written: text beside it is written and is not a
    /// copy.
    fn is_image_kept(&self, run: u32) -> bool {
        !self.is_copy(run) && self.stands_among_kept(run..run)
    }

    /// Returns whether a run was left out as part of a copy.
    fn is_copy(&self, run: u32) -> bool {
        let after = self.left_out.iter().find(|copy| copy.end > run);
        after.is_some_and(|copy| copy.contains(&run))
    }

    /// Passes over the ranges of runs before this one.
    fn pass(&mut self, run: u32) {
        if let Some(chosen) = &mut self.chosen {
            let passed = chosen.iter().take_while(|range| range.run < run).count();
            *chosen = &chosen[passed..];
        }
    }

    /// Writes the chosen parts of a run. `next` is the next node.
    #[inline]
    fn run(&mut self, index: u32, next: u32, writer: &mut impl Writer) {
        if self.left_out.is_empty() && self.chosen.is_some() {
            self.pass(index);
            if self.chosen.and_then(<[_]>::first).is_none_or(|next| next.run > index) {
                return;
            }
        }
        let run = &self.page.runs()[index as usize];
        if self.detail == ElementDetail::Form
            && (noise::is_glyph(self.page, run)
                || gutters::is_line_number(self.page, run)
                || noise::is_escaped_markup(self.page, run))
        {
            return;
        }
        while let Some((copy, rest)) = self.left_out.split_first()
            && copy.start <= index
        {
            if index < copy.end {
                self.written_to = index + 1;
                return;
            }
            self.left_out = rest;
        }
        let shown = if index < self.ruby_run_end {
            ruby::shown_part(self.page, run, next)
        } else {
            run.byte_start..run.byte_end
        };
        let Some(chosen) = &mut self.chosen else {
            writer.text(index, shown.start as usize..shown.end as usize);
            self.written_to = index + 1;
            return;
        };
        let first = chosen.iter().take_while(|range| range.run < index).count();
        *chosen = &chosen[first..];
        while let Some((range, rest)) = chosen.split_first().filter(|(range, _)| range.run == index)
        {
            let start = range.start.max(shown.start);
            writer.text(index, start as usize..range.end.min(shown.end).max(start) as usize);
            self.written_to = index + 1;
            *chosen = rest;
            if chosen.first().is_some_and(|next| next.run == index) {
                // The text that was left out between the two ranges separated their words.
                writer.space();
            }
        }
    }
}
