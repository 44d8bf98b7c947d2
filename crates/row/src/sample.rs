//! Rows for tests.

use crate::extras::Extras;
use crate::row::{Row, Texts};

/// Shows a row with everything that a row can have, or with as little as it can.
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
        source: full.then_some("{\"a\":[1,\"\\u0000\"]}"),
        extras: Extras {
            texts: full,
            markdown: full,
            html: full,
            source_html: full,
            blocks: full,
            signals: full,
            source: full,
        },
    })
}
