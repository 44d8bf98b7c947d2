//! `huller withdraw`: pages leave every file of finished runs and indexes, and stay out.

use crate::support::{Huller, assert_same, contents, plain, rows, string, temp};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A word that only the withdrawn page and its near duplicate have.
const MARKER: &str = "quibblefrotz";

/// The page that is withdrawn.
const URL: &str = "http://gone.test/page?x=1";

/// Words of pages, which are in no other part of an output.
const WORDS: [&str; 12] = [
    "river", "stone", "bridge", "winter", "garden", "market", "harbour", "letter", "engine",
    "valley", "silver", "window",
];

/// Returns the text of a page: some lines that no other page has.
fn text_of(number: usize) -> String {
    let mut state = number as u64 * 7919 + 13;
    let mut word = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        format!("{}{}", WORDS[(state >> 33) as usize % WORDS.len()], (state >> 40) % 97)
    };
    let mut line = || (0..24).map(|_| word()).collect::<Vec<_>>().join(" ") + ".";
    [line(), line(), line()].join("</p><p>")
}

/// Returns a page as a line of JSON.
fn page(url: &str, text: &str) -> String {
    let html = format!(
        "<html><head><title>Page</title></head><body><article><h1>About it</h1><p>{text}</p>\
         </article></body></html>"
    );
    json!({"url": url, "html": html}).to_string() + "\n"
}

/// Writes two inputs. The first has the page with the marker and a near duplicate of it, the second
/// another near duplicate.
fn inputs(folder: &Path) -> PathBuf {
    let inputs = folder.join("in");
    fs::create_dir_all(&inputs).unwrap();
    let marked = format!("{} {MARKER} {}", text_of(900), text_of(901));
    for (name, first) in [("a", 0), ("b", 40), ("c", 80)] {
        let mut lines = String::new();
        for number in first..first + 30 {
            lines += &page(&format!("http://s{}.test/{number}", number % 7), &text_of(number));
            if number == 7 {
                lines += &page(URL, &marked);
            }
            if number == 12 {
                lines += &page("http://mirror.test/copy", &format!("{marked} Printed."));
            }
            if number == 85 {
                // A later capture, which is so long that a stage may drop it.
                lines += &page(URL, &format!("{marked} ").repeat(9));
            }
            if number == 55 {
                lines += &page("http://other.test/copy", &marked.to_uppercase());
            }
        }
        fs::write(inputs.join(format!("{name}.jsonl")), lines).unwrap();
    }
    inputs
}

fn extract(inputs: &Path, out: &Path) -> Huller {
    Huller::extract(inputs, out)
}

fn withdraw(corpora: &[&Path]) -> Huller {
    Huller::new().arg("withdraw").args(corpora)
}

/// Returns the names of files whose bytes have a word, as they are or decompressed.
fn files_with(folder: &Path, word: &str) -> Vec<String> {
    let lower = |bytes: &[u8]| bytes.to_ascii_lowercase();
    let has = |bytes: &[u8]| lower(bytes).windows(word.len()).any(|part| part == word.as_bytes());
    let mut found = Vec::new();
    for (name, bytes) in contents(folder) {
        if has(&bytes) || has(&plain_bytes(&folder.join(&name))) {
            found.push(name);
        }
    }
    found
}

/// Returns the bytes of a file without compression, also of columns.
fn plain_bytes(path: &Path) -> Vec<u8> {
    let name = path.to_string_lossy();
    if name.ends_with(".parquet") || name.contains(".csv") {
        let lines = Huller::new()
            .args(["refine", "--stages", "length", "--compress", "none", "-o", "-", "-q"])
            .arg(path)
            .run();
        return lines.stdout;
    }
    plain(path)
}

/// Returns the files of a folder, with the same time in all tombstones.
fn timeless(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = contents(folder);
    for (name, bytes) in &mut all {
        if name.ends_with("run.withdrawals") {
            let lines = String::from_utf8(bytes.clone()).unwrap();
            let lines = lines.lines().map(|line| {
                let mut line: Value = serde_json::from_str(line).unwrap();
                line["when"] = json!("then");
                line.to_string()
            });
            *bytes = lines.collect::<Vec<_>>().join("\n").into_bytes();
        }
    }
    all
}

/// Returns the URLs of the rows in all files of a folder.
fn urls(out: &Path) -> Vec<String> {
    let names = contents(out).into_keys().filter(|name| name.ends_with(".jsonl.zst"));
    let rows = names.flat_map(|name| rows(out.join(name)));
    rows.map(|row| string(&row, "url").to_owned()).collect()
}

fn count_row(name: &str, count: u64) -> String {
    format!("  {name:<26}{count:>16}\n")
}

#[test]
fn a_page_leaves_rows_passages_and_signatures_and_other_lines_stay() {
    let folder = temp();
    let inputs = inputs(folder.path());
    let (out, passages) = (folder.path().join("rows"), folder.path().join("passages"));
    extract(&inputs, &out)
        .args(["--stages", "signature", "--markdown", "--passages"])
        .arg(&passages)
        .args(["--passages-set", "tokenizer=characters", "--passages-set", "max_tokens=300"])
        .run()
        .exits(0);
    let before = contents(folder.path());
    let lines = |name: &str| {
        plain(&out.join(name)).split(|b| *b == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    let (old_a, old_parts) = (lines("a.jsonl.zst"), rows(passages.join("a.jsonl.zst")));
    let gone = rows(out.join("a.jsonl.zst")).into_iter().find(|row| row["url"] == URL).unwrap();

    let dry = withdraw(&[&out]).args(["--url", URL, "--dry-run"]).run().exits(0);
    assert!(dry.text().contains(&count_row("  by url", 2)), "{}", dry.text());
    assert_same(&before, &contents(folder.path()));

    let ran = withdraw(&[&out])
        .args(["--url", "HTTP://gone.test:80/page?x=1#top", "--reason", "court"])
        .run()
        .exits(0);
    assert!(ran.text().contains("1 new tombstones keep these pages out"), "{}", ran.text());
    let new_a = lines("a.jsonl.zst");
    let kept: Vec<_> =
        old_a.iter().filter(|line| !line.windows(9).any(|w| w == b"gone.test")).collect();
    assert_eq!(new_a.iter().collect::<Vec<_>>(), kept);
    let parts = rows(passages.join("a.jsonl.zst"));
    let others: Vec<_> =
        old_parts.into_iter().filter(|part| part["parent_id"] != gone["id"]).collect();
    assert_eq!(parts, others);
    // Files without such rows keep their bytes.
    let after = contents(folder.path());
    for name in
        ["rows/b.jsonl.zst", "passages/b.jsonl.zst", "rows/_huller/signatures/b.jsonl.zst.sig"]
    {
        assert!(before[name] == after[name], "{name}");
    }
    let account: Value = serde_json::from_slice(&after["rows/_huller/run.account"]).unwrap();
    assert_eq!(account["total"]["skipped"]["withdrawn"], 2);
    let said = Huller::new().arg("verify").arg(&out).run().exits(0);
    assert!(said.text().contains(": complete"), "{}", said.text());
    // The signatures are those of the rows: a run of `dedup` reads and checks them.
    let kept = folder.path().join("kept");
    Huller::new().args(["dedup", "-q", "--by", "text", "-o"]).arg(&kept).arg(&out).run().exits(0);
    assert!(!kept.join("_huller/signatures-in").exists());
    let stats = Huller::new().arg("stats").arg(&out).run().exits(0);
    assert!(stats.text().contains("withdrawn"), "{}", stats.text());

    // Repeated, it changes nothing, and neither does --resume.
    let ran = withdraw(&[&out]).args(["--url", URL]).run().exits(0);
    assert!(ran.text().contains("0 rows: these pages were withdrawn before"), "{}", ran.text());
    let again = extract(&inputs, &out)
        .args(["--stages", "signature", "--markdown", "--resume", "--passages"])
        .arg(&passages)
        .args(["--passages-set", "tokenizer=characters", "--passages-set", "max_tokens=300"])
        .run()
        .exits(0);
    drop(again);
    let mut after = after;
    let mut now = contents(folder.path());
    now.retain(|name, _| !name.starts_with("kept/"));
    after.retain(|name, _| !name.starts_with("kept/"));
    assert_same(&after, &now);
}

#[test]
fn near_duplicates_leave_every_file_of_every_folder() {
    let folder = temp();
    let inputs = inputs(folder.path());
    let place = |name: &str| folder.path().join(name);
    let (out, kept, index, parts) = (place("rows"), place("kept"), place("idx"), place("parts"));
    extract(&inputs, &out)
        .args(["--format", "jsonl,parquet,csv,tsv,wet,arrow,text", "--markdown"])
        .args(["--stages", "signature,length", "--set", "length.max_chars=6000", "--dropped"])
        .arg(place("dropped"))
        .arg("--passages")
        .arg(place("passages"))
        .args(["--passages-set", "tokenizer=characters", "--passages-set", "max_tokens=300"])
        .run()
        .exits(0);
    let rows_in =
        |out: &Path| ["a", "b", "c"].map(|name| rows(out.join(format!("{name}.jsonl.zst"))).len());
    let before = rows_in(&out);
    Huller::new().args(["dedup", "-q", "--by", "url", "-o"]).arg(&kept).arg(&out).run().exits(0);
    Huller::new().args(["index", "-q", "-o"]).arg(&index).arg(&kept).run().exits(0);
    Huller::new()
        .args(["index", "-q", "--passages", "-o"])
        .arg(&parts)
        .arg(place("passages"))
        .run()
        .exits(0);
    let marked = files_with(folder.path(), MARKER);
    assert!(
        marked.len() > 15 && marked.contains(&"dropped/dropped.jsonl".to_owned()),
        "{marked:?}"
    );
    let ran = withdraw(&[&out, &kept, &index, &parts])
        .args(["--near", "--url", URL, "--dropped"])
        .arg(place("dropped"))
        .run()
        .exits(0);
    assert_eq!(ran.text().matches("  by near  ").count(), 4, "{}", ran.text());
    let mut left = files_with(folder.path(), MARKER);
    left.retain(|name| !name.starts_with("in/"));
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(rows_in(&out), [before[0] - 2, before[1] - 1, before[2]]);
    for run in [&out, &kept, &index, &parts] {
        let said = Huller::new().arg("verify").arg(run).run().exits(0);
        assert!(said.text().contains(": complete"), "{}", said.text());
    }
    for index in [&index, &parts] {
        // No segment hides a document, so its words and texts are not in the files.
        let meta: Value =
            serde_json::from_slice(&fs::read(index.join("meta.json")).unwrap()).unwrap();
        let segments = meta["segments"].as_array().unwrap();
        assert!(
            !segments.is_empty() && segments.iter().all(|it| it["deletes"].is_null()),
            "{meta}"
        );
        let hits = Huller::new().arg("search").arg(index).args([MARKER, "--json"]).run();
        assert_eq!(hits.rows().len(), 0, "{}", hits.text());
    }
    let before = contents(folder.path());
    withdraw(&[&out, &kept, &index, &parts])
        .args(["--near", "--url", URL, "--dropped"])
        .arg(place("dropped"))
        .run()
        .exits(0);
    assert_same(&before, &contents(folder.path()));
}

#[test]
fn columns_keep_the_values_of_the_other_rows() {
    let folder = temp();
    let inputs = inputs(folder.path());
    let table = |out: &Path, name: &str| {
        let file = out.join(name);
        let lines = plain_bytes(&file);
        lines.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    for (format, name) in [("parquet", "a.parquet"), ("csv", "a.csv.zst")] {
        let out = folder.path().join(format);
        extract(&inputs, &out)
            .args(["--format", format, "--extractors", "hull,pvalue", "--blocks", "--signals"])
            .run()
            .exits(0);
        let before = table(&out, name);
        withdraw(&[&out]).args(["--host", "s3.test", "-q"]).run().exits(0);
        let kept: Vec<_> = before
            .into_iter()
            .filter(|line| !line.windows(7).any(|part| part == b"s3.test"))
            .collect();
        assert!(kept.len() > 20);
        assert_eq!(table(&out, name), kept, "{format}");
        Huller::new().arg("verify").arg(&out).run().exits(0);
    }
}

#[test]
fn a_killed_withdrawal_that_is_repeated_leaves_the_same_bytes() {
    const TRIALS: u32 = 50;
    let folder = temp();
    let inputs = inputs(folder.path());
    let made = folder.path().join("made");
    let (out, passages) = (made.join("rows"), made.join("passages"));
    fs::create_dir(&made).unwrap();
    extract(&inputs, &out)
        .args(["--format", "jsonl,parquet", "--markdown", "--stages", "signature", "--passages"])
        .arg(&passages)
        .args(["--passages-set", "tokenizer=characters"])
        .run()
        .exits(0);
    let copy = |to: &Path| {
        for (name, bytes) in contents(&made) {
            let path = to.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    };
    let command = |at: &Path| {
        let out = at.join("rows");
        withdraw(&[&out]).args(["--near", "-q", "--url", URL, "--host", "s2.test"])
    };
    let whole = folder.path().join("whole");
    copy(&whole);
    let started = Instant::now();
    command(&whole).run().exits(0);
    let took = started.elapsed();
    let whole = timeless(&whole);
    let mut killed = 0;
    for trial in 0..TRIALS {
        let at = folder.path().join(format!("t{trial}"));
        copy(&at);
        let mut child = command(&at).spawn();
        let moment = took.mul_f64(f64::from(trial + 1) / f64::from(TRIALS));
        let begin = Instant::now();
        while begin.elapsed() < moment && child.try_wait().unwrap().is_none() {
            std::thread::park_timeout(Duration::from_micros(200));
        }
        killed += u32::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        command(&at).run().exits(0);
        assert_same(&whole, &timeless(&at));
        Huller::new().arg("verify").arg(at.join("rows")).run().exits(0);
        fs::remove_dir_all(&at).unwrap();
    }
    assert!(killed > 10, "{killed}");
}

#[test]
fn a_killed_withdrawal_from_an_index_is_completed() {
    const TRIALS: u32 = 12;
    let folder = temp();
    let inputs = inputs(folder.path());
    let (out, made) = (folder.path().join("rows"), folder.path().join("made"));
    extract(&inputs, &out).run().exits(0);
    Huller::new().args(["index", "-q", "-o"]).arg(&made).arg(&out).run().exits(0);
    let copy = |to: &Path| {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(&made).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    };
    let command = |at: &Path| withdraw(&[at]).args(["--near", "-q", "--url", URL]);
    let whole = folder.path().join("whole");
    copy(&whole);
    let started = Instant::now();
    command(&whole).run().exits(0);
    let took = started.elapsed();
    let mut killed = 0;
    for trial in 0..TRIALS {
        let at = folder.path().join(format!("t{trial}"));
        copy(&at);
        let mut child = command(&at).spawn();
        let moment = took.mul_f64(f64::from(trial + 1) / f64::from(TRIALS));
        let begin = Instant::now();
        while begin.elapsed() < moment && child.try_wait().unwrap().is_none() {
            std::thread::park_timeout(Duration::from_micros(200));
        }
        killed += u32::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        command(&at).run().exits(0);
        assert!(files_with(&at, MARKER).is_empty());
        let meta: Value = serde_json::from_slice(&fs::read(at.join("meta.json")).unwrap()).unwrap();
        let segments = meta["segments"].as_array().unwrap();
        assert!(segments.iter().all(|segment| segment["deletes"].is_null()), "{meta}");
        let known: Vec<_> =
            segments.iter().map(|segment| string(segment, "segment_id").replace('-', "")).collect();
        let is_segment = |name: &String| name.split('.').next().is_some_and(|it| it.len() == 32);
        let files = contents(&at);
        let mut old = files.keys().filter(|name| is_segment(name));
        assert!(old.all(|name| known.iter().any(|id| name.starts_with(id.as_str()))));
        let said = Huller::new().arg("verify").arg(&at).run().exits(0);
        assert!(said.text().contains(": complete"), "{}", said.text());
        let rows = |at: &Path| {
            let hits = Huller::new().arg("search").arg(at).args(["about", "--json", "-n", "all"]);
            hits.run().rows().len()
        };
        assert_eq!(rows(&at), rows(&whole));
    }
    assert!(killed > 2, "{killed}");
}

#[test]
fn what_cannot_be_withdrawn_says_why() {
    let folder = temp();
    let inputs = inputs(folder.path());
    let out = folder.path().join("out");
    extract(&inputs, &out).run().exits(0);
    withdraw(&[&out]).run().exits(2).says("nothing to withdraw: give --url, --host");
    withdraw(&[&out]).args(["--host", "no host"]).run().exits(2).says("is no host");
    withdraw(&[&out, &out]).args(["--id", "7"]).run().exits(2).says("is given twice");
    withdraw(&[&inputs]).args(["--id", "7"]).run().exits(1).says("neither a run nor an index");
    withdraw(&[Path::new("s3://bucket/x")])
        .args(["--id", "7"])
        .run()
        .exits(2)
        .says("rows cannot be withdrawn yet");
    let ran = withdraw(&[&out]).args(["--id", "7"]).run().exits(0);
    assert!(ran.text().contains("0 rows: 1 new tombstones"), "{}", ran.text());
    let lock = fs::File::open(out.join("_huller/lock")).unwrap();
    lock.lock().unwrap();
    withdraw(&[&out]).args(["--id", "7"]).run().exits(4).says("is locked by another run");
    drop(lock);
    let success = out.join("_SUCCESS");
    fs::remove_file(&success).unwrap();
    withdraw(&[&out]).args(["--id", "7"]).run().exits(1).says("hint: use --resume to finish");
    fs::write(&success, "").unwrap();
    fs::write(out.join("a.jsonl.zst"), "x").unwrap();
    withdraw(&[&out]).args(["--id", "7"]).run().exits(1);
    let text = folder.path().join("text");
    extract(&inputs, &text).args(["--format", "text"]).run().exits(0);
    withdraw(&[&text]).args(["--url", URL]).run().exits(2).says("plain text");
}

#[test]
fn later_runs_leave_withdrawn_pages_out() {
    let folder = temp();
    let inputs = inputs(folder.path());
    let place = |name: &str| folder.path().join(name);
    let out = place("rows");
    extract(&inputs, &out).run().exits(0);
    let all = urls(&out);
    let full = place("full");
    extract(&inputs, &full).run().exits(0);
    withdraw(&[&out]).args(["--near", "--url", URL, "--host", "s3.test", "-q"]).run().exits(0);
    let expected = urls(&out);
    let lost = all.len() - expected.len();
    assert!(lost > 10);
    let withdrawn = |out: &Path| {
        let account: Value =
            serde_json::from_slice(&fs::read(out.join("_huller/run.account")).unwrap()).unwrap();
        account["total"]["skipped"]["withdrawn"].as_u64().unwrap_or_default() as usize
    };

    // The same folder, extracted again: whole, and an input whose output is gone.
    let before = fs::read(out.join("_huller/run.withdrawals")).unwrap();
    fs::remove_file(out.join("a.jsonl.zst")).unwrap();
    extract(&inputs, &out).arg("--resume").run().exits(0);
    assert_eq!((urls(&out), withdrawn(&out)), (expected.clone(), lost));
    extract(&inputs, &out).arg("--overwrite").run().exits(0);
    assert_eq!((urls(&out), withdrawn(&out)), (expected.clone(), lost));
    assert!(fs::read(out.join("_huller/run.withdrawals")).unwrap() == before);

    // Other folders, by the setting. The rejects do not name the pages.
    let tombstones = out.join("_huller/run.withdrawals");
    for (name, from) in [("by-folder", &out), ("by-file", &tombstones)] {
        let other = place(name);
        extract(&inputs, &other)
            .arg("--withdrawn")
            .arg(from)
            .arg("--rejects")
            .arg(other.join("r.jsonl"))
            .run()
            .exits(0);
        assert_eq!((urls(&other), withdrawn(&other)), (expected.clone(), lost), "{name}");
        let rejects = fs::read_to_string(other.join("r.jsonl")).unwrap();
        assert!(rejects.contains("withdrawn") && !rejects.contains("s3.test"), "{rejects}");
        extract(&inputs, &other).arg("--resume").run().exits(3).says("withdrawn is not set");
    }
    let refined = place("refined");
    Huller::new()
        .args(["refine", "-q", "--withdrawn"])
        .arg(&out)
        .arg("-o")
        .arg(&refined)
        .arg(&full)
        .run()
        .exits(0);
    assert_eq!(urls(&refined), expected);
    extract(&inputs, &place("x")).args(["--withdrawn", "nowhere"]).run().exits(2).says("nowhere");

    // `dedup` finds them by the tombstones of --against, whatever its own settings are.
    let signed = place("signed");
    Huller::new().args(["dedup", "-q", "-o"]).arg(&signed).arg(&full).run().exits(0);
    withdraw(&[&signed]).args(["--near", "--url", URL, "--host", "s3.test", "-q"]).run().exits(0);
    for (name, options) in
        [("against", &["--against"][..]), ("other", &["--bands", "9", "--withdrawn"])]
    {
        let kept = place(name);
        Huller::new()
            .args(["dedup", "-q", "--by", "url", "-o"])
            .arg(&kept)
            .arg(&full)
            .args(options)
            .arg(&signed)
            .run()
            .exits(0);
        assert_eq!(withdrawn(&kept), lost, "{name}");
        assert!(files_with(&kept, MARKER).is_empty() && files_with(&kept, "s3.test").is_empty());
    }
    let index = place("idx");
    Huller::new()
        .args(["index", "-q", "--withdrawn"])
        .arg(&out)
        .arg("-o")
        .arg(&index)
        .arg(&full)
        .run()
        .exits(0);
    let hits = |query: &str| {
        Huller::new().arg("search").arg(&index).args([query, "--json"]).run().rows().len()
    };
    assert_eq!((hits(MARKER), hits("host:s3.test")), (0, 0));
    assert!(hits("host:s2.test") > 0);
    // An index keeps its tombstones when it is built again.
    withdraw(&[&index]).args(["--host", "s2.test", "-q"]).run().exits(0);
    Huller::new().args(["index", "-q", "--overwrite", "-o"]).arg(&index).arg(&full).run().exits(0);
    assert_eq!(hits("host:s2.test"), 0);
    assert!(hits("host:s1.test") > 0 && hits(MARKER) > 0);
}

#[test]
fn withdrawn_pages_leave_links_and_escalated_pages_too() {
    let folder = temp();
    let inputs = folder.path().join("in");
    fs::create_dir_all(&inputs).unwrap();
    let linked = |url: &str, word: &str, number: usize| {
        let text = format!(
            "{} <a href='http://to.test/{word}?n={number}'>See {word} there</a> {}",
            text_of(number),
            text_of(number + 500),
        );
        page(url, &text)
    };
    for name in ["a", "b"] {
        let mut lines = String::new();
        for number in 0..20 {
            lines += &linked(&format!("http://{name}.test/{number}"), "stays", number);
            if number == 9 {
                lines += &linked(&URL.replace("x=1", &format!("x={name}")), MARKER, number + 30);
            }
        }
        fs::write(inputs.join(format!("{name}.jsonl")), lines).unwrap();
    }
    for format in ["jsonl", "parquet", "csv"] {
        let at = |name: &str| folder.path().join(format!("{name}-{format}"));
        let run = extract(&inputs, &at("rows")).arg("--links").arg(at("links"));
        let run = run.args(["--format", format, "--links-format", format, "--rights"]);
        run.arg("--escalate").arg(at("hard")).args(["--below", "2"]).run().exits(0);
        let names = ["rows", "links", "hard"];
        for name in names {
            assert!(!files_with(&at(name), MARKER).is_empty(), "{name}-{format}");
            assert!(!files_with(&at(name), "gone.test").is_empty(), "{name}-{format}");
        }
        let stays = names.map(|name| count_of(&at(name), "stays"));
        let rows = at("rows");
        withdraw(&[&rows]).args(["--host", "gone.test"]).run().exits(0);
        Huller::new().arg("verify").arg(&rows).run().exits(0);
        for (name, before) in names.into_iter().zip(stays) {
            assert_eq!(files_with(&at(name), MARKER), [""; 0], "{name}-{format}");
            assert_eq!(files_with(&at(name), "gone.test"), [""; 0], "{name}-{format}");
            assert_eq!(count_of(&at(name), "stays"), before, "{name}-{format}");
        }
        // No file of the run knows the page by its address.
        assert_eq!(files_with(folder.path(), "gone.test"), ["in/a.jsonl", "in/b.jsonl"]);
    }
}

/// Returns how often a word is in the files of a folder.
fn count_of(folder: &Path, word: &str) -> usize {
    let of =
        |bytes: &[u8]| bytes.windows(word.len()).filter(|part| *part == word.as_bytes()).count();
    contents(folder).keys().map(|name| of(&plain_bytes(&folder.join(name)))).sum()
}

#[test]
fn a_rewritten_table_keeps_its_compression() {
    let folder = temp();
    let inputs = inputs(folder.path());
    let has = |file: &[u8], magic: &[u8]| file.windows(magic.len()).any(|part| part == magic);
    for (compress, in_file) in [("none", [false, false]), ("gzip", [false, true])] {
        let out = folder.path().join(compress);
        let args = ["--format", "parquet", "--compress", compress];
        extract(&inputs, &out).args(args).run().exits(0);
        withdraw(&[&out]).args(["--host", "s3.test", "-q"]).run().exits(0);
        let file = fs::read(out.join("a.parquet")).unwrap();
        let found = [has(&file, b"\x28\xb5\x2f\xfd"), has(&file, b"\x1f\x8b\x08")];
        assert_eq!(found, in_file, "{compress}");
        Huller::new().arg("verify").arg(&out).run().exits(0);
    }
}
