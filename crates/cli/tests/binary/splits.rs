//! `--rows-per-file` and `--bytes-per-file`, as far as it takes the program to see them; the rest
//! is in the tests of the pipeline.

use crate::support::{
    Huller, assert_killed_runs_go_on, assert_same, contents, rows, sample, stats, temp,
};
use huller_testkit::sample::{archive, members};
use std::fs;
use std::path::Path;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.path().is_file());
    let mut names: Vec<_> = files.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.retain(|name| name != "_SUCCESS");
    names.sort();
    names
}

#[test]
fn an_input_has_several_numbered_files_which_tools_of_the_run_know() {
    let folder = temp();
    let [whole, split, other] = ["whole", "split", "other"].map(|name| folder.path().join(name));
    Huller::extract(sample(), &whole).run().exits(0);
    let options = ["--rows-per-file", "10"];
    Huller::extract(sample(), &split).args(options).arg("-j1").run().exits(0);
    Huller::extract(sample(), &other).args(options).arg("-j2").run().exits(0);
    assert_same(&contents(&split), &contents(&other));
    let names = names(&split);
    assert!(names.len() > 2 && names[1].ends_with("-00001.jsonl.zst"), "{names:?}");
    let all: Vec<_> = names.iter().flat_map(|name| rows(split.join(name))).collect();
    let stem = names[0].strip_suffix("-00000.jsonl.zst").unwrap();
    assert_eq!(all, rows(whole.join(format!("{stem}.jsonl.zst"))));
    assert_eq!(stats(&split), stats(&whole));

    let verified = Huller::new().arg("verify").arg(&split).run().exits(0);
    let line = verified.text().lines().find(|line| line.trim_start().starts_with("outputs"));
    assert!(line.unwrap().contains(&names.len().to_string()), "{}", verified.text());
    Huller::new().arg("stats").arg(&split).run().exits(0);
    fs::remove_file(split.join(&names[1])).unwrap();
    Huller::new().arg("verify").arg(&split).run().exits(1);
    Huller::extract(sample(), &split).args(options).arg("--resume").run().exits(0);
    assert_same(&contents(&split), &contents(&other));
    // The folder is a corpus for the commands that read one.
    let unique = folder.path().join("unique");
    Huller::new().arg("dedup").arg(&split).arg("-o").arg(&unique).run().exits(0);
    assert_eq!(self::names(&unique), names);
    let kept = folder.path().join("kept");
    let refine = Huller::new().arg("refine").arg(&split).arg("-o").arg(&kept);
    refine.args(["--stages", "length", "--rows-per-file", "3"]).run().exits(0);
    let first = names[0].replace(".jsonl.zst", "-00000.jsonl.zst");
    assert!(self::names(&kept).contains(&first));
}

#[test]
fn what_does_not_go_with_several_files_is_refused() {
    let folder = temp();
    let output = folder.path().join("out");
    for (options, message) in [
        (&["--rows-per-file", "0"][..], "--rows-per-file must be at least 1"),
        (&["--rows-per-file", "x"], "not a number of rows"),
        (&["--bytes-per-file", "0"], "must be more than 0"),
        (
            &["--rows-per-file", "5", "--stages", "signature"],
            "the stage signature needs one file for each input: leave out --rows-per-file",
        ),
    ] {
        Huller::extract(sample(), &output).args(options).run().exits(2).says(message);
    }
    let stdout = Huller::extract(sample(), "-").args(["--rows-per-file", "5"]).run();
    stdout.exits(2).says("write to a folder, not to -o -");
    assert!(!output.exists());
    Huller::extract(sample(), &output).args(["--rows-per-file", "5"]).run().exits(0);
    let other = Huller::extract(sample(), &output).args(["--rows-per-file", "6", "--resume"]);
    other.run().exits(3).says("rows_per_file is 6, was 5");
    let dry = Huller::extract(sample(), folder.path().join("new"));
    let dry = dry.args(["--rows-per-file", "5", "--dry-run"]).run().exits(0);
    assert!(dry.text().contains("-00000.jsonl.zst and so on"), "{}", dry.text());
    // A file of the run is no place for another one's rejects, and no input is written over.
    let rejects =
        Huller::extract(sample(), folder.path().join("new")).args(["--rows-per-file", "5"]);
    let stem = names(&output)[0].replace("-00000.jsonl.zst", "-00003.jsonl.zst");
    let rejects = rejects.arg("--rejects").arg(folder.path().join("new").join(&stem)).run();
    rejects.exits(2);
}

#[test]
fn a_run_into_several_files_that_was_killed_goes_on_to_the_same_files() {
    let folder = temp();
    let input = folder.path().join("input.warc.gz");
    let bytes = fs::read(archive()).unwrap();
    assert!(!members(&bytes).is_empty());
    fs::write(&input, bytes.repeat(12)).unwrap();
    for (place, options) in
        [["--rows-per-file", "20"], ["--bytes-per-file", "64K"]].into_iter().enumerate()
    {
        let work = folder.path().join(format!("work{place}"));
        fs::create_dir(&work).unwrap();
        let run = |out: &Path| Huller::extract(&input, out).args(options).args(["-j2", "-q"]);
        assert_killed_runs_go_on(&work, 5, run);
    }
}
