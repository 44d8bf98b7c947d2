//! Finds the rows of plain text. Such pages have no Markdown: rows of WET files, for example.
//!
//! Each line is a paragraph, with the empty lines after it. Empty lines before the first paragraph
//! belong to it. No sign has a meaning, so there are no headings and no units.
//!
//! Cost: O(bytes).

use crate::document::{Document, NO_HEADING, Row};
use crate::kinds::{Kind, Kinds};
use crate::level::Level;

/// Fills a document with the lines of plain text.
pub(crate) fn scan(text: &str, document: &mut Document) {
    document.clear();
    document.bytes = text.len();
    let (mut start, mut has_text) = (0, false);
    while start < text.len() {
        let remaining = &text[start..];
        let line = memchr::memchr2(b'\n', b'\r', remaining.as_bytes()).unwrap_or(remaining.len());
        let line_end = match &remaining.as_bytes()[line..] {
            [b'\r', b'\n', ..] => line + 2,
            [] => line,
            _ => line + 1,
        };
        let is_empty = remaining[..line].trim().is_empty();
        if document.rows.is_empty() || !is_empty && has_text {
            let kinds = Kinds::default().with(Kind::Paragraph);
            document.rows.push(Row::new(start, Level::block(0), kinds, NO_HEADING));
        }
        has_text = has_text || !is_empty;
        start += line_end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<&str> {
        let mut document = Document::default();
        scan(text, &mut document);
        assert!(document.units.is_empty() && document.headings.is_empty());
        (0..document.rows.len())
            .map(|row| &text[document.start(row)..document.start(row + 1)])
            .collect()
    }

    #[test]
    fn each_line_is_a_row() {
        assert_eq!(rows("a\nb\r\nc\rd"), ["a\n", "b\r\n", "c\r", "d"]);
        assert_eq!(
            rows("# a\n===\n- b\n```\n    c\n"),
            ["# a\n", "===\n", "- b\n", "```\n", "    c\n"]
        );
        assert_eq!(rows("\n \n a\n\u{a0}\n\nb\n\n"), ["\n \n a\n\u{a0}\n\n", "b\n\n"]);
        assert_eq!(rows("\u{FEFF}é\nb"), ["\u{FEFF}é\n", "b"]);
        assert_eq!(rows("\r\n \n"), ["\r\n \n"]);
        assert!(rows("").is_empty());
    }
}
