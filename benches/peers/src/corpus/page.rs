//! One HTML response of the corpus, and copies of it under names of their own.

use std::io::Write;

use anyhow::{Context, Result};
use uuid::Uuid;

use super::source::Record;
use crate::header::{field, is_html, split_http};

/// A response record that is kept in memory.
#[derive(Debug)]
pub struct StoredPage {
    bytes: Box<[u8]>,
    block: usize,
}

/// Whether a record is a response whose HTTP `Content-Type` is one of HTML.
pub fn is_page(record: &Record) -> bool {
    let (http, _) = split_http(&record.bytes[record.block..]);
    field(record.header(), "WARC-Type") == Some(b"response")
        && field(http, "Content-Type").is_some_and(is_html)
}

impl StoredPage {
    /// Keeps a record.
    pub fn new(record: &Record) -> Self {
        Self { bytes: record.bytes.as_slice().into(), block: record.block }
    }

    /// Bytes that the record takes, uncompressed, line ends included.
    pub fn raw_len(&self) -> u64 {
        self.bytes.len() as u64 + 4
    }

    /// Writes the record; copies beyond the first have another URL and record id.
    pub fn write(&self, copy: u32, to: &mut Vec<u8>) -> Result<()> {
        if copy == 0 {
            to.extend_from_slice(&self.bytes);
        } else {
            let (header, block) = self.bytes.split_at(self.block);
            for line in header.split_inclusive(|&byte| byte == b'\n') {
                rename(line, copy, to)?;
            }
            to.extend_from_slice(block);
        }
        to.extend_from_slice(b"\r\n\r\n");
        Ok(())
    }
}

/// Writes a header line. The lines with the URL and the record id get a value of the copy's own.
fn rename(line: &[u8], copy: u32, to: &mut Vec<u8>) -> Result<()> {
    if let Some(id) = field(line, "WARC-Record-ID") {
        let own =
            Uuid::new_v5(&Uuid::NAMESPACE_URL, format!("{}#{copy}", id.escape_ascii()).as_bytes());
        write!(to, "WARC-Record-ID: <urn:uuid:{own}>\r\n")?;
    } else if let Some(url) = field(line, "WARC-Target-URI") {
        let url = std::str::from_utf8(url).context("a URL that is not UTF-8")?;
        write!(to, "WARC-Target-URI: {}\r\n", copy_url(url, copy))?;
    } else {
        to.extend_from_slice(line);
    }
    Ok(())
}

/// A URL with `copy=N` at the end of its query.
fn copy_url(url: &str, copy: u32) -> String {
    let bare = url.trim_start_matches('<').trim_end_matches('>');
    let (address, fragment) = bare.split_at(bare.find('#').unwrap_or(bare.len()));
    let mark = if address.contains('?') { '&' } else { '?' };
    format!("{address}{mark}copy={copy}{fragment}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_have_urls_of_their_own() {
        assert_eq!(copy_url("http://a/b", 1), "http://a/b?copy=1");
        assert_eq!(copy_url("<http://a/b?c#d>", 2), "http://a/b?c&copy=2#d");
    }

    #[test]
    fn copies_change_two_lines_only() {
        let header = "WARC/1.0\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Target-URI: http://a/\r\n\
                      Content-Length: 4\r\n\r\n";
        let bytes = format!("{header}body").into_bytes();
        let page = StoredPage::new(&Record { bytes: bytes.clone(), block: header.len() });
        let (mut first, mut second) = (Vec::new(), Vec::new());
        page.write(0, &mut first).unwrap();
        page.write(1, &mut second).unwrap();
        assert_eq!(first.strip_suffix(b"\r\n\r\n"), Some(&bytes[..]));
        assert_eq!(first.len() as u64, page.raw_len());
        let second = String::from_utf8(second).unwrap();
        assert!(second.contains("http://a/?copy=1\r\nContent-Length: 4\r\n\r\nbody\r\n\r\n"));
        assert!(!second.contains("<urn:uuid:1>"));
    }
}
