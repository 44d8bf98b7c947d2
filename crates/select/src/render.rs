//! Writes selections as text or as HTML.
//!
//! Rules for text (specification 0.5): white space becomes one space; the start and the end of a block element, and a
//! `br`, become one newline. Spaces and newlines are written only between two visible scalars, so there are no blank
//! lines and nothing to trim. Zero-width and control characters are left out. Everything else inside a run is copied.

use crate::selection::{Selection, Stretch};
use huller_page::entity::{self, Context};
use huller_page::text::{CharClass, char_class, plain_end};
use huller_page::{NodeFlags, Page, Run, RunFlags, Tag, TagSet};
use std::ops::Range;

/// Writes selections as text or HTML. Owns the memory that it works in; each worker has one.
#[derive(Debug, Default)]
pub struct Renderer {
    decoded: String,
    closing: Vec<Closing>,
}

impl Renderer {
    /// Appends the text of a selection to `out`.
    pub fn text(&mut self, page: &Page<'_>, selection: &Selection, out: &mut String) {
        let mut writer = Writer { page, decoded: &mut self.decoded, text: Text::new(out) };
        for root in &selection.roots {
            let first_run = page.nodes()[*root as usize].run_start;
            let chosen = selection.stretches_from(first_run);
            writer.subtree(*root, selection.removed_from(*root), chosen, &mut self.closing);
        }
    }

    /// Appends the text of a selection's comments to `out`; nothing if there are none.
    pub fn comments(&mut self, page: &Page<'_>, selection: &Selection, out: &mut String) {
        if !selection.comments.is_empty() {
            let mut writer = Writer { page, decoded: &mut self.decoded, text: Text::new(out) };
            writer.subtree(0, &[], Some(&selection.comments), &mut self.closing);
        }
    }

    /// Appends the text of one element, with everything in it, to `out`.
    pub fn node(&mut self, page: &Page<'_>, node: u32, out: &mut String) {
        let mut writer = Writer { page, decoded: &mut self.decoded, text: Text::new(out) };
        writer.subtree(node, &[], None, &mut self.closing);
    }

    /// Appends text without markup to `out`. Treats white space, zero-width and control characters as in the text of
    /// a page.
    pub fn line(text: &str, out: &mut String) {
        Text::new(out).put(text, 0..text.len());
    }

    /// Appends the text of some runs to `out`, as if there were no markup between them. `range` holds indices of
    /// runs.
    pub fn runs(&mut self, page: &Page<'_>, range: Range<usize>, out: &mut String) {
        let mut writer = Writer { page, decoded: &mut self.decoded, text: Text::new(out) };
        for run in &page.runs()[range] {
            writer.run(run, run.byte_start as usize..run.byte_end as usize);
        }
    }

    /// Appends the source of the selected nodes to `out`, one node after another, without changes. Ignores removed
    /// nodes and stretches.
    pub fn html(&self, page: &Page<'_>, selection: &Selection, out: &mut String) {
        for node in selection.nodes(page) {
            out.push_str(page.node_source(node));
        }
    }
}

struct Writer<'a, 'p> {
    page: &'a Page<'p>,
    decoded: &'a mut String,
    text: Text<'a>,
}

/// An open element at whose end a mark is written.
#[derive(Debug)]
struct Closing {
    node_end: u32,
    run_end: u32,
    mark: Mark,
}

impl Writer<'_, '_> {
    /// Writes what is kept of a subtree. Nodes and runs are merged in document order; a node comes before the first
    /// run in it.
    fn subtree(
        &mut self,
        root: u32,
        mut removed: &[u32],
        mut chosen: Option<&[Stretch]>,
        closing: &mut Vec<Closing>,
    ) {
        let (nodes, runs) = (self.page.nodes(), self.page.runs());
        closing.clear();
        let end = nodes[root as usize].end;
        let run_end = nodes[root as usize].run_end;
        let mut at = root;
        let mut run = nodes[root as usize].run_start;
        self.text.mark(Mark::Newline);
        loop {
            let node = (at < end).then(|| &nodes[at as usize]).filter(|node| node.run_start <= run);
            if node.is_none() && run >= run_end {
                break;
            }
            while let Some(last) = closing.pop_if(|last| last.node_end <= at && last.run_end <= run)
            {
                self.text.mark(last.mark);
            }
            let Some(node) = node else {
                match &mut chosen {
                    None => {
                        let run = &runs[run as usize];
                        self.run(run, run.byte_start as usize..run.byte_end as usize);
                    }
                    Some(stretches) => self.stretches(run, stretches),
                }
                run += 1;
                continue;
            };
            if node.flags.contains(NodeFlags::SPACE_BEFORE) {
                self.text.mark(Mark::Space);
            }
            if removed.first() == Some(&at) {
                removed = &removed[1..];
                at = node.end;
                run = run.max(node.run_end);
                continue;
            }
            let space_at_end = node.flags.contains(NodeFlags::SPACE_AT_END);
            if node.is(TagSet::BLOCK) || node.tag == Tag::BR {
                self.text.mark(Mark::Newline);
                closing.push(Closing {
                    node_end: node.end,
                    run_end: node.run_end,
                    mark: Mark::Newline,
                });
            } else if space_at_end {
                closing.push(Closing {
                    node_end: node.end,
                    run_end: node.run_end,
                    mark: Mark::Space,
                });
            }
            at += 1;
        }
        self.text.mark(Mark::Newline);
    }

    /// Writes the stretches in a run, and skips the stretches before them.
    fn stretches(&mut self, run: u32, stretches: &mut &[Stretch]) {
        let first = stretches.iter().take_while(|stretch| stretch.run < run).count();
        *stretches = &stretches[first..];
        while let Some((stretch, rest)) =
            stretches.split_first().filter(|(stretch, _)| stretch.run == run)
        {
            let source = stretch.start as usize..stretch.end as usize;
            self.run(&self.page.runs()[run as usize], source);
            *stretches = rest;
            if stretches.first().is_some_and(|next| next.run == run) {
                // The text that was left out between the two stretches separated their words.
                self.text.mark(Mark::Space);
            }
        }
    }

    /// Writes a run, or the piece of it in the byte range `source` of the page's source.
    fn run(&mut self, run: &Run, source: Range<usize>) {
        if run.flags.contains(RunFlags::SPACE_BEFORE) {
            self.text.mark(Mark::Space);
        }
        if run.flags.contains(RunFlags::REFERENCES) {
            self.decoded.clear();
            entity::decode(&self.page.html()[source], Context::Text, self.decoded);
            self.text.put(self.decoded, 0..self.decoded.len());
        } else {
            self.text.put(self.page.html(), source);
        }
    }
}

/// What is written before the next visible scalar. Of several marks the largest is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    None,
    Space,
    Newline,
}

struct Text<'a> {
    out: &'a mut String,
    /// Length of `out` before this text.
    start: usize,
    pending: Mark,
}

/// Classes of bytes of UTF-8.
mod byte {
    pub(super) const KEPT: u8 = 0;
    pub(super) const WHITE: u8 = 1;
    /// A control character, or the first byte of a scalar that may be white space, zero-width or a control character.
    pub(super) const DECODE: u8 = 2;
}

static BYTES: [u8; 256] = {
    let mut table = [byte::KEPT; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = match b as u8 {
            b' ' | 0x09..=0x0D => byte::WHITE,
            0..=0x1F | 0x7F | 0xC2 | 0xE1 | 0xE2 | 0xE3 | 0xEF => byte::DECODE,
            _ => byte::KEPT,
        };
        b += 1;
    }
    table
};

impl<'a> Text<'a> {
    fn new(out: &'a mut String) -> Text<'a> {
        Text { start: out.len(), out, pending: Mark::None }
    }

    #[inline]
    fn mark(&mut self, mark: Mark) {
        self.pending = self.pending.max(mark);
    }

    /// Writes the words in the byte range `range` of `text`, with marks between them.
    fn put(&mut self, text: &str, range: Range<usize>) {
        let bytes = text.as_bytes();
        let class = |at: usize| BYTES[bytes[at] as usize];
        let Range { start: mut at, end } = range;
        // Start of the bytes that can be copied unchanged: visible scalars with single spaces between them.
        let mut plain_start = at;
        while at < end {
            let single_blank = bytes[at] == b' '
                && at > plain_start
                && at + 1 < end
                && class(at + 1) == byte::KEPT;
            if class(at) == byte::KEPT || single_blank {
                at = plain_end(text, at, end).max(at + 1);
                continue;
            }
            if class(at) == byte::WHITE {
                self.words(&text[plain_start..at]);
                at += bytes[at..end]
                    .iter()
                    .take_while(|b| BYTES[**b as usize] == byte::WHITE)
                    .count();
                plain_start = at;
                self.mark(Mark::Space);
                continue;
            }
            let c = text[at..].chars().next().unwrap_or_default();
            let class = char_class(c);
            let white = class == CharClass::White;
            if white || class == CharClass::ZeroWidth || c.is_control() {
                self.words(&text[plain_start..at]);
                plain_start = at + c.len_utf8();
            }
            if white {
                self.mark(Mark::Space);
            }
            at += c.len_utf8();
        }
        self.words(&text[plain_start..end]);
    }

    #[inline]
    fn words(&mut self, words: &str) {
        if words.is_empty() {
            return;
        }
        match std::mem::replace(&mut self.pending, Mark::None) {
            Mark::Newline if self.out.len() > self.start => self.out.push('\n'),
            Mark::Space if self.out.len() > self.start => self.out.push(' '),
            _ => {}
        }
        self.out.push_str(words);
    }
}
