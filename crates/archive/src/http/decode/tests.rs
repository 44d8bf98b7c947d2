use super::super::head::{HeadFault, Http};
use super::*;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use proptest::prelude::*;
use std::io::Write;
use std::time::{Duration, Instant};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bare(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ::zstd::bulk::compress(bytes, 3).unwrap()
}

/// Encodes stored meta-blocks only: a valid stream, made without an encoder, since this project
/// depends only on a decoder.
fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    // WBITS = 16 is a single 0 bit, which goes before the first meta-block header.
    let mut bits: u64 = 0;
    let mut used: u32 = 1;
    for block in bytes.chunks(1 << 16) {
        // ISLAST 0, MNIBBLES 0 (four), MLEN - 1, ISUNCOMPRESSED 1, then the bytes at the next byte
        // border.
        bits |= (block.len() as u64 - 1) << (used + 3);
        bits |= 1 << (used + 19);
        used += 20;
        out.extend_from_slice(&bits.to_le_bytes()[..used.div_ceil(8) as usize]);
        out.extend_from_slice(block);
        (bits, used) = (0, 0);
    }
    bits |= 3 << used; // ISLAST 1, ISLASTEMPTY 1
    out.push(bits as u8);
    out
}

type Encode = fn(&[u8]) -> Vec<u8>;
const ENCODERS: [(&str, Encode); 5] =
    [("gzip", gzip), ("deflate", zlib), ("deflate", bare), ("br", brotli), ("zstd", zstd)];

#[derive(Debug, PartialEq, Eq)]
struct OwnedBody {
    bytes: Vec<u8>,
    chunking: Chunking,
    decoded_layers: usize,
    has_wrong_encoding: bool,
    is_cut: bool,
}

fn decode_with(
    decoder: &mut Decoder,
    head: &str,
    body: &[u8],
    limits: &Limits,
) -> Result<OwnedBody, BodyFault> {
    let mut block = format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n").into_bytes();
    block.extend_from_slice(body);
    let (head, body) = Http::split(&mut block, limits);
    decoder.decode(&head, body, limits).map(|body| OwnedBody {
        bytes: body.bytes.to_vec(),
        chunking: body.chunking,
        decoded_layers: body.decoded_layers,
        has_wrong_encoding: body.has_wrong_encoding,
        is_cut: body.is_cut,
    })
}

fn decode(head: &str, body: &[u8]) -> Result<OwnedBody, BodyFault> {
    decode_with(&mut Decoder::new(), head, body, &Limits::default())
}

#[track_caller]
fn check(
    head: &str,
    body: &[u8],
    expected: &[u8],
    decoded_layers: usize,
    has_wrong_encoding: bool,
    is_cut: bool,
) {
    let found = decode(head, body).unwrap();
    let expected = OwnedBody {
        bytes: expected.to_vec(),
        chunking: found.chunking,
        decoded_layers,
        has_wrong_encoding,
        is_cut,
    };
    assert!(
        found == expected,
        "{head}: {:?}, {} bytes",
        (found.decoded_layers, found.has_wrong_encoding, found.is_cut),
        found.bytes.len()
    );
}

fn page() -> Vec<u8> {
    let mut page = b"<!DOCTYPE html><title>x</title>".to_vec();
    for number in 0..20_000_u32 {
        page.extend_from_slice(
            format!("<p>{}</p>\n", number.wrapping_mul(2_654_435_761)).as_bytes(),
        );
    }
    page
}

#[test]
fn undoes_each_encoding() {
    let page = page();
    check("Content-Encoding: gzip", &gzip(&page), &page, 1, false, false);
    check("Content-Encoding: x-gzip", &gzip(&page), &page, 1, false, false);
    check("Content-Encoding: deflate", &zlib(&page), &page, 1, false, false);
    check("Content-Encoding: deflate", &bare(&page), &page, 1, false, false);
    check("Content-Encoding: br", &brotli(&page), &page, 1, false, false);
    check("Content-Encoding: zstd", &zstd(&page), &page, 1, false, false);
    check("Content-Encoding: identity", &page, &page, 0, false, false);
    check("Content-Encoding: sdch", &page, &page, 0, false, false);
    check("X-Crawler-Content-Encoding: gzip", &page, &page, 0, false, false);
    check("Content-Encoding: br, gzip", &gzip(&brotli(&page)), &page, 2, false, false);
    let all = gzip(&brotli(&zstd(&zlib(&page))));
    check(
        "Content-Encoding: deflate, zstd\r\nContent-Encoding: br, gzip",
        &all,
        &page,
        4,
        false,
        false,
    );
}

#[test]
fn transfer_encodings_are_undone_after_the_chunks_and_before_content_encodings() {
    let page = b"<p>some text";
    let chunked =
        |body: &[u8]| [format!("{:x}\r\n", body.len()).as_bytes(), body, b"\r\n0\r\n\r\n"].concat();
    check("Transfer-Encoding: gzip", &gzip(page), page, 1, false, false);
    check("Transfer-Encoding: gzip, chunked", &chunked(&gzip(page)), page, 1, false, false);
    check(
        "Transfer-Encoding: x-gzip\r\nTransfer-Encoding: chunked",
        &chunked(&gzip(page)),
        page,
        1,
        false,
        false,
    );
    check("Transfer-Encoding: deflate", &zlib(page), page, 1, false, false);
    check(
        "Transfer-Encoding: gzip\r\nContent-Encoding: br",
        &gzip(&brotli(page)),
        page,
        2,
        false,
        false,
    );
    check("Transfer-Encoding: gzip", page, page, 0, true, false);
    // Both headers list the one layer.
    check("Transfer-Encoding: gzip\r\nContent-Encoding: gzip", &gzip(page), page, 1, true, false);
    let three = "Transfer-Encoding: gzip, gzip, gzip\r\nContent-Encoding: gzip, gzip";
    assert_eq!(decode(three, &gzip(page)).err(), Some(BodyFault::TooManyEncodings));
}

#[test]
fn decodes_several_members_and_frames() {
    let two = [gzip(b"one "), gzip(b"two"), b"trailing junk".to_vec()].concat();
    check("Content-Encoding: gzip", &two, b"one two", 1, false, false);
    let two = [
        zstd(b"one "),
        b"\x50\x2a\x4d\x18\x02\x00\x00\x00xx".to_vec(),
        zstd(b"two"),
        b"junk".to_vec(),
    ]
    .concat();
    check("Content-Encoding: zstd", &two, b"one two", 1, false, false);
}

#[test]
fn takes_a_body_that_is_not_encoded_as_it_is() {
    let page = page();
    for name in ["gzip", "deflate", "br", "zstd"] {
        let head = format!("Content-Encoding: {name}");
        check(&head, &page, &page, 0, true, false);
        check(&head, b"", b"", 0, false, false);
        for first in b'\t'..=b'~' {
            let text =
                [&[first], b" page of text that is not encoded at all, only said to be".as_slice()]
                    .concat();
            if looks_plain(&text) {
                check(&head, &text, &text, 0, true, false);
            }
        }
    }
    // The encoding is listed twice but applied once.
    check("Content-Encoding: gzip, gzip", &gzip(&page), &page, 1, true, false);
    let zipped = gzip(&page);
    // Only one of three listed encodings is right.
    check("Content-Encoding: zstd, gzip, zstd", &zipped, &page, 1, true, false);
}

#[test]
fn a_body_in_another_encoding_than_the_listed_one_is_decoded_by_its_magic_number() {
    let page = page();
    for (listed, body) in [
        ("br", gzip(&page)),
        ("deflate", gzip(&page)),
        ("zstd", gzip(&page)),
        ("gzip", zlib(&page)),
        ("gzip", zstd(&page)),
        ("br", zstd(&page)),
        ("deflate", zstd(&page)),
    ] {
        check(&format!("Content-Encoding: {listed}"), &body, &page, 1, true, false);
    }
    // Without a magic number the body is used unchanged.
    let body = brotli(&page);
    check("Content-Encoding: gzip", &body, &body, 0, true, false);
}

#[test]
fn uses_the_part_before_damage() {
    let page = page();
    for (name, encode) in ENCODERS {
        let encoded = encode(&page);
        let head = format!("Content-Encoding: {name}");
        let half = &encoded[..encoded.len() / 2];
        let found = decode(&head, half).unwrap();
        assert!(found.is_cut && found.decoded_layers == 1, "{name}");
        assert!(page.starts_with(&found.bytes), "{name}");
        assert!(
            found.bytes.len() > page.len() / 4,
            "{name}: {} of {}",
            found.bytes.len(),
            page.len()
        );
    }
    for (name, mut encoded) in [("gzip", gzip(&page)), ("deflate", zlib(&page))] {
        let middle = encoded.len() / 2;
        encoded[middle..middle + 64].fill(0xFF);
        let found = decode(&format!("Content-Encoding: {name}"), &encoded).unwrap();
        assert!(found.bytes.len() > page.len() / 4, "{name}: {}", found.bytes.len());
        assert_eq!(found.bytes[..page.len() / 4], page[..page.len() / 4]);
    }
    // A damaged zstd block costs that block: at most 128 KiB of the page.
    let mut encoded = zstd(&page);
    let end = encoded.len() - 40;
    encoded[end..end + 32].fill(0xFF);
    let found = decode("Content-Encoding: zstd", &encoded).unwrap();
    assert!(found.is_cut && page.starts_with(&found.bytes));
    assert!(
        found.bytes.len() + (128 << 10) >= page.len(),
        "{} of {}",
        found.bytes.len(),
        page.len()
    );
}

#[test]
fn a_wrong_checksum_costs_nothing() {
    let page = page();
    let mut encoded = gzip(&page);
    let crc = encoded.len() - 8;
    encoded[crc] ^= 1;
    check("Content-Encoding: gzip", &encoded, &page, 1, false, false);
    encoded.truncate(crc);
    check("Content-Encoding: gzip", &encoded, &page, 1, false, false);
}

#[test]
fn reads_gzip_headers_with_all_fields() {
    let mut encoded = b"\x1f\x8b\x08\x1f\0\0\0\0\0\xff\x03\0abcname\0comment\0xx".to_vec();
    let header = encoded.len();
    encoded.extend_from_slice(&gzip(b"text")[10..]);
    check("Content-Encoding: gzip", &encoded, b"text", 1, false, false);
    for length in 3..header {
        let found = decode("Content-Encoding: gzip", &encoded[..length]).unwrap();
        assert_eq!((found.bytes.as_slice(), found.is_cut), (b"".as_slice(), true), "{length}");
    }
}

#[test]
fn joins_chunks_then_decodes() {
    let page = page();
    let encoded = gzip(&page);
    let mut chunked = Vec::new();
    for chunk in encoded.chunks(1000) {
        chunked.extend_from_slice(format!("{:X}\r\n", chunk.len()).as_bytes());
        chunked.extend_from_slice(chunk);
        chunked.extend_from_slice(b"\r\n");
    }
    chunked.extend_from_slice(b"0\r\n\r\n");
    let head = "Content-Encoding: gzip\r\nTransfer-Encoding: chunked";
    let found = decode(head, &chunked).unwrap();
    assert!(found.bytes == page && found.chunking == Chunking::Joined);
    let found = decode(head, &encoded).unwrap();
    assert!(found.bytes == page && found.chunking == Chunking::NotChunked);
    let found = decode(head, &page).unwrap();
    assert!(
        found.bytes == page && found.chunking == Chunking::NotChunked && found.has_wrong_encoding
    );
}

#[test]
fn bombs_stop_early() {
    // 1 GiB of zeros is 1 MiB of gzip; sixteen members of 64 MiB are the same and quicker to make.
    let member = gzip(&vec![0; 64 << 20]);
    let bomb = member.repeat(16);
    let frame = zstd(&vec![0; 64 << 20]);
    let start = Instant::now();
    let mut decoder = Decoder::new();
    let limits = Limits::default();
    for (head, body) in [
        ("Content-Encoding: gzip", bomb.clone()),
        ("Content-Encoding: gzip, gzip", gzip(&bomb)),
        ("Content-Encoding: gzip, gzip, gzip", gzip(&gzip(&bomb))),
        ("Content-Encoding: zstd", frame.repeat(16)),
        ("Content-Encoding: zstd, br", brotli(&frame.repeat(16))),
    ] {
        let found = decode_with(&mut decoder, head, &body, &limits);
        assert_eq!(found.err(), Some(BodyFault::Ratio), "{head}");
        assert!(decoder.front.capacity() + decoder.back.capacity() <= 12 << 20, "{head}");
    }
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    // Within the ratio, the limit on size applies.
    let wide = Limits { decode_ratio: 1_000_000, body_bytes: 3_000_000, ..Limits::default() };
    for (head, body) in [
        ("Content-Encoding: gzip", &bomb),
        ("Content-Encoding: zstd", &frame),
        ("A: b", &vec![b'x'; 3_000_001]),
    ] {
        let found = decode_with(&mut decoder, head, body, &wide);
        assert_eq!(found.err(), Some(BodyFault::TooLarge), "{head}");
        assert!(decoder.front.capacity() <= 4 << 20, "{head}");
    }
    let exact = Limits { body_bytes: 3_000_000, ..Limits::default() };
    let text: Vec<u8> = page().into_iter().cycle().take(3_000_000).collect();
    for (name, encoded) in [("gzip", gzip(&text)), ("zstd", zstd(&text)), ("br", brotli(&text))] {
        let head = format!("Content-Encoding: {name}");
        let found = decode_with(&mut decoder, &head, &encoded, &exact);
        assert!(found.unwrap().bytes == text, "{name}");
        let less = Limits { body_bytes: 2_999_999, ..Limits::default() };
        let found = decode_with(&mut decoder, &head, &encoded, &less);
        assert_eq!(found.err(), Some(BodyFault::TooLarge), "{name}");
    }
}

#[test]
fn a_million_empty_members_take_linear_time() {
    let start = Instant::now();
    let found = decode("Content-Encoding: gzip", &gzip(b"").repeat(1_000_000)).unwrap();
    assert_eq!((found.bytes.len(), found.decoded_layers), (0, 1));
    let found = decode("Content-Encoding: zstd", &zstd(b"").repeat(1_000_000)).unwrap();
    assert_eq!((found.bytes.len(), found.decoded_layers), (0, 1));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn too_many_encodings_are_refused_unless_the_body_is_plain() {
    let head = format!("Content-Encoding: {}", "gzip, br, ".repeat(500));
    let found = decode(&head, b"<html>plain").unwrap();
    assert_eq!(
        (found.bytes.as_slice(), found.has_wrong_encoding),
        (b"<html>plain".as_slice(), true)
    );
    assert_eq!(decode(&head, &gzip(b"text")), Err(BodyFault::TooManyEncodings));
}

#[test]
fn the_memory_of_a_large_body_is_freed() {
    let mut decoder = Decoder::new();
    let limits = Limits::default();
    let giant: Vec<u8> = page().into_iter().cycle().take(20 << 20).collect();
    let head = "Content-Encoding: gzip";
    assert!(decode_with(&mut decoder, head, &gzip(&giant), &limits).unwrap().bytes == giant);
    assert!(decoder.front.capacity() >= 20 << 20);
    for _ in 0..2 {
        decode_with(&mut decoder, head, &gzip(b"small"), &limits).unwrap();
    }
    assert!(decoder.front.capacity() + decoder.back.capacity() <= 8 << 20);
}

#[test]
fn says_why_there_is_no_body() {
    let mut block = b"HTTP/1.1 200 OK\r\n".to_vec();
    let limits = Limits::default();
    let (head, body) = Http::split(&mut block, &limits);
    let mut decoder = Decoder::new();
    let found = decoder.decode(&head, body, &limits);
    assert_eq!(found, Err(BodyFault::Head(HeadFault::Unterminated)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn arbitrary_bodies_never_panic(
        mut body: Vec<u8>,
        start in prop::sample::select(vec![&b""[..], b"\x1f\x8b\x08", b"\x78\x9c", b"\x28\xb5\x2f\xfd", b"\x0b"]),
        head in "(Content-Encoding: (gzip|br|deflate|zstd|,){1,5}|Transfer-Encoding: chunked|A: b)",
    ) {
        body.splice(0..0, start.iter().copied());
        let _ = decode(&head, &body);
    }

    #[test]
    fn damaged_bodies_never_panic(at in 0_usize..2000, byte: u8, which in 0_usize..5) {
        let text = &page()[..4000];
        let (name, encode) = ENCODERS[which];
        let mut encoded = encode(text);
        let at = at % encoded.len();
        encoded[at] = byte;
        let _ = decode(&format!("Content-Encoding: {name}"), &encoded);
    }

    #[test]
    fn encodings_come_back(body: Vec<u8>, order in prop::collection::vec(0_usize..5, 0..4)) {
        prop_assume!(!body.is_empty());
        let mut encoded = body.clone();
        let mut names = Vec::new();
        for which in order {
            let (name, encode) = ENCODERS[which];
            encoded = encode(&encoded);
            names.push(name);
        }
        let found = decode(&format!("Content-Encoding: {}", names.join(", ")), &encoded).unwrap();
        prop_assert_eq!(found.bytes, body);
    }
}
