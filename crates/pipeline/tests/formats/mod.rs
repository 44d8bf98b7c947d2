//! Every format: the same rows, the same bytes however the run went, and a folder that verifies.

use crate::support::{TestFolder, assert_same, damaged, sample, settings};
use huller_archive::{Input, Limits};
use huller_extract::EXTRACTORS;
use huller_pipeline::{FolderState, RowKeys, Settings, SilentMonitor, verify};
use huller_row::{Compression, Format, formats::FORMATS};
use serde_json::{Value, json};
use std::fs;
use std::io::Read;
use std::path::PathBuf;

/// Settings of a run in this format, whose rows have everything that is not a text again.
fn settings_of(format: &'static dyn Format) -> Settings {
    let extractors = vec![EXTRACTORS[0], huller_extract::find("pvalue").unwrap()];
    let compression = format.compressions()[0];
    Settings { format, compression, extractors, blocks: true, ..settings() }
}

fn inputs(folder: &tempfile::TempDir) -> Vec<PathBuf> {
    let files = [("a.warc.gz", sample()), ("b.warc.gz", damaged()), ("none.warc", warcinfo())];
    let write = |(name, bytes): (&str, Vec<u8>)| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    files.into_iter().map(write).collect()
}

/// An archive without a page.
fn warcinfo() -> Vec<u8> {
    b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n".to_vec()
}

#[test]
fn runs_of_any_number_of_threads_killed_or_not_write_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = inputs(&folder);
    for format in FORMATS {
        assert_same_however(&inputs, &settings_of(*format), 40);
    }
}

/// Lines of another program, some without an identifier, some no rows.
fn existing_rows(folder: &tempfile::TempDir) -> Vec<PathBuf> {
    let line = |n: u64| match n % 10 {
        9 => "no row\n".to_owned(),
        1 => format!(
            "{{\"raw_content\":\"Text {n}\",\"id\":{n},\"tags\":[{n}],\"score\":\"0.5\"}}\n"
        ),
        _ => {
            let text = format!("Rain number {n}.\n\"Again\", he said. ").repeat(9);
            let row = json!({"text": text, "u": format!("http://a.test/{n}"), "source": {"k": n}, "x": null});
            row.to_string() + "\n"
        }
    };
    let file = |(name, rows): (&str, std::ops::Range<u64>)| {
        let path = folder.path().join(name);
        fs::write(&path, rows.map(line).collect::<String>()).unwrap();
        path
    };
    [("a.jsonl", 0..300), ("b.jsonl", 300..330)].into_iter().map(file).collect()
}

#[test]
fn existing_rows_have_the_same_bytes_in_every_format_however_the_run_went() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = existing_rows(&folder);
    for format in FORMATS.iter().filter(|format| !format.has_records()) {
        let refines = Some(RowKeys::default());
        let settings = Settings {
            refines,
            extractors: vec![EXTRACTORS[0]],
            blocks: false,
            ..settings_of(*format)
        };
        assert_same_however(&inputs, &settings, 290);
        if format.has_fields() {
            let fields = Some(vec!["source", "id", "text"]);
            assert_same_however(&inputs, &Settings { fields, ..settings }, 290);
        }
    }
}

/// Compares a whole run with runs of several threads and with killed ones, and verifies them. Each
/// has more than `rows` rows in two outputs.
fn assert_same_however(inputs: &[PathBuf], settings: &Settings, rows: u64) {
    let name = settings.format.name();
    let whole = TestFolder::new();
    let copies = whole.run_and_copy(inputs, settings);
    let expected = whole.contents();
    let outputs = expected.keys().filter(|name| name.ends_with(settings.suffix())).count();
    assert_eq!(outputs, 2, "{name}: an input without rows gives no output");
    let threads = TestFolder::new();
    threads.run(inputs, settings, 3).unwrap();
    assert_same(&expected, &threads, &format!("{name} with 3 threads"));
    let few = copies.len().div_ceil(6);
    for (place, killed) in copies.iter().enumerate().filter(|(place, _)| place % few == 0) {
        killed.resume(inputs, settings, 1).unwrap();
        assert_same(&expected, killed, &format!("{name} killed at {place}"));
        let found = verify(&killed.out(""), None, &mut SilentMonitor).unwrap();
        // The damaged input is to be told of, so the run is not marked as complete.
        assert!(found.state != FolderState::Damaged && found.rows > rows, "{name}: {found:?}");
    }
}

#[test]
fn what_a_killed_run_left_is_replaced_by_one_in_another_format() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = inputs(&folder);
    for pair in FORMATS.windows(2) {
        let whole = TestFolder::new();
        let jsonl = settings();
        whole.run(&inputs, &jsonl, 1).unwrap();
        let copies = TestFolder::new().run_and_copy(&inputs, &settings_of(pair[1]));
        for killed in copies.iter().skip(3).step_by(copies.len().div_ceil(5)) {
            killed.overwrite(&inputs, &jsonl).unwrap();
            assert_same(&whole.contents(), killed, pair[1].name());
        }
    }
}

#[test]
fn a_limit_cuts_every_format_at_the_same_row() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = inputs(&folder);
    for format in FORMATS {
        for threads in [1, 3] {
            let work = TestFolder::new();
            let settings = Settings { limit: Some(17), ..settings_of(*format) };
            work.run(&inputs, &settings, threads).unwrap();
            let found = verify(&work.out(""), None, &mut SilentMonitor).unwrap();
            assert_eq!((found.rows, found.findings.len()), (17, 0), "{}: {found:?}", format.name());
        }
    }
}

#[test]
fn every_changed_byte_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = inputs(&folder);
    for format in FORMATS {
        let settings = settings_of(*format);
        let work = TestFolder::new();
        work.run(&inputs, &settings, 1).unwrap();
        let path = work.out(&format!("a{}", settings.suffix()));
        let whole = fs::read(&path).unwrap();
        for place in (0..whole.len()).step_by(whole.len().div_ceil(20)) {
            let mut changed = whole.clone();
            changed[place] ^= 0x20;
            fs::write(&path, &changed).unwrap();
            let found = verify(&work.out(""), None, &mut SilentMonitor).unwrap();
            assert_eq!(found.state, FolderState::Damaged, "{} at {place}", format.name());
        }
    }
}

/// The rows of the default output, uncompressed.
fn rows(inputs: &[PathBuf]) -> Vec<Value> {
    let work = TestFolder::new();
    let jsonl = Settings { compression: Compression::None, ..settings_of(FORMATS[0]) };
    work.run(inputs, &jsonl, 1).unwrap();
    let lines = fs::read_to_string(work.out("a.jsonl")).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn output(inputs: &[PathBuf], name: &str, compression: Compression) -> Vec<u8> {
    let format = huller_row::formats::find(name).unwrap();
    let settings = Settings { compression, ..settings_of(format) };
    let work = TestFolder::new();
    work.run(inputs, &settings, 2).unwrap();
    fs::read(work.out(&format!("a{}", settings.suffix()))).unwrap()
}

#[test]
fn csv_and_tsv_have_the_values_of_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = inputs(&folder);
    let rows = rows(&inputs);
    for (name, separator) in [("csv", b','), ("tsv", b'\t')] {
        let file = output(&inputs, name, Compression::None);
        let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(&file[..]);
        let header = reader.headers().unwrap().clone();
        let mut found = 0;
        for (record, row) in reader.records().zip(&rows) {
            let record = record.unwrap();
            assert_eq!(record.len(), row.as_object().unwrap().len());
            for (name, value) in header.iter().zip(&record) {
                match &row[name] {
                    Value::Null => assert_eq!(value, ""),
                    Value::String(text) => assert_eq!(value, text),
                    other => assert_eq!(serde_json::from_str::<Value>(value).unwrap(), *other),
                }
            }
            found += 1;
        }
        assert_eq!(found, rows.len());
    }
}

#[test]
fn wet_is_read_by_our_own_reader_of_archives() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = inputs(&folder);
    let rows = rows(&inputs);
    let path = folder.path().join("a.warc.wet.gz");
    fs::write(&path, output(&inputs, "wet", Compression::DEFAULT_GZIP)).unwrap();
    let mut plain = String::new();
    flate2::read::MultiGzDecoder::new(fs::File::open(&path).unwrap())
        .read_to_string(&mut plain)
        .unwrap();
    let records: Vec<_> = plain.split("WARC/1.0\r\n").skip(2).collect();
    assert_eq!(records.len(), rows.len());
    for (record, row) in records.iter().zip(&rows) {
        let (head, text) = record.split_once("\r\n\r\n").unwrap();
        assert_eq!(text.strip_suffix("\r\n\r\n").unwrap(), row["text"]);
        let lines: Vec<_> = head.split("\r\n").collect();
        // The places that cc_net reads.
        assert_eq!(lines[0], "WARC-Type: conversion");
        assert_eq!(lines[1].strip_prefix("WARC-Target-URI: ").unwrap(), row["url"]);
        assert_eq!(lines[2].strip_prefix("WARC-Date: ").unwrap(), row["date"]);
        assert!(lines[5].starts_with("WARC-Block-Digest: sha1:"));
        let length = lines[7].strip_prefix("Content-Length: ").unwrap();
        assert_eq!(length.parse(), Ok(row["text"].as_str().unwrap().len()));
    }
    let mut input = Input::open(&path, &Limits::default()).unwrap();
    let mut batch = huller_archive::Batch::default();
    while input.next_batch(&mut batch).unwrap() {}
    assert_eq!(input.bytes_read(), fs::metadata(&path).unwrap().len());
}

#[test]
fn text_has_the_texts_of_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = inputs(&folder);
    let file = String::from_utf8(output(&inputs, "text", Compression::None)).unwrap();
    let page = |row: &Value| match row["text"].as_str().unwrap() {
        "" => "\n".to_owned(),
        // An empty line of a text, as in code, is told from the separator by a space.
        text => format!("{}\n\n", text.replace("\n\n", "\n \n")),
    };
    assert_eq!(file, rows(&inputs).iter().map(page).collect::<String>());
}
