//! Paragraphs that stood before: compared with a program that remembers all of them.

use crate::support::{TestFolders, dedup, random, row, rows, threads, tree, words};
use huller_dedup::{DedupStep, MIN_MEMORY_BYTES, Options, Settings};
use serde_json::Value;
use std::collections::HashSet;

fn settings(by: &[DedupStep]) -> Settings {
    Settings { by: by.to_vec(), paragraph_chars: 20, ..Settings::default() }
}

/// Texts of some of two hundred paragraphs, of which some are short, and some differ in white space
/// alone.
fn corpus(count: u64) -> Vec<Value> {
    let mut state = 31;
    let paragraphs: Vec<_> = (0..200)
        .map(|n| words(n % 9, &mut state).join(if n % 2 == 0 { " " } else { "  " }))
        .collect();
    let text = |state: &mut u64| {
        let chosen = (0..random(state) % 6).map(|_| {
            // Lower numbers more often.
            let at = random(state) % (1 + random(state) % 200);
            let paragraph = &paragraphs[at as usize];
            if random(state).is_multiple_of(5) {
                format!(" {paragraph}\t")
            } else {
                paragraph.clone()
            }
        });
        chosen.collect::<Vec<_>>().join("\n")
    };
    (0..count).map(|n| row(n, &text(&mut state))).collect()
}

/// The rows as they should be, those that lose everything left out.
fn naive(all: &[Value], least: usize) -> Vec<Value> {
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    for row in all {
        let text = row["text"].as_str().unwrap();
        let lines: Vec<_> = text
            .split('\n')
            .filter(|line| {
                let words: Vec<_> = line.split_whitespace().collect();
                line.trim().chars().count() < least || seen.insert(words.join(" "))
            })
            .collect();
        let cut = lines.join("\n");
        if cut == text || !cut.trim().is_empty() {
            let mut row = row.clone();
            row["text"] = cut.into();
            kept.push(row);
        }
    }
    kept
}

#[test]
fn only_the_first_of_equal_paragraphs_stays() {
    let place = TestFolders::new();
    let all = corpus(900);
    place.write_rows("in/a.jsonl", &all[..300]);
    place.write_rows("in/b.jsonl.gz", &all[300..301]);
    place.write_rows("in/c.jsonl.zst", &all[301..]);
    let out = place.path("out");
    let settings = settings(&[DedupStep::Paragraphs]);
    let summary = dedup(&[place.path("in")], &out, &settings, &threads(2)).unwrap();
    let mut found = rows(&out.join("a.jsonl"));
    for name in ["b.jsonl.gz", "c.jsonl.zst"].map(|name| out.join(name)) {
        found.extend(if name.exists() { rows(&name) } else { Vec::new() });
    }
    let expected = naive(&all, 20);
    assert_eq!(found, expected);
    assert!(expected.len() < 850 && expected.len() > 200, "{}", expected.len());
    let skipped: u64 =
        summary.inputs.iter().map(|of| of.counters.count_of("dedup:paragraphs")).sum();
    assert_eq!(skipped as usize, all.len() - expected.len());
    let chars = |rows: &[Value]| -> usize {
        rows.iter().map(|row| row["text"].as_str().unwrap().chars().count()).sum()
    };
    let left_out = summary.table.dropped["dedup:paragraphs"];
    // Rows that are dropped lose what is left of them besides: blank lines.
    let lost = chars(&all) - chars(&expected);
    assert!(left_out.chars as usize <= lost && left_out.chars as usize > lost / 2);
    // Once more there is nothing to leave out.
    let again = dedup(&[out], &place.path("again"), &settings, &threads(1)).unwrap();
    assert_eq!(again.table.dropped["dedup:paragraphs"].rows, 0);
}

#[test]
fn neither_threads_nor_memory_matter() {
    let place = TestFolders::new();
    let corpus = place.write_rows("a.jsonl", &corpus(2_000));
    let steps =
        settings(&[DedupStep::Text, DedupStep::Near, DedupStep::Lines, DedupStep::Paragraphs]);
    let of = |name: &str, options: &Options| {
        let out = place.path(name);
        dedup(std::slice::from_ref(&corpus), &out, &steps, options).unwrap();
        let mut tree = tree(&out);
        // The longest row is a share of the memory.
        tree.retain(|name, _| {
            !["_huller/run.config", "_huller/run.journal", "_huller/dedup.journal"]
                .contains(&name.as_str())
        });
        tree
    };
    let one = of("one", &threads(1));
    assert!(one == of("two", &Options { memory: MIN_MEMORY_BYTES, ..threads(2) }));
    assert!(one == of("three", &threads(3)));
}

#[test]
fn paragraphs_are_compared_after_the_lines_of_hosts_are_left_out() {
    let place = TestFolders::new();
    let menu = "Home of all the pages that there are | About";
    let text = "A text that stands in two places, long enough.";
    // Five pages of a host, each with its menu; two of them with one text.
    let all: Vec<_> = (0..5)
        .map(|n| {
            row(
                7 * n,
                &format!(
                    "{menu}\n{}",
                    if n < 2 { text.to_owned() } else { format!("Text number {n} of five.") }
                ),
            )
        })
        .collect();
    let corpus = place.write_rows("a.jsonl", &all);
    let mut settings = settings(&[DedupStep::Lines, DedupStep::Paragraphs]);
    settings.host_lines = 4;
    settings.host_line_chars = 1;
    let out = place.path("out");
    let summary = dedup(&[corpus], &out, &settings, &threads(1)).unwrap();
    let texts: Vec<_> = rows(&out.join("a.jsonl"))
        .iter()
        .map(|row| row["text"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        texts,
        [text, "Text number 2 of five.", "Text number 3 of five.", "Text number 4 of five."]
    );
    let counters = &summary.inputs[0].counters;
    assert_eq!(counters.count_of("dedup:paragraphs"), 1);
    let dropped = &summary.table.dropped;
    assert_eq!((dropped["dedup:lines"].rows, dropped["dedup:paragraphs"].rows), (5, 1));
}

#[test]
fn a_paragraph_that_is_repeated_for_ever_stays_once() {
    let place = TestFolders::new();
    let line = "the same paragraph once again\n";
    let corpus = place.write_rows("a.jsonl.zst", &[row(1, &line.repeat(1 << 20)), row(2, line)]);
    let out = place.path("out");
    let options = Options { memory: 2 << 30, ..threads(2) };
    dedup(&[corpus], &out, &settings(&[DedupStep::Paragraphs]), &options).unwrap();
    let rows = rows(&out.join("a.jsonl.zst"));
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["text"].as_str().unwrap().trim_end(), line.trim_end());
}
