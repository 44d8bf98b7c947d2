use super::*;
use crate::http::ContentEncoding;
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn parse(block: &[u8]) -> HttpHead<'_> {
    Http::parse(block, &Limits::default())
}

#[test]
fn reads_a_plain_head() {
    let block =
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 2\r\n\
                  Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\nhi";
    let head = parse(block);
    assert_eq!(head.status, Some(200));
    assert_eq!(head.content_type, Some(b"text/html; charset=utf-8".as_slice()));
    assert_eq!(head.charset(), Some(b"utf-8".as_slice()));
    assert_eq!(head.content_length, Some(2));
    assert!(head.chunked && head.is_html());
    assert_eq!(head.encodings.as_slice(), [ContentEncoding::Gzip]);
    assert_eq!(&block[head.body.unwrap()..], b"hi");
}

#[test]
fn a_block_without_a_head_is_all_body() {
    for block in [
        "",
        "<html>",
        "HTTP",
        "HTTP is a protocol/1\n\n",
        "ICYCLE 200 OK\r\n\r\n",
        "x HTTP/1.1 200 OK\r\n\r\n",
    ] {
        let head = parse(block.as_bytes());
        assert_eq!((head.status, head.content_type, head.body), (None, None, Ok(0)), "{block}");
        assert!(!head.is_html());
    }
}

#[test]
fn reads_the_status_where_there_is_one() {
    for (line, status) in [
        ("HTTP/1.1 200 OK", Some(200)),
        ("HTTP/1.0 404", Some(404)),
        ("HTTP/1.1   301  Moved", Some(301)),
        ("HTTP/2 204", Some(204)),
        ("HTTP/1.1\t200\tOK", Some(200)),
        ("HTTP/1.1 200OK", Some(200)),
        ("HTTP/1.1 999 No", Some(999)),
        ("HTTP/1.1 99999999999 x", None),
        ("HTTP/1.1 20 OK", None),
        ("HTTP/1.1 099 OK", None),
        ("HTTP/1.1 -20 OK", None),
        ("HTTP/1.1", None),
        ("HTTP/", None),
        ("HTTP/1.1200 OK", None),
        ("HTTPX/1.1 200 OK", None),
        ("http/1.1 200 OK", Some(200)),
        ("Http/1.0 404 Not Found", Some(404)),
        ("ICY 200 OK", Some(200)),
        ("icy 503", Some(503)),
        (" HTTP/1.1 200 OK", Some(200)),
        ("\r\n\tHTTP/1.1 200 OK", Some(200)),
        ("\n\n\nhttp/1.1 301 Moved", Some(301)),
    ] {
        for end in ["\r\n\r\n", "\n\n", ""] {
            let block = format!("{line}{end}");
            assert_eq!(parse(block.as_bytes()).status, status, "{block:?}");
        }
    }
    assert_eq!(parse(b"HTTP/1.1 99999999999 \xff\r\n\r\n").status, None);
}

#[test]
fn tolerates_what_servers_send() {
    let block = b"HTTP/1.1 200 OK\nno colon here\n: no name\nCONTENT-type :\t text/html;\n\t charset=koi8-r \r\n\
                  X-A: \0\0\ncontent-TYPE: text/plain\nTRANSFER-encoding: Gzip , CHUNKED\n\
                  Content-Length: x\nContent-Length: 12\nX: y\n z\r\n\nbody";
    let head = parse(block);
    assert_eq!(head.content_type, Some(b"text/html;\n\t charset=koi8-r".as_slice()));
    assert_eq!(head.charset(), Some(b"koi8-r".as_slice()));
    assert_eq!(head.content_length, Some(12));
    assert!(head.chunked);
    assert_eq!(&block[head.body.unwrap()..], b"body");
}

#[test]
fn a_damaged_version_is_still_a_head() {
    let block = b"HTTPX/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>";
    let head = parse(block);
    assert!(head.is_html());
    assert_eq!((head.status, head.body), (None, Ok(block.len() - 3)));
}

#[test]
fn lists_encodings_in_order() {
    use ContentEncoding::{Brotli, Deflate, Gzip, Zstd};
    let head = parse(
        b"HTTP/1.1 200 OK\r\nContent-Encoding: X-GZIP, identity,, foo;q=1\r\n\
          X-Crawler-Content-Encoding: br\r\nContent-Encoding:\r\n BR\r\ncontent-encoding: deflate,zstd\r\n\r\n",
    );
    assert_eq!(head.encodings.as_slice(), [Gzip, Brotli, Deflate, Zstd]);
    assert!(!head.encodings.too_many());
    let names = "gzip, br,".repeat(250);
    let block = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {names}\r\n\r\n");
    let head = parse(block.as_bytes());
    assert!(head.encodings.too_many());
    assert_eq!(head.encodings.as_slice(), [Gzip, Brotli, Gzip, Brotli]);
}

#[test]
fn says_why_there_is_no_body() {
    let head = parse(b"HTTP/1.1 200 OK\r\nContent-Type: text/html");
    assert_eq!((head.status, head.body), (Some(200), Err(HeadFault::Unterminated)));
    assert!(head.is_html());
    for block in ["HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 200 OK\r\n\r"] {
        assert_eq!(parse(block.as_bytes()).body, Err(HeadFault::Unterminated), "{block:?}");
    }
    let limits = Limits { header_bytes: 64, ..Limits::default() };
    let block = format!("HTTP/1.1 200 OK\r\nA: {}\r\n\r\nbody", "b".repeat(100));
    assert_eq!(Http::parse(block.as_bytes(), &limits).body, Err(HeadFault::TooLarge));
    let (head, body) = (Http::parse(b"HTTP/1.1 200 OK\r\n\r\nbody", &limits), 19);
    assert_eq!(head.body, Ok(body));
}

#[test]
fn huge_heads_take_linear_time() {
    let start = Instant::now();
    let shapes: [&[u8]; 6] = [
        b"a: b\r\n",
        b" folded\n",
        b"x\n",
        b"Content-Encoding: a\n",
        b"Content-Type: x\n",
        b"\0\r\r",
    ];
    for line in shapes {
        let mut block = b"HTTP/1.1 200 OK\r\nContent-Type: y\r\n".to_vec();
        block.extend(line.repeat(1_000_000).iter().take(15 << 20));
        block.extend_from_slice(b"\r\n\r\nbody");
        assert!(parse(&block).body.is_ok());
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn split_and_parse_agree() {
    let block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nbody".to_vec();
    let mut copy = block.clone();
    let limits = Limits::default();
    let (head, body) = Http::split(&mut copy, &limits);
    assert_eq!((head, &*body), (Http::parse(&block, &limits), b"body".as_slice()));
    let mut cut = b"HTTP/1.1 200 OK\r\n".to_vec();
    let (head, body) = Http::split(&mut cut, &limits);
    assert_eq!((head.body, &*body), (Err(HeadFault::Unterminated), b"".as_slice()));
}

proptest! {
    #[test]
    fn arbitrary_blocks_never_panic(rest: Vec<u8>, http: bool) {
        let block = [if http { b"HTTP/".as_slice() } else { b"" }, &rest].concat();
        let head = parse(&block);
        prop_assert!(head.body.unwrap_or(0) <= block.len());
        let _ = (head.is_html(), head.charset());
    }

    #[test]
    fn arbitrary_head_lines_never_panic(
        text in "((Content-(Type|Encoding|Length)|Transfer-Encoding|X)?[ :;,=\"'a-c\r\n\t]{0,12}(chunked|gzip|charset|1)?){0,12}"
    ) {
        let block = format!("HTTP/1.1 200 OK\r\n{text}\r\n\r\n<p>");
        let head = parse(block.as_bytes());
        prop_assert!(head.body.unwrap() <= block.len());
        let _ = (head.is_html(), head.charset());
    }
}

#[test]
fn a_folded_content_type_is_one_line() {
    let limits = Limits::default();
    for (value, expected) in [
        ("text/html;\r\n\tcharset=utf-8", "text/html; charset=utf-8"),
        ("text/html; \n \n  charset=utf-8 \r\n ", "text/html; charset=utf-8"),
        ("\r\n text/html", "text/html"),
        ("text/html;  charset=utf-8", "text/html;  charset=utf-8"),
    ] {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: {value}\r\nX: y\r\n\r\nbody");
        // `parse` changes nothing, so it returns the folds.
        let raw = Http::parse(block.as_bytes(), &limits).content_type.map(<[u8]>::to_vec);
        assert_eq!(raw.as_deref(), Some(value.trim().as_bytes()), "{value:?}");
        let mut bytes = block.into_bytes();
        let (head, body) = Http::split(&mut bytes, &limits);
        assert_eq!(head.content_type, Some(expected.as_bytes()), "{value:?}");
        assert_eq!(body, b"body");
    }
}
