//! `--resume` and `--overwrite`, as far as it takes the program to see them; the rest is in the tests of the pipeline.

use crate::support::{Huller, assert_same, contents, sample, temp};
use std::fs;

#[test]
fn other_settings_or_another_input_are_exit_three() {
    let folder = temp();
    let (input, output) = (folder.path().join("x.warc.gz"), folder.path().join("out"));
    fs::copy(sample(), &input).unwrap();
    Huller::extract(&input, &output).run().exits(0);
    let before = contents(&output);
    for other in
        [&["--min-chars", "3"][..], &["--limit", "3"], &["--profile", "paper"], &["--level", "9"]]
    {
        let ran = Huller::extract(&input, &output).arg("--resume").args(other).run().exits(3);
        ran.says("cannot resume: the settings differ").says("hint: ");
    }
    // What doesn't show in the output may differ.
    Huller::extract(&input, &output).args(["--resume", "-j3", "-q", "--strict"]).run().exits(0);
    assert_same(&before, &contents(&output));
    fs::write(&input, [fs::read(sample()).unwrap(), fs::read(sample()).unwrap()].concat()).unwrap();
    let ran = Huller::extract(&input, &output).arg("--resume").run().exits(3);
    ran.says("cannot resume: the input 'x.warc.gz' had");
    assert_same(&before, &contents(&output));
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
