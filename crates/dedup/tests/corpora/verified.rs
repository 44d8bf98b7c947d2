//! Near duplicates that are verified: compared with a program that does the same in the plainest
//! way.

use crate::support::{TestFolders, dedup, numbers, random, row, rows, threads, tree, words};
use huller_dedup::{DedupStep, MIN_MEMORY_BYTES, Options, Outputs, Settings, run};
use huller_refine::Text;
use huller_refine::signature::{Signature, SignatureSettings, Signer};
use huller_run::monitor::SilentMonitor;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::atomic::AtomicBool;

/// Few hashes a band, so that many rows share bands that are not alike.
fn settings(least: f64) -> Settings {
    Settings {
        by: vec![DedupStep::Near],
        verify: Some(least),
        signatures: SignatureSettings { bands: 6, rows: 2, ..SignatureSettings::default() },
        outputs: Outputs::Marked,
        ..Settings::default()
    }
}

/// Texts that come in families, with more or fewer words changed, and some of them twice.
fn texts(count: usize) -> Vec<String> {
    let mut state = 5;
    let mut all = Vec::new();
    while all.len() < count {
        let family = words(80, &mut state);
        for member in 0..10 {
            let mut member_words = family.clone();
            for _ in 0..random(&mut state) % (2 + 2 * member) {
                let at = (random(&mut state) % 80) as usize;
                member_words[at] = format!("x{:x}", random(&mut state) >> 40);
            }
            all.push(member_words.join(" "));
        }
        all.push(family.join("  "));
    }
    all.truncate(count);
    all
}

fn sign(settings: SignatureSettings, content: &str) -> Signature {
    let (mut text, mut signature) = (Text::default(), Signature::default());
    text.begin().push_str(content);
    Signer::new(settings).unwrap().sign(&mut text, None, &mut signature);
    signature
}

fn shingles(text: &str) -> BTreeSet<String> {
    let words: Vec<_> = text.split_whitespace().collect();
    words.windows(5).map(|five| five.join(" ")).collect()
}

fn jaccard(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let shared = one.intersection(other).count() as f64;
    shared / (one.len() as f64 + other.len() as f64 - shared)
}

/// The least member of the cluster of each text. With `all_pairs` every two texts that share a band
/// are compared, else each with the representatives.
fn naive(texts: &[String], settings: &Settings, all_pairs: bool) -> Vec<usize> {
    let signed: Vec<_> = texts.iter().map(|text| sign(settings.signatures, text)).collect();
    let sets: Vec<_> = texts.iter().map(|text| shingles(text)).collect();
    let least = settings.verify.unwrap();
    let mut groups: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, signature) in signed.iter().enumerate() {
        for band in &signature.bands {
            groups.entry(*band).or_default().push(at);
        }
    }
    let mut roots: Vec<usize> = (0..texts.len()).collect();
    let mut join = |one: usize, other: usize| {
        let (from, to) = (roots[one].max(roots[other]), roots[one].min(roots[other]));
        roots.iter_mut().filter(|root| **root == from).for_each(|root| *root = to);
    };
    for mut group in groups.into_values() {
        group.sort_by_key(|at| (signed[*at].text, *at));
        let mut representatives: Vec<usize> = Vec::new();
        for at in group {
            let like: Vec<_> = representatives
                .iter()
                .filter(|known| jaccard(&sets[**known], &sets[at]) >= least)
                .copied()
                .collect();
            for known in &like {
                join(*known, at);
            }
            if all_pairs || (like.is_empty() && representatives.len() < 8) {
                representatives.push(at);
            }
        }
    }
    roots
}

#[test]
fn rows_are_joined_that_share_a_band_and_are_alike() {
    let place = TestFolders::new();
    let texts = texts(500);
    let all: Vec<_> = (0..).zip(&texts).map(|(n, text)| row(n, text)).collect();
    place.write_rows("in/a.jsonl", &all[..200]);
    place.write_rows("in/b.jsonl.zst", &all[200..]);
    for least in [0.3, 0.6, 0.9, 1.0] {
        let settings = settings(least);
        let out = place.path(&format!("out{least}"));
        dedup(&[place.path("in")], &out, &settings, &threads(2)).unwrap();
        let marked = [rows(&out.join("a.jsonl")), rows(&out.join("b.jsonl.zst"))].concat();
        let found: Vec<usize> = (0..)
            .zip(&marked)
            .map(|(at, row)| match &row["duplicate_of"] {
                Value::String(id) => usize::from_str_radix(&id[24..], 16).unwrap(),
                _ => at,
            })
            .collect();
        assert_eq!(found, naive(&texts, &settings, false), "{least}");
        let (whole, unverified) = (naive(&texts, &settings, true), settings_without(&settings));
        let lost = (0..texts.len()).filter(|at| found[*at] == *at && whole[*at] != *at).count();
        assert!(lost <= 5, "{lost} rows are like another one and kept, at {least}");
        // What is joined is less than what shares a band.
        let out = place.path(&format!("unverified{least}"));
        let summary = dedup(&[place.path("in")], &out, &unverified, &threads(2)).unwrap();
        let dropped = (0..texts.len()).filter(|at| found[*at] != *at).count() as u64;
        assert!(summary.table.dropped["dedup:near"].rows > dropped, "{least}");
        assert!(dropped > 30, "{dropped} at {least}");
    }
}

fn settings_without(settings: &Settings) -> Settings {
    Settings { verify: None, ..settings.clone() }
}

#[test]
fn neither_threads_nor_memory_nor_the_order_of_files_matter() {
    let place = TestFolders::new();
    let texts = texts(300);
    let all: Vec<_> = (0..).zip(&texts).map(|(n, text)| row(n, text)).collect();
    let files = [
        place.write_rows("in/a.jsonl", &all[..100]),
        place.write_rows("in/b.jsonl", &all[100..200]),
        place.write_rows("in/c.jsonl", &all[200..]),
    ];
    let settings = settings(0.6);
    let of = |name: &str, order: [usize; 3], options: &Options| {
        let files = order.map(|at| files[at].clone());
        let out = place.path(name);
        let summary = dedup(&files, &out, &settings, options).unwrap();
        (tree(&out), summary.table)
    };
    let (mut first, table) = of("one", [0, 1, 2], &threads(1));
    let (mut second, _) = of("two", [0, 1, 2], &Options { memory: MIN_MEMORY_BYTES, ..threads(2) });
    for tree in [&mut first, &mut second] {
        tree.retain(|name, _| {
            !["_huller/run.config", "_huller/run.journal", "_huller/dedup.journal"]
                .contains(&name.as_str())
        });
    }
    assert!(first == second);
    let (_, other) = of("turned", [2, 0, 1], &threads(2));
    assert_eq!((table.clusters, table.largest), (other.clusters, other.largest));
}

#[test]
fn texts_of_earlier_corpora_are_compared_too() {
    let place = TestFolders::new();
    let texts = texts(60);
    let all: Vec<_> = (0..).zip(&texts).map(|(n, text)| row(n, text)).collect();
    place.write_rows("old/a.jsonl", &all[..30]);
    let new = place.write_rows("new/b.jsonl", &all[30..]);
    let settings = Settings { outputs: Outputs::Kept, ..settings(0.6) };
    let mut signed = settings.clone();
    signed.by = vec![DedupStep::Url];
    signed.verify = None;
    let kept = place.path("kept");
    dedup(&[place.path("old")], &kept, &signed, &threads(1)).unwrap();
    let stop = AtomicBool::new(false);
    let against = |out: &str| {
        run(
            std::slice::from_ref(&new),
            std::slice::from_ref(&kept),
            &place.path(out),
            &settings,
            &threads(2),
            &mut SilentMonitor,
            &stop,
        )
    };
    against("out").unwrap();
    // Rows of one cluster with an earlier one are dropped, the first of each other cluster is kept.
    // Earlier ones are not joined with one another, so clusters are no larger than those of all
    // rows together.
    let roots = naive(&texts, &settings, false);
    let expected: BTreeSet<u64> =
        (30..60).filter(|at| roots[*at] == *at).map(|at| at as u64).collect();
    let found: BTreeSet<u64> = numbers(&place.path("out/b.jsonl")).into_iter().collect();
    assert_eq!(found, expected);
    assert!(!found.is_empty() && found.len() < 30);
    fs::remove_file(kept.join("a.jsonl")).unwrap();
    let refused = against("refused").unwrap_err().to_string();
    assert!(refused.contains("verification needs the texts of the earlier corpora"), "{refused}");
    assert!(!place.path("refused").exists());
}

#[test]
fn rows_of_one_band_cost_a_few_comparisons_each() {
    let place = TestFolders::new();
    let mut state = 9;
    // One hash a band: all rows share one that the common words give, and half of them are alike.
    let common = words(300, &mut state).join(" ");
    let lines: String = (0..20_000)
        .map(|n| {
            let own = words(if n % 2 == 0 { 2 } else { 200 }, &mut state).join(" ");
            row(n, &format!("{common} {own}")).to_string() + "\n"
        })
        .collect();
    let corpus = place.write("a.jsonl.zst", lines.as_bytes());
    let mut settings = Settings { outputs: Outputs::Kept, ..settings(0.9) };
    settings.signatures = SignatureSettings { bands: 1, rows: 1, ..settings.signatures };
    let out = place.path("out");
    let summary = dedup(&[corpus], &out, &settings, &threads(2)).unwrap();
    // Of those that are alike one is kept, besides few whose own words have the least hash.
    let written = summary.inputs[0].counters.written;
    assert!((10_001..10_300).contains(&written), "{written}");
    assert_eq!(written + summary.table.largest, 20_001);
}
