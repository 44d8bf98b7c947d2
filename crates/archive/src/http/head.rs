//! Parses the head of an HTTP/1.x response.
//!
//! This parser replaces `httparse`, which needs an array for all header lines before it starts.
//! `httparse` also refuses heads that are common in crawls: bytes above 0x7F in a reason, names
//! with blanks, a status of another length. This parser accepts every head that ends within the
//! limit, in one pass and without allocation.

use super::coding::{self, ContentEncodings};
use super::media;
use crate::limits::Limits;
use memchr::memchr;
use std::ops::Range;

/// The functions that parse a response block.
#[derive(Debug)]
pub struct Http;

/// The head of a response, borrowed from its block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpHead<'a> {
    /// The status, if the status line has one of three digits.
    pub status: Option<u16>,
    /// The value of the first Content-Type, trimmed, parameters included. [`Http::split`] unfolds
    /// it to one line; [`Http::parse`] leaves the block unchanged, so it may have folds.
    pub content_type: Option<&'a [u8]>,
    /// The value of the first Content-Length that is a number. This crate never relies on it, since
    /// crawlers rewrite bodies.
    pub content_length: Option<u64>,
    /// Whether a Transfer-Encoding lists `chunked`.
    pub chunked: bool,
    /// The encodings that the Content-Encoding lines list, in their order.
    pub encodings: ContentEncodings,
    /// The encodings other than `chunked` that the Transfer-Encoding lines list, in their order.
    pub transfer_encodings: ContentEncodings,
    /// The head as it is in the block: the status line, the header lines and the blank line. Empty
    /// if the head has a fault. [`Http::fields`] reads it.
    pub bytes: &'a [u8],
    /// Offset in bytes of the body in the block. A block that does not begin with a status line has
    /// no head: all of it is the body, and the offset is 0.
    pub body: Result<usize, HeadFault>,
}

/// The reason why a response has no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeadFault {
    /// The block ends before the blank line.
    #[error("HTTP header has no end")]
    Unterminated,
    /// There is no blank line within [`Limits::header_bytes`].
    #[error("HTTP header is longer than allowed")]
    TooLarge,
}

impl Http {
    /// Returns whether a block begins with a status line. The line begins with `HTTP/` in any case,
    /// with a damaged form of it such as `HTTPX/1.1`, or with `ICY` and a blank. Blanks and line
    /// ends may come before it, as in warcio and `FastWARC`.
    pub fn begins_head(block: &[u8]) -> bool {
        let line = &block[blanks_before(block)..];
        if begins_with(line, b"ICY ") {
            return true;
        }
        if !begins_with(line, b"HTTP") {
            return false;
        }
        let rest = &line[b"HTTP".len()..];
        let letters = rest.iter().take(8).take_while(|byte| byte.is_ascii_alphabetic()).count();
        rest.get(letters) == Some(&b'/')
    }

    /// Parses the head of a response block. If the head has a fault, the fields before it are still
    /// returned.
    pub fn parse<'a>(block: &'a [u8], limits: &Limits) -> HttpHead<'a> {
        let fields = Fields::scan(block, limits);
        fields.head(block)
    }

    /// Returns name and value of each header line in the bytes of a head, trimmed. A value that is
    /// folded over several lines keeps its line ends.
    ///
    /// ```
    /// use huller_archive::{Http, Limits};
    ///
    /// let block = b"HTTP/1.1 200 OK\r\nX-Robots-Tag: noai\r\n\r\n<p>X: y";
    /// let head = Http::parse(block, &Limits::default());
    /// let fields: Vec<_> = Http::fields(head.bytes).collect();
    /// assert_eq!(fields, [(b"X-Robots-Tag".as_slice(), b"noai".as_slice())]);
    /// ```
    pub fn fields(head: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
        // The status line is no field.
        let start = blanks_before(head);
        let line = memchr(b'\n', &head[start..]).map_or(head.len(), |at| start + at + 1);
        HeaderFields { rest: &head[line..] }
    }

    /// Parses the head and returns the encoded body for
    /// [`Decoder::decode`](super::Decoder::decode). The body is empty if the head has a fault. A
    /// Content-Type that is folded over several lines becomes one line, in place.
    pub fn split<'a>(block: &'a mut [u8], limits: &Limits) -> (HttpHead<'a>, &'a mut [u8]) {
        let mut fields = Fields::scan(block, limits);
        if let Some(range) = &mut fields.content_type {
            range.end = range.start + unfold(&mut block[range.clone()]);
        }
        let at = fields.body.unwrap_or(block.len());
        let (head, body) = block.split_at_mut(at);
        (fields.head(head), body)
    }
}

impl<'a> HttpHead<'a> {
    /// Returns whether the Content-Type is `text/html` or `application/xhtml+xml`, with any
    /// parameters.
    pub fn is_html(&self) -> bool {
        self.content_type.is_some_and(media::is_html_media_type)
    }

    /// Returns whether the first word of the Content-Type is one of these two. That includes values
    /// that the grammar does not allow, such as `text/html charset=utf-8` or a list of types.
    /// Browsers decide such cases by the bytes of the page.
    pub fn resembles_html(&self) -> bool {
        self.content_type.is_some_and(media::resembles_html)
    }

    /// Returns the label in the `charset` parameter of the Content-Type, unquoted. It may be
    /// unknown.
    pub fn charset(&self) -> Option<&'a [u8]> {
        self.content_type.and_then(media::charset_parameter)
    }
}

/// The header lines that the parser uses.
#[derive(Clone, Copy)]
enum HeaderName {
    ContentType,
    ContentLength,
    ContentEncoding,
    TransferEncoding,
}

impl HeaderName {
    fn from_name(name: &[u8]) -> Option<HeaderName> {
        // The lengths of these names differ, so any other line costs one comparison.
        let (expected, found): (&[u8], HeaderName) = match name.len() {
            12 => (b"content-type", HeaderName::ContentType),
            14 => (b"content-length", HeaderName::ContentLength),
            16 => (b"content-encoding", HeaderName::ContentEncoding),
            17 => (b"transfer-encoding", HeaderName::TransferEncoding),
            _ => return None,
        };
        name.eq_ignore_ascii_case(expected).then_some(found)
    }
}

/// The contents of [`HttpHead`] as offsets, since the block is split into head and body afterwards.
struct Fields {
    /// Offset of the head.
    start: usize,
    /// Whether the head of the response follows after this one.
    is_interim: bool,
    status: Option<u16>,
    content_type: Option<Range<usize>>,
    content_length: Option<u64>,
    chunked: bool,
    encodings: ContentEncodings,
    transfer_encodings: ContentEncodings,
    body: Result<usize, HeadFault>,
}

impl Fields {
    /// Scans the final head. Interim responses (RFC 9110, section 15.2) and the answer of a proxy
    /// to `CONNECT` come before it.
    fn scan(block: &[u8], limits: &Limits) -> Fields {
        let mut start = 0;
        loop {
            let fields = Fields::scan_one(&block[start..], limits);
            match fields.body {
                Ok(length) if fields.is_interim && Http::begins_head(&block[start + length..]) => {
                    start += length;
                }
                _ => return fields.moved_by(start),
            }
        }
    }

    /// Returns the fields of a head that begins at this offset of the block.
    fn moved_by(self, start: usize) -> Fields {
        let content_type = self.content_type.map(|range| range.start + start..range.end + start);
        Fields { content_type, start, body: self.body.map(|at| at + start), ..self }
    }

    fn scan_one(block: &[u8], limits: &Limits) -> Fields {
        let mut fields = Fields {
            start: 0,
            is_interim: false,
            status: None,
            content_type: None,
            content_length: None,
            chunked: false,
            encodings: ContentEncodings::new(limits.content_encodings),
            transfer_encodings: ContentEncodings::new(limits.content_encodings),
            body: Ok(0),
        };
        if !Http::begins_head(block) {
            return fields;
        }
        fields.body = Err(HeadFault::Unterminated);
        let window = &block[..block.len().min(limits.header_bytes)];
        if window.len() < block.len() {
            fields.body = Err(HeadFault::TooLarge);
        }

        // A line that begins with a blank continues the value before it. A value therefore stays
        // open until the next line shows that it is complete.
        let mut open: Option<(HeaderName, Range<usize>)> = None;
        let mut start = blanks_before(window);
        let mut first = true;
        while start < window.len() {
            let line_feed = memchr(b'\n', &window[start..]).map(|at| start + at);
            let mut end = line_feed.unwrap_or(window.len());
            while end > start && window[end - 1] == b'\r' {
                end -= 1;
            }
            let line = &window[start..end];
            match line {
                [] if line_feed.is_some() => {
                    fields.body = Ok(line_feed.map_or(end, |at| at + 1));
                    break;
                }
                [b' ' | b'\t', ..] => {
                    if let Some((_, value)) = &mut open {
                        value.end = end;
                    }
                }
                _ if first => {
                    fields.status = status(line);
                    fields.is_interim = matches!(fields.status, Some(100..200)) || is_tunnel(line);
                }
                _ => {
                    fields.take(block, open.take());
                    open = memchr(b':', line).and_then(|colon| {
                        let name = HeaderName::from_name(line[..colon].trim_ascii_end())?;
                        Some((name, start + colon + 1..end))
                    });
                }
            }
            first = false;
            let Some(at) = line_feed else { break };
            start = at + 1;
        }
        fields.take(block, open);
        fields
    }

    /// Stores a header line whose value is complete.
    fn take(&mut self, block: &[u8], line: Option<(HeaderName, Range<usize>)>) {
        let Some((name, range)) = line else { return };
        let value = &block[range.clone()];
        match name {
            HeaderName::ContentType if self.content_type.is_none() => {
                let blanks = value.len() - value.trim_ascii_start().len();
                let start = range.start + blanks;
                self.content_type = Some(start..start + value.trim_ascii().len());
            }
            HeaderName::ContentType => {}
            HeaderName::ContentLength => {
                self.content_length = self.content_length.or_else(|| number(value.trim_ascii()));
            }
            HeaderName::ContentEncoding => self.encodings.add_list(value),
            HeaderName::TransferEncoding => {
                self.chunked |=
                    coding::names(value).any(|name| name.eq_ignore_ascii_case(b"chunked"));
                self.transfer_encodings.add_list(value);
            }
        }
    }

    fn head<'a>(&self, block: &'a [u8]) -> HttpHead<'a> {
        HttpHead {
            status: self.status,
            content_type: self.content_type.clone().map(|range| &block[range]),
            content_length: self.content_length,
            chunked: self.chunked,
            encodings: self.encodings,
            transfer_encodings: self.transfer_encodings,
            bytes: self.body.map_or(&[], |at| &block[self.start..at]),
            body: self.body,
        }
    }
}

/// The header lines of a head, as name and value.
struct HeaderFields<'a> {
    /// The lines that are not read yet.
    rest: &'a [u8],
}

impl<'a> Iterator for HeaderFields<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            let end = memchr(b'\n', self.rest).unwrap_or(self.rest.len() - 1) + 1;
            let (mut field, mut rest) = self.rest.split_at(end);
            // A line that begins with a blank continues the value before it.
            while let [b' ' | b'\t', ..] = rest {
                let end = memchr(b'\n', rest).unwrap_or(rest.len() - 1) + 1;
                field = &self.rest[..field.len() + end];
                rest = &self.rest[field.len()..];
            }
            self.rest = rest;
            if let Some(colon) = memchr(b':', field) {
                return Some((field[..colon].trim_ascii(), field[colon + 1..].trim_ascii()));
            }
        }
        None
    }
}

/// Replaces each fold (a line end and the blanks around it) by one blank, as HTTP requires (RFC
/// 9112, section 5.2). Returns the remaining length.
fn unfold(value: &mut [u8]) -> usize {
    if memchr(b'\n', value).is_none() {
        return value.len();
    }
    let mut kept = 0;
    let mut at = 0;
    while at < value.len() {
        let blanks = value[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let next = at + blanks;
        if value[at..next].contains(&b'\n') {
            value[kept] = b' ';
            kept += 1;
            at = next;
        } else {
            let end = (next + 1).min(value.len());
            value.copy_within(at..end, kept);
            kept += end - at;
            at = end;
        }
    }
    kept
}

/// Most blanks and line ends before a status line.
const MAX_BLANKS: usize = 256;

/// Returns the number of blanks and line ends before the status line.
fn blanks_before(block: &[u8]) -> usize {
    block.iter().take(MAX_BLANKS).take_while(|byte| byte.is_ascii_whitespace()).count()
}

fn begins_with(bytes: &[u8], word: &[u8]) -> bool {
    bytes.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
}

/// Returns the status in a status line: the second word, if it begins with exactly three digits and
/// is 100 or more.
fn status(line: &[u8]) -> Option<u16> {
    if !begins_with(line, b"HTTP/") && !begins_with(line, b"ICY ") {
        return None;
    }
    let word = &line[line.iter().position(u8::is_ascii_whitespace)?..];
    let word = word.trim_ascii_start();
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits != 3 {
        return None;
    }
    let status = number(&word[..digits])?;
    u16::try_from(status).ok().filter(|&status| status >= 100)
}

/// Returns whether a status line is the answer of a proxy to `CONNECT`.
fn is_tunnel(line: &[u8]) -> bool {
    const WORDS: &[u8] = b"200 connection established";
    let line = line.trim_ascii_end();
    let end = line.len().checked_sub(WORDS.len()).map(|start| &line[start..]);
    end.is_some_and(|end| end.eq_ignore_ascii_case(WORDS))
}

/// Parses a decimal number of digits only. `None` if it exceeds 64 bits.
fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |sum, &byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        sum.checked_mul(10)?.checked_add(digit)
    })
}

#[cfg(test)]
mod tests;
