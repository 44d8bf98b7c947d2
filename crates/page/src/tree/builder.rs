//! Reads a page and grows its tree.

use super::forms::Forms;
use super::non_ascii::NonAscii;
use super::open_tree::OpenTree;
use crate::attribute::{Attribute, AttributeName};
use crate::columns::{Columns, Opening, OwnAttributes, canonical_tags};
use crate::entity::{self, Context};
use crate::node::NodeFlags;
use crate::open_elements::{Inherited, Kind, MAX_DEPTH, OpenElements};
use crate::run::{Run, RunFlags};
use crate::source::Source;
use crate::span::Span;
use crate::tag::{Tag, TagSet};
use crate::text;
use crate::tokenizer::{Ahead, StartTag, TextKind, Token, Tokenizer};

/// What the builder needs besides the columns. Reused from page to page.
#[derive(Debug, Default)]
pub(super) struct Memory {
    open: OpenElements,
    forms: Forms,
    /// The last text whose character references were decoded.
    decoded: String,
}

/// How many bytes of `decoded` are kept from page to page.
const DECODED_KEPT: usize = 1 << 18;

impl Memory {
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.forms.clear();
        self.decoded.clear();
        self.decoded.shrink_to(DECODED_KEPT);
    }
}

/// Builds one page. The columns and the memory must be clear.
pub(super) struct Builder<'a, 'b> {
    tree: OpenTree<'a, 'b>,
    non_ascii: NonAscii<'a>,
    forms: &'b mut Forms,
    decoded: &'b mut String,
    /// Node of `body`, once it is open.
    body: Option<u32>,
    html_has_attributes: bool,
    body_has_attributes: bool,
}

impl<'a, 'b> Builder<'a, 'b> {
    pub(super) fn new(
        html: &'a str,
        columns: &'b mut Columns,
        memory: &'b mut Memory,
    ) -> Builder<'a, 'b> {
        Builder {
            tree: OpenTree::new(html, columns, &mut memory.open),
            non_ascii: NonAscii::new(Source::new(html.as_bytes())),
            forms: &mut memory.forms,
            decoded: &mut memory.decoded,
            body: None,
            html_has_attributes: false,
            body_has_attributes: false,
        }
    }

    /// Reads the page to its end.
    pub(super) fn build(mut self) {
        let mut tokenizer = Tokenizer::new(self.tree.html);
        let root = self.tree.columns.open(Opening::implied(Tag::HTML, 1, 0));
        self.tree.open.push(root, Tag::HTML, Kind::of(Tag::HTML), Inherited::NOTHING);
        loop {
            let start = tokenizer.position();
            let Some(ahead) = tokenizer.ahead() else { break };
            let passed = Span::new(start, tokenizer.position());
            match ahead {
                Ahead::Text(kind) => {
                    self.text(passed, kind);
                    continue;
                }
                _ => self.tree.pending_space |= !passed.is_empty() & self.body.is_some(),
            }
            match ahead {
                Ahead::EndTag if tokenizer.pass_end_tag(self.tree.open.current_tag()) => {
                    self.tree.end_current(tokenizer.position() as u32);
                }
                Ahead::EndTag => {
                    if let Some(end) = tokenizer.end_tag() {
                        self.tree.end(end);
                    }
                }
                Ahead::StartTag => {
                    let foreign = self.tree.foreign_root();
                    tokenizer.set_foreign(foreign > 0);
                    if let Some(start) =
                        tokenizer.start_tag::<false>(&mut self.tree.columns.attributes)
                    {
                        self.start(start, foreign);
                    }
                }
                Ahead::Declaration => {
                    tokenizer.set_foreign(self.tree.foreign_root() > 0);
                    if let Some(Token::Text { span, kind }) = tokenizer.declaration() {
                        self.text(span, kind);
                    }
                }
                Ahead::Text(_) => {}
            }
        }
        let end = self.tree.html.len() as u32;
        let body = self.ensure_body(end);
        self.tree.columns.body = body;
        self.tree.close_down_to(0, end);
        self.forms.mark(self.tree.html, self.tree.columns, body);
    }

    /// Adds a text: a run if any of it is visible, else at most a flag for what comes next.
    fn text(&mut self, span: Span, kind: TextKind) {
        if kind == TextKind::Raw && self.tree.last_start.is(TagSet::CODE) {
            return;
        }
        let (start, end) = (span.start as usize, span.end as usize);
        let source = &self.tree.html[start..end];
        let mut flags = RunFlags::default();
        let counts = match text::count_without(self.tree.html, start, end, b'&') {
            Some(counts) => counts,
            None if kind == TextKind::Raw => text::count(source),
            None => {
                flags.insert(RunFlags::REFERENCES);
                self.decoded.clear();
                entity::decode(source, Context::Text, self.decoded);
                text::count(self.decoded)
            }
        };
        if counts.chars == 0 {
            let text =
                if flags.contains(RunFlags::REFERENCES) { self.decoded.as_str() } else { source };
            self.tree.pending_space |= self.body.is_some() && text.contains(char::is_whitespace);
            return;
        }
        if self.body.is_none()
            && matches!(self.tree.open.current_tag(), Tag::HTML | Tag::HEAD_ELEMENT)
        {
            self.ensure_body(span.start);
        }
        if std::mem::take(&mut self.tree.pending_space) {
            flags.insert(RunFlags::SPACE_BEFORE);
        }
        let Inherited { parent: node, level, in_link, .. } = self.tree.open.child(true);
        if in_link {
            flags.insert(RunFlags::IN_LINK);
        }
        let parent_level = level - 1;
        let min_level = self.tree.min_level.min(parent_level) as u16;
        self.tree.min_level = parent_level;
        let (byte_start, byte_end) = (span.start, span.end);
        self.tree.columns.runs.push(Run { node, byte_start, byte_end, counts, min_level, flags });
    }

    /// Opens the element of a start tag. `foreign` is what [`OpenTree::foreign_root`] says before the tag.
    #[inline(always)]
    fn start(&mut self, start: StartTag, mut foreign: usize) {
        let tag = start.tag;
        self.tree.last_start = tag;
        if tag.is(TagSet::SINGULAR) && self.merge(start) {
            return;
        }
        if self.body.is_none()
            && !tag.is(TagSet::HEAD)
            && self.tree.open.topmost(Tag::TEMPLATE) == 0
        {
            self.ensure_body(start.span.start);
            foreign = self.tree.foreign_root();
        }
        if foreign == 0 || tag.is(TagSet::ENDS_FOREIGN) {
            while foreign > 0 {
                self.tree.close_down_to(foreign, start.span.start);
                foreign = self.tree.foreign_root();
            }
            self.tree.imply_ends(tag, start.span.start);
            // The elements that ended may have held all of the HTML in a drawing.
            foreign = self.tree.foreign_root();
        }
        self.open_element(start, foreign > 0);
    }

    /// Whether a start tag opens no new element: that of `html` or `body`, which every page has once and which only take over its
    /// attributes, or a `head` after the body has begun.
    fn merge(&mut self, start: StartTag) -> bool {
        let (node, has_attributes) = match start.tag {
            Tag::HTML => (0, &mut self.html_has_attributes),
            Tag::BODY => (self.ensure_body(start.span.start), &mut self.body_has_attributes),
            tag => return tag == Tag::HEAD_ELEMENT && self.body.is_some(),
        };
        if !std::mem::replace(has_attributes, true) {
            let attributes = self.keep_attributes(start);
            self.tree.columns.set_attributes(node, attributes);
        }
        true
    }

    /// Adds a node for a start tag and, unless it cannot have content, an entry of the stack.
    #[inline(always)]
    fn open_element(&mut self, start: StartTag, foreign: bool) {
        let StartTag { span, tag, self_closing, .. } = start;
        let sets = tag.sets();
        let inherited = self.tree.open.child(!sets.intersects(TagSet::UNCOUNTED));
        let in_link = inherited.in_link || tag == Tag::A;
        let mut flags = NodeFlags::when(in_link, NodeFlags::IN_LINK);
        flags.insert(NodeFlags::when(foreign, NodeFlags::FOREIGN));
        let space_before = std::mem::take(&mut self.tree.pending_space);
        flags.insert(NodeFlags::when(space_before, NodeFlags::SPACE_BEFORE));
        let void = sets.intersects(TagSet::VOID);
        let attributes = self.keep_attributes(start);
        let markup_chars = canonical_tags(self.name_chars(start), void);
        let node = self.tree.columns.open(Opening {
            tag,
            parent: inherited.parent,
            level: inherited.level as u16,
            flags,
            span,
            markup_chars,
            attributes,
        });
        if sets.intersects(TagSet::SINGULAR) {
            self.note_singular(node, tag, foreign);
        }
        if void || foreign && self_closing {
            return;
        }
        if self.tree.open.len() < MAX_DEPTH {
            let kind = if tag == Tag::UNKNOWN {
                Kind::unknown(start.name().of(self.tree.html.as_bytes()))
            } else {
                Kind::of(tag)
            };
            self.tree.open.push(node, tag, kind, inherited);
        } else {
            self.tree.suppressed += 1;
        }
    }

    /// Does what only elements of this tag need.
    fn note_singular(&mut self, node: u32, tag: Tag, foreign: bool) {
        let flags = &mut self.tree.columns.nodes[node as usize].flags;
        match tag {
            Tag::SVG | Tag::MATH => flags.insert(NodeFlags::FOREIGN),
            Tag::HEADER if self.tree.open.has_any(Tag::ARTICLE, Tag::MAIN) => {
                flags.insert(NodeFlags::ARTICLE_HEADER);
            }
            Tag::TITLE if !foreign && self.tree.columns.title.is_none() => {
                self.tree.columns.title = Some(node);
            }
            Tag::FORM => self.forms.add_form(node),
            Tag::INPUT => self.forms.add_input(node),
            _ => {}
        }
    }

    /// The node of `body`, which opens at offset `at` if it has not yet.
    fn ensure_body(&mut self, at: u32) -> u32 {
        if let Some(body) = self.body {
            return body;
        }
        self.tree.close_down_to(1, at);
        let body = self.tree.columns.open(Opening::implied(Tag::BODY, 2, at));
        let inherited = self.tree.open.child(true);
        self.tree.open.push(body, Tag::BODY, Kind::of(Tag::BODY), inherited);
        self.body = Some(body);
        body
    }

    /// Keeps the known attributes of the tag just read, and measures all that count as markup.
    #[inline(always)]
    fn keep_attributes(&mut self, start: StartTag) -> OwnAttributes {
        let mut chars = self.tree.columns.attributes.markup();
        if chars > 0 && !self.non_ascii.is_outside(start.span) {
            chars -= self.continuation_bytes(start);
        }
        let (start, count) = self.tree.columns.attributes.keep();
        OwnAttributes { start, count, chars }
    }

    /// Length of a tag's name in scalars.
    #[inline(always)]
    fn name_chars(&self, start: StartTag) -> u32 {
        let name = start.name();
        if start.tag == Tag::UNKNOWN { self.chars(name) } else { name.len() }
    }

    /// Length of a stretch of the source in scalars.
    fn chars(&self, span: Span) -> u32 {
        self.tree.html[span.start as usize..span.end as usize].chars().count() as u32
    }

    /// How many more bytes than scalars there are in the attributes of a tag that count as markup.
    #[cold]
    fn continuation_bytes(&mut self, start: StartTag) -> u32 {
        let source = Source::new(self.tree.html.as_bytes());
        self.tree.columns.attributes.list_again(source, start.name_end as usize);
        let surplus = |span: Span| span.len() - self.chars(span);
        let of = |a: &&Attribute| AttributeName::of(a.name.of(source.bytes()));
        let attributes = self.tree.columns.attributes.list().iter();
        attributes
            .filter(|a| !of(a).is_some_and(AttributeName::is_left_out))
            .map(|a| surplus(a.name) + surplus(a.value))
            .sum()
    }
}
