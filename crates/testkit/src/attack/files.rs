//! Inputs that are not archives, or whose format differs from their name.

use super::definition::{Attack, ExpectedOutcome};
use super::records::{ALPHA, OMEGA, Records, good_page};
use crate::pack::gzip;
use crate::random::Random;
use std::fs;
use std::io::{self, Write};

const TEXT: &str = "Hello, this is not a WARC.\n";

/// Returns a line of JSON with a good page.
fn line(mark: &str) -> String {
    let page = serde_json::Value::from(good_page(mark));
    format!("{{\"url\": \"http://example.test/{mark}\", \"html\": {page}}}")
}

/// The attacks.
pub(super) const ATTACKS: &[Attack] = &[
    Attack::file("file-zero-length", "no bytes: counted as an empty input", |path, _| {
        fs::write(path, b"")
    }),
    Attack::file("file-zero-length-plain", "no bytes", |path, _| fs::write(path, b""))
        .extension(".warc"),
    Attack::file("file-directory", "a folder in a file's place: a clear message", |path, _| {
        fs::create_dir_all(path)
    }),
    Attack::file("file-broken-link", "a link to nothing: a clear message", |path, _| {
        std::os::unix::fs::symlink("/nonexistent/x", path)
    }),
    Attack::file("file-png", "a picture: a clear message", |path, _| {
        fs::write(path, [b"\x89PNG\r\n\x1a\n", &Random::new(1).bytes(100_000)[..]].concat())
    }),
    Attack::file("file-text", "plain text: a clear message", |path, _| {
        fs::write(path, TEXT.repeat(1000))
    })
    .extension(".warc"),
    Attack::file("file-html", "a page of HTML: a clear message", |path, _| {
        fs::write(path, good_page("NOTWARC"))
    })
    .extension(".warc"),
    Attack::file("file-gz-text", "plain text in gzip: a clear message", |path, _| {
        fs::write(path, gzip(TEXT.repeat(1000).as_bytes()))
    }),
    Attack::file(
        "file-plain-named-gz",
        "an archive without compression that is called .gz: read by its first bytes",
        |path, _| {
            let records = &mut Records::default();
            fs::write(path, [records.alpha(), records.omega()].concat())
        },
    )
    .must(ExpectedOutcome::Extract)
    .good(&[ALPHA, OMEGA])
    .records(2),
    Attack::file(
        "file-gz-named-plain",
        "an archive in gzip that is called .warc: read by its first bytes",
        |path, _| {
            let records = &mut Records::default();
            fs::write(path, [gzip(&records.alpha()), gzip(&records.omega())].concat())
        },
    )
    .extension(".warc")
    .must(ExpectedOutcome::Extract)
    .good(&[ALPHA, OMEGA])
    .records(2),
    Attack::file(
        "file-gz-header-only",
        "the header of a gzip member and nothing else",
        |path, _| fs::write(path, b"\x1f\x8b\x08\0\0\0\0\0\0\x03"),
    ),
    Attack::file("file-two-bytes", "the first two bytes of gzip", |path, _| {
        fs::write(path, b"\x1f\x8b")
    }),
    Attack::file("file-one-byte", "the first byte of WARC", |path, _| fs::write(path, b"W"))
        .extension(".warc"),
    Attack::file("file-magic-only", "a version line without an end", |path, _| {
        fs::write(path, b"WARC/1.0")
    })
    .extension(".warc"),
    Attack::file("file-zeros-10mb", "10 MB of NUL", |path, scale| {
        fs::write(path, vec![0; scale.of(10 << 20)])
    })
    .extension(".warc"),
    Attack::file(
        "file-newlines-100mb",
        "100 MB of empty lines: linear, and small",
        |path, scale| fs::write(path, b"\r\n".repeat(scale.of(100) << 19)),
    )
    .extension(".warc"),
    Attack::file(
        "file-bom-before",
        "a byte order mark before the first record: the reader finds the next",
        |path, _| {
            let records = &mut Records::default();
            fs::write(path, [b"\xef\xbb\xbf", &records.alpha()[..], &records.omega()].concat())
        },
    )
    .extension(".warc")
    .must(ExpectedOutcome::Extract)
    .good(&[OMEGA])
    .any_records(),
    Attack::file(
        "file-jsonl-mixed",
        "lines that are cut, too deep, too long, or no objects: each counted, the good ones kept",
        |path, scale| {
            let mut file = fs::File::create(path)?;
            let long = format!("{{\"url\":\"x\",\"html\":\"{}\"}}", "y".repeat(scale.of(50 << 20)));
            for line in [
                line(ALPHA).as_bytes(),
                b"{\"url\":\"x\",\"html\":\"<p>cut",
                b"{\"url\":1e400,\"html\":5}",
                b"{\"url\":\"x\",\"html\":\"\\ud800 \\udfff <p>x\"}",
                b"{\"url\":\"x\0y\",\"html\":\"a\0b\"}",
                b"",
                b"   ",
                long.as_bytes(),
                b"[1,2,3]",
                b"null",
                "[".repeat(scale.of(1_000_000)).as_bytes(),
                "{\"a\":".repeat(scale.of(300_000)).as_bytes(),
                b"\xff\xfe{\"html\":\"x\"}",
                b"{\"html\":\"no url\"}",
                b"{\"url\":\"dup\",\"html\":\"a\",\"html\":\"b\"}",
                line(OMEGA).as_bytes(),
            ] {
                file.write_all(line)?;
                file.write_all(b"\n")?;
            }
            Ok::<(), io::Error>(())
        },
    )
    .extension(".jsonl")
    .must(ExpectedOutcome::Skip)
    .good(&[ALPHA, OMEGA])
    .any_records(),
];
