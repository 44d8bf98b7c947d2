//! Rows that make careless programs take quadratic time, or memory without bounds.

use crate::support::{TestFolders, dedup, numbers, row, threads, words};
use huller_dedup::{DedupStep, MIN_MEMORY_BYTES, Options, Settings};
use serde_json::json;
use std::fs;

/// Rows of each kind. Pairs of them would take hours.
const MANY: u64 = 100_000;

#[test]
fn rows_that_are_all_equal_are_one_cluster() {
    let place = TestFolders::new();
    let mut state = 3;
    let text = words(30, &mut state).join(" ");
    let lines: String = (0..MANY).map(|n| row(n, &text).to_string() + "\n").collect();
    let corpus = place.write("a.jsonl.zst", lines.as_bytes());
    for steps in [&[DedupStep::Text][..], &[DedupStep::Near], &[DedupStep::Text, DedupStep::Near]] {
        let out = place.path(&format!("{steps:?}"));
        let settings = Settings { by: steps.to_vec(), ..Settings::default() };
        let summary = dedup(std::slice::from_ref(&corpus), &out, &settings, &threads(2)).unwrap();
        assert_eq!(numbers(&out.join("a.jsonl.zst")), [0]);
        assert_eq!(summary.table.largest, MANY);
    }
}

#[test]
fn empty_texts_are_one_cluster_and_share_no_band() {
    let place = TestFolders::new();
    let lines = "{\"text\":\"\"}\n{\"text\":\" \\n\"}\n".repeat(MANY as usize / 2);
    let corpus = place.write("a.jsonl", lines.as_bytes());
    let settings = |step| Settings { by: vec![step], ..Settings::default() };
    let near = dedup(
        std::slice::from_ref(&corpus),
        &place.path("near"),
        &settings(DedupStep::Near),
        &threads(2),
    )
    .unwrap();
    assert_eq!((near.inputs[0].counters.written, near.table.largest), (MANY, 0));
    let text =
        dedup(&[corpus], &place.path("text"), &settings(DedupStep::Text), &threads(2)).unwrap();
    assert_eq!((text.inputs[0].counters.written, text.table.largest), (1, MANY));
}

#[test]
fn a_line_that_is_repeated_for_ever_counts_once_a_page() {
    let place = TestFolders::new();
    let line = "the same line again\n".repeat(MANY as usize);
    let rows: Vec<_> = (0..7 * 4)
        .map(|n| row(n, if n < 14 { &line } else { "one\nthe same line again" }))
        .collect();
    let corpus = place.write_rows("a.jsonl.zst", &rows);
    // Four pages a host.
    for (host_lines, written) in [(4, 28), (3, 14)] {
        let settings = Settings {
            host_lines,
            host_line_chars: 1,
            by: vec![DedupStep::Lines],
            ..Settings::default()
        };
        let out = place.path(&format!("out{host_lines}"));
        let summary = dedup(std::slice::from_ref(&corpus), &out, &settings, &threads(2)).unwrap();
        assert_eq!(summary.inputs[0].counters.written, written);
    }
}

#[test]
fn a_giant_row_is_skipped_and_counted() {
    let place = TestFolders::new();
    let giant = row(1, &"a giant text ".repeat(1 << 18)).to_string();
    let lines = [row(0, "before").to_string(), giant, row(2, "after").to_string()].join("\n");
    let corpus = place.write("a.jsonl.zst", lines.as_bytes());
    // A thirty-second of this is less than the giant has.
    let options = Options { memory: MIN_MEMORY_BYTES, ..threads(2) };
    let out = place.path("out");
    let summary =
        dedup(std::slice::from_ref(&corpus), &out, &Settings::default(), &options).unwrap();
    let counters = &summary.inputs[0].counters;
    assert_eq!((counters.records, counters.written, counters.count_of("too_large")), (3, 2, 1));
    assert_eq!(numbers(&out.join("a.jsonl.zst")), [0, 2]);
    let summary = dedup(&[corpus], &place.path("more"), &Settings::default(), &threads(2)).unwrap();
    assert_eq!(summary.inputs[0].counters.written, 3);
}

#[test]
fn inputs_that_cannot_be_used_cost_only_themselves() {
    let place = TestFolders::new();
    place.write_rows("in/a.jsonl.zst", &[row(1, "one")]);
    let broken = place.write_rows("in/b.jsonl.zst", &[row(2, "two")]);
    let bytes = fs::read(&broken).unwrap();
    fs::write(&broken, &bytes[..bytes.len() - 5]).unwrap();
    place.write("in/c.jsonl.gz", b"");
    place.write("in/d.jsonl", b"no\nrows\n");
    place.write("in/e.jsonl", b"");
    let out = place.path("out");
    let summary = dedup(&[place.path("in")], &out, &Settings::default(), &threads(2)).unwrap();
    let unusable: Vec<_> = summary.unusable.iter().map(|of| of.input.as_str()).collect();
    assert_eq!(unusable, ["b.jsonl.zst", "c.jsonl.gz", "d.jsonl", "e.jsonl"]);
    let written: Vec<_> =
        summary.inputs.iter().map(|of| (of.name.as_str(), of.counters.written)).collect();
    assert_eq!(written, [("a.jsonl.zst", 1)]);
    assert!(!out.join("_SUCCESS").exists() && !out.join("e.jsonl").exists());
    // Mended, it is done by a run that goes on: other bytes are another run.
    fs::write(&broken, bytes).unwrap();
    let again = dedup(
        &[place.path("in")],
        &out,
        &Settings::default(),
        &Options { resume: true, ..threads(1) },
    );
    assert!(again.unwrap_err().to_string().contains("inputs.b.jsonl.zst is"));
}

#[test]
fn odd_rows_end_no_run() {
    let place = TestFolders::new();
    let deep = "[".repeat(100_000);
    let lines = [
        r#"{"text":"x","text":"y"}"#.to_owned(),
        format!(r#"{{"text":"x","a":{deep}"#),
        r#"{"text":"\ud800"}"#.to_owned(),
        json!({"text": "a\u{0}b", "date": "9999999-99", "score": 1e300, "url": "://", "id": "x"})
            .to_string(),
        r#"{"text":"x","url":7,"metadata":{"url":["a"]},"score":"high","date":5}"#.to_owned(),
        "\u{FEFF}{}".to_owned(),
        "null".to_owned(),
    ];
    let corpus = place.write("a.jsonl", lines.join("\n").as_bytes());
    let settings = Settings { by: DedupStep::ALL.to_vec(), ..Settings::default() };
    let summary = dedup(&[corpus], &place.path("out"), &settings, &threads(2)).unwrap();
    let counters = &summary.inputs[0].counters;
    assert_eq!((counters.records, counters.written), (7, 4));
}
