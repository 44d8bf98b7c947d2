//! Writes the WARC header that replaces the header line of an ARC record, so that all later readers
//! need to know only WARC.
//!
//! Fields and types are those of usual conversions from ARC to WARC: the version block is a
//! `warcinfo`, all others are `response`s. The media type of the line is the one that the crawler
//! found in the HTTP head, if there was one. For HTTP it therefore becomes
//! WARC-Identified-Payload-Type, which counts only if the head has no media type.

use super::date;
use super::line::ArcLine;

/// Appends the header for an ARC record whose header line is `line`. For bytes that are not a
/// header line, the header has no fields.
pub(crate) fn write(line: &[u8], out: &mut Vec<u8>) {
    append_field(out, &[b"WARC/1.0\r\n"]);
    let Some(line) = ArcLine::parse(line) else {
        append_field(out, &[b"\r\n"]);
        return;
    };
    let kind: &[u8] = if line.is_version_block() { b"warcinfo" } else { b"response" };
    append_field(out, &[b"WARC-Type: ", kind, b"\r\nWARC-Target-URI: ", line.url, b"\r\n"]);
    let before_date = out.len();
    append_field(out, &[b"WARC-Date: "]);
    if date::write(line.date, out) {
        append_field(out, &[b"\r\n"]);
    } else {
        out.truncate(before_date);
    }
    append_field(out, &[b"WARC-IP-Address: ", line.ip, b"\r\n"]);
    if is_http(line.url) {
        append_field(out, &[b"Content-Type: application/http; msgtype=response\r\n"]);
        append_field(out, &[b"WARC-Identified-Payload-Type: ", line.media_type, b"\r\n"]);
    } else {
        append_field(out, &[b"Content-Type: ", line.media_type, b"\r\n"]);
    }
    append_field(out, &[b"Content-Length: ", line.length, b"\r\n\r\n"]);
}

fn append_field(out: &mut Vec<u8>, parts: &[&[u8]]) {
    for part in parts {
        out.extend_from_slice(part);
    }
}

fn is_http(url: &[u8]) -> bool {
    [&b"http://"[..], b"https://"].iter().any(|scheme| {
        url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

#[cfg(test)]
mod tests {
    use crate::{RecordType, WarcHeader};

    fn header(line: &str) -> Vec<u8> {
        let mut out = Vec::new();
        super::write(line.as_bytes(), &mut out);
        out
    }

    #[test]
    fn the_header_has_what_the_line_has() {
        let bytes = header("http://a/x y 1.2.3.4 20010203040506 text/html 77\r\n");
        let header = WarcHeader::parse(&bytes).unwrap();
        assert_eq!(header.record_type(), RecordType::Response);
        assert_eq!(header.target_uri(), Some(b"http://a/x y".as_slice()));
        assert_eq!(header.date(), Some(b"2001-02-03T04:05:06Z".as_slice()));
        assert_eq!(header.identified_payload_type(), Some(b"text/html".as_slice()));
        assert_eq!(header.content_length(), Ok(77));
        assert!(header.is_complete());
    }

    #[test]
    fn version_blocks_and_records_without_http_have_their_own_media_type() {
        let bytes = header("filedesc://a.arc 0.0.0.0 20010203040506 text/plain 77");
        let version = WarcHeader::parse(&bytes).unwrap();
        assert_eq!(version.record_type(), RecordType::Warcinfo);
        assert_eq!(version.content_type(), Some(b"text/plain".as_slice()));
        let bytes = header("dns:a 1.2.3.4 20011303040506 text/dns 77");
        let dns = WarcHeader::parse(&bytes).unwrap();
        assert_eq!((dns.record_type(), dns.date()), (RecordType::Response, None));
        assert_eq!(dns.content_type(), Some(b"text/dns".as_slice()));
        assert!(WarcHeader::parse(&header("nothing")).unwrap().is_complete());
    }
}
