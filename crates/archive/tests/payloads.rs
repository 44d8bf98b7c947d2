//! Payloads of real files, compared with those that two other programs extract.
//!
//! A few lines below, which can read only undamaged files, cut the files into records, so that this
//! tests [`Http`] and [`Decoder`] and nothing else. A record is looked up by the SHA-1 of its
//! block.
#![expect(
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test says what it compared, and panics where it cannot go on"
)]

use data_encoding::HEXLOWER;
use flate2::read::MultiGzDecoder;
use huller_archive::{Decoder, Http, Limits};
use huller_testkit::{needs_shared, shared};
use serde_json::Value;
use sha1::{Digest, Sha1};
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

needs_shared!(payloads_of_confirmed_files);

/// Records whose payload differs on purpose: file, record, why.
const EXCEPTIONS: [(&str, u64, &str); 1] =
    [("CDX-Writer__giant_html.warc.gz", 0, "431 MB, beyond `Limits::body_bytes`")];

#[derive(Default)]
struct Tally {
    files: usize,
    records: usize,
    responses: usize,
    not_cut: usize,
    excepted: usize,
    wrong: Vec<String>,
}

fn payloads_of_confirmed_files() {
    let folder = shared::path("warc");
    let mut expected: Vec<_> = std::fs::read_dir(folder.join("expected")).unwrap().collect();
    expected.sort_by_key(|entry| entry.as_ref().unwrap().path());
    let mut tally = Tally::default();
    for entry in expected {
        let text = std::fs::read(entry.unwrap().path()).unwrap();
        let answer: Value = serde_json::from_slice(&text).unwrap();
        if answer["expected"]["confidence"] == "confirmed" {
            compare(&folder, &answer, &mut tally);
        }
    }
    eprintln!(
        "{} files, {} records ({} with HTTP bodies), {} not cut here, {} excepted, {} wrong",
        tally.files,
        tally.records,
        tally.responses,
        tally.not_cut,
        tally.excepted,
        tally.wrong.len()
    );
    assert!(tally.files >= 100 && tally.responses >= 1000, "too little was compared");
    assert!(tally.not_cut * 50 <= tally.records, "too many records were not cut");
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}

fn compare(folder: &Path, answer: &Value, tally: &mut Tally) {
    let name = answer["name"].as_str().expect("a name");
    let mut blocks = HashMap::new();
    let file = unpack(&std::fs::read(folder.join("files").join(name)).expect("the file"));
    cut(&file, |block| {
        blocks.insert(sha1(block), block.to_vec());
    });
    if blocks.is_empty() {
        return;
    }
    tally.files += 1;
    let (mut decoder, limits) = (Decoder::new(), Limits::default());
    for record in answer["expected"]["records"].as_array().expect("records") {
        let kind = record["type"].as_str().unwrap_or_default();
        let Some(payload) = record["payload_sha1"].as_str() else {
            assert_eq!(kind, "request", "{name}: only requests have no payload");
            continue;
        };
        tally.records += 1;
        let number = record["i"].as_u64().expect("a number");
        let Some(block) = record["block_sha1"].as_str().and_then(|sha1| blocks.get(sha1)) else {
            tally.not_cut += 1;
            continue;
        };
        let mut block = block.clone();
        let (found, problem) = if matches!(kind, "response" | "revisit") {
            tally.responses += 1;
            let (head, body) = Http::split(&mut block, &limits);
            assert_eq!(head.is_html(), record["html"] == true, "{name} {number}");
            let content_type = head.content_type.unwrap_or_default();
            if content_type.is_ascii() {
                let expected = record["http_content_type"].as_str().unwrap_or_default();
                assert_eq!(str::from_utf8(content_type), Ok(expected), "{name} {number}");
            }
            let status = record["http_status"].as_u64();
            assert_eq!(head.status.map(u64::from), status, "{name} {number}");
            match decoder.decode(&head, body, &limits) {
                Ok(body) => (
                    sha1(body.bytes),
                    format!(
                        "{:?} {} {} {}",
                        body.chunking, body.decoded_layers, body.has_wrong_encoding, body.is_cut
                    ),
                ),
                Err(fault) => (sha1(b""), fault.to_string()),
            }
        } else {
            (sha1(&block), String::new())
        };
        if found != payload {
            if EXCEPTIONS.iter().any(|&(file, index, _)| (file, index) == (name, number)) {
                tally.excepted += 1;
                continue;
            }
            tally.wrong.push(format!(
                "{name} {number}: {kind} te {} ce {} expected {} bytes, {} ({problem})",
                record["te"], record["ce"], record["payload_len"], record["notes"]
            ));
        }
    }
}

/// The bytes of a plain file, or the data of all gzip members before the first damaged one.
fn unpack(file: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    if file.starts_with(b"\x1f\x8b") {
        // Damage is tested elsewhere.
        let _ = MultiGzDecoder::new(file).read_to_end(&mut plain);
    } else {
        plain.extend_from_slice(file);
    }
    plain
}

/// Shows the block of every record before the first damage.
fn cut(file: &[u8], mut show: impl FnMut(&[u8])) {
    let mut rest = file;
    loop {
        let start = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        rest = &rest[start..];
        if !rest.get(..5).is_some_and(|magic| magic.eq_ignore_ascii_case(b"WARC/")) {
            return;
        }
        let mut length = None;
        loop {
            let Some(end) = memchr::memchr(b'\n', rest) else { return };
            let line = rest[..end].trim_ascii();
            rest = &rest[end + 1..];
            if line.is_empty() {
                break;
            }
            if let Some(colon) = memchr::memchr(b':', line)
                && line[..colon].eq_ignore_ascii_case(b"content-length")
            {
                let value = str::from_utf8(line[colon + 1..].trim_ascii());
                length = value.ok().and_then(|value| value.parse::<usize>().ok());
            }
        }
        let Some(length) = length else { return };
        let Some((block, after)) = rest.split_at_checked(length) else {
            show(rest);
            return;
        };
        show(block);
        rest = after;
    }
}

fn sha1(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha1::digest(bytes))
}
