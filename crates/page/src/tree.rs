//! The tree builder: tokens to columns.
//!
//! Lenient rules in one pass (specification 0.2): implied end tags, a stack of open elements, no adoption agency and no
//! foster parenting, since neither changes which text a page holds. Beyond the specification it ends `svg` and `math` where
//! HTML content begins, as browsers do, so that an unclosed drawing does not swallow the page; it ignores a `head` tag
//! after the body has begun; and text directly in `head` opens the body. What stands in a `template` never does.
//!
//! One page's walk: [`PageBuf::fill`] pulls tokens. A start tag closes what it implies, becomes a [`Node`](crate::Node) and,
//! unless void, an entry of the stack. A text is measured once and becomes a [`Run`](crate::Run) of the innermost element, or, if
//! it is only white space, a flag on whatever comes next. An end tag closes elements down to its partner; closing writes
//! the ends of the node's ranges. Nothing is moved or visited again.

mod ends;
mod forms;
mod non_ascii;

use crate::attribute::AttributeName;
use crate::columns::{
    Columns, NodeFlags, Opening, OwnAttributes, Page, Run, RunFlags, canonical_tags,
};
use crate::entity::{self, Context};
use crate::open_elements::{Inherited, Kind, MAX_DEPTH, OpenElements};
use crate::source::Source;
use crate::tag::{Tag, TagSet};
use crate::text;
use crate::tokenizer::{Ahead, Attribute, Span, StartTag, TextKind, Token, Tokenizer};
use forms::Forms;
use non_ascii::NonAscii;

/// Owns the memory of one page after another. A worker has one.
#[derive(Debug, Default)]
pub struct PageBuf {
    columns: Columns,
    open: OpenElements,
    forms: Forms,
    decoded: String,
}

impl PageBuf {
    /// An empty buffer.
    pub fn new() -> PageBuf {
        PageBuf::default()
    }

    /// Reads a page. What the buffer held before is forgotten.
    ///
    /// # Panics
    ///
    /// If `html` is 4 GiB or longer; callers cut pages long before.
    pub fn fill<'a>(&'a mut self, html: &'a str) -> Page<'a> {
        assert!(
            u32::try_from(html.len()).is_ok(),
            "a page of 4 GiB or more must be cut by the caller"
        );
        self.columns.clear();
        self.open.clear();
        self.forms.clear();
        self.decoded.clear();
        self.decoded.shrink_to(DECODED_KEPT);
        Builder {
            html,
            non_ascii: NonAscii::new(Source::new(html.as_bytes())),
            columns: &mut self.columns,
            open: &mut self.open,
            forms: &mut self.forms,
            decoded: &mut self.decoded,
            body: None,
            html_has_attributes: false,
            body_has_attributes: false,
            suppressed: 0,
            last_start: Tag::UNKNOWN,
            pending_space: false,
            min_level: 1,
        }
        .build();
        Page { html, columns: &self.columns }
    }
}

/// What a long text with character references may leave behind, in bytes.
const DECODED_KEPT: usize = 1 << 18;

struct Builder<'a, 'b> {
    html: &'a str,
    non_ascii: NonAscii<'a>,
    columns: &'b mut Columns,
    open: &'b mut OpenElements,
    forms: &'b mut Forms,
    decoded: &'b mut String,
    body: Option<u32>,
    html_has_attributes: bool,
    body_has_attributes: bool,
    /// Elements opened below [`MAX_DEPTH`] and not closed yet.
    suppressed: u32,
    last_start: Tag,
    /// White space stands at the present place, directly in the current element.
    pending_space: bool,
    min_level: u32,
}

impl Builder<'_, '_> {
    fn build(mut self) {
        let mut tokenizer = Tokenizer::new(self.html);
        let root = self.columns.open(Opening::implied(Tag::HTML, 1, 0));
        self.open.push(root, Tag::HTML, Kind::of(Tag::HTML), Inherited::NOTHING);
        loop {
            let start = tokenizer.position();
            let Some(ahead) = tokenizer.ahead() else { break };
            let passed = Span::new(start, tokenizer.position());
            match ahead {
                Ahead::Text(kind) => {
                    self.text(passed, kind);
                    continue;
                }
                _ => self.pending_space |= !passed.is_empty() & self.body.is_some(),
            }
            match ahead {
                Ahead::EndTag if tokenizer.pass_end_tag(self.open.current_tag()) => {
                    self.end_current(tokenizer.position() as u32);
                }
                Ahead::EndTag => {
                    if let Some(end) = tokenizer.end_tag() {
                        self.end(end);
                    }
                }
                Ahead::StartTag => {
                    let foreign = self.foreign_root();
                    tokenizer.set_foreign(foreign > 0);
                    if let Some(start) = tokenizer.start_tag::<false>(&mut self.columns.attributes)
                    {
                        self.start(start, foreign);
                    }
                }
                Ahead::Declaration => {
                    tokenizer.set_foreign(self.foreign_root() > 0);
                    if let Some(Token::Text { span, kind }) = tokenizer.declaration() {
                        self.text(span, kind);
                    }
                }
                Ahead::Text(_) => {}
            }
        }
        let end = self.html.len() as u32;
        let body = self.ensure_body(end);
        self.close_down_to(0, end);
        self.forms.mark(self.html, self.columns, body);
    }

    fn text(&mut self, span: Span, kind: TextKind) {
        if kind == TextKind::Raw && self.last_start.is(TagSet::CODE) {
            return;
        }
        let (start, end) = (span.start as usize, span.end as usize);
        let source = &self.html[start..end];
        let mut flags = RunFlags::default();
        let counts = match text::count_without(self.html, start, end, b'&') {
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
            self.pending_space |= self.body.is_some() && text.contains(char::is_whitespace);
            return;
        }
        if self.body.is_none() && matches!(self.open.current_tag(), Tag::HTML | Tag::HEAD_ELEMENT) {
            self.ensure_body(span.start);
        }
        if std::mem::take(&mut self.pending_space) {
            flags.insert(RunFlags::SPACE_BEFORE);
        }
        let Inherited { parent: node, level, in_link, .. } = self.open.child(true);
        if in_link {
            flags.insert(RunFlags::IN_LINK);
        }
        let parent_level = level - 1;
        let min_level = self.min_level.min(parent_level) as u16;
        self.min_level = parent_level;
        let (byte_start, byte_end) = (span.start, span.end);
        self.columns.runs.push(Run { node, byte_start, byte_end, counts, min_level, flags });
    }

    /// Opens what a start tag says; `foreign` is the place of the open drawing it stands in.
    #[inline(always)]
    fn start(&mut self, start: StartTag, mut foreign: usize) {
        let tag = start.tag;
        self.last_start = tag;
        if tag.is(TagSet::SINGULAR) && self.merge(start) {
            return;
        }
        if self.body.is_none() && !tag.is(TagSet::HEAD) && self.open.topmost(Tag::TEMPLATE) == 0 {
            self.ensure_body(start.span.start);
            foreign = self.foreign_root();
        }
        if foreign == 0 || tag.is(TagSet::ENDS_FOREIGN) {
            while foreign > 0 {
                self.close_down_to(foreign, start.span.start);
                foreign = self.foreign_root();
            }
            self.imply_ends(tag, start.span.start);
            // What has ended may have been all of the HTML within a drawing.
            foreign = self.foreign_root();
        }
        self.open_element(start, foreign > 0);
    }

    /// Tags of elements that are there once, whether or not their tags are: true if `start` is one and gives no new element.
    fn merge(&mut self, start: StartTag) -> bool {
        let (node, has_attributes) = match start.tag {
            Tag::HTML => (0, &mut self.html_has_attributes),
            Tag::BODY => (self.ensure_body(start.span.start), &mut self.body_has_attributes),
            tag => return tag == Tag::HEAD_ELEMENT && self.body.is_some(),
        };
        if !std::mem::replace(has_attributes, true) {
            let attributes = self.keep_attributes(start);
            self.columns.set_attributes(node, attributes);
        }
        true
    }

    #[inline(always)]
    fn open_element(&mut self, start: StartTag, foreign: bool) {
        let StartTag { span, tag, self_closing, .. } = start;
        let sets = tag.sets();
        let inherited = self.open.child(!sets.intersects(TagSet::UNCOUNTED));
        let in_link = inherited.in_link || tag == Tag::A;
        let mut flags = NodeFlags::when(in_link, NodeFlags::IN_LINK);
        flags.insert(NodeFlags::when(foreign, NodeFlags::FOREIGN));
        let space_before = std::mem::take(&mut self.pending_space);
        flags.insert(NodeFlags::when(space_before, NodeFlags::SPACE_BEFORE));
        let void = sets.intersects(TagSet::VOID);
        let attributes = self.keep_attributes(start);
        let markup_chars = canonical_tags(self.name_chars(start), void);
        let node = self.columns.open(Opening {
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
        if self.open.len() < MAX_DEPTH {
            let kind = if tag == Tag::UNKNOWN {
                Kind::unknown(start.name().of(self.html.as_bytes()))
            } else {
                Kind::of(tag)
            };
            self.open.push(node, tag, kind, inherited);
        } else {
            self.suppressed += 1;
        }
    }

    /// What an element means beyond itself.
    fn note_singular(&mut self, node: u32, tag: Tag, foreign: bool) {
        let flags = &mut self.columns.nodes[node as usize].flags;
        match tag {
            Tag::SVG | Tag::MATH => flags.insert(NodeFlags::FOREIGN),
            Tag::HEADER if self.open.has_any(Tag::ARTICLE, Tag::MAIN) => {
                flags.insert(NodeFlags::ARTICLE_HEADER);
            }
            Tag::TITLE if !foreign && self.columns.title.is_none() => {
                self.columns.title = Some(node);
            }
            Tag::FORM => self.forms.add_form(node),
            Tag::INPUT => self.forms.add_input(node),
            _ => {}
        }
    }

    #[inline]
    fn close_down_to(&mut self, place: usize, at: u32) {
        while self.open.len() > place {
            self.close_current(at);
        }
    }

    #[inline]
    fn close_current(&mut self, at: u32) {
        let Some(open) = self.open.pop() else { return };
        let (nodes, runs) = (self.columns.nodes.len() as u32, self.columns.runs.len() as u32);
        let node = &mut self.columns.nodes[open.node as usize];
        node.end = nodes;
        node.run_end = runs;
        node.byte_end = at;
        node.children = u16::try_from(open.children).unwrap_or(u16::MAX);
        if std::mem::take(&mut self.pending_space) {
            node.flags.insert(NodeFlags::SPACE_AT_END);
        }
        self.min_level = self.min_level.min(open.level - 1);
    }

    fn ensure_body(&mut self, at: u32) -> u32 {
        if let Some(body) = self.body {
            return body;
        }
        self.close_down_to(1, at);
        let body = self.columns.open(Opening::implied(Tag::BODY, 2, at));
        let inherited = self.open.child(true);
        self.open.push(body, Tag::BODY, Kind::of(Tag::BODY), inherited);
        self.body = Some(body);
        body
    }

    /// Place of the open `svg` or `math` whose rules hold at the present place; 0 where those of HTML do.
    #[inline]
    fn foreign_root(&self) -> usize {
        if self.open.has_any(Tag::SVG, Tag::MATH) { self.innermost_foreign_root() } else { 0 }
    }

    #[cold]
    fn innermost_foreign_root(&self) -> usize {
        let root = self.open.topmost(Tag::SVG).max(self.open.topmost(Tag::MATH));
        // HTML may stand in these again.
        if root == 0 || root < self.open.topmost_of(&[Tag::FOREIGNOBJECT, Tag::DESC, Tag::TITLE]) {
            0
        } else {
            root
        }
    }

    /// Keeps those attributes of the tag just read that someone may ask for, and measures the others.
    #[inline(always)]
    fn keep_attributes(&mut self, start: StartTag) -> OwnAttributes {
        let mut chars = self.columns.attributes.markup();
        if chars > 0 && !self.non_ascii.is_outside(start.span) {
            chars -= self.continuation_bytes(start);
        }
        let (start, count) = self.columns.attributes.keep();
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
        self.html[span.start as usize..span.end as usize].chars().count() as u32
    }

    /// By how much the bytes of the tag's attributes that count as markup outnumber their scalars.
    #[cold]
    fn continuation_bytes(&mut self, start: StartTag) -> u32 {
        let source = Source::new(self.html.as_bytes());
        self.columns.attributes.list_again(source, start.name_end as usize);
        let counted = |span: Span| span.len() - self.chars(span);
        let of = |a: &&Attribute| AttributeName::of(a.name.of(source.bytes()));
        let attributes = self.columns.attributes.list().iter();
        attributes
            .filter(|a| !of(a).is_some_and(AttributeName::is_apart))
            .map(|a| counted(a.name) + counted(a.value))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The flags of all elements with a tag.
    fn flags(html: &str, tag: Tag, flag: NodeFlags) -> Vec<bool> {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let nodes = page.nodes().iter().filter(|node| node.tag == tag);
        nodes.map(|node| node.flags.contains(flag)).collect()
    }

    #[test]
    fn headers_of_articles_are_told_from_those_of_pages() {
        let html = "<header>a</header><main><header>b</header></main><header>c</header>
            <article><div><header>d</header></div></article>";
        assert_eq!(flags(html, Tag::HEADER, NodeFlags::ARTICLE_HEADER), [false, true, false, true]);
    }

    #[test]
    fn forms_are_small_by_their_text_or_their_fields_but_never_most_of_the_page() {
        let small = |html: &str| flags(html, Tag::FORM, NodeFlags::SMALL_FORM);
        let text = |chars: usize| "x".repeat(chars);
        let form = |inside: &str| format!("<p>{}</p><form>{inside}</form>", text(300));
        assert_eq!(small(&form(&text(199))), [true]);
        assert_eq!(small(&form(&text(200))), [false]);
        assert_eq!(small(&form(&format!("{}<input type=PassWord>", text(250)))), [true]);
        assert_eq!(small(&form(&format!("<b><input type=search></b>{}", text(250)))), [true]);
        assert_eq!(small(&form(&format!("<input type=text>{}", text(250)))), [false]);
        assert_eq!(small(&form(&format!("<input type=search>{}", text(301)))), [false]);
        // A field behind a form is none of it, and an outer form has those of the inner.
        assert_eq!(small(&(form(&text(250)) + "<input type=search>")), [false]);
        let nested = format!("{}<form><input type=search>q</form>", text(250));
        assert_eq!(small(&form(&nested)), [true, true]);
        assert_eq!(small("<form>all there is</form>"), [false]);
        assert_eq!(small("<form></form>"), [true]);
    }
}
