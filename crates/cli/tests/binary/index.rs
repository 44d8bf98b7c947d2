//! `huller index`: corpora into indexes, gone on with, added to.

use crate::signals::signal;
use crate::support::{Huller, ProgramResult, sample, temp};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

fn index(corpus: &Path, out: &Path) -> Huller {
    Huller::new().arg("index").arg(corpus).arg("-o").arg(out)
}

fn hits(index: &Path, query: &str) -> Vec<Value> {
    let search = Huller::new().arg("search").arg(index).arg(query);
    search.args(["--json", "--limit", "10000"]).run().exits(0).rows()
}

fn ids(index: &Path, query: &str) -> Vec<String> {
    hits(index, query).iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect()
}

/// Rows with three words of a small vocabulary each, one of them telling the row.
fn rows(from: u64, to: u64) -> String {
    (from..to)
        .map(|n| {
            let text = format!("alpha{} beta{} number {n}", n % 7, n % 11);
            json!({"id": format!("id-{n}"), "url": format!("http://h{}.test/{n}", n % 3), "text": text})
                .to_string()
                + "\n"
        })
        .collect()
}

/// The figure of a line of the account.
#[track_caller]
fn figure(ran: &ProgramResult, name: &str) -> u64 {
    figure_of(&ran.stderr, name)
}

#[track_caller]
fn figure_of(account: &str, name: &str) -> u64 {
    let line = account.lines().find(|line| line.trim_start().starts_with(name));
    let line = line.unwrap_or_else(|| panic!("no `{name}` in: {account}"));
    line.rsplit(' ').next().unwrap().replace(',', "").parse().unwrap()
}

#[test]
fn the_sample_is_indexed_and_every_line_is_counted() {
    let folder = temp();
    let (corpus, out) = (folder.path().join("corpus"), folder.path().join("index"));
    Huller::extract(sample(), &corpus).run().exits(0);
    let rows = crate::support::rows(corpus.join("sample.jsonl.zst"));
    let ran = index(&corpus, &out).run().exits(0);
    let empty = |row: &&Value| {
        let is_empty = |name: &str| row[name].as_str().is_none_or(|text| text.trim().is_empty());
        is_empty("text") && is_empty("title")
    };
    assert_eq!(figure(&ran, "lines in all"), rows.len() as u64);
    let without = rows.iter().filter(empty).count();
    assert_eq!(figure(&ran, "indexed"), (rows.len() - without) as u64);
    for row in rows.iter().filter(|row| !empty(row)) {
        let id = row["id"].as_str().unwrap();
        let found = hits(&out, &format!("id:{id}"));
        assert_eq!(found.len(), 1, "{id}");
        for name in ["url", "title", "date", "language", "warc_filename", "warc_record_offset"] {
            if !(name == "title" && row[name] == "") {
                assert_eq!(found[0][name], row[name], "{name}");
            }
        }
    }
}

#[test]
fn a_file_that_cannot_grow_is_named_with_its_cause_and_a_way_out() {
    let folder = temp();
    let [corpus, out] = ["a.jsonl", "index"].map(|name| folder.path().join(name));
    fs::write(&corpus, rows(0, 20_000)).unwrap();
    // A file may have 32 KiB, as on a full disk: each thread of the library meets that by itself.
    let limited = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"";
    let run = |more: &[&str]| {
        let mut shell = Command::new("sh");
        shell.args(["-c", limited, env!("CARGO_BIN_EXE_huller"), "index"]).arg(&corpus);
        shell.arg("-o").arg(&out).args(more).output().unwrap()
    };
    let output = run(&[]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(5), "{said}");
    let wanted = format!("error: cannot write '{}", out.display());
    for part in [&*wanted, "File too large", "hint: finished outputs are safe; use --resume"] {
        assert!(said.contains(part), "no `{part}` in: {said}");
    }
    assert!(!said.contains("thread") && !said.contains("Os {"), "{said}");
    // What a killed run had not named is removed, and so is what no commit knows.
    fs::write(out.join(".tmpAb3dE9"), "half").unwrap();
    index(&corpus, &out).arg("--resume").run().exits(0);
    assert_eq!(ids(&out, "alpha3").len(), 2857);
    let known = fs::read_to_string(out.join(".managed.json")).unwrap();
    for entry in fs::read_dir(&out).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_known = name.ends_with("lock") || name == ".managed.json" || known.contains(&name);
        assert!(is_known, "{name} stays");
    }
}

#[test]
fn an_index_that_is_being_built_is_locked_for_every_other_run() {
    let folder = temp();
    let [corpus, out] = ["a.jsonl", "index"].map(|name| folder.path().join(name));
    fs::write(&corpus, "{\"text\":\"one\"}\n").unwrap();
    index(&corpus, &out).run().exits(0);
    let lock = fs::File::options().write(true).open(out.join("huller.lock")).unwrap();
    lock.lock().unwrap();
    for more in [&[][..], &["--resume"], &["--overwrite"]] {
        index(&corpus, &out).args(more).run().exits(4).says("locked by another run");
    }
    drop(lock);
    index(&corpus, &out).run().exits(2).says("exists");
}

#[test]
fn a_renamed_file_is_refused_even_if_it_has_no_row_with_a_text() {
    let folder = temp();
    let [one, two, out] = ["a.jsonl", "b.jsonl", "index"].map(|name| folder.path().join(name));
    for line in ["{\"text\":\"one\"}\n", "{\"title\":\"x\"}\n"] {
        fs::write(&one, line).unwrap();
        index(&one, &out).arg("--overwrite").run();
        fs::rename(&one, &two).unwrap();
        let ran = index(&two, &out).arg("--resume").run().exits(3);
        ran.says("'b.jsonl' has the lines that are in the index as 'a.jsonl'");
    }
}

#[test]
fn lines_that_are_no_rows_are_counted_by_reason() {
    let folder = temp();
    let corpus = folder.path().join("a.jsonl");
    let lines =
        "{\"text\":\"one\"}\n\n{\"text\":\"\"}\nno json\n[1]\n{\"title\":\"x\"}\n{\"text\":3}\n";
    fs::write(&corpus, lines).unwrap();
    let out = folder.path().join("index");
    let ran = index(&corpus, &out).run().exits(0);
    let figures = ["lines in all", "indexed", "no_text", "invalid_json", "no_text_key"];
    assert_eq!(figures.map(|name| figure(&ran, name)), [6, 1, 1, 2, 2]);
    assert_eq!(ids(&out, "one"), ["a.jsonl#0"]);
}

#[test]
fn a_file_that_is_given_twice_is_refused() {
    let folder = temp();
    let file = folder.path().join("a.jsonl");
    fs::write(&file, rows(0, 3)).unwrap();
    let ran = index(&file, &folder.path().join("index")).arg(&file).run().exits(2);
    ran.says("a.jsonl' is given twice: give it once");
    assert!(!folder.path().join("index").exists());
}

#[test]
fn files_of_rows_are_read_as_every_command_reads_them() {
    let folder = temp();
    let path = |name: &str| folder.path().join(name);
    let marked = format!("\u{feff}{}", rows(0, 3));
    let holed = [rows(0, 3).as_bytes(), &vec![0; 64 << 10], rows(3, 6).as_bytes()].concat();
    for (name, content, status, said, indexed) in [
        ("marked.jsonl", marked.as_bytes(), 0, "", 3),
        ("null.jsonl", br#"{"text":null,"content":"number 0"}"#, 0, "", 1),
        ("array.jsonl", b"[\n{\"text\":\"number 0\"}\n]\n", 1, "jq", 0),
        (
            "none.jsonl",
            b"{\"x\":1}\n",
            1,
            "its only record is not a row with text (no_text_key 1)",
            0,
        ),
        ("holed.jsonl", &holed, 1, "it has a hole of zeros", 5),
        ("page.jsonl", b"<!DOCTYPE html><p>x", 1, "an HTML page", 0),
        (
            "packed.jsonl",
            &huller_testkit::pack::gzip(rows(0, 3).as_bytes()),
            1,
            "packed.jsonl.gz",
            0,
        ),
        ("part-0.json.gz", &huller_testkit::pack::gzip(rows(0, 3).as_bytes()), 0, "", 3),
    ] {
        fs::write(path(name), content).unwrap();
        let ran = index(&path(name), &path(&format!("of-{name}"))).run().exits(status).says(said);
        assert!(figure(&ran, "indexed") >= indexed, "{name}: {}", ran.stderr);
        let found = hits(&path(&format!("of-{name}")), "number");
        assert_eq!(found.len() as u64, figure(&ran, "indexed"), "{name}");
    }
    // What gave no row is counted once, however often the file grows.
    fs::write(path("holed.jsonl"), [&*holed, rows(6, 8).as_bytes()].concat()).unwrap();
    let grown = index(&path("holed.jsonl"), &path("of-holed.jsonl")).arg("--resume");
    let ran = grown.run().exits(1);
    assert_eq!((figure(&ran, "hole"), figure(&ran, "lines read now")), (1, 2));
}

#[test]
fn a_killed_run_goes_on_and_has_the_same_hits() {
    let folder = temp();
    let corpus = folder.path().join("corpus");
    fs::create_dir(&corpus).unwrap();
    let all = rows(0, 200_000);
    fs::write(corpus.join("a.jsonl"), &all).unwrap();
    fs::write(corpus.join("b.jsonl"), rows(200_000, 201_000)).unwrap();
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    index(&corpus, &whole).args(["-j", "1"]).run().exits(0);
    let small = ["--commit-every", "1M", "-j", "2"];
    for round in 0..4 {
        let flag = if round == 0 { None } else { Some("--resume") };
        let mut child = index(&corpus, &killed).args(small).args(flag).spawn();
        // Each round comes further: a segment has several files.
        let files = || fs::read_dir(&killed).map_or(0, Iterator::count);
        while files() < 8 * (round + 1) && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if round == 0 && !killed.join("meta.json").exists() {
            index(&corpus, &killed).args(small).run().exits(0);
        }
    }
    let ran = index(&corpus, &killed).arg("--resume").run().exits(0);
    assert_eq!([figure(&ran, "lines in all"), figure(&ran, "indexed")], [201_000, 201_000]);
    for query in ["alpha3 beta5", "\"number 4711\"", "+alpha1 -beta2 host:h1.test", "number"] {
        assert!(hits(&whole, query) == hits(&killed, query), "{query}");
    }
    let again = index(&corpus, &killed).arg("--resume").run().exits(0);
    assert_eq!(figure(&again, "lines read now"), 0);
}

#[test]
fn an_interrupted_run_has_the_rows_of_its_last_commit_and_no_other_files() {
    let folder = temp();
    let [corpus, whole, cut] = ["a.jsonl", "whole", "cut"].map(|name| folder.path().join(name));
    fs::write(&corpus, rows(0, 200_000)).unwrap();
    index(&corpus, &whole).run().exits(0);
    let mut child = index(&corpus, &cut).args(["--commit-every", "1M", "-j", "2"]).spawn();
    let meta = || fs::read_to_string(cut.join("meta.json")).unwrap_or_default();
    while !meta().contains("segment_id") && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    signal(&child, "INT");
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(said.contains("interrupted: use --resume to continue"), "{said}");
    let segments = meta().replace('-', "");
    for entry in fs::read_dir(&cut).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let segment = name.split('.').next().unwrap();
        assert!(segment.len() != 32 || segments.contains(segment), "{name} is in no commit");
    }
    let committed = figure_of(&said, "lines in all");
    assert!(committed > 0 && committed == figure_of(&said, "lines read now"), "{said}");
    let ran = index(&corpus, &cut).arg("--resume").run().exits(0);
    assert_eq!(figure(&ran, "lines read now"), 200_000 - committed);
    for query in ["alpha3 beta5", "\"number 4711\"", "number"] {
        assert!(hits(&whole, query) == hits(&cut, query), "{query}");
    }
}

#[test]
fn what_is_new_is_added_and_what_is_listed_is_deleted() {
    let folder = temp();
    let (corpus, out) = (folder.path().join("corpus"), folder.path().join("index"));
    fs::create_dir(&corpus).unwrap();
    fs::write(corpus.join("a.jsonl"), rows(0, 40)).unwrap();
    index(&corpus, &out).run().exits(0);
    index(&corpus, &out).run().exits(2).says("--resume");
    fs::write(corpus.join("a.jsonl"), rows(0, 60)).unwrap();
    fs::write(corpus.join("b.jsonl"), rows(0, 10)).unwrap();
    let list = folder.path().join("drop.jsonl");
    let run = folder.path().join("run");
    let dedup = Huller::new().arg("dedup").arg(&corpus).arg("-o").arg(&run);
    dedup.args(["--by", "url,text"]).arg("--mark").arg(&list).run().exits(0);
    let listed = fs::read_to_string(&list).unwrap().lines().count() as u64;
    assert_eq!(listed, 10, "b repeats a");
    let ran = index(&corpus, &out).arg("--resume").run().exits(0);
    assert_eq!([figure(&ran, "lines read now"), figure(&ran, "indexed")], [30, 70]);
    assert_eq!(ids(&out, "\"number 3\"").len(), 2);
    let ran = index(&corpus, &out).arg("--resume").arg("--drop").arg(&list).run().exits(0);
    assert_eq!([figure(&ran, "rows deleted now"), figure(&ran, "indexed")], [10, 60]);
    assert_eq!(ids(&out, "\"number 3\""), ["id-3"]);
    let ran = index(&corpus, &out).arg("--resume").arg("--drop").arg(&list).run().exits(0);
    assert!(!ran.stderr.contains("deleted"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("name no row"), "{}", ran.stderr);
    // An index that never had them has the same hits.
    let fresh = folder.path().join("fresh");
    let more = folder.path().join("more.jsonl");
    let no_row = r#"{"file":"b.jsonl","place":3,"reason":"dedup:text"}"#;
    fs::write(&more, format!("{}{no_row}\n", fs::read_to_string(&list).unwrap())).unwrap();
    let ran = index(&corpus, &folder.path().join("noted")).arg("--drop").arg(&more).run().exits(0);
    ran.says("1 of 11 entries of --drop name no row");
    let ran = index(&corpus, &fresh).arg("--drop").arg(&list).run().exits(0);
    assert_eq!([figure(&ran, "lines in all"), figure(&ran, "indexed")], [70, 60]);
    let [grown, made] = [&out, &fresh].map(|index| {
        let mut found = ids(index, "number");
        found.sort();
        found
    });
    assert_eq!(grown, made);
}

#[test]
fn what_has_changed_is_refused() {
    let folder = temp();
    let (corpus, out) = (folder.path().join("a.jsonl"), folder.path().join("index"));
    fs::write(&corpus, rows(0, 40)).unwrap();
    index(&corpus, &out).run().exits(0);
    fs::write(&corpus, rows(1, 41)).unwrap();
    index(&corpus, &out)
        .arg("--resume")
        .run()
        .exits(3)
        .says("a.jsonl' has changed")
        .says("--overwrite");
    fs::write(&corpus, rows(0, 20)).unwrap();
    index(&corpus, &out).arg("--resume").run().exits(3).says("has 20 lines");
    index(&corpus, &out).arg("--overwrite").run().exits(0);
    assert_eq!(ids(&out, "number").len(), 20);
    // A record that is no row is lost, and all rows are the same.
    let (table, out) = (folder.path().join("t.csv"), folder.path().join("table"));
    fs::write(&table, "id,text\n1,one two\n2\n").unwrap();
    index(&table, &out).run().exits(0);
    index(&table, &out).arg("--resume").run().exits(0);
    fs::write(&table, "id,text\n1,one two\n").unwrap();
    index(&table, &out).arg("--resume").run().exits(3).says("t.csv' has changed");
}

/// Names and bytes of the files of an index, without its locks.
fn files(index: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(index).unwrap().map(|entry| entry.unwrap());
    let files = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()));
    files.filter(|(name, _)| !name.ends_with("lock")).collect()
}

#[test]
fn a_resumed_build_that_is_refused_has_changed_nothing() {
    let folder = temp();
    let (corpus, out) = (folder.path().join("corpus"), folder.path().join("index"));
    fs::create_dir_all(corpus.join("b")).unwrap();
    fs::write(corpus.join("b/b.jsonl"), rows(0, 40)).unwrap();
    index(&corpus, &out).run().exits(0);
    let built = files(&out);
    // New rows come before those that have changed.
    fs::write(corpus.join("a.jsonl"), rows(100, 200)).unwrap();
    fs::write(corpus.join("b/b.jsonl"), rows(1, 41)).unwrap();
    let resume = ["--resume", "--commit-every", "1K"];
    index(&corpus, &out).args(resume).run().exits(3).says("b.jsonl' has changed");
    assert!(files(&out) == built);
    // The same file by another name would be indexed twice.
    fs::write(corpus.join("b/b.jsonl"), rows(0, 50)).unwrap();
    let ran = index(&corpus.join("b/b.jsonl"), &out).args(resume).run().exits(3);
    ran.says("'b.jsonl' has the lines that are in the index as 'b/b.jsonl'");
    assert!(files(&out) == built);
    index(&corpus, &out).args(resume).run().exits(0);
    assert_eq!(ids(&out, "number").len(), 150);
}

#[test]
fn an_index_that_was_killed_while_it_was_replaced_is_made_again() {
    let folder = temp();
    let (corpus, out) = (folder.path().join("a.jsonl"), folder.path().join("index"));
    fs::write(&corpus, rows(0, 40)).unwrap();
    for flag in [None, Some("--resume"), Some("--overwrite")] {
        fs::create_dir(&out).unwrap();
        index(&corpus, &out).run().exits(0);
        let count = files(&out).len();
        fs::remove_file(out.join("meta.json")).unwrap();
        let search = Huller::new().arg("search").arg(&out).arg("number");
        search.run().exits(2).says("huller index");
        index(&corpus, &out).args(flag).args(["-j", "1"]).run().exits(0);
        assert_eq!(ids(&out, "number").len(), 40);
        assert!(files(&out).len() <= count, "what was left is removed");
        fs::remove_dir_all(&out).unwrap();
    }
}

#[test]
fn nothing_of_strangers_is_removed_or_written_over() {
    let folder = temp();
    let (corpus, out) = (folder.path().join("a.jsonl"), folder.path().join("index"));
    fs::write(&corpus, rows(0, 4)).unwrap();
    fs::create_dir(&out).unwrap();
    fs::write(out.join("thesis.txt"), "mine").unwrap();
    index(&corpus, &out).run().exits(2).says("thesis.txt");
    index(&corpus, &out).arg("--overwrite").run().exits(2).says("thesis.txt");
    fs::write(out.join("meta.json"), "{\"mine\":1}").unwrap();
    index(&corpus, &out).arg("--resume").run().exits(2);
    assert_eq!(fs::read_to_string(out.join("thesis.txt")).unwrap(), "mine");
    index(&folder.path().join("none"), &folder.path().join("other")).run().exits(1).says("none");
}

#[test]
fn parquet_and_compressed_lines_give_the_hits_of_plain_lines() {
    let folder = temp();
    let path = |name: &str| folder.path().join(name);
    Huller::extract(sample(), path("lines")).run().exits(0);
    Huller::extract(sample(), path("table")).args(["--format", "parquet"]).run().exits(0);
    Huller::extract(sample(), path("plain")).args(["--compress", "none"]).run().exits(0);
    for name in ["lines", "table", "plain"] {
        index(&path(name), &path(&format!("{name}.index"))).run().exits(0);
    }
    let of = |name: &str, query: &str| {
        let mut hits = hits(&path(&format!("{name}.index")), query);
        for hit in &mut hits {
            hit["row"] = Value::Null;
        }
        hits
    };
    for query in ["the", "de", "\"of the\"", "title:the news"] {
        let expected = of("plain", query);
        assert_eq!(of("lines", query), expected, "{query}");
        assert_eq!(of("table", query), expected, "{query}");
    }
    assert!(!of("plain", "the").is_empty());
}

/// Hits of words that the sample has, in order of their rows: those of one score and `id`, as
/// copies of an input have, may come in any order.
fn of_sample(index: &Path) -> Vec<Vec<Value>> {
    ["ferry", "the", "\"chain ferry\"", "lang:eng", "host:example", "der die das", "東京"]
        .map(|query| {
            let mut hits = hits(index, query);
            hits.sort_by_key(|hit| hit["row"].as_str().unwrap().to_owned());
            hits
        })
        .to_vec()
}

#[test]
fn a_run_with_an_index_has_the_hits_of_one_made_of_its_rows_also_after_kills() {
    let folder = temp();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("in")).unwrap();
    for n in 0..8 {
        fs::copy(sample(), at("in").join(format!("{n}.warc.gz"))).unwrap();
    }
    Huller::extract(at("in"), at("rows")).run().exits(0);
    index(&at("rows"), &at("apart")).run().exits(0);
    let expected = of_sample(&at("apart"));
    assert!(expected[0].len() >= 16, "each input has two hits: {}", expected[0].len());

    let run =
        |rows: &str, out: &str| Huller::extract(at("in"), at(rows)).arg("--index").arg(at(out));
    let ran = run("both", "with").run().exits(0);
    assert!(figure(&ran, "lines in all") > 0);
    assert_eq!(of_sample(&at("with")), expected);

    // Kills at later and later moments: three in the extraction, four in the index.
    let (rows, indexed) = (at("killed"), at("gone-on"));
    let count = |folder: &Path| fs::read_dir(folder).map_or(0, Iterator::count);
    let moments = [
        (&rows, 1),
        (&rows, 3),
        (&rows, 5),
        (&indexed, 1),
        (&indexed, 2),
        (&indexed, 5),
        (&indexed, 9),
    ];
    let mut in_index = 0;
    for (folder, files) in moments {
        let mut child = run("killed", "gone-on").args(["--resume", "-q"]).spawn();
        while count(folder) < files && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        in_index +=
            u32::from(rows.join("_SUCCESS").exists() && child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(in_index >= 2, "{in_index} kills came in the index");
    run("killed", "gone-on").args(["--resume", "-q"]).run().exits(0);
    assert_eq!(of_sample(&at("gone-on")), expected);
    // A finished run that is gone on with adds nothing.
    let again = run("killed", "gone-on").arg("--resume").run().exits(0);
    assert_eq!(figure(&again, "lines read now"), 0);
}

#[test]
fn an_index_of_a_run_that_cannot_be_is_refused_before_the_run() {
    let folder = temp();
    let (rows, out) = (folder.path().join("rows"), folder.path().join("index"));
    let run = || Huller::extract(sample(), &rows).arg("--index").arg(&out);
    run().args(["--format", "wet"]).run().exits(2).says("--format jsonl");
    run().args(["--schema", "es-bulk"]).run().exits(2).says("leave out --schema");
    let to = |output: &str, index: &str| {
        let places = ["-o", output, "--index", index];
        Huller::new().arg("extract").arg(sample()).args(places).run().exits(2)
    };
    let [rows_there, index_there] = [&rows, &out].map(|path| path.to_str().unwrap());
    to("-", index_there).says("write to a folder, not to -o -");
    to(rows_there, "s3://bucket/index").says("an index must be a local folder");
    to(rows_there, rows_there).says("the rows are inside the index");
    to(&format!("{index_there}/rows"), index_there).says("the rows are inside the index");
    run().args(["--shard", "0/2"]).run().exits(2).says("when all shards are done");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("letter.txt"), "of another").unwrap();
    run().run().exits(2).says("it contains 'letter.txt'");
    fs::remove_dir_all(&out).unwrap();
    run().args(["--format", "arrow,parquet"]).run().exits(2).says("first");
    assert!(!rows.exists() && !out.exists(), "nothing was begun");

    run().args(["--format", "parquet,wet"]).run().exits(0);
    assert_eq!(hits(&out, "ferry").len(), 2);
    fs::remove_dir_all(&rows).unwrap();
    run().run().exits(2).says("--resume");
    assert!(!rows.exists(), "nothing was begun");
    run().arg("--overwrite").run().exits(0);
    assert_eq!(hits(&out, "ferry").len(), 2);
}

#[test]
fn refined_rows_and_those_of_failed_runs_are_indexed_too() {
    let folder = temp();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("in")).unwrap();
    fs::copy(sample(), at("in/good.warc.gz")).unwrap();
    fs::write(at("in/bad.jsonl.gz"), "no gzip").unwrap();
    let ran = Huller::extract(at("in"), at("rows")).arg("--index").arg(at("index")).run().exits(1);
    assert!(figure(&ran, "indexed") > 0);
    assert_eq!(hits(&at("index"), "ferry").len(), 2);
    let refine = Huller::new().arg("refine").arg(at("rows/good.jsonl.zst"));
    let refine = refine.arg("-o").arg(at("refined")).args(["--lang", "eng", "--index"]);
    refine.arg(at("of-refined")).run().exits(0);
    assert_eq!(hits(&at("of-refined"), "ferry").len(), 2);
    assert!(hits(&at("of-refined"), "lang:deu").is_empty());
}
