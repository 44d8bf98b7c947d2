//! The fields of a passage that other rows lack.

use std::borrow::Cow;

/// A part of a page as a row of its own. The [`Row`](crate::Row) holds the other fields: its `id`
/// and `text` are those of the passage, `url`, `title` and `language` those of the page.
/// [`PASSAGE_FIELDS`](crate::PASSAGE_FIELDS) describes each of them.
#[derive(Clone, Copy, Debug, Default)]
#[expect(missing_docs, reason = "`PASSAGE_FIELDS` describes the fields")]
pub struct PassagePart<'a> {
    pub parent_id: &'a str,
    pub ordinal: u64,
    pub of: u64,
    pub anchor: Option<&'a str>,
    pub headings: &'a [&'a str],
    pub prefix: &'a str,
    pub context: Option<&'a str>,
    pub start: Option<u64>,
    pub end: Option<u64>,
    pub text_start: Option<u64>,
    pub text_end: Option<u64>,
    pub kinds: &'a [&'a str],
    pub tokens: u64,
    pub digest: &'a str,
}

/// A heading of a page that has an identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadingAnchor<'a> {
    /// Byte offset of the heading's line in the Markdown.
    pub at: usize,
    /// The identifier, without `#`.
    pub id: Cow<'a, str>,
}
