//! The rows of an input in several formats, broken off at every moment.

use crate::support::{TestFolder, assert_same, damaged, sample, settings};
use crate::{Inputs, assert_resumable_everywhere, jsonl};
use huller_pipeline::{FolderState, Settings, SilentMonitor, verify};
use huller_row::{Compression, formats};
use std::fs;

fn in_formats(names: &str) -> Settings {
    let format = formats::find(names).unwrap();
    let mut compressions = format.formats().iter().map(|format| format.compressions()[0]);
    let compression = compressions.next().unwrap();
    Settings { format, compression, further_compressions: compressions.collect(), ..settings() }
}

const FILES: [&str; 3] = ["a.parquet", "a.jsonl.zst", "a.csv.zst"];

#[test]
fn a_run_with_several_formats_goes_on_from_every_batch() {
    let inputs = Inputs::new().file("a.warc.gz", damaged()).file("b.jsonl", jsonl());
    let whole = TestFolder::new();
    let summary = whole.run(&inputs.paths, &settings(), 2).unwrap();
    for names in ["jsonl,csv", "parquet,jsonl,csv"] {
        let settings = in_formats(names);
        assert!(assert_resumable_everywhere(&inputs, &settings) > 20);
        for limit in [None, Some(7)] {
            let work = TestFolder::new();
            let settings = Settings { limit, ..settings.clone() };
            let with = work.run(&inputs.paths, &settings, 3).unwrap();
            if limit.is_none() {
                assert_eq!(with.total, summary.total, "each row is counted once");
                let file = "a.jsonl.zst";
                assert!(fs::read(work.out(file)).unwrap() == fs::read(whole.out(file)).unwrap());
            }
            let found = verify(&work.out(""), None, &mut SilentMonitor).unwrap();
            assert_eq!(found.state, FolderState::Complete, "{names}: {:?}", found.findings);
            assert_eq!((found.rows, found.total.written), (with.total.written, found.rows));
        }
    }
}

#[test]
fn a_limit_cuts_each_format_at_the_same_row() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    let csv = || Settings { compression: Compression::None, ..in_formats("csv,jsonl") };
    for limit in [1, 6, 13] {
        let work = TestFolder::new();
        work.run(&inputs.paths, &Settings { limit: Some(limit), ..csv() }, 2).unwrap();
        let lines = zstd::decode_all(&fs::read(work.out("a.jsonl.zst")).unwrap()[..]).unwrap();
        assert_eq!(String::from_utf8(lines).unwrap().lines().count() as u64, limit);
        // `verify` counts the rows of each file.
        let found = verify(&work.out(""), None, &mut SilentMonitor).unwrap();
        assert_eq!(found.state, FolderState::Complete, "{:?}", found.findings);
    }
}

/// A run that ends at the renaming of a file, as a kill would end it there: a folder is in the way.
fn ended_at_the_name_of(blocked: &str, inputs: &Inputs, settings: &Settings) -> TestFolder {
    let work = TestFolder::new();
    let way = work.out(blocked);
    let ended = work.try_and_meddle(&inputs.paths, settings, || {
        fs::create_dir(&way).unwrap();
        fs::write(way.join("x"), "").unwrap();
    });
    let error = ended.unwrap_err().to_string();
    assert!(error.contains("rename") && error.contains(blocked), "{error}");
    fs::remove_dir_all(&way).unwrap();
    work
}

#[test]
fn a_kill_between_any_two_names_leaves_nothing_and_loses_nothing() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    let others = Inputs::new().file("b.jsonl", jsonl());
    let settings = in_formats("parquet,jsonl,csv");
    let whole = TestFolder::new();
    whole.run(&inputs.paths, &settings, 1).unwrap();
    let expected = whole.contents();
    // The first format gets its name last.
    for (named, blocked) in ["a.jsonl.zst", "a.csv.zst", "a.parquet"].into_iter().enumerate() {
        for is_named_by_hand in [false, true] {
            let ended = || {
                let work = ended_at_the_name_of(blocked, &inputs, &settings);
                if is_named_by_hand {
                    fs::rename(work.out(&format!("{blocked}.part")), work.out(blocked)).unwrap();
                }
                let there = FILES.iter().filter(|file| work.out(file).exists()).count();
                assert_eq!(there, named + usize::from(is_named_by_hand));
                work
            };
            let work = ended();
            work.resume(&inputs.paths, &settings, 2).unwrap();
            assert_same(&expected, &work, &format!("ended at {blocked}, {is_named_by_hand}"));
            // The input is not there any more, or the folder is for another run.
            let resumed = ended();
            resumed.resume(&others.paths, &settings, 1).unwrap();
            let overwritten = ended();
            overwritten.overwrite(&others.paths, &in_formats("csv,jsonl")).unwrap();
            for file in FILES {
                assert!(!resumed.out(file).exists(), "{file} after {blocked}");
                assert!(!overwritten.out(file).exists(), "{file} after {blocked}");
                assert!(!overwritten.out(&format!("{file}.part")).exists(), "{file}.part");
            }
        }
    }
}

#[test]
fn a_file_of_any_format_that_is_gone_is_made_again_and_one_in_the_way_is_refused() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    let settings = in_formats("parquet,jsonl,csv");
    let work = TestFolder::new();
    work.run(&inputs.paths, &settings, 1).unwrap();
    let expected = work.contents();
    for file in FILES {
        fs::remove_file(work.out(file)).unwrap();
        let found = verify(&work.out(""), None, &mut SilentMonitor).unwrap();
        assert_eq!(found.state, FolderState::Damaged, "{file}");
        work.resume(&inputs.paths, &settings, 1).unwrap();
        assert_same(&expected, &work, file);
        let other = TestFolder::new();
        fs::create_dir(other.out("")).unwrap();
        fs::write(other.out(file), "of a user").unwrap();
        let refused = other.run(&inputs.paths, &settings, 1).unwrap_err();
        assert!(refused.to_string().contains(file), "{refused}");
        assert_eq!(fs::read(other.out(file)).unwrap(), b"of a user");
    }
}
