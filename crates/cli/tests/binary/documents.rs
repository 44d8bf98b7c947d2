//! The README and docs/running.md: their commands are run as they stand.

use crate::support::{repository, sample, temp};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The commands of a document: of each block of the shell the lines that begin with `huller`.
fn blocks(document: &str) -> Vec<Vec<&str>> {
    let mut blocks = Vec::new();
    let mut parts = document.split("```sh\n").skip(1);
    while let Some((block, _)) = parts.next().and_then(|part| part.split_once("```")) {
        let commands: Vec<_> = block.lines().filter(|line| line.starts_with("huller ")).collect();
        if !commands.is_empty() {
            blocks.push(commands);
        }
    }
    blocks
}

/// A folder with what the documents take for granted.
fn workplace() -> tempfile::TempDir {
    let temp = temp();
    let folder = temp.path();
    let data = repository().join("data");
    fs::create_dir(folder.join("crawl")).unwrap();
    for copy in ["a.warc.gz", "crawl/first.warc.gz", "crawl/second.warc.gz"] {
        fs::copy(sample(), folder.join(copy)).unwrap();
    }
    fs::copy(data.join("gold.jsonl"), folder.join("gold.jsonl")).unwrap();
    fs::copy(data.join("pages/01-news-ferry.html"), folder.join("page.html")).unwrap();
    fs::write(folder.join("warc.paths"), "first.warc.gz\nsecond.warc.gz\n").unwrap();
    let packed = Command::new("gzip").arg(folder.join("warc.paths")).status().unwrap();
    assert!(packed.success());
    fs::write(
        folder.join("huller.toml"),
        "inputs = [\"crawl/\"]\noutput = \"configured\"\npreset = \"search\"\n",
    )
    .unwrap();
    let labelled = r#"{"text":"The team won the match","label":"sport"}
{"text":"Parliament passed the budget","label":"politics"}
"#;
    fs::write(folder.join("labelled.jsonl"), labelled).unwrap();
    fs::write(folder.join("rows.jsonl"), "{\"text\":\"The match\"}\n").unwrap();
    let compared =
        r#"{"texts":{"hull":"The match","body":"Home The match"},"source":{"label":"sport"}}"#;
    fs::write(folder.join("compared.jsonl"), format!("{compared}\n")).unwrap();
    temp
}

/// Runs the commands of a document, each block in a folder of its own. Gives how many they were.
fn run(document: &Path) -> usize {
    let text = fs::read_to_string(document).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_huller")).parent().unwrap();
    let mut count = 0;
    for block in blocks(&text) {
        let folder = workplace();
        for command in block {
            let mut shell = Command::new("bash");
            let script = match command.strip_prefix("huller serve ") {
                // Answers until it is interrupted; other tests may answer on the usual address.
                Some(rest) => {
                    let rest = rest.split('#').next().unwrap_or_default();
                    let serve = format!("huller serve {rest} --address 127.0.0.1:0");
                    format!(
                        "PATH=$0:$PATH; timeout --foreground --preserve-status --signal=TERM 1 {serve}"
                    )
                }
                None => format!("PATH=$0:$PATH; {command}"),
            };
            shell.args(["-euo", "pipefail", "-c", &script]).arg(program).current_dir(&folder);
            let ran = shell.output().unwrap();
            let stderr = String::from_utf8(ran.stderr).unwrap();
            assert!(ran.status.success(), "{}: {command}\n{stderr}", document.display());
            count += 1;
        }
    }
    count
}

#[test]
fn every_command_of_the_readme_runs() {
    assert!(run(&repository().join("README.md")) >= 6);
}

#[test]
fn every_command_of_the_manual_runs() {
    assert!(run(&repository().join("docs/running.md")) >= 25);
}

#[test]
fn the_readme_shows_what_the_sample_gives() {
    let text = fs::read_to_string(repository().join("README.md")).unwrap();
    let folder = temp();
    let ran = crate::support::Huller::extract(sample(), folder.path().join("out")).run().exits(0);
    // All lines but the first, which says how long it took.
    let shown = text.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let lines = |text: &str| text.trim().lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(shown), lines(&ran.stderr));
}
