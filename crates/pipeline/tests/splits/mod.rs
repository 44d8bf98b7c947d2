//! Several files for the rows of an input.

use crate::support::{TestFolder, assert_same, damaged, sample, settings};
use crate::{Inputs, assert_resumable_everywhere, jsonl};
use huller_pipeline::{FolderState, Settings, SilentMonitor, Split, verify};
use huller_row::{Compression, FORMATS, Format};
use std::fs;
use std::num::NonZeroU64;
use std::path::Path;

fn rows_per_file(rows: u64) -> Split {
    Split { rows: NonZeroU64::new(rows), bytes: None }
}

fn bytes_per_file(bytes: u64) -> Split {
    Split { rows: None, bytes: NonZeroU64::new(bytes) }
}

fn with(format: &'static dyn Format, split: Split) -> Settings {
    Settings { format, split, compression: format.compressions()[0], ..settings() }
}

/// The outputs in the order of their names, those of inputs whose names begin so.
fn files(work: &TestFolder, stem: &str) -> Vec<String> {
    let entries = fs::read_dir(work.out("")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.starts_with(stem)).collect();
    names.sort();
    names
}

/// The lines of all files of an input, one file after another.
fn lines(work: &TestFolder, stem: &str) -> Vec<Vec<String>> {
    let file = |name: String| {
        let bytes = fs::read(work.out(&name)).unwrap();
        let bytes = if Path::new(&name).extension().is_some_and(|it| it == "zst") {
            zstd::decode_all(&bytes[..]).unwrap()
        } else {
            bytes
        };
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    };
    files(work, stem).into_iter().map(file).collect()
}

fn assert_sound(work: &TestFolder) {
    let found = verify(&work.out(""), None, &mut SilentMonitor).unwrap();
    assert_eq!(found.state, FolderState::Complete, "{:?}", found.findings);
}

#[test]
fn the_files_of_an_input_are_full_and_hold_the_rows_of_one_file_in_their_order() {
    let inputs = Inputs::new().file("a.warc.gz", damaged()).file("b.jsonl", jsonl());
    let whole = TestFolder::new();
    let total = whole.run(&inputs.paths, &settings(), 1).unwrap().total;
    for most in [1, 7, 32, 100_000] {
        let work = TestFolder::new();
        let summary = work.run(&inputs.paths, &with(FORMATS[0], rows_per_file(most)), 2).unwrap();
        assert_eq!(summary.total, total);
        for stem in ["a", "b"] {
            let names = files(&work, stem);
            for (number, name) in names.iter().enumerate() {
                assert_eq!(*name, format!("{stem}-{number:05}.jsonl.zst"));
            }
            let files = lines(&work, stem);
            assert_eq!(files.concat(), lines(&whole, stem).concat());
            let (last, full) = files.split_last().unwrap();
            assert!(!last.is_empty() && last.len() as u64 <= most);
            for file in full {
                let rows = file.len() as u64;
                assert!(rows <= most && rows > most - (most / 16).max(1), "{rows} of {most}");
            }
        }
        assert_sound(&work);
    }
}

#[test]
fn files_have_no_more_bytes_than_was_said() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    let whole = TestFolder::new();
    let plain = Settings { compression: Compression::None, ..settings() };
    whole.run(&inputs.paths, &plain, 1).unwrap();
    let longest = lines(&whole, "a").concat().iter().map(String::len).max().unwrap() as u64;
    for most in [2 * longest, 4 * longest] {
        let work = TestFolder::new();
        let split = Settings { split: bytes_per_file(most), ..plain.clone() };
        work.run(&inputs.paths, &split, 2).unwrap();
        assert_eq!(lines(&work, "a").concat(), lines(&whole, "a").concat());
        let names = files(&work, "a");
        assert!(names.len() > 1);
        for name in &names {
            assert!(fs::metadata(work.out(name)).unwrap().len() <= most, "{name}");
        }
        assert_sound(&work);
    }
}

#[test]
fn files_of_every_format_are_the_same_for_any_number_of_threads_and_sound() {
    let inputs = Inputs::new().file("a.warc.gz", damaged());
    for format in FORMATS {
        for split in [rows_per_file(5), bytes_per_file(9000)] {
            let settings = with(*format, split);
            let one = TestFolder::new();
            let total = one.run(&inputs.paths, &settings, 1).unwrap().total;
            assert!(files(&one, "a").len() > 3, "{}", format.name());
            let other = TestFolder::new();
            other.run(&inputs.paths, &settings, 16).unwrap();
            assert_same(&one.contents(), &other, format.name());
            assert_sound(&one);
            let rows = verify(&one.out(""), None, &mut SilentMonitor).unwrap().rows;
            assert_eq!(rows, total.written, "{}", format.name());
        }
    }
}

#[test]
fn a_run_that_was_killed_in_any_file_goes_on_to_the_same_files() {
    let inputs = Inputs::new().file("a.warc.gz", damaged()).file("b.jsonl", jsonl());
    for split in [rows_per_file(4), bytes_per_file(20_000)] {
        assert!(assert_resumable_everywhere(&inputs, &with(FORMATS[0], split)) > 20);
    }
    let lone = Inputs::new().file("a.warc.gz", sample());
    for format in ["csv", "parquet", "arrow"] {
        let format = FORMATS.iter().find(|other| other.name() == format).unwrap();
        assert_resumable_everywhere(&lone, &with(*format, rows_per_file(4)));
    }
}

#[test]
fn a_kill_between_the_names_of_two_files_leaves_none_of_them() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    for format in [FORMATS[0], FORMATS[1]] {
        let settings = with(format, rows_per_file(6));
        let whole = TestFolder::new();
        let copies = whole.run_and_copy(&inputs.paths, &settings);
        let names = files(&whole, "a");
        // The last moment before the input was done: all checkpoints are there, the entry is not.
        let before =
            copies.iter().rev().find(|copy| !files(copy, "a").contains(&names[0])).unwrap();
        for named in 0..=names.len() {
            for overwrites in [false, true] {
                let work = TestFolder::new();
                crate::support::copy_folder(before.path(), work.path());
                for (number, name) in names.iter().enumerate() {
                    let part = work.out(&format!("{name}.part"));
                    let is_named = number >= names.len() - named;
                    fs::copy(whole.out(name), if is_named { work.out(name) } else { part.clone() })
                        .unwrap();
                    if is_named {
                        let _ = fs::remove_file(part);
                    }
                }
                if overwrites {
                    // With other names: what stayed of the old ones would lie among the new ones.
                    let other = Settings { split: Split::default(), ..settings.clone() };
                    work.overwrite(&inputs.paths, &other).unwrap();
                    let fresh = TestFolder::new();
                    fresh.run(&inputs.paths, &other, 1).unwrap();
                    assert_same(&fresh.contents(), &work, &format!("{named} named"));
                } else {
                    work.resume(&inputs.paths, &settings, 2).unwrap();
                    assert_same(&whole.contents(), &work, &format!("{named} named"));
                }
            }
        }
    }
}

#[test]
fn overwriting_a_run_that_was_killed_leaves_no_file_of_it() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    let settings = with(FORMATS[1], rows_per_file(4));
    let fresh = TestFolder::new();
    let other = Settings { split: rows_per_file(11), ..settings.clone() };
    fresh.run(&inputs.paths, &other, 1).unwrap();
    for format in [FORMATS[0], FORMATS[1]] {
        let settings = with(format, rows_per_file(4));
        for copy in TestFolder::new().run_and_copy(&inputs.paths, &settings) {
            copy.overwrite(&inputs.paths, &other).unwrap();
            assert_same(&fresh.contents(), &copy, format.name());
        }
    }
}

#[test]
fn an_input_that_has_fewer_rows_now_leaves_no_file_of_the_earlier_run() {
    let path = |inputs: &Inputs| inputs.paths[0].clone();
    let inputs = Inputs::new().file("a.jsonl", jsonl());
    let settings = with(FORMATS[0], rows_per_file(4));
    let copies = TestFolder::new().run_and_copy(&inputs.paths, &settings);
    fs::write(path(&inputs), "{\"html\":\"<p>One page that is left.</p>\"}\n").unwrap();
    let fresh = TestFolder::new();
    fresh.run(&inputs.paths, &settings, 1).unwrap();
    assert_eq!(files(&fresh, "a"), ["a-00000.jsonl.zst"]);
    for copy in &copies {
        copy.resume(&inputs.paths, &settings, 1).unwrap();
        assert_same(&fresh.contents(), copy, "fewer rows");
    }
}

#[test]
fn a_limit_ends_within_a_file() {
    let inputs = Inputs::new().file("a.warc.gz", damaged()).file("b.jsonl", jsonl());
    let whole = TestFolder::new();
    whole.run(&inputs.paths, &settings(), 1).unwrap();
    let all = lines(&whole, "a").concat();
    for format in FORMATS {
        for limit in [1, 6, 10, 23] {
            let settings = Settings { limit: Some(limit), ..with(*format, rows_per_file(5)) };
            let work = TestFolder::new();
            let total = work.run(&inputs.paths, &settings, 2).unwrap().total;
            assert_eq!(total.written, limit);
            assert_eq!(
                files(&work, "").iter().filter(|name| name.starts_with('a')).count() as u64,
                limit.div_ceil(5)
            );
            assert_sound(&work);
            if format.name() == "jsonl" {
                assert_eq!(lines(&work, "a").concat(), all[..limit as usize]);
                assert_resumable_everywhere(&inputs, &settings);
            }
        }
    }
}

#[test]
fn a_damaged_or_missing_file_is_found_and_all_files_of_its_input_are_made_again() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    let settings = with(FORMATS[0], rows_per_file(4));
    let work = TestFolder::new();
    work.run(&inputs.paths, &settings, 1).unwrap();
    let expected = work.contents();
    let file = work.out("a-00002.jsonl.zst");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, [&bytes[..bytes.len() - 1], b"x"].concat()).unwrap();
    let said = |work: &TestFolder| {
        format!("{:?}", verify(&work.out(""), None, &mut SilentMonitor).unwrap().findings)
    };
    assert!(said(&work).contains("a-00002.jsonl.zst"));
    fs::remove_file(&file).unwrap();
    assert!(said(&work).contains("Missing"));
    fs::write(work.out("a-00099.jsonl.zst"), &bytes).unwrap();
    assert!(said(&work).contains("UnlistedFile"));
    fs::remove_file(work.out("a-00099.jsonl.zst")).unwrap();
    work.resume(&inputs.paths, &settings, 1).unwrap();
    assert_same(&expected, &work, "made again");
}

#[test]
fn files_with_the_names_of_later_ones_are_refused() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    let settings = with(FORMATS[0], rows_per_file(4));
    for name in ["a-00003.jsonl.zst", "a-00003.jsonl.zst.part", "a-123456.jsonl.zst"] {
        let work = TestFolder::new();
        fs::create_dir(work.out("")).unwrap();
        fs::write(work.out(name), "of a user").unwrap();
        let refused = work.run(&inputs.paths, &settings, 1).unwrap_err();
        assert!(refused.to_string().contains(name), "{refused}");
        assert_eq!(fs::read(work.out(name)).unwrap(), b"of a user");
    }
    let work = TestFolder::new();
    fs::create_dir(work.out("")).unwrap();
    fs::write(work.out("a-3.jsonl.zst"), "of a user").unwrap();
    work.run(&inputs.paths, &settings, 1).unwrap();
}

#[test]
fn no_file_is_written_through_a_link() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    let settings = with(FORMATS[0], rows_per_file(4));
    let copies = TestFolder::new().run_and_copy(&inputs.paths, &settings);
    let mut refused = 0;
    for copy in copies {
        let part = copy.out("a-00002.jsonl.zst.part");
        let outside = copy.path().join("outside");
        let Ok(bytes) = fs::read(&part) else { continue };
        fs::rename(&part, &outside).unwrap();
        std::os::unix::fs::symlink(&outside, &part).unwrap();
        refused += usize::from(copy.resume(&inputs.paths, &settings, 1).is_err());
        assert_eq!(fs::read(&outside).unwrap(), bytes);
    }
    assert!(refused > 2);
}
