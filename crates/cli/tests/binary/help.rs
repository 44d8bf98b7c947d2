//! What the program says of itself.

use crate::support::{Huller, temp};
use std::path::Path;

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
}

/// The commands of docs/commands.md, each as its words after `huller`.
fn commands() -> Vec<Vec<String>> {
    let page = Huller::new().args(["man", "--markdown"]).run().exits(0);
    let headings = page.text().lines().filter_map(|line| line.strip_prefix("## `huller "));
    headings
        .map(|line| line.trim_end_matches('`').split(' ').map(str::to_owned).collect())
        .collect()
}

#[test]
fn the_help_of_every_command_fits_80_columns() {
    let commands = commands();
    assert!(commands.len() > 20, "{commands:?}");
    for command in &commands {
        for help in ["-h", "--help"] {
            let words: Vec<&str> = command.iter().map(String::as_str).chain([help]).collect();
            said(&words);
        }
    }
}

#[test]
fn the_reference_has_every_option_of_every_command() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
    let printed = Huller::new().args(["man", "--markdown"]).run().exits(0).text().to_owned();
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(page == printed, "run `huller man --markdown > docs/commands.md`");
    // The page is compared with the help, which another library writes.
    for command in commands() {
        let heading = format!("## `huller {}`\n", command.join(" "));
        let section = page.split_once(&heading).unwrap().1.split("\n## `").next().unwrap();
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        for line in said(&words).lines().map(str::trim_start).filter(|line| line.starts_with('-')) {
            let option = line.split([' ', ',', '[']).find(|word| word.starts_with("--"));
            if let Some(option) = option.filter(|option| !["--help", "--version"].contains(option))
            {
                let listed = [format!("`{option} "), format!("`{option}`"), format!(", {option}")];
                assert!(listed.iter().any(|form| section.contains(form)), "{heading}{option}");
            }
        }
    }
}

#[test]
fn the_list_of_extractors_is_what_it_was() {
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
