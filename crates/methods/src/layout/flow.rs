//! Lays out a page in one sweep: opens and closes elements in order, adds up the width of text, and
//! stacks blocks.

use super::boxes::{Boxes, NO_BOX, NodeBox, Rect};
use super::declarations::{Declarations, FloatSide};
use super::frame::{BlockJoin, Frame, SavedFrame};
use super::length::Length;
use super::style_sheet::StyleSheet;
use super::wide_scalars;
use crate::removal::Removal;
use huller_page::entity::{Context, decode};
use huller_page::{Node, Page, Run, RunFlags, Tag, TagSet};

/// Width of the page in pixels.
pub(crate) const PAGE_WIDTH: f64 = 1000.0;
const BASE_FONT_PX: f64 = 16.0;
/// Height of a line in font sizes.
const LINE_HEIGHT_RATIO: f64 = 1.5;
/// Height of an `hr` in pixels.
const RULE_HEIGHT_PX: f64 = 2.0;
/// A float joins a row if it exceeds the remaining width by at most this many pixels.
const ROW_SLACK_PX: f64 = 0.5;

/// An open element that is a block or declares a font size.
#[derive(Clone, Copy, Debug)]
struct OpenBlock {
    /// Index after the last node of the element.
    node_end: u32,
    /// Index after the last run of the element.
    run_end: u32,
    /// Font size of its text, in pixels.
    font: f64,
    /// Font size of the block, in pixels. It alone decides the height of lines; fonts within a line
    /// do not.
    line_font: f64,
    /// Index of the block's rectangle.
    rect: u32,
    kind: OpenKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenKind {
    /// An inline element with a font size.
    Font,
    /// A block that shares the frame of the block around it.
    Plain,
    /// A block with a frame of its own.
    Framed,
}

/// Lays out pages. Created once and refilled.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    sheet: StyleSheet,
    flow: Flow,
}

/// The state of the sweep, and its result.
#[derive(Debug, Default)]
struct Flow {
    boxes: Boxes,
    open: Vec<OpenBlock>,
    /// Node and run at which the last element of `open` ends.
    node_end: u32,
    /// Index after the last run of the innermost open element.
    run_end: u32,
    /// The innermost frame, then those around it.
    frame: Frame,
    around: Vec<SavedFrame>,
    decoded: String,
}

impl Layout {
    /// Lays out the content of `body`, without the elements that `removal` removes.
    pub(crate) fn fill(&mut self, page: &Page<'_>, body: u32, removal: &Removal) {
        let (nodes, runs) = (page.nodes(), page.runs());
        let Layout { sheet, flow } = self;
        sheet.fill(page);
        flow.clear(nodes.len());
        flow.open_body(body, &nodes[body as usize], sheet.style(page, &nodes[body as usize]));
        let Node { end, run_start, run_end, .. } = nodes[body as usize];
        let (mut index, mut run) = (body + 1, run_start);
        // Node and run at which the hidden block ends.
        let (mut hidden_end, mut hidden_run_end) = (0, 0);
        loop {
            let node = (index < end).then(|| &nodes[index as usize]);
            let next_run = node.map_or(run_end, |node| node.run_start);
            while run < next_run {
                flow.close(index, run);
                if run >= hidden_run_end {
                    flow.lay_out_text(page, &runs[run as usize]);
                }
                run += 1;
            }
            flow.close(index, run);
            let Some(node) = node else { break };
            if removal.removes(node) {
                index = node.end;
                run = run.max(node.run_end);
                continue;
            }
            let style = sheet.style(page, node);
            if index < hidden_end {
                flow.place_hidden(index, node, style);
            } else if style.hidden && node.is(TagSet::BLOCK) {
                // A hidden block still ends the line before it.
                flow.end_line();
                flow.place_hidden(index, node, style);
                (hidden_end, hidden_run_end) = (node.end, node.run_end);
            } else {
                flow.open_node(index, node, style);
            }
            index += 1;
        }
    }

    /// Returns the boxes of the last page's nodes.
    pub(crate) fn boxes(&self) -> &Boxes {
        &self.flow.boxes
    }
}

impl Flow {
    fn clear(&mut self, nodes: usize) {
        self.boxes.clear(nodes);
        self.open.clear();
        self.around.clear();
    }

    fn open_body(&mut self, body: u32, node: &Node, style: &Declarations) {
        let font = font_of(node, style, BASE_FONT_PX);
        self.frame = Frame { width: PAGE_WIDTH, ..Frame::default() };
        let rect = self.open_frame(0.0, style, BlockJoin::Stack { margin_below: 0.0 });
        self.push_block(
            NodeBox { node: body, rect, ..NO_BOX },
            node,
            style,
            font,
            OpenKind::Framed,
        );
    }

    /// Gives a hidden node its box. It takes no space, but its background counts.
    fn place_hidden(&mut self, index: u32, node: &Node, style: &Declarations) {
        self.boxes.inherit(index, node);
        if style.background != 0 {
            let above = *self.boxes.get(index);
            let background = style.background;
            self.boxes.insert(NodeBox { node: index, has_own_rect: false, background, ..above });
        }
    }

    #[inline]
    fn open_node(&mut self, index: u32, node: &Node, style: &Declarations) {
        if node.is(TagSet::BLOCK) {
            self.open_block(index, node, style);
            return;
        }
        self.boxes.inherit(index, node);
        if node.tag == Tag::BR {
            self.end_line();
        }
        if !style.is_empty() {
            self.open_inline(index, node, style);
        }
    }

    /// Opens an inline element that has declarations.
    fn open_inline(&mut self, index: u32, node: &Node, style: &Declarations) {
        let above = *self.boxes.get(index);
        let mut font = None;
        if node.tag == Tag::IMG {
            let frame = &mut self.frame;
            frame.pixels += style.width.map_or(0.0, |width| width.pixels(frame.width));
            frame.image = frame.image.max(style.height.map_or(0.0, |height| height.pixels(0.0)));
        } else if node.tag != Tag::BR {
            font = declared_font(style);
        }
        if let (Some(font), Some(last_open)) = (font, self.open.last().copied()) {
            self.push(node, OpenBlock { font, kind: OpenKind::Font, ..last_open });
        }
        if font.is_some() || style.background != 0 {
            let font = font.map_or(above.font, |font| font as f32);
            let background = style.background;
            self.boxes.insert(NodeBox {
                node: index,
                has_own_rect: false,
                background,
                font,
                ..above
            });
        }
    }

    /// Closes the open elements that end at or before a node and a run.
    #[inline]
    fn close(&mut self, node: u32, run: u32) {
        while self.node_end <= node && self.run_end <= run && !self.open.is_empty() {
            self.close_last();
        }
    }

    /// Opens a block within the innermost open one.
    #[inline]
    fn open_block(&mut self, index: u32, node: &Node, style: &Declarations) {
        self.end_line();
        let is_bare =
            node.end == index + 1 && node.run_start == node.run_end && node.tag != Tag::HR;
        if is_bare && style.is_empty() {
            // An empty block needs no box of its own.
            self.frame.end_row();
            self.boxes.inherit(index, node);
            return;
        }
        let inherited = self.open.last().map_or(BASE_FONT_PX, |open| open.font);
        let font = font_of(node, style, inherited);
        let (kind, rect) = if style.is_plain() {
            (OpenKind::Plain, self.open_plain())
        } else {
            (OpenKind::Framed, self.open_sized(style))
        };
        if node.tag == Tag::HR {
            self.frame.cursor += RULE_HEIGHT_PX;
        }
        let is_declared = self.boxes.get(node.parent).is_declared || style.width.is_some();
        let node_box = NodeBox { node: index, rect, is_declared, ..NO_BOX };
        self.push_block(node_box, node, style, font, kind);
    }

    /// Pushes a block onto the open elements, and gives it a box.
    #[inline]
    fn push_block(
        &mut self,
        node_box: NodeBox,
        node: &Node,
        style: &Declarations,
        font: f64,
        kind: OpenKind,
    ) {
        let (rect, background) = (node_box.rect, style.background);
        self.boxes.insert(NodeBox {
            has_own_rect: true,
            background,
            font: font as f32,
            ..node_box
        });
        self.push(node, OpenBlock { node_end: 0, run_end: 0, font, line_font: font, rect, kind });
    }

    /// Pushes an element onto the open elements.
    #[inline]
    fn push(&mut self, node: &Node, open: OpenBlock) {
        (self.node_end, self.run_end) = (node.end, node.run_end);
        self.open.push(OpenBlock { node_end: node.end, run_end: node.run_end, ..open });
    }

    /// Opens a block without size and margin, below the content before it and as wide as the block
    /// around it. Returns the index of its rectangle.
    #[inline]
    fn open_plain(&mut self) -> u32 {
        self.frame.end_row();
        let Frame { left, cursor: top, width, .. } = self.frame;
        self.boxes.push(Rect { left, top, width, height: 0.0 })
    }

    /// Opens a block with a size or a margin. Returns the index of its rectangle.
    fn open_sized(&mut self, style: &Declarations) -> u32 {
        let frame = &mut self.frame;
        let width = style.width.map(|width| width.pixels(frame.width)).filter(|width| *width > 0.0);
        let (left, joins) = if let (Some(side), Some(width)) = (style.float, width) {
            if frame.row_width + width > frame.width + ROW_SLACK_PX {
                frame.end_row();
            }
            let offset = match side {
                FloatSide::Left => frame.row_width,
                FloatSide::Right => frame.width - frame.row_width - width,
            };
            (frame.left + offset, BlockJoin::Row { width })
        } else {
            frame.end_row();
            let margin =
                |length: Option<Length>| length.map_or(0.0, |length| length.pixels(frame.width));
            let margin_below = margin(style.margin_bottom);
            let margin_above = margin(style.margin_top);
            frame.cursor += margin_above;
            (frame.left, BlockJoin::Stack { margin_below })
        };
        self.open_frame(left, style, joins)
    }

    /// Begins a frame at the cursor of the present one, at most as wide as that one and at least
    /// one pixel wide. Returns the index of its rectangle.
    fn open_frame(&mut self, left: f64, style: &Declarations, joins: BlockJoin) -> u32 {
        let Frame { width: outer_width, cursor: top, .. } = self.frame;
        self.around.push(SavedFrame { frame: self.frame, height: height_of(style), joins });
        let declared = style.width.map(|declared| declared.pixels(outer_width));
        let declared = declared.filter(|width| *width > 0.0);
        let width = declared.map_or(outer_width, |own_width| own_width.min(outer_width)).max(1.0);
        self.frame = Frame { left, width, cursor: top, ..Frame::default() };
        self.boxes.push(Rect { left, top, width, height: 0.0 })
    }

    /// Closes the innermost open element.
    #[inline]
    fn close_last(&mut self) {
        let Some(OpenBlock { kind, rect, .. }) = self.open.last().copied() else { return };
        if kind != OpenKind::Font {
            self.end_line();
            self.frame.end_row();
            let rect = &mut self.boxes.rects[rect as usize];
            rect.height = self.frame.cursor - rect.top;
            debug_assert!(rect.height.is_finite());
            // Rounding can make this sum differ slightly from the cursor.
            self.frame.cursor = rect.top + rect.height;
        }
        if kind == OpenKind::Framed {
            self.close_frame(rect);
        }
        self.open.pop();
        if let Some(last_open) = self.open.last() {
            (self.node_end, self.run_end) = (last_open.node_end, last_open.run_end);
        }
    }

    /// Ends the present frame and continues with the one around it.
    fn close_frame(&mut self, rect: u32) {
        let Some(SavedFrame { frame, height, joins }) = self.around.pop() else { return };
        self.frame = frame;
        let rect = &mut self.boxes.rects[rect as usize];
        rect.height = height.unwrap_or(rect.height);
        match joins {
            BlockJoin::Row { width } => {
                self.frame.row_width += width;
                self.frame.row_height = self.frame.row_height.max(rect.height);
            }
            BlockJoin::Stack { margin_below } => {
                self.frame.cursor += rect.height;
                self.frame.cursor += margin_below;
            }
        }
    }

    /// Ends the present line of text.
    #[inline]
    fn end_line(&mut self) {
        let Frame { pixels, image, width, .. } = self.frame;
        if pixels > 0.0 || image > 0.0 {
            let font = self.open.last().map_or(BASE_FONT_PX, |open| open.line_font);
            // Most lines are short and need no division.
            let lines = if pixels > width {
                (pixels / width).ceil()
            } else {
                f64::from(u8::from(pixels > 0.0))
            };
            self.frame.cursor += (lines * font * LINE_HEIGHT_RATIO).max(image);
            self.frame.pixels = 0.0;
            self.frame.image = 0.0;
        }
    }

    fn lay_out_text(&mut self, page: &Page<'_>, run: &Run) {
        let all_chars = run.counts.chars + run.counts.gaps;
        // A text with as many scalars as bytes is ASCII.
        let is_ascii = run.byte_end - run.byte_start == all_chars;
        let wide = if is_ascii { 0 } else { self.count_wide(page.run_source(run), run) };
        let (wide, all_chars) = (wide as f64, f64::from(all_chars));
        let font = self.open.last().map_or(BASE_FONT_PX, |open| open.font);
        self.frame.pixels += font * (wide + 0.5 * (all_chars - wide));
    }

    /// Returns the number of scalars in a run that are one font size wide.
    fn count_wide(&mut self, source: &str, run: &Run) -> usize {
        // Only numeric character references can be wide scalars; named ones never are.
        if !run.flags.contains(RunFlags::REFERENCES) || !source.contains("&#") {
            return wide_scalars::count(source);
        }
        self.decoded.clear();
        decode(source, Context::Text, &mut self.decoded);
        wide_scalars::count(&self.decoded)
    }
}

fn height_of(style: &Declarations) -> Option<f64> {
    style.height.map(|height| height.pixels(0.0)).filter(|height| *height > 0.0)
}

/// Returns the font size of a block, in pixels.
fn font_of(node: &Node, style: &Declarations, inherited: f64) -> f64 {
    declared_font(style).unwrap_or(match node.tag {
        Tag::H1 => 32.0,
        Tag::H2 => 24.0,
        Tag::H3 => 19.0,
        _ => inherited,
    })
}

fn declared_font(style: &Declarations) -> Option<f64> {
    style.font_size.map(|size| size.pixels(BASE_FONT_PX)).filter(|size| *size > 0.0)
}

#[cfg(test)]
mod tests;
