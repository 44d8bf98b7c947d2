//! Runs in shares, over old outputs and over wrong inputs: nothing is lost, or done twice, in
//! silence.

use crate::support::{Huller, contents, json_lines, repository, rows, sample, stats, temp};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A list of archives, which are there.
fn list(folder: &Path, names: &[&str]) -> PathBuf {
    for name in names {
        fs::copy(sample(), folder.join(name)).unwrap();
    }
    let list = folder.join("warc.paths");
    fs::write(&list, names.join("\n")).unwrap();
    list
}

fn share(list: &Path, output: &Path, share: &str) -> Huller {
    Huller::extract(list, output).args(["--extractor", "body", "--shard", share])
}

fn files(output: &Path) -> Vec<String> {
    contents(output).into_keys().filter(|name| !name.starts_with('_')).collect()
}

#[test]
fn case_1_shares_do_not_shift_when_a_path_cannot_be_used() {
    let folder = temp();
    let folder = folder.path();
    let list = list(folder, &["a.warc.gz", "b.warc.gz", "c.warc.gz", "d.warc.gz"]);
    let [zero, one] = ["0", "1"].map(|name| folder.join(name));
    share(&list, &zero, "0/2").run().exits(0);
    fs::remove_file(folder.join("a.warc.gz")).unwrap();
    share(&list, &one, "1/2").run().exits(0);
    assert_eq!(files(&zero), ["a.jsonl.zst", "c.jsonl.zst"]);
    assert_eq!(files(&one), ["b.jsonl.zst", "d.jsonl.zst"]);
    // The share that it is of tells it.
    let again = folder.join("again");
    share(&list, &again, "0/2").run().exits(1).says("a.warc.gz");
    assert_eq!(files(&again), ["c.jsonl.zst"]);
}

#[test]
fn case_21_another_list_is_another_run() {
    let folder = temp();
    let folder = folder.path();
    let path = list(folder, &["a.warc.gz", "b.warc.gz", "c.warc.gz"]);
    let output = folder.join("out");
    share(&path, &output, "0/2").run().exits(0);
    let config = fs::read_to_string(output.join("_huller/run.config")).unwrap();
    assert!(config.contains("\"digest\": \"sha256:"), "{config}");
    let before = contents(&output);
    list(folder, &["new.warc.gz", "a.warc.gz", "b.warc.gz", "c.warc.gz"]);
    let ran = share(&path, &output, "0/2").arg("--resume").run().exits(3);
    ran.says("input 1 is 'new.warc.gz', was 'a.warc.gz'").says("--shard-by name");
    crate::support::assert_same(&before, &contents(&output));
    for other in [&["--shard-by", "name"][..], &["--dry-run"]] {
        share(&path, &output, "0/2").arg("--resume").args(other).run().exits(3);
    }
    Huller::extract(&path, &output).args(["--extractor", "body", "--resume"]).run().exits(3);

    // Shares by name go on with a list that has grown, and what was done stays where it was.
    let by_name = |number: usize, output: &Path| {
        share(&path, output, &format!("{number}/2")).args(["--shard-by", "name", "--resume"])
    };
    let outputs = ["by-0", "by-1"].map(|name| folder.join(name));
    list(folder, &["a.warc.gz", "b.warc.gz", "c.warc.gz", "e.warc.gz", "f.warc.gz"]);
    for round in 0..2 {
        for (number, output) in outputs.iter().enumerate() {
            let ran = by_name(number, output).run();
            assert!(matches!(ran.code, Some(0)), "{round}: {}", ran.stderr);
        }
        let all = ["x.warc.gz", "y.warc.gz", "a.warc.gz", "b.warc.gz", "c.warc.gz", "e.warc.gz"];
        list(folder, &[&all[..], &["f.warc.gz"]].concat());
    }
    let done: Vec<_> = outputs.iter().flat_map(|output| files(output)).collect();
    assert_eq!(done.len(), 7, "{done:?}");
    let verify = Huller::new().args(["verify", "-q"]).args(&outputs).arg("--manifest").arg(&path);
    verify.run().exits(0);
}

#[test]
fn case_3_overwriting_removes_what_the_earlier_run_left_and_nothing_else() {
    let folder = temp();
    let folder = folder.path();
    let output = folder.join("out");
    let whole = list(folder, &["a.warc.gz", "b.warc.gz"]);
    Huller::extract(&whole, &output).args(["--extractor", "body"]).run().exits(0);
    fs::write(output.join("mine.jsonl"), "{}\n").unwrap();
    fs::write(output.join("a.txt"), "notes").unwrap();
    let only = list(folder, &["b.warc.gz"]);
    let anew = |more: &[&str]| {
        Huller::extract(&only, &output).args(["--extractor", "body", "--overwrite"]).args(more)
    };
    let before = contents(&output);
    anew(&["--compress", "gzip", "--dry-run"]).run().exits(0);
    crate::support::assert_same(&before, &contents(&output));
    anew(&["--compress", "gzip"]).run().exits(0);
    assert_eq!(files(&output), ["a.txt", "b.jsonl.gz", "mine.jsonl"]);
    fs::remove_file(output.join("mine.jsonl")).unwrap();
    Huller::new().args(["verify", "-q"]).arg(&output).run().exits(0);

    // What is read is not removed.
    let input = output.join("b.jsonl.gz");
    let ran = Huller::extract(&input, &output).args(["--overwrite", "--compress", "none"]).run();
    ran.exits(2).says("--overwrite would remove the input").says("hint: ");
    assert!(input.exists());
}

#[test]
fn case_3_a_part_that_a_killed_run_left_is_removed() {
    let folder = temp();
    let folder = folder.path();
    let output = folder.join("out");
    Huller::extract(sample(), &output).args(["--extractor", "body"]).run().exits(0);
    // As if the kill had come while the second input was worked on.
    let files = output.join("_huller");
    let part = output.join("deep/other.jsonl.zst.part");
    fs::create_dir_all(part.parent().unwrap()).unwrap();
    fs::write(&part, b"half").unwrap();
    let line = r#"{"input":"deep/other.warc.gz","input_bytes":9,"batches":1,"output":"deep/other.jsonl.zst","output_bytes":4,"digest":"","rejects_bytes":null,"rejects_digest":null,"account":{"records":0,"written":0,"skipped":{},"failed":{},"repaired":{}},"config":""}"#;
    fs::write(files.join("run.checkpoint"), format!("{line}\n")).unwrap();
    fs::remove_file(output.join("_SUCCESS")).unwrap();
    Huller::extract(sample(), &output).args(["--compress", "gzip", "--overwrite"]).run().exits(0);
    let left = contents(&output).into_keys().filter(|name| !name.starts_with('_'));
    assert_eq!(left.collect::<Vec<_>>(), ["sample.jsonl.gz"]);
}

#[test]
fn case_11_old_runs_are_not_read_as_input() {
    let folder = temp();
    let crawl = folder.path().join("cr");
    fs::create_dir(&crawl).unwrap();
    fs::copy(sample(), crawl.join("x.warc.gz")).unwrap();
    Huller::extract(&crawl, crawl.join("a")).run().exits(0);
    let second = crawl.join("b");
    let ran = Huller::extract(&crawl, &second).run().exits(0);
    ran.says("ignored 1 folder with the output of a run");
    assert_eq!(files(&second), ["x.jsonl.zst"]);
    assert_eq!(stats(&second)["passed_over"]["outputs"].as_array().unwrap().len(), 1);
    Huller::new().args(["verify", "-q"]).arg(&second).run().exits(0);
}

#[test]
fn case_15_files_that_are_passed_over_are_told() {
    let folder = temp();
    let crawl = folder.path().join("cr");
    fs::create_dir(&crawl).unwrap();
    fs::copy(sample(), crawl.join("x.warc.gz")).unwrap();
    for name in ["b.7z", "c.json.gz", "d.pdf", "e.pdf"] {
        fs::write(crawl.join(name), "x").unwrap();
    }
    let output = folder.path().join("out");
    let told = "ignored 4 files that are not inputs";
    Huller::extract(&crawl, &output).arg("--dry-run").run().exits(0).says(told);
    let ran = Huller::extract(&crawl, &output).run().exits(0);
    ran.says(told).says("2 .pdf, 1 .7z, 1 .json.gz");
    let account = stats(&output);
    assert_eq!(account["passed_over"]["files"][".pdf"], 2);
    assert_eq!(account["total"]["records"], 96);
    Huller::new().args(["verify", "-q"]).arg(&output).run().exits(0);
    let merged = folder.path().join("merged");
    Huller::new().arg("stats").arg(&output).arg("-o").arg(&merged).run().exits(0);
    let merged: Value =
        serde_json::from_slice(&fs::read(merged.join("run.account")).unwrap()).unwrap();
    assert_eq!(merged["passed_over"], account["passed_over"]);
}

#[test]
fn case_15_all_pairs_with_one_output_are_named_with_the_remedy() {
    let folder = temp();
    let crawl = folder.path().join("cr");
    fs::create_dir(&crawl).unwrap();
    for name in ["x.warc", "x.warc.gz", "y.warc", "y.warc.gz", "z.warc"] {
        fs::copy(sample(), crawl.join(name)).unwrap();
    }
    let output = folder.path().join("out");
    let ran = Huller::extract(&crawl, &output).run().exits(2);
    ran.says("'x.warc' and 'x.warc.gz'").says("'y.warc' and 'y.warc.gz'").says("hint: ");
    assert!(!output.exists());
}

#[test]
fn case_15_a_dry_run_is_refused_where_the_run_would_be() {
    let folder = temp();
    let folder = folder.path();
    let output = folder.join("out");
    Huller::extract(sample(), &output).run().exits(0);
    let before = contents(&output);
    for (more, code) in [
        (&[][..], 2),
        (&["--resume", "--extractor", "body"], 3),
        (&["--resume"], 0),
        (&["--overwrite"], 0),
    ] {
        Huller::extract(sample(), &output).arg("--dry-run").args(more).run().exits(code);
        crate::support::assert_same(&before, &contents(&output));
    }
    fs::write(folder.join("file"), "").unwrap();
    for under in ["file", "file/below"] {
        Huller::extract(sample(), folder.join(under)).arg("--dry-run").run().exits(5);
    }
    let rejects = folder.join("rejects");
    fs::create_dir(&rejects).unwrap();
    for to in [&*folder.join("new"), Path::new("-")] {
        let run = Huller::extract(sample(), to).arg("--dry-run").arg("--rejects").arg(&rejects);
        run.run().exits(5).says("rejects");
    }
    let fresh = folder.join("fresh/deep");
    Huller::extract(sample(), &fresh).arg("--dry-run").run().exits(0);
    assert!(!folder.join("fresh").exists());
}

#[test]
fn case_15_a_mistyped_rejects_path_makes_no_folders() {
    let folder = temp();
    let folder = folder.path();
    let output = folder.join("out");
    for more in [&[][..], &["--dry-run"]] {
        let rejects = folder.join("mistypde/rejects.jsonl");
        let run = Huller::extract(sample(), &output).args(more).arg("--rejects").arg(rejects);
        run.run().exits(2).says("does not exist").says("mistypde");
        assert!(!folder.join("mistypde").exists() && !output.exists());
    }
    // Those of the output folder are made with it.
    let rejects = output.join("_rejects/r.jsonl");
    Huller::extract(sample(), &output).arg("--rejects").arg(&rejects).run().exits(0);
    assert!(rejects.exists());
}

#[test]
fn case_15_an_archive_without_a_page_of_the_gold_is_an_error() {
    let folder = temp();
    let other = folder.path().join("other.jsonl");
    fs::write(&other, "{\"id\":\"1\",\"html\":\"<p>Another page.</p>\"}\n").unwrap();
    let gold = repository().join("data/gold.jsonl");
    for more in [&[][..], &["-q"]] {
        let ran = Huller::new().arg("eval").arg(&other).arg("--gold").arg(&gold).args(more).run();
        let ran = ran.exits(1).says("none of the 41 gold pages is in the archives");
        assert!(ran.text().is_empty(), "{}", ran.text());
    }
}

#[test]
fn case_22_an_input_without_a_page_has_failed() {
    let folder = temp();
    let crawl = folder.path().join("cr");
    fs::create_dir(&crawl).unwrap();
    fs::copy(sample(), crawl.join("x.warc.gz")).unwrap();
    let gold = fs::read(repository().join("data/gold.jsonl")).unwrap();
    fs::write(crawl.join("x.gold.jsonl.zst"), zstd::encode_all(&gold[..], 1).unwrap()).unwrap();
    let output = folder.path().join("out");
    let ran = Huller::extract(&crawl, &output).arg("-q").run().exits(1);
    ran.says("'x.gold.jsonl.zst': none of its 41 records is a page (no_html_key 41)");
    assert!(!output.join("_SUCCESS").exists());
    assert_eq!(rows(output.join("x.jsonl.zst")).len(), 41);
    assert_eq!(stats(&output)["total"]["failed"]["no_html_key"], 41);
    // Nor does a resumed run pass it over.
    let before = contents(&output);
    Huller::extract(&crawl, &output).args(["-q", "--resume"]).run().exits(1).says("x.gold.jsonl");
    crate::support::assert_same(&before, &contents(&output));
    Huller::new().args(["verify", "-q"]).arg(&output).run().exits(1);
    // Pages that were not wanted are pages.
    let output = folder.path().join("wanted");
    Huller::extract(sample(), &output).args(["--min-chars", "9999999"]).run().exits(0);
}

#[test]
fn verify_says_which_inputs_of_a_list_nobody_did_and_which_were_done_twice() {
    let folder = temp();
    let folder = folder.path();
    let names = ["a.warc.gz", "b.warc.gz", "c.warc.gz", "d.warc.gz", "e.warc.gz"];
    let list = list(folder, &names);
    let shares: Vec<_> = (0..3).map(|number| folder.join(number.to_string())).collect();
    for (number, output) in shares.iter().enumerate() {
        share(&list, output, &format!("{number}/3")).run().exits(0);
    }
    let verify = |folders: &[PathBuf]| {
        let verify = Huller::new().args(["verify", "-q"]).args(folders);
        verify.arg("--manifest").arg(&list)
    };
    let ran = verify(&shares).run().exits(0);
    assert!(ran.text().contains("warc.paths: complete\n"), "{}", ran.text());
    let ran = verify(&shares[..2]).run().exits(1);
    for line in ["INCOMPLETE", "    c.warc.gz\n"] {
        assert!(ran.text().contains(line), "{}", ran.text());
    }
    let again = folder.join("again");
    share(&list, &again, "0/3").run().exits(0);
    let ran = verify(&[&shares[..], &[again]].concat()).arg("--json").run().exits(1);
    let reports = json_lines(&ran.stdout);
    let report = reports.last().unwrap();
    assert_eq!((reports.len(), &report["complete"]), (5, &Value::Bool(false)));
    let inputs: Vec<_> = report["repeated"].as_array().unwrap().iter().collect();
    assert_eq!(inputs.len(), 2);
    assert_eq!(inputs[0]["input"], "a.warc.gz");
    assert_eq!(inputs[0]["folders"].as_array().unwrap().len(), 2);
}

/// Two inputs, done, and then one byte of the first changed in place.
fn changed_after_the_run(folder: &Path) -> (PathBuf, PathBuf) {
    let (crawl, output) = (folder.join("crawl"), folder.join("out"));
    fs::create_dir(&crawl).unwrap();
    for name in ["a.warc.gz", "b.warc.gz"] {
        fs::copy(sample(), crawl.join(name)).unwrap();
    }
    Huller::extract(&crawl, &output).run().exits(0);
    Huller::new().arg("verify").arg(&output).arg("--inputs").arg(&crawl).run().exits(0);
    let mut bytes = fs::read(sample()).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(crawl.join("a.warc.gz"), bytes).unwrap();
    (crawl, output)
}

#[test]
fn case_20_a_finished_input_that_was_changed_in_place_is_told_and_done_anew() {
    let folder = temp();
    let (crawl, output) = changed_after_the_run(folder.path());
    let ran = Huller::extract(&crawl, &output).arg("--resume").run().exits(0);
    ran.says(
        "note: 'a.warc.gz' has the same size as before, but other content: it is processed \
        again",
    )
    .says("1 of them finished by an earlier run");
    let fresh = folder.path().join("fresh");
    Huller::extract(&crawl, &fresh).run().exits(0);
    let sorted = |output: &Path| {
        let journal = fs::read_to_string(output.join("_huller/run.journal")).unwrap();
        let mut lines: Vec<_> = journal.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&output), sorted(&fresh));
    // A file that only got another time is what it was.
    fs::write(crawl.join("b.warc.gz"), fs::read(crawl.join("b.warc.gz")).unwrap()).unwrap();
    let ran = Huller::extract(&crawl, &output).arg("--resume").run().exits(0);
    ran.says("2 of them finished by an earlier run");
}

#[test]
fn case_20_verify_tells_inputs_that_are_not_what_was_read() {
    let folder = temp();
    let (crawl, output) = changed_after_the_run(folder.path());
    let verify = || Huller::new().arg("verify").arg(&output);
    verify().run().exits(0);
    let ran = verify().arg("--inputs").arg(&crawl).run().exits(1);
    assert!(
        ran.text().contains("'a.warc.gz': it has changed since the run read it"),
        "{}",
        ran.text()
    );
    assert!(!ran.text().contains("b.warc.gz"), "{}", ran.text());
}

#[test]
fn case_20_a_hole_of_zeros_has_its_own_reason_and_is_exit_one() {
    let folder = temp();
    let (input, output) = (folder.path().join("a.warc.gz"), folder.path().join("out"));
    let rejects = folder.path().join("rejects.jsonl");
    let mut bytes = fs::read(sample()).unwrap();
    let half = bytes.len() / 2;
    bytes[half..].fill(0);
    fs::write(&input, &bytes).unwrap();
    let ran = Huller::extract(&input, &output).arg("--rejects").arg(&rejects).run().exits(1);
    ran.says("a.warc.gz").says("it has a hole of zeros");
    assert_eq!(stats(&output)["total"]["failed"]["hole"], 1);
    let size = format!("a hole of {} bytes, all zeros", bytes.len() - half);
    let lines = json_lines(&fs::read(&rejects).unwrap());
    let hole = lines.iter().find(|line| line["reason"] == "hole").unwrap();
    assert!(hole["detail"].as_str().unwrap().contains(&size), "{hole} {size}");
    assert!(!output.join("_SUCCESS").exists());
    assert!(!rows(output.join("a.jsonl.zst")).is_empty());
}

#[test]
fn verify_knows_listed_folders_of_pages_by_what_distinguishes_them() {
    let folder = temp();
    let folder = folder.path();
    fs::create_dir_all(folder.join("a/deep/x")).unwrap();
    fs::copy(sample(), folder.join("a/x.warc.gz")).unwrap();
    fs::write(folder.join("a/deep/x/1.html"), "<!DOCTYPE html><p>A page.</p>").unwrap();
    let list = folder.join("warc.paths");
    fs::write(&list, "a/x.warc.gz\na/deep/x/1.html\n").unwrap();
    let output = folder.join("out");
    share(&list, &output, "0/1").run().exits(0);
    assert_eq!(files(&output), ["deep/x.jsonl.zst", "x.jsonl.zst"]);
    let verify = Huller::new().args(["verify", "-q"]).arg(&output).arg("--manifest").arg(&list);
    verify.run().exits(0);
}
