//! Measures extraction alone: reads and decodes the pages first, and then times only the peer.

use std::hint::black_box;
use std::path::Path;

use anyhow::Result;

use super::{PagePeer, PageYield};
use crate::report::Counts;
use crate::usage::thread_cpu_s;
use crate::{charset, pages};

/// Runs `peer` over the pages of a file, and measures the CPU time of this thread.
pub fn run(peer: PagePeer, path: &Path) -> Result<Counts> {
    let mut loaded = Vec::new();
    let mut counts = pages::for_each(path, |page| {
        let html = charset::decode(page.body, page.http_charset).into_owned();
        loaded.push((page.url.to_owned(), html));
        Ok(())
    })?;

    let start = thread_cpu_s()?;
    for (url, html) in &loaded {
        match peer.run(url, html) {
            Ok(PageYield::KeptText(chars)) => *counts.text_chars.get_or_insert(0) += chars,
            Ok(PageYield::Parsed(nodes)) => {
                black_box(nodes);
            }
            Ok(PageYield::Article(text)) => counts.out_bytes += text.len() as u64,
            Ok(PageYield::ArticleOf { text, kept }) => {
                *counts.text_chars.get_or_insert(0) += kept;
                counts.out_bytes += text.len() as u64;
            }
            Err(_) => counts.errors += 1,
        }
    }
    counts.measured_cpu_s = Some(thread_cpu_s()? - start);
    Ok(counts)
}
