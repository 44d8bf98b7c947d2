//! The terms of a score make the score, for every run of the bundled pages and every extractor that
//! scores parts of pages.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use huller_extract::{EXTRACTORS, Extractor, Profile, Rule, RunFigures, Selection};
use huller_page::{Page, PageBuf};
use std::fs;
use std::path::Path;

fn pages() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/pages");
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut pages: Vec<(String, String)> = entries
        .filter_map(|entry| {
            let bytes = fs::read(entry.path()).unwrap();
            Some((entry.file_name().into_string().unwrap(), String::from_utf8(bytes).ok()?))
        })
        .collect();
    // Blocks that share nothing, blocks in links alone, nothing at all.
    pages.push((
        "links".to_owned(),
        "<ul><li><a href=/>Home</a><li><a href=/w>Weather</a></ul>".to_owned(),
    ));
    pages.push((
        "rows".to_owned(),
        format!("<div>{}</div>", "<p>a <b>b</b></p>text<br>".repeat(300)),
    ));
    pages.push(("empty".to_owned(), String::new()));
    pages
}

/// Compares; returns how many runs had terms.
fn compare(name: &str, page: &Page<'_>, worker: &mut dyn Extractor) -> usize {
    let mut figures = RunFigures::default();
    figures.clear(page);
    worker.figures(page, &mut figures);
    let runs: Vec<u32> =
        (0..page.runs().len() as u32).filter(|run| figures.score(*run).is_some()).collect();
    let derived = worker.derive(page, &runs);
    if derived.terms.is_empty() {
        return 0;
    }
    assert!(!derived.equation.is_empty(), "{name}");
    assert_eq!(derived.terms.len(), runs.len(), "{name}");
    for (run, terms) in runs.iter().zip(&derived.terms) {
        let terms = terms.as_ref().unwrap_or_else(|| panic!("{name}: run {run} has no terms"));
        let (made, score) = (derived.rule.score(terms), f64::from(figures.score(*run).unwrap()));
        // A probability near 0 or 1 says as much of the odds as one in the middle.
        let most = match derived.rule {
            Rule::Logistic => 1e-7 + 1e-4 * score.min(1.0 - score),
            Rule::Sum | Rule::Product => 1e-6 + 1e-6 * score.abs(),
        };
        let is_near = (made - score).abs() <= most;
        assert!(is_near, "{name}: run {run} has {score}, its terms make {made}: {terms:?}");
    }
    // Taking apart changes nothing.
    let mut again = RunFigures::default();
    again.clear(page);
    worker.figures(page, &mut again);
    assert!(runs.iter().all(|run| again.score(*run) == figures.score(*run)), "{name}");
    runs.len()
}

#[test]
fn terms_make_the_scores_of_all_runs() {
    let pages = pages();
    assert!(pages.len() > 30, "{}", pages.len());
    let mut buffer = PageBuf::new();
    let mut with_terms = Vec::new();
    for extractor in EXTRACTORS {
        for profile in [Profile::Paper, Profile::Tuned] {
            let mut worker = extractor.worker(profile);
            let mut compared = 0;
            for (name, html) in &pages {
                let page = buffer.fill(html);
                worker.extract(&page, &mut Selection::default());
                let name = format!("{} {profile:?} {name}", extractor.name());
                compared += compare(&name, &page, &mut *worker);
            }
            if compared > 0 {
                assert!(compared > 1000, "{}: {compared}", extractor.name());
                with_terms.push(extractor.name());
            }
        }
    }
    with_terms.dedup();
    for name in ["nb", "ceds", "tsd", "pvalue", "dvps", "cetd", "vips", "hull"] {
        assert!(with_terms.contains(&name), "{name}: {with_terms:?}");
    }
}

#[test]
fn a_worker_that_fell_back_has_the_terms_of_the_first_method() {
    let mut buffer = PageBuf::new();
    let page = buffer.fill("<p><a href=/>Home</a></p>");
    for extractor in EXTRACTORS {
        let mut worker = extractor.worker(Profile::Tuned);
        worker.extract(&page, &mut Selection::default());
        compare(extractor.name(), &page, &mut *worker);
    }
}
