//! Prints records as a table for people.

use super::listing::Listing;
use crate::terminal::{printable, shorten, wrap};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The layout of lines.
pub(super) struct RecordTable {
    /// Columns of the terminal. `None` for a file or a pipe, whose lines are not shortened.
    pub(super) width: Option<usize>,
    /// Whether the SHA-1 of the payload is shown.
    pub(super) digest: bool,
}

/// With fewer columns left for the URL, the digest has a line of its own.
const MIN_URL_COLUMNS: usize = 20;

/// Terminals with fewer columns have no room for lengths and whole types.
const NARROW_BELOW_COLUMNS: usize = 60;

impl RecordTable {
    /// Returns the names of the columns.
    pub(super) fn heading(&self) -> String {
        let digest = if self.digest { "payload SHA-1" } else { "" };
        self.record_lines(["offset", "payload", "type", "http"], digest, "URL", None)
    }

    /// Returns a record as a line, or as several lines if one has no room.
    pub(super) fn line(&self, listing: &Listing) -> String {
        let number =
            |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        let text = |text: Option<&str>| printable(text.unwrap_or("-")).into_owned();
        let offset = number(listing.offset.or(listing.stream_offset));
        let (length, status) = (number(listing.payload_len), number(listing.status.map(u64::from)));
        let kind = text(listing.kind.as_deref());
        let digest =
            if self.digest { text(listing.payload_sha1.as_deref()) } else { String::new() };
        let error = listing.error.as_deref().map(|error| format!("[{}]", printable(error)));
        self.record_lines(
            [&offset, &length, &kind, &status],
            &digest,
            &text(listing.uri.as_deref()),
            error,
        )
    }

    fn record_lines(
        &self,
        [offset, length, kind, status]: [&str; 4],
        digest: &str,
        url: &str,
        error: Option<String>,
    ) -> String {
        // Writing into a String, here and below, cannot fail.
        let is_narrow = self.width.is_some_and(|width| width < NARROW_BELOW_COLUMNS);
        let mut line = if is_narrow {
            format!("{offset:>10} {:<8} {status:>4} ", shorten(kind, 8))
        } else {
            format!("{offset:>12} {length:>9} {kind:<12} {status:>4} ")
        };
        let has_digest_line = self.digest
            && self.width.is_some_and(|width| width < line.width() + 41 + MIN_URL_COLUMNS);
        if self.digest && !has_digest_line {
            let _ = write!(line, "{digest:<40} ");
        }
        let Some(width) = self.width else {
            line.push_str(url);
            return error.map_or(line.clone(), |error| format!("{line}  {error}"));
        };
        line.push_str(&shorten(url, width.saturating_sub(line.width())));
        let mut line = shorten(line.trim_end(), width).into_owned();
        if has_digest_line {
            let _ = write!(line, "\n{:>width$}", shorten(digest, width), width = width.min(42));
        }
        match error {
            Some(error) if !has_digest_line && line.width() + 2 + error.width() <= width => {
                let _ = write!(line, "  {error}");
            }
            Some(error) => {
                for piece in wrap(&error, width.saturating_sub(2)) {
                    let _ = write!(line, "\n  {piece}");
                }
            }
            None => {}
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing() -> Listing {
        Listing {
            offset: Some(123_456_789_012),
            payload_len: Some(16_777_216),
            kind: Some("continuation".to_owned()),
            status: Some(200),
            uri: Some(format!("https://example.test/{}/end", "漢字/path".repeat(30))),
            payload_sha1: Some("0123456789abcdef0123456789abcdef01234567".to_owned()),
            error: Some(
                "record of 16777216 bytes is too large for this machine\u{1b}[2J".to_owned(),
            ),
            ..Listing::default()
        }
    }

    #[test]
    fn the_table_keeps_within_the_terminal() {
        for digest in [false, true] {
            for width in 20..200 {
                let table = RecordTable { width: Some(width), digest };
                for text in
                    [table.heading(), table.line(&listing()), table.line(&Listing::default())]
                {
                    for line in text.lines() {
                        assert!(line.width() <= width, "{width}: {line}");
                    }
                }
                let shown = table.line(&listing());
                assert!(
                    width < 42
                        || !digest
                        || shown.contains("0123456789abcdef0123456789abcdef01234567"),
                    "{shown}"
                );
                assert!(width < 40 || shown.contains("http") && shown.contains("/end"), "{shown}");
            }
        }
    }

    #[test]
    fn columns_have_headings() {
        let heading = |width| RecordTable { width, digest: false }.heading();
        let wide = "      offset   payload type         http URL";
        assert_eq!([heading(None), heading(Some(80))], [wide, wide]);
        assert_eq!(heading(Some(40)), "    offset type     http URL");
        let line = RecordTable { width: None, digest: false }.line(&listing());
        assert!(line.contains(&"漢字/path".repeat(30)), "nothing is cut in a pipe: {line}");
    }
}
