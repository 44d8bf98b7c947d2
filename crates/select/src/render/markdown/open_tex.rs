//! Which pages show TeX in their text, and a formula there that has begun.

use huller_page::{Page, Tag, Tags};

/// Elements that load scripts and their style sheets.
const LOADERS: Tags = Tags::NONE.and(&[Tag::SCRIPT, Tag::LINK]);

/// The formula that has begun.
#[derive(Debug)]
pub(super) struct OpenTex {
    /// Where it begins in the output, and where the line does that it begins on.
    pub(super) at: usize,
    pub(super) line: usize,
    pub(super) closing: &'static str,
}

/// Whether a page loads a program that shows TeX in its text.
pub(super) fn is_shown_on(page: &Page<'_>) -> bool {
    const NAMES: [&[u8]; 6] = [b"mathjax", b"MathJax", b"MATHJAX", b"katex", b"KaTeX", b"Katex"];
    page.nodes().iter().filter(|node| LOADERS.contains(node.tag)).any(|node| {
        let source = page.node_source(node).as_bytes();
        NAMES.iter().any(|name| memchr::memmem::find(source, name).is_some())
    })
}
