//! Runs the program, and checks that every peer sees all pages of a corpus.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

const PAGES: u64 = 9;

fn record(number: u64, content_type: &str) -> String {
    let text = format!("Sentence {number} of a page, with a comma. ").repeat(30);
    let http = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n\
         <!DOCTYPE html><title>Page {number}</title><article><p>{text}</p></article>"
    );
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
         WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n\
         WARC-Target-URI: http://a.example/{number}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n\
         {http}\r\n\r\n",
        http.len()
    )
}

/// Returns records of pages, and one response that is not a page.
fn records() -> Vec<String> {
    let pages = (0..PAGES).map(|number| record(number, "text/html"));
    pages.chain([record(PAGES, "image/png")]).collect()
}

/// Makes a folder for one test, with a corpus of these records as members.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut members = Vec::new();
    for record in records() {
        let mut member = GzEncoder::new(&mut members, Compression::default());
        member.write_all(record.as_bytes()).unwrap();
        member.finish().unwrap();
    }
    fs::write(folder.join("c.warc.gz"), members).unwrap();
    folder
}

fn peer(folder: &Path, arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_peer"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_peer_sees_every_page() {
    let folder = folder("every_peer_sees_every_page");
    for arguments in [
        &["fastwarc", "c.warc.gz"][..],
        &["warc", "c.warc.gz"],
        &["tl", "c.warc.gz"],
        &["lol_html", "c.warc.gz"],
        &["html5ever", "c.warc.gz"],
        &["dom_smoothie", "c.warc.gz", "out.jsonl"],
        &["huller-path", "c.warc.gz", "huller-path.jsonl"],
        &["tl-tree", "c.warc.gz", "tl-tree.jsonl"],
        &["warc-pipeline", "c.warc.gz", "warc-pipeline.jsonl"],
        &["extract-mem", "tl", "c.warc.gz"],
        &["extract-mem", "dom_smoothie", "c.warc.gz"],
        &["extract-mem", "tl-tree", "c.warc.gz"],
        &["extract-mem", "huller-pvalue", "c.warc.gz"],
    ] {
        let line = peer(&folder, arguments);
        assert_eq!(line["pages"], PAGES, "{line}");
        assert_eq!(line["records"], PAGES + 1, "{line}");
        assert_eq!(line["errors"], 0, "{line}");
    }
    let rows = fs::read_to_string(folder.join("out.jsonl")).unwrap();
    assert_eq!(rows.lines().count() as u64, PAGES);
    assert!(rows.contains("Sentence 3 of a page"));
    // On plain pages, a replaced part does not change the rows.
    let own = fs::read_to_string(folder.join("huller-path.jsonl")).unwrap();
    assert!(own.lines().count() as u64 == PAGES && own.contains("Sentence 3 of a page"));
    for other in ["tl-tree.jsonl", "warc-pipeline.jsonl"] {
        assert_eq!(fs::read_to_string(folder.join(other)).unwrap(), own, "{other}");
    }
}

#[test]
fn limit_inflates_every_member() {
    let folder = folder("limit_inflates_every_member");
    let raw: usize = records().iter().map(String::len).sum();
    let line = peer(&folder, &["inflate", "c.warc.gz"]);
    assert_eq!(line["records"], PAGES + 1);
    assert_eq!(line["body_mb"].as_f64(), Some(raw as f64 / 1e6));
}

#[test]
fn a_cut_file_is_an_error() {
    let folder = folder("a_cut_file_is_an_error");
    let bytes = fs::read(folder.join("c.warc.gz")).unwrap();
    fs::write(folder.join("cut.warc.gz"), &bytes[..bytes.len() - 20]).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_peer"))
        .args(["inflate", "cut.warc.gz"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stderr.ends_with(b"member 9 is cut or broken\n"));
}
