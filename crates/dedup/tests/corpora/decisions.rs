//! Which rows are kept.

use crate::support::{TestFolders, dedup, numbers, row, rows, threads, tree, words};
use huller_dedup::{DedupError, DedupStep, DropBy, Keep, Options, Outputs, Settings, run};
use huller_refine::RejectionKind;
use huller_run::monitor::SilentMonitor;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::AtomicBool;

fn by(steps: &[DedupStep]) -> Settings {
    Settings { by: steps.to_vec(), ..Settings::default() }
}

/// Texts of which the first two are equal but for white space, and the third is near to them.
fn texts() -> [String; 4] {
    let mut state = 99;
    let first = words(200, &mut state);
    let mut near = first.clone();
    "changed".clone_into(&mut near[100]);
    let other = words(150, &mut state).join(" ");
    [first.join(" "), first.join("\n  "), near.join(" "), other]
}

#[test]
fn each_step_drops_its_duplicates_and_counts_them() {
    let place = TestFolders::new();
    let [first, spaced, near, other] = texts();
    let mut all: Vec<_> =
        (0..).zip([&first, &spaced, &near, &other]).map(|(n, text)| row(n, text)).collect();
    let mut again = row(4, "Another text at the same address.");
    again["url"] = json!("http://HOST3.test:80/3#top");
    all.push(again);
    let corpus = place.write_rows("in/a.jsonl", &all);
    for (steps, kept) in [
        (&[DedupStep::Url][..], &[0, 1, 2, 4][..]),
        (&[DedupStep::Text], &[0, 2, 3, 4]),
        (&[DedupStep::Near], &[0, 3, 4]),
        (&[DedupStep::Text, DedupStep::Near], &[0, 3, 4]),
        (&[DedupStep::Url, DedupStep::Text, DedupStep::Near], &[0, 4]),
    ] {
        let out = place.path(&format!("out{}", steps.len() * 10 + steps[0] as usize));
        let summary = dedup(std::slice::from_ref(&corpus), &out, &by(steps), &threads(2)).unwrap();
        assert_eq!(numbers(&out.join("a.jsonl")), kept, "{steps:?}");
        let counters = &summary.inputs[0].counters;
        assert_eq!((counters.records, counters.written), (5, kept.len() as u64));
        assert_eq!(counters.total(RejectionKind::Skipped), 5 - kept.len() as u64);
        assert!(out.join("_SUCCESS").exists());
    }
    let table: Value =
        serde_json::from_slice(&fs::read(place.path("out30/_huller/dedup.clusters")).unwrap())
            .unwrap();
    assert_eq!(table["clusters"], json!([["2", 1], ["3", 1]]));
    assert_eq!(table["dropped"]["dedup:near"]["chars"], near.chars().count());
}

#[test]
fn the_row_that_is_kept_follows_the_rule() {
    let place = TestFolders::new();
    let [first, _, near, _] = texts();
    let long = format!("{first} with a longer end");
    let mut all = vec![row(27, &first), row(5, &near), row(26, &long)];
    all[1]["score"] = json!(0.75);
    all[2].as_object_mut().unwrap().remove("score");
    let corpus = place.write_rows("a.jsonl", &all);
    for (keep, kept) in
        [(Keep::First, 27), (Keep::Longest, 26), (Keep::Score, 5), (Keep::Newest, 27)]
    {
        let out = place.path(&format!("{keep:?}"));
        let settings = Settings { keep: Some(keep), ..Settings::default() };
        dedup(std::slice::from_ref(&corpus), &out, &settings, &threads(1)).unwrap();
        assert_eq!(numbers(&out.join("a.jsonl")), [kept], "{keep:?}");
    }
}

#[test]
fn clusters_hold_together_through_steps_whichever_row_is_kept() {
    // Row 1 has the address of row 0, and a text near that of row 2, which has the text of row 3.
    let place = TestFolders::new();
    let [first, spaced, near, _] = texts();
    let mut all = vec![row(0, "short"), row(7, &near), row(2, &first), row(3, &(spaced + " "))];
    all[1]["url"] = all[0]["url"].clone();
    let corpus = place.write_rows("a.jsonl", &all);
    let settings = Settings {
        outputs: Outputs::Marked,
        keep: Some(Keep::Newest),
        ..by(&[DedupStep::Url, DedupStep::Text, DedupStep::Near])
    };
    let out = place.path("out");
    dedup(&[corpus], &out, &settings, &threads(2)).unwrap();
    let marked: Vec<_> = rows(&out.join("a.jsonl"))
        .into_iter()
        .map(|row| (row["duplicate_of"].clone(), row["cluster_size"].as_u64().unwrap()))
        .collect();
    let of = json!("00000000-0000-4000-8000-000000000007");
    assert_eq!(marked, [(of.clone(), 4), (Value::Null, 4), (of.clone(), 4), (of, 4)]);
}

#[test]
fn earlier_corpora_win_and_are_not_written() {
    let place = TestFolders::new();
    let [first, spaced, near, other] = texts();
    let old =
        place.write_rows("old/a.jsonl", &[row(1, &first), row(2, "Old and alone, this text is.")]);
    let kept = place.path("kept");
    dedup(&[old.parent().unwrap().to_owned()], &kept, &Settings::default(), &threads(1)).unwrap();
    // Only the signatures of the old corpus are needed.
    fs::remove_file(kept.join("a.jsonl")).unwrap();
    let new = place.write_rows(
        "new/b.jsonl.zst",
        &[row(10, &near), row(11, &other), row(12, &spaced), row(13, &other)],
    );
    let out = place.path("out");
    let stop = AtomicBool::new(false);
    let settings = Settings {
        outputs: Outputs::KeptWithSizes,
        keep: Some(Keep::Longest),
        ..Settings::default()
    };
    let summary = run(
        &[new],
        std::slice::from_ref(&kept),
        &out,
        &settings,
        &threads(2),
        &mut SilentMonitor,
        &stop,
    )
    .unwrap();
    assert_eq!(numbers(&out.join("b.jsonl.zst")), [11]);
    assert_eq!(rows(&out.join("b.jsonl.zst"))[0]["cluster_size"], 2);
    assert_eq!((summary.table.earlier_rows, summary.table.rows), (2, 4));
    let list = place.path("drop.jsonl");
    let settings = Settings { outputs: Outputs::List(list.clone()), ..Settings::default() };
    let new = place.path("new");
    run(&[new], &[kept], &place.path("run"), &settings, &threads(2), &mut SilentMonitor, &stop)
        .unwrap();
    let listed = rows(&list);
    let named: Vec<_> = listed
        .iter()
        .map(|line| {
            (
                line["id"].as_str().unwrap(),
                line["reason"].as_str().unwrap(),
                line["duplicate_of"]["place"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(named[0], ("00000000-0000-4000-8000-00000000000a", "dedup:near", 0));
    assert_eq!(named[1], ("00000000-0000-4000-8000-00000000000c", "dedup:text", 0));
    assert_eq!((named.len(), named[2].1), (3, "dedup:text"));
    assert!(listed[0]["duplicate_of"]["file"].as_str().unwrap().ends_with("kept/a.jsonl"));
    assert_eq!(listed[2]["duplicate_of"]["file"], "b.jsonl.zst");
}

#[test]
fn other_settings_of_earlier_signatures_are_refused() {
    let place = TestFolders::new();
    let corpus = place.write_rows("a.jsonl", &[row(1, "some text")]);
    let mut settings = Settings::default();
    settings.signatures.bands = 20;
    dedup(std::slice::from_ref(&corpus), &place.path("old"), &settings, &threads(1)).unwrap();
    let stop = AtomicBool::new(false);
    let refused = run(
        &[corpus],
        &[place.path("old")],
        &place.path("out"),
        &Settings::default(),
        &threads(1),
        &mut SilentMonitor,
        &stop,
    );
    assert!(refused.unwrap_err().to_string().contains("they were computed with"));
    assert!(!place.path("out").exists());
}

#[test]
fn bytes_of_rows_stay_and_lines_that_are_no_rows_are_counted() {
    let place = TestFolders::new();
    let good = "{\"z\": 1.50,  \"text\":\"a \\u00e9\"}\r";
    let lines = [good, "", "{\"text\":1}", "[2]", "{\"text\":\"cut", "{\"text\":\"last\"}"];
    let corpus = place.write("a.jsonl", lines.join("\n").as_bytes());
    let out = place.path("out");
    let summary = dedup(&[corpus], &out, &Settings::default(), &threads(1)).unwrap();
    let written = fs::read_to_string(out.join("a.jsonl")).unwrap();
    assert_eq!(written, format!("{good}\n{{\"text\":\"last\"}}\n"));
    let counters = &summary.inputs[0].counters;
    assert_eq!((counters.records, counters.written), (5, 2));
    assert_eq!((counters.count_of("invalid_json"), counters.count_of("no_text_key")), (2, 1));
}

#[test]
fn an_output_is_an_input_again_with_its_signatures() {
    let place = TestFolders::new();
    let [first, spaced, near, other] = texts();
    let all: Vec<_> =
        (0..).zip([&other, &first, &spaced, &near]).map(|(n, text)| row(n, text)).collect();
    let corpus = place.write_rows("in/a.jsonl.gz", &all);
    let once = place.path("once");
    dedup(&[corpus], &once, &by(&[DedupStep::Text]), &threads(1)).unwrap();
    assert_eq!(numbers(&once.join("a.jsonl.gz")), [0, 1, 3]);
    let twice = place.path("twice");
    dedup(std::slice::from_ref(&once), &twice, &Settings::default(), &threads(1)).unwrap();
    assert_eq!(numbers(&twice.join("a.jsonl.gz")), [0, 1]);
    // The signatures were those beside the file: none was made anew.
    let journal = fs::read_to_string(twice.join("_huller/dedup.journal")).unwrap();
    assert!(!journal.contains("signed"), "{journal}");
    // Signatures that are not those of the rows are not used, or at the latest refused when rows
    // are written.
    let mut rows = rows(&once.join("a.jsonl.gz"));
    rows[0]["text"] = json!("quite another text");
    place.write_rows("once/a.jsonl.gz", &rows);
    dedup(std::slice::from_ref(&once), &place.path("third"), &Settings::default(), &threads(1))
        .unwrap();
    let journal = fs::read_to_string(place.path("third/_huller/dedup.journal")).unwrap();
    assert!(journal.contains("signed"), "{journal}");
}

#[test]
fn signatures_of_other_rows_are_refused() {
    let place = TestFolders::new();
    let [first, _, near, other] = texts();
    let corpus = place.write_rows("in/a.jsonl", &[row(1, &first), row(2, &other)]);
    let once = place.path("once");
    dedup(&[corpus], &once, &Settings::default(), &threads(1)).unwrap();
    // The last of these has the places of the rows that were signed.
    let same_length = other.replacen('w', "v", 1);
    for other in [
        vec![row(1, &first), row(2, &near), row(3, "x")],
        vec![row(1, &first)],
        vec![row(1, &first), row(2, &same_length)],
    ] {
        place.write_rows("once/a.jsonl", &other);
        let out = place.path("out");
        let refused = dedup(std::slice::from_ref(&once), &out, &Settings::default(), &threads(1));
        assert!(matches!(refused, Err(DedupError::Signatures { .. })), "{refused:?}");
        assert!(!out.join("a.jsonl").exists() && !out.join("_SUCCESS").exists());
        fs::remove_dir_all(out).unwrap();
    }
}

#[test]
fn lines_of_a_host_are_left_out() {
    let place = TestFolders::new();
    let all: Vec<_> = (0..40)
        .map(|n| row(n, &format!("Home | About\nA text about {n}.\nAll rights reserved")))
        .chain([row(77, "Home | About\n\nAll rights reserved"), row(78, "Home | About\nAlone.")])
        .collect();
    let corpus = place.write_rows("a.jsonl.zst", &all);
    let out = place.path("out");
    // Six or seven pages a host.
    let settings = Settings { host_lines: 4, host_line_chars: 1, ..by(&[DedupStep::Lines]) };
    let summary = dedup(std::slice::from_ref(&corpus), &out, &settings, &threads(2)).unwrap();
    let written = rows(&out.join("a.jsonl.zst"));
    assert_eq!(written.len(), 41);
    assert_eq!(
        (&written[3]["text"], &written[40]["text"]),
        (&json!("A text about 3."), &json!("Alone."))
    );
    assert_eq!(summary.inputs[0].counters.count_of("dedup:lines"), 1);
    assert_eq!(summary.table.dropped["dedup:lines"].rows, 42);
    // What was written was signed anew.
    let again = place.path("again");
    dedup(&[out], &again, &Settings::default(), &threads(1)).unwrap();
    assert!(!fs::read_to_string(again.join("_huller/dedup.journal")).unwrap().contains("signed"));
    let settings = Settings { host_lines: 7, host_line_chars: 1, ..by(&[DedupStep::Lines]) };
    let out = place.path("more");
    dedup(&[corpus], &out, &settings, &threads(2)).unwrap();
    assert_eq!(rows(&out.join("a.jsonl.zst"))[3]["text"], all[3]["text"]);
}

#[test]
fn short_lines_stay_however_many_pages_of_a_host_have_them() {
    let place = TestFolders::new();
    // 39, 40 and 40 Unicode scalars; the last ones are two bytes each.
    let [short, long, umlauts] = ["s".repeat(39), "l".repeat(40), "ü".repeat(40)];
    let all: Vec<_> =
        (0..40).map(|n| row(n, &format!("{short}\n  {long} \nPage {n}\n{umlauts}"))).collect();
    let corpus = place.write_rows("a.jsonl", &all);
    let text_of_four = |name: &str, host_line_chars| {
        let settings = Settings { host_lines: 4, host_line_chars, ..by(&[DedupStep::Lines]) };
        let out = place.path(name);
        dedup(std::slice::from_ref(&corpus), &out, &settings, &threads(2)).unwrap();
        rows(&out.join("a.jsonl"))[4]["text"].clone()
    };
    assert_eq!(Settings::default().host_line_chars, 40);
    assert_eq!(text_of_four("forty", 40), json!(format!("{short}\nPage 4")));
    assert_eq!(text_of_four("thirty-nine", 39), json!("Page 4"));
    assert_eq!(text_of_four("forty-one", 41), all[4]["text"]);
}

#[test]
fn the_bytes_do_not_depend_on_threads_nor_the_clusters_on_the_order_of_shards() {
    let place = TestFolders::new();
    let mut state = 5;
    let originals: Vec<_> = (0..60).map(|_| words(120, &mut state)).collect();
    let mut files: Vec<Vec<Value>> = vec![Vec::new(); 5];
    for n in 0..900_u64 {
        let mut text = originals[(n * 7 % 60) as usize].clone();
        for change in 0..n % 4 {
            text[(n * 31 + change * 17) as usize % 120] = format!("x{n}");
        }
        files[(n % 5) as usize].push(row(n, &text.join(" ")));
    }
    for (name, rows) in ["a", "b", "c", "d", "e"].iter().zip(&files) {
        place.write_rows(&format!("in/{name}.jsonl.zst"), rows);
    }
    let settings = Settings {
        outputs: Outputs::Marked,
        ..by(&[DedupStep::Url, DedupStep::Text, DedupStep::Near])
    };
    let corpus = [place.path("in")];
    dedup(&corpus, &place.path("one"), &settings, &threads(1)).unwrap();
    dedup(&corpus, &place.path("two"), &settings, &threads(2)).unwrap();
    dedup(&corpus, &place.path("three"), &settings, &threads(3)).unwrap();
    let one = tree(&place.path("one"));
    assert!(one == tree(&place.path("two")) && one == tree(&place.path("three")));
    // Each row with its cluster, named by its least member.
    let clusters = |out: &str| -> BTreeSet<BTreeSet<String>> {
        let mut of = std::collections::BTreeMap::<String, BTreeSet<String>>::new();
        for name in ["a", "b", "c", "d", "e"] {
            for row in rows(&place.path(out).join(format!("{name}.jsonl.zst"))) {
                let id = row["id"].as_str().unwrap().to_owned();
                let kept = row["duplicate_of"].as_str().unwrap_or(&id).to_owned();
                of.entry(kept).or_default().insert(id);
            }
        }
        of.into_values().collect()
    };
    let backward: Vec<_> =
        ["e", "c", "a", "d", "b"].map(|name| place.path(&format!("in/{name}.jsonl.zst"))).into();
    dedup(&backward, &place.path("other"), &settings, &threads(2)).unwrap();
    let found = clusters("one");
    assert_eq!(found, clusters("other"));
    assert!(found.len() < 150 && found.len() >= 60, "{}", found.len());
}

#[test]
fn rows_of_a_list_are_dropped_before_duplicates_are_looked_for() {
    let place = TestFolders::new();
    let mut state = 11;
    let text = words(30, &mut state).join(" ");
    let mut rows: Vec<_> = (0..4).map(|n| row(n, &text)).collect();
    rows.extend((4..8).map(|n| row(n, &words(30, &mut state).join(" "))));
    rows[6]["id"] = json!("my-6");
    rows[7]["id"] = json!(77);
    let corpora = [place.write_rows("in.jsonl", &rows)];
    let id = |n: u64| format!("<urn:uuid:00000000-0000-4000-8000-{n:012x}>");
    let lines = format!("# listed\n{}\nHTTP://HOST1.test:80/1\nmy-6\n\n77\nmy-7\n", id(0));
    let list = place.write("list.txt.zst", lines.as_bytes());
    let run = |name: &str, outputs, drop_by| {
        let settings = Settings { outputs, ..by(&[DedupStep::Text]) };
        let options = Options { drop: Some(list.clone()), drop_by, ..threads(2) };
        dedup(&corpora, &place.path(name), &settings, &options).unwrap()
    };
    let summary = run("kept", Outputs::Kept, DropBy::Either);
    // Of the four equal rows the first two are listed, so that the third stays.
    assert_eq!(numbers(&place.path("kept/in.jsonl")), [2, 4, 5]);
    let reasons: Vec<_> = summary.total.reasons(RejectionKind::Skipped).collect();
    let reasons: Vec<_> = reasons.iter().map(|(reason, count)| (reason.name(), *count)).collect();
    assert_eq!(reasons, [("dedup:drop", 4), ("dedup:text", 1)]);
    assert_eq!(summary.table.dropped["dedup:drop"].rows, 4);
    run("marked", Outputs::Marked, DropBy::Either);
    assert_eq!(numbers(&place.path("marked/in.jsonl")), [2, 3, 4, 5]);
    run("listed", Outputs::List(place.path("marks.jsonl")), DropBy::Either);
    let marks = crate::support::rows(&place.path("marks.jsonl"));
    let seen: Vec<_> = marks
        .iter()
        .map(|mark| (mark["reason"].as_str().unwrap(), mark["duplicate_of"].is_null()))
        .collect();
    let drop = ("dedup:drop", true);
    assert_eq!(seen, [drop, drop, ("dedup:text", false), drop, drop]);
    let kept = |by: DropBy, name: &str| run(name, Outputs::Kept, by).total.written;
    assert_eq!((kept(DropBy::Id, "ids"), kept(DropBy::Url, "urls")), (3, 5));
}
