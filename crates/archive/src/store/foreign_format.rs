//! Recognises unsupported formats by their first bytes, so that errors can name them and their
//! remedy.

use crate::http::sniff::looks_like_html;

/// A format that huller does not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ForeignFormat {
    /// The name of the format in errors.
    pub(crate) name: &'static str,
    /// The action that the user can take.
    pub(crate) remedy: &'static str,
    /// Whether the first bytes prove this format, so that the search for records is skipped.
    pub(crate) is_sure: bool,
}

const PAGES_ONLY: &str = "huller reads only HTML pages";
const UNPACK: &str = "unpack it and give huller the folder";

/// First bytes, name of the format, and remedy.
const BEGINNINGS: &[(&[u8], &str, &str)] = &[
    (
        b"\x02\x21\x4c\x18",
        "LZ4 data in the legacy format",
        "use `lz4 -dc FILE | huller extract - -o DIR`",
    ),
    (b"\xfd7zXZ\0", "xz data", "use `xz -dc FILE | huller extract - -o DIR`"),
    (b"\xff\x06\0\0sNaPpY", "Snappy data", "decompress it first"),
    (b"PAR1", "a Parquet file", "give huller the file itself, not a pipe: it is read from its end"),
    (b"ORC", "an ORC file", "write its rows as JSONL, one page per line"),
    (b"ARROW1", "an Arrow file", "write its rows as JSONL, one page per line"),
    (b"Obj\x01", "an Avro file", "write its rows as JSONL, one page per line"),
    (b"SQLite format 3\0", "an SQLite database", "write its rows as JSONL, one page per line"),
    (b"ZIM\x04", "a ZIM file", "use `zimdump dump --dir=DIR FILE` and give huller the folder"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    (b"Rar!\x1a\x07", "a RAR archive", UNPACK),
    (b"%PDF-", "a PDF document", PAGES_ONLY),
    (b"\x89PNG\r\n\x1a\n", "a PNG image", PAGES_ONLY),
    (b"\xff\xd8\xff", "a JPEG image", PAGES_ONLY),
    (b"GIF8", "a GIF image", PAGES_ONLY),
];

/// Formats that may contain uncompressed records, or that text may resemble.
const LIKELY: &[(&[u8], &str, &str)] = &[
    (
        b"PK\x03\x04",
        "a ZIP archive",
        "its directory at the end of the file cannot be read: give huller the whole file, not a \
         pipe, or unpack it",
    ),
    (b"\x1f\x8b\x08", "gzip data", "decompress it one level"),
    (b"\x28\xb5\x2f\xfd", "zstd data", "decompress it one level"),
    (b"[", "a JSON array", "use `jq -c '.[]' FILE` to convert it to JSONL"),
];

const BZIP2: ForeignFormat = ForeignFormat {
    name: "bzip2 data",
    remedy: "decompress it with `bzip2 -dk FILE`",
    is_sure: true,
};

const UTF16: ForeignFormat = ForeignFormat {
    name: "text in UTF-16",
    remedy: "convert it with `iconv -f UTF-16 -t UTF-8 FILE` (UTF-16LE or UTF-16BE if it has no \
        byte order mark)",
    is_sure: false,
};

const TAR: ForeignFormat = ForeignFormat { name: "a tar archive", remedy: UNPACK, is_sure: false };

const HTML: ForeignFormat = ForeignFormat {
    name: "an HTML page",
    remedy: "servers send one instead of an archive that they do not have; to extract this page \
        itself, rename it to .html",
    is_sure: false,
};

impl ForeignFormat {
    /// Returns whether bytes begin as text in UTF-16: with a byte order mark, or with two ASCII
    /// characters.
    pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
        let is_text = |byte: u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        match *bytes {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
            [first, 0, next, 0, ..] | [0, first, 0, next, ..] => is_text(first) && is_text(next),
            _ => false,
        }
    }

    /// Returns the known format with which `bytes` begin, if any.
    pub(crate) fn detect(bytes: &[u8]) -> Option<ForeignFormat> {
        let among = |list: &[(&[u8], &'static str, &'static str)], is_sure| {
            let found = list.iter().find(|(beginning, ..)| bytes.starts_with(beginning));
            found.map(|&(_, name, remedy)| ForeignFormat { name, remedy, is_sure })
        };
        let utf16 = || ForeignFormat::is_utf16(bytes).then_some(UTF16);
        if let Some(found) = among(BEGINNINGS, true).or_else(utf16).or_else(|| among(LIKELY, false))
        {
            return Some(found);
        }
        match bytes {
            [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', ..] => Some(BZIP2),
            _ if bytes.get(257..262) == Some(b"ustar") => Some(TAR),
            _ if looks_like_html(bytes) => Some(HTML),
            _ => None,
        }
    }
}

/// Returns the beginning of an input of unknown format: as text if it is text, else in hexadecimal.
pub(crate) fn describe_beginning(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(24)];
    let shown = shown.split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or(shown);
    let is_text = shown.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t'));
    match std::str::from_utf8(shown) {
        Ok(text) if is_text && !text.trim().is_empty() => format!("'{}'", text.replace('\t', " ")),
        _ => crate::error::hex(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(bytes: &[u8]) -> Option<&'static str> {
        ForeignFormat::detect(bytes).map(|foreign| foreign.name)
    }

    #[test]
    fn formats_are_told_by_their_first_bytes() {
        assert_eq!(name(b"BZh91AY&SY"), Some("bzip2 data"));
        let mut tar = vec![b'a'; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(name(&tar), Some("a tar archive"));
        for archive in [&b"WARC/1.0\r\n"[..], b"{\"html\":", b"BZh", b""] {
            assert_eq!(name(archive), None);
        }
    }

    #[test]
    fn a_beginning_is_shown_as_text_where_it_is_text() {
        assert_eq!(describe_beginning(b"com,example)/ 2024\nnext"), "'com,example)/ 2024'");
        assert_eq!(describe_beginning(b"\0\0\0\0\0"), "00 00 00 00");
        assert_eq!(describe_beginning("\u{202e}x".as_bytes()), "e2 80 ae 78");
        assert_eq!(describe_beginning(b""), "");
    }
}
