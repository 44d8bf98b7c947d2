//! Decides the kind of an input by its name or by its first bytes, and lists the suffixes of file
//! names.

use crate::container::Container;
use crate::container::gzip::header::MAGIC as GZIP;
use crate::container::lz4::frame::MAGIC as LZ4;
use crate::container::zstd::frame::{MAGIC as ZSTD, skippable};
use crate::http::sniff::looks_like_html;
use crate::table::words;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The kind of a file, by its name or by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// WARC or WET records.
    Warc,
    /// ARC records.
    Arc,
    /// A ZIP file of archives and their index.
    Wacz,
    /// JSONL: one JSON object per line.
    Jsonl,
    /// JSON: one object per line, as Spark names such files, or one value, which is refused.
    Json,
    /// A table of text with this separator.
    Csv(u8),
    /// A Parquet file.
    Parquet,
    /// A tar file of pages.
    Tar,
    /// A ZIP file of pages.
    Zip,
    /// One page.
    Page,
    /// A list of paths.
    List,
}

/// Suffixes with their kinds, and whether one of [`COMPRESSIONS`] may follow. Of two suffixes with
/// the same end, the longer comes first.
const SUFFIXES: &[(&str, InputKind, bool)] = &[
    (".warc.wet", InputKind::Warc, true),
    (".warc", InputKind::Warc, true),
    (".arc", InputKind::Arc, true),
    (".wacz", InputKind::Wacz, false),
    (".jsonl", InputKind::Jsonl, true),
    (".ndjson", InputKind::Jsonl, true),
    (".json", InputKind::Json, true),
    (".csv", InputKind::Csv(b','), true),
    (".tsv", InputKind::Csv(b'\t'), true),
    (".tab", InputKind::Csv(b'\t'), true),
    (".parquet", InputKind::Parquet, false),
    (".tar", InputKind::Tar, true),
    (".tgz", InputKind::Tar, false),
    (".zip", InputKind::Zip, false),
    (".html", InputKind::Page, false),
    (".htm", InputKind::Page, false),
    (".xhtml", InputKind::Page, false),
    (".paths", InputKind::List, true),
    (".list", InputKind::List, true),
    (".txt", InputKind::List, true),
];

const COMPRESSIONS: &[(&str, Container)] =
    &[(".gz", Container::Gzip), (".zst", Container::Zstd), (".lz4", Container::Lz4)];

impl InputKind {
    /// Returns the kind of a file by its name, compressed or not. Letters match in any case.
    ///
    /// ```
    /// use huller_archive::InputKind;
    ///
    /// let of = |name: &str| InputKind::from_name(name.as_ref());
    /// assert_eq!(of("crawl/A.WARC.GZ"), Some(InputKind::Warc));
    /// assert_eq!(of("part-00000.json.gz"), Some(InputKind::Json));
    /// assert_eq!(of("a.warc.gz.md5"), None);
    /// ```
    pub fn from_name(path: &Path) -> Option<InputKind> {
        InputKind::suffix_of(path).map(|(kind, _)| kind)
    }

    /// Returns the kind of a file by its name, with the length of the suffix in bytes. The length
    /// includes the suffix of the compression.
    pub fn suffix_of(path: &Path) -> Option<(InputKind, usize)> {
        let name = path.file_name()?.as_bytes();
        let compression = COMPRESSIONS.iter().find(|(suffix, _)| ends_with(name, suffix));
        let packed = compression.map_or(0, |(suffix, _)| suffix.len());
        let plain = &name[..name.len() - packed];
        let fits = |(suffix, _, is_packed): &&(&str, InputKind, bool)| {
            ends_with(plain, suffix) && (packed == 0 || *is_packed)
        };
        SUFFIXES.iter().find(fits).map(|(suffix, kind, _)| (*kind, suffix.len() + packed))
    }

    /// Returns the kind of a file that begins with these plain bytes. Returns `None` for text of
    /// other kinds and for files that huller does not read. Tables of text and lists have no magic
    /// number.
    pub fn from_head(head: &[u8]) -> Option<InputKind> {
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
        if head.starts_with(words::MAGIC) || head.starts_with(words::ENCRYPTED) {
            Some(InputKind::Parquet)
        } else if head.starts_with(b"PK\x03\x04") {
            Some(InputKind::Zip)
        } else if head.get(257..262) == Some(b"ustar") {
            Some(InputKind::Tar)
        } else if text.get(..5).is_some_and(|magic| magic.eq_ignore_ascii_case(b"WARC/")) {
            Some(InputKind::Warc)
        } else if text.starts_with(b"filedesc:") {
            Some(InputKind::Arc)
        } else if text.starts_with(b"{") {
            Some(InputKind::Jsonl)
        } else if text.starts_with(b"[") {
            Some(InputKind::Json)
        } else if looks_like_html(head) {
            Some(InputKind::Page)
        } else {
            None
        }
    }

    /// Returns whether such a file is read when it is found in a folder of archives and rows. Pages
    /// are read there as well. Lists and `.json` are read only if the user names them.
    pub fn is_archive(self) -> bool {
        !matches!(self, InputKind::Json | InputKind::Page | InputKind::List)
    }

    /// Returns whether such a file holds only rows.
    pub fn is_rows(self) -> bool {
        matches!(self, InputKind::Jsonl | InputKind::Csv(_) | InputKind::Parquet)
    }

    /// Returns the name of a file without all its suffixes of archives, rows and compressions.
    /// Other names are returned unchanged.
    ///
    /// ```
    /// use huller_archive::InputKind;
    ///
    /// let names = ["a/v1.2.WARC.GZ", "part-0.ndjson.zst", "x.jsonl.gz.open"];
    /// let stems = names.map(|name| InputKind::stem_of(name.as_ref()).unwrap());
    /// assert_eq!(stems, ["v1.2", "part-0", "x.jsonl.gz.open"]);
    /// ```
    pub fn stem_of(path: &Path) -> Option<&OsStr> {
        let known = || SUFFIXES.iter().filter(|(_, kind, _)| kind.is_archive());
        let mut name = path.file_name()?.as_bytes();
        loop {
            let suffixes = known().map(|(suffix, ..)| suffix);
            let packed = COMPRESSIONS.iter().map(|(suffix, _)| suffix);
            let is_one = |suffix: &&&str| {
                !suffix[1..].contains('.') && name.len() > suffix.len() && ends_with(name, suffix)
            };
            match suffixes.chain(packed).find(is_one) {
                Some(suffix) => name = &name[..name.len() - suffix.len()],
                None => return Some(OsStr::from_bytes(name)),
            }
        }
    }

    /// Returns the separator of the values, if the file is a table of text.
    pub fn separator(self) -> Option<u8> {
        match self {
            InputKind::Csv(separator) => Some(separator),
            _ => None,
        }
    }

    /// Returns the suffixes of a kind, without those of compression.
    pub fn suffixes(self) -> impl Iterator<Item = &'static str> {
        SUFFIXES.iter().filter(move |(_, kind, _)| *kind == self).map(|(suffix, ..)| *suffix)
    }
}

impl Container {
    /// Returns the compression of a file by its name.
    pub fn from_name(path: &Path) -> Container {
        let name = path.file_name().map(OsStr::as_bytes).unwrap_or_default();
        let found = COMPRESSIONS.iter().find(|(suffix, _)| ends_with(name, suffix));
        found.map_or(Container::Plain, |(_, container)| *container)
    }

    /// Returns the compression of a file that begins with these bytes.
    pub fn from_head(head: &[u8]) -> Container {
        if head.starts_with(&GZIP) {
            Container::Gzip
        } else if head.starts_with(&ZSTD) || skippable(head).is_some() {
            Container::Zstd
        } else if head.starts_with(&LZ4) {
            Container::Lz4
        } else {
            Container::Plain
        }
    }

    /// Returns the suffix of files with this compression.
    pub fn suffix(self) -> &'static str {
        let found = COMPRESSIONS.iter().find(|(_, container)| *container == self);
        found.map_or("", |(suffix, _)| suffix)
    }
}

fn ends_with(name: &[u8], suffix: &str) -> bool {
    let start = name.len().checked_sub(suffix.len());
    start.is_some_and(|start| name[start..].eq_ignore_ascii_case(suffix.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_a_file_is() {
        let of = |name: &str| InputKind::from_name(Path::new(name));
        for (name, kind) in [
            ("a/B.CSV.gz", Some(InputKind::Csv(b','))),
            ("x.tsv.zst", Some(InputKind::Csv(b'\t'))),
            ("x.tab", Some(InputKind::Csv(b'\t'))),
            ("x.csv.bz2", None),
            ("csv", None),
            ("a.csv/x", None),
            ("x.warc.wet.gz", Some(InputKind::Warc)),
            ("x.ndjson.lz4", Some(InputKind::Jsonl)),
            ("x.parquet", Some(InputKind::Parquet)),
            ("x.parquet.gz", None),
            ("x.html.gz", None),
            ("x.warc.gz.open", None),
            ("warc.paths.gz", Some(InputKind::List)),
            ("..", None),
        ] {
            assert_eq!(of(name), kind, "{name}");
        }
        assert_eq!(InputKind::suffix_of(Path::new("x.JSONL.GZ")), Some((InputKind::Jsonl, 9)));
        assert_eq!(InputKind::Csv(b'\t').suffixes().collect::<Vec<_>>(), [".tsv", ".tab"]);
    }

    #[test]
    fn a_suffix_that_ends_with_another_comes_first() {
        for (at, (long, ..)) in SUFFIXES.iter().enumerate() {
            for (short, ..) in &SUFFIXES[..at] {
                assert!(!long.ends_with(short), "{long} is never found behind {short}");
            }
        }
    }

    #[test]
    fn first_bytes_say_what_a_file_is() {
        for (head, kind) in [
            (&b"WARC/1.0\r\n"[..], Some(InputKind::Warc)),
            (b"\xef\xbb\xbf\n {\"id\":1}", Some(InputKind::Jsonl)),
            (b"[{\"id\":1}]", Some(InputKind::Json)),
            (b"filedesc://a.arc 0.0.0.0 20261126120000 text/plain 76\n", Some(InputKind::Arc)),
            (b"PAR1", Some(InputKind::Parquet)),
            (b"PK\x03\x04", Some(InputKind::Zip)),
            (b"<!doctype html>", Some(InputKind::Page)),
            (b"id,text\n1,a\n", None),
            (b"", None),
        ] {
            assert_eq!(InputKind::from_head(head), kind, "{head:?}");
        }
    }

    #[test]
    fn compression_shows_in_names_and_first_bytes() {
        assert_eq!(Container::from_name(Path::new("a.jsonl.ZST")), Container::Zstd);
        assert_eq!(Container::from_name(Path::new("a.jsonl")), Container::Plain);
        for (container, head) in
            [(Container::Gzip, &GZIP[..]), (Container::Zstd, &ZSTD), (Container::Lz4, &LZ4)]
        {
            assert_eq!(Container::from_head(head), container);
            assert!(
                Container::from_name(Path::new(&format!("a{}", container.suffix()))) == container
            );
        }
        assert_eq!((Container::from_head(b"{"), Container::Plain.suffix()), (Container::Plain, ""));
    }
}
