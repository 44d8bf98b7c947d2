//! Decides whether a WARC record holds a page, and decodes the bytes of that page.
//!
//! All commands that read archives use the same rule:
//!
//! * Only `response` and `resource` records hold pages. An empty `response` holds no page.
//! * A `response` without an HTTP head is the page itself if its record has the Content-Type of
//!   HTML.
//! * A `response` with an HTTP status other than 2xx holds no page, unless the caller accepts any
//!   status. A response without a readable status may hold one.
//! * The media type must be HTML or XHTML. The Content-Type comes first: of the HTTP head for a
//!   `response`, of the WARC header for a `resource`. It decides if it begins with one of these
//!   types, as `text/html, text/html` does. Otherwise WARC-Identified-Payload-Type, a guess of the
//!   crawler, decides, and then any other Content-Type.
//! * A value that is not a media type, or that says that the type is unknown, counts as absent. XML
//!   as the guess for a response without a Content-Type counts as absent too, since libmagic calls
//!   XHTML so. If both are absent, the bytes must look like HTML ([`looks_like_html`]), for a
//!   `response` after decoding.
//! * The bytes must not begin as an image, a document, an archive or another binary format,
//!   whatever the media type.
//! * The body of a `response` must be decodable within the limits.

use super::header::WarcHeader;
use super::truncation::Truncation;
use crate::http::media::{MediaKind, classify, resembles_html};
use crate::http::sniff::{is_binary, looks_like_html};
use crate::http::{BodyFault, Decoder, Http, HttpHead, charset_parameter};
use crate::limits::Limits;
use crate::memory_budget::MemoryBudget;
use crate::record::RecordType;

/// A record that holds a page according to its headers. The bytes of a `resource` have been checked
/// too.
///
/// There are two steps, so that a caller can check the headers and skip unneeded pages before they
/// are decoded.
///
/// ```
/// use huller_archive::{Decoder, Limits, NoPageReason, PageRecord, WarcHeader};
///
/// let header = WarcHeader::parse(b"WARC/1.1\r\nWARC-Type: response\r\n\r\n").unwrap();
/// let mut block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Hi".to_vec();
/// let (limits, mut decoder) = (Limits::default(), Decoder::new());
/// let page = PageRecord::new(&header, &mut block, false, &limits)?.decode(&mut decoder, &limits)?;
/// assert_eq!((page.bytes, page.status), (b"<p>Hi".as_slice(), Some(200)));
/// assert_eq!(page.http_charset, Some(b"utf-8".as_slice()));
/// # Ok::<(), NoPageReason>(())
/// ```
#[derive(Debug)]
pub struct PageRecord<'a> {
    kind: Kind<'a>,
    /// The value of WARC-Truncated.
    truncated: Option<Truncation>,
}

#[derive(Debug)]
enum Kind<'a> {
    Response {
        head: HttpHead<'a>,
        body: &'a mut [u8],
        /// Whether a media type declares HTML; otherwise the bytes decide.
        declared: bool,
    },
    Resource {
        content_type: Option<&'a [u8]>,
        bytes: &'a [u8],
    },
}

/// The bytes of a page, and the metadata in its headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageBody<'a> {
    /// The page, without HTTP head, chunks and content encodings.
    pub bytes: &'a [u8],
    /// Content-Type: of the HTTP head for a `response`, of the WARC header for a `resource`.
    pub content_type: Option<&'a [u8]>,
    /// The label in the `charset` parameter of that Content-Type. It may be unknown.
    pub http_charset: Option<&'a [u8]>,
    /// HTTP status; `None` for a `resource`, and for a response without a readable status.
    pub status: Option<u16>,
    /// The body as it is stored: without HTTP head and chunks, with all other encodings.
    /// WARC-Payload-Digest covers these bytes.
    pub payload: &'a [u8],
    /// The reason why the page is incomplete. `None` if no sign of truncation was found.
    pub truncated: Option<Truncation>,
    /// The head of the response, as [`HttpHead::bytes`]. Empty for a `resource`.
    pub http_head: &'a [u8],
}

/// The reason why a record holds no page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPageReason {
    /// The record has this type, which is neither `response` nor `resource`.
    #[error("not a response or resource record")]
    Type(RecordType),
    /// The record is a `response` with an empty block.
    #[error("empty block")]
    EmptyBlock,
    /// The HTTP status is not 2xx.
    #[error("HTTP status is not 2xx")]
    Status,
    /// The media type or the bytes are not HTML.
    #[error("not HTML")]
    NotHtml,
    /// The media type is HTML, but the bytes are binary: an image, a document, an archive or
    /// similar.
    #[error("not HTML but binary data")]
    Binary,
    /// The HTTP body cannot be decoded within the limits.
    #[error(transparent)]
    Body(#[from] BodyFault),
}

impl<'a> PageRecord<'a> {
    /// Applies the parts of the rule that need no decoding. `any_status` accepts every HTTP status.
    ///
    /// # Errors
    ///
    /// The record holds no page; the error is never [`NoPageReason::Body`].
    pub fn new(
        header: &WarcHeader<'a>,
        block: &'a mut [u8],
        any_status: bool,
        limits: &Limits,
    ) -> Result<Self, NoPageReason> {
        let identified = header.identified_payload_type();
        let truncated = Truncation::from_header(header);
        let kind = match header.record_type() {
            RecordType::Response if block.is_empty() => return Err(NoPageReason::EmptyBlock),
            RecordType::Response => {
                let (mut head, body) = Http::split(block, limits);
                let of_record = header.content_type();
                if head.body == Ok(0) && of_record.is_some_and(resembles_html) {
                    // The block is the page itself.
                    head.content_type = of_record;
                }
                if !any_status && head.status.is_some_and(|status| !(200..300).contains(&status)) {
                    return Err(NoPageReason::Status);
                }
                let declared = match declared_html(head.content_type, identified) {
                    Some(false) => return Err(NoPageReason::NotHtml),
                    declared => declared.is_some(),
                };
                Kind::Response { head, body, declared }
            }
            RecordType::Resource => {
                let content_type = header.content_type();
                let declared = declared_html(content_type, identified);
                if !declared.unwrap_or_else(|| looks_like_html(block)) {
                    return Err(NoPageReason::NotHtml);
                }
                if is_binary(block) {
                    return Err(NoPageReason::Binary);
                }
                Kind::Resource { content_type, bytes: block }
            }
            other => return Err(NoPageReason::Type(other)),
        };
        Ok(PageRecord { kind, truncated })
    }

    /// Decodes the body, and examines its bytes if it has no media type. The page borrows from the
    /// block or from the decoder.
    ///
    /// # Errors
    ///
    /// * [`NoPageReason::Body`] if the body cannot be decoded within the limits.
    /// * [`NoPageReason::NotHtml`] if it has no media type and does not look like HTML.
    /// * [`NoPageReason::Binary`] if it has the media type of HTML and is binary.
    pub fn decode<'d>(
        self,
        decoder: &'d mut Decoder,
        limits: &Limits,
    ) -> Result<PageBody<'d>, NoPageReason>
    where
        'a: 'd,
    {
        self.decode_within(decoder, limits, &mut ())
    }

    /// As [`PageRecord::decode`]. It asks `budget` before a buffer grows beyond 1 MiB.
    ///
    /// # Errors
    ///
    /// As [`PageRecord::decode`].
    pub fn decode_within<'d>(
        self,
        decoder: &'d mut Decoder,
        limits: &Limits,
        budget: &mut dyn MemoryBudget,
    ) -> Result<PageBody<'d>, NoPageReason>
    where
        'a: 'd,
    {
        match self.kind {
            Kind::Response { head, body, declared } => {
                let body = decoder.decode_within(&head, body, limits, budget)?;
                let bytes = body.bytes;
                if !declared && !looks_like_html(bytes) {
                    return Err(NoPageReason::NotHtml);
                }
                if is_binary(bytes) {
                    return Err(NoPageReason::Binary);
                }
                Ok(PageBody {
                    bytes,
                    content_type: head.content_type,
                    http_charset: head.charset(),
                    status: head.status,
                    payload: body.payload,
                    http_head: head.bytes,
                    truncated: self
                        .truncated
                        .or(body.ends_early(&head).then_some(Truncation::Body))
                        .or((head.status == Some(206)).then_some(Truncation::Range)),
                })
            }
            Kind::Resource { content_type, bytes } => Ok(PageBody {
                bytes,
                content_type,
                http_charset: content_type.and_then(charset_parameter),
                status: None,
                payload: bytes,
                truncated: self.truncated,
                http_head: &[],
            }),
        }
    }
}

/// Returns whether the media types of a record declare HTML; `None` if the bytes must decide.
fn declared_html(content_type: Option<&[u8]>, identified: Option<&[u8]>) -> Option<bool> {
    let stated = content_type.map_or(MediaKind::Unknown, classify);
    match (stated, identified.map_or(MediaKind::Unknown, classify)) {
        (MediaKind::Html, _) | (_, MediaKind::Html) => Some(true),
        (MediaKind::Unknown, MediaKind::Unknown | MediaKind::Xml) => None,
        _ => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(fields: &str, block: &[u8], any_status: bool) -> Result<String, NoPageReason> {
        let header = format!("WARC/1.1\r\n{fields}\r\n");
        let header = WarcHeader::parse(header.as_bytes()).unwrap();
        let (mut block, limits, mut decoder) = (block.to_vec(), Limits::default(), Decoder::new());
        let page = PageRecord::new(&header, &mut block, any_status, &limits)?;
        let page = page.decode(&mut decoder, &limits)?;
        let text = |bytes: Option<&[u8]>| bytes.map(|bytes| bytes.escape_ascii().to_string());
        Ok(format!(
            "{} {:?} {:?} {:?}",
            page.bytes.escape_ascii(),
            text(page.content_type),
            text(page.http_charset),
            page.status
        ))
    }

    fn response(head: &str, body: &str) -> Result<String, NoPageReason> {
        page("WARC-Type: response\r\n", format!("HTTP/1.1 {head}\r\n\r\n{body}").as_bytes(), false)
    }

    #[test]
    fn types_other_than_response_and_resource_hold_no_page() {
        for (name, kind) in [
            ("warcinfo", RecordType::Warcinfo),
            ("request", RecordType::Request),
            ("revisit", RecordType::Revisit),
            ("conversion", RecordType::Conversion),
            ("something", RecordType::Other),
        ] {
            let found = page(&format!("WARC-Type: {name}\r\n"), b"<html>", false);
            assert_eq!(found, Err(NoPageReason::Type(kind)), "{name}");
        }
        assert_eq!(page("", b"<html>", false), Err(NoPageReason::Type(RecordType::Other)));
    }

    #[test]
    fn a_response_without_a_head_is_a_page_if_its_record_says_so() {
        let of = |kind: &str, block: &str| {
            let fields = format!("WARC-Type: response\r\nContent-Type: {kind}\r\n");
            page(&fields, block.as_bytes(), false)
        };
        let html = "text/html; charset=latin1";
        let found = of(html, "<center>Hi").unwrap();
        assert_eq!(found, format!("<center>Hi Some({html:?}) Some(\"latin1\") None"));
        assert!(of("application/xhtml+xml", "plain").is_ok());
        // The type in the head decides; without a type the bytes decide.
        assert!(of(html, "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n<p>x").is_err());
        assert_eq!(of("application/http", "<center>Hi"), Err(NoPageReason::NotHtml));
        assert!(of("application/http", "<html><p>Hi").is_ok());
        assert_eq!(of(html, "\x7fELF and more"), Err(NoPageReason::Binary));
    }

    #[test]
    fn the_status_is_2xx_absent_or_any() {
        let html = "\r\nContent-Type: text/html";
        for status in ["200 OK", "204 x", "299 x", "20 x"] {
            assert!(response(&format!("{status}{html}"), "x").is_ok(), "{status}");
        }
        for status in ["199 x", "304 x", "404 x", "500 x"] {
            let head = format!("{status}{html}");
            assert_eq!(response(&head, "x"), Err(NoPageReason::Status), "{status}");
            let block = format!("HTTP/1.1 {head}\r\n\r\nx");
            assert!(page("WARC-Type: response\r\n", block.as_bytes(), true).is_ok(), "{status}");
        }
    }

    #[test]
    fn a_response_is_html_by_its_types_or_else_by_its_bytes() {
        assert_eq!(
            response("200 OK\r\nContent-Type: text/html; charset=x", "text"),
            Ok("text Some(\"text/html; charset=x\") Some(\"x\") Some(200)".to_owned())
        );
        assert_eq!(response("200 OK\r\nContent-Type: x/y", "<html>"), Err(NoPageReason::NotHtml));
        assert_eq!(response("200 OK", "<p>x"), Ok("<p>x None None Some(200)".to_owned()));
        assert_eq!(response("200 OK", "text"), Err(NoPageReason::NotHtml));
        let html = "WARC-Type: response\r\nWARC-Identified-Payload-Type: text/html\r\n";
        let other = "WARC-Type: response\r\nWARC-Identified-Payload-Type: x/y\r\n";
        let block = b"HTTP/1.1 200 OK\r\nContent-Type: x/y\r\n\r\ntext";
        assert!(page(html, block, false).is_ok());
        assert_eq!(page(other, b"HTTP/1.1 200 OK\r\n\r\n<p>", false), Err(NoPageReason::NotHtml));
        assert_eq!(page("WARC-Type: response\r\n", b"", false), Err(NoPageReason::EmptyBlock));
    }

    #[test]
    fn the_guess_of_a_crawler_takes_no_page_away_that_http_calls_html() {
        let found = |identified: &str, content_type: &str, body: &str| {
            let fields = match identified {
                "-" => "WARC-Type: response\r\n".to_owned(),
                _ => {
                    format!("WARC-Type: response\r\nWARC-Identified-Payload-Type: {identified}\r\n")
                }
            };
            let line = match content_type {
                "-" => String::new(),
                _ => format!("\r\nContent-Type: {content_type}"),
            };
            let block = format!("HTTP/1.1 200 OK{line}\r\n\r\n{body}");
            page(&fields, block.as_bytes(), false).map(drop)
        };
        let xhtml = "<?xml version='1.0'?>\n<html xmlns='x'>";
        for html in ["text/html", "text/html, text/html", "text/html charset=utf-8", "TEXT/HTML;x"]
        {
            for identified in ["-", "text/xml", "application/xml", "text/plain", "unk", "", "x/y"] {
                assert_eq!(found(identified, html, xhtml), Ok(()), "{identified} {html}");
            }
        }
        assert_eq!(found("-", "application/xhtml+xml", xhtml), Ok(()));
        // Without a media type of HTTP the guess decides, and without a usable guess the bytes.
        for nothing in
            ["-", "", "unk", "unknown/unknown", "application/unknown", "*/*", "text/html:"]
        {
            assert_eq!(found("text/html", nothing, "text"), Ok(()), "{nothing}");
            assert_eq!(
                found("text/plain", nothing, xhtml),
                Err(NoPageReason::NotHtml),
                "{nothing}"
            );
            for guess in ["-", "", "unk", "text/xml", "application/xml"] {
                assert_eq!(found(guess, nothing, xhtml), Ok(()), "{guess} {nothing}");
                assert_eq!(
                    found(guess, nothing, "x"),
                    Err(NoPageReason::NotHtml),
                    "{guess} {nothing}"
                );
            }
        }
        for other in ["text/plain", "text/xml", "application/pdf"] {
            assert_eq!(found("-", other, xhtml), Err(NoPageReason::NotHtml), "{other}");
            assert_eq!(found("", other, xhtml), Err(NoPageReason::NotHtml), "{other}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_no_page_whatever_the_media_type() {
        let png = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR";
        let html = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        for body in [png.as_slice(), b"%PDF-1.4", b"\x1F\x8B\x08\0", b"PK\x03\x04", b"\xFF\xD8\xFF"]
        {
            let block = [html.as_slice(), body].concat();
            let found = page("WARC-Type: response\r\n", &block, false);
            assert_eq!(found, Err(NoPageReason::Binary), "{}", body.escape_ascii());
        }
        let resource = "WARC-Type: resource\r\nContent-Type: text/html\r\n";
        assert_eq!(page(resource, png, false), Err(NoPageReason::Binary));
        let other =
            [b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n".as_slice(), png].concat();
        assert_eq!(page("WARC-Type: response\r\n", &other, false), Err(NoPageReason::NotHtml));
        // A body that its head declares as compressed is examined after decoding.
        let gzip = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF\xB3)\xB0\x03\0\xC9\xC3\xF7P\x03\0\0\0";
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
        let block = [head.as_slice(), gzip].concat();
        assert!(page("WARC-Type: response\r\n", &block, false).unwrap().starts_with("<p>"));
    }

    #[test]
    fn a_page_that_is_not_whole_says_why() {
        let truncated = |fields: &str, head: &str, body: &[u8]| {
            let header = format!("WARC/1.1\r\nWARC-Type: response\r\n{fields}\r\n");
            let header = WarcHeader::parse(header.as_bytes()).unwrap();
            let head = format!("HTTP/1.1 {head}\r\nContent-Type: text/html\r\n\r\n");
            let mut block = [head.as_bytes(), body].concat();
            let (limits, mut decoder) = (Limits::default(), Decoder::new());
            let page = PageRecord::new(&header, &mut block, false, &limits).unwrap();
            page.decode(&mut decoder, &limits).unwrap().truncated.map(Truncation::name)
        };
        let ok = "200 OK";
        for (value, name) in [
            ("length", Some("warc_length")),
            ("Time", Some("warc_time")),
            ("disconnect", Some("warc_disconnect")),
            ("unspecified", Some("warc_unspecified")),
            ("something", Some("warc_unspecified")),
            ("", None),
        ] {
            assert_eq!(truncated(&format!("WARC-Truncated: {value}\r\n"), ok, b"x"), name);
        }
        let gzip = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF\xB3)\xB0\x03\0\xC9\xC3\xF7P\x03\0\0\0";
        let page = b"<p>some text that compresses badly";
        let (body, range) = (Some("body"), Some("range"));
        for (head, bytes, expected) in [
            ("200 OK\r\nContent-Length: 34", page.as_slice(), None),
            ("200 OK\r\nContent-Length: 3", page, None),
            ("200 OK\r\nContent-Length: 35", page, body),
            ("200 OK\r\nTransfer-Encoding: chunked", b"3\r\n<p>\r\n0\r\n\r\n", None),
            ("200 OK\r\nTransfer-Encoding: chunked", b"9\r\n<p>", body),
            ("200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 99", page, None),
            ("200 OK\r\nContent-Encoding: gzip", gzip, None),
            ("200 OK\r\nContent-Encoding: gzip", &gzip[..13], body),
            // A body that was stored decoded, with the length of the encoded one.
            ("200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 99", page, None),
            ("206 Partial Content", page, range),
            ("206 Partial Content\r\nContent-Length: 99", page, body),
        ] {
            assert_eq!(truncated("", head, bytes), expected, "{head}");
        }
        let both = truncated("WARC-Truncated: time\r\n", "206 x\r\nContent-Length: 99", page);
        assert_eq!(both, Some("warc_time"));
    }

    #[test]
    fn a_body_that_cannot_be_decoded_is_told_from_one_that_is_not_html() {
        let found = page("WARC-Type: response\r\n", b"HTTP/1.1 200 OK\r\n", false);
        assert!(matches!(found, Err(NoPageReason::Body(BodyFault::Head(_)))), "{found:?}");
    }

    #[test]
    fn a_resource_is_its_block() {
        let html = "WARC-Type: resource\r\nContent-Type: text/html;charset=x\r\n";
        let page_of = |fields: &str, block: &[u8]| page(fields, block, false);
        assert_eq!(
            page_of(html, b"text"),
            Ok("text Some(\"text/html;charset=x\") Some(\"x\") None".to_owned())
        );
        assert!(page_of(html, b"").is_ok(), "a resource may be empty");
        assert_eq!(page_of("WARC-Type: resource\r\n", b"<p>"), Ok("<p> None None None".to_owned()));
        assert_eq!(page_of("WARC-Type: resource\r\n", b"text"), Err(NoPageReason::NotHtml));
        assert_eq!(
            page_of("WARC-Type: resource\r\nContent-Type: text/plain\r\n", b"<p>"),
            Err(NoPageReason::NotHtml)
        );
    }
}
