//! From a WARC file to rows: read, decode, run a peer on every page, write JSONL.

use std::fs::File;
use std::io::{BufWriter, Write, sink};
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

use super::{PagePeer, Yield};
use crate::report::Counts;
use crate::{charset, pages};

#[derive(Serialize)]
struct Row<'a> {
    url: &'a str,
    text: &'a str,
}

/// Runs `peer` over a file. Parsers write nothing; an extractor writes a row a page, even if empty.
pub fn run(peer: PagePeer, path: &Path, out: Option<&Path>) -> Result<Counts> {
    let mut rows = BufWriter::with_capacity(1 << 18, create(out)?);
    let mut line = Vec::new();
    let (mut out_bytes, mut errors, mut kept) = (0, 0, None);

    let mut counts = pages::for_each(path, |page| {
        let html = charset::decode(page.body, page.http_charset);
        let text = match peer.run(page.url, &html) {
            Ok(Yield::KeptText(chars)) => {
                *kept.get_or_insert(0) += chars;
                return Ok(());
            }
            Ok(Yield::Article(text)) => text,
            Err(_) => {
                errors += 1;
                String::new()
            }
        };
        line.clear();
        serde_json::to_writer(&mut line, &Row { url: page.url, text: &text })?;
        line.push(b'\n');
        out_bytes += line.len() as u64;
        Ok(rows.write_all(&line)?)
    })?;
    rows.flush()?;

    counts.out_bytes = out_bytes;
    counts.errors += errors;
    counts.text_chars = kept;
    Ok(counts)
}

fn create(out: Option<&Path>) -> Result<Box<dyn Write>> {
    let Some(path) = out else { return Ok(Box::new(sink())) };
    let file = File::create(path).with_context(|| format!("cannot create '{}'", path.display()))?;
    Ok(Box::new(file))
}
