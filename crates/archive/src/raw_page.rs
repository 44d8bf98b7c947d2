//! From an entry of an archive to its page: one way for every command.
//!
//! A [`PageReader`] decides whether a record or a line holds a page; [`PageRecord`] has the rule
//! for records. It decodes HTTP and JSON and returns a [`RawPage`]: bytes, and the metadata of the
//! entry. [`RawPage::text`] decodes the bytes.

use crate::charset::{self, Charset, CharsetSource, PageText};
use crate::http::sniff::is_binary;
use crate::http::{Decoder, charset_parameter};
use crate::jsonl::{JsonlFault, JsonlKeys, JsonlPage, JsonlReader};
use crate::limits::Limits;
use crate::memory_budget::MemoryBudget;
use crate::record::RecordType;
use crate::start_tags::end_of_tags;
use crate::warc::header::WarcHeader;
use crate::warc::page::{NoPageReason, PageRecord};
use crate::warc::truncation::Truncation;

/// A page as its entry holds it, before its bytes are decoded, with the metadata of the entry.
///
/// ```
/// use huller_archive::{JsonlKeys, Limits, PageReader, WarcHeader};
///
/// let header = WarcHeader::parse(b"WARC/1.1\r\nWARC-Type: response\r\n\r\n").unwrap();
/// let mut block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=latin1\r\n\r\n<p>\xE9".to_vec();
/// let mut reader = PageReader::new(&Limits::default(), JsonlKeys::default(), false);
/// let page = reader.record(&header, &mut block, &mut ())?;
/// assert_eq!((page.bytes(), page.status), (b"<p>\xE9".as_slice(), Some(200)));
/// let mut buffer = String::new();
/// assert_eq!(page.text(None, 1 << 20, &mut buffer).text, "<p>é");
/// # Ok::<(), huller_archive::NoPageReason>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawPage<'a> {
    /// The content of the page.
    pub content: PageContent<'a>,
    /// The identifier of the record.
    pub id: Option<&'a [u8]>,
    /// The URL of the page.
    pub url: Option<&'a [u8]>,
    /// The time of the fetch, as the entry states it.
    pub date: Option<&'a [u8]>,
    /// Content-Type: of the HTTP head for a `response`, of the WARC header for other records.
    pub content_type: Option<&'a [u8]>,
    /// HTTP status.
    pub status: Option<u16>,
    /// WARC-Payload-Digest.
    pub digest: Option<&'a [u8]>,
    /// The body as it is stored, if it differs from the content.
    pub payload: Option<&'a [u8]>,
    /// The reason why the page is incomplete. `None` if the entry states no truncation.
    pub truncated: Option<Truncation>,
    /// The head of the HTTP response, for [`Http::fields`](crate::Http::fields). Empty for pages
    /// without one.
    pub http_head: &'a [u8],
    /// The values of the keys in [`JsonlKeys::kept`], as one JSON object.
    pub kept: Option<&'a str>,
}

/// The content of a page, in one of three forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageContent<'a> {
    /// HTML as a server sent it, and the label of its encoding. The label may be unknown.
    Html {
        /// The bytes without HTTP head, chunks and content encodings.
        bytes: &'a [u8],
        /// The `charset` parameter of its Content-Type.
        charset: Option<&'a [u8]>,
    },
    /// HTML that is already text.
    Decoded(&'a str),
    /// Text that was extracted from a page earlier, as in the WET files of Common Crawl. Extractors
    /// skip it.
    PlainText {
        /// The text.
        bytes: &'a [u8],
        /// The label of its encoding, which may be unknown.
        charset: &'a [u8],
    },
}

impl<'a> RawPage<'a> {
    /// Returns a page without metadata.
    pub fn new(content: PageContent<'a>) -> RawPage<'a> {
        RawPage {
            content,
            id: None,
            url: None,
            date: None,
            content_type: None,
            status: None,
            digest: None,
            payload: None,
            truncated: None,
            http_head: &[],
            kept: None,
        }
    }

    /// Returns the page in a file of HTML.
    ///
    /// # Errors
    ///
    /// [`NoPageReason::Binary`].
    pub fn from_file(bytes: &'a [u8]) -> Result<RawPage<'a>, NoPageReason> {
        if is_binary(bytes) {
            return Err(NoPageReason::Binary);
        }
        Ok(RawPage::new(PageContent::Html { bytes, charset: None }))
    }

    fn from_header(header: &WarcHeader<'a>, content: PageContent<'a>) -> RawPage<'a> {
        RawPage {
            id: header.record_id(),
            url: header.target_uri(),
            date: header.date(),
            digest: header.payload_digest(),
            ..RawPage::new(content)
        }
    }

    /// Returns the bytes of the page.
    pub fn bytes(&self) -> &'a [u8] {
        match self.content {
            PageContent::Html { bytes, .. } | PageContent::PlainText { bytes, .. } => bytes,
            PageContent::Decoded(text) => text.as_bytes(),
        }
    }

    /// Returns the bytes that WARC-Payload-Digest covers: without HTTP head and chunks, with all
    /// other encodings. `None` if the archive stored the page as decoded text.
    pub fn stored_bytes(&self) -> Option<&'a [u8]> {
        match self.content {
            PageContent::Html { bytes, .. } | PageContent::PlainText { bytes, .. } => {
                Some(self.payload.unwrap_or(bytes))
            }
            PageContent::Decoded(_) => None,
        }
    }

    /// Returns whether the page is text that was extracted earlier.
    pub fn is_plain_text(&self) -> bool {
        matches!(self.content, PageContent::PlainText { .. })
    }

    /// Decodes the page to text. The text ends after `max_bytes`, or before the first start tag
    /// above the maximum for this page size.
    ///
    /// `url` helps to distinguish encodings of different countries if the page declares no
    /// encoding. `buffer` holds the text if the page is not in UTF-8.
    pub fn text<'t>(
        &self,
        url: Option<&str>,
        max_bytes: usize,
        buffer: &'t mut String,
    ) -> PageText<'t>
    where
        'a: 't,
    {
        let mut page = match self.content {
            PageContent::Decoded(text) => {
                let cut = text.floor_char_boundary(max_bytes);
                let charset = Charset { encoding: charset::UTF_8, source: CharsetSource::Default };
                PageText {
                    text: &text[..cut],
                    charset,
                    truncated: cut < text.len(),
                    replacements: 0,
                }
            }
            PageContent::Html { bytes, charset } => {
                charset::decode_page(bytes, charset, url, max_bytes, buffer)
            }
            PageContent::PlainText { bytes, charset } => {
                let mut text = charset::decode_page(bytes, Some(charset), url, max_bytes, buffer);
                if text.charset.source == CharsetSource::Http {
                    text.charset.source = CharsetSource::Default;
                }
                text
            }
        };
        if let Some(end) = end_of_tags(page.text.as_bytes(), max_bytes) {
            (page.text, page.truncated) = (&page.text[..end], true);
        }
        page
    }
}

/// Reads the pages of records and lines. Each worker has one and reuses its memory from page to
/// page.
pub struct PageReader {
    limits: Limits,
    any_status: bool,
    decoder: Decoder,
    jsonl: JsonlReader,
}

impl PageReader {
    /// Returns a reader for lines with these keys. `any_status` accepts every HTTP status, not only
    /// 2xx.
    pub fn new(limits: &Limits, keys: JsonlKeys, any_status: bool) -> PageReader {
        PageReader {
            limits: limits.clone(),
            any_status,
            decoder: Decoder::new(),
            jsonl: JsonlReader::new(keys),
        }
    }

    /// Returns the page of a record: HTML, or the plain text of a `conversion` record. The reader
    /// asks `budget` before a buffer grows beyond 1 MiB.
    ///
    /// # Errors
    ///
    /// The reason why the record holds no page.
    pub fn record<'p>(
        &'p mut self,
        header: &WarcHeader<'p>,
        block: &'p mut [u8],
        budget: &mut dyn MemoryBudget,
    ) -> Result<RawPage<'p>, NoPageReason> {
        if let Some((content_type, charset)) = plain_text(header) {
            let content = PageContent::PlainText { bytes: block, charset };
            return Ok(RawPage {
                content_type: Some(content_type),
                truncated: Truncation::from_header(header),
                ..RawPage::from_header(header, content)
            });
        }
        let record = self.html_record(header, block)?;
        self.decoded(header, record, budget)
    }

    /// Does the first of two steps from a record to its HTML: all checks that need no decoding.
    /// Callers use it to skip pages by their headers.
    ///
    /// # Errors
    ///
    /// The reason why the record holds no HTML; never [`NoPageReason::Body`].
    pub fn html_record<'p>(
        &self,
        header: &WarcHeader<'p>,
        block: &'p mut [u8],
    ) -> Result<PageRecord<'p>, NoPageReason> {
        PageRecord::new(header, block, self.any_status, &self.limits)
    }

    /// Does the second step: decodes the body.
    ///
    /// # Errors
    ///
    /// As [`PageRecord::decode`].
    pub fn decoded<'p>(
        &'p mut self,
        header: &WarcHeader<'p>,
        record: PageRecord<'p>,
        budget: &mut dyn MemoryBudget,
    ) -> Result<RawPage<'p>, NoPageReason> {
        let body = record.decode_within(&mut self.decoder, &self.limits, budget)?;
        let content = PageContent::Html { bytes: body.bytes, charset: body.http_charset };
        Ok(RawPage {
            content_type: body.content_type,
            status: body.status,
            payload: Some(body.payload),
            truncated: body.truncated,
            http_head: body.http_head,
            ..RawPage::from_header(header, content)
        })
    }

    /// Returns the page of a line of JSON.
    ///
    /// # Errors
    ///
    /// The line is not one JSON object, or holds no page.
    pub fn line<'p>(&'p mut self, line: &'p [u8]) -> Result<RawPage<'p>, JsonlFault> {
        let JsonlPage { html, url, id, date, kept } = self.jsonl.read(line)?;
        Ok(RawPage {
            id: id.map(str::as_bytes),
            url: url.map(str::as_bytes),
            date: date.map(str::as_bytes),
            kept,
            ..RawPage::new(PageContent::Decoded(html))
        })
    }
}

/// Returns Content-Type and charset label of a `conversion` record of `text/plain`. The label is
/// `utf-8` if the header states no charset.
fn plain_text<'a>(header: &WarcHeader<'a>) -> Option<(&'a [u8], &'a [u8])> {
    const PLAIN: &[u8] = b"text/plain";
    const UTF_8: &[u8] = b"utf-8";
    let content_type = header.content_type()?;
    let (media_type, rest) = content_type.split_at_checked(PLAIN.len())?;
    let is_plain = header.record_type() == RecordType::Conversion
        && media_type.eq_ignore_ascii_case(PLAIN)
        && rest.first().is_none_or(|byte| matches!(byte, b';' | b' ' | b'\t' | b','));
    is_plain.then(|| (content_type, charset_parameter(content_type).unwrap_or(UTF_8)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader() -> PageReader {
        PageReader::new(&Limits::default(), JsonlKeys::default(), false)
    }

    #[test]
    fn a_record_gives_its_page_with_what_its_headers_state() {
        let header = b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\n\
            WARC-Target-URI: http://a.test/\r\nWARC-Date: 2020-01-02T03:04:05Z\r\nWARC-Truncated: time\r\n\
            WARC-Payload-Digest: sha1:A\r\n\r\n";
        let header = WarcHeader::parse(header).unwrap();
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html;charset=x\r\n";
        let mut block =
            format!("{head}Transfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n0\r\n\r\n").into_bytes();
        let mut reader = reader();
        let page = reader.record(&header, &mut block, &mut ()).unwrap();
        let content = PageContent::Html { bytes: b"<p>", charset: Some(b"x") };
        assert_eq!((page.content, page.status), (content, Some(200)));
        assert_eq!(
            (page.id, page.url),
            (Some(b"1".as_slice()), Some(b"http://a.test/".as_slice()))
        );
        assert_eq!(page.date, Some(b"2020-01-02T03:04:05Z".as_slice()));
        assert_eq!(
            (page.stored_bytes(), page.truncated),
            (Some(b"<p>".as_slice()), Some(Truncation::WarcTime))
        );
        assert_eq!(page.digest, Some(b"sha1:A".as_slice()));
    }

    #[test]
    fn a_conversion_record_of_plain_text_is_text() {
        for (kind, content_type, expected) in [
            ("conversion", "text/plain", Some("utf-8")),
            ("conversion", "Text/Plain; charset=latin1", Some("latin1")),
            ("conversion", "text/plainer", None),
            ("conversion", "image/png", None),
            ("resource", "text/plain", None),
        ] {
            let header =
                format!("WARC/1.0\r\nWARC-Type: {kind}\r\nContent-Type: {content_type}\r\n\r\n");
            let header = WarcHeader::parse(header.as_bytes()).unwrap();
            let (mut reader, mut block) = (reader(), b"Some text".to_vec());
            let page = reader.record(&header, &mut block, &mut ());
            let Some(charset) = expected else {
                assert!(page.is_err(), "{kind} {content_type}");
                continue;
            };
            let page = page.unwrap();
            let charset = charset.as_bytes();
            assert_eq!(page.content, PageContent::PlainText { bytes: b"Some text", charset });
            assert_eq!(page.content_type, Some(content_type.as_bytes()));
            // The charset of such a record does not come from HTTP.
            let source = page.text(None, 100, &mut String::new()).charset.source;
            assert_eq!(source, CharsetSource::Default);
        }
    }

    #[test]
    fn a_line_is_a_page_that_is_text_already() {
        let mut reader = reader();
        let page = reader.line(br#"{"html":"<p>\u00e9","url":"u","id":7}"#).unwrap();
        assert_eq!((page.content, page.url), (PageContent::Decoded("<p>é"), Some(b"u".as_slice())));
        assert_eq!((page.id, page.stored_bytes()), (Some(b"7".as_slice()), None));
        assert_eq!(page.bytes(), "<p>é".as_bytes());
        // The text is cut at a character boundary.
        let mut buffer = String::new();
        let cut = page.text(None, 4, &mut buffer);
        assert_eq!((cut.text, cut.truncated), ("<p>", true));
        assert!(reader.line(b"{}").unwrap_err().is_missing_html());
    }

    #[test]
    fn a_file_is_a_page_unless_it_is_binary() {
        assert_eq!(RawPage::from_file(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"), Err(NoPageReason::Binary));
        assert_eq!(RawPage::from_file(b"text").unwrap().bytes(), b"text");
    }
}
