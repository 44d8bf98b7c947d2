//! Which records are pages, whether a page is whole, and how its bytes were read.

use crate::support::{Huller, assert_balanced, json_lines, rows, stats, string, temp};
use huller_testkit::pack::gzip;
use huller_testkit::warc::{Http, record, record_with};
use serde_json::{Value, json};
use sha1::{Digest, Sha1};

const PAGE: &str =
    "<!DOCTYPE html><title>Rain</title><p>It rained all day, and the river rose by a foot.</p>";

/// Rows, account and rejects of an archive.
fn extracted(archive: &[u8], more: &[&str]) -> (Vec<Value>, Value, Vec<Value>) {
    let folder = temp();
    let (input, output) = (folder.path().join("x.warc"), folder.path().join("out"));
    let rejects = folder.path().join("rejects");
    std::fs::write(&input, archive).unwrap();
    let run = Huller::extract(&input, &output).args(["--extractor", "body"]).args(more);
    run.arg("--rejects").arg(&rejects).run().exits(0);
    let total = stats(&output)["total"].clone();
    assert_balanced(&total);
    let path = output.join("x.jsonl.zst");
    let rows = if path.exists() { rows(path) } else { Vec::new() };
    (rows, total, json_lines(&std::fs::read(rejects).unwrap()))
}

fn response(fields: &str, http: &Http) -> Vec<u8> {
    let block = http.to_bytes();
    record_with("response", &block.len().to_string(), fields, &block)
}

/// `truncated` of the one row of an archive.
fn truncated(archive: &[u8]) -> Value {
    let (rows, total, _) = extracted(archive, &[]);
    assert_eq!(rows.len(), 1, "{total}");
    assert!(string(&rows[0], "text").contains("It rained"), "{}", rows[0]);
    rows[0]["truncated"].clone()
}

#[test]
fn case_13_bytes_that_are_no_text_are_skipped_as_binary() {
    let png = [b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR".as_slice(), &[7; 3000]].concat();
    let bodies: [&[u8]; 5] =
        [&png, b"%PDF-1.7\n1 0 obj", &gzip(PAGE.as_bytes()), b"PK\x03\x04\x14\0", b"ID3\x04\0\0"];
    let mut archive = response("", &Http::page(PAGE));
    for body in bodies {
        archive.extend(response("", &Http::page(body)));
    }
    let (rows, total, rejects) = extracted(&archive, &[]);
    assert_eq!((rows.len(), &total["skipped"]), (1, &json!({ "binary": 5 })));
    assert!(rejects.len() == 5 && rejects.iter().all(|reject| reject["reason"] == "binary"));

    let folder = temp();
    let pages = folder.path().join("pages");
    std::fs::create_dir(&pages).unwrap();
    std::fs::write(pages.join("a.html"), PAGE).unwrap();
    std::fs::write(pages.join("b.html"), &png).unwrap();
    let output = folder.path().join("out");
    Huller::extract(&pages, &output).run().exits(0);
    let total = &stats(&output)["total"];
    assert_eq!((&total["written"], &total["skipped"]["binary"]), (&json!(1), &json!(1)));
}

#[test]
fn case_16_a_page_that_http_calls_html_is_extracted_whatever_the_crawler_guessed() {
    let xhtml = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<html xmlns=\"x\">{PAGE}");
    let mut archive = Vec::new();
    for guess in ["text/xml", "unk", "", "application/octet-stream"] {
        let fields = format!("WARC-Identified-Payload-Type: {guess}\r\n");
        archive.extend(response(&fields, &Http::page(xhtml.as_str())));
    }
    for content_type in ["text/html, text/html", "text/html charset=utf-8"] {
        archive.extend(response("", &Http::page(PAGE).content_type(content_type)));
    }
    let untyped = format!("HTTP/1.1 200 OK\r\n\r\n{xhtml}");
    archive.extend(record("response", untyped.as_bytes()));
    let (rows, total, _) = extracted(&archive, &[]);
    assert_eq!(rows.len(), 7, "{total}");

    // XHTML on standard input.
    let args = ["extract", "-", "-o", "-", "--extractor", "body"];
    let found = Huller::new().args(args).stdin(xhtml).run().exits(0).rows();
    assert!(string(&found[0], "text").contains("It rained"), "{found:?}");
}

/// A page that is still long where half of its compressed bytes are gone.
fn long_page() -> String {
    let paragraphs: Vec<String> = (0..20_000_u64).map(|n| format!("<p>{}", n * n)).collect();
    PAGE.to_owned() + &paragraphs.concat()
}

#[test]
fn case_17_a_page_that_is_not_whole_says_why() {
    assert_eq!(truncated(&response("", &Http::page(PAGE))), Value::Null);
    for (value, name) in [("length", "warc_length"), ("disconnect", "warc_disconnect")] {
        let fields = format!("WARC-Truncated: {value}\r\n");
        assert_eq!(truncated(&response(&fields, &Http::page(PAGE))), name);
    }
    let long = long_page();
    let packed = gzip(long.as_bytes());
    let cut = Http::page(&packed[..packed.len() / 2]).encoding("gzip");
    assert_eq!(truncated(&response("", &cut)), "body");
    let short =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9999\r\n\r\n{PAGE}");
    assert_eq!(truncated(&record("response", short.as_bytes())), "body");
    assert_eq!(truncated(&response("", &Http::page(PAGE).status("206 Partial Content"))), "range");
}

#[test]
fn case_17_a_response_that_the_files_end_cuts_gives_the_page_that_is_there() {
    let long = long_page();
    let (first, last) = (record("metadata", b"x"), response("", &Http::page(long)));
    for pack in [<[u8]>::to_vec, gzip as fn(&[u8]) -> Vec<u8>] {
        let packed = pack(&last);
        let archive = [pack(&first), packed[..packed.len() / 2].to_vec()].concat();
        assert_eq!(truncated(&archive), "body");
        let (rows, total, rejects) = extracted(&archive, &[]);
        assert_eq!(total["repaired"], json!({ "truncated": 1 }));
        assert!(rejects.iter().all(|reject| reject["reason"] != "truncated"), "{rejects:?}");
        let row = &rows[0];
        assert_eq!(row["warc_record_offset"], pack(&first).len());
        assert_eq!(row["warc_record_length"], packed.len() / 2);
        let (_, total, _) = extracted(&archive, &["--limit", "5"]);
        assert_eq!((&total["written"], &total["repaired"]["truncated"]), (&json!(1), &json!(1)));
    }
    // What is no page stays a failed record.
    let image = response("", &Http::page(vec![b'x'; 3000]).content_type("image/png"));
    let page = response("", &Http::page(PAGE));
    let (_, total, _) = extracted(&[page, image[..image.len() - 1000].to_vec()].concat(), &[]);
    assert_eq!(total["failed"], json!({ "truncated": 1 }));
}

#[test]
fn case_18_a_charset_that_cannot_be_right_is_overruled_and_replacements_are_counted() {
    let latin = b"<p>Les \xE9l\xE8ves pr\xE9f\xE8rent le caf\xE9 cr\xE8me \xE0 la th\xE9i\xE8re";
    let (rows, ..) = extracted(&response("", &Http::page(latin.as_slice())), &[]);
    let row = &rows[0];
    assert_eq!(row["text"], "Les élèves préfèrent le café crème à la théière");
    let how = (&row["charset"], &row["charset_source"], &row["replaced"]);
    assert_eq!(how, (&json!("windows-1252"), &json!("overruled"), &json!(0)));

    let damaged = ["<p>Les élèves préfèrent le ".as_bytes(), b"caf\xE9"].concat();
    let (rows, ..) = extracted(&response("", &Http::page(damaged)), &[]);
    let row = &rows[0];
    assert_eq!((string(row, "charset_source"), &row["replaced"]), ("http", &json!(1)));
}

#[test]
fn case_19_a_transfer_encoding_is_undone() {
    let packed = gzip(PAGE.as_bytes());
    let chunks = [format!("{:x}\r\n", packed.len()).as_bytes(), &packed, b"\r\n0\r\n\r\n"].concat();
    let (plain, chunked) = (
        Http::page(packed.as_slice()).field("Transfer-Encoding: gzip"),
        Http::page(chunks).field("Transfer-Encoding: gzip").chunked(),
    );
    let archive = [response("", &plain), response("", &chunked)].concat();
    let (rows, total, _) = extracted(&archive, &[]);
    assert_eq!(rows.len(), 2, "{total}");
    for row in &rows {
        assert!(string(row, "text").contains("It rained") && row["truncated"].is_null(), "{row}");
    }
}

#[test]
fn case_19_the_digest_is_that_of_the_stored_payload() {
    let packed = gzip(PAGE.as_bytes());
    let sha1 =
        |bytes: &[u8]| format!("sha1:{}", data_encoding::BASE32.encode(&Sha1::digest(bytes)));
    let http = Http::page(packed.as_slice()).encoding("gzip");
    let empty = response("WARC-Payload-Digest:\r\n", &http);
    let (rows, ..) = extracted(&empty, &["--digest"]);
    assert_eq!(rows[0]["digest"], sha1(&packed));
    let (rows, ..) = extracted(&empty, &[]);
    assert_eq!(rows[0]["digest"], Value::Null);
    let chunks = [format!("{:x}\r\n", packed.len()).as_bytes(), &packed, b"\r\n0\r\n\r\n"].concat();
    let chunked = Http::page(chunks).encoding("gzip").chunked();
    let (rows, ..) = extracted(&response("", &chunked), &["--digest"]);
    assert_eq!(rows[0]["digest"], sha1(&packed));
    let other = response("WARC-Payload-Digest: sha256:00ff\r\n", &http);
    assert_eq!(extracted(&other, &[]).0[0]["digest"], "sha256:00ff");
    assert_eq!(extracted(&other, &["--digest"]).0[0]["digest"], sha1(&packed));
}
