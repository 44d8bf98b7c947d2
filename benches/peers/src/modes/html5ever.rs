//! Crate `html5ever`: parses into an `RcDom` by the standard. Its text is the reference for others.
//!
//! Scripting is off, as for a crawler, so the content of `noscript` is elements. The content of
//! `template` is counted, since the other parsers here do not know that element.

use anyhow::Result;
use html5ever::driver::{ParseOpts, parse_document};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::PageYield;
use crate::kept_text::count;

/// Parses one page.
pub fn page(_url: &str, html: &str) -> Result<PageYield> {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let tree = parse_document(RcDom::default(), options).one(html);
    Ok(PageYield::KeptText(text_of(&tree)))
}

/// Counts the text of a tree, which must outlive the walk. Dropping a node detaches the children of
/// all its descendants, even of nodes that are still held.
fn text_of(tree: &RcDom) -> u64 {
    let mut total = 0;
    let mut open = vec![Handle::clone(&tree.document)];
    while let Some(node) = open.pop() {
        match &node.data {
            NodeData::Text { contents } => total += count(&contents.borrow()),
            NodeData::Element { name, .. } if matches!(&*name.local, "script" | "style") => {}
            NodeData::Element { template_contents, .. } => {
                open.extend(template_contents.borrow().iter().cloned());
                open.extend(node.children.borrow().iter().cloned());
            }
            _ => open.extend(node.children.borrow().iter().cloned()),
        }
    }
    total
}
