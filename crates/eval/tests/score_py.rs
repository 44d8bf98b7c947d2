//! Compares our scores with those of `score.py`, the reference for every metric.
//!
//! * For texts that we wrote, with recorded figures of `score.py` under Python 3.11:
//!   `data/score_py.json`.
//! * For the texts of two other programs on the shared gold pages, with recorded figures.
//! * For our extractors' texts on the shared gold pages: the test runs `score.py` with
//!   `$HULLER_PYTHON`, else with `python3`. It needs the package rapidfuzz, and is ignored unless
//!   it is asked for (`cargo test -p huller-eval --test score_py -- --ignored`).
//!
//! The last two use a few data sets, or all with `HULLER_FULL=1`.
#![expect(clippy::print_stderr, reason = "tests may say what they compared")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use huller_eval::summary::summarise;
use huller_eval::{
    CostlyScores, Evaluation, Gold, PageFacts, PageScore, Plan, PrecisionRecall, Predictions,
    Reference, Scorer, System, read_gold,
};
use huller_extract::{EXTRACTORS, Profile};
use huller_testkit::{needs_shared, shared};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

needs_shared!(the_peers_score_the_same);

/// A page's figures by the names of `score.py`.
fn figures(score: &PageScore) -> Vec<(String, f64)> {
    let mut figures = Vec::new();
    if let Some(text) = score.text {
        figures.push(("n_gold".to_owned(), f64::from(text.gold_tokens)));
        figures.push(("n_pred".to_owned(), f64::from(text.text_tokens)));
        figures.push(("exact".to_owned(), f64::from(u8::from(text.exact))));
        for (name, PrecisionRecall { precision, recall, f1 }) in
            [("bag", text.bag), ("sh", text.shingles), ("lcs", text.lcs)]
        {
            for (part, value) in [("P", precision), ("R", recall), ("F1", f1)] {
                figures.push((format!("{name}_{part}"), value));
            }
        }
    }
    if let Some(counts) = score.snippets {
        for (name, count) in [
            ("tp", counts.true_positives),
            ("fn", counts.false_negatives),
            ("fp", counts.false_positives),
            ("tn", counts.true_negatives),
        ] {
            figures.push((name.to_owned(), f64::from(count)));
        }
    }
    figures
}

fn texts(value: &Value) -> Option<Vec<String>> {
    let strings = value.as_array()?.iter();
    Some(strings.map(|one| one.as_str().unwrap().to_owned()).collect())
}

#[test]
fn texts_of_ours_score_the_same() {
    let data: Value = serde_json::from_str(include_str!("data/score_py.json")).unwrap();
    let mut scratch = Scorer::default();
    let mut scores = Vec::new();
    for (number, case) in data["cases"].as_array().unwrap().iter().enumerate() {
        let gold = Gold {
            text: case["gold"].as_str().map(str::to_owned),
            with: texts(&case["with"]),
            without: texts(&case["without"]),
            ..Gold::default()
        };
        let text = case["text"].as_str().unwrap();
        let score = Reference::new(&gold).score(text, CostlyScores::default(), &mut scratch);
        let expected = case["expected"].as_object().unwrap();
        let got = figures(&score);
        assert_eq!(got.len(), expected.len(), "case {number}");
        for (name, value) in got {
            let expected = expected[&name].as_f64().unwrap();
            assert!(
                (value - expected).abs() < 1e-12,
                "case {number}: {name} {value}, not {expected}"
            );
        }
        scores.push(score);
    }

    let pages: Vec<usize> = (0..scores.len()).collect();
    let evaluation = Evaluation {
        systems: vec![System { name: "x".to_owned(), profile: String::new(), cpu_seconds: None }],
        pages: vec![PageFacts::default(); scores.len()],
        scores: vec![scores],
        page_seconds: vec![Vec::new()],
    };
    let summary = summarise(&evaluation, 0, &pages);
    let (text, snippets) = (summary.text.unwrap(), summary.snippets.unwrap());
    for (name, value) in [
        ("pages", summary.pages as f64),
        ("text_pages", text.pages as f64),
        ("lcs_P", text.lcs.precision),
        ("lcs_R", text.lcs.recall),
        ("lcs_F1", text.lcs.f1),
        ("sh_P", text.shingles.precision),
        ("sh_R", text.shingles.recall),
        ("sh_F1", text.shingles.f1),
        ("bag_P", text.bag.precision),
        ("bag_R", text.bag.recall),
        ("bag_F1", text.bag.f1),
        ("sh_F1_hm", text.shingle_f1_of_means),
        ("acc", text.exact),
        ("F1>=.9", text.f1_at_least_90),
        ("empty", text.empty as f64),
        ("snippet_pages", snippets.pages as f64),
        ("snip_P", snippets.prf.precision),
        ("snip_R", snippets.prf.recall),
        ("snip_F1", snippets.prf.f1),
        ("snip_acc", snippets.accuracy),
    ] {
        let expected = data["summary"][name].as_f64().unwrap();
        assert!((value - expected).abs() < 1e-12, "{name} {value}, not {expected}");
    }
}

/// The data sets to use: all, or a few that together have every kind of gold and of script.
fn sets(folder: &Path) -> Vec<String> {
    if std::env::var_os("HULLER_FULL").is_none() {
        return ["scrapinghub", "zh_portals", "thai_rebuilt", "goose_fixtures"]
            .map(str::to_owned)
            .into();
    }
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = files.filter_map(|name| Some(name.to_str()?.strip_suffix(".warc.zst")?.to_owned()));
    let mut sets: Vec<_> = names.collect();
    sets.sort();
    sets
}

/// The plan of an evaluation, without systems.
fn plan(folder: &Path, sets: &[String]) -> Plan {
    let files = |suffix: &str| -> Vec<_> {
        sets.iter().map(|set| folder.join(format!("{set}.{suffix}.zst"))).collect()
    };
    Plan {
        archives: files("warc"),
        gold: read_gold(&files("gold.jsonl")).unwrap(),
        ..Plan::default()
    }
}

/// Compares the scores of one system with the lines of a table. Returns the number of pages that
/// are in both.
fn compare(evaluation: &Evaluation, system: usize, table: &str, tolerance: f64) -> usize {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|header| header == name);
    let id = column("id").unwrap();
    let peer = column("peer");
    let wanted = &evaluation.systems[system].name;
    let scores: HashMap<_, _> =
        evaluation.pages.iter().map(|page| &*page.id).zip(&evaluation.scores[system]).collect();
    let mut compared = 0;
    let mut differ = Vec::new();
    for record in reader.records() {
        let record = record.unwrap();
        if peer.is_some_and(|peer| &record[peer] != wanted) {
            continue;
        }
        let Some(score) = scores.get(&record[id]) else { continue };
        compared += 1;
        for (name, value) in figures(score) {
            let Some(at) = column(&name) else { continue };
            let close = record[at].parse().is_ok_and(|v: f64| (v - value).abs() <= tolerance);
            if !close {
                differ.push(format!("{} {name}: {value}, not {}", &record[id], &record[at]));
            }
        }
        let has_text = column("lcs_F1").is_some_and(|at| !record[at].is_empty());
        let has_snippets = column("tp").is_some_and(|at| !record[at].is_empty());
        assert_eq!((score.text.is_some(), score.snippets.is_some()), (has_text, has_snippets));
    }
    assert!(
        differ.is_empty(),
        "{wanted}: {} figures differ: {:#?}",
        differ.len(),
        &differ[..differ.len().min(20)]
    );
    eprintln!("{wanted}: {compared} pages compared");
    compared
}

fn the_peers_score_the_same() {
    let (folder, peers) = (shared::path("datasets/dev"), shared::path("peers"));
    let mut plan = plan(&folder, &sets(&folder));
    plan.archives.clear();
    for peer in ["dom_smoothie", "trafilatura"] {
        let path = peers.join(format!("predictions/{peer}.jsonl.zst"));
        plan.predictions.push(Predictions::read(&path).unwrap());
    }
    let (evaluation, counters) = plan.run(&|| {}).unwrap();
    assert!(counters.predicted.iter().all(|count| *count == plan.gold.len() as u64));
    let file = std::fs::File::open(peers.join("scores-dev.csv.gz")).unwrap();
    let table = std::io::read_to_string(flate2::read::MultiGzDecoder::new(file)).unwrap();
    for system in 0..2 {
        // The table has five decimals.
        assert_eq!(compare(&evaluation, system, &table, 1e-4), plan.gold.len());
    }
}

#[test]
#[ignore = "needs the shared files, and rapidfuzz: HULLER_PYTHON names a Python that has it"]
fn our_extractors_score_the_same() {
    let datasets = shared::path("datasets");
    let python = std::env::var_os("HULLER_PYTHON").unwrap_or_else(|| "python3".into());
    let folder = datasets.join("dev");
    let sets = sets(&folder);
    let mut plan = plan(&folder, &sets);
    plan.extractors = EXTRACTORS.iter().map(|extractor| (*extractor, Profile::Tuned)).collect();
    let (evaluation, counters) = plan.run(&|| {}).unwrap();
    assert_eq!((counters.missing, counters.panicked), (0, 0));
    let pages = plan.worst_pages(&evaluation, usize::MAX).unwrap();
    let work = tempfile::tempdir().unwrap();
    for system in 0..plan.extractors.len() {
        let predictions = work.path().join("predictions.jsonl");
        let mut file = std::io::BufWriter::new(std::fs::File::create(&predictions).unwrap());
        for page in pages.iter().filter(|page| page.system == system) {
            let id = &evaluation.pages[page.page].id;
            writeln!(file, "{}", json!({ "id": id, "text": page.text })).unwrap();
        }
        file.flush().unwrap();
        let table = work.path().join("pages.csv");
        let mut scorer = Command::new(&python);
        scorer.arg(datasets.join("score.py")).arg(&predictions).arg("--gold");
        scorer.args(sets.iter().map(|set| folder.join(format!("{set}.gold.jsonl.zst"))));
        scorer.arg("--per-page").arg(&table).stdout(Stdio::null());
        assert!(scorer.status().unwrap().success());
        let table = std::fs::read_to_string(&table).unwrap();
        assert_eq!(compare(&evaluation, system, &table, 1e-6), plan.gold.len());
    }
}
