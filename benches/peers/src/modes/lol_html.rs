//! Crate `lol_html`: rewrites the page with a handler on all text, and counts the text that the
//! handler receives.
//!
//! Strict mode is off, because it fails on pages with certain ambiguous markup. This crate reads
//! the content of `noscript` as raw text, which the count leaves out like that of `style` and
//! `iframe`. The count is therefore slightly below that of a tree without scripting.

use anyhow::Result;
use lol_html::html_content::TextType;
use lol_html::{HtmlRewriter, Settings, doc_text};

use super::PageYield;
use crate::kept_text::MarkupCounter;

/// Rewrites one page and discards the output.
pub fn page(_url: &str, html: &str) -> Result<PageYield> {
    let mut counter = MarkupCounter::default();
    let settings =
        Settings::new().with_strict(false).append_document_content_handler(doc_text!(|chunk| {
            if !matches!(chunk.text_type(), TextType::RawText | TextType::ScriptData) {
                counter.add(chunk.as_str());
                if chunk.last_in_text_node() {
                    counter.end_node();
                }
            }
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(html.as_bytes())?;
    rewriter.end()?;
    Ok(PageYield::KeptText(counter.total()))
}
