use super::*;

fn header(fields: &str) -> Vec<u8> {
    format!("WARC/1.0\r\n{fields}\r\n").into_bytes()
}

fn length(fields: &str) -> Result<u64, ContentLengthError> {
    WarcHeader::parse(&header(fields)).unwrap().content_length()
}

#[test]
fn fields_are_found_whatever_their_case_and_spacing() {
    let bytes = header(
        "warc-TYPE :  RESPONSE \r\nWARC-Target-URI: <http://a/>\nWARC-Record-ID: <urn:uuid:1-2>\r\n\
         WARC-Date: 2024-02-29T12:00:00Z\r\nContent-Type: text/html\r\nwithout colon\r\n\
         WARC-Payload-Digest: sha1:A\r\nWARC-Identified-Payload-Type: text/plain\r\nX-Odd:\r\n",
    );
    let header = WarcHeader::parse(&bytes).unwrap();
    assert!(header.is_complete());
    assert_eq!(header.record_type(), RecordType::Response);
    assert_eq!(header.target_uri(), Some(&b"http://a/"[..]));
    assert_eq!(header.record_id(), Some(&b"1-2"[..]));
    assert_eq!(header.date(), Some(&b"2024-02-29T12:00:00Z"[..]));
    assert_eq!(header.content_type(), Some(&b"text/html"[..]));
    assert_eq!(header.payload_digest(), Some(&b"sha1:A"[..]));
    assert_eq!(header.identified_payload_type(), Some(&b"text/plain"[..]));
    assert_eq!(header.get("x-odd"), Some(&b""[..]));
    assert_eq!(header.get("x-none"), None);
    assert_eq!(header.version(), b"1.0");
}

#[test]
fn folded_values_are_joined_on_demand() {
    let bytes = header("A: one\r\n two\r\n\tthree\r\nB: four\r\nContent-Length:\r\n 12\r\n");
    let header = WarcHeader::parse(&bytes).unwrap();
    let mut buffer = Vec::new();
    assert_eq!(header.get("a"), Some(&b"one"[..]));
    assert_eq!(header.get_folded("a", &mut buffer), Some(&b"one two three"[..]));
    buffer.clear();
    assert_eq!(header.get_folded("b", &mut buffer), Some(&b"four"[..]));
    assert!(buffer.is_empty());
    assert_eq!(header.content_length(), Ok(12));
}

#[test]
fn only_plain_numbers_are_content_lengths() {
    assert_eq!(length("Content-Length: 0\r\n"), Ok(0));
    assert_eq!(length("CONTENT-LENGTH :\t007 \r\n"), Ok(7));
    assert_eq!(length("Content-Length: 18446744073709551615\r\n"), Ok(u64::MAX));
    for bad in ["+12", "-1", "0x10", "1e3", "", " ", "18446744073709551616", "1 2", "١"] {
        let field = format!("Content-Length: {bad}\r\n");
        assert_eq!(length(&field), Err(ContentLengthError::Invalid), "{bad:?}");
    }
    assert_eq!(length(""), Err(ContentLengthError::Missing));
    assert_eq!(length("Content-Length: 5\r\ncontent-length: 05\r\n"), Ok(5));
    assert_eq!(
        length("Content-Length: 5\r\nContent-Length: 6\r\n"),
        Err(ContentLengthError::Ambiguous)
    );
    assert_eq!(
        length("Content-Length: 5\r\nContent-Length: x\r\nContent-Length: 5\r\n"),
        Err(ContentLengthError::Ambiguous)
    );
}

#[test]
fn a_cut_header_still_gives_its_fields() {
    let bytes = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a";
    let header = WarcHeader::parse(bytes).unwrap();
    assert!(!header.is_complete());
    assert_eq!(header.record_type(), RecordType::Response);
    assert_eq!(header.target_uri(), Some(&b"http://a"[..]));
    assert!(WarcHeader::parse(b"WARC/1.0").is_none());
}

#[test]
fn a_header_with_a_record_in_it_or_over_the_limits_is_not_sound() {
    let limits = Limits { header_line_bytes: 40, header_bytes: 100, ..Limits::default() };
    let sound = |fields: &str| WarcHeader::parse(&header(fields)).unwrap().is_sound(&limits);
    assert!(sound("A: b\r\n"));
    assert!(!sound("A: b\r\nWARC/1.0\r\nC: d\r\n"));
    assert!(!sound(&format!("A: {}\r\n", "b".repeat(40))));
    assert!(!sound(&format!("A: b\r\n {}\r\n", "b".repeat(36))));
    assert!(!sound(&"A: 12345678\r\n".repeat(8)));
}
