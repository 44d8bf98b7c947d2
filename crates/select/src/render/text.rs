//! Writes a selection as text.
//!
//! The form that carries meaning stays: lines of code with their indentation, rows of tables with
//! tabs between cells, powers and indices, formulas in TeX. `docs/text.md` has the rules with
//! examples.

use super::copies::Copies;
use super::inline_boundary::InlineBoundary;
use super::lists::Lists;
use super::render_kind::RenderKind;
use super::run_place::RunPlace;
use super::scripts::{self, Script};
use super::style::TextForm;
use super::walk::Writer;
use super::words::{Separator, WordWriter};
use huller_page::entity::{self, Context};
use huller_page::{Page, RunFlags, Tag};
use std::ops::Range;

/// Scratch buffers of text writers, reused from page to page.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    decoded: String,
    gap: String,
    lists: Lists,
}

impl Scratch {
    /// Clears the buffers, and frees memory that only a giant page needed.
    fn clear(&mut self) {
        const MAX_KEPT_BYTES: usize = 1 << 18;
        self.decoded.clear();
        self.decoded.shrink_to(MAX_KEPT_BYTES);
        self.gap.clear();
        self.gap.shrink_to(MAX_KEPT_BYTES);
        self.lists.clear();
    }
}

/// Writes text.
pub(super) struct TextWriter<'a> {
    page: &'a Page<'a>,
    decoded: &'a mut String,
    gap: &'a mut String,
    words: WordWriter<'a>,
    marks_scripts: bool,
    /// In a preformatted element: whether the element has had any text. Else `None`.
    preformatted: Option<bool>,
    /// Number of open elements whose lines are never copies: quotations, tables of data,
    /// preformatted text.
    exempt: u32,
    /// Length in bytes of the text where the last paragraph began.
    paragraph: usize,
    /// Length in bytes of the text where the row began, and whether the row has had a cell.
    row: (usize, bool),
    script: Script,
    /// The places of the runs, if the caller wants them.
    places: Option<&'a mut Vec<RunPlace>>,
}

impl<'a> TextWriter<'a> {
    pub(super) fn new(
        page: &'a Page<'a>,
        scratch: &'a mut Scratch,
        out: &'a mut String,
        copies: Option<&'a mut Copies>,
        form: TextForm,
    ) -> TextWriter<'a> {
        scratch.clear();
        let Scratch { decoded, gap, lists } = scratch;
        let mut words = WordWriter::new(out);
        words.find_copies(page, copies);
        if form.lists {
            words.mark_lists(lists);
        }
        if form.empty_lines {
            words.keep_empty_lines();
        }
        TextWriter {
            page,
            decoded,
            gap,
            words,
            marks_scripts: form.scripts,
            preformatted: None,
            exempt: 0,
            paragraph: 0,
            row: (0, false),
            script: Script::Plain,
            places: None,
        }
    }

    /// Records the places of the runs.
    pub(super) fn note_places(&mut self, places: Option<&'a mut Vec<RunPlace>>) {
        self.places = places;
        if let Some(places) = &mut self.places {
            places.clear();
        }
    }

    /// Separates the text before from the text after.
    pub(super) fn block(&mut self) {
        self.words.mark(Separator::Block);
    }

    /// Ends the text.
    pub(super) fn finish(mut self) {
        self.words.finish();
        let end = self.words.text().len();
        if let Some(places) = self.places {
            forget_from(places, end);
        }
    }

    /// Records that a run was written after `start` bytes.
    #[cold]
    fn note_place(&mut self, run: u32, start: usize) {
        let Some(places) = &mut self.places else { return };
        forget_from(places, start);
        let written = &self.words.text()[start..];
        let white = written.len() - written.trim_start().len();
        if white < written.len() {
            places.push(RunPlace { run, start: start + white, end: start + written.len() });
        }
    }
}

impl TextWriter<'_> {
    fn begin_block(&mut self, node: u32) {
        let tag = self.page.nodes()[node as usize].tag;
        self.words.begin_block(tag == Tag::P);
        match tag {
            Tag::P => self.paragraph = self.words.text().len(),
            Tag::BLOCKQUOTE => self.exempt += 1,
            Tag::UL | Tag::OL | Tag::MENU | Tag::DIR | Tag::LI if self.preformatted.is_none() => {
                if let Some((lists, len)) = self.words.lists() {
                    if tag == Tag::LI {
                        lists.begin_item(self.page, node, len);
                    } else {
                        lists.begin_list(self.page, node, len);
                    }
                }
            }
            _ => {}
        }
    }

    fn end_block(&mut self, node: u32) {
        let tag = self.page.nodes()[node as usize].tag;
        self.words.end_block((tag == Tag::P).then_some(self.paragraph));
        match tag {
            Tag::BLOCKQUOTE => self.exempt -= 1,
            Tag::UL | Tag::OL | Tag::MENU | Tag::DIR | Tag::LI => {
                if let Some((lists, _)) = self.words.lists() {
                    if tag == Tag::LI {
                        lists.end_item(node);
                    } else {
                        lists.end_list(node);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Forgets the places in a line that was removed, after `end` bytes.
fn forget_from(places: &mut Vec<RunPlace>, end: usize) {
    while places.pop_if(|place| place.end > end).is_some() {}
}

impl Writer for TextWriter<'_> {
    const WRITES_BREAKS: bool = false;

    #[inline]
    fn open(&mut self, node: u32, kind: RenderKind) -> bool {
        match kind {
            RenderKind::Inline
            | RenderKind::Link
            | RenderKind::Image
            | RenderKind::Math
            | RenderKind::Script => false,
            RenderKind::Block => {
                self.begin_block(node);
                true
            }
            RenderKind::LineBreak => {
                if self.preformatted.is_some() {
                    self.gap.push('\n');
                } else {
                    self.words.line_break();
                }
                false
            }
            RenderKind::BlockInCell | RenderKind::Control => {
                self.words.mark(Separator::Space);
                true
            }
            RenderKind::Custom => {
                self.words.mark(Separator::InlineBoundary);
                true
            }
            RenderKind::RubyText => {
                let first_run = self.page.nodes()[node as usize].run_start;
                self.words.begin_run(first_run, self.exempt > 0);
                self.words.words("(");
                true
            }
            RenderKind::Table => {
                self.words.mark(Separator::Block);
                self.exempt += 1;
                true
            }
            RenderKind::Row => {
                self.row = (self.words.begin_row(), false);
                true
            }
            RenderKind::Cell => {
                if std::mem::replace(&mut self.row.1, true) {
                    self.words.next_cell();
                }
                false
            }
            RenderKind::Preformatted => {
                if self.page.nodes()[node as usize].is(huller_page::TagSet::BLOCK) {
                    self.words.mark(Separator::Block);
                }
                self.gap.clear();
                self.preformatted = Some(false);
                self.exempt += 1;
                true
            }
            RenderKind::Superscript | RenderKind::Subscript => {
                let last_char = self.words.last().filter(|_| self.marks_scripts);
                if self.preformatted.is_some() || self.script != Script::Plain {
                    return false;
                }
                let Some(last_char) = last_char else { return false };
                let element = &self.page.nodes()[node as usize];
                match scripts::script(self.page, node, element, kind, last_char) {
                    Script::Plain => false,
                    Script::Marked(mark) => {
                        self.words.words(mark.encode_utf8(&mut [0; 4]));
                        false
                    }
                    script @ Script::Unicode(_) => {
                        self.script = script;
                        true
                    }
                }
            }
        }
    }

    fn close(&mut self, node: u32, kind: RenderKind) {
        match kind {
            RenderKind::Block => {
                self.end_block(node);
            }
            RenderKind::BlockInCell | RenderKind::Control => self.words.mark(Separator::Space),
            RenderKind::Custom => self.words.mark(Separator::InlineBoundary),
            RenderKind::RubyText => self.words.close_bracket(),
            RenderKind::Table => {
                self.words.mark(Separator::Block);
                self.exempt -= 1;
            }
            RenderKind::Row => self.words.end_row(self.row.0),
            RenderKind::Preformatted => {
                if !self.gap.is_empty() {
                    self.words.mark(Separator::Space);
                    self.gap.clear();
                }
                if self.page.nodes()[node as usize].is(huller_page::TagSet::BLOCK) {
                    self.words.mark(Separator::Block);
                }
                self.preformatted = None;
                self.exempt -= 1;
            }
            RenderKind::Superscript | RenderKind::Subscript => self.script = Script::Plain,
            _ => {}
        }
    }

    fn empty_cells(&mut self, count: u32) {
        for _ in 0..count {
            if std::mem::replace(&mut self.row.1, true) {
                self.words.next_cell();
            }
        }
    }

    #[inline]
    fn space(&mut self) {
        self.words.mark(Separator::Space);
    }

    fn note_boundary(&mut self, boundary: InlineBoundary) {
        self.words.mark(match boundary {
            InlineBoundary::Alike => Separator::Alike,
            InlineBoundary::Others => Separator::InlineBoundary,
        });
    }

    #[inline]
    fn text(&mut self, index: u32, source: Range<usize>) {
        let run = &self.page.runs()[index as usize];
        if run.flags.contains(RunFlags::SPACE_BEFORE) {
            self.words.mark(Separator::Space);
        }
        self.words.begin_run(index, self.exempt > 0);
        let start = self.words.text().len();
        let (text, range) = if run.flags.contains(RunFlags::REFERENCES) {
            self.decoded.clear();
            entity::decode(&self.page.html()[source], Context::Text, self.decoded);
            (self.decoded.as_str(), 0..self.decoded.len())
        } else {
            (self.page.html(), source)
        };
        if let Some(is_begun) = &mut self.preformatted
            && run.flags.contains(RunFlags::PREFORMATTED)
        {
            self.words.put_preformatted(&text[range], self.gap, is_begun);
        } else if let Script::Unicode(kind) = self.script {
            for c in text[range].chars() {
                if c.is_whitespace() {
                    self.words.mark(Separator::Space);
                } else if let Some(c) = scripts::unicode(c, kind) {
                    self.words.words(c.encode_utf8(&mut [0; 4]));
                }
            }
        } else {
            self.words.write(text, range);
        }
        if self.places.is_some() {
            self.note_place(index, start);
        }
    }

    fn white(&mut self, source: Range<usize>) {
        if let Some(is_begun) = &mut self.preformatted {
            self.decoded.clear();
            entity::decode(&self.page.html()[source], Context::Text, self.decoded);
            self.words.put_preformatted(self.decoded, self.gap, is_begun);
        }
    }

    fn formula(&mut self, tex: &str, is_display: bool, runs: Range<u32>) {
        self.put_formula(is_display, runs, |words| {
            words.words("$");
            words.words(tex);
            words.words("$");
        });
    }

    fn linear(&mut self, text: &str, is_display: bool, runs: Range<u32>) {
        self.put_formula(is_display, runs, |words| words.write(text, 0..text.len()));
    }
}

impl<'a> TextWriter<'a> {
    fn put_formula(
        &mut self,
        is_display: bool,
        runs: Range<u32>,
        put: impl FnOnce(&mut WordWriter<'a>),
    ) {
        if is_display {
            self.words.mark(Separator::Break);
        }
        self.words.begin_run(runs.start, true);
        let start = self.words.text().len();
        put(&mut self.words);
        if self.places.is_some() {
            self.note_place(runs.start, start);
        }
        if is_display {
            self.words.mark(Separator::Break);
        }
    }
}
