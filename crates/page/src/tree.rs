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

use crate::attribute::AttributeName;
use crate::columns::{
    Columns, NodeFlags, Opening, OwnAttributes, Page, Run, RunFlags, canonical_tags,
};
use crate::entity::{self, Context};
use crate::lanes::{first_lanes, sixteen};
use crate::open_elements::{Kind, MAX_DEPTH, Open, OpenElements};
use crate::tag::{Tag, TagSet};
use crate::text;
use crate::tokenizer::{Span, TextKind, Token, Tokenizer};
use forms::Forms;

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
            ascii: html.is_ascii(),
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
    /// Whether bytes and scalars are the same thing on this page.
    ascii: bool,
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
    min_level: u16,
}

/// A start tag, as the tokenizer gives it.
#[derive(Clone, Copy)]
struct Start {
    span: Span,
    name: Span,
    tag: Tag,
    self_closing: bool,
}

impl Builder<'_, '_> {
    fn build(mut self) {
        let mut tokenizer = Tokenizer::new(self.html);
        let root = self.columns.open(Opening::implied(Tag::HTML, 1, 0));
        self.open.push(root, Tag::HTML, Kind::of(Tag::HTML, b""), 1, false);
        while let Some(token) = tokenizer.next(&mut self.columns.attributes) {
            match token {
                Token::Text { span, kind } => self.text(span, kind),
                Token::Start { span, name, tag, self_closing } => {
                    self.start(Start { span, name, tag, self_closing });
                    tokenizer.set_foreign(self.foreign_root() > 0);
                }
                Token::End { span, name, tag } => {
                    self.end(span, name, tag);
                    tokenizer.set_foreign(self.foreign_root() > 0);
                }
                Token::Comment(_) | Token::Doctype(_) => {}
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
        if is_blank(self.html.as_bytes(), start, end) {
            self.pending_space |= self.body.is_some();
            return;
        }
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
        if self.body.is_none() && matches!(self.open.current().tag, Tag::HTML | Tag::HEAD_ELEMENT) {
            self.ensure_body(span.start);
        }
        if std::mem::take(&mut self.pending_space) {
            flags.insert(RunFlags::SPACE_BEFORE);
        }
        let Open { node, level, in_link, .. } = self.open.current();
        self.open.add_child();
        if in_link {
            flags.insert(RunFlags::IN_LINK);
        }
        let min_level = self.min_level.min(level);
        self.min_level = level;
        let (byte_start, byte_end) = (span.start, span.end);
        self.columns.runs.push(Run { node, byte_start, byte_end, counts, min_level, flags });
    }

    fn start(&mut self, start: Start) {
        let tag = start.tag;
        self.last_start = tag;
        match tag {
            Tag::HTML => {
                if !std::mem::replace(&mut self.html_has_attributes, true) {
                    let attributes = self.keep_attributes(self.ascii);
                    self.columns.set_attributes(0, attributes);
                }
                return;
            }
            Tag::BODY => {
                let body = self.ensure_body(start.span.start);
                if !std::mem::replace(&mut self.body_has_attributes, true) {
                    let attributes = self.keep_attributes(self.ascii);
                    self.columns.set_attributes(body, attributes);
                }
                return;
            }
            Tag::HEAD_ELEMENT if self.body.is_some() => return,
            _ => {}
        }
        if self.body.is_none() && !tag.is(TagSet::HEAD) && self.open.topmost(Tag::TEMPLATE) == 0 {
            self.ensure_body(start.span.start);
        }
        let mut foreign = self.foreign_root();
        if foreign == 0 || tag.is(TagSet::ENDS_FOREIGN) {
            while foreign > 0 {
                self.close_down_to(foreign, start.span.start);
                foreign = self.foreign_root();
            }
            self.imply_ends(tag, start.span.start);
        }
        self.open_element(start, foreign > 0);
    }

    fn open_element(&mut self, start: Start, foreign: bool) {
        let Start { span, name, tag, self_closing } = start;
        let Open { node: parent, level, in_link, .. } = self.open.current();
        if tag != Tag::BR && tag != Tag::WBR {
            self.open.add_child();
        }
        let level = level + 1;
        let in_link = in_link || tag == Tag::A;
        let mut flags = NodeFlags::default();
        if in_link {
            flags.insert(NodeFlags::IN_LINK);
        }
        if foreign || tag == Tag::SVG || tag == Tag::MATH {
            flags.insert(NodeFlags::FOREIGN);
        }
        if tag == Tag::HEADER && self.open.has_any(Tag::ARTICLE, Tag::MAIN) {
            flags.insert(NodeFlags::ARTICLE_HEADER);
        }
        if std::mem::take(&mut self.pending_space) {
            flags.insert(NodeFlags::SPACE_BEFORE);
        }
        let empty = tag.is(TagSet::VOID) || foreign && self_closing;
        let ascii = self.ascii || span.of(self.html.as_bytes()).is_ascii();
        let markup_chars = canonical_tags(self.chars(name, ascii), tag.is(TagSet::VOID));
        let attributes = self.keep_attributes(ascii);
        let node = self.columns.open(Opening {
            tag,
            parent,
            level,
            flags,
            span,
            markup_chars,
            attributes,
        });
        if tag == Tag::TITLE && !foreign && self.columns.title.is_none() {
            self.columns.title = Some(node);
        }
        match tag {
            Tag::FORM => self.forms.add_form(node),
            Tag::INPUT => self.forms.add_input(node),
            _ => {}
        }
        if empty {
            return;
        }
        if self.open.len() < MAX_DEPTH {
            self.open.push(node, tag, Kind::of(tag, name.of(self.html.as_bytes())), level, in_link);
        } else {
            self.suppressed += 1;
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
        node.children = open.children;
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
        self.open.add_child();
        self.open.push(body, Tag::BODY, Kind::of(Tag::BODY, b""), 2, false);
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
    #[inline]
    fn keep_attributes(&mut self, ascii: bool) -> OwnAttributes {
        let (start, count, bytes) = self.columns.attributes.keep();
        let chars = if ascii { bytes } else { bytes - self.continuation_bytes() };
        OwnAttributes { start, count, chars }
    }

    /// By how much the bytes of the tag's attributes that count as markup outnumber their scalars.
    #[cold]
    fn continuation_bytes(&self) -> u32 {
        let html = self.html.as_bytes();
        let counted = |span: Span| span.len() - self.chars(span, false);
        let attributes = self.columns.attributes.list().iter();
        attributes
            .filter(|a| !AttributeName::at(html, a.name).is_some_and(AttributeName::is_apart))
            .map(|a| counted(a.name) + counted(a.value))
            .sum()
    }

    /// Length of a stretch of the source in Unicode scalars; `ascii` if each is known to be a byte.
    #[inline]
    fn chars(&self, span: Span, ascii: bool) -> u32 {
        if ascii {
            span.len()
        } else {
            self.html[span.start as usize..span.end as usize].chars().count() as u32
        }
    }
}

/// Whether the bytes from `start` to `end` are ASCII white space. Most text between tags is: indentation.
#[inline]
fn is_blank(page: &[u8], start: usize, end: usize) -> bool {
    let blank = |b: &u8| matches!(b, b' ' | b'\t'..=b'\r');
    let mut at = start;
    while at < end {
        // What follows the text in the page is loaded with it and left out.
        let Some(lanes) = sixteen(page, at) else {
            return page[at..end].iter().all(blank);
        };
        let other = !lanes.equal(b' ').or(lanes.between(b'\t', b'\r')).bits();
        if other & first_lanes(end - at) != 0 {
            return false;
        }
        at += 16;
    }
    true
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

    #[test]
    fn blanks_are_found_at_any_place_among_eight() {
        for b in 0..=255_u8 {
            for place in 0..20 {
                let mut bytes = [b' '; 20];
                bytes[place] = b;
                assert_eq!(is_blank(&bytes, 0, 20), matches!(b, b' ' | 9..=13), "{b} at {place}");
                assert!(is_blank(&bytes, place + 1, 20) && is_blank(&bytes, 0, place));
            }
        }
        assert!(is_blank(b"", 0, 0) && is_blank(b"\n\t \r\x0b\x0c\n\n\n", 0, 9));
    }
}
