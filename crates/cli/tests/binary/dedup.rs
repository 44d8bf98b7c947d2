//! `huller dedup`: corpora without their duplicates.

use crate::support::{
    Huller, ProgramResult, assert_killed_runs_go_on, contents, sample, stats, temp,
};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

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

fn json_of(ran: &ProgramResult) -> Value {
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
fn of_several_formats_the_first_has_the_signatures_and_is_read() {
    let folder = temp();
    let run = |formats: &str| {
        let out = folder.path().join(formats);
        Huller::extract(sample(), &out).args(["--stages", "signature", "--format", formats]).run()
    };
    for (formats, file) in [
        ("jsonl,parquet", "sample.jsonl.zst"),
        ("parquet,jsonl", "sample.parquet"),
        ("jsonl,csv,parquet", "sample.jsonl.zst"),
    ] {
        let alone = formats.split(',').next().unwrap();
        for formats in [formats, alone].iter().filter(|it| !folder.path().join(it).exists()) {
            run(formats).exits(0);
        }
        let read = |of: &str, path: &str| fs::read(folder.path().join(of).join(path)).unwrap();
        let signatures = format!("_huller/signatures/{file}.sig");
        assert!(read(formats, &signatures) == read(alone, &signatures), "{formats}");
        assert!(read(formats, file).len() > 1000);
        let all = fs::read_dir(folder.path().join(formats).join("_huller/signatures")).unwrap();
        assert_eq!(all.count(), 1, "{formats}: one format has signatures");

        let out = folder.path().join(format!("{formats}-once"));
        dedup(&folder.path().join(formats), &out).run().exits(0);
        // Each row is read once, and its signature is not made again.
        let rows = stats(&folder.path().join(formats))["total"]["written"].clone();
        assert_eq!(stats(&out)["total"]["records"], rows, "{formats}");
        let journal = fs::read_to_string(out.join("_huller/dedup.journal")).unwrap();
        assert!(!journal.contains("signed"), "{formats}: {journal}");
    }
    run("csv,jsonl").exits(2).says("first if there are several formats");
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
    dedup(&corpus, &out).args(["--host-line-chars", "9"]).run().exits(2).says("--host-lines");
    dedup(&corpus, &out).args(["--by", "paragraphs"]).run().exits(2).says("--paragraphs N");
    dedup(&corpus, &out).args(["--paragraphs", "9"]).run().exits(2).says("at least 10 characters");
    dedup(&corpus, &out)
        .args(["--paragraphs", "20", "--mark", "x"])
        .run()
        .exits(2)
        .says("lines or paragraphs");
    dedup(&corpus, &out).args(["--verify", "1.5"]).run().exits(2).says("above 0 and at most 1");
    dedup(&corpus, &out).args(["--verify", "0.8", "--by", "url"]).run().exits(2).says("add near");
    dedup(&corpus, &out).args(["--memory", "1M"]).run().exits(2);
    dedup(&folder.path().join("none"), &out).run().exits(1).says("No such file");
    assert!(!out.join("_SUCCESS").exists());
    fs::remove_dir_all(&out).unwrap();
    let archive = folder.path().join("of-archive");
    dedup(&sample(), &archive).run().exits(1).says("run `huller extract` on it first");
    assert!(!archive.join("_SUCCESS").exists());
    dedup(&corpus, &out).run().exits(0);
    dedup(&corpus, &out).run().exits(2).says("--resume");
    dedup(&corpus, &out)
        .args(["--resume", "--bands", "20"])
        .run()
        .exits(3)
        .says("signatures.bands is 20, was 14");
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
    dedup(&corpus, &new).arg("--mark").arg(&list).run().exits(2).says("it contains other data");
    assert_eq!(fs::read(list).unwrap(), b"mine");
}

#[test]
fn texts_are_compared_and_repeated_paragraphs_are_left_out() {
    let folder = temp();
    let corpus = folder.path().join("a.jsonl");
    let notice = "Printed with the kind permission of the paper.";
    let row = |n: u32, text: &str| json!({"id": n, "text": text}).to_string() + "\n";
    let words =
        |from: u32| (from..from + 40).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
    let lines = [
        row(0, &format!("{}\n{notice}", words(0))),
        row(1, &format!("{} and an end of its own\n{notice}", words(0))),
        row(2, notice),
        row(3, &format!("{}\n{notice}", words(100))),
    ];
    fs::write(&corpus, lines.concat()).unwrap();
    let kept = |out: &Path| -> Vec<Value> {
        let text = fs::read_to_string(out.join("a.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let ids =
        |rows: &[Value]| rows.iter().map(|row| row["id"].as_u64().unwrap()).collect::<Vec<_>>();
    let one_hash = ["--bands", "60", "--rows", "1"];
    for (verify, expected) in [("0.7", &[0, 2, 3][..]), ("0.95", &[0, 1, 2, 3])] {
        let out = folder.path().join(verify);
        dedup(&corpus, &out).args(one_hash).args(["--verify", verify]).run().exits(0);
        assert_eq!(ids(&kept(&out)), expected);
    }
    let out = folder.path().join("paragraphs");
    let ran = dedup(&corpus, &out).args(["--by", "text", "--paragraphs", "20"]).run().exits(0);
    assert!(ran.stderr.contains("dedup:paragraphs"), "{}", ran.stderr);
    let rows = kept(&out);
    assert_eq!(ids(&rows), [0, 1, 3]);
    let has_notice: Vec<_> =
        rows.iter().map(|row| row["text"].as_str().unwrap().ends_with(notice)).collect();
    assert_eq!(has_notice, [true, false, false]);
}

#[test]
fn outputs_are_verified_and_counted() {
    let folder = temp();
    let corpus = folder.path().join("in");
    fs::create_dir(&corpus).unwrap();
    for (name, count) in [("a.jsonl", 40), ("b.jsonl", 5), ("c,\"d\".jsonl", 60)] {
        fs::write(corpus.join(name), rows(count) + "no row\n").unwrap();
    }
    let out = folder.path().join("out");
    let giant = format!("{{\"text\":\"{}\"}}\n", "x ".repeat(20 << 20));
    fs::write(corpus.join("e.jsonl"), giant + &rows(3)).unwrap();
    dedup(&corpus, &out).args(["--by", "url", "--memory", "256M"]).run().exits(0);
    let verify = |expected: i32| {
        let ran = Huller::new().args(["verify", "--json"]).arg(&out).run().exits(expected);
        json_of(&ran)
    };
    let found = verify(0);
    assert_eq!((&found["state"], &found["findings"]), (&json!("complete"), &json!([])), "{found}");
    assert_eq!(found["total"]["skipped"]["too_large"], 1);
    assert_eq!(found["rows"], found["total"]["written"]);
    let csv = fs::read(out.join("_huller/run.account.csv")).unwrap();
    let ran = Huller::new().args(["stats", "--csv"]).arg(&out).run().exits(0);
    assert_eq!(ran.stdout, csv);
    // Whatever is changed is told.
    let whole = contents(&out);
    let change = |name: &str, how: &dyn Fn(&Path), kind: &str| {
        let path = out.join(name);
        how(&path);
        let found = verify(1);
        let kinds: Vec<_> =
            found["findings"].as_array().unwrap().iter().map(|of| &of["kind"]).collect();
        assert!(kinds.contains(&&json!(kind)), "{name}: {found}");
        let _ = fs::remove_file(&path);
        if let Some(bytes) = whole.get(name) {
            fs::write(path, bytes).unwrap();
        }
    };
    let turn = |path: &Path| {
        let mut bytes = fs::read(path).unwrap();
        let last = bytes.len() - 10;
        bytes[last] ^= 1;
        fs::write(path, bytes).unwrap();
    };
    let remove = |path: &Path| fs::remove_file(path).unwrap();
    change("a.jsonl", &turn, "digest");
    change("c,\"d\".jsonl", &remove, "missing");
    change("_huller/signatures/a.jsonl.sig", &turn, "digest");
    change("_huller/run.account.csv", &turn, "stats");
    change("_huller/run.journal", &remove, "journal");
    change("x.jsonl", &|path| fs::write(path, "{}\n").unwrap(), "stranger");
    change("_SUCCESS", &remove, "success");
    assert_eq!(verify(0)["state"], "complete");
    // A list of rows has no outputs.
    let [run, list] = ["run", "list.jsonl"].map(|name| folder.path().join(name));
    dedup(&corpus, &run).arg("--mark").arg(&list).run().exits(0);
    Huller::new().arg("verify").arg(&run).run().exits(0);
}

#[test]
fn a_text_that_was_changed_in_place_is_noticed() {
    let folder = temp();
    let corpus = folder.path().join("a.jsonl");
    fs::write(&corpus, rows(20)).unwrap();
    let [once, twice] = ["once", "twice"].map(|name| folder.path().join(name));
    dedup(&corpus, &once).args(["--by", "url"]).run().exits(0);
    let path = once.join("a.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let at = text.rfind('w').unwrap();
    fs::write(&path, format!("{}v{}", &text[..at], &text[at + 1..])).unwrap();
    let ran = dedup(&once, &twice).run().exits(1).says("remove them to compute them again");
    assert!(ran.stderr.contains("a.jsonl.sig"), "{}", ran.stderr);
    fs::remove_file(once.join("_huller/signatures/a.jsonl.sig")).unwrap();
    dedup(&once, &twice).arg("--overwrite").run().exits(0);
}

#[test]
fn what_a_killed_run_signed_is_removed_by_the_next_one() {
    let folder = temp();
    let corpus = folder.path().join("in");
    fs::create_dir(&corpus).unwrap();
    fs::write(corpus.join("a.jsonl"), rows(20)).unwrap();
    fs::write(corpus.join("b.jsonl"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap();
    let out = folder.path().join("out");
    dedup(&corpus, &out).args(["--by", "near"]).run().exits(1);
    let signed = out.join("_huller/signatures-in");
    assert!(signed.join("a.jsonl.sig").is_file());
    // As a kill leaves them before the journal names them. A file that no input explains stays.
    for name in ["b.jsonl.sig", "b.jsonl.sig.part", "mine.txt"] {
        fs::write(signed.join(name), "half").unwrap();
    }
    dedup(&corpus.join("a.jsonl"), &out).args(["--by", "url", "--overwrite"]).run().exits(0);
    let left: Vec<_> = fs::read_dir(&signed).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left, ["mine.txt"]);
}

/// Kills runs at so many moments and lets them go on.
fn kills(count: u32) {
    let folder = temp();
    let corpus = folder.path().join("in");
    fs::create_dir(&corpus).unwrap();
    for name in ["a.jsonl", "b.jsonl", "c.jsonl"] {
        fs::write(corpus.join(name), rows(3_000)).unwrap();
    }
    let steps = ["--by", "url,text,near", "--verify", "0.97", "--paragraphs", "20"];
    let run = |out: &Path| dedup(&corpus, out).args(["-q", "-j2"]).args(steps);
    assert_killed_runs_go_on(folder.path(), count, run);
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

#[test]
fn long_lines_of_a_host_are_left_out_and_short_ones_only_if_that_is_asked_for() {
    let folder = temp();
    let corpus = folder.path().join("a.jsonl");
    let notice = "This notice stands on every page of the host.";
    let rows: String = (0..6)
        .map(|n| {
            let text = format!("See also\n{notice}\nPage {n}");
            json!({"url": format!("http://h.test/{n}"), "text": text}).to_string() + "\n"
        })
        .collect();
    fs::write(&corpus, rows).unwrap();
    for (name, chars, expected) in
        [("long", None, "See also\nPage 0"), ("all", Some("1"), "Page 0")]
    {
        let out = folder.path().join(name);
        let mut command = dedup(&corpus, &out).args(["--by", "lines", "--host-lines", "5"]);
        if let Some(chars) = chars {
            command = command.args(["--host-line-chars", chars]);
        }
        command.run().exits(0);
        let written = fs::read_to_string(out.join("a.jsonl")).unwrap();
        let first: Value = serde_json::from_str(written.lines().next().unwrap()).unwrap();
        assert_eq!(first["text"], expected);
    }
}

#[test]
fn entries_of_a_list_that_name_no_row_are_reported() {
    let folder = temp();
    let at = |name: &str| folder.path().join(name);
    let uuid = "0190a5b2-7c1d-4e3f-8a9b-0c1d2e3f4a5b";
    let row = |id: &str, number: u8| {
        json!({"id": id, "url": format!("http://h.test/{number}"), "text": format!("text {number}")})
            .to_string()
            + "\n"
    };
    let urn = format!("<urn:uuid:{}>", uuid.replace('0', "1"));
    let lines = [row(uuid, 0), row(&urn, 1), row("seven", 2), row("eight", 3)].concat();
    fs::write(at("a.jsonl"), lines).unwrap();
    let list = format!(
        "\u{feff}{}\n{}\nseven\nhttp://h.test/9\nnine\n",
        uuid.to_uppercase(),
        uuid.replace('0', "1")
    );
    fs::write(at("drop.txt"), list).unwrap();
    let ran = dedup(&at("a.jsonl"), &at("out")).arg("--drop").arg(at("drop.txt")).run().exits(0);
    ran.says("2 of 5 entries of --drop name no row");
    let kept = fs::read_to_string(at("out/a.jsonl")).unwrap();
    assert_eq!(kept, row("eight", 3));
    fs::write(at("empty.txt"), "# none\n").unwrap();
    let ran = dedup(&at("a.jsonl"), &at("all")).arg("--drop").arg(at("empty.txt")).run().exits(0);
    ran.says("no entries");
    assert_eq!(fs::read(at("all/a.jsonl")).unwrap(), fs::read(at("a.jsonl")).unwrap());
}
