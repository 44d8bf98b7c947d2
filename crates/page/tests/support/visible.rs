//! The visible text of a page with its boundaries, as the tests compare it: of our columns and of
//! any other tree.
//!
//! All text in document order, without what stands in the elements of [`UNSEEN`], and without
//! scalars that are not counted. Any white space is one space; the start and end of a block element
//! and a `br` are line breaks; spaces at line breaks go, and of several line breaks one remains.

use huller_page::entity::{self, Context};
use huller_page::{NodeFlags, Page, RunFlags, Tag, TagSet, text};

/// Elements whose text nobody sees. The `title` is in the head; one in the body counts, so that a
/// body that opens too early shows.
const UNSEEN: [Tag; 7] = [
    Tag::SCRIPT,
    Tag::STYLE,
    Tag::HEAD_ELEMENT,
    Tag::TEMPLATE,
    Tag::IFRAME,
    Tag::NOFRAMES,
    Tag::NOEMBED,
];

/// Whether the text of an element is left out.
pub(crate) fn is_unseen(tag: Tag) -> bool {
    UNSEEN.contains(&tag)
}

/// Takes the parts of a tree in document order.
#[derive(Debug, Default)]
pub(crate) struct VisibleText {
    text: String,
    space: bool,
    line_break: bool,
}

impl VisibleText {
    /// A text.
    pub(crate) fn text(&mut self, text: &str) {
        let mut bytes = [0; 4];
        for c in text.chars() {
            if c.is_whitespace() {
                self.space = true;
            } else if c != '\u{fffd}' && text::count(c.encode_utf8(&mut bytes)).chars > 0 {
                if !self.text.is_empty() && self.line_break {
                    self.text.push('\n');
                } else if !self.text.is_empty() && self.space {
                    self.text.push(' ');
                }
                (self.space, self.line_break) = (false, false);
                self.text.push(c);
            }
        }
    }

    /// The start or the end of an element.
    pub(crate) fn tag(&mut self, tag: Tag) {
        self.line_break |= tag.is(TagSet::BLOCK) || tag == Tag::BR;
    }

    /// The visible text.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}

/// The visible text of our columns.
pub(crate) fn of_page(page: &Page<'_>) -> String {
    let (nodes, runs) = (page.nodes(), page.runs());
    let mut visible = VisibleText::default();
    let mut decoded = String::new();
    let mut open: Vec<usize> = Vec::new();
    let (mut next, mut run) = (0, 0);
    loop {
        let end = open.last().map_or(nodes.len(), |node| nodes[*node].end as usize);
        let node = nodes.get(next).filter(|_| next < end);
        let runs_end = node.map_or_else(
            || open.last().map_or(runs.len(), |open| nodes[*open].run_end as usize),
            |node| node.run_start as usize,
        );
        for run in &runs[run..runs_end] {
            if run.flags.contains(RunFlags::SPACE_BEFORE) {
                visible.text(" ");
            }
            let source = page.run_source(run);
            if run.flags.contains(RunFlags::REFERENCES) {
                decoded.clear();
                entity::decode(source, Context::Text, &mut decoded);
                visible.text(&decoded);
            } else {
                visible.text(source);
            }
        }
        run = run.max(runs_end);
        if let Some(node) = node {
            if node.flags.contains(NodeFlags::SPACE_BEFORE) {
                visible.text(" ");
            }
            // Where there is no `head` tag, what belongs in it stands below `html`.
            let implied_head = next > 0 && node.parent == 0 && node.tag != Tag::BODY;
            if implied_head || is_unseen(node.tag) {
                visible.tag(node.tag);
                run = node.run_end as usize;
                next = node.end as usize;
            } else {
                visible.tag(node.tag);
                open.push(next);
                next += 1;
            }
        } else if let Some(closed) = open.pop() {
            if nodes[closed].flags.contains(NodeFlags::SPACE_AT_END) {
                visible.text(" ");
            }
            visible.tag(nodes[closed].tag);
        } else {
            return visible.finish();
        }
    }
}
