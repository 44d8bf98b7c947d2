//! Classifies a file in a ZIP or tar archive.

use crate::container::gzip::header::MAGIC as GZIP;
use crate::container::lz4::frame::MAGIC as LZ4;
use crate::container::zstd::frame::MAGIC as ZSTD;
use crate::http::sniff::looks_like_html;

/// Number of first bytes of a file that are examined.
pub(super) const HEAD_BYTES: usize = 4096;

/// The kind of a file in a ZIP or tar archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// The name or the first bytes are those of an HTML page. Visitors receive its bytes.
    Page,
    /// An archive or compressed file, which stays closed.
    Archive,
    /// Any other file.
    Other,
    /// A folder, link or device, which has no bytes.
    NoFile,
}

impl FileKind {
    /// Returns the kind of a file with this name and these first bytes.
    pub(super) fn detect(name: &str, head: &[u8]) -> FileKind {
        let name = name.to_ascii_lowercase();
        let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
        if ends(&[".html", ".htm", ".xhtml"]) || looks_like_html(head) {
            FileKind::Page
        } else if is_archive(head)
            || ends(&[".warc", ".arc", ".wacz", ".zip", ".tar", ".tgz", ".gz", ".zst", ".lz4"])
        {
            FileKind::Archive
        } else {
            FileKind::Other
        }
    }

    /// Returns the media type for the record with its bytes. It decides whether the record counts
    /// as a page.
    pub(super) fn media_type(self) -> &'static str {
        match self {
            FileKind::Page => "text/html",
            _ => "application/octet-stream",
        }
    }
}

/// Returns whether bytes begin as an archive or as compressed data.
fn is_archive(head: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 8] = [
        b"PK\x03\x04",
        &GZIP,
        &ZSTD,
        &LZ4,
        b"BZh",
        b"\xfd7zXZ\0",
        b"7z\xbc\xaf\x27\x1c",
        b"Rar!\x1a\x07",
    ];
    let begins = |beginning: &[u8]| head.starts_with(beginning);
    BEGINNINGS.iter().any(|beginning| begins(beginning))
        || begins(b"WARC/")
        || head.get(257..262) == Some(b"ustar")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_name_or_its_first_bytes() {
        for (name, head, kind) in [
            ("a/b.HTML", &b""[..], FileKind::Page),
            ("a.xhtml", b"\x89PNG", FileKind::Page),
            ("index.php?x=1", b"<!DOCTYPE html><p>", FileKind::Page),
            ("x", b"\xef\xbb\xbf\n<html>", FileKind::Page),
            ("x", b"PK\x03\x04", FileKind::Archive),
            ("x.html.gz", b"\x1f\x8b\x08", FileKind::Archive),
            ("crawl.warc", b"", FileKind::Archive),
            ("x", b"WARC/1.0\r\n", FileKind::Archive),
            ("x.txt", b"some <p>words", FileKind::Other),
            ("x.css", b"body {}", FileKind::Other),
        ] {
            assert_eq!(FileKind::detect(name, head), kind, "{name}");
        }
    }
}
