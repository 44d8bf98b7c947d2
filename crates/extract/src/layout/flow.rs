//! The sweep: elements open and close in order, text piles up as pixels, blocks stack.

use super::declarations::{Declarations, Side};
use super::sheet::Sheet;
use super::wide;
use crate::removal::Removal;
use huller_page::entity::{Context, decode};
use huller_page::{Node, Page, Run, RunFlags, Tag, TagSet};

/// Width of the page in pixels.
pub(crate) const PAGE_WIDTH: f64 = 1000.0;
const BASE_FONT: f64 = 16.0;
/// Height of a line in font sizes.
const LINE: f64 = 1.5;
/// Height of an `hr`.
const RULE: f64 = 2.0;
/// A row of floats takes one that is wider than what is left by no more than this.
const ROW_SLACK: f64 = 0.5;

/// A rectangle on the page, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rect {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// What is known of one node.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Index of its rectangle, or of that of its nearest ancestor that has one.
    rect: u32,
    has_own_rect: bool,
    /// Width declared, for itself or an ancestor below the body.
    is_declared: bool,
    /// As [`Declarations`] has it; its own only.
    background: u32,
    font: f32,
}

/// A block that is open.
#[derive(Clone, Copy, Debug)]
struct Frame {
    rect: u32,
    left: f64,
    top: f64,
    width: f64,
    height: Option<f64>,
    /// What its lines are high by, whatever fonts are in them.
    font: f64,
    /// How far down its content reaches.
    cursor: f64,
    /// Length of the text of the present line, were it one line.
    pixels: f64,
    /// The tallest image in it.
    image: f64,
    /// The present row of floats.
    row_width: f64,
    row_height: f64,
    joins: Joins,
}

/// What a block does to the block around it when it closes.
#[derive(Clone, Copy, Debug)]
enum Joins {
    Row { width: f64 },
    Stack { margin_below: f64 },
}

/// An element that is open, if it is a block or has a font of its own.
#[derive(Clone, Copy, Debug)]
struct Open {
    node_end: u32,
    run_end: u32,
    font: f64,
    is_block: bool,
}

/// Where everything lies. Made once and refilled.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    sheet: Sheet,
    flow: Flow,
}

/// The sweep, and what it leaves behind.
#[derive(Debug, Default)]
struct Flow {
    places: Vec<Place>,
    rects: Vec<Rect>,
    open: Vec<Open>,
    frames: Vec<Frame>,
    decoded: String,
}

impl Layout {
    /// Lays out what is in `body` but for the elements of `removal`.
    pub(crate) fn fill(&mut self, page: &Page<'_>, body: u32, removal: &Removal) {
        let (nodes, runs) = (page.nodes(), page.runs());
        let Layout { sheet, flow } = self;
        sheet.fill(page);
        flow.clear(nodes.len());
        flow.open_body(body, &nodes[body as usize], sheet.style(page, &nodes[body as usize]));
        let (end, run_end) = (nodes[body as usize].end, nodes[body as usize].run_end);
        let (mut at, mut run) = (body + 1, nodes[body as usize].run_start);
        // Up to where nothing is shown.
        let (mut hidden_end, mut hidden_run_end) = (0, 0);
        loop {
            let node = (at < end).then(|| &nodes[at as usize]);
            let next_run = node.map_or(run_end, |node| node.run_start);
            while run < next_run {
                flow.close(at, run);
                if run >= hidden_run_end {
                    flow.text(page, &runs[run as usize]);
                }
                run += 1;
            }
            flow.close(at, run);
            let Some(node) = node else { break };
            if removal.removes(node) {
                at = node.end;
                run = run.max(node.run_end);
                continue;
            }
            let style = sheet.style(page, node);
            let above = flow.places[node.parent as usize];
            flow.places[at as usize] =
                Place { has_own_rect: false, background: style.background, ..above };
            if at >= hidden_end {
                if style.hidden && node.is(TagSet::BLOCK) {
                    // What comes before a hidden block and what comes after still stand on lines of their own.
                    flow.end_line();
                    (hidden_end, hidden_run_end) = (node.end, node.run_end);
                } else {
                    flow.open_node(at, node, style);
                }
            }
            at += 1;
        }
    }

    /// The rectangle of a node. One that is hidden, or no block, takes its nearest laid out ancestor's, and no height.
    pub(crate) fn rect(&self, node: u32) -> Rect {
        let place = self.flow.places[node as usize];
        let rect = self.flow.rects[place.rect as usize];
        if place.has_own_rect { rect } else { Rect { height: 0.0, ..rect } }
    }

    /// The area of a node that has a rectangle of its own, else 0.
    pub(crate) fn area(&self, node: u32) -> f64 {
        let rect = self.rect(node);
        rect.width * rect.height
    }

    /// The background declared for a node, as a number that tells colours apart; `None` where there is none.
    pub(crate) fn background(&self, node: u32) -> Option<u32> {
        Some(self.flow.places[node as usize].background).filter(|background| *background != 0)
    }

    /// The font size of a node.
    pub(crate) fn font(&self, node: u32) -> f32 {
        self.flow.places[node as usize].font
    }

    /// Whether a width is declared for a node or for one that holds it, below the body.
    pub(crate) fn is_declared(&self, node: u32) -> bool {
        self.flow.places[node as usize].is_declared
    }

    /// Height of the page; 0 where it comes to less than a pixel, as negative margins can bring about.
    pub(crate) fn page_height(&self) -> f64 {
        let height = self.flow.rects.first().map_or(0.0, |rect| rect.height);
        if height < 1.0 { 0.0 } else { height }
    }
}

impl Flow {
    fn clear(&mut self, nodes: usize) {
        self.places.clear();
        self.places.resize(nodes, Place::default());
        self.rects.clear();
        self.open.clear();
        self.frames.clear();
    }

    fn open_body(&mut self, body: u32, node: &Node, style: &Declarations) {
        let around = Rect { width: PAGE_WIDTH, ..Rect::default() };
        let font = font_of(node, style, BASE_FONT);
        let place = within(around, style);
        self.push_frame(place, height_of(style), font, Joins::Stack { margin_below: 0.0 });
        self.places[body as usize] = Place {
            rect: 0,
            has_own_rect: true,
            is_declared: false,
            background: style.background,
            font: font as f32,
        };
        self.open.push(Open { node_end: node.end, run_end: node.run_end, font, is_block: true });
    }

    /// Opens a node, the place of which has what it inherits.
    fn open_node(&mut self, at: u32, node: &Node, style: &Declarations) {
        let Node { end: node_end, run_end, .. } = *node;
        if node.is(TagSet::BLOCK) {
            let inherited = self.open.last().map_or(BASE_FONT, |open| open.font);
            let font = font_of(node, style, inherited);
            let rect = self.open_block(node, style, font);
            let place = &mut self.places[at as usize];
            place.rect = rect;
            place.has_own_rect = true;
            place.is_declared |= style.width.is_some();
            place.font = font as f32;
            self.open.push(Open { node_end, run_end, font, is_block: true });
        } else if node.tag == Tag::BR {
            self.end_line();
        } else if node.tag == Tag::IMG {
            let Some(frame) = self.frames.last_mut() else { return };
            frame.pixels += style.width.map_or(0.0, |width| width.pixels(frame.width));
            frame.image = frame.image.max(style.height.map_or(0.0, |height| height.pixels(0.0)));
        } else if let Some(font) = declared_font(style) {
            self.places[at as usize].font = font as f32;
            self.open.push(Open { node_end, run_end, font, is_block: false });
        }
    }

    /// Closes what ends before a node and a run.
    #[inline]
    fn close(&mut self, node: u32, run: u32) {
        while let Some(last) = self.open.pop_if(|last| last.node_end <= node && last.run_end <= run)
        {
            if last.is_block {
                self.close_block();
            }
        }
    }

    /// Opens a block within the present one; gives the index of its rectangle.
    fn open_block(&mut self, node: &Node, style: &Declarations, font: f64) -> u32 {
        self.end_line();
        let Some(frame) = self.frames.last_mut() else { return 0 };
        if style.is_empty() && node.tag != Tag::HR {
            // Most blocks: below what came before, as wide as what is around.
            frame.end_row();
            let Frame { left, cursor: top, width, .. } = *frame;
            let around = Rect { left, top, width, height: 0.0 };
            return self.push_frame(around, None, font, Joins::Stack { margin_below: 0.0 });
        }
        let width = style.width.map(|width| width.pixels(frame.width)).filter(|width| *width > 0.0);
        let (left, joins) = if let (Some(side), Some(width)) = (style.float, width) {
            if frame.row_width + width > frame.width + ROW_SLACK {
                frame.end_row();
            }
            let offset = match side {
                Side::Left => frame.row_width,
                Side::Right => frame.width - frame.row_width - width,
            };
            (frame.left + offset, Joins::Row { width })
        } else {
            frame.end_row();
            let margin = |length: Option<super::length::Length>| {
                length.map_or(0.0, |length| length.pixels(frame.width))
            };
            let margin_below = margin(style.margin_bottom);
            frame.cursor += margin(style.margin_top);
            (frame.left, Joins::Stack { margin_below })
        };
        let around = Rect { left, top: frame.cursor, width: frame.width, height: 0.0 };
        let rect = self.push_frame(within(around, style), height_of(style), font, joins);
        if let (Tag::HR, Some(frame)) = (node.tag, self.frames.last_mut()) {
            frame.cursor += RULE;
        }
        rect
    }

    /// Opens a block at a place.
    #[inline]
    fn push_frame(&mut self, place: Rect, height: Option<f64>, font: f64, joins: Joins) -> u32 {
        let Rect { left, top, width, .. } = place;
        let rect = self.rects.len() as u32;
        self.rects.push(place);
        self.frames.push(Frame {
            rect,
            left,
            top,
            width,
            height,
            font,
            cursor: top,
            pixels: 0.0,
            image: 0.0,
            row_width: 0.0,
            row_height: 0.0,
            joins,
        });
        rect
    }

    fn close_block(&mut self) {
        self.end_line();
        let Some(mut frame) = self.frames.pop() else { return };
        frame.end_row();
        let height = frame.height.unwrap_or(frame.cursor - frame.top);
        debug_assert!(height.is_finite());
        self.rects[frame.rect as usize].height = height;
        let Some(around) = self.frames.last_mut() else { return };
        match frame.joins {
            Joins::Row { width } => {
                around.row_width += width;
                around.row_height = around.row_height.max(height);
            }
            Joins::Stack { margin_below } => {
                around.cursor += height;
                around.cursor += margin_below;
            }
        }
    }

    /// Ends the present line of text.
    fn end_line(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        if frame.pixels > 0.0 || frame.image > 0.0 {
            let lines = (frame.pixels / frame.width).ceil();
            frame.cursor += (lines * frame.font * LINE).max(frame.image);
        }
        frame.pixels = 0.0;
        frame.image = 0.0;
    }

    fn text(&mut self, page: &Page<'_>, run: &Run) {
        let mut source = page.run_source(run);
        if run.flags.contains(RunFlags::REFERENCES) {
            self.decoded.clear();
            decode(source, Context::Text, &mut self.decoded);
            source = &self.decoded;
        }
        let wide = wide::count(source);
        let (wide, all) = (wide as f64, f64::from(run.counts.chars + run.counts.gaps));
        let font = self.open.last().map_or(BASE_FONT, |open| open.font);
        if let Some(frame) = self.frames.last_mut() {
            frame.pixels += font * (wide + 0.5 * (all - wide));
        }
    }
}

impl Frame {
    /// Ends the present row of floats.
    fn end_row(&mut self) {
        self.cursor += self.row_height;
        self.row_width = 0.0;
        self.row_height = 0.0;
    }
}

/// The place of a block in what is around it: no wider, and no narrower than a pixel.
fn within(around: Rect, style: &Declarations) -> Rect {
    let declared = style.width.map(|declared| declared.pixels(around.width));
    let declared = declared.filter(|width| *width > 0.0);
    let width = declared.map_or(around.width, |own| own.min(around.width)).max(1.0);
    Rect { width, ..around }
}

fn height_of(style: &Declarations) -> Option<f64> {
    style.height.map(|height| height.pixels(0.0)).filter(|height| *height > 0.0)
}

/// The size of a block's font.
fn font_of(node: &Node, style: &Declarations, inherited: f64) -> f64 {
    declared_font(style).unwrap_or(match node.tag {
        Tag::H1 => 32.0,
        Tag::H2 => 24.0,
        Tag::H3 => 19.0,
        _ => inherited,
    })
}

fn declared_font(style: &Declarations) -> Option<f64> {
    style.font_size.map(|size| size.pixels(BASE_FONT)).filter(|size| *size > 0.0)
}

#[cfg(test)]
mod tests;
