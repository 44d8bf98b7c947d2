//! The names under which rows have the values that commands use. A dot leads into an object.
//!
//! They are the names in schemas that `huller extract` writes (Dolma, datatrove, `FineWeb`,
//! `CCNet`, Anserini, Elasticsearch, Quickwit) and the names that other tools write. In a list, the
//! first name under which a row has a value counts.

use serde::{Deserialize, Serialize};

/// Names of the text.
pub const TEXT: &[&str] = &["text", "raw_content", "contents", "content"];

/// Names of the URL of the page.
pub const URL: &[&str] = &["url", "metadata.url", "u", "warc_url", "source_url"];

/// Field names that may hold the time at which the page was fetched.
pub const DATE: &[&str] = &[
    "date",
    "metadata.date",
    "date_download",
    "added",
    "timestamp",
    "metadata.timestamp",
    "warc_date",
    "metadata.warc_date",
    "crawl_date",
];

/// Names of the identifier.
pub const ID: &[&str] = &["id", "docid", "_id"];

/// Names of the title.
pub const TITLE: &[&str] = &["title", "metadata.title"];

/// Names of the language.
pub const LANGUAGE: &[&str] = &["language", "metadata.language", "lang", "metadata.lang"];

/// Names of the score that the extractor gave.
pub const SCORE: &[&str] = &["score", "metadata.score"];

/// The names that users may choose, for text and URL. The defaults are [`TEXT`] and [`URL`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowKeys {
    /// Names of the text.
    pub text: Vec<String>,
    /// Names of the URL.
    pub url: Vec<String>,
}

impl Default for RowKeys {
    fn default() -> RowKeys {
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        RowKeys { text: list(TEXT), url: list(URL) }
    }
}
