//! Rows for tests.

use crate::compress::{Compression, Compressor};
use crate::extras::Extras;
use crate::format::{Format, Inspection};
use crate::layout::Layout;
use crate::row::{PageRecord, Row, Texts};
use std::io::Cursor;

/// The extractors of a run over sample rows.
pub(crate) const EXTRACTORS: [&str; 2] = ["pvalue", "hull"];

/// The layout of a run that asks for all extra fields.
pub(crate) fn full_layout(compression: Compression) -> Layout {
    let extras = row(true, &[], &[], |row| row.extras);
    let configuration = "{\"settings\":{}}".to_owned();
    Layout {
        extras,
        extractors: EXTRACTORS.to_vec(),
        compression,
        configuration,
        ..Layout::default()
    }
}

/// Passes the row of this number of a file to `show`. Every other row is full, and all identifiers
/// differ.
pub(crate) fn numbered<T>(number: usize, show: impl FnOnce(&Row<'_>) -> T) -> T {
    let id = format!("{number:08}-0000-0000-0000-000000000000");
    let texts = ["one\ntwo".to_owned(), String::new()];
    row(number % 2 == 1, &EXTRACTORS, &texts, |row| show(&Row { id: &id, ..*row }))
}

/// Returns a file of batches with these numbers of rows.
pub(crate) fn file_of(format: &dyn Format, layout: &Layout, batches: &[usize]) -> Vec<u8> {
    let mut compressor = Compressor::new(layout.compression);
    let (mut encoder, mut assembler) = (format.encoder(layout), format.assembler(layout));
    let mut file = Vec::new();
    assembler.begin(&mut compressor, &mut file).unwrap();
    let mut number = 0;
    for &rows in batches {
        let mut piece = Vec::new();
        for row in 0..rows {
            if row == rows / 2 {
                // A piece may be joined from parts.
                encoder.finish(&mut compressor, &mut piece);
            }
            numbered(number, |row| encoder.row(row));
            // A row that is cut leaves no trace.
            let mark = encoder.mark();
            numbered(number + 1, |row| encoder.row(row));
            encoder.cut(mark);
            number += 1;
        }
        encoder.finish(&mut compressor, &mut piece);
        assert_eq!(piece.is_empty(), rows == 0, "a batch without rows makes no piece");
        assembler.write_piece(&piece, &mut compressor, &mut file).unwrap();
    }
    assembler.end(&mut compressor, &mut file).unwrap();
    file
}

/// Returns the result of inspecting a file, and the identifiers.
pub(crate) fn inspect(
    format: &dyn Format,
    layout: &Layout,
    file: &[u8],
) -> (Inspection, Vec<String>) {
    let mut ids = Vec::new();
    let found = format.inspect(layout, &mut Cursor::new(file), &mut |id| ids.push(id.to_owned()));
    (found, ids)
}

/// A header with all fields that WARC requires, of the identifier of a full row.
const HEADER: &[u8] = b"WARC/1.1\r\nWARC-Type: response\r\n\
    WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n\
    WARC-Date: 2024-05-01T10:00:00Z\r\nContent-Length: 6\r\n\r\n";

/// Passes a row to `show`: with every possible value, or with as few as possible.
pub(crate) fn row<T>(
    full: bool,
    names: &[&'static str],
    texts: &[String],
    show: impl FnOnce(&Row<'_>) -> T,
) -> T {
    let text = full.then_some("\"quoted\" \\ 中文\n\u{1}");
    show(&Row {
        id: if full { "00000000-0000-0000-0000-000000000001" } else { "2" },
        url: text,
        date: text,
        title: text,
        text: "one\ntwo\t\"three\"",
        language: text,
        language_script: text,
        language_score: full.then_some(0.5),
        author: text,
        published: text,
        site_name: text,
        description: text,
        extractor: "pvalue",
        score: full.then_some(0.123_456_789),
        page_type: full.then_some("article"),
        has_article: full.then_some(true),
        comments: text,
        charset: "utf-8",
        charset_source: "http",
        replaced: 3,
        content_type: text,
        status: full.then_some(200),
        digest: text,
        file_path: "a/b.warc",
        warc_filename: text,
        warc_record_offset: full.then_some(u64::MAX),
        warc_record_length: full.then_some(7),
        stream_offset: full.then_some(3),
        truncated: full.then_some("body"),
        texts: full.then_some(Texts { names, texts }),
        markdown: full.then_some("# a\n\n- b"),
        html: full.then_some("<p>a</p>"),
        source_html: full.then_some("<p class=\"a\">"),
        blocks: full.then_some("[{\"kept\":true}]"),
        signals: full.then_some("{\"a.b\":0.5}"),
        classes: full.then_some("{\"quality\":{\"label\":\"hq\",\"score\":0.25}}"),
        perplexity: full.then_some(321.5),
        bucket: full.then_some("head"),
        tokens: full.then_some(5),
        rights: full.then_some("[{\"signal\":\"noai\"}]"),
        source: full.then_some("{\"a\":[1,\"\\u0000\"]}"),
        record: Some(PageRecord {
            header: if full { HEADER } else { b"" },
            block: b"<p>one",
            is_complete: full,
            member: None,
            content_type: "text/html",
        }),
        anchors: &[],
        links: &[],
        link: None,
        passage: None,
        extras: Extras {
            texts: full,
            markdown: full,
            html: full,
            source_html: full,
            blocks: full,
            signals: full,
            classes: full,
            perplexity: full,
            tokens: full,
            rights: full,
            source: full,
        },
    })
}
