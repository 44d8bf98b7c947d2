//! `--resume` and `--overwrite`, as far as it takes the program to see them; the rest is in the tests of the pipeline.

use crate::support::{Huller, assert_same, contents, sample, temp};
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
    ran.says("note: 'x.warc.gz' had ").says(" now: it is done anew");
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
    // Another version of the program goes on with the run, unless one of the formats in it has another version too.
    assert!(!one.contains(env!("CARGO_PKG_VERSION")), "{one}");
}

#[test]
fn a_finished_run_is_not_done_again() {
    let output = temp();
    Huller::extract(sample(), output.path()).run().exits(0);
    let before = contents(output.path());
    let ran = Huller::extract(sample(), output.path()).arg("--resume").run().exits(0);
    ran.says("of these 1 finished by an earlier run");
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
