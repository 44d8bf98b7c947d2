//! Which WARC record holds plain text that was made of a page already, as the WET files of Common Crawl do.
//!
//! The rule: a `conversion` record whose Content-Type is `text/plain`. Its text is taken as it is; no method looks at it.

use super::header::WarcHeader;
use crate::http::charset_parameter;
use crate::record::RecordType;

/// The bytes of a text, and the encoding that its header states.
///
/// ```
/// use huller_archive::{TextRecord, WarcHeader};
///
/// let header = WarcHeader::parse(b"WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\n\r\n").unwrap();
/// assert_eq!(TextRecord::new(&header, b"Some text").unwrap().bytes, b"Some text");
/// let header = WarcHeader::parse(b"WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: image/png\r\n\r\n").unwrap();
/// assert_eq!(TextRecord::new(&header, b"\x89PNG"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextRecord<'a> {
    /// The text.
    pub bytes: &'a [u8],
    /// Content-Type of the record.
    pub content_type: &'a [u8],
    /// The label in its `charset` parameter, `utf-8` where it has none. It may name no encoding.
    pub charset: &'a [u8],
}

impl<'a> TextRecord<'a> {
    /// The text of a record, if it holds one.
    pub fn new(header: &WarcHeader<'a>, block: &'a [u8]) -> Option<Self> {
        const PLAIN: &[u8] = b"text/plain";
        const UTF_8: &[u8] = b"utf-8";
        let content_type = header.content_type()?;
        let (media_type, rest) = content_type.split_at_checked(PLAIN.len())?;
        let is_plain = header.record_type() == RecordType::Conversion
            && media_type.eq_ignore_ascii_case(PLAIN)
            && rest.first().is_none_or(|byte| matches!(byte, b';' | b' ' | b'\t' | b','));
        let charset = charset_parameter(content_type).unwrap_or(UTF_8);
        is_plain.then_some(TextRecord { bytes: block, content_type, charset })
    }
}
