//! `--resume` and `--overwrite`, as far as it takes the program to see them; the rest is in the
//! tests of the pipeline.

use crate::support::{Huller, assert_same, contents, rows, sample, temp};
use std::fs;

#[test]
fn other_settings_are_exit_three() {
    let folder = temp();
    let (input, output) = (folder.path().join("x.warc.gz"), folder.path().join("out"));
    fs::copy(sample(), &input).unwrap();
    Huller::extract(&input, &output).run().exits(0);
    let before = contents(&output);
    for (other, difference) in [
        (&["--min-chars", "3"][..], "min_chars is 3, was 0"),
        (&["--limit", "3"], "limit is 3, was not set"),
        (&["--profile", "paper"], "profile is paper, was tuned"),
        (
            &["--level", "9", "--extractors", "pvalue,body"],
            "extractor is pvalue,body, was hull; level is 9, was 1",
        ),
    ] {
        let ran = Huller::extract(&input, &output).arg("--resume").args(other).run().exits(3);
        ran.says("cannot resume: the settings differ").says(difference).says("hint: ");
    }
    // What doesn't show in the output may differ.
    Huller::extract(&input, &output).args(["--resume", "-j3", "-q", "--strict"]).run().exits(0);
    assert_same(&before, &contents(&output));
}

#[test]
fn a_finished_input_whose_size_changed_is_told_and_done_anew() {
    let folder = temp();
    let (input, output) = (folder.path().join("x.warc.gz"), folder.path().join("out"));
    fs::copy(sample(), &input).unwrap();
    Huller::extract(&input, &output).run().exits(0);
    fs::write(&input, fs::read(sample()).unwrap().repeat(2)).unwrap();
    let ran = Huller::extract(&input, &output).arg("--resume").run().exits(0);
    ran.says("note: 'x.warc.gz' had ").says(": it is processed again");
    let fresh = folder.path().join("fresh");
    Huller::extract(&input, &fresh).run().exits(0);
    assert_same(&contents(&fresh), &contents(&output));
}

#[test]
fn a_run_of_an_earlier_version_is_exit_three() {
    let output = temp();
    Huller::extract(sample(), output.path()).run().exits(0);
    fs::remove_file(output.path().join("_huller/run.config")).unwrap();
    let ran = Huller::extract(sample(), output.path()).arg("--resume").run().exits(3);
    ran.says("was made by an earlier version of huller").says("hint: ");
    Huller::extract(sample(), output.path()).arg("--overwrite").run().exits(0);
    Huller::extract(sample(), output.path()).arg("--resume").run().exits(0);
}

#[test]
fn the_account_of_the_settings_depends_on_nothing_else() {
    let folder = temp();
    let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
    let copy = folder.path().join("a copy.warc.gz");
    fs::copy(sample(), &copy).unwrap();
    Huller::extract(sample(), &one).run().exits(0);
    Huller::extract(&copy, &other)
        .args(["-j3", "-q", "--strict", "--rejects"])
        .arg(folder.path().join("r"))
        .run()
        .exits(0);
    let [one, other] =
        [one, other].map(|output| fs::read_to_string(output.join("_huller/run.config")).unwrap());
    assert_eq!(one, other);
    // Another version of the program goes on with the run, unless one of the formats in it has
    // another version too.
    assert!(!one.contains(env!("CARGO_PKG_VERSION")), "{one}");
}

#[test]
fn a_finished_run_is_not_done_again() {
    let output = temp();
    Huller::extract(sample(), output.path()).run().exits(0);
    let before = contents(output.path());
    let ran = Huller::extract(sample(), output.path()).arg("--resume").run().exits(0);
    ran.says("1 of them finished by an earlier run");
    assert_same(&before, &contents(output.path()));
}

#[test]
fn resuming_where_nothing_was_begun_begins() {
    let folder = temp();
    let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
    Huller::extract(sample(), &one).run().exits(0);
    Huller::extract(sample(), &other).arg("--resume").run().exits(0);
    assert_same(&contents(&one), &contents(&other));
}

#[test]
fn overwriting_replaces_a_run_with_other_settings() {
    let folder = temp();
    let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
    Huller::extract(sample(), &one).args(["--extractor", "body"]).run().exits(0);
    Huller::extract(sample(), &one).arg("--overwrite").run().exits(0);
    Huller::extract(sample(), &other).run().exits(0);
    assert_same(&contents(&one), &contents(&other));
}

#[test]
fn an_input_added_later_is_all_that_a_resumed_run_does() {
    let folder = temp();
    let (other, output) = (folder.path().join("other.warc.gz"), folder.path().join("out"));
    fs::copy(sample(), &other).unwrap();
    Huller::extract(sample(), &output).run().exits(0);
    Huller::extract(sample(), &output).arg(&other).arg("--resume").run().exits(0);
    let both = folder.path().join("both");
    Huller::extract(sample(), &both).arg(&other).run().exits(0);
    assert_same(&contents(&both), &contents(&output));
}

#[test]
fn rejects_of_inputs_that_are_not_given_again_stay_listed() {
    let folder = temp();
    let folder = folder.path();
    let (output, rejects) = (folder.join("out"), folder.join("rejects.jsonl"));
    let inputs = ["a.jsonl", "b.jsonl"].map(|name| folder.join(name));
    for input in &inputs {
        let lines = "{\"html\":\"<p>A page.</p>\"}\n{\"words\":\"no page\"}\n";
        fs::write(input, lines).unwrap();
        let run = Huller::extract(input, &output).args(["--resume", "--rejects"]).arg(&rejects);
        run.run().exits(0);
    }
    let listed = fs::read_to_string(&rejects).unwrap();
    for name in ["a.jsonl", "b.jsonl"] {
        assert_eq!(listed.matches(name).count(), 1, "{listed}");
    }
    Huller::extract(&inputs[0], &output).arg("--resume").run().exits(3).says("--rejects");
}

/// Writes pages as lines of JSON.
fn write_lines(path: &std::path::Path, pages: usize) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let lines = (0..pages).map(|n| format!("{{\"html\":\"<p>Page {n} of the file.</p>\"}}\n"));
    fs::write(path, lines.collect::<String>()).unwrap();
}

#[test]
fn an_output_that_gets_another_place_leaves_no_rows_at_the_old_one() {
    let folder = temp();
    let folder = folder.path();
    let crawl = folder.join("crawl");
    write_lines(&crawl.join("a/x.jsonl"), 3);
    let list = folder.join("list.paths");
    fs::write(&list, "a/x.jsonl\n").unwrap();
    let [output, fresh] = ["out", "fresh"].map(|name| folder.join(name));
    Huller::extract(&list, &output).arg("--base").arg(&crawl).run().exits(0);
    assert!(output.join("x.jsonl.zst").exists());
    Huller::extract(&crawl, &output).arg("--resume").run().exits(0);
    Huller::extract(&crawl, &fresh).run().exits(0);
    assert_same(&contents(&fresh), &contents(&output));
}

#[test]
fn an_input_that_has_changed_leaves_no_rows_of_its_older_version() {
    let folder = temp();
    let folder = folder.path();
    let crawl = folder.join("crawl");
    write_lines(&crawl.join("x.jsonl"), 3);
    write_lines(&crawl.join("y.jsonl"), 2);
    let output = folder.join("out");
    Huller::extract(&crawl, &output).run().exits(0);
    fs::write(crawl.join("x.jsonl"), b"\x89PNG\r\n\x1a\n").unwrap();
    Huller::extract(&crawl, &output).arg("--resume").run().exits(1).says("x.jsonl");
    assert!(!output.join("x.jsonl.zst").exists());
    // Nor when it is no input any more.
    fs::remove_file(crawl.join("x.jsonl")).unwrap();
    Huller::extract(&crawl, &output).arg("--resume").run().exits(0);
    Huller::new().args(["verify", "-q"]).arg(&output).run().exits(0);
}

#[test]
fn an_output_that_was_named_and_not_entered_does_not_outlive_its_input() {
    let folder = temp();
    let folder = folder.path();
    let crawl = folder.join("crawl");
    write_lines(&crawl.join("x.jsonl"), 3);
    let output = folder.join("out");
    // As if the kill had come between the name of the output and its entry.
    Huller::extract(&crawl, &output).run().exits(0);
    let journal = output.join("_huller/run.journal");
    let entry: serde_json::Value = serde_json::from_slice(&fs::read(&journal).unwrap()).unwrap();
    let digest = entry["digest"].as_str().unwrap().trim_start_matches("sha256:");
    let checkpoint = serde_json::json!({
        "input": "x.jsonl", "input_bytes": entry["input_bytes"], "batches": 1, "output": entry["output"],
        "output_bytes": entry["output_bytes"], "digest": digest, "rejects_bytes": null, "rejects_digest": null,
        "account": entry["account"], "config": entry["config"],
    });
    fs::write(output.join("_huller/run.checkpoint"), format!("{checkpoint}\n")).unwrap();
    fs::write(&journal, "").unwrap();
    fs::remove_file(output.join("_SUCCESS")).unwrap();
    fs::rename(crawl.join("x.jsonl"), folder.join("away.jsonl")).unwrap();
    write_lines(&crawl.join("y.jsonl"), 2);
    Huller::extract(&crawl, &output).arg("--resume").run().exits(0);
    let left: Vec<_> =
        contents(&output).into_keys().filter(|name| !name.starts_with('_')).collect();
    assert_eq!(left, ["y.jsonl.zst"]);
}

#[test]
fn an_input_that_the_limit_cut_is_taken_up_again_if_there_is_room_for_more_rows() {
    let folder = temp();
    let folder = folder.path();
    let crawl = folder.join("crawl");
    write_lines(&crawl.join("a.jsonl"), 4);
    write_lines(&crawl.join("b.jsonl"), 6);
    let [output, fresh] = ["out", "fresh"].map(|name| folder.join(name));
    let run = |to: &std::path::Path| Huller::extract(&crawl, to).args(["--limit", "7", "--resume"]);
    run(&output).run().exits(0);
    assert_eq!(rows(output.join("b.jsonl.zst")).len(), 3);
    write_lines(&crawl.join("a.jsonl"), 2);
    run(&output).run().exits(0);
    run(&fresh).run().exits(0);
    assert_eq!(rows(output.join("b.jsonl.zst")).len(), 5);
    assert_same(&contents(&fresh), &contents(&output));
}

#[test]
fn rejects_of_an_input_that_is_done_again_are_listed_once() {
    let folder = temp();
    let folder = folder.path();
    let crawl = folder.join("crawl");
    fs::create_dir(&crawl).unwrap();
    let write_rows = |name: &str, rows: usize| {
        let rows = (0..rows).map(|n| format!("{{\"text\":\"Row {n} of {name}\"}}\n"));
        fs::write(crawl.join(name), rows.collect::<String>()).unwrap();
    };
    for (name, rows) in [("a.jsonl", 3), ("b.jsonl", 4), ("c.jsonl", 5)] {
        write_rows(name, rows);
    }
    let [output, rejects, dropped] = ["out", "rejects.jsonl", "dropped"].map(|it| folder.join(it));
    let run = || {
        let stages = ["--stages", "length", "--set", "length.min_chars=100000"];
        let run = Huller::new().arg("refine").arg(&crawl).arg("-o").arg(&output).args(stages);
        let run = run.arg("--rejects").arg(&rejects).arg("--dropped").arg(&dropped);
        run.args(["--dropped-rows", "all"])
    };
    let lists =
        || [fs::read(&rejects), fs::read(dropped.join("dropped.jsonl"))].map(Result::unwrap);
    run().run().exits(0);
    let before = lists();
    assert!(before.iter().all(|list| list.split_inclusive(|byte| *byte == b'\n').count() == 12));
    // The first input is done again, and its lines come last.
    write_rows("a.jsonl", 2);
    run().arg("--resume").run().exits(0);
    let after = lists();
    for (before, after) in before.iter().zip(&after) {
        let lines = |list: &[u8]| {
            let text = String::from_utf8(list.to_vec()).unwrap();
            text.lines()
                .filter(|line| !line.contains("a.jsonl"))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(lines(before), lines(after));
        assert_eq!(after.split_inclusive(|byte| *byte == b'\n').count(), 11);
    }
    // What a kill left between the new journal and the lists is finished.
    for (place, name) in
        [(&rejects, "run.rejects.new"), (&dropped.join("dropped.jsonl"), "run.dropped.new")]
    {
        fs::copy(place, output.join("_huller").join(name)).unwrap();
        fs::write(place, "{\"url\":half").unwrap();
    }
    run().arg("--resume").run().exits(0);
    assert!(lists() == after && !output.join("_huller/run.rejects.new").exists());
}

#[test]
fn rows_of_an_input_are_not_overwritten_by_one_of_another_name() {
    let folder = temp();
    let folder = folder.path();
    write_lines(&folder.join("a/x.jsonl"), 3);
    fs::create_dir(folder.join("b")).unwrap();
    fs::copy(sample(), folder.join("b/x.warc.gz")).unwrap();
    let output = folder.join("out");
    Huller::extract(folder.join("a/x.jsonl"), &output).run().exits(0);
    let before = contents(&output);
    let ran = Huller::extract(folder.join("b/x.warc.gz"), &output).arg("--resume").run().exits(3);
    ran.says("'x.warc.gz' would be written over 'x.jsonl.zst', which has the rows of 'x.jsonl'");
    assert_same(&before, &contents(&output));
}

#[test]
fn rows_of_an_input_are_not_written_twice_under_another_name() {
    let folder = temp();
    let folder = folder.path();
    let [one, other] = ["a/x.jsonl", "b/x.jsonl"].map(|name| folder.join(name));
    write_lines(&one, 3);
    write_lines(&other, 4);
    let output = folder.join("out");
    Huller::extract(&one, &output).run().exits(0);
    let before = contents(&output);
    // With a second one of its name, an input has its path as its name.
    let both = || Huller::extract(&one, &output).arg(&other);
    let ran = both().arg("--resume").run().exits(3);
    ran.says("a/x.jsonl' is 'x.jsonl' of the earlier run: its rows would be written twice");
    assert_same(&before, &contents(&output));
    both().arg("--overwrite").run().exits(0);
}

#[test]
fn a_listed_folder_of_pages_keeps_its_name_when_the_list_grows() {
    let folder = temp();
    let folder = folder.path();
    for path in ["a/pages", "b/pages"] {
        fs::create_dir_all(folder.join(path)).unwrap();
        let page = format!("<!DOCTYPE html><p>The page of {path}.</p>");
        fs::write(folder.join(path).join("1.html"), page).unwrap();
    }
    let list = folder.join("list.paths");
    fs::write(&list, "a/pages/1.html\n").unwrap();
    let [output, fresh] = ["out", "fresh"].map(|name| folder.join(name));
    Huller::extract(&list, &output).run().exits(0);
    assert!(output.join("pages.jsonl.zst").exists());
    fs::write(&list, "b/pages/1.html\na/pages/1.html\n").unwrap();
    Huller::extract(&list, &output).arg("--resume").run().exits(0);
    Huller::extract(&list, &fresh).run().exits(0);
    assert_same(&contents(&fresh), &contents(&output));
}

#[test]
fn what_an_input_that_is_gone_had_and_has_no_more_is_not_counted() {
    let folder = temp();
    let folder = folder.path();
    let crawl = folder.join("crawl");
    write_lines(&crawl.join("x.jsonl"), 3);
    write_lines(&crawl.join("y.jsonl"), 2);
    let output = folder.join("out");
    Huller::extract(&crawl, &output).run().exits(0);
    fs::remove_file(crawl.join("x.jsonl")).unwrap();
    fs::remove_file(output.join("x.jsonl.zst")).unwrap();
    let ran = Huller::extract(&crawl, &output).arg("--resume").run().exits(0);
    ran.says("'x.jsonl.zst' is missing, and 'x.jsonl' is not among the inputs");
    Huller::new().args(["verify", "-q"]).arg(&output).run().exits(0);
}

#[test]
fn signatures_of_an_output_that_is_gone_do_not_stay() {
    let folder = temp();
    let folder = folder.path();
    let rows = folder.join("rows");
    fs::create_dir(&rows).unwrap();
    for name in ["x.jsonl", "y.jsonl"] {
        let line = format!("{{\"text\":\"The words of {name}.\"}}\n");
        fs::write(rows.join(name), line).unwrap();
    }
    let output = folder.join("out");
    let refine = || {
        let refine = Huller::new().arg("refine").arg(&rows).arg("-o").arg(&output);
        refine.args(["--stages", "signature"])
    };
    refine().run().exits(0);
    fs::remove_file(rows.join("x.jsonl")).unwrap();
    fs::remove_file(output.join("x.jsonl.zst")).unwrap();
    refine().arg("--resume").run().exits(0);
    let left = fs::read_dir(output.join("_huller/signatures")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["y.jsonl.zst.sig"]);
}
