//! Shards of one job, and their accounts added up.

use crate::support::{
    Huller, assert_same, contents, json_lines, repository, rows, sample, stats, temp,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

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
    Huller::new().arg("stats").args(runs)
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
    assert!(ran.text().starts_with("5 inputs, ") && ran.stderr.is_empty(), "{}", ran.stderr);
    for (form, name) in [("--json", "run.account"), ("--csv", "run.account.csv")] {
        let ran = merge(&runs).arg(form).run().exits(0);
        assert_eq!(ran.stdout, fs::read(merged.join(name)).unwrap());
    }

    let files = whole.join("_huller");
    for name in ["run.account", "run.account.csv"] {
        let (ours, expected) = (fs::read(merged.join(name)), fs::read(files.join(name)));
        assert_eq!(ours.unwrap(), expected.unwrap(), "{name}");
    }
    let entries = json_lines(&fs::read(merged.join("run.journal")).unwrap());
    let expected = json_lines(&fs::read(files.join("run.journal")).unwrap());
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
    assert!(ran.text().starts_with("4 inputs"), "{}", ran.text());
    ran.says("error: 'part-2.warc.gz' is not finished in any run");
    let ran = merge(&[&runs[..], &runs[..1]].concat()).run().exits(1);
    assert!(ran.text().starts_with("5 inputs"), "{}", ran.text());
    ran.says("'part-0.warc.gz' is in '");
    fs::remove_file(runs[1].join("_SUCCESS")).unwrap();
    merge(&runs).arg("-q").run().exits(1).says("is unfinished: use --resume to continue it");

    // A killed run leaves the journal and no statistics.
    fs::remove_file(runs[1].join("_huller/run.account")).unwrap();
    let merged = folder.path().join("merged");
    merge(&runs).arg("-o").arg(&merged).run().exits(1);
    let merged = serde_json::from_slice::<Value>(&fs::read(merged.join("run.account")).unwrap());
    assert_eq!(merged.unwrap()["total"]["written"], 5 * 41);
    merge(&[folder.path().to_owned()]).run().exits(1).says("contains no run");
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

/// Runs the example's script as the first task of an array of 64, with a `scontrol` that only
/// records its arguments.
fn task(folder: &Path, list: &Path, signalled: bool) {
    let mut child = start_task(folder, list, [0, 0, 63, 64]);
    // The folder is made once signals are listened to.
    while signalled && !folder.join("corpus/0/_huller/run.timing").exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
    }
    if signalled {
        let kill = format!("kill -USR1 {}", child.id());
        Command::new("sh").args(["-c", &kill]).status().unwrap();
    }
    assert!(child.wait().unwrap().success());
}

/// Starts the example's script as a task of an array: its number, the first and the last of the
/// array, and how many there are.
fn start_task(folder: &Path, list: &Path, [id, first, end, count]: [usize; 4]) -> Child {
    fs::create_dir_all(folder.join("corpus")).unwrap();
    let script = repository().join("examples/slurm.sbatch");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut programs = vec![folder.join("bin")];
    programs.extend(std::env::split_paths(&path));
    Command::new("bash")
        .arg(script)
        .args([list, folder, &folder.join("corpus")])
        .env("PATH", std::env::join_paths(programs).unwrap())
        .env("SLURM_ARRAY_TASK_ID", id.to_string())
        .env("SLURM_ARRAY_TASK_MIN", first.to_string())
        .env("SLURM_ARRAY_TASK_MAX", end.to_string())
        .env("SLURM_ARRAY_TASK_COUNT", count.to_string())
        .env("SLURM_ARRAY_JOB_ID", "77")
        .env("SLURM_CPUS_PER_TASK", "1")
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn the_example_for_slurm_does_every_share_of_an_array_of_any_size() {
    let folder = temp();
    let folder = folder.path();
    let list = crawl(folder);
    fs::create_dir(folder.join("bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_huller"), folder.join("bin/huller")).unwrap();
    let ends = |array| start_task(folder, &list, array).wait().unwrap().code();
    assert_eq!(ends([1, 1, 1, 1]), Some(2), "a part cannot tell how many shares there are");
    assert_eq!([ends([0, 0, 1, 2]), ends([1, 0, 1, 2])], [Some(0), Some(0)]);
    let runs = [folder.join("corpus/0"), folder.join("corpus/1")];
    let five_inputs = || {
        let ran = merge(&runs).arg("--manifest").arg(&list).run().exits(0);
        assert!(ran.text().starts_with("5 inputs"), "{}", ran.text());
    };
    five_inputs();
    // A part of the array keeps the shares of the whole.
    fs::remove_dir_all(&runs[1]).unwrap();
    assert_eq!(ends([1, 1, 1, 1]), Some(0));
    five_inputs();
}

#[test]
fn the_example_for_slurm_goes_back_into_the_queue_and_on_from_there() {
    let folder = temp();
    let folder = folder.path();
    let archive = fs::read(sample()).unwrap().repeat(100);
    // Of 64 shares the first has two of 65 inputs.
    let names: Vec<_> = (0..65).map(|number| format!("part-{number}.warc.gz")).collect();
    for name in &names {
        let large = ["part-0.warc.gz", "part-64.warc.gz"].contains(&&**name);
        fs::write(folder.join(name), if large { &*archive } else { &[] }).unwrap();
    }
    let list = folder.join("warc.paths");
    fs::write(&list, names.join("\n")).unwrap();
    fs::create_dir(folder.join("bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_huller"), folder.join("bin/huller")).unwrap();
    let scontrol = folder.join("bin/scontrol");
    fs::write(&scontrol, format!("#!/bin/sh\necho \"$@\" >> {}/asked", folder.display())).unwrap();
    fs::set_permissions(&scontrol, fs::Permissions::from_mode(0o755)).unwrap();

    task(folder, &list, true);
    assert_eq!(fs::read_to_string(folder.join("asked")).unwrap(), "requeue 77_0\n");
    let output = folder.join("corpus/0");
    assert!(!output.join("_SUCCESS").exists());
    task(folder, &list, false);
    let whole = folder.join("whole");
    let rejects = folder.join("rejects.jsonl");
    let run = Huller::extract(&list, &whole).args(["--shard", "0/64", "--rejects"]).arg(&rejects);
    run.run().exits(0);
    assert_same(&contents(&whole), &contents(&output));
    assert_eq!(fs::read_to_string(folder.join("asked")).unwrap().lines().count(), 1);
}
