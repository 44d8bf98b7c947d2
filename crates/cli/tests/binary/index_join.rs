//! `huller index` over indexes: joined to one.

use crate::support::{Huller, temp};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const QUERIES: [&str; 20] = [
    "alpha3",
    "alpha3 beta5",
    "\"number 47\"",
    "+alpha1 -beta2",
    "number",
    "number host:h1.test",
    "host:h2.test alpha6 beta1 number",
    "alp*",
    "title:ferry",
    "ferries",
    "id:id-17",
    "url:h0",
    "beta9 number 20",
    "+ferry +beta3",
    "\"ferry came\"",
    "alpho4",
    "text:alpha2",
    "number date:2024-03-02..2024-03-09",
    "-alpha1 ferry",
    "nowhere",
];

fn rows(from: u64, to: u64) -> String {
    let row = |n| {
        let text = format!("alpha{} beta{} number {n}. The ferry came.", n % 7, n % 11);
        let row = json!({
            "id": format!("id-{n}"), "url": format!("http://h{}.test/{n}", n % 3), "text": text,
            "title": if n % 5 == 0 { "Ferries" } else { "" }, "language": "eng",
            "date": format!("2024-03-{:02}T00:00:00Z", n % 28 + 1),
        });
        row.to_string() + "\n"
    };
    (from..to).map(row).collect()
}

fn index<'p>(corpora: impl IntoIterator<Item = &'p PathBuf>, out: &Path) -> Huller {
    let index = corpora.into_iter().fold(Huller::new().arg("index"), Huller::arg);
    index.arg("-o").arg(out).args(["-j", "2"])
}

fn hits(index: &Path) -> Vec<Vec<Value>> {
    let of = |query: &&str| {
        let search = Huller::new().arg("search").arg(index).arg(query);
        search.args(["--json", "--limit", "1000"]).run().exits(0).rows()
    };
    QUERIES.iter().map(of).collect()
}

/// Files of rows, an index of each, and an index of all.
struct SplitCorpus {
    folder: tempfile::TempDir,
    files: Vec<PathBuf>,
    parts: Vec<PathBuf>,
    whole: PathBuf,
}

impl SplitCorpus {
    fn new(count: u64, rows_each: u64) -> SplitCorpus {
        let folder = temp();
        let at = |name: String| folder.path().join(name);
        let files: Vec<_> = (0..count).map(|part| at(format!("{part}.jsonl"))).collect();
        let parts: Vec<_> = (0..count).map(|part| at(format!("{part}.index"))).collect();
        for (part, (file, out)) in (0..).zip(files.iter().zip(&parts)) {
            fs::write(file, rows(part * rows_each, (part + 1) * rows_each)).unwrap();
            index([file], out).run().exits(0);
        }
        let whole = at("whole".to_owned());
        index(&files, &whole).run().exits(0);
        SplitCorpus { folder, files, parts, whole }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

#[test]
fn joined_indexes_have_the_hits_of_one_index() {
    let of = SplitCorpus::new(3, 50);
    let joined = of.path("joined");
    let ran = index(&of.parts, &joined).run().exits(0);
    assert!(ran.stderr.contains("3 inputs in the index"), "{}", ran.stderr);
    let expected = hits(&of.whole);
    assert!(hits(&joined) == expected);
    assert_eq!(expected.iter().filter(|hits| hits.is_empty()).count(), 1);
    let verify = Huller::new().arg("verify").args([&joined, &of.parts[0]]);
    verify.run().exits(0);
    // Rows that a list names are deleted in one part, and in the index of all.
    let list = of.path("drop.jsonl");
    let text = fs::read_to_string(&of.files[1]).unwrap();
    let line = |row: usize| {
        let place: usize = text.lines().take(row).map(|line| line.len() + 1).sum();
        json!({"file": "1.jsonl", "place": place, "reason": "dedup:near"}).to_string() + "\n"
    };
    fs::write(&list, [3, 17, 30].map(line).concat()).unwrap();
    for (files, out) in [(&of.files[1..2], &of.parts[1]), (&of.files[..], &of.whole)] {
        let ran = index(files, out).args(["--resume", "--drop"]).arg(&list).run().exits(0);
        assert!(ran.stderr.contains("rows deleted now"), "{}", ran.stderr);
    }
    index(&of.parts, &joined).run().exits(2).says("exists");
    index(&of.parts, &joined).arg("--overwrite").run().exits(0);
    assert!(hits(&joined) == hits(&of.whole) && hits(&joined) != expected);
    // The joined index is one like any other.
    fs::write(&of.files[2], rows(100, 160)).unwrap();
    for out in [&joined, &of.whole] {
        index(&of.files, out).arg("--resume").run().exits(0).says("157");
        let withdraw = Huller::new().arg("withdraw").arg(out).args(["--host", "h1.test"]);
        withdraw.run().exits(0);
    }
    let left = hits(&joined);
    let ids = |hits: &[Vec<Value>]| {
        let mut ids: Vec<_> = hits.concat().iter().map(|hit| hit["id"].to_string()).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(ids(&left), ids(&hits(&of.whole)));
    assert!(left.concat().iter().all(|hit| !hit["url"].to_string().contains("h1.test")));
    Huller::new().arg("verify").arg(&joined).run().exits(0);
}

#[test]
fn many_parts_become_few_segments() {
    let of = SplitCorpus::new(20, 5);
    let joined = of.path("joined");
    index(&of.parts, &joined).run().exits(0);
    assert!(hits(&joined) == hits(&of.whole));
    let files = fs::read_dir(&joined)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".store"));
    assert!(files.count() < 8);
}

#[test]
fn indexes_that_cannot_be_joined_are_refused_with_the_remedy() {
    let of = SplitCorpus::new(2, 10);
    let joined = of.path("joined");
    let [one, two] = [&of.parts[0], &of.parts[1]];
    let refused = |corpora: &[&PathBuf], args: &[&str], says: &str| {
        index(corpora.iter().copied(), &joined).args(args).run().exits(2).says(says);
        assert!(!joined.join("meta.json").exists());
    };
    refused(&[one, two, one], &[], "give it once");
    let copy = of.path("copy.index");
    fs::create_dir(&copy).unwrap();
    for entry in fs::read_dir(one).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
    }
    refused(&[one, &copy], &[], "give it once");
    let other = of.path("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("0.jsonl"), rows(70, 80)).unwrap();
    let same_name = of.path("same.index");
    index([&other.join("0.jsonl")], &same_name).run().exits(0);
    refused(&[one, &same_name], &[], "'0.jsonl' is in");
    let passages = of.path("passages.index");
    index([&of.files[1]], &passages).arg("--passages").run().exits(0);
    refused(&[one, &passages], &[], "join indexes of one kind");
    refused(&[one, two], &["--passages"], "leave out --passages");
    refused(&[one, &of.files[1]], &[], "is an index and");
    refused(&[one, two], &["--resume"], "join all of them");
    let list = of.path("list");
    fs::write(&list, "").unwrap();
    let list = list.to_str().unwrap();
    refused(&[one, two], &["--drop", list], "where the rows are indexed");
    refused(&[one, two], &["--withdrawn", list], "huller withdraw");
    index(&of.parts, one).arg("--overwrite").run().exits(2).says("choose another output");
    index(&of.parts, &one.join("in")).run().exits(2).says("choose another output");
    // A build is at work in a part.
    let lock = fs::File::open(one.join("huller.lock")).unwrap();
    lock.lock().unwrap();
    index(&of.parts, &joined).run().exits(4).says("locked by another run");
    drop(lock);
    // A page that was withdrawn from one part is in the other.
    let withdraw = Huller::new().arg("withdraw").arg(one).args(["--host", "h1.test"]);
    withdraw.run().exits(0);
    refused(&[one, two], &[], "were withdrawn elsewhere");
    let withdraw = Huller::new().arg("withdraw").arg(two).args(["--host", "h1.test"]);
    withdraw.run().exits(0);
    index(&of.parts, &joined).run().exits(0);
    assert!(joined.join("huller.withdrawals").exists());
    fs::remove_dir_all(&joined).unwrap();
    // A damaged file is named.
    let store = fs::read_dir(two).unwrap().map(|entry| entry.unwrap().path());
    let store = store.into_iter().find(|path| path.extension().is_some_and(|it| it == "store"));
    let store = store.unwrap();
    let name = store.file_name().unwrap().to_str().unwrap();
    let sound = fs::read(&store).unwrap();
    let mut bytes = sound.clone();
    bytes[9] ^= 1;
    fs::write(&store, bytes).unwrap();
    let ran = index(&of.parts, &joined).run().exits(1).says("differs from its checksum");
    ran.says(name);
    assert!(!joined.join("meta.json").exists());
    // So is a missing file.
    fs::remove_file(&store).unwrap();
    index(&of.parts, &joined).run().exits(1).says("is not there").says(name);
    assert!(!joined.join("meta.json").exists());
    fs::write(&store, sound).unwrap();
}

#[test]
fn files_that_the_list_of_the_library_lacks_are_joined() {
    let of = SplitCorpus::new(2, 40);
    let joined = of.path("joined");
    index(&of.parts, &joined).run().exits(0);
    let expected = hits(&joined);
    for part in &of.parts {
        fs::write(part.join(".managed.json"), "[\"meta.json\"]").unwrap();
    }
    index(&of.parts, &joined).arg("--overwrite").run().exits(0);
    assert_eq!(hits(&joined), expected);
}

#[test]
fn a_join_that_cannot_write_says_to_join_again() {
    let of = SplitCorpus::new(2, 5000);
    let joined = of.path("joined");
    // A file may have 32 KiB, as on a full disk.
    let limited = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"";
    let mut shell = Command::new("sh");
    shell.args(["-c", limited, env!("CARGO_BIN_EXE_huller"), "index"]).args(&of.parts);
    let output = shell.arg("-o").arg(&joined).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(said.contains(&format!("error: cannot write '{}", joined.display())), "{said}");
    assert!(said.contains("hint: join the indexes again"), "{said}");
    index(&of.parts, &joined).run().exits(0);
    assert!(hits(&joined) == hits(&of.whole));
}

#[test]
fn a_join_that_was_killed_leaves_no_half_index() {
    let of = SplitCorpus::new(6, 20_000);
    let joined = of.path("joined");
    for least in [1, 4, 12, 25] {
        let mut child = index(&of.parts, &joined).arg("--overwrite").spawn();
        let files = || fs::read_dir(&joined).map_or(0, Iterator::count);
        while files() < least && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let search = Huller::new().arg("search").arg(&joined).args(["number", "--limit", "3"]);
        if joined.join("meta.json").exists() {
            search.run().exits(0);
        } else {
            search.run().exits(2).says("no meta.json");
        }
    }
    index(&of.parts, &joined).arg("--overwrite").run().exits(0);
    assert!(hits(&joined) == hits(&of.whole));
    Huller::new().arg("verify").arg(&joined).run().exits(0);
}
