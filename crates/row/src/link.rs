//! A link of a page, as a row of its own.

/// A link of a page. [`LINK_FIELDS`](crate::LINK_FIELDS) describes each field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "`LINK_FIELDS` describes the fields")]
pub struct Link<'a> {
    pub ordinal: u64,
    pub target: &'a str,
    pub text: &'a str,
    pub rel: Option<&'a str>,
    pub role: &'a str,
    pub kept: bool,
}
