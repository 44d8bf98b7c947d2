//! Runs a peer from a WARC file to rows: reads, decodes, runs the peer on every page, writes JSONL.

use std::hint::black_box;
use std::path::Path;

use anyhow::Result;

use super::{PagePeer, PageYield};
use crate::report::Counts;
use crate::rows::Rows;
use crate::{charset, pages};

/// Runs `peer` over a file. A parser writes nothing; an extractor writes one row per page, even if
/// its text is empty.
pub fn run(peer: PagePeer, path: &Path, out: Option<&Path>) -> Result<Counts> {
    let mut rows = Rows::create(out)?;
    let (mut errors, mut kept) = (0, None);

    let mut counts = pages::for_each(path, |page| {
        let html = charset::decode(page.body, page.http_charset);
        let text = match peer.run(page.url, &html) {
            Ok(PageYield::KeptText(chars)) => {
                *kept.get_or_insert(0) += chars;
                return Ok(());
            }
            Ok(PageYield::Parsed(nodes)) => {
                black_box(nodes);
                return Ok(());
            }
            Ok(PageYield::Article(text)) => text,
            Ok(PageYield::ArticleOf { text, kept: chars }) => {
                *kept.get_or_insert(0) += chars;
                text
            }
            Err(_) => {
                errors += 1;
                String::new()
            }
        };
        rows.write(page.url, &text)
    })?;
    counts.out_bytes = rows.finish()?;
    counts.errors += errors;
    counts.text_chars = kept;
    Ok(counts)
}
