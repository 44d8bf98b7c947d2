//! Shards of one job, and their accounts added up.

use crate::support::{Huller, contents, json_lines, rows, sample, stats, temp};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A crawl of five archives and a list of them.
fn crawl(folder: &Path) -> PathBuf {
    let names: Vec<_> = (0..5).map(|number| format!("part-{number}.warc.gz")).collect();
    for name in &names {
        fs::copy(sample(), folder.join(name)).unwrap();
    }
    let list = folder.join("warc.paths");
    fs::write(&list, names.join("\n")).unwrap();
    list
}

/// Runs three shards, each as a task of a Slurm array.
fn shards(list: &Path, folder: &Path) -> Vec<PathBuf> {
    let mut outputs = Vec::new();
    for task in 1..=3 {
        let output = folder.join(task.to_string());
        let run = Huller::extract(list, &output).args(["--shard", "auto", "--extractor", "body"]);
        let task = task.to_string();
        let array = [("ID", &*task), ("MIN", "1"), ("MAX", "3"), ("COUNT", "3")];
        let run = array
            .into_iter()
            .fold(run, |run, (name, value)| run.env(&format!("SLURM_ARRAY_TASK_{name}"), value));
        run.run().exits(0);
        outputs.push(output);
    }
    outputs
}

fn merge(runs: &[PathBuf]) -> Huller {
    Huller::new().arg("merge-stats").args(runs)
}

#[test]
fn shards_add_up_to_the_whole() {
    let folder = temp();
    let list = crawl(folder.path());
    let runs = shards(&list, folder.path());
    let whole = folder.path().join("whole");
    Huller::extract(&list, &whole).args(["--extractor", "body"]).run().exits(0);
    let merged = folder.path().join("merged");
    let ran = merge(&runs).arg("--manifest").arg(&list).arg("-o").arg(&merged).run().exits(0);
    assert!(ran.stdout.is_empty() && ran.stderr.starts_with("5 inputs, "), "{}", ran.stderr);

    let files = whole.join("_huller");
    for name in ["stats.json", "stats.csv"] {
        let (ours, expected) = (fs::read(merged.join(name)), fs::read(files.join(name)));
        assert_eq!(ours.unwrap(), expected.unwrap(), "{name}");
    }
    let entries = json_lines(&fs::read(merged.join("journal.jsonl")).unwrap());
    let expected = json_lines(&fs::read(files.join("journal.jsonl")).unwrap());
    let without_output = |entry: &Value| {
        let mut entry = entry.clone();
        entry.as_object_mut().unwrap().remove("output");
        entry
    };
    assert_eq!(
        entries.iter().map(without_output).collect::<Vec<_>>(),
        expected.iter().map(without_output).collect::<Vec<_>>()
    );
    let ids = |entry: &Value| rows(entry["output"].as_str().unwrap()).len();
    assert_eq!(entries.iter().map(ids).collect::<Vec<_>>(), [41; 5]);
    let outputs: BTreeSet<_> = entries.iter().map(|entry| entry["output"].to_string()).collect();
    assert_eq!(outputs.len(), 5);
}

#[test]
fn what_is_missing_unfinished_or_there_twice_is_named() {
    let folder = temp();
    let list = crawl(folder.path());
    let runs = shards(&list, folder.path());
    let ran = merge(&runs[..2]).arg("--manifest").arg(&list).run().exits(1);
    ran.says("error: no run has finished 'part-2.warc.gz'").says("4 inputs");
    let ran = merge(&[&runs[..], &runs[..1]].concat()).run().exits(1);
    ran.says("'part-0.warc.gz' is in '").says("5 inputs");
    fs::remove_file(runs[1].join("_SUCCESS")).unwrap();
    merge(&runs).arg("-q").run().exits(1).says("is unfinished: go on with --resume");

    // As a kill leaves it: the journal alone counts.
    fs::remove_file(runs[1].join("_huller/stats.json")).unwrap();
    let merged = folder.path().join("merged");
    merge(&runs).arg("-o").arg(&merged).run().exits(1);
    let merged = serde_json::from_slice::<Value>(&fs::read(merged.join("stats.json")).unwrap());
    assert_eq!(merged.unwrap()["total"]["written"], 5 * 41);
    merge(&[folder.path().to_owned()]).run().exits(1).says("holds no run");
}

#[test]
fn an_input_that_could_not_be_used_is_named() {
    let folder = temp();
    let list = crawl(folder.path());
    fs::write(folder.path().join("part-3.warc.gz"), b"no archive").unwrap();
    let output = folder.path().join("out");
    Huller::extract(&list, &output).args(["--extractor", "body"]).run().exits(1);
    merge(std::slice::from_ref(&output))
        .run()
        .exits(1)
        .says("'part-3.warc.gz' could not be used: ");
    assert_eq!(stats(&output)["inputs"].as_array().unwrap().len(), 4);
}

#[test]
fn a_part_of_an_array_needs_to_be_told_how_many_shares_there_are() {
    let folder = temp();
    let list = crawl(folder.path());
    let task = |shard: &str, output: &Path| {
        let run = Huller::extract(&list, output).args(["--shard", shard, "--extractor", "body"]);
        ["MIN", "MAX", "ID"]
            .into_iter()
            .fold(run, |run, name| run.env(&format!("SLURM_ARRAY_TASK_{name}"), "2"))
            .env("SLURM_ARRAY_TASK_COUNT", "1")
    };
    let output = folder.path().join("out");
    task("auto", &output).run().exits(2).says("--shard auto/64 with any part of it");
    assert!(!output.exists());
    task("auto/3", &output).run().exits(0);
    let fixed = folder.path().join("fixed");
    Huller::extract(&list, &fixed).args(["--shard", "2/3", "--extractor", "body"]).run().exits(0);
    assert_eq!(
        contents(&output).keys().collect::<Vec<_>>(),
        contents(&fixed).keys().collect::<Vec<_>>()
    );
}
