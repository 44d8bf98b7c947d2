//! Finds pages that show TeX in their text, and holds a formula there that has begun.

use huller_page::{Page, Tag, TagTable};

/// Elements that load scripts and their style sheets.
const LOADERS: TagTable = TagTable::NONE.with(&[Tag::SCRIPT, Tag::LINK]);

/// The formula that has begun.
#[derive(Debug)]
pub(super) struct OpenTex {
    /// Offsets in the output of its beginning, and of the beginning of its line.
    pub(super) at: usize,
    pub(super) line: usize,
    pub(super) closing: &'static str,
}

/// Returns whether a page loads a program that shows TeX in its text.
pub(super) fn is_shown_on(page: &Page<'_>) -> bool {
    const NAMES: [&[u8]; 6] = [b"mathjax", b"MathJax", b"MATHJAX", b"katex", b"KaTeX", b"Katex"];
    page.nodes().iter().filter(|node| LOADERS.contains(node.tag)).any(|node| {
        let source = page.node_source(node).as_bytes();
        NAMES.iter().any(|name| memchr::memmem::find(source, name).is_some())
    })
}
