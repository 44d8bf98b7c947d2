//! The file of rejects: whose it is, and where it may not lie.

use crate::support::{Huller, assert_same, contents, temp};
use huller_testkit::damage::large_archive;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An archive with pages that are too short for `--min-chars`, and a run over it without its output
/// folder.
fn archive(folder: &Path) -> PathBuf {
    let path = folder.join("large.warc.gz");
    std::fs::write(&path, large_archive(4_000_000)).unwrap();
    path
}

const ARGS: [&str; 4] = ["--extractor", "body", "--min-chars", "3000"];

#[test]
fn a_closed_pipe_of_rejects_is_exit_five_and_the_run_is_resumable() {
    let work = temp();
    let input = archive(work.path());
    let [broken, whole] = ["broken", "whole"].map(|name| work.path().join(name));
    let fifo = work.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    // A reader that goes after the first byte.
    let script = format!("head -c1 '{}' >/dev/null", fifo.display());
    let mut reader = Command::new("sh").args(["-c", &script]).spawn().unwrap();
    let ran = Huller::extract(&input, &broken).args(ARGS).arg("--rejects").arg(&fifo).run();
    reader.wait().unwrap();
    ran.exits(5).says("error: cannot write '").says("Broken pipe").says("--resume");
    assert!(!broken.join("_SUCCESS").exists());
    let rejects = work.path().join("rejects.jsonl");
    let again = Huller::extract(&input, &broken).args(ARGS).args(["--resume", "--rejects"]);
    again.arg(&rejects).run().exits(0);
    let listed = std::fs::read(&rejects).unwrap();
    Huller::extract(&input, &whole).args(ARGS).arg("--rejects").arg(&rejects).run().exits(0);
    assert_same(&contents(&whole), &contents(&broken));
    assert!(listed == std::fs::read(&rejects).unwrap() && listed.len() > 1000);
}

#[test]
fn rejects_are_not_written_through_links_or_over_other_files() {
    let work = temp();
    let input = archive(work.path());
    let precious = work.path().join("precious.txt");
    let (link, dangling) = (work.path().join("link"), work.path().join("dangling"));
    std::os::unix::fs::symlink(&precious, &link).unwrap();
    std::os::unix::fs::symlink(work.path().join("none"), &dangling).unwrap();
    let out = work.path().join("out");
    Huller::extract(&input, &out).args(ARGS).run().exits(0);
    std::os::unix::fs::symlink(work.path(), out.join("folder")).unwrap();
    let below = out.join("folder/rejects.jsonl");
    for to in [&out, Path::new("-")] {
        std::fs::write(&precious, "the only copy\n").unwrap();
        let run = |rejects: &Path| {
            let more = ["--overwrite", "--limit", "3", "--rejects"];
            Huller::extract(&input, to).args(ARGS).args(more).arg(rejects).run()
        };
        run(&link).exits(5).says("is a symbolic link; outputs are not written through links");
        run(&dangling).exits(5).says("dangling' is a symbolic link");
        run(&precious).exits(2).says("contains other data than rejects");
        assert_eq!(std::fs::read(&precious).unwrap(), b"the only copy\n");
        assert!(!work.path().join("none").exists());
        if to == out {
            run(&below).exits(5).says("folder' is a symbolic link");
        }
        // What the system links to is open already; what an earlier run listed is replaced.
        run(Path::new("/dev/stderr")).exits(0).says("\"reason\":");
        let listed = work.path().join("listed.jsonl");
        run(&listed).exits(0);
        run(&listed).exits(0);
    }
}

#[test]
fn rejects_are_not_shared_by_two_runs() {
    let work = temp();
    let input = archive(work.path());
    let rejects = work.path().join("rejects.jsonl");
    let held = std::fs::File::create(&rejects).unwrap();
    held.try_lock().unwrap();
    let run =
        |to: &Path| Huller::extract(&input, to).args(ARGS).arg("--rejects").arg(&rejects).run();
    let out = work.path().join("out");
    for to in [&out, Path::new("-")] {
        run(to).exits(4).says("rejects.jsonl' is locked by another run");
    }
    drop(held);
    run(&out).exits(0);
}

#[test]
fn rejects_that_differ_from_those_of_the_run_are_told_when_it_is_resumed() {
    let work = temp();
    let input = archive(work.path());
    let late = work.path().join("late.warc.gz");
    std::fs::write(&late, large_archive(1_000_000)).unwrap();
    let (out, rejects) = (work.path().join("out"), work.path().join("rejects.jsonl"));
    // An input that cannot be read leaves the run unfinished.
    let hidden = work.path().join("hidden");
    std::fs::rename(&late, &hidden).unwrap();
    let run = |more: &[&str]| {
        Huller::new()
            .arg("extract")
            .args([&input, &late])
            .arg("-o")
            .arg(&out)
            .args(ARGS)
            .args(more)
            .run()
    };
    run(&["--rejects", rejects.to_str().unwrap()]).exits(1);
    std::fs::rename(&hidden, &late).unwrap();
    let before = (contents(&out), std::fs::read(&rejects).unwrap());
    run(&["--resume"]).exits(3).says("the run lists its rejects: give --rejects");
    let other = work.path().join("other.jsonl");
    let resume = ["--resume", "--rejects", other.to_str().unwrap()];
    run(&resume)
        .exits(3)
        .says("other.jsonl' is not the file of rejects that the run wrote: it is shorter");
    let mut changed = before.1.clone();
    changed[12] ^= 1;
    std::fs::write(&other, &changed).unwrap();
    run(&resume).exits(3).says("it has other lines");
    assert!(std::fs::read(&other).unwrap() == changed);
    assert_same(&before.0, &contents(&out));
    // The same file under another name is the same file.
    std::fs::write(&other, &before.1).unwrap();
    run(&resume).exits(0);
    assert!(std::fs::read(&other).unwrap().starts_with(&before.1));

    let without = work.path().join("without");
    std::fs::rename(&late, &hidden).unwrap();
    Huller::new()
        .arg("extract")
        .args([&input, &late])
        .arg("-o")
        .arg(&without)
        .args(ARGS)
        .run()
        .exits(1);
    std::fs::rename(&hidden, &late).unwrap();
    let again =
        Huller::new().arg("extract").args([&input, &late]).arg("-o").arg(&without).args(ARGS);
    let again = again.args(["--resume", "--rejects"]).arg(&rejects).run();
    again.exits(0).says("note: rejects of 1 inputs are not listed");
}
