//! What the program says of itself.

use crate::support::{Huller, temp};

fn said(args: &[&str]) -> String {
    let ran = Huller::new().args(args).run().exits(0);
    assert!(ran.stderr.is_empty(), "{}", ran.stderr);
    let text = ran.text().to_owned();
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "over 80 columns: {line}");
    }
    text
}

#[test]
fn help_is_what_it_was() {
    insta::assert_snapshot!("help_short", said(&["-h"]));
    insta::assert_snapshot!("help_long", said(&["--help"]));
    insta::assert_snapshot!("extract_short", said(&["extract", "-h"]));
    insta::assert_snapshot!("extract_long", said(&["extract", "--help"]));
    insta::assert_snapshot!("eval_short", said(&["eval", "-h"]));
    insta::assert_snapshot!("eval_long", said(&["eval", "--help"]));
    insta::assert_snapshot!("bench_long", said(&["bench", "--help"]));
    insta::assert_snapshot!("explain_long", said(&["explain", "--help"]));
    insta::assert_snapshot!("records_short", said(&["records", "-h"]));
    insta::assert_snapshot!("records_long", said(&["records", "--help"]));
    insta::assert_snapshot!("dedup_long", said(&["dedup", "--help"]));
    insta::assert_snapshot!("index_long", said(&["index", "--help"]));
    insta::assert_snapshot!("search_long", said(&["search", "--help"]));
    insta::assert_snapshot!("stats_long", said(&["stats", "--help"]));
    insta::assert_snapshot!("verify_long", said(&["verify", "--help"]));
    insta::assert_snapshot!("train_topics_long", said(&["train", "topics", "--help"]));
    insta::assert_snapshot!("classify_long", said(&["classify", "--help"]));
}

#[test]
fn the_list_of_methods_is_what_it_was() {
    insta::assert_snapshot!("extractors", said(&["extractors"]));
    let long = Huller::new().args(["extractors", "--long"]).run().exits(0);
    insta::assert_snapshot!("extractors_long", long.text());
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(said(&["--version"]), format!("huller {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_know_the_commands_and_their_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = Huller::new().args(["completions", shell]).run().exits(0);
        for word in
            ["extract", "eval", "records", "verify", "min-chars", "max-page-bytes", "per-page"]
        {
            assert!(script.text().contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let page = Huller::new().arg("man").run().exits(0);
    assert!(
        page.text().contains(".TH huller 1") && page.text().contains("Exit codes"),
        "{}",
        page.text()
    );
    let folder = temp();
    Huller::new().args(["man", "--out-dir"]).arg(folder.path()).run().exits(0);
    for name in [
        "huller.1",
        "huller-extract.1",
        "huller-eval.1",
        "huller-records.1",
        "huller-verify.1",
        "huller-bench.1",
        "huller-extractors.1",
    ] {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text.contains(".SH NAME"), "{name}");
    }
}
