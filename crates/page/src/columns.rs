//! The columns: what the one pass over a page's bytes leaves behind.

use crate::attribute::AttributeName;
use crate::memory::empty;
use crate::tag::{Tag, TagSet};
use crate::text::TextCounts;
use crate::tokenizer::{Attributes, NodeAttribute, Span};
use std::ops::Range;

/// An element. Nodes stand in pre-order, so the descendants of node `i` are `i + 1 .. nodes[i].end`.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Index of the parent; node 0 (`html`) is its own.
    pub parent: u32,
    /// Index after the last descendant.
    pub end: u32,
    /// Offset in bytes of the start tag; where the element was implied, of what implied it.
    pub byte_start: u32,
    /// Offset in bytes after the end tag, or where the element was closed without one.
    pub byte_end: u32,
    /// Index of the first text run inside.
    pub run_start: u32,
    /// Index after the last text run inside.
    pub run_end: u32,
    /// Length in Unicode scalars of the node's own tags in canonical form, without `id`, `class` and `style`
    /// (specification 0.4, paper 003).
    pub markup_chars: u32,
    /// Index of the first kept attribute.
    attribute_start: u32,
    /// Kept attributes.
    attribute_count: u8,
    /// The tag.
    pub tag: Tag,
    /// What is known of the node besides.
    pub flags: NodeFlags,
    /// Depth: 1 for `html`, one more than the parent's for others.
    pub level: u16,
    /// Child elements but `br` and `wbr`, and text runs; saturating.
    pub children: u16,
}

/// Facts about a node, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeFlags(u8);

impl NodeFlags {
    /// Is a link, or lies in one.
    pub const IN_LINK: NodeFlags = NodeFlags(1);
    /// White space stands directly before the start tag.
    pub const SPACE_BEFORE: NodeFlags = NodeFlags(1 << 1);
    /// White space stands directly before the end of the element.
    pub const SPACE_AT_END: NodeFlags = NodeFlags(1 << 2);
    /// Lies in `svg` or `math`, or is one.
    pub const FOREIGN: NodeFlags = NodeFlags(1 << 3);
    /// Is a `header` in an `article` or `main`: it holds the headline, not the site's name.
    pub const ARTICLE_HEADER: NodeFlags = NodeFlags(1 << 4);
    /// Is a form of under 200 visible scalars, or for a password or a search, with no more than half of the body's text.
    pub const SMALL_FORM: NodeFlags = NodeFlags(1 << 5);
    /// None.
    pub const NONE: NodeFlags = NodeFlags(0);

    /// `flags`, or none.
    #[inline(always)]
    pub(crate) fn when(condition: bool, flags: NodeFlags) -> NodeFlags {
        if condition { flags } else { NodeFlags::NONE }
    }

    /// Whether all bits of `other` are set.
    #[inline]
    pub const fn contains(self, other: NodeFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any bit of `other` is set.
    #[inline]
    pub const fn intersects(self, other: NodeFlags) -> bool {
        self.0 & other.0 != 0
    }

    #[inline]
    pub(crate) fn insert(&mut self, other: NodeFlags) {
        self.0 |= other.0;
    }
}

/// A stretch of text between two pieces of markup that holds at least one visible scalar.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The node it stands in.
    pub node: u32,
    /// Offset in bytes.
    pub byte_start: u32,
    /// Offset in bytes after it.
    pub byte_end: u32,
    /// Its counts, character references decoded.
    pub counts: TextCounts,
    /// The smallest level among the elements open since the previous run.
    pub min_level: u16,
    /// What is known of the run besides.
    pub flags: RunFlags,
}

/// Facts about a run, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunFlags(u8);

impl RunFlags {
    /// Lies in a link.
    pub const IN_LINK: RunFlags = RunFlags(1);
    /// Holds character references that need decoding.
    pub const REFERENCES: RunFlags = RunFlags(1 << 1);
    /// White space stands before it, across a comment.
    pub const SPACE_BEFORE: RunFlags = RunFlags(1 << 2);

    /// Whether all bits of `other` are set.
    #[inline]
    pub const fn contains(self, other: RunFlags) -> bool {
        self.0 & other.0 == other.0
    }

    #[inline]
    pub(crate) fn insert(&mut self, other: RunFlags) {
        self.0 |= other.0;
    }
}

/// All columns of one page. Cleared and refilled for every page, so that a worker allocates only while it meets larger
/// pages than before.
#[derive(Debug, Default)]
pub struct Columns {
    pub(crate) nodes: Vec<Node>,
    pub(crate) runs: Vec<Run>,
    pub(crate) attributes: Attributes,
    pub(crate) title: Option<u32>,
}

impl Columns {
    pub(crate) fn clear(&mut self) {
        const KEEP: usize = 1 << 15;
        empty(&mut self.nodes, KEEP);
        empty(&mut self.runs, KEEP);
        self.attributes.clear_kept(KEEP);
        self.title = None;
    }

    /// Adds a node as the last child so far of its parent.
    #[inline]
    pub(crate) fn open(&mut self, opening: Opening) -> u32 {
        let Opening { tag, parent, level, flags, span, markup_chars, attributes } = opening;
        let index = self.nodes.len() as u32;
        let run = self.runs.len() as u32;
        self.nodes.push(Node {
            parent,
            end: index + 1,
            byte_start: span.start,
            byte_end: span.end,
            run_start: run,
            run_end: run,
            markup_chars: markup_chars + attributes.chars,
            attribute_start: attributes.start,
            attribute_count: attributes.count,
            tag,
            flags,
            level,
            children: 0,
        });
        index
    }

    /// Gives a node that was opened without its tag the attributes of the tag.
    pub(crate) fn set_attributes(&mut self, node: u32, attributes: OwnAttributes) {
        let node = &mut self.nodes[node as usize];
        node.attribute_start = attributes.start;
        node.attribute_count = attributes.count;
        node.markup_chars += attributes.chars;
    }
}

/// What is known of a node when it opens.
#[derive(Clone, Copy)]
pub(crate) struct Opening {
    pub(crate) tag: Tag,
    pub(crate) parent: u32,
    pub(crate) level: u16,
    pub(crate) flags: NodeFlags,
    /// The start tag; empty where there is none.
    pub(crate) span: Span,
    /// Length of the tags without attributes.
    pub(crate) markup_chars: u32,
    pub(crate) attributes: OwnAttributes,
}

impl Opening {
    /// A child of `html`, or that itself, which every page has whether or not its tag stands there.
    pub(crate) fn implied(tag: Tag, level: u16, at: u32) -> Opening {
        Opening {
            tag,
            parent: 0,
            level,
            flags: NodeFlags::default(),
            span: Span { start: at, end: at },
            markup_chars: canonical_tags(tag.name().len() as u32, false),
            attributes: OwnAttributes::default(),
        }
    }
}

/// The attributes of one node.
#[derive(Clone, Copy, Default)]
pub(crate) struct OwnAttributes {
    /// Index of the first kept one.
    pub(crate) start: u32,
    /// Number of kept ones.
    pub(crate) count: u8,
    /// Length in scalars of all that count towards the node's markup.
    pub(crate) chars: u32,
}

/// Length in scalars of `<name>` and, unless void, `</name>`.
pub(crate) fn canonical_tags(name: u32, void: bool) -> u32 {
    2 + name + if void { 0 } else { 3 + name }
}

/// The columns of a page together with its text: what extractors see.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    pub(crate) html: &'a str,
    pub(crate) columns: &'a Columns,
}

impl<'a> Page<'a> {
    /// The source.
    #[inline]
    pub fn html(&self) -> &'a str {
        self.html
    }

    /// All elements in pre-order. Never empty: node 0 is `html`.
    #[inline]
    pub fn nodes(&self) -> &'a [Node] {
        &self.columns.nodes
    }

    /// All text runs in document order.
    #[inline]
    pub fn runs(&self) -> &'a [Run] {
        &self.columns.runs
    }

    /// The kept attributes of a node, in the order written.
    #[inline]
    pub fn attributes(&self, node: &Node) -> &'a [NodeAttribute] {
        &self.columns.attributes.known()[node.attribute_start as usize..]
            [..usize::from(node.attribute_count)]
    }

    /// The value of a kept attribute as written, character references and all.
    pub fn attribute(&self, node: &Node, name: AttributeName) -> Option<&'a str> {
        let found = self.attributes(node).iter().find(|attribute| attribute.name == name)?;
        Some(&self.html[found.value.start as usize..found.value.end as usize])
    }

    /// The runs of the page's first `title` element outside `svg`.
    pub fn title(&self) -> Range<usize> {
        let node = self.columns.title.map(|title| &self.columns.nodes[title as usize]);
        node.map_or(0..0, |node| node.run_start as usize..node.run_end as usize)
    }

    /// The source of a run: text, but for character references.
    #[inline]
    pub fn run_source(&self, run: &Run) -> &'a str {
        &self.html[run.byte_start as usize..run.byte_end as usize]
    }

    /// The source of a node, from its start tag to the end of its end tag or to where it was closed without one.
    pub fn node_source(&self, node: &Node) -> &'a str {
        &self.html[node.byte_start as usize..node.byte_end as usize]
    }

    /// All attributes of a node, names and values as written, read from the source anew into `memory`. None where an
    /// element stands without a tag, or with one elsewhere, as `html` and `body` may.
    ///
    /// ```
    /// use huller_page::{Attributes, PageBuf, Tag};
    ///
    /// let mut buffer = PageBuf::new();
    /// let page = buffer.fill("<meta Name=date content='30 Jan &amp; later'>");
    /// let meta = page.nodes().iter().find(|node| node.tag == Tag::META).unwrap();
    /// let mut memory = Attributes::default();
    /// let all: Vec<_> = page.all_attributes(meta, &mut memory).collect();
    /// assert_eq!(all, [("Name", "date"), ("content", "30 Jan &amp; later")]);
    /// assert_eq!(page.all_attributes(&page.nodes()[0], &mut memory).count(), 0);
    /// ```
    pub fn all_attributes<'m>(
        &self,
        node: &Node,
        memory: &'m mut Attributes,
    ) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a, 'm> {
        let source = self.node_source(node);
        let is_tag = memory.read_tag::<true>(source, node.tag).is_some();
        let list = if is_tag { memory.list() } else { &[] };
        let of = move |span: Span| &source[span.start as usize..span.end as usize];
        list.iter().map(move |attribute| (of(attribute.name), of(attribute.value)))
    }

    /// The content of a JSON-LD script as it stands, `None` for other elements; `memory` is what reading its tag takes.
    ///
    /// ```
    /// use huller_page::{Attributes, PageBuf, Tag};
    ///
    /// let mut buffer = PageBuf::new();
    /// let page = buffer.fill("<script type='application/ld+json'>{}</script>");
    /// let script = page.nodes().iter().find(|node| node.tag == Tag::SCRIPT).unwrap();
    /// assert_eq!(page.json_ld(script, &mut Attributes::default()), Some("{}"));
    /// ```
    pub fn json_ld(&self, node: &Node, memory: &mut Attributes) -> Option<&'a str> {
        const JSON_LD: &str = "application/ld+json";
        let kind = self.attribute(node, AttributeName::Type).filter(|_| node.tag == Tag::SCRIPT)?;
        if kind.len() < JSON_LD.len() {
            return None;
        }
        let media_type = kind.split(';').next().unwrap_or_default().trim();
        if !media_type.eq_ignore_ascii_case(JSON_LD) {
            return None;
        }
        let source = self.node_source(node);
        let content = &source[memory.read_tag::<false>(source, node.tag)?..];
        // The content of a raw text element ends before the first end tag of its name, so no other begins behind it.
        let end = memchr::memmem::rfind(content.as_bytes(), b"</");
        Some(&content[..end.unwrap_or(content.len())])
    }
}

impl Node {
    /// Whether the node's tag belongs to one of the sets.
    #[inline]
    pub fn is(&self, set: TagSet) -> bool {
        self.tag.is(set)
    }

    /// The runs inside.
    #[inline]
    pub fn runs(&self) -> Range<usize> {
        self.run_start as usize..self.run_end as usize
    }
}
