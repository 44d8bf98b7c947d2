//! Counts of tokens against `tiktoken` and `tokenizers`.
//!
//! `oracle/gpt2.txt` has what `oracle/ask_tokenizers.py` says of the texts in
//! `oracle/fixture.jsonl`. Other tokenizers and texts are named by variables:
//!
//! ```sh
//! VENV/bin/python crates/refine/tests/oracle/ask_tokenizers.py TOKENIZER TEXTS.jsonl > COUNTS.txt
//! HULLER_TOKENIZER=TOKENIZER HULLER_TEXTS=TEXTS.jsonl HULLER_COUNTS=COUNTS.txt \
//!     cargo test --release -p huller-refine --test tokens -- --ignored
//! ```

use huller_refine::tokens::{Counter, Tokenizer};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(serde::Deserialize)]
struct Row {
    text: String,
}

/// The texts for which ours is another count: their numbers, our counts and theirs.
fn differences(tokenizer: &str, texts: &Path, counts: &Path) -> Vec<(usize, u64, u64)> {
    let mut counter = Counter::new(Tokenizer::open(tokenizer, "").expect("it can be read"));
    let texts = fs::read_to_string(texts).expect("the texts are there");
    let counts = fs::read_to_string(counts).expect("the counts are there");
    assert_eq!(texts.lines().count(), counts.lines().count());
    let rows = texts.lines().zip(counts.lines()).enumerate().map(|(number, (row, count))| {
        let Row { text } = serde_json::from_str(row).expect("a row");
        (number, counter.count(&text), count.parse().expect("a number"))
    });
    rows.filter(|(_, ours, theirs)| ours != theirs).collect()
}

#[test]
fn gpt2_counts_what_tiktoken_counts() {
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
    let found = differences("gpt2", &oracle.join("fixture.jsonl"), &oracle.join("gpt2.txt"));
    assert_eq!(found, []);
}

#[test]
#[ignore = "HULLER_TOKENIZER, HULLER_TEXTS and HULLER_COUNTS must name files of oracle/ask_tokenizers.py"]
fn the_named_tokenizer_counts_what_its_library_counts() {
    let named = |name| {
        let named = std::env::var_os(name).expect("the three files are named");
        named.into_string().expect("names are UTF-8")
    };
    let [texts, counts] = ["HULLER_TEXTS", "HULLER_COUNTS"].map(|name| PathBuf::from(named(name)));
    assert_eq!(differences(&named("HULLER_TOKENIZER"), &texts, &counts), []);
}
