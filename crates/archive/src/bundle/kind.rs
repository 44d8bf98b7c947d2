//! What a file in a ZIP or tar file is.

use crate::format::Container;
use crate::http::sniff::looks_like_html;
use crate::input_kind::InputKind;
use std::path::Path;

/// How many first bytes of a file are looked at.
pub(super) const HEAD_BYTES: usize = 4096;

/// What a file in a ZIP or tar file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// It is named as an HTML page or begins as one. Its bytes are shown.
    Page,
    /// An archive or compressed file, which is not opened.
    Archive,
    /// Any other file.
    Other,
    /// A folder, link or device, which has no bytes.
    NoFile,
}

impl FileKind {
    /// Of a file with this name and these first bytes.
    pub(super) fn of(name: &str, head: &[u8]) -> FileKind {
        let path = Path::new(name);
        let kind = InputKind::of_name(path);
        if kind == Some(InputKind::Page) || looks_like_html(head) {
            FileKind::Page
        } else if is_archive(head)
            || Container::of_name(path) != Container::Plain
            || kind.is_some_and(InputKind::is_archive)
        {
            FileKind::Archive
        } else {
            FileKind::Other
        }
    }

    /// The media type that the record with its bytes is given. It decides whether the record counts as a page.
    pub(super) fn media_type(self) -> &'static str {
        match self {
            FileKind::Page => "text/html",
            _ => "application/octet-stream",
        }
    }
}

/// Whether bytes begin as an archive or as compressed data.
fn is_archive(head: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 6] =
        [b"PK\x03\x04", b"BZh", b"\xfd7zXZ\0", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"WARC/"];
    Container::of_head(head) != Container::Plain
        || BEGINNINGS.iter().any(|beginning| head.starts_with(beginning))
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
            assert_eq!(FileKind::of(name, head), kind, "{name}");
        }
    }
}
