//! Outputs at addresses: a server on this machine that takes objects, at which requests go wrong.
//! Needs the feature `remote`.

use crate::support::{Huller, ProgramResult, assert_same, contents, temp};
use huller_testkit::sample::{archive as sample, large_archive};
use huller_testkit::server::{FaultRates, Server};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// One request in four goes wrong.
const BAD_LINE: FaultRates =
    FaultRates { errors: 120, resets: 80, cuts: 30, short: 0, slow: 20, stalls: 0, seed: 4 };

/// An archive whose only page gives no row.
const NO_ROW: &[u8] = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Type: application/http\r\n\
    Content-Length: 57\r\n\r\nHTTP/1.1 404 None\r\nContent-Type: text/html\r\n\r\n<p>None</p>\r\n\r\n";

/// A folder with inputs, what a run over it gives, and a store.
struct StoreAndFolder {
    server: Server,
    folder: tempfile::TempDir,
    expected: BTreeMap<String, Vec<u8>>,
    options: Vec<&'static str>,
}

impl StoreAndFolder {
    /// Some inputs, one of them without rows and one in a folder.
    fn of_small(options: &[&'static str]) -> StoreAndFolder {
        let sample = fs::read(sample()).unwrap();
        StoreAndFolder::of(
            &[
                ("a.warc.gz", &sample),
                ("below/b.warc.gz", &sample[..60_000]),
                ("none.warc", NO_ROW),
                ("x y.warc.gz", &sample[..30_000]),
            ],
            options,
        )
    }

    fn of(files: &[(&str, &[u8])], options: &[&'static str]) -> StoreAndFolder {
        let folder = temp();
        fs::create_dir_all(folder.path().join("data/below")).unwrap();
        for (name, bytes) in files {
            fs::write(folder.path().join("data").join(name), bytes).unwrap();
        }
        let here = folder.path().join("here");
        let options = options.to_vec();
        Huller::extract(folder.path().join("data"), &here).args(&options).run().exits(0);
        StoreAndFolder { server: Server::start(), expected: contents(&here), folder, options }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A run over the same inputs to the store, which has its temporary files in a folder of its
    /// own.
    fn extract(&self, address: &str) -> Huller {
        let temporary = self.path("temporary");
        fs::create_dir_all(&temporary).unwrap();
        let run = Huller::extract(self.path("data"), address).args(&self.options);
        self.with_store(run).env("TMPDIR", temporary.to_str().unwrap())
    }

    fn with_store(&self, run: Huller) -> Huller {
        run.env("AWS_ENDPOINT_URL", &self.server.url(""))
            .env("AWS_ALLOW_HTTP", "true")
            .env("AWS_ACCESS_KEY_ID", "me")
            .env("AWS_SECRET_ACCESS_KEY", "only-for-this-test")
    }

    /// What is in the store below an address, as a folder would have it.
    fn objects(&self, below: &str) -> BTreeMap<String, Vec<u8>> {
        let mut objects = self.server.files(below);
        assert!(objects.remove("_huller/run.timing").is_some());
        objects
    }

    fn assert_done(&self, below: &str) {
        assert_same(&self.expected, &self.objects(below));
        assert_eq!(self.server.unfinished_uploads(), 0);
    }
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn objects_are_the_files_of_the_local_run_whatever_the_line_does() {
    let formats = ["--format", "jsonl,parquet"];
    let split = ["--rows-per-file", "20"];
    let signed = ["--stages", "signature"];
    for options in [&[][..], &formats, &split, &signed] {
        let both = StoreAndFolder::of_small(options);
        assert!(both.expected.len() > 7, "{:?}", both.expected.keys());
        for (address, below, faults) in [
            ("s3://corpora/sound/", "/corpora/sound/", FaultRates::default()),
            ("s3://bad", "/bad/", BAD_LINE),
        ] {
            both.server.set_faults(faults);
            let ran = both.extract(address).args(["-j2", "--staging-size", "50K"]).run().exits(0);
            assert!(!ran.stderr.contains("only-for-this-test"));
            both.assert_done(below);
            assert!(is_empty(&both.path("temporary")));
        }
        assert!(both.server.requests().iter().any(|request| request.status == 500));
    }
}

#[test]
fn large_outputs_go_in_parts() {
    let large = large_archive(30 << 20);
    let both = StoreAndFolder::of(
        &[("a.warc.gz", &large), ("b.warc.gz", &large)],
        &["--compress", "none", "--limit", "100000"],
    );
    assert!(both.expected["a.jsonl"].len() > 10 << 20, "{}", both.expected["a.jsonl"].len());
    both.server.set_faults(BAD_LINE);
    both.extract("s3://corpora/large").run().exits(0);
    both.assert_done("/corpora/large/");
    let requests = both.server.requests();
    assert!(requests.iter().any(|request| request.target.contains("partNumber=2")));
}

/// Kills runs at moments spread over the time that one takes, and lets each go on.
fn assert_killed_runs_go_on(
    both: &StoreAndFolder,
    trials: u32,
    staging: impl Fn(Huller, u32, bool) -> Huller,
) {
    let started = Instant::now();
    staging(both.extract("s3://corpora/whole"), 1000, false).run().exits(0);
    let took = started.elapsed();
    both.assert_done("/corpora/whole/");
    let mut killed = 0;
    for trial in 0..trials {
        let address = format!("s3://corpora/{trial}");
        let run = || both.extract(&address).args(["-j2", "-q"]);
        let mut child = staging(run(), trial, false).spawn();
        let moment = took.mul_f64(f64::from(trial + 1) / f64::from(trials + 2));
        let begin = Instant::now();
        while begin.elapsed() < moment && child.try_wait().unwrap().is_none() {
            std::thread::park_timeout(Duration::from_millis(1));
        }
        killed += u64::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        staging(run(), trial, true).arg("--resume").run().exits(0);
        assert_same(&both.expected, &both.objects(&format!("/corpora/{trial}/")));
    }
    assert!(killed > 0);
}

fn of_several() -> StoreAndFolder {
    let (large, sample) = (large_archive(3 << 20), fs::read(sample()).unwrap());
    let names: Vec<String> = (0..6).map(|number| format!("{number}.warc.gz")).collect();
    let mut files: Vec<(&str, &[u8])> =
        names.iter().map(|name| (name.as_str(), sample.as_slice())).collect();
    files[2].1 = &large;
    let both = StoreAndFolder::of(&files, &[]);
    both.server.set_faults(FaultRates { errors: 50, resets: 50, ..FaultRates::default() });
    both
}

#[test]
fn a_killed_run_goes_on_from_the_store_alone() {
    assert_killed_runs_go_on(&of_several(), 6, |run, _, _| run);
}

#[test]
fn a_killed_run_goes_on_with_its_staging_folder_and_without() {
    let both = of_several();
    let staging = both.path("staging");
    // Every third goes on with another folder, as on another machine.
    assert_killed_runs_go_on(&both, 7, |run, trial, is_resumed| {
        let other = is_resumed && trial % 3 == 2;
        run.arg("--staging").arg(if other { both.path("other") } else { staging.clone() })
    });
    let left = fs::read_dir(&staging).unwrap().count();
    // Those that were given up for another stay.
    assert!(left <= 2, "{left}");
}

#[test]
fn a_run_that_is_done_is_neither_done_again_nor_overwritten_by_mistake() {
    let both = StoreAndFolder::of_small(&[]);
    both.extract("s3://b/x").run().exits(0);
    let puts = || both.server.requests().into_iter().filter(|it| it.method == "PUT");
    let refused = |run: Huller, what: &str| -> ProgramResult {
        let before = (puts().count(), both.objects("/b/x/"));
        let ran = run.run().exits(2).says(what).says("--resume");
        assert!(before == (puts().count(), both.objects("/b/x/")));
        ran
    };
    refused(both.extract("s3://b/x/"), "'s3://b/x/a.jsonl.zst' exists");
    refused(both.extract("s3://b/x/").arg("--dry-run"), "'s3://b/x/a.jsonl.zst' exists");
    refused(
        both.extract("s3://b/x").args(["--format", "csv"]),
        "'s3://b/x' contains an earlier run",
    );
    let before = puts().count();
    both.extract("s3://b/x").arg("--resume").run().exits(0);
    assert!(puts().skip(before).all(|it| !it.target.contains(".jsonl")));
    both.assert_done("/b/x/");
    // Other settings are another run.
    both.extract("s3://b/x").args(["--resume", "--markdown"]).run().exits(3).says("markdown");
    // An object that is gone, or is not as long as it was, is made again.
    both.server.remove("/b/x/a.jsonl.zst");
    both.server.put("/b/x/below/b.jsonl.zst", b"short".to_vec());
    both.extract("s3://b/x").arg("--resume").run().exits(0);
    assert_same(&sorted(&both.expected), &sorted(&both.objects("/b/x/")));
    // What an input gave before it changed is replaced, and its entry with it.
    let sample = fs::read(sample()).unwrap();
    fs::write(both.path("data/a.warc.gz"), &sample[..90_000]).unwrap();
    both.extract("s3://b/x").arg("--resume").run().exits(0).says("processed again");
    let here = both.path("changed");
    Huller::extract(both.path("data"), &here).run().exits(0);
    assert_same(&sorted(&contents(&here)), &sorted(&both.objects("/b/x/")));
}

/// Files of a run whose entries stand in another order where inputs were done anew.
fn sorted(files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let mut files = files.clone();
    let journal = files.get_mut("_huller/run.journal").unwrap();
    let mut lines: Vec<_> = journal.split_inclusive(|byte| *byte == b'\n').collect();
    lines.sort_unstable();
    *journal = lines.concat();
    files
}

#[test]
fn what_is_overwritten_leaves_nothing_behind() {
    let both = StoreAndFolder::of_small(&[]);
    // Killed when some of its objects are there, which it could not enter.
    both.server.set_faults(FaultRates { errors: 200, slow: 800, ..FaultRates::default() });
    let mut child = both.extract("s3://b/x").args(["--rows-per-file", "3", "-j1", "-q"]).spawn();
    let is_there = |name: &str| both.server.files("/b/x/").contains_key(name);
    while !is_there("a-00002.jsonl.zst") && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let _ = child.kill();
    child.wait().unwrap();
    both.server.set_faults(FaultRates::default());
    assert!(is_there("a-00002.jsonl.zst"));
    both.server.put("/b/x/others.txt", b"not ours".to_vec());
    both.server.put("/b/xy/a.jsonl.zst", b"not ours".to_vec());
    both.extract("s3://b/x").arg("--overwrite").run().exits(0);
    both.server.remove("/b/x/others.txt");
    both.assert_done("/b/x/");
    assert_eq!(both.server.files("/b/xy/").len(), 1);
}

#[test]
fn what_cannot_be_written_to_is_said_before_any_work() {
    let both = StoreAndFolder::of_small(&[]);
    let requests = || both.server.requests().len();
    for (address, options, said) in [
        ("https://host/x", &[][..], "cannot write to a web server"),
        ("ftp://host/x", &[], "URLs begin with"),
        ("s3://b/x//y", &[], "empty part"),
        ("s3://b/x", &["--rejects", "s3://b/rejects"], "--rejects and --dropped take only local"),
        ("s3://b/x", &["--shard", "0/2", "--dropped", "gs://b/d"], "--rejects and --dropped"),
        ("s3://b/x", &["--index", "index"], "--index reads the rows from a local folder"),
        ("out", &["--staging", "s"], "--staging is for outputs at URLs"),
    ] {
        both.extract(address).args(options).run().exits(2).says(said);
    }
    assert_eq!(requests(), 0);
    // An output that is an input.
    both.server.put("/b/in/a.jsonl", b"{\"text\":\"one\"}\n".to_vec());
    let run = Huller::new().args(["refine", "s3://b/in/a.jsonl", "-o", "s3a://b/in/"]);
    let run = run.args(["--compress", "none", "--preset", "gopher"]);
    both.with_store(run).run().exits(2).says("would overwrite the input 's3a://b/in/a.jsonl'");
    assert_eq!(both.server.files("/b/in/").len(), 1);
    // A name that no object can have.
    fs::write(both.path("data/a\nb.warc.gz"), fs::read(sample()).unwrap()).unwrap();
    both.extract("s3://b/x").run().exits(2).says("control characters").says("rename the input");
    fs::remove_file(both.path("data/a\nb.warc.gz")).unwrap();
    let ran = both.extract("s3://b/x").arg("--dry-run").run().exits(0);
    assert!(ran.text().contains("a.warc.gz -> s3://b/x/a.jsonl.zst"), "{}", ran.text());
    assert_eq!(both.server.files("/b/x/").len(), 0);
}

#[test]
fn a_run_that_fails_or_is_interrupted_leaves_no_half_upload() {
    let both = of_several();
    both.server.set_faults(FaultRates::default());
    // Interrupted: what is finished is uploaded, and the rest goes on.
    let mut child = both.extract("s3://b/x").args(["-j1", "-q"]).spawn();
    let started = Instant::now();
    while both.server.files("/b/x/").len() < 5 && started.elapsed() < Duration::from_mins(1) {
        std::thread::yield_now();
    }
    let id = child.id().to_string();
    std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    let code = child.wait().unwrap().code();
    assert!(matches!(code, Some(130 | 0)), "{code:?}");
    assert_eq!(both.server.unfinished_uploads(), 0);
    assert!(is_empty(&both.path("temporary")));
    both.extract("s3://b/x").arg("--resume").run().exits(0);
    both.assert_done("/b/x/");
}
