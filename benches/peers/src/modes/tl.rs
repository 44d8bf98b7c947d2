//! Crate `tl`: parses a page into its flat tree, with or without counting the text there.

use anyhow::{Result, anyhow};
use tl::{Node, ParserOptions};

use super::PageYield;
use crate::kept_text::MarkupCounter;

/// Parses one page without traversing the tree, which is the least cost for a user of this crate.
pub fn parse(_url: &str, html: &str) -> Result<PageYield> {
    let tree = tl::parse(html, ParserOptions::default()).map_err(|error| anyhow!("{error:?}"))?;
    Ok(PageYield::Parsed(tree.children().len()))
}

/// Parses one page.
pub fn page(_url: &str, html: &str) -> Result<PageYield> {
    let tree = tl::parse(html, ParserOptions::default()).map_err(|error| anyhow!("{error:?}"))?;
    let mut counter = MarkupCounter::default();
    let mut open = tree.children().to_vec();
    while let Some(handle) = open.pop() {
        match handle.get(tree.parser()) {
            Some(Node::Raw(text)) => {
                counter.add(&text.as_utf8_str());
                counter.end_node();
            }
            Some(Node::Tag(tag)) if !is_hidden(tag.name().as_bytes()) => {
                open.extend(tag.children().top().iter());
            }
            Some(Node::Tag(_) | Node::Comment(_)) | None => {}
        }
    }
    Ok(PageYield::KeptText(counter.total()))
}

fn is_hidden(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"script") || name.eq_ignore_ascii_case(b"style")
}
