//! Files of rows as people have them: with marks, in other containers, under other names, damaged,
//! and in other schemas.

use crate::support::{TestFolders, dedup, numbers, row, rows, threads};
use huller_dedup::{DedupStep, Settings, Summary};
use huller_refine::RejectionKind;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// What becomes of one file.
fn of_file(place: &TestFolders, corpus: PathBuf, settings: &Settings) -> Summary {
    dedup(&[corpus], &place.path("out"), settings, &threads(2)).unwrap()
}

fn lines(count: u64) -> String {
    (0..count).map(|n| row(n, &format!("text number {n} of its own")).to_string() + "\n").collect()
}

#[test]
fn a_byte_order_mark_costs_no_row() {
    let place = TestFolders::new();
    let corpus = place.write("a.jsonl", format!("\u{feff}{}", lines(3)).as_bytes());
    let summary = of_file(&place, corpus, &Settings::default());
    assert_eq!((summary.inputs[0].counters.records, summary.inputs[0].counters.written), (3, 3));
    assert_eq!(numbers(&place.path("out/a.jsonl")), [0, 1, 2]);
}

#[test]
fn an_array_an_archive_and_a_page_name_the_remedy() {
    for (content, remedy) in [
        ("[\n{\"text\":\"a\"},\n{\"text\":\"b\"}\n]\n", "jq"),
        ("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 1\r\n\r\nx\r\n\r\n", "huller extract"),
        ("<!DOCTYPE html><p>x", "an HTML page"),
    ] {
        let place = TestFolders::new();
        let corpus = place.write("a.jsonl", content.as_bytes());
        let summary = of_file(&place, corpus, &Settings::default());
        assert_eq!(summary.unusable.len(), 1, "{remedy}");
        assert!(summary.unusable[0].error.contains(remedy), "{:?}", summary.unusable);
        assert!(!place.path("out/_SUCCESS").exists());
    }
}

#[test]
fn a_hole_is_counted_and_makes_the_input_unusable() {
    let place = TestFolders::new();
    let [before, after] = [lines(3), lines(9)].map(String::into_bytes);
    let content =
        [&before[..before.len() - 20], &vec![0; 64 << 10], &after[before.len()..]].concat();
    let corpus = place.write("a.jsonl.gz", &content);
    let summary = of_file(&place, corpus, &Settings::default());
    let counters = &summary.inputs[0].counters;
    assert_eq!(counters.count_of("hole"), 1);
    // The row before the hole is cut. That after it may have lost its beginning, as far as can be
    // seen.
    assert!((7..=8).contains(&counters.written) && counters.records == counters.written + 1);
    assert!(summary.unusable[0].error.contains("hole"), "{:?}", summary.unusable);
    assert!(!place.path("out/_SUCCESS").exists());
}

#[test]
fn null_hides_no_later_name() {
    let place = TestFolders::new();
    let content = r#"{"text":null,"content":"some words"}
{"text":"other words"}
{"content":"some  words","text":["x"]}
"#;
    let corpus = place.write("a.jsonl", content.as_bytes());
    let summary = of_file(&place, corpus, &Settings::default());
    let counters = &summary.inputs[0].counters;
    assert_eq!((counters.records, counters.written), (3, 2));
    assert_eq!(counters.count_of("dedup:text"), 1);
}

#[test]
fn files_that_are_named_are_read_by_their_bytes() {
    let place = TestFolders::new();
    let gzip = place.write("in/a.jsonl.gz", lines(3).as_bytes());
    for name in ["part-00000.json.gz", "rows"] {
        let corpus = place.path(name);
        fs::copy(&gzip, &corpus).unwrap();
        let out = place.path(&format!("out-{name}"));
        let summary = dedup(&[corpus], &out, &Settings::default(), &threads(1)).unwrap();
        assert_eq!((summary.unusable.len(), summary.inputs[0].counters.written), (0, 3), "{name}");
        assert!(out.join(name).exists(), "{name}");
    }
    // A plain file with the name of a packed one is read too. What a name that is plain hides is
    // named.
    fs::write(place.path("b.jsonl.gz"), lines(2)).unwrap();
    fs::copy(&gzip, place.path("c.jsonl")).unwrap();
    let corpora = ["b.jsonl.gz", "c.jsonl"].map(|name| place.path(name));
    let summary = dedup(&corpora, &place.path("out"), &Settings::default(), &threads(1)).unwrap();
    assert_eq!(numbers(&place.path("out/b.jsonl.gz")), [0, 1]);
    assert_eq!(summary.unusable.len(), 1);
    assert!(summary.unusable[0].error.contains("rename it to 'c.jsonl.gz'"));
}

#[test]
fn of_one_address_the_newest_row_stays_whatever_the_schema() {
    let nested =
        |date: &str| json!({"text": date, "metadata": {"url": "http://a.test/", "date": date}});
    let dolma =
        |date: &str| json!({"text": date, "added": date, "metadata": {"url": "http://a.test/"}});
    let ccnet =
        |date: &str| json!({"raw_content": date, "url": "http://a.test/", "date_download": date});
    let c4 = |date: &str| json!({"content": date, "u": "http://a.test/", "timestamp": date, "date": null});
    let [old, new] = ["2020-01-01T00:00:00Z", "2024-01-01T00:00:00Z"];
    for (name, of) in [
        ("datatrove", &nested as &dyn Fn(&str) -> Value),
        ("dolma", &dolma),
        ("ccnet", &ccnet),
        ("c4", &c4),
    ] {
        let place = TestFolders::new();
        let corpus = place.write_rows("a.jsonl", &[of(old), of(new), of(old)]);
        let settings = Settings { by: vec![DedupStep::Url], ..Settings::default() };
        of_file(&place, corpus, &settings);
        assert_eq!(rows(&place.path("out/a.jsonl")), [of(new)], "{name}");
    }
}

#[test]
fn a_cut_file_keeps_the_rows_before_the_cut() {
    let place = TestFolders::new();
    let whole = fs::read(place.write("a.jsonl.gz", lines(20_000).as_bytes())).unwrap();
    fs::write(place.path("a.jsonl.gz"), &whole[..whole.len() / 2]).unwrap();
    let summary = of_file(
        &place,
        place.path("a.jsonl.gz"),
        &Settings { by: vec![DedupStep::Text], ..Settings::default() },
    );
    let counters = &summary.inputs[0].counters;
    assert!(counters.written > 5_000 && counters.records == counters.written + 1, "{counters:?}");
    assert_eq!(counters.total(RejectionKind::Failed), 1, "{counters:?}");
}
