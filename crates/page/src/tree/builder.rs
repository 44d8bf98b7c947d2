//! Reads a page and grows its tree.

mod markup;

use super::ends::FOREIGN_BY_TAG;
use super::forms::Forms;
use super::foster_moves::FosterMoves;
use super::non_ascii::NonAscii;
use super::open_tree::OpenTree;
use super::shadow_roots::ShadowRoots;
use super::style;
use crate::attribute::AttributeName;
use crate::byte_source::ByteSource;
use crate::columns::{Columns, OpenedNode, OwnAttributes, canonical_tags};
use crate::entity::{self, Context};
use crate::node::NodeFlags;
use crate::open_elements::{ElementKind, InheritedFacts, MAX_DEPTH, OpenElements};
use crate::run::{Run, RunFlags, WhiteRun};
use crate::span::Span;
use crate::tag::{Tag, TagSet};
use crate::text;
use crate::tokenizer::{NextToken, StartTag, TextKind, Token, Tokenizer};

/// Scratch buffers of the builder besides the columns. Reused from page to page.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    open: OpenElements,
    fostered: FosterMoves,
    forms: Forms,
    shadow_roots: ShadowRoots,
    /// The last text whose character references were decoded.
    decoded: String,
}

/// Returns whether a scalar is white space in HTML, which has less white space than Unicode.
fn is_html_white(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\x0C' | '\r' | ' ')
}

/// Number of bytes of `decoded` that are kept from page to page.
const DECODED_KEPT: usize = 1 << 18;

impl Scratch {
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.fostered.clear();
        self.forms.clear();
        self.shadow_roots.clear();
        self.decoded.clear();
        self.decoded.shrink_to(DECODED_KEPT);
    }
}

/// Builds one page. The columns and the memory must be clear.
pub(super) struct PageBuilder<'a, 'b> {
    tree: OpenTree<'a, 'b>,
    non_ascii: NonAscii<'a>,
    forms: &'b mut Forms,
    shadow_roots: &'b mut ShadowRoots,
    decoded: &'b mut String,
    html_has_attributes: bool,
    body_has_attributes: bool,
}

impl<'a, 'b> PageBuilder<'a, 'b> {
    pub(super) fn new(
        html: &'a str,
        columns: &'b mut Columns,
        scratch: &'b mut Scratch,
    ) -> PageBuilder<'a, 'b> {
        PageBuilder {
            tree: OpenTree::new(html, columns, &mut scratch.open, &mut scratch.fostered),
            non_ascii: NonAscii::new(ByteSource::new(html.as_bytes())),
            forms: &mut scratch.forms,
            shadow_roots: &mut scratch.shadow_roots,
            decoded: &mut scratch.decoded,
            html_has_attributes: false,
            body_has_attributes: false,
        }
    }

    /// Reads the page to its end.
    pub(super) fn build(mut self) {
        let mut tokenizer = Tokenizer::new(self.tree.html);
        let root = self.tree.columns.open(OpenedNode::implied(Tag::HTML, 1, 0));
        self.tree.open.push(
            root,
            Tag::HTML,
            ElementKind::from_tag(Tag::HTML),
            InheritedFacts::NOTHING,
            NodeFlags::NONE,
        );
        loop {
            let start = tokenizer.position();
            let Some(ahead) = tokenizer.pass_text() else { break };
            let passed = Span::new(start, tokenizer.position());
            match ahead {
                NextToken::Text(kind) => {
                    self.add_text(passed, kind);
                    continue;
                }
                _ if passed.is_empty() => {}
                _ => self.note_white(passed),
            }
            match ahead {
                NextToken::EndTag if tokenizer.pass_end_tag(self.tree.open.current().tag) => {
                    self.tree.end_current(tokenizer.position() as u32);
                }
                NextToken::EndTag => {
                    if let Some(end) = tokenizer.end_tag() {
                        self.tree.end(end);
                    }
                }
                NextToken::StartTag => {
                    let foreign = self.tree.foreign_root();
                    tokenizer.set_foreign(foreign > 0);
                    if let Some(start) =
                        tokenizer.start_tag::<false>(&mut self.tree.columns.attributes)
                    {
                        self.start(start, foreign);
                    }
                }
                NextToken::Declaration => {
                    tokenizer.set_foreign(self.tree.foreign_root() > 0);
                    if let Some(Token::Text { span, kind }) = tokenizer.declaration() {
                        self.add_text(span, kind);
                    }
                }
                NextToken::Text(_) => {}
            }
        }
        let end = self.tree.html.len() as u32;
        let body = self.tree.ensure_body(end);
        self.tree.columns.body = body;
        self.tree.close_down_to(0, end);
        self.tree.fostered.apply(self.tree.columns, self.forms);
        self.shadow_roots.apply(self.tree.html, self.tree.columns);
        self.forms.mark(self.tree.html, self.tree.columns);
    }

    /// Adds a text. It becomes a run if any of it is visible, else at most a flag of the next node
    /// or run.
    fn add_text(&mut self, span: Span, kind: TextKind) {
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
            let references = flags.contains(RunFlags::REFERENCES);
            let text = if references { self.decoded.as_str() } else { source };
            let is_white = text.contains(char::is_whitespace);
            // A byte order mark at the start of the page is not part of it.
            let text = if start == 0 { text.trim_start_matches('\u{feff}') } else { text };
            if self.tree.body.is_none() && text.contains(|c| !is_html_white(c)) {
                self.open_body_for_text(span);
            }
            if is_white {
                self.note_white(span);
            }
            return;
        }
        if self.tree.body.is_none() && !self.open_body_for_text(span) {
            return;
        }
        let inherited = self.tree.child_text(span.start);
        if std::mem::take(&mut self.tree.pending_space) {
            flags.insert(RunFlags::SPACE_BEFORE);
        }
        if inherited.flags.contains(NodeFlags::IN_LINK) {
            flags.insert(RunFlags::IN_LINK);
        }
        if inherited.flags.contains(NodeFlags::PREFORMATTED) {
            flags.insert(RunFlags::PREFORMATTED);
        }
        let parent_level = inherited.level - 1;
        let min_level = self.tree.min_level.min(parent_level) as u16;
        self.tree.min_level = parent_level;
        let (node, byte_start, byte_end) = (inherited.parent, span.start, span.end);
        self.tree.columns.runs.push(Run { node, byte_start, byte_end, counts, min_level, flags });
    }

    /// Notes white space: as a flag for the next node or run, and as a white run in preformatted
    /// text.
    #[inline]
    fn note_white(&mut self, span: Span) {
        if self.tree.body.is_none() {
            return;
        }
        self.tree.pending_space = true;
        let current = self.tree.open.current();
        let kept_flags = NodeFlags::PREFORMATTED.union(NodeFlags::FOSTERS);
        if current.flags.and(kept_flags) == NodeFlags::PREFORMATTED {
            let (node, run) = (current.node, self.tree.columns.runs.len() as u32);
            self.tree.columns.white_runs.push(WhiteRun { node, run, span });
        }
    }

    /// Opens the body for a text, unless the text is in an element that the head may hold. Returns
    /// whether the page has the text. A page with frames has only the text of `noframes`.
    #[cold]
    fn open_body_for_text(&mut self, span: Span) -> bool {
        let current = self.tree.open.current().tag;
        if self.tree.has_frames {
            return current == Tag::NOFRAMES;
        }
        let is_head = matches!(current, Tag::HTML | Tag::HEAD_ELEMENT | Tag::NOSCRIPT);
        if is_head && self.tree.open.topmost(Tag::TEMPLATE) == 0 {
            self.tree.ensure_body(span.start);
        }
        true
    }

    /// Opens the element of a start tag. `foreign` is the result of [`OpenTree::foreign_root`]
    /// before the tag.
    #[inline(always)]
    fn start(&mut self, start: StartTag, mut foreign: usize) {
        let tag = start.tag;
        self.tree.last_start = tag;
        if tag.is(TagSet::SINGULAR) && self.merge_start_tag(start) {
            return;
        }
        if self.tree.body.is_none() && self.tree.open.topmost(Tag::TEMPLATE) == 0 {
            if tag == Tag::FRAMESET && !self.tree.has_frames {
                self.tree.has_frames = true;
                self.tree.close_down_to(1, start.span.start);
            }
            if self.tree.has_frames {
                if !matches!(tag, Tag::FRAMESET | Tag::FRAME | Tag::NOFRAMES) {
                    return;
                }
            } else if !tag.is(TagSet::HEAD) {
                self.tree.ensure_body(start.span.start);
                foreign = self.tree.foreign_root();
            }
        }
        if foreign == 0 || tag.is(TagSet::ENDS_FOREIGN) {
            if foreign > 0 {
                self.tree.leave_foreign(start.span.start);
            }
            if !self.tree.imply_ends(tag, start.span.start) {
                return;
            }
            // The elements that ended may have held all of the HTML in a drawing.
            foreign = self.tree.foreign_root();
        }
        self.open_element(start, foreign > 0);
    }

    /// Returns whether a start tag opens no new element. Every page has `html` and `body` once, and
    /// their tags only add attributes. A `head` after the beginning of the body opens no element.
    fn merge_start_tag(&mut self, start: StartTag) -> bool {
        let (node, has_attributes) = match start.tag {
            Tag::HTML => (0, &mut self.html_has_attributes),
            Tag::BODY => (self.tree.ensure_body(start.span.start), &mut self.body_has_attributes),
            tag => return tag == Tag::HEAD_ELEMENT && self.tree.body.is_some(),
        };
        if !std::mem::replace(has_attributes, true) {
            let attributes = self.keep_attributes(start);
            self.tree.columns.set_attributes(node, attributes);
        }
        true
    }

    /// Adds a node for a start tag and, unless the element cannot have content, an entry of the
    /// stack.
    #[inline(always)]
    fn open_element(&mut self, start: StartTag, foreign: bool) {
        let StartTag { span, tag, self_closing, .. } = start;
        let sets = tag.sets();
        let (mut foreign, mut void) = (foreign, sets.intersects(TagSet::VOID));
        if sets.intersects(TagSet::SINGULAR) {
            foreign |= tag == Tag::SVG || tag == Tag::MATH;
            // A form in a table has no content.
            let in_table = self.tree.open.current().flags.contains(NodeFlags::FOSTERS);
            void |= tag == Tag::FORM && in_table;
        }
        // Browsers show the content of a template that makes a shadow root. The builder still reads
        // it as it reads any template.
        let shown = if tag == Tag::TEMPLATE && !foreign && self.makes_shadow_root(start) {
            Tag::UNKNOWN
        } else {
            tag
        };
        let inherited = self.tree.child_element(tag, span.start);
        let attributes = self.keep_attributes(start);
        let flags = self.node_flags(tag, foreign, inherited, attributes);
        let space_before = std::mem::take(&mut self.tree.pending_space);
        let space_before = NodeFlags::if_true(space_before, NodeFlags::SPACE_BEFORE);
        let markup_chars = canonical_tags(self.name_chars(start), sets.intersects(TagSet::VOID));
        let node = self.tree.columns.open(OpenedNode {
            tag: shown,
            parent: inherited.parent,
            level: inherited.level as u16,
            flags: flags.and(NodeFlags::OF_NODES).union(space_before),
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
            let kind = if tag == Tag::UNKNOWN || foreign && !tag.is_any_of(&FOREIGN_BY_TAG) {
                ElementKind::unknown(start.name().slice(self.tree.html.as_bytes()))
            } else {
                ElementKind::from_tag(tag)
            };
            self.tree.open.push(node, tag, kind, inherited, flags);
        } else {
            self.tree.suppressed += 1;
        }
    }

    /// Returns whether the start tag of a template gives a mode of a shadow root, and the element
    /// around it has no other one but may have this.
    #[cold]
    fn makes_shadow_root(&mut self, start: StartTag) -> bool {
        let html = self.tree.html.as_bytes();
        let tag = start.span.slice(html);
        // The name is long, so a search for it costs less than reading the attributes.
        let is_stated =
            tag.windows(14).any(|window| window.eq_ignore_ascii_case(b"shadowrootmode"));
        if !is_stated {
            return false;
        }
        let attributes = &mut self.tree.columns.attributes;
        attributes.reread(ByteSource::new(html), start.name_end as usize);
        let mut stated = attributes
            .list()
            .iter()
            .filter(|a| a.name.slice(html).eq_ignore_ascii_case(b"shadowrootmode"));
        let is_mode = stated.next().is_some_and(|attribute| {
            let mode = attribute.value.slice(html);
            mode.eq_ignore_ascii_case(b"open") || mode.eq_ignore_ascii_case(b"closed")
        });
        let host = self.tree.open.current().node;
        let node = &self.tree.columns.nodes[host as usize];
        is_mode && self.shadow_roots.add(self.tree.html, host, node)
    }

    /// Returns the flags of an element that its content inherits.
    #[inline(always)]
    fn node_flags(
        &self,
        tag: Tag,
        foreign: bool,
        inherited: InheritedFacts,
        attributes: OwnAttributes,
    ) -> NodeFlags {
        const INHERITED: NodeFlags = NodeFlags::IN_LINK.union(NodeFlags::PREFORMATTED);
        let mut flags = inherited.flags.and(INHERITED);
        if foreign {
            flags.insert(NodeFlags::FOREIGN);
            flags.insert(NodeFlags::if_true(tag == Tag::A, NodeFlags::IN_LINK));
        } else {
            flags.insert(NodeFlags::from_tag(tag));
        }
        if attributes.count > 0 {
            let own_attributes =
                &self.tree.columns.attributes.known_attributes()[attributes.start as usize..];
            let style =
                own_attributes.iter().find(|attribute| attribute.name == AttributeName::Style);
            let html = self.tree.html.as_bytes();
            match style.and_then(|style| style::keeps_white_space(style.value.slice(html))) {
                Some(true) => flags.insert(NodeFlags::PREFORMATTED),
                Some(false) => flags.remove(NodeFlags::PREFORMATTED),
                None => {}
            }
        }
        flags
    }

    /// Applies the rules that hold only for elements of this tag.
    fn note_singular(&mut self, node: u32, tag: Tag, foreign: bool) {
        let flags = &mut self.tree.columns.nodes[node as usize].flags;
        match tag {
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
}
