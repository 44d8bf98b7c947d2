//! Crate `warc`: iterates the records with its own gzip reader, which reads every block whole.
//!
//! The crate stops at HTTP, so this module reads the header of the response.

use std::path::Path;

use anyhow::{Context, Result};
use warc::{RawRecordHeader, WarcHeader, WarcReader};

use crate::header::{field, is_html, split_http};
use crate::report::Counts;

/// Reads a whole file. The first broken record counts as one error and ends the file.
pub fn run(path: &Path) -> Result<Counts> {
    let reader = WarcReader::from_path_gzip(path)
        .with_context(|| format!("cannot open '{}'", path.display()))?;
    let mut counts = Counts::default();
    let mut pages = 0;
    for record in reader.iter_raw_records() {
        let Ok((header, block)) = record else {
            counts.errors += 1;
            break;
        };
        counts.records += 1;
        if !is_response(&header) {
            continue;
        }
        let (http, body) = split_http(&block);
        if field(http, "Content-Type").is_some_and(is_html) {
            pages += 1;
            counts.body_bytes += body.len() as u64;
        }
    }
    counts.pages = Some(pages);
    Ok(counts)
}

fn is_response(header: &RawRecordHeader) -> bool {
    header.as_ref().get(&WarcHeader::WarcType).is_some_and(|kind| kind == b"response")
}
