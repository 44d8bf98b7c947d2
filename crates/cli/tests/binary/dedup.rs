//! `huller dedup`: corpora without their duplicates.

use crate::support::{Huller, Ran, sample, temp};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn dedup(corpus: &Path, out: &Path) -> Huller {
    Huller::new().arg("dedup").arg(corpus).arg("-o").arg(out)
}

/// Rows, each of which is near to every seventh one, and some of which are equal.
fn rows(count: u64) -> String {
    let mut state = 7_u64;
    let mut word = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        format!("w{}", state >> 40)
    };
    let originals: Vec<Vec<String>> = (0..7).map(|_| (0..100).map(|_| word()).collect()).collect();
    (0..count)
        .map(|n| {
            let mut words = originals[(n % 7) as usize].clone();
            words[3] = format!("x{}", n % 11);
            let row = json!({"id": n, "url": format!("http://h.test/{}", n / 2), "text": words.join(" ")});
            row.to_string() + "\n"
        })
        .collect()
}

/// All files of a folder but the lock, with their bytes.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("lock") {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

fn json_of(ran: &Ran) -> Value {
    serde_json::from_slice(&ran.stdout).unwrap()
}

#[test]
fn an_extracted_corpus_is_deduplicated_and_has_an_account() {
    let folder = temp();
    let both = folder.path().join("both");
    fs::create_dir(&both).unwrap();
    Huller::extract(sample(), folder.path().join("one")).run().exits(0);
    for name in ["a.jsonl.zst", "b.jsonl.zst"] {
        fs::copy(folder.path().join("one/sample.jsonl.zst"), both.join(name)).unwrap();
    }
    let out = folder.path().join("out");
    let ran = dedup(&both, &out).run().exits(0).says("rows of the largest");
    assert!(ran.stderr.contains("dedup:text"), "{}", ran.stderr);
    let kept = zstd::decode_all(&*fs::read(out.join("a.jsonl.zst")).unwrap()).unwrap();
    let original = zstd::decode_all(&*fs::read(both.join("a.jsonl.zst")).unwrap()).unwrap();
    let original = String::from_utf8(original).unwrap();
    let kept = String::from_utf8(kept).unwrap();
    assert!(kept.lines().all(|line| original.lines().any(|known| known == line)));
    assert!(!out.join("b.jsonl.zst").exists(), "all of its rows are in the first");
    let stats = json_of(&Huller::new().args(["stats", "--json"]).arg(&out).run().exits(0));
    let total = &stats["total"];
    let rows = original.lines().count() as u64;
    assert_eq!(
        (total["records"].as_u64(), total["written"].as_u64()),
        (Some(2 * rows), Some(kept.lines().count() as u64))
    );
    assert!(total["skipped"]["dedup:text"].as_u64() >= Some(rows));
}

#[test]
fn signatures_of_the_stage_are_used_and_equal_those_that_are_made_here() {
    let folder = temp();
    let [signed, plain, out, other] =
        ["signed", "plain", "out", "other"].map(|name| folder.path().join(name));
    Huller::extract(sample(), &signed).args(["--stages", "signature"]).run().exits(0);
    Huller::extract(sample(), &plain).run().exits(0);
    dedup(&signed, &out).run().exits(0);
    dedup(&plain, &other).run().exits(0);
    let journal = |folder: &Path| fs::read_to_string(folder.join("_huller/dedup.journal")).unwrap();
    assert!(!journal(&out).contains("signed") && journal(&other).contains("signed"));
    let kept = |folder: &Path| {
        let signatures = folder.join("_huller/signatures/sample.jsonl.zst.sig");
        (fs::read(signatures).unwrap(), fs::read(folder.join("sample.jsonl.zst")).unwrap())
    };
    assert!(kept(&out) == kept(&other));
}

#[test]
fn rows_are_marked_or_listed_where_none_are_to_be_dropped() {
    let folder = temp();
    let corpus = folder.path().join("a.jsonl");
    fs::write(&corpus, rows(40)).unwrap();
    let list = folder.path().join("drop.jsonl");
    dedup(&corpus, &folder.path().join("run")).arg("--mark").arg(&list).run().exits(0);
    let listed = fs::read_to_string(&list).unwrap();
    assert_eq!(listed.lines().count(), 33);
    let first: Value = serde_json::from_str(listed.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["reason"], &first["duplicate_of"]["place"]),
        (&json!("dedup:near"), &json!(0))
    );
    assert!(!folder.path().join("run/a.jsonl").exists());
    let out = folder.path().join("out");
    dedup(&corpus, &out).args(["--mark-rows", "--by", "url"]).run().exits(0);
    let marked = fs::read_to_string(out.join("a.jsonl")).unwrap();
    let second: Value = serde_json::from_str(marked.lines().nth(1).unwrap()).unwrap();
    assert_eq!((marked.lines().count(), &second["duplicate_of"]), (40, &json!("a.jsonl#0")));
    assert_eq!(second["cluster_size"], 2);
}

#[test]
fn what_cannot_be_done_is_said_with_its_exit_status() {
    let folder = temp();
    let corpus = folder.path().join("a.jsonl");
    fs::write(&corpus, rows(20)).unwrap();
    let out = folder.path().join("out");
    dedup(&corpus, &out).args(["--bands", "0"]).run().exits(2).says("`bands`: must be at least 1");
    dedup(&corpus, &out).args(["--by", "lines"]).run().exits(2).says("--host-lines N");
    dedup(&corpus, &out).args(["--memory", "1M"]).run().exits(2);
    dedup(&folder.path().join("none"), &out).run().exits(1).says("cannot read");
    dedup(&sample(), &out).run().exits(2).says("is no file of rows");
    assert!(!out.exists());
    dedup(&corpus, &out).run().exits(0);
    dedup(&corpus, &out).run().exits(2).says("--resume");
    dedup(&corpus, &out)
        .args(["--resume", "--bands", "20"])
        .run()
        .exits(3)
        .says("settings.signatures.bands is 20, was 14");
    dedup(&corpus, &out).arg("--resume").run().exits(0);
    fs::write(&corpus, rows(21)).unwrap();
    dedup(&corpus, &out).arg("--resume").run().exits(3).says("cannot resume");
    dedup(&corpus, &out).arg("--overwrite").run().exits(0);
    let empty = temp();
    let new = folder.path().join("new");
    dedup(&corpus, &new)
        .arg("--against")
        .arg(empty.path())
        .run()
        .exits(2)
        .says("has no signatures");
    dedup(&corpus, &out).args(["--overwrite", "--against"]).arg(&out).run().exits(2).says("both");
    let list = folder.path().join("list.jsonl");
    fs::write(&list, "mine").unwrap();
    dedup(&corpus, &new).arg("--mark").arg(&list).run().exits(2).says("list.jsonl' exists");
    assert_eq!(fs::read(list).unwrap(), b"mine");
}

/// Kills runs at random moments and lets them go on.
fn kills(count: u64) {
    let folder = temp();
    let corpus = folder.path().join("in");
    fs::create_dir(&corpus).unwrap();
    for name in ["a.jsonl", "b.jsonl", "c.jsonl"] {
        fs::write(corpus.join(name), rows(3_000)).unwrap();
    }
    let whole = folder.path().join("whole");
    let run = |out: &Path| dedup(&corpus, out).args(["-q", "--by", "url,text,near", "-j2"]);
    let started = Instant::now();
    run(&whole).run().exits(0);
    let took = started.elapsed();
    let whole = tree(&whole);
    let mut killed = 0;
    for trial in 0..count {
        let out = folder.path().join(format!("out{trial}"));
        let mut child = run(&out).spawn();
        // Moments spread over the run, in an order of their own.
        let moment = took.mul_f64((trial * 29 % count) as f64 / count as f64);
        let begin = Instant::now();
        while begin.elapsed() < moment && child.try_wait().unwrap().is_none() {
            std::thread::park_timeout(Duration::from_millis(1));
        }
        killed += u64::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        run(&out).arg("--resume").run().exits(0);
        assert!(tree(&out) == whole, "killed after {moment:?} of {took:?}");
    }
    assert!(killed > 0);
}

#[test]
fn a_run_that_was_killed_goes_on_to_the_same_bytes() {
    kills(6);
}

#[test]
#[ignore = "takes a minute"]
fn a_run_that_was_killed_at_any_of_fifty_moments_goes_on_to_the_same_bytes() {
    kills(50);
}
