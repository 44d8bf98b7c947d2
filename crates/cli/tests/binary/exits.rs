//! How the program ends, and what it says.

use crate::support::{Huller, repository, rows, sample, temp};
use huller_testkit::pack::gzip;
use huller_testkit::sample;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";

/// Runs over one input that cannot be used.
fn unusable(path: &Path, says: &str) {
    let output = temp();
    let ran = Huller::extract(path, output.path().join("out")).run().exits(1).says(says);
    let lines: Vec<_> = ran.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(lines.len(), 1, "one line is enough: {}", ran.stderr);
    assert!(ran.stdout.is_empty());
    assert!(!output.path().join("out/_SUCCESS").exists());
}

#[test]
fn a_path_that_is_not_there_is_named() {
    let folder = temp();
    unusable(&folder.path().join("no-such.warc.gz"), "no-such.warc.gz': No such file");
}

#[test]
fn an_empty_file_is_named() {
    let folder = temp();
    let path = folder.path().join("empty.warc.gz");
    fs::write(&path, b"").unwrap();
    unusable(&path, "empty.warc.gz': ");
}

#[test]
fn a_folder_without_archives_is_named() {
    let folder = temp();
    fs::write(folder.path().join("notes.md"), b"x").unwrap();
    unusable(
        folder.path(),
        "the folder holds no .warc, .arc, .jsonl, .csv, .tsv, .tar (.gz, .zst, .lz4), .wacz, .parquet, .zip or .html file",
    );
}

#[test]
fn a_picture_that_calls_itself_an_archive_is_named() {
    let folder = temp();
    let path = folder.path().join("picture.warc.gz");
    fs::write(&path, PNG).unwrap();
    unusable(
        &path,
        "picture.warc.gz': a PNG image, not a readable WARC, ARC, WACZ, JSONL, CSV, Parquet, ZIP \
         or tar file; huller reads only HTML pages",
    );
    fs::write(&path, gzip(PNG)).unwrap();
    unusable(
        &path,
        "picture.warc.gz': a PNG image, compressed, not a readable WARC, ARC, WACZ, \
        JSONL, CSV, Parquet, ZIP or tar file; ",
    );
}

#[test]
fn the_other_inputs_are_done_all_the_same() {
    let folder = temp();
    let path = folder.path().join("picture.warc.gz");
    fs::write(&path, PNG).unwrap();
    let output = folder.path().join("out");
    let ran = Huller::extract(&path, &output)
        .arg(folder.path().join("missing"))
        .arg(sample())
        .run()
        .exits(1);
    ran.says("picture.warc.gz").says("missing").says("2 more could not be used");
    assert_eq!(rows(output.join("sample.jsonl.zst")).len(), 41);
    assert!(!output.join("_SUCCESS").exists());
}

#[test]
fn a_wrong_path_can_be_put_right_in_the_same_output_folder() {
    let output = temp();
    Huller::extract("no-such.warc.gz", output.path()).run().exits(1);
    Huller::extract(sample(), output.path()).run().exits(0);
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let folder = temp();
    let large = folder.path().join("large.warc.gz");
    fs::write(&large, sample::large_archive(8_000_000)).unwrap();
    let large = large.to_str().unwrap();
    let commands: [&[&str]; 5] = [
        &["extract", large, "-o", "-"],
        &["records", "--json", large],
        &["records", large],
        &["completions", "bash"],
        &["man"],
    ];
    for command in commands {
        let mut child = Huller::new().args(command).spawn();
        drop(child.stdin.take());
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        assert!(stdout.read_line(&mut line).unwrap() > 0, "{command:?}");
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{command:?}: {stderr}");
        assert!(!stderr.contains("panic") && !stderr.contains("error"), "{command:?}: {stderr}");
    }
}

#[test]
fn an_output_that_is_there_is_kept() {
    let output = temp();
    Huller::extract(sample(), output.path()).run().exits(0);
    let before = crate::support::contents(output.path());
    let ran = Huller::extract(sample(), output.path()).run().exits(2);
    ran.says("sample.jsonl.zst' exists")
        .says("hint: use --resume to continue that run, or --overwrite");
    crate::support::assert_same(&before, &crate::support::contents(output.path()));
    Huller::extract(sample(), output.path()).arg("--overwrite").run().exits(0);
    crate::support::assert_same(&before, &crate::support::contents(output.path()));
}

#[test]
fn another_run_in_the_folder_is_kept() {
    let folder = temp();
    let output = folder.path().join("out");
    Huller::extract(sample(), &output).run().exits(0);
    let other = folder.path().join("other.warc.gz");
    fs::copy(sample(), &other).unwrap();
    Huller::extract(&other, &output).run().exits(2).says("contains an earlier run");
    assert!(!output.join("other.jsonl.zst").exists());
}

#[test]
fn a_run_without_a_usable_input_leaves_nothing_to_replace() {
    let folder = temp();
    let [wrong, right] = ["wrong.jsonl", "right.jsonl"].map(|name| folder.path().join(name));
    fs::write(
        &right,
        "{\"id\":\"1\",\"url\":\"http://a.test/\",\"text\":\"one two\",\"html\":\"<p>One two\"}\n",
    )
    .unwrap();
    let commands: [&[&str]; 4] =
        [&["extract"], &["refine", "--stages", "mask"], &["dedup"], &["index"]];
    for command in commands {
        let out = folder.path().join(command[0]);
        let run = |input: &Path| Huller::new().args(command).arg(input).arg("-o").arg(&out).run();
        run(&wrong).exits(1).says("wrong.jsonl': No such file");
        run(&wrong).exits(1).says("wrong.jsonl': No such file");
        run(&right).exits(0);
        run(&right).exits(2).says("--overwrite");
    }
}

#[test]
fn an_input_that_is_given_twice_is_refused() {
    let folder = temp();
    let names = ["x.warc.gz", "page.html"];
    let [archive, page] = names.map(|name| folder.path().join(name));
    fs::copy(sample(), &archive).unwrap();
    fs::write(&page, "<p>A page of some words.</p>").unwrap();
    let output = folder.path().join("out");
    for (path, name) in [&archive, &page].into_iter().zip(names) {
        for again in [path.clone(), folder.path().join("./").join(name)] {
            let ran = Huller::extract(path, &output).arg(&again).run().exits(2);
            ran.says(&format!("{name}' is given twice: give it once"));
        }
    }
    assert!(!output.exists(), "nothing is begun");
}

#[test]
fn two_inputs_with_one_output_are_refused() {
    let folder = temp();
    let (one, other) = (folder.path().join("a/x.warc.gz"), folder.path().join("a/x.warc"));
    fs::create_dir(folder.path().join("a")).unwrap();
    for path in [&one, &other] {
        fs::copy(sample(), path).unwrap();
    }
    let output = folder.path().join("out");
    let ran = Huller::extract(&one, &output).arg(&other).run().exits(2);
    ran.says("'x.warc.gz' and 'x.warc' would both be written to ")
        .says("hint: one of the two is often a copy of the other: name the inputs that you want");
    assert!(!output.exists(), "nothing is begun");
    // Inputs with one name in two folders get outputs in folders of these names.
    let third = folder.path().join("b/x.warc.gz");
    fs::create_dir(folder.path().join("b")).unwrap();
    fs::copy(sample(), &third).unwrap();
    Huller::extract(&one, &output).arg(&third).run().exits(0);
    for name in ["a", "b"] {
        assert!(output.join(name).join("x.jsonl.zst").exists(), "{name}");
    }
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = temp();
    let input = folder.path().join("x.jsonl.zst");
    let bytes = zstd::encode_all(&b"{\"html\":\"<p>text\"}\n"[..], 1).unwrap();
    fs::write(&input, &bytes).unwrap();
    for more in [&[][..], &["--overwrite"], &["--resume"]] {
        Huller::extract(&input, folder.path())
            .args(more)
            .run()
            .exits(2)
            .says("would overwrite the input")
            .says("hint: choose another -o");
    }
    assert_eq!(fs::read(&input).unwrap(), bytes);
}

#[test]
fn pages_of_five_gigabytes_are_refused_and_do_not_panic() {
    let ran = Huller::extract(sample(), "-").args(["--max-page-bytes", "5G"]).run().exits(2);
    ran.says("--max-page-bytes must be from 1 to 1073741824");
    Huller::extract(sample(), "-").args(["--max-page-bytes", "1G"]).run().exits(0);
}

#[test]
fn a_rejects_file_that_is_an_input_or_an_output_is_refused() {
    let folder = temp();
    let input = folder.path().join("x.warc.gz");
    fs::copy(sample(), &input).unwrap();
    let output = folder.path().join("out");
    for rejects in [&input, &output.join("x.jsonl.zst"), &output.join("_huller/run.journal")] {
        Huller::extract(&input, &output).arg("--rejects").arg(rejects).run().exits(2);
    }
    assert_eq!(fs::read(&input).unwrap(), fs::read(sample()).unwrap());
}

#[test]
fn a_folder_in_use_is_refused() {
    let output = temp();
    fs::create_dir(output.path().join("_huller")).unwrap();
    let lock = File::create(output.path().join("_huller/lock")).unwrap();
    lock.try_lock().unwrap();
    Huller::extract(sample(), output.path())
        .run()
        .exits(4)
        .says("locked by another run")
        .says("hint: ");
    assert!(!output.path().join("sample.jsonl.zst").exists());
    drop(lock);
    Huller::extract(sample(), output.path()).run().exits(0);
}

#[test]
fn an_output_that_cannot_be_written_is_exit_five() {
    let folder = temp();
    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    for output in [file.clone(), file.join("below")] {
        let ran = Huller::extract(sample(), output)
            .run()
            .exits(5)
            .says("error: cannot create the folder")
            .says("hint: choose another -o: a file has the name of the folder");
        assert_eq!(
            ran.stderr.matches("(os error").count(),
            1,
            "the cause is said once: {}",
            ran.stderr
        );
    }
    let rejects = Huller::extract(sample(), folder.path().join("out"))
        .arg("--rejects")
        .arg(file.join("below"));
    rejects.run().exits(5);
}

#[test]
fn a_full_disk_is_exit_five() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        eprintln!("skipped: no /dev/full");
        return;
    };
    let commands: [&[&str]; 4] =
        [&["extract", "-o", "-"], &["records"], &["records", "--json"], &["records", "--digest"]];
    for command in commands {
        let ran =
            Huller::new().args(command).arg(sample()).run_into(full.try_clone().unwrap()).exits(5);
        let ran = ran.says("error: cannot write to standard output: No space left on device");
        assert_eq!(ran.stderr.matches("No space left").count(), 1, "said once: {}", ran.stderr);
        assert!(!ran.stderr.contains("--resume"), "there is no folder to resume: {}", ran.stderr);
    }
    Huller::new().arg("man").run_into(full.try_clone().unwrap()).exits(5);
    Huller::new().args(["completions", "bash"]).run_into(full.try_clone().unwrap()).exits(5);
    Huller::new().arg("extractors").run_into(full).exits(5);
}

#[test]
fn a_single_file_that_cannot_be_written_is_named_with_a_way_out() {
    let folder = temp();
    let gold = repository().join("data/gold.jsonl");
    let eval = |output: &Path| {
        let args = ["--extractors", "body", "--no-speed", "--format", "csv", "-o"];
        Huller::new().arg("eval").arg(sample()).arg("--gold").arg(&gold).args(args).arg(output)
    };
    let ran = eval(&folder.path().join("none/a.csv")).run().exits(5);
    ran.says("none/a.csv': No such file").says("hint: create its folder first");
    let ran = eval(folder.path()).run().exits(5);
    ran.says("': Is a directory").says("hint: choose another name");
    if Path::new("/dev/full").exists() {
        let ran = eval(Path::new("/dev/full")).run().exits(5);
        let ran = ran.says("error: cannot write '/dev/full': No space left on device");
        ran.says("hint: free some space and run the command again");
    }
    // A file that cannot be finished leaves what was there, and no part.
    let file = folder.path().join("a.csv");
    fs::write(&file, "mine").unwrap();
    fs::create_dir(folder.path().join("a.csv.part")).unwrap();
    eval(&file).run().exits(5).says("a.csv': Is a directory");
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

#[test]
fn a_command_line_that_makes_no_sense_is_exit_two() {
    let sample = sample();
    let sample = sample.to_str().unwrap();
    let lines: [&[&str]; 19] = [
        &[],
        &["frobnicate"],
        &["extract"],
        &["extract", sample],
        &["extract", "-o", "out"],
        &["extract", sample, "-o", "-", "--no-such-flag"],
        &["extract", sample, "-o", "-", "--extractor", "magic"],
        &["extract", sample, "-o", "-", "--profile", "best"],
        &["extract", sample, "-o", "-", "--shard", "3/3"],
        &["extract", sample, "-o", "-", "--limit", "many"],
        &["extract", sample, "-o", "-", "--compress", "lzma"],
        &["extract", sample, "-o", "-", "--compress", "zstd", "--level", "40"],
        &["extract", sample, "-o", "-", "--compress", "gzip", "--level", "0"],
        &["extract", sample, "-o", "-", "--level", "3"],
        &["extract", sample, "-o", "-", "--max-page-bytes", "0"],
        &["extract", sample, "-o", "-", "--resume"],
        &["extract", sample, "-o", "x", "--resume", "--overwrite"],
        &["extract", "-", "-", "-o", "-"],
        &["records"],
    ];
    let folder = temp();
    for line in lines {
        let ran = Huller::new().args(line).current_dir(folder.path()).run().exits(2);
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty(), "{line:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_pinned_names_of_options_are_known() {
    let folder = temp();
    let input = folder.path().join("x.warc");
    fs::write(&input, sample::records().concat()).unwrap();
    for more in [
        &["--extractors", "body"][..],
        &["--extractor", "pvalue"],
        &["--threads", "2"],
        &["-j", "0"],
    ] {
        Huller::extract(&input, "-").args(more).run().exits(0);
    }
}
