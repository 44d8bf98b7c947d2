//! `--choose`: the text of one of several extractors, by each rule, against runs of the extractors
//! alone.

use crate::support::{Huller, assert_same, contents, rows, sample, stats, string, temp};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const EXTRACTORS: [&str; 3] = ["tsd", "hull", "body"];

/// Stages that drop many texts, by their length and by their form.
const STAGES: [&str; 5] =
    ["--stages", "length,gopher-quality", "--set", "length.min_chars=1500", "--signals"];

fn extract(folder: &Path, extractors: &str) -> Huller {
    let dropped = folder.join("dropped");
    Huller::extract(sample(), folder.join("rows"))
        .args(["--extractor", extractors])
        .arg("--dropped")
        .arg(dropped)
}

fn rows_of(folder: &Path) -> Vec<Value> {
    rows(folder.join("rows/sample.jsonl.zst"))
}

/// Returns the rows of each extractor alone, by their ids.
fn alone(stages: &[&str]) -> Vec<BTreeMap<String, Value>> {
    let of = |extractor: &&str| {
        let folder = temp();
        extract(folder.path(), extractor).args(stages).run().exits(0);
        let by_id = |row: Value| (string(&row, "id").to_owned(), row);
        rows_of(folder.path()).into_iter().map(by_id).collect()
    };
    EXTRACTORS.iter().map(of).collect()
}

#[test]
fn a_row_survives_with_the_first_text_that_does() {
    let alone = alone(&STAGES);
    let [one, four, first] = [temp(), temp(), temp()];
    let union = |folder: &Path| {
        extract(folder, &EXTRACTORS.join(",")).args(["--choose", "surviving"]).args(STAGES)
    };
    let mut ran = union(one.path()).arg("-j1").run().exits(0);
    union(four.path()).arg("-j4").run().exits(0);
    assert_same(&contents(one.path()), &contents(four.path()));

    let found = rows_of(one.path());
    let ids: BTreeSet<_> = alone.iter().flat_map(BTreeMap::keys).cloned().collect();
    assert_eq!(found.len(), ids.len());
    let mut yields = BTreeMap::<&str, u64>::new();
    for row in &found {
        let kept = alone.iter().find_map(|rows| rows.get(string(row, "id"))).unwrap();
        assert_eq!(row, kept, "the row is that of the extractor alone");
        *yields.entry(string(kept, "extractor")).or_default() += 1;
    }
    assert_eq!(yields.len(), 3, "each extractor saves a page: {yields:?}");
    let stats = stats(&one.path().join("rows"));
    let extractors = &stats["total"]["waterfall"]["extractors"];
    for (name, count) in yields {
        assert_eq!(extractors[name]["rows"], count);
        ran = ran.says(&format!("  {name:<26}{count:>16}"));
    }

    // A page without a surviving text is dropped, and kept for inspection, as by the first one.
    extract(first.path(), EXTRACTORS[0]).args(STAGES).run().exits(0);
    let dropped = |folder: &Path| fs::read_to_string(folder.join("dropped/dropped.jsonl")).unwrap();
    let (of_union, of_first) = (dropped(one.path()), dropped(first.path()));
    let of_first: BTreeSet<_> = of_first.lines().collect();
    assert!(of_union.lines().count() > 3);
    for line in of_union.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        assert!(!ids.contains(string(&row, "id")));
        assert!(of_first.contains(line), "{line}");
    }
}

#[test]
fn the_longest_text_and_the_expected_one_are_those_of_an_extractor() {
    let alone = alone(&[]);
    let chars = |row: &Value| string(row, "text").chars().count();
    for rule in ["longest", "expected"] {
        let folder = temp();
        extract(folder.path(), &EXTRACTORS.join(","))
            .args(["--choose", rule, "--markdown", "--blocks"])
            .run()
            .exits(0);
        let found = rows_of(folder.path());
        assert_eq!(found.len(), alone[0].len());
        let mut chosen = BTreeSet::new();
        for row in &found {
            assert!(row.get("texts").is_none());
            let extractor = string(row, "extractor");
            let texts: Vec<_> = alone.iter().map(|rows| &rows[string(row, "id")]).collect();
            let Some(place) = EXTRACTORS.iter().position(|name| *name == extractor) else {
                assert_eq!(extractor, "none", "a page that is plain text");
                continue;
            };
            assert_eq!(row["text"], texts[place]["text"]);
            assert_eq!(row["score"], texts[place]["score"]);
            if rule == "longest" {
                assert!(texts.iter().all(|text| chars(text) <= chars(row)));
            }
            let blocks = row["blocks"].as_array().unwrap();
            for block in blocks.iter().filter(|block| block.get("methods").is_some()) {
                let names: Vec<_> = block["methods"].as_object().unwrap().keys().collect();
                assert_eq!(names, [extractor]);
            }
            chosen.insert(extractor.to_owned());
        }
        assert!(chosen.len() > 1, "{rule}: {chosen:?}");
    }
}

#[test]
fn a_choice_needs_several_extractors() {
    let folder = temp();
    let ran = extract(folder.path(), "hull").args(["--choose", "longest"]).run().exits(2);
    ran.says("--choose longest needs several extractors: give --extractor hull,readability,dvps");
}
