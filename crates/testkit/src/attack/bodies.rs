//! HTTP responses whose codings, chunks or headers are wrong, or that expand to 1 GiB.

use super::definition::{Attack, ExpectedOutcome, Scale};
use super::records::{HEAD, mebibytes, numbered, page_of, paragraph};
use crate::pack::{brotli_pieces, chunked, gzip, gzip_at, gzip_pieces, zlib_pieces, zstd_pieces};
use crate::random::Random;
use crate::warc::Http;

/// Returns zeros in pieces: 1 GiB at full size.
fn zeros(scale: Scale) -> impl Iterator<Item = Vec<u8>> {
    let bytes = scale.of(1 << 30);
    mebibytes(bytes >> 20).chain([vec![0; bytes % (1 << 20)]])
}

fn gzip_bomb(scale: Scale) -> Vec<u8> {
    Http::page(gzip_pieces(9, zeros(scale))).encoding("gzip").to_bytes()
}

fn gzip_bomb_html(scale: Scale) -> Vec<u8> {
    let text = std::iter::repeat_n("<p>a".repeat(65_536).into_bytes(), scale.of(4096));
    Http::page(gzip_pieces(9, std::iter::once(HEAD.to_vec()).chain(text)))
        .encoding("gzip")
        .to_bytes()
}

fn nested_gzip(scale: Scale) -> Vec<u8> {
    let body = (0..9).fold(gzip_pieces(9, zeros(scale)), |body, _| gzip_at(&body, 9));
    Http::page(body).encoding(&["gzip"; 10].join(", ")).to_bytes()
}

fn layers(_: Scale) -> Vec<u8> {
    let names = ["gzip", "br", "deflate", "zstd"].repeat(125).join(", ");
    Http::page(page_of("X")).encoding(&names).to_bytes()
}

fn gzip_cut(_: Scale) -> Vec<u8> {
    let body = gzip(&[HEAD, &paragraph("CUTBODY").repeat(200)].concat());
    Http::page(&body[..body.len() / 2]).encoding("gzip").to_bytes()
}

fn two_members(_: Scale) -> Vec<u8> {
    let body = [gzip(&page_of("MEMBERONE")), gzip(&paragraph("MEMBERTWO"))].concat();
    Http::page(body).encoding("gzip").to_bytes()
}

fn bad_checksum(_: Scale) -> Vec<u8> {
    let mut body = gzip(&page_of("BADCRC"));
    let offset = body.len() - 6;
    body[offset] ^= 0xff;
    Http::page(body).encoding("gzip").to_bytes()
}

fn zstd_bomb(scale: Scale) -> Vec<u8> {
    let body = zstd_pieces(27, mebibytes(scale.of(1 << 30) >> 20));
    Http::page(body).encoding("zstd").to_bytes()
}

fn in_chunks(body: Vec<u8>) -> Vec<u8> {
    Http::page(body).chunked().to_bytes()
}

fn tiny_chunks(scale: Scale) -> Vec<u8> {
    let page = [page_of("TINYCHUNK"), vec![b'y'; scale.of(2_000_000)]].concat();
    let mut body: Vec<u8> =
        page.into_iter().flat_map(|byte| [b'1', b'\r', b'\n', byte, b'\r', b'\n']).collect();
    body.extend_from_slice(b"0\r\n\r\n");
    in_chunks(body)
}

fn chunk_extension(_: Scale) -> Vec<u8> {
    let page = page_of("EXTCHUNK");
    let size = format!("{:x};name=\"v;a\r\"\n", page.len());
    in_chunks([size.as_bytes(), &page, b"\r\n0\r\nX-Trailer: 1\r\n"].concat())
}

fn million_headers(scale: Scale) -> Vec<u8> {
    let fields = numbered(|i| format!("X-{i}: y\r\n"), scale.of(1_000_000));
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    [&head[..], &fields, b"\r\n", &page_of("AFTERHDRS")].concat()
}

fn content_type_junk(scale: Scale) -> Vec<u8> {
    let junk = format!("text/html; {}", "charset=\0x; ".repeat(scale.of(90_000)));
    Http::page(page_of("CTJUNK")).content_type(junk).to_bytes()
}

/// The attacks.
pub(super) const ATTACKS: &[Attack] = &[
    // Content codings.
    Attack::block(
        "http-gzip-bomb-1g",
        "1 MB of gzip that becomes 1 GiB of zeros: the reader stops at its limit, counts it, and stays small",
        gzip_bomb,
    )
    .must(ExpectedOutcome::Skip)
    .memory(500),
    Attack::block("http-gzip-bomb-html-1g", "the same with 1 GiB of paragraphs: cut or skipped, and counted", gzip_bomb_html)
        .must(ExpectedOutcome::Skip)
        .memory(500),
    Attack::block("http-deflate-bomb-1g", "the same in `deflate`", |scale| {
        Http::page(zlib_pieces(zeros(scale))).encoding("deflate").to_bytes()
    })
    .must(ExpectedOutcome::Skip)
    .memory(500),
    Attack::block("http-nested-gzip", "a bomb in ten layers of gzip: layers or bytes have a limit", nested_gzip)
        .must(ExpectedOutcome::Skip)
        .memory(500),
    Attack::block("http-ce-500-layers", "500 codings named for a page that has none: no recursion without end", layers),
    Attack::block("http-gzip-lie", "plain HTML that is said to be gzip: taken as it is", |_| {
        Http::page(page_of("PLAINBODY")).encoding("gzip").to_bytes()
    })
    .contains(&["PLAINBODY"]),
    Attack::block("http-gzip-cut", "half a gzip member: what decodes is used, or the record counts as failed", gzip_cut),
    Attack::block("http-gzip-two-members", "a body of two gzip members: both are read", two_members)
        .contains(&["MEMBERONE", "MEMBERTWO"]),
    Attack::block("http-gzip-bad-crc", "gzip with a wrong checksum: the text is used, and the fault noted", bad_checksum),
    Attack::block("http-br-bomb", "brotli that becomes 1 GiB", |scale| {
        Http::page(brotli_pieces(mebibytes(scale.of(1024)))).encoding("br").to_bytes()
    })
    .must(ExpectedOutcome::Skip)
    .memory(500),
    Attack::block("http-br-lie", "random bytes that are said to be brotli", |_| {
        Http::page(Random::new(3).bytes(20_000)).encoding("br").to_bytes()
    }),
    Attack::block("http-zstd-bomb", "zstd that becomes 1 GiB", zstd_bomb).must(ExpectedOutcome::Skip).memory(500),
    // Chunks.
    Attack::block("http-chunk-huge", "a chunk that claims 2^64 - 1 bytes: no overflow, no allocation by it", |_| {
        in_chunks([b"FFFFFFFFFFFFFFFF\r\n", &page_of("CHUNKY")[..]].concat())
    })
    .memory(300),
    Attack::block("http-chunk-negative", "a chunk of -1 bytes: taken as not chunked, or counted as failed", |_| {
        in_chunks([b"-1\r\n", &page_of("CHUNKY")[..], b"\r\n0\r\n\r\n"].concat())
    }),
    Attack::block("http-chunk-lie", "a page that is said to be chunked and is not, as is common in crawls: taken as it is", |_| {
        Http::page(page_of("NOTCHUNKED")).field("Transfer-Encoding: chunked").to_bytes()
    })
    .contains(&["NOTCHUNKED"]),
    Attack::block("http-chunk-tiny", "2 million chunks of one byte: linear", tiny_chunks).contains(&["TINYCHUNK"]),
    Attack::block("http-chunk-ext-trailer", "a chunk with an extension, bare line feeds, a trailer", chunk_extension)
        .contains(&["EXTCHUNK"]),
    Attack::block("http-chunked-gzip", "gzip in chunks: both are undone", |_| {
        let body = chunked(&gzip(&page_of("BOTHWAYS")));
        Http::page(body).chunked().encoding("gzip").to_bytes()
    })
    .contains(&["BOTHWAYS"]),
    // Heads.
    Attack::block("http-header-100mb", "a header line of 100 MB without an end: refused by a limit, counted", |scale| {
        [b"HTTP/1.1 200 OK\r\nX-Long: ", &vec![b'a'; scale.of(100 << 20)][..]].concat()
    })
    .must(ExpectedOutcome::Skip)
    .memory(500),
    Attack::block("http-million-headers", "a million header lines before the page: linear, or refused by a limit", million_headers),
    Attack::block("http-no-header-end", "a head that does not end", |_| {
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html".to_vec()
    })
    .must(ExpectedOutcome::Skip),
    Attack::block("http-status-junk", "a status line without sense", |_| {
        let head = b"HTTP/1.1 99999999999 \xff\xfe\r\nContent-Type: text/html\r\n\r\n";
        [&head[..], &page_of("STATUSJUNK")].concat()
    }),
    Attack::block("http-lf-only", "header lines that end with a bare line feed", |_| {
        [b"HTTP/1.0 200 OK\nContent-Type: text/html\n\n", &page_of("LFONLY")[..]].concat()
    })
    .contains(&["LFONLY"]),
    Attack::block("http-no-http", "a response record whose block is HTML without a head", |_| page_of("NOHTTP")),
    Attack::block("http-http09", "a response record whose block is empty", |_| Vec::new()).must(ExpectedOutcome::Skip),
    Attack::block("http-content-type-junk", "a content type with a megabyte of parameters and NUL bytes", content_type_junk),
    Attack::block("http-binary-as-html", "a picture that is said to be HTML: skipped as binary, and soon", |scale| {
        let picture = Random::new(5).bytes(scale.of(5 << 20));
        Http::page([b"\x89PNG\r\n\x1a\n", &picture[..]].concat()).to_bytes()
    })
    .must(ExpectedOutcome::Skip),
];
