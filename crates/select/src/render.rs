//! Writes selections as text, as Markdown or as HTML.
//!
//! A [`walk`] finds the parts to write, in document order, and the kind of each element; a writer
//! writes them. There are two styles of text. The extractors of the papers are compared by that of
//! specification 0.5; `docs/text.md` describes the style that ships.

mod address;
mod closed_layers;
mod closing;
mod code_lines;
mod copies;
mod cut;
mod data_tables;
mod flow;
mod formula;
mod gutters;
mod hidden_copies;
mod hidden_parts;
mod html;
mod image;
mod in_line;
mod inline_boundary;
mod joiners;
mod lanes;
mod language;
mod lists;
mod markdown;
mod mathml;
mod noise;
mod numbers;
mod permalinks;
mod render_kind;
mod ruby;
mod run_place;
mod scripts;
mod share;
mod spans;
mod style;
mod text;
mod visited_part;
mod walk;
mod words;

use crate::selection::Selection;
use address::Addresses;
use copies::Copies;
pub use cut::keeps_joiner;
pub use data_tables::is_data_table;
use flow::{Flow, MarkupSink};
use html::Html;
use huller_page::Page;
use markdown::Markdown;
pub use markdown::{HeadingPlace, MarkdownOptions};
pub use permalinks::is_wiki_tool_link;
pub use run_place::RunPlace;
pub use share::is_link as is_share_link;
use std::ops::Range;
pub use style::{TextForm, TextStyle};
use text::TextWriter;
use visited_part::VisitedPart;
use walk::{ElementDetail, Writer};
use words::WordWriter;

/// Writes selections as text, Markdown or HTML. It owns its scratch buffers; each worker has one.
#[derive(Debug, Default)]
pub struct Renderer {
    style: TextStyle,
    walk: walk::Scratch,
    text: text::Scratch,
    copies: Copies,
    flow: flow::Scratch,
    addresses: Addresses,
    places: Option<Vec<RunPlace>>,
    headings: Option<Vec<HeadingPlace>>,
    markdown: markdown::Scratch,
    html: html::Scratch,
}

impl Renderer {
    /// Returns a renderer that writes text in this style.
    pub fn new(style: TextStyle) -> Renderer {
        Renderer { style, ..Renderer::default() }
    }

    /// Sets the style of the text from now on.
    pub fn set_style(&mut self, style: TextStyle) {
        self.style = style;
    }

    /// Records the places of runs in the text from now on ([`Renderer::places`]).
    pub fn note_places(&mut self) {
        self.places.get_or_insert_default();
    }

    /// Returns the places of runs in the last text of [`Renderer::text`], [`Renderer::node`] or
    /// [`Renderer::body_text`], in its order. Runs without text in it have no place. The slice is
    /// empty unless [`Renderer::note_places`] was called before.
    pub fn places(&self) -> &[RunPlace] {
        self.places.as_deref().unwrap_or_default()
    }

    /// Records the places of headings in Markdown from now on ([`Renderer::headings`]).
    pub fn note_headings(&mut self) {
        self.headings.get_or_insert_default();
    }

    /// Returns the headings in the last text of [`Renderer::markdown`], in its order. The slice is
    /// empty unless [`Renderer::note_headings`] was called before.
    pub fn headings(&self) -> &[HeadingPlace] {
        self.headings.as_deref().unwrap_or_default()
    }

    /// Appends the text of a selection to `out`.
    pub fn text(&mut self, page: &Page<'_>, selection: &Selection, out: &mut String) {
        self.copies.clear();
        self.walk.begin_page();
        let parts =
            selection.roots.iter().map(|root| VisitedPart::from_selection(page, selection, *root));
        self.write(page, parts, out, RenderedText::Text);
    }

    /// Appends the text of a selection's comments to `out`, if there are comments.
    pub fn comments(&mut self, page: &Page<'_>, selection: &Selection, out: &mut String) {
        if !selection.comments.is_empty() {
            self.walk.begin_page();
            let of_text = self.copies.omitted_runs().len();
            self.copies.begin();
            let chosen = Some(selection.comments.as_slice());
            self.write(
                page,
                [VisitedPart { root: 0, removed: &[], chosen, left_out: &[] }],
                out,
                RenderedText::Comments,
            );
            self.copies.keep_left_out(of_text);
        }
    }

    /// Appends the text of one element, with everything in it, to `out`.
    pub fn node(&mut self, page: &Page<'_>, node: u32, out: &mut String) {
        self.walk.begin_page();
        let part = VisitedPart { root: node, removed: &[], chosen: None, left_out: &[] };
        self.write(page, [part], out, RenderedText::Element);
    }

    /// Appends the text of a link as [`Renderer::node`] does. It is faster for a link of one run
    /// without elements in it. Such a run has no place.
    pub fn link(&mut self, page: &Page<'_>, link: u32, out: &mut String) {
        let node = &page.nodes()[link as usize];
        let is_single = node.run_end == node.run_start + 1 && node.end == link + 1;
        if !is_single || permalinks::is_permalink(page, node) {
            return self.node(page, link, out);
        }
        self.places.iter_mut().for_each(Vec::clear);
        self.runs(page, node.runs(), out);
    }

    /// Appends all text of the page's body to `out`, including copies.
    pub fn body_text(&mut self, page: &Page<'_>, out: &mut String) {
        self.walk.begin_page();
        let part = VisitedPart { root: page.body(), removed: &[], chosen: None, left_out: &[] };
        let mut writer = TextWriter::new(page, &mut self.text, out, None, self.style.form());
        writer.note_places(self.places.as_mut());
        walk::over(page, part, ElementDetail::Form, &mut self.walk, &mut writer);
        writer.finish();
    }

    fn write<'s>(
        &mut self,
        page: &Page<'_>,
        parts: impl IntoIterator<Item = VisitedPart<'s>>,
        out: &mut String,
        text_kind: RenderedText,
    ) {
        let detail = match self.style {
            TextStyle::Specification => ElementDetail::Specification,
            TextStyle::Formed(_) => ElementDetail::Form,
        };
        let copies = (detail == ElementDetail::Form && text_kind != RenderedText::Element)
            .then_some(&mut self.copies);
        let mut writer = TextWriter::new(page, &mut self.text, out, copies, self.style.form());
        if text_kind != RenderedText::Comments {
            writer.note_places(self.places.as_mut());
        }
        for part in parts {
            writer.block();
            walk::over(page, part, detail, &mut self.walk, &mut writer);
            writer.block();
        }
        writer.finish();
    }

    /// Appends text without markup to `out`. Treats white space, zero-width and control characters
    /// as in the text of a page.
    pub fn line(text: &str, out: &mut String) {
        WordWriter::new(out).write(text, 0..text.len());
    }

    /// Appends the text of some runs to `out`, as if there were no markup between them. `range`
    /// holds indices of runs.
    pub fn runs(&mut self, page: &Page<'_>, range: Range<usize>, out: &mut String) {
        let mut writer = TextWriter::new(page, &mut self.text, out, None, TextForm::BARE);
        for (index, run) in (range.start as u32..).zip(&page.runs()[range]) {
            writer.text(index, run.byte_start as usize..run.byte_end as usize);
        }
    }

    /// Appends a selection as Markdown to `out`; `url` is the page's own URL.
    ///
    /// Lines that [`Renderer::text`] left out as copies are left out here too. So if the text of
    /// the same selection is written at all, it must be the last text written.
    pub fn markdown(
        &mut self,
        page: &Page<'_>,
        selection: &Selection,
        url: Option<&str>,
        options: MarkdownOptions,
        out: &mut String,
    ) {
        self.addresses.begin(page, url);
        let Renderer { walk, flow, addresses, markdown, copies, headings, .. } = self;
        let mut sink = Markdown::new(page, markdown, addresses, options, out);
        sink.note_headings(headings.as_mut());
        // The Markdown has marks for scripts even if the text is written by the specification.
        let marks_scripts = self.style == TextStyle::Specification || self.style.form().scripts;
        let flow = Flow::new(page, flow, sink, marks_scripts);
        form(page, selection, copies, walk, flow);
    }

    /// Appends a selection as clean HTML to `out`. It has only elements that carry meaning,
    /// complete addresses, and no scripts. Images are the only resources that it loads.
    ///
    /// `url` is the page's own URL. The text must have been written before, as for
    /// [`Renderer::markdown`].
    pub fn html(
        &mut self,
        page: &Page<'_>,
        selection: &Selection,
        url: Option<&str>,
        out: &mut String,
    ) {
        self.addresses.begin(page, url);
        let Renderer { walk, flow, addresses, html, copies, .. } = self;
        let sink = Html::new(page, html, addresses, out);
        form(page, selection, copies, walk, Flow::new(page, flow, sink, true));
    }

    /// Appends the source of the selected nodes to `out`, one node after another, without changes.
    /// Ignores removed nodes and ranges.
    pub fn source_html(&self, page: &Page<'_>, selection: &Selection, out: &mut String) {
        for node in selection.nodes(page) {
            out.push_str(page.node_source(node));
        }
    }
}

/// The kind of text that one call writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RenderedText {
    /// The text of a selection: its places are recorded, and copies in it are left out.
    Text,
    /// The comments of a selection: copies in them are left out.
    Comments,
    /// A single element: its places are recorded, and nothing is left out.
    Element,
}

/// Writes a selection with its form.
fn form<S: MarkupSink>(
    page: &Page<'_>,
    selection: &Selection,
    copies: &Copies,
    scratch: &mut walk::Scratch,
    mut flow: Flow<'_, S>,
) {
    scratch.begin_page();
    for root in &selection.roots {
        let part = VisitedPart {
            left_out: copies.omitted_runs(),
            ..VisitedPart::from_selection(page, selection, *root)
        };
        flow.block();
        walk::over(page, part, ElementDetail::Form, scratch, &mut flow);
        flow.block();
    }
    flow.finish();
}

#[cfg(test)]
mod tests;
