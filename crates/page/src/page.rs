//! The view of one page that extractors read.

use crate::attribute::{AttributeName, NodeAttribute};
use crate::columns::Columns;
use crate::node::Node;
use crate::run::{Run, WhiteRun};
use crate::span::Span;
use crate::tag::Tag;
use crate::tokenizer::{Attributes, Tokenizer};
use std::ops::Range;

/// A page's columns together with its source.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    html: &'a str,
    columns: &'a Columns,
}

impl<'a> Page<'a> {
    pub(crate) fn new(html: &'a str, columns: &'a Columns) -> Page<'a> {
        Page { html, columns }
    }

    /// Returns the source.
    #[inline]
    pub fn html(&self) -> &'a str {
        self.html
    }

    /// Returns all elements in pre-order. Node 0 is `html`, so the slice has at least one node.
    #[inline]
    pub fn nodes(&self) -> &'a [Node] {
        &self.columns.nodes
    }

    /// Returns all text runs in document order.
    #[inline]
    pub fn runs(&self) -> &'a [Run] {
        &self.columns.runs
    }

    /// Returns whether text or elements directly in a table were moved before it. On such a page
    /// the offsets of nodes and runs do not ascend. The source of a table then also holds the
    /// content that the tree has before the table.
    #[inline]
    pub fn is_moved(&self) -> bool {
        !self.columns.nodes_in_source.is_empty()
    }

    /// Returns the index of the node that is the `source_index`th in the order of the source. This
    /// is `source_index` itself on nearly all pages.
    ///
    /// ```
    /// use huller_page::{PageBuf, Tag};
    ///
    /// let mut buffer = PageBuf::new();
    /// let page = buffer.fill("<table><tr><td>cell</table>");
    /// assert!(!page.is_moved() && page.node_in_source(3) == 3);
    /// let page = buffer.fill("<table><tr><td>cell</td><b>lost</b></table>");
    /// assert_eq!(page.run_source(&page.runs()[0]), "lost");
    /// assert_eq!(page.nodes()[page.node_in_source(2)].tag, Tag::TABLE);
    /// assert_eq!(page.run_source(&page.runs()[page.run_in_source(0)]), "cell");
    /// ```
    #[inline]
    pub fn node_in_source(&self, source_index: usize) -> usize {
        self.columns.nodes_in_source.get(source_index).map_or(source_index, |node| *node as usize)
    }

    /// Returns the index of the run that is the `source_index`th in the order of the source. This
    /// is `source_index` itself on nearly all pages.
    #[inline]
    pub fn run_in_source(&self, source_index: usize) -> usize {
        self.columns.runs_in_source.get(source_index).map_or(source_index, |run| *run as usize)
    }

    /// Returns the white space between the runs of preformatted text, in document order.
    ///
    /// ```
    /// use huller_page::PageBuf;
    ///
    /// let mut buffer = PageBuf::new();
    /// let page = buffer.fill("<pre><b>if</b>\n    <b>else</b></pre>");
    /// let white = page.white_runs()[0];
    /// assert_eq!((white.run, white.span.slice(page.html().as_bytes())), (1, &b"\n    "[..]));
    /// ```
    #[inline]
    pub fn white_runs(&self) -> &'a [WhiteRun] {
        &self.columns.white_runs
    }

    /// Returns the index of the `body` node. Every page has exactly one, with or without its tag.
    ///
    /// ```
    /// use huller_page::{PageBuf, Tag};
    ///
    /// let mut buffer = PageBuf::new();
    /// let page = buffer.fill("<title>Rain</title><p>Roads shut.");
    /// assert_eq!(page.nodes()[page.body() as usize].tag, Tag::BODY);
    /// ```
    #[inline]
    pub fn body(&self) -> u32 {
        self.columns.body
    }

    /// Returns the kept attributes of a node, in the order written.
    #[inline]
    pub fn attributes(&self, node: &Node) -> &'a [NodeAttribute] {
        &self.columns.attributes.known_attributes()[node.attribute_start as usize..]
            [..usize::from(node.attribute_count)]
    }

    /// Returns the value of a kept attribute as written, with its character references.
    pub fn attribute(&self, node: &Node, name: AttributeName) -> Option<&'a str> {
        let found = self.attributes(node).iter().find(|attribute| attribute.name == name)?;
        Some(&self.html[found.value.start as usize..found.value.end as usize])
    }

    /// Returns the range of the runs of the page's first `title` element outside `svg`; empty if
    /// the page has no title.
    pub fn title(&self) -> Range<usize> {
        let node = self.columns.title.map(|title| &self.columns.nodes[title as usize]);
        node.map_or(0..0, |node| node.run_start as usize..node.run_end as usize)
    }

    /// Returns the source of a run: text with its character references.
    #[inline]
    pub fn run_source(&self, run: &Run) -> &'a str {
        &self.html[run.byte_start as usize..run.byte_end as usize]
    }

    /// Returns the source of a node. It begins with the start tag. It ends after the end tag, or
    /// where the element was closed without one.
    pub fn node_source(&self, node: &Node) -> &'a str {
        &self.html[node.byte_start as usize..node.byte_end as usize]
    }

    /// Returns all attributes of a node, names and values as written. They are read again from the
    /// source into `memory`.
    ///
    /// The iterator is empty if the source of the node does not begin with its tag. Elements
    /// without a tag are such nodes; `html` and `body` may be.
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
        attributes: &'m mut Attributes,
    ) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a, 'm> {
        let source = self.node_source(node);
        let is_tag = read_tag::<true>(source, node.tag, attributes).is_some();
        let list = if is_tag { attributes.list() } else { &[] };
        let text_of = move |span: Span| &source[span.start as usize..span.end as usize];
        list.iter().map(move |attribute| (text_of(attribute.name), text_of(attribute.value)))
    }

    /// Returns the content of a JSON-LD script as written; `None` for other elements. `memory` is
    /// scratch space for the attributes of the script's tag.
    ///
    /// ```
    /// use huller_page::{Attributes, PageBuf, Tag};
    ///
    /// let mut buffer = PageBuf::new();
    /// let page = buffer.fill("<script type='application/ld+json'>{}</script>");
    /// let script = page.nodes().iter().find(|node| node.tag == Tag::SCRIPT).unwrap();
    /// assert_eq!(page.json_ld(script, &mut Attributes::default()), Some("{}"));
    /// ```
    pub fn json_ld(&self, node: &Node, attributes: &mut Attributes) -> Option<&'a str> {
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
        let content = &source[read_tag::<false>(source, node.tag, attributes)?..];
        // The content of a raw text element ends before the first end tag of its name. So the last
        // end tag in the source of the node is the one that ends it.
        let end = memchr::memmem::rfind(content.as_bytes(), b"</");
        Some(&content[..end.unwrap_or(content.len())])
    }
}

/// Reads the start tag at the start of `source` and returns the offset after it; `None` if `source`
/// does not begin with a start tag of `tag`. With `LIST` all attributes are listed, else only the
/// known ones are kept.
fn read_tag<const LIST: bool>(
    source: &str,
    tag: Tag,
    attributes: &mut Attributes,
) -> Option<usize> {
    if !source.starts_with('<') {
        return None;
    }
    let start = Tokenizer::new(source).start_tag::<LIST>(attributes)?;
    (start.tag == tag).then_some(start.span.end as usize)
}
