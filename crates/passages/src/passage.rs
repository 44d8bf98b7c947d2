//! A passage, as readers of rows see it.

use crate::kinds::Kinds;
use serde::{Serialize, Serializer};

/// A part of a page. Its fields are those of a row, in their order.
///
/// An engine should index or embed `prefix`, `context` and `text`, joined without anything between
/// them. Their tokens are counted, and their digest tells whether an embedding is still current.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Passage<'a> {
    /// Identifier: a UUID (version 5) of `parent_id`, the settings and `ordinal`, the same in every
    /// run.
    pub id: String,
    /// The `id` of the page's row.
    pub parent_id: &'a str,
    /// Number of the passage in its page, from 0.
    pub ordinal: u64,
    /// Number of passages of the page.
    pub of: u64,
    /// The URL of the page.
    pub url: Option<&'a str>,
    /// The identifier (`id`) of the nearest heading at or before the start of the passage that has
    /// one, for links of the form `url#anchor`. Identifiers over 512 bytes do not count.
    pub anchor: Option<&'a str>,
    /// The title of the page, at most 512 Unicode scalars.
    pub title: Option<&'a str>,
    /// The headings that the start of the passage is under, the outermost first, without markup.
    /// Headings with which the passage begins belong to them. Each has at most 512 Unicode scalars.
    pub headings: Vec<&'a str>,
    /// The language of the page.
    pub language: Option<&'a str>,
    /// Title and headings as lines, with an empty line after them; empty if there are none
    /// ([`PassageSettings::prefix`](crate::PassageSettings::prefix)).
    pub prefix: &'a str,
    /// The head of the table that the passage continues, as in the Markdown. `None` if it continues
    /// no table, or if the head is longer than a third of the limit.
    pub context: Option<&'a str>,
    /// The passage as in the Markdown, byte for byte, with the empty lines after it.
    pub text: &'a str,
    /// Start of `text` in the Markdown, in Unicode scalars.
    pub start: u64,
    /// End of `text` in the Markdown, in Unicode scalars.
    pub end: u64,
    /// Start of the same part in the page's text, in Unicode scalars. It is `start` for plain text.
    /// `None` if the text is unknown or has no word of the passage at its place.
    pub text_start: Option<u64>,
    /// End of the same part in the page's text, in Unicode scalars.
    pub text_end: Option<u64>,
    /// The kinds of blocks that it touches.
    #[serde(serialize_with = "names")]
    pub kinds: Kinds,
    /// Tokens of `prefix`, `context` and `text` as one text; Unicode scalars if the lengths are in
    /// characters.
    pub tokens: u64,
    /// Digest of `prefix`, `context` and `text` as one text: `xxh128:` and 32 hexadecimal digits.
    pub digest: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn names<S: Serializer>(kinds: &Kinds, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(kinds.iter().map(crate::Kind::name))
}
