//! Any block as a response, and bodies that the target encodes itself. Decoding gives the original
//! body.

#![no_main]

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use huller_archive::{BodyFault, Chunking, Decoder, Http, Limits};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use std::io::Write;

thread_local! {
    /// A decoder that read all earlier bodies.
    static USED: RefCell<Decoder> = RefCell::default();
}

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    Block(&'a [u8]),
    /// A correctly encoded body, possibly cut or changed in one byte afterwards.
    Wrapped {
        wraps: Vec<Wrap>,
        chunks: Option<Vec<u8>>,
        body: &'a [u8],
        cut: Option<u16>,
        change: Option<(u16, u8)>,
    },
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Wrap {
    Gzip,
    Zlib,
    Deflate,
}

fuzz_target!(|input: Input| {
    let limits =
        Limits { header_bytes: 4096, body_bytes: 1 << 20, decode_ratio: 100, ..Limits::default() };
    match input {
        Input::Block(block) => {
            let _ = decode(block, &limits);
        }
        Input::Wrapped { mut wraps, chunks, body, cut, change } => {
            wraps.truncate(limits.content_encodings);
            let mut block = wrap(&wraps, chunks.as_deref(), body);
            let sound = cut.is_none() && change.is_none();
            if let Some((at, value)) = change {
                let at = usize::from(at) % block.len();
                block[at] = value;
            }
            block.truncate(cut.map_or(usize::MAX, usize::from));
            let decoded = decode(&block, &limits);
            // Raw deflate has no signature, and a body may look encoded by chance; only gzip is
            // certain.
            if sound
                && !body.is_empty()
                && !wraps.iter().any(|wrap| matches!(wrap, Wrap::Deflate | Wrap::Zlib))
            {
                let (bytes, chunking) = decoded.expect("a sound body is read");
                assert_eq!(bytes, body, "the body comes out as it went in");
                assert_eq!(
                    chunking,
                    if chunks.is_some() { Chunking::Joined } else { Chunking::None }
                );
            }
        }
    }
});

/// Splits and decodes with a new decoder and with the used one, which must agree.
fn decode(block: &[u8], limits: &Limits) -> Result<(Vec<u8>, Chunking), BodyFault> {
    let fresh = decode_with(&mut Decoder::new(), block, limits);
    let used = USED.with_borrow_mut(|decoder| decode_with(decoder, block, limits));
    assert_eq!(fresh, used, "a body must not depend on those before it");
    fresh
}

fn decode_with(
    decoder: &mut Decoder,
    block: &[u8],
    limits: &Limits,
) -> Result<(Vec<u8>, Chunking), BodyFault> {
    let parsed = Http::parse(block, limits);
    let mut bytes = block.to_vec();
    let (head, body) = Http::split(&mut bytes, limits);
    // Splitting makes one line of a folded Content-Type, in place.
    if parsed.content_type.is_some_and(|value| value.contains(&b'\n')) {
        assert_eq!((head.status, head.body), (parsed.status, parsed.body), "the same head");
    } else {
        assert_eq!(head, parsed, "splitting reads the same head");
    }
    assert_eq!(
        head.body.unwrap_or(block.len()) + body.len(),
        block.len(),
        "head and body are the block"
    );
    assert!(head.body.is_ok() || body.is_empty());
    assert!(head.status.is_none_or(|status| (100..1000).contains(&status)));
    assert!(!head.is_html() || head.resembles_html());
    let _ = head.charset();
    let decoded = decoder.decode(&head, body, limits)?;
    assert!(decoded.bytes.len() <= limits.body_bytes);
    assert!(decoded.decoded_layers <= limits.content_encodings);
    assert!(head.chunked || decoded.chunking == Chunking::None);
    Ok((decoded.bytes.to_vec(), decoded.chunking))
}

/// Returns a response whose head describes its body correctly.
fn wrap(wraps: &[Wrap], chunks: Option<&[u8]>, body: &[u8]) -> Vec<u8> {
    let mut body = body.to_vec();
    let mut block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n".to_vec();
    for wrap in wraps {
        let (name, wrapped) = match wrap {
            Wrap::Gzip => (
                "gzip",
                finish(GzEncoder::new(Vec::new(), Compression::fast()), &body, GzEncoder::finish),
            ),
            Wrap::Zlib => (
                "deflate",
                finish(
                    ZlibEncoder::new(Vec::new(), Compression::fast()),
                    &body,
                    ZlibEncoder::finish,
                ),
            ),
            Wrap::Deflate => (
                "deflate",
                finish(
                    DeflateEncoder::new(Vec::new(), Compression::fast()),
                    &body,
                    DeflateEncoder::finish,
                ),
            ),
        };
        block.extend_from_slice(format!("Content-Encoding: {name}\r\n").as_bytes());
        body = wrapped;
    }
    let Some(sizes) = chunks else {
        block.extend_from_slice(b"\r\n");
        block.extend_from_slice(&body);
        return block;
    };
    block.extend_from_slice(b"Transfer-Encoding: chunked\r\n\r\n");
    let mut sizes = sizes.iter().cycle();
    let mut rest = body.as_slice();
    while !rest.is_empty() {
        let size = sizes.next().map_or(rest.len(), |size| usize::from(*size) + 1).min(rest.len());
        block.extend_from_slice(format!("{size:x}\r\n").as_bytes());
        block.extend_from_slice(&rest[..size]);
        block.extend_from_slice(b"\r\n");
        rest = &rest[size..];
    }
    block.extend_from_slice(b"0\r\n\r\n");
    block
}

fn finish<W: Write>(
    mut encoder: W,
    body: &[u8],
    finish: impl FnOnce(W) -> std::io::Result<Vec<u8>>,
) -> Vec<u8> {
    encoder.write_all(body).expect("memory takes all");
    finish(encoder).expect("memory takes all")
}
