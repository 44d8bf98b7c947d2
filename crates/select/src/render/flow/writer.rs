//! Receives the calls of the walk in a flow.

use super::{Element, Flow, MarkupSink, Role, Table, inline_tag, role};
use crate::render::cut::{self, TakeWords};
use crate::render::inline_boundary::InlineBoundary;
use crate::render::render_kind::RenderKind;
use crate::render::scripts::{self, Script};
use crate::render::walk::Writer;
use crate::render::words::Separator;
use huller_page::entity::{self, Context};
use huller_page::{RunFlags, Tag, TagSet};
use std::ops::Range;

impl<S: MarkupSink> Writer for Flow<'_, S> {
    const WRITES_BREAKS: bool = true;

    fn open(&mut self, node: u32, kind: RenderKind) -> bool {
        let tag = self.page.nodes()[node as usize].tag;
        match kind {
            RenderKind::Math | RenderKind::Script => false,
            RenderKind::Block => {
                self.require_separator(Separator::Block);
                if self.preformatted.is_some() || self.is_in_row() {
                    return true;
                }
                if tag == Tag::HR {
                    (self.has_rule, self.has_crossed_boundary) = (true, true);
                    return true;
                }
                let (tag, role) = role(tag);
                self.push_block(node, tag, role);
                true
            }
            RenderKind::LineBreak => {
                if self.preformatted.is_some() {
                    self.scratch.pending_white.push('\n');
                } else {
                    self.require_separator(Separator::Break);
                    self.pending_breaks += 1;
                }
                false
            }
            RenderKind::BlockInCell => {
                self.require_separator(Separator::Space);
                self.pending_breaks = self.pending_breaks.max(1);
                true
            }
            RenderKind::Control => {
                self.require_separator(Separator::Space);
                true
            }
            RenderKind::Custom => {
                self.require_separator(Separator::InlineBoundary);
                true
            }
            RenderKind::RubyText => {
                self.words("(");
                true
            }
            RenderKind::Table => {
                self.require_separator(Separator::Block);
                if self.preformatted.is_none() {
                    let block = self.scratch.blocks.len();
                    self.push_block(node, Tag::TABLE, Role::Container);
                    self.table = Some(Table {
                        block,
                        has_rows: false,
                        row: None,
                        is_row_open: false,
                        is_cell_open: false,
                    });
                }
                true
            }
            RenderKind::Row => {
                self.require_separator(Separator::Block);
                self.begin_row(node);
                true
            }
            RenderKind::Cell => {
                self.begin_cell(node);
                false
            }
            RenderKind::Preformatted => {
                if self.page.nodes()[node as usize].is(TagSet::BLOCK) {
                    self.require_separator(Separator::Block);
                    let is_code =
                        matches!(tag, Tag::PRE | Tag::LISTING | Tag::XMP | Tag::PLAINTEXT);
                    let written = if is_code { Tag::PRE } else { Tag::TEXTAREA };
                    self.push_block(node, written, Role::Leaf);
                } else {
                    self.push_inline(node, Tag::TEXTAREA);
                    if let Some(tag) = inline_tag(tag) {
                        self.push_inline(node, tag);
                    }
                }
                self.scratch.pending_white.clear();
                self.preformatted = Some(false);
                true
            }
            RenderKind::Superscript | RenderKind::Subscript if S::KEEPS_SCRIPTS => {
                self.push_inline(node, tag)
            }
            RenderKind::Superscript | RenderKind::Subscript => self.begin_script(node, kind),
            RenderKind::Image => {
                if self.preformatted.is_none() && self.sink.find_image(node) {
                    let pending = self.pending;
                    self.begin_words("");
                    self.sink.image();
                    // The image does not decide whether the words on both sides are apart.
                    if matches!(pending, Separator::InlineBoundary | Separator::Alike) {
                        self.pending = pending;
                    }
                }
                false
            }
            RenderKind::Inline | RenderKind::Link => {
                inline_tag(tag).is_some_and(|tag| self.push_inline(node, tag))
            }
        }
    }

    fn close(&mut self, node: u32, kind: RenderKind) {
        match kind {
            RenderKind::Block => {
                self.require_separator(Separator::Block);
                self.pop_block(node);
            }
            RenderKind::BlockInCell => {
                self.require_separator(Separator::Space);
                self.pending_breaks = self.pending_breaks.max(1);
            }
            RenderKind::Control => self.require_separator(Separator::Space),
            RenderKind::Custom => self.require_separator(Separator::InlineBoundary),
            RenderKind::RubyText => {
                let pending = std::mem::take(&mut self.pending);
                self.words(")");
                self.require_separator(pending);
            }
            RenderKind::Table => {
                self.require_separator(Separator::Block);
                self.pop_block(node);
                self.table = None;
            }
            RenderKind::Row => {
                self.require_separator(Separator::Block);
                self.end_row();
            }
            RenderKind::Preformatted => {
                if !self.scratch.pending_white.is_empty() {
                    self.require_separator(Separator::Space);
                    self.scratch.pending_white.clear();
                }
                self.preformatted = None;
                if self.page.nodes()[node as usize].is(TagSet::BLOCK) {
                    self.require_separator(Separator::Block);
                    self.pop_block(node);
                } else {
                    self.pop_inline(node);
                }
            }
            RenderKind::Superscript | RenderKind::Subscript if !S::KEEPS_SCRIPTS => {
                self.script = Script::Plain;
            }
            _ => self.pop_inline(node),
        }
    }

    fn empty_cells(&mut self, count: u32) {
        if !S::KEEPS_SPANS {
            (0..count).for_each(|_| self.begin_cell(Element::NO_NODE));
        }
    }

    #[inline]
    fn space(&mut self) {
        self.require_separator(Separator::Space);
    }

    fn note_boundary(&mut self, boundary: InlineBoundary) {
        self.require_separator(match boundary {
            InlineBoundary::Alike => Separator::Alike,
            InlineBoundary::Others => Separator::InlineBoundary,
        });
    }

    fn white(&mut self, source: Range<usize>) {
        if self.preformatted.is_some() {
            let mut decoded = std::mem::take(&mut self.scratch.decoded);
            decoded.clear();
            entity::decode(&self.page.html()[source], Context::Text, &mut decoded);
            self.put_preformatted(&decoded);
            self.scratch.decoded = decoded;
        }
    }

    fn text(&mut self, index: u32, source: Range<usize>) {
        let page = self.page;
        let run = &page.runs()[index as usize];
        if run.flags.contains(RunFlags::SPACE_BEFORE) {
            self.require_separator(Separator::Space);
        }
        let mut decoded = std::mem::take(&mut self.scratch.decoded);
        let (text, range) = if run.flags.contains(RunFlags::REFERENCES) {
            decoded.clear();
            entity::decode(&page.html()[source], Context::Text, &mut decoded);
            (decoded.as_str(), 0..decoded.len())
        } else {
            (page.html(), source)
        };
        if self.preformatted.is_some() && run.flags.contains(RunFlags::PREFORMATTED) {
            self.put_preformatted(&text[range]);
        } else if let Script::Unicode(kind) = self.script {
            for c in text[range].chars() {
                if c.is_whitespace() {
                    self.require_separator(Separator::Space);
                } else if let Some(c) = scripts::unicode(c, kind) {
                    self.words(c.encode_utf8(&mut [0; 4]));
                }
            }
        } else {
            cut::cut_into_words(text, range, self);
        }
        self.scratch.decoded = decoded;
    }

    fn formula(&mut self, tex: &str, is_display: bool, _runs: Range<u32>) {
        self.separate_display(is_display);
        self.begin_words("$");
        self.sink.formula(tex, is_display);
        self.last_chars = ['$'; 3];
        self.separate_display(is_display);
    }

    fn linear(&mut self, text: &str, is_display: bool, _runs: Range<u32>) {
        self.separate_display(is_display);
        if self.preformatted.is_some() {
            self.put_preformatted(text);
        } else {
            cut::cut_into_words(text, 0..text.len(), self);
        }
        self.separate_display(is_display);
    }
}

impl<S: MarkupSink> Flow<'_, S> {
    /// Sets a display formula apart from the text before or after it.
    fn separate_display(&mut self, is_display: bool) {
        if is_display {
            self.require_separator(Separator::Break);
            self.pending_breaks += if S::SPLITS_PARAGRAPHS { 2 } else { 0 };
        }
    }

    /// Begins a superscript or subscript that is written as in a text. Returns whether its scalars
    /// are replaced.
    fn begin_script(&mut self, node: u32, kind: RenderKind) -> bool {
        let is_apart = self.pending > Separator::Alike || self.has_crossed_boundary;
        if !self.marks_scripts
            || is_apart
            || self.preformatted.is_some()
            || self.script != Script::Plain
        {
            return false;
        }
        let element = &self.page.nodes()[node as usize];
        match scripts::script(self.page, node, element, kind, self.last_chars[0]) {
            Script::Plain => false,
            Script::Marked(mark) => {
                self.words(mark.encode_utf8(&mut [0; 4]));
                false
            }
            script @ Script::Unicode(_) => {
                self.script = script;
                true
            }
        }
    }
}
