//! HTML pages of a WARC file, read by the `fastwarc` crate.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use fastwarc::warc::iter::{ArchiveIterator, ArchiveIteratorOptions};
use fastwarc::warc::record::{AutoDecode, SharedWarcRecord, WarcRecord, WarcRecordType};

use crate::header::is_html;
use crate::report::Counts;

/// One HTML response, valid until the next one is read.
#[derive(Debug, Clone, Copy)]
pub struct RawPage<'a> {
    /// The body, de-chunked if it was chunked.
    pub body: &'a [u8],
    /// The charset of the HTTP header, if it names one.
    pub http_charset: Option<&'a str>,
    /// `WARC-Target-URI`.
    pub url: &'a str,
}

/// Calls `visit` with every HTML response of a file and returns the counts.
///
/// `fastwarc` cannot continue after a broken record: it counts as one error and ends the file.
pub fn for_each(path: &Path, mut visit: impl FnMut(RawPage<'_>) -> Result<()>) -> Result<Counts> {
    // In place and without digests: the fastest settings that its documentation offers.
    let options = ArchiveIteratorOptions {
        decode_http_payload: AutoDecode::TransferEncoding,
        inplace: true,
        ..ArchiveIteratorOptions::default()
    };
    let records = ArchiveIterator::from_path_with_options(path, options)
        .with_context(|| format!("cannot open '{}'", path.display()))?;

    let mut body = Vec::new();
    let mut counts = Counts::default();
    let mut pages = 0;
    for record in records {
        let Ok(record) = record else {
            counts.errors += 1;
            break;
        };
        counts.records += 1;
        record.with_mut(|record| {
            if !is_html_response(record) {
                return Ok(());
            }
            body.clear();
            if let Some(reader) = record.reader_mut() {
                counts.errors += u64::from(reader.read_to_end(&mut body).is_err());
            }
            pages += 1;
            counts.body_bytes += body.len() as u64;
            visit(RawPage {
                body: &body,
                http_charset: record.http_charset().as_deref(),
                url: &record.headers().get("WARC-Target-URI").unwrap_or_default(),
            })
        })?;
    }
    counts.pages = Some(pages);
    Ok(counts)
}

fn is_html_response(record: &WarcRecord) -> bool {
    record.record_type() == WarcRecordType::Response
        && record.http_content_type().is_some_and(|value| is_html(value.as_bytes()))
}
