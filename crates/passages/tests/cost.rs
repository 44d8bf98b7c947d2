//! Measures the CPU time for a row on rows of your own, which `HULLER_ROWS` names:
//!
//! ```shell
//! HULLER_ROWS=rows.jsonl cargo test --release -p huller-passages --test cost -- --ignored --nocapture
//! ```

use huller_passages::{PassageSettings, Source, Splitter};
use huller_refine::tokens::{Counter, Tokenizer};
use std::io::{BufRead, BufReader};

/// Returns the CPU time of this thread so far, in seconds. Linux only.
fn cpu_seconds() -> f64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux has it");
    let nanoseconds: f64 =
        times.split(' ').next().and_then(|time| time.parse().ok()).expect("a number");
    nanoseconds / 1e9
}

/// Bytes of the row to which times are scaled.
const ROW: f64 = 7_000.0;

#[test]
#[ignore = "needs rows with Markdown: HULLER_ROWS=FILE.jsonl"]
fn a_row_of_seven_kilobytes() {
    let rows = std::env::var_os("HULLER_ROWS").expect("HULLER_ROWS names a file");
    let rows = BufReader::new(std::fs::File::open(rows).unwrap()).lines();
    let rows: Vec<serde_json::Value> =
        rows.map(|row| serde_json::from_str(&row.unwrap()).unwrap()).collect();
    let bytes: usize = rows.iter().map(|row| row["markdown"].as_str().unwrap_or("").len()).sum();
    println!("{} rows, {} bytes of Markdown each", rows.len(), bytes / rows.len());
    let mut counter = Counter::new(Tokenizer::open("gpt2", "").expect("it is built in"));
    let start = cpu_seconds();
    let tokens: u64 =
        rows.iter().map(|row| counter.count(row["markdown"].as_str().unwrap_or(""))).sum();
    let seconds = cpu_seconds() - start;
    println!(
        "counting alone: {tokens} tokens, {:.1} µs for 7 KB",
        seconds * 1e6 * ROW / bytes as f64
    );
    for (tokenizer, max_tokens) in [("characters", 1_200), ("gpt2", 300)] {
        for has_text in [false, true] {
            let tokenizer = tokenizer.to_owned();
            let min_tokens = max_tokens / 4;
            let settings =
                PassageSettings { max_tokens, min_tokens, tokenizer, ..PassageSettings::default() };
            let mut splitter = Splitter::new(&settings).unwrap();
            let mut passages = 0;
            let times = [(); 5].map(|()| {
                let start = cpu_seconds();
                passages = 0;
                for row in &rows {
                    let source = Source {
                        id: row["id"].as_str().unwrap_or_default(),
                        title: row["title"].as_str(),
                        markdown: row["markdown"].as_str().unwrap_or_default(),
                        text: row["text"].as_str().filter(|_| has_text),
                        ..Source::default()
                    };
                    passages +=
                        splitter.split(&source).map(|passage| passage.id.len() / 36).sum::<usize>();
                }
                cpu_seconds() - start
            });
            let least = times.into_iter().fold(f64::INFINITY, f64::min);
            println!(
                "{} {max_tokens}, with text: {has_text}: {passages} passages, {:.1} µs for 7 KB",
                settings.tokenizer,
                least * 1e6 * ROW / bytes as f64
            );
        }
    }
}
