//! Archives other than WARC in gzip: ARC, LZ4, WET, segmented records; and the way from a row back
//! to its record.

use crate::support::{
    Huller, ProgramResult, assert_balanced, json_lines, rows, stats, string, temp,
};
use huller_archive::WarcHeader;
use huller_testkit::pack::{gzip, lz4, zstd};
use huller_testkit::{arc, sample};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The pages of the sample as ARC records, after a version block.
fn arc_records() -> Vec<Vec<u8>> {
    let mut records = vec![arc::version_block()];
    records.extend(sample::page_records().iter().map(|record| {
        let header = WarcHeader::parse(record).unwrap();
        let url = std::str::from_utf8(header.target_uri().unwrap()).unwrap();
        let start = header.as_bytes().len();
        let len = usize::try_from(header.content_length().unwrap()).unwrap();
        arc::record(url, "text/html", &record[start..start + len])
    }));
    records
}

/// What pages give, whatever their container: their texts, titles and charsets by address.
fn pages(rows: &[Value]) -> BTreeMap<String, [Value; 4]> {
    let of =
        |row: &Value| ["text", "title", "charset", "content_type"].map(|field| row[field].clone());
    rows.iter().map(|row| (string(row, "url").to_owned(), of(row))).collect()
}

/// Extracts with one and with two workers, which must give the same bytes.
fn extract(input: &Path, stem: &str) -> Vec<Value> {
    let work = temp();
    let outputs = ["1", "2"].map(|workers| {
        let output = work.path().join(workers);
        Huller::extract(input, &output).args(["-j", workers]).run().exits(0);
        assert_balanced(&stats(&output)["total"]);
        output.join(format!("{stem}.jsonl.zst"))
    });
    let [one, two] = outputs.each_ref().map(|path| std::fs::read(path).unwrap());
    assert!(one == two, "one worker and two give other bytes");
    rows(&outputs[0])
}

fn get(input: &Path, row: &Value, what: &str) -> ProgramResult {
    let offset = row["warc_record_offset"].as_u64().unwrap().to_string();
    Huller::new().arg("get").arg(input).args([offset.as_str(), what]).run().exits(0)
}

#[test]
fn arc_gives_the_rows_that_the_same_pages_give_in_warc() {
    let folder = temp();
    let warc = folder.path().join("sample.warc");
    std::fs::write(&warc, sample::page_records().concat()).unwrap();
    let expected = pages(&extract(&warc, "sample"));
    assert!(expected.len() > 30);
    let records = arc_records();
    let each = |pack: fn(&[u8]) -> Vec<u8>| records.iter().flat_map(|r| pack(r)).collect();
    let forms: [(&str, Vec<u8>); 5] = [
        ("a.arc", records.concat()),
        ("a.arc.gz", each(gzip)),
        ("a.arc.zst", each(zstd)),
        ("a.arc.lz4", each(lz4)),
        ("whole.arc.gz", gzip(&records.concat())),
    ];
    for (name, bytes) in forms {
        let input = folder.path().join(name);
        std::fs::write(&input, bytes).unwrap();
        let rows = extract(&input, name.split('.').next().unwrap());
        assert_eq!(pages(&rows), expected, "{name}");
        for row in &rows {
            assert_eq!(row["date"], "2024-02-29T12:00:00Z");
            assert_eq!(row["warc_record_offset"].is_null(), name.starts_with("whole"));
        }
        if !name.starts_with("whole") {
            let row = &rows[rows.len() / 2];
            let text = get(&input, row, "--text");
            assert_eq!(text.text().trim_end_matches('\n'), string(row, "text"), "{name}");
        }
    }
}

#[test]
fn a_folder_of_arc_and_lz4_files_is_read() {
    let folder = temp();
    std::fs::write(folder.path().join("a.arc.gz"), gzip(&arc_records()[1])).unwrap();
    std::fs::write(folder.path().join("b.warc.lz4"), lz4(&sample::page_records()[0])).unwrap();
    let output = temp();
    Huller::extract(folder.path(), output.path().join("out")).run().exits(0);
    assert_eq!(stats(&output.path().join("out"))["total"]["written"], 2);
}

#[test]
fn texts_of_wet_files_become_rows_as_they_are() {
    let folder = temp();
    let input = folder.path().join("a.warc.wet.gz");
    let record = |fields: &str, block: &str| {
        let header = format!(
            "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://site.example/\r\nWARC-Date: 2024-02-29T12:00:00Z\r\n{fields}Content-Length: {}\r\n\r\n",
            block.len()
        );
        gzip(format!("{header}{block}\r\n\r\n").as_bytes())
    };
    let bytes = [
        record("Content-Type: text/plain\r\n", "A title\r\n\r\n<p>is no tag\u{200b}\nEnd \u{e9}\n"),
        record("Content-Type: image/png\r\n", "PNG"),
    ];
    std::fs::write(&input, bytes.concat()).unwrap();
    let options = ["-o", "-", "--extractor", "hull,pvalue", "--markdown", "--html", "--blocks"];
    let ran = Huller::new().arg("extract").arg(&input).args(options).run().exits(0);
    let rows = json_lines(ran.text().as_bytes());
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    let text = "A title\n<p>is no tag\nEnd \u{e9}";
    assert_eq!((string(row, "text"), string(row, "extractor")), (text, "none"));
    assert_eq!(row["texts"], serde_json::json!({"hull": text, "pvalue": text}));
    for (field, value) in [
        ("url", "http://site.example/"),
        ("date", "2024-02-29T12:00:00Z"),
        ("charset", "utf-8"),
        ("charset_source", "default"),
        ("content_type", "text/plain"),
        ("markdown", ""),
        ("html", ""),
    ] {
        assert_eq!(row[field], value, "{field}");
    }
    for field in ["title", "score", "page_type", "has_article", "status", "comments"] {
        assert!(row[field].is_null(), "{field}: {}", row[field]);
    }
    let output = folder.path().join("out");
    Huller::extract(&input, &output).run().exits(0);
    assert_eq!(stats(&output)["total"]["skipped"]["conversion"], 1);
}

#[test]
fn a_row_leads_back_to_its_record_page_and_text() {
    let input = sample::archive();
    let ran = Huller::new().arg("extract").arg(&input).args(["-o", "-"]).run().exits(0);
    let rows = json_lines(ran.text().as_bytes());
    let row = &rows[rows.len() / 2];
    let record = get(&input, row, "--record");
    let header = WarcHeader::parse(&record.stdout).unwrap();
    assert_eq!(header.record_id(), Some(string(row, "id").as_bytes()));
    let length = header.as_bytes().len() as u64 + header.content_length().unwrap();
    assert_eq!(record.stdout.len() as u64, length);
    let text = get(&input, row, "--text");
    assert_eq!(text.text().strip_suffix('\n'), Some(string(row, "text")));
    assert!(get(&input, row, "--page").stdout.contains(&b'<'));
    // Where there is no member, the place in the stream leads back.
    let folder = temp();
    let whole = folder.path().join("whole.warc.gz");
    std::fs::write(&whole, gzip(&sample::records().concat())).unwrap();
    let ran = Huller::new().arg("extract").arg(&whole).args(["-o", "-"]).run().exits(0);
    let row = &json_lines(ran.text().as_bytes())[3];
    let offset = row["stream_offset"].as_u64().unwrap().to_string();
    let get = |args: &[&str]| Huller::new().arg("get").arg(&whole).args(args).run();
    let text = get(&[&offset, "--stream", "--text"]).exits(0);
    assert_eq!(text.text().strip_suffix('\n'), Some(string(row, "text")));
    get(&["7"]).exits(1).says("begins at byte 7").says("`huller records` lists");
    get(&[&offset, "--text", "--page"]).exits(2);
}

#[test]
fn records_are_listed_by_type_status_url_and_media_type() {
    let list = |args: &[&str]| {
        Huller::new()
            .args(["records", "--json"])
            .arg(sample::archive())
            .args(args)
            .run()
            .exits(0)
            .rows()
    };
    let all = list(&[]);
    let count = |what: &dyn Fn(&Value) -> bool| all.iter().filter(|record| what(record)).count();
    let responses = list(&["--type", "response"]);
    assert_eq!(responses.len(), count(&|record| record["type"] == "response"));
    assert!(responses.len() < all.len());
    let both = list(&["--type", "response,request"]);
    assert_eq!(both.len(), responses.len() + count(&|record| record["type"] == "request"));
    let ok = list(&["--status", "2xx"]);
    let is_ok = |record: &Value| record["status"].as_u64().is_some_and(|s| (200..300).contains(&s));
    assert_eq!(ok.len(), count(&is_ok));
    let html = list(&["--mime", "text/html", "--status", "200"]);
    assert!(!html.is_empty() && html.iter().all(|record| record["status"] == 200));
    let uri = string(&html[0], "uri");
    assert!(list(&["--url", uri]).iter().all(|record| string(record, "uri").contains(uri)));
    Huller::new().args(["records", "--status", "ok"]).arg(sample::archive()).run().exits(2);
}
