//! Clusters against datatrove's, of the same texts with the same hash and parameters.
//!
//! `oracle/clusters.jsonl` is what `oracle/ask_datatrove_clusters.py` wrote; `HULLER_ORACLE` may
//! name what it wrote of more texts.

use crate::support::{TestFolders, dedup, row, rows, threads};
use huller_dedup::{DedupStep, Outputs, Settings};
use huller_refine::signature::Hash;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Sets of the rows that have one name, of two rows and more.
fn clusters(names: impl Iterator<Item = Option<String>>) -> BTreeSet<Vec<usize>> {
    let mut of: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (row, name) in names.enumerate() {
        if let Some(name) = name {
            of.entry(name).or_default().push(row);
        }
    }
    of.into_values().filter(|rows| rows.len() > 1).collect()
}

fn compare(oracle: &Path) {
    let oracle = fs::read_to_string(oracle).unwrap();
    let oracle: Vec<Value> =
        oracle.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let place = TestFolders::new();
    let all: Vec<_> =
        (0..).zip(&oracle).map(|(n, of)| row(n, of["text"].as_str().unwrap())).collect();
    let corpus = place.write_rows("a.jsonl.zst", &all);
    let mut settings =
        Settings { by: vec![DedupStep::Near], outputs: Outputs::Marked, ..Settings::default() };
    settings.signatures.hash = Hash::Datatrove;
    dedup(&[corpus], &place.path("out"), &settings, &threads(2)).unwrap();
    let marked = rows(&place.path("out").join("a.jsonl.zst"));
    let ours = clusters(marked.iter().map(|row| {
        let kept = row["duplicate_of"].as_str().or(row["id"].as_str());
        kept.map(str::to_owned)
    }));
    let theirs = clusters(oracle.iter().map(|of| of["cluster"].as_u64().map(|n| n.to_string())));
    assert!(theirs.len() > 20);
    assert_eq!(ours, theirs);
}

#[test]
fn clusters_are_those_of_datatrove() {
    compare(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/clusters.jsonl"));
}

#[test]
#[ignore = "HULLER_ORACLE must name what oracle/ask_datatrove_clusters.py wrote"]
fn clusters_are_those_of_datatrove_in_the_named_oracle() {
    compare(std::env::var_os("HULLER_ORACLE").unwrap().as_ref());
}
