//! The row of a page, and the interface of consumers of rows.

use crate::extras::Extras;
use crate::link::Link;
use crate::passage::{HeadingAnchor, PassagePart};

/// One page. The fields have the order of the output; [`FIELDS`](crate::FIELDS) describes each of
/// them.
#[cfg_attr(test, derive(serde::Serialize))]
#[derive(Clone, Copy, Default)]
#[expect(missing_docs, reason = "`FIELDS` describes the fields")]
pub struct Row<'a> {
    pub id: &'a str,
    pub url: Option<&'a str>,
    pub date: Option<&'a str>,
    pub title: Option<&'a str>,
    pub text: &'a str,
    pub language: Option<&'a str>,
    pub language_script: Option<&'a str>,
    pub language_score: Option<f64>,
    pub author: Option<&'a str>,
    pub published: Option<&'a str>,
    pub site_name: Option<&'a str>,
    pub description: Option<&'a str>,
    pub extractor: &'a str,
    pub score: Option<f64>,
    pub page_type: Option<&'a str>,
    pub has_article: Option<bool>,
    pub comments: Option<&'a str>,
    pub charset: &'a str,
    pub charset_source: &'a str,
    pub replaced: u64,
    pub content_type: Option<&'a str>,
    pub status: Option<u16>,
    pub digest: Option<&'a str>,
    pub file_path: &'a str,
    pub warc_filename: Option<&'a str>,
    pub warc_record_offset: Option<u64>,
    pub warc_record_length: Option<u64>,
    pub stream_offset: Option<u64>,
    pub truncated: Option<&'a str>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub texts: Option<Texts<'a>>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub markdown: Option<&'a str>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub html: Option<&'a str>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub source_html: Option<&'a str>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub blocks: Option<&'a str>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub signals: Option<&'a str>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub classes: Option<&'a str>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub perplexity: Option<f64>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub bucket: Option<&'a str>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub tokens: Option<u64>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub rights: Option<&'a str>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub source: Option<&'a str>,
    /// The record of the page, in runs that write records.
    #[cfg_attr(test, serde(skip))]
    pub record: Option<PageRecord<'a>>,
    /// The identifiers of headings in the Markdown, in ascending order of their places, in runs
    /// that write passages.
    #[cfg_attr(test, serde(skip))]
    pub anchors: &'a [HeadingAnchor<'a>],
    /// The links of the page, in runs that write them.
    #[cfg_attr(test, serde(skip))]
    pub links: &'a [Link<'a>],
    /// The link, in a row of the table of links.
    #[cfg_attr(test, serde(skip))]
    pub link: Option<Link<'a>>,
    /// The fields of the passage, in a row of the table of passages.
    #[cfg_attr(test, serde(skip))]
    pub passage: Option<PassagePart<'a>>,
    /// The extra fields that the row has, whether or not they have a value.
    #[cfg_attr(test, serde(skip))]
    pub extras: Extras,
}

/// The texts of all extractors of a run.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    /// The names of the extractors. The first made the row's own text.
    pub names: &'a [&'static str],
    /// One text for each name, in the same order.
    pub texts: &'a [String],
}

/// The record of a page as its archive has it.
#[derive(Clone, Copy, Debug)]
pub struct PageRecord<'a> {
    /// The WARC header with its blank line. Empty for a page that was a file or a line of JSON.
    pub header: &'a [u8],
    /// The block of the record, or the bytes of the page if there is no header.
    pub block: &'a [u8],
    /// Whether header and block can be written as they are. The header then has the right length
    /// and all fields that the standard requires, and its lines end with CR and LF.
    pub is_complete: bool,
    /// The compressed member that holds the record alone, if the output has the same compression.
    /// Then `block` may be empty.
    pub member: Option<&'a [u8]>,
    /// The Content-Type of a page without a header.
    pub content_type: &'a str,
}

/// A consumer of rows, one after another.
pub trait RowSink {
    /// Adds a row.
    fn row(&mut self, row: &Row<'_>);

    /// Adds a row that existed before the run. `json` is the row in one line without its end, and
    /// `row` has its fields. A sink for lines may take the line.
    fn existing_row(&mut self, json: &str, row: &Row<'_>) {
        let _ = json;
        self.row(row);
    }

    /// Returns whether [`RowSink::existing_row`] uses the line alone, so that `row` may be empty.
    fn needs_only_line(&self) -> bool {
        false
    }

    /// Returns the amount of data in the sink. Only [`RowSink::cut`] reads this number, so each
    /// sink chooses its own unit.
    fn mark(&self) -> usize;

    /// Discards everything added since [`RowSink::mark`] returned `mark`, such as a row that a
    /// panic cut short.
    fn cut(&mut self, mark: usize);

    /// Notifies the sink that the last row is complete: no [`RowSink::cut`] removes it. The texts
    /// of all rows since the batch began have `text_bytes` bytes. A sink that divides a batch into
    /// parts may end one here. Returns how many parts have ended.
    fn end_row(&mut self, text_bytes: usize) -> usize {
        let _ = text_bytes;
        0
    }
}

#[cfg(test)]
impl serde::Serialize for Texts<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.names.iter().zip(self.texts))
    }
}
