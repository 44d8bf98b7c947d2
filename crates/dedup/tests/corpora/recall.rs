//! Pairs that are found, by their similarity, against the theory: of pairs of texts whose shingles
//! have the Jaccard similarity J, a share of 1 - (1 - J^8)^14 has a band in common.

use crate::support::{TestFolders, dedup, random, row, rows, threads, words};
use huller_dedup::{DedupStep, Outputs, Settings};
use std::collections::HashSet;

/// The similarity of the sets of runs of five words.
fn jaccard(one: &[String], other: &[String]) -> f64 {
    let set = |words: &[String]| words.windows(5).map(<[String]>::to_vec).collect::<HashSet<_>>();
    let (one, other) = (set(one), set(other));
    let both = one.intersection(&other).count();
    both as f64 / (one.len() + other.len() - both) as f64
}

/// How many whole tenths a similarity has.
fn tenth(similarity: f64) -> usize {
    (1..=10_u32).take_while(|tenth| f64::from(*tenth) <= similarity * 10.).count()
}

fn check(pairs: u64) {
    let place = TestFolders::new();
    let mut state = 42;
    let (mut all, mut similarities) = (Vec::new(), Vec::new());
    for pair in 0..pairs {
        let first = words(120 + (random(&mut state) % 200) as usize, &mut state);
        let mut second = first.clone();
        // Edits of up to 8 % of the words, each of which changes up to five shingles of both.
        for _ in 0..random(&mut state) % (first.len() as u64 / 12) {
            let at = (random(&mut state) % second.len() as u64) as usize;
            match random(&mut state) % 3 {
                0 => second[at] = words(1, &mut state).remove(0),
                1 => drop(second.remove(at)),
                _ => second.insert(at, words(1, &mut state).remove(0)),
            }
        }
        similarities.push(jaccard(&first, &second));
        all.push(row(2 * pair, &first.join(" ")));
        all.push(row(2 * pair + 1, &second.join(" ")));
    }
    let corpus = place.write_rows("a.jsonl.zst", &all);
    let settings =
        Settings { by: vec![DedupStep::Near], outputs: Outputs::Marked, ..Settings::default() };
    dedup(&[corpus], &place.path("out"), &settings, &threads(2)).unwrap();
    let marked = rows(&place.path("out").join("a.jsonl.zst"));
    // By tenths of a similarity: pairs, those found, those that should be, and the variance of
    // that.
    let mut bins = [(0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64); 11];
    for (pair, similarity) in similarities.iter().enumerate() {
        let of = &marked[2 * pair + 1]["duplicate_of"];
        // Other texts have nothing in common, so nothing else may be found.
        assert!(marked[2 * pair]["duplicate_of"].is_null());
        assert!(of.is_null() || *of == marked[2 * pair]["id"]);
        let theory = 1. - (1. - similarity.powi(8)).powi(14);
        let (count, found, expected, variance) = &mut bins[tenth(*similarity)];
        *count += 1.;
        *found += f64::from(u8::from(!of.is_null()));
        *expected += theory;
        *variance += theory * (1. - theory);
    }
    for (tenth, (count, found, expected, variance)) in bins.into_iter().enumerate() {
        let is_near = (found - expected).abs() <= 5. * variance.sqrt() + 1.;
        assert!(
            is_near,
            "J from .{tenth}: {found} of {count} pairs found, {expected:.1} by theory"
        );
    }
    assert!(bins[4..10].iter().all(|bin| bin.0 > 0.), "all similarities are there");
}

#[test]
fn pairs_are_found_as_often_as_the_theory_says() {
    check(if std::env::var_os("HULLER_FULL").is_some() { 50_000 } else { 1_500 });
}
