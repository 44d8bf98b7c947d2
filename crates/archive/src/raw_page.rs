//! From an entry of an archive to its page: one way for every command.
//!
//! A [`PageReader`] decides whether a record or a line holds a page; [`PageRecord`] has the rule
//! for records. It undoes HTTP and JSON, and gives a [`RawPage`]: bytes, and what the entry states
//! about them. [`RawPage::text`] decodes the bytes.

use crate::charset::{self, Charset, CharsetSource, PageText};
use crate::http::sniff::is_binary;
use crate::http::{Decoder, charset_parameter};
use crate::jsonl::{JsonlFault, JsonlKeys, JsonlPage, JsonlReader};
use crate::limits::Limits;
use crate::record::RecordType;
use crate::room::Room;
use crate::start_tags::end_of_tags;
use crate::warc::header::WarcHeader;
use crate::warc::page::{NotAPage, PageRecord};
use crate::warc::truncation::Truncation;

/// A page as its entry holds it, before its bytes are decoded, and what the entry states about it.
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
/// # Ok::<(), huller_archive::NotAPage>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawPage<'a> {
    /// The page itself.
    pub content: PageContent<'a>,
    /// The identifier of the record.
    pub id: Option<&'a [u8]>,
    /// The address of the page.
    pub url: Option<&'a [u8]>,
    /// The time it was fetched, as given.
    pub date: Option<&'a [u8]>,
    /// Content-Type, of the HTTP head for a `response`, of the WARC header for other records.
    pub content_type: Option<&'a [u8]>,
    /// HTTP status.
    pub status: Option<u16>,
    /// WARC-Payload-Digest.
    pub digest: Option<&'a [u8]>,
    /// The body as it is stored, if that differs from the content.
    pub payload: Option<&'a [u8]>,
    /// Why the page is not whole. `None` if nothing states that it isn't.
    pub truncated: Option<Truncation>,
    /// The keys of a line in [`JsonlKeys::kept`], as one JSON object.
    pub kept: Option<&'a str>,
}

/// The page itself, in one of three forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageContent<'a> {
    /// HTML as a server sent it, and the label of the encoding that came with it, which may name
    /// none.
    Html {
        /// Without HTTP head, chunks and content encodings.
        bytes: &'a [u8],
        /// The `charset` parameter of its Content-Type.
        charset: Option<&'a [u8]>,
    },
    /// HTML that is text already.
    Decoded(&'a str),
    /// Text that was extracted from a page earlier, as the WET files of Common Crawl hold it: no
    /// extractor looks at it.
    PlainText {
        /// The text.
        bytes: &'a [u8],
        /// The label of its encoding, which may name none.
        charset: &'a [u8],
    },
}

impl<'a> RawPage<'a> {
    /// A page of which nothing else is known.
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
            kept: None,
        }
    }

    /// The page in a file of HTML.
    ///
    /// # Errors
    ///
    /// [`NotAPage::Binary`].
    pub fn of_file(bytes: &'a [u8]) -> Result<RawPage<'a>, NotAPage> {
        if is_binary(bytes) {
            return Err(NotAPage::Binary);
        }
        Ok(RawPage::new(PageContent::Html { bytes, charset: None }))
    }

    fn of_header(header: &WarcHeader<'a>, content: PageContent<'a>) -> RawPage<'a> {
        RawPage {
            id: header.record_id(),
            url: header.target_uri(),
            date: header.date(),
            digest: header.payload_digest(),
            ..RawPage::new(content)
        }
    }

    /// The bytes of the page.
    pub fn bytes(&self) -> &'a [u8] {
        match self.content {
            PageContent::Html { bytes, .. } | PageContent::PlainText { bytes, .. } => bytes,
            PageContent::Decoded(text) => text.as_bytes(),
        }
    }

    /// The bytes that WARC-Payload-Digest is taken of: without HTTP head and chunks, before any
    /// other encoding is undone. `None` for a page that came as text.
    pub fn stored_bytes(&self) -> Option<&'a [u8]> {
        match self.content {
            PageContent::Html { bytes, .. } | PageContent::PlainText { bytes, .. } => {
                Some(self.payload.unwrap_or(bytes))
            }
            PageContent::Decoded(_) => None,
        }
    }

    /// Whether the page is text that was extracted earlier.
    pub fn is_plain_text(&self) -> bool {
        matches!(self.content, PageContent::PlainText { .. })
    }

    /// The page as text, cut after `max_bytes`, and before the start tag that is one too many for
    /// so long a page.
    ///
    /// `url` helps to tell the encodings of different countries apart where nothing is declared.
    /// `buffer` is memory for text that is not UTF-8 in the page.
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
                PageText { text: &text[..cut], charset, truncated: cut < text.len(), replaced: 0 }
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

/// Reads the pages of records and lines. Each worker has one. Its memory is reused from page to
/// page.
pub struct PageReader {
    limits: Limits,
    any_status: bool,
    decoder: Decoder,
    jsonl: JsonlReader,
}

impl PageReader {
    /// A reader for lines with these keys. `any_status` accepts every HTTP status, not only 2xx.
    pub fn new(limits: &Limits, keys: JsonlKeys, any_status: bool) -> PageReader {
        PageReader {
            limits: limits.clone(),
            any_status,
            decoder: Decoder::new(),
            jsonl: JsonlReader::new(keys),
        }
    }

    /// The page of a record: HTML, or the plain text of a `conversion` record. `room` is asked
    /// before a buffer grows beyond a MiB.
    ///
    /// # Errors
    ///
    /// Why the record holds no page.
    pub fn record<'p>(
        &'p mut self,
        header: &WarcHeader<'p>,
        block: &'p mut [u8],
        room: &mut dyn Room,
    ) -> Result<RawPage<'p>, NotAPage> {
        if let Some((content_type, charset)) = plain_text(header) {
            let content = PageContent::PlainText { bytes: block, charset };
            return Ok(RawPage {
                content_type: Some(content_type),
                truncated: Truncation::of(header),
                ..RawPage::of_header(header, content)
            });
        }
        let record = self.html_record(header, block)?;
        self.decoded(header, record, room)
    }

    /// The first of two steps from a record to its HTML, for callers that leave out pages by their
    /// headers: what needs no decoding.
    ///
    /// # Errors
    ///
    /// Why the record holds no HTML; never [`NotAPage::Body`].
    pub fn html_record<'p>(
        &self,
        header: &WarcHeader<'p>,
        block: &'p mut [u8],
    ) -> Result<PageRecord<'p>, NotAPage> {
        PageRecord::new(header, block, self.any_status, &self.limits)
    }

    /// The second step: decodes the body.
    ///
    /// # Errors
    ///
    /// As [`PageRecord::decode`].
    pub fn decoded<'p>(
        &'p mut self,
        header: &WarcHeader<'p>,
        record: PageRecord<'p>,
        room: &mut dyn Room,
    ) -> Result<RawPage<'p>, NotAPage> {
        let body = record.decode_within(&mut self.decoder, &self.limits, room)?;
        let content = PageContent::Html { bytes: body.bytes, charset: body.http_charset };
        Ok(RawPage {
            content_type: body.content_type,
            status: body.status,
            payload: Some(body.payload),
            truncated: body.truncated,
            ..RawPage::of_header(header, content)
        })
    }

    /// The page of a line of JSON.
    ///
    /// # Errors
    ///
    /// If the line is not one JSON object, or holds no page.
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

/// Content-Type and charset label of a `conversion` record of `text/plain`; the label is `utf-8`
/// where the header states none.
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
            // The charset of such a record is no claim of HTTP.
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
        // A cut leaves whole characters.
        let mut buffer = String::new();
        let cut = page.text(None, 4, &mut buffer);
        assert_eq!((cut.text, cut.truncated), ("<p>", true));
        assert!(reader.line(b"{}").unwrap_err().is_missing_html());
    }

    #[test]
    fn a_file_is_a_page_unless_it_is_binary() {
        assert_eq!(RawPage::of_file(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"), Err(NotAPage::Binary));
        assert_eq!(RawPage::of_file(b"text").unwrap().bytes(), b"text");
    }
}
