//! Text and HTML of a selection.
//!
//! Text (specification 0.5): white space becomes one space, the border of a block element or a `br` one newline; both
//! are only written between two visible scalars, so there are no blank lines and nothing to trim. Zero-width and
//! control characters are left out. Text inside one run is otherwise untouched.

use crate::selection::{Selection, Stretch};
use huller_page::entity::{self, Context};
use huller_page::text::{CharClass, char_class, plain_end};
use huller_page::{NodeFlags, Page, Run, RunFlags, Tag, TagSet};
use std::ops::Range;

/// Makes text and HTML of selections. Owns the memory that takes; a worker has one.
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

    /// Appends the text of a selection's comments to `out`.
    pub fn comments(&mut self, page: &Page<'_>, selection: &Selection, out: &mut String) {
        if !selection.comments.is_empty() {
            let mut writer = Writer { page, decoded: &mut self.decoded, text: Text::new(out) };
            writer.subtree(0, &[], Some(&selection.comments), &mut self.closing);
        }
    }

    /// Appends the text of one element to `out`.
    pub(crate) fn node(&mut self, page: &Page<'_>, node: u32, out: &mut String) {
        let mut writer = Writer { page, decoded: &mut self.decoded, text: Text::new(out) };
        writer.subtree(node, &[], None, &mut self.closing);
    }

    /// Appends text without markup to `out`, white space and all that is not shown treated as on a page.
    pub(crate) fn line(text: &str, out: &mut String) {
        Text::new(out).put(text, 0..text.len());
    }

    /// Appends the text of some runs to `out`, as if no markup stood between them.
    pub fn runs(&mut self, page: &Page<'_>, range: Range<usize>, out: &mut String) {
        let mut writer = Writer { page, decoded: &mut self.decoded, text: Text::new(out) };
        for run in &page.runs()[range] {
            writer.run(run, run.byte_start as usize..run.byte_end as usize);
        }
    }

    /// Appends the source of the selected nodes to `out`, markup untouched, one after another.
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

/// An element whose end leaves a mark.
#[derive(Debug)]
struct Closing {
    node_end: u32,
    run_end: u32,
    mark: Mark,
}

impl Writer<'_, '_> {
    /// Writes what is kept of one subtree. Nodes and runs are merged: a node opens before the run that is its first.
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

    /// Writes those of the stretches that lie in a run, and passes over those before.
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
                // What was left out between two stretches stood between their words.
                self.text.mark(Mark::Space);
            }
        }
    }

    /// Writes a run, or the piece of it that stands at `source`.
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

/// What is to be written before the next visible scalar; the larger wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    None,
    Space,
    Newline,
}

struct Text<'a> {
    out: &'a mut String,
    /// Where this text began.
    start: usize,
    pending: Mark,
}

/// What a byte of UTF-8 means to the renderer.
mod byte {
    pub(super) const KEPT: u8 = 0;
    pub(super) const WHITE: u8 = 1;
    /// A control character, or the first byte of a scalar that may be white, zero width or a control character.
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

    /// Writes the words that stand at `range` of `text`, with marks between them.
    fn put(&mut self, text: &str, range: Range<usize>) {
        let bytes = text.as_bytes();
        let class = |at: usize| BYTES[bytes[at] as usize];
        let Range { start: mut at, end } = range;
        // What can be copied as it stands: visible scalars with single blanks between them.
        let mut stretch = at;
        while at < end {
            let single_blank =
                bytes[at] == b' ' && at > stretch && at + 1 < end && class(at + 1) == byte::KEPT;
            if class(at) == byte::KEPT || single_blank {
                at = plain_end(text, at, end).max(at + 1);
                continue;
            }
            if class(at) == byte::WHITE {
                self.words(&text[stretch..at]);
                at += bytes[at..end]
                    .iter()
                    .take_while(|b| BYTES[**b as usize] == byte::WHITE)
                    .count();
                stretch = at;
                self.mark(Mark::Space);
                continue;
            }
            let c = text[at..].chars().next().unwrap_or_default();
            let class = char_class(c);
            let white = class == CharClass::White;
            if white || class == CharClass::ZeroWidth || c.is_control() {
                self.words(&text[stretch..at]);
                stretch = at + c.len_utf8();
            }
            if white {
                self.mark(Mark::Space);
            }
            at += c.len_utf8();
        }
        self.words(&text[stretch..end]);
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
