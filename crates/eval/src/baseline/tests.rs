use super::*;
use crate::evaluation::{PageFacts, PageScore, PrecisionRecall, System, TextScores};
use crate::groups::Grouping;
use crate::report::ReportOptions;

/// Returns one system whose pages have these F1; a page with F1 0 has an empty text.
fn evaluation(values: &[f64]) -> (Evaluation, ReportFigures) {
    let score = |f1: &f64| {
        let prf = PrecisionRecall { precision: *f1, recall: *f1, f1: *f1 };
        let text_tokens = u32::from(*f1 > 0.0);
        let text =
            TextScores { lcs: prf, shingles: prf, bag: prf, text_tokens, ..TextScores::default() };
        PageScore { text: Some(text), snippets: None }
    };
    let page = PageFacts { dataset: "set".to_owned(), ..PageFacts::default() };
    let evaluation = Evaluation {
        systems: vec![System {
            name: "m".to_owned(),
            profile: "tuned".to_owned(),
            cpu_seconds: None,
        }],
        pages: vec![page; values.len()],
        scores: vec![values.iter().map(score).collect()],
        page_seconds: vec![Vec::new()],
    };
    let wanted =
        ReportOptions { by: vec![Grouping::Dataset], resamples: 10, pairs: false, speed: true };
    let figures = ReportFigures::new(&evaluation, &wanted);
    (evaluation, figures)
}

fn after(table: &str, values: &[f64]) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("earlier.csv");
    std::fs::write(&path, table).unwrap();
    let (evaluation, figures) = evaluation(values);
    find_regressions(&path, &evaluation, &figures)
        .map_err(|error| error.to_string().replace(&folder.path().display().to_string(), ""))
}

fn table(values: &[f64]) -> String {
    let (evaluation, figures) = evaluation(values);
    let mut out = Vec::new();
    table::write(&mut out, &evaluation, &figures).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_same_or_better_has_not_fallen() {
    let earlier = table(&[0.5, 1.0 / 3.0]);
    assert_eq!(after(&earlier, &[0.5, 1.0 / 3.0]), Ok(vec![]));
    assert_eq!(after(&earlier, &[0.5, 0.34]), Ok(vec![]));
}

#[test]
fn figures_that_fell_are_named() {
    let earlier = table(&[0.5, 0.4]);
    let lines = after(&earlier, &[0.5, 0.39]).unwrap();
    assert_eq!(lines.len(), 6, "{lines:?}");
    assert_eq!(lines[0], "m tuned set: lcs_f1 was 0.45, is 0.445");
    let lines = after(&earlier, &[0.9, 0.0]).unwrap();
    assert!(lines.contains(&"m tuned ALL: empty was 0, is 1".to_owned()), "{lines:?}");
}

#[test]
fn missing_figures_are_named() {
    let earlier = table(&[0.5]).replace("tuned", "paper");
    assert_eq!(after(&earlier, &[0.5]).unwrap()[0], "m paper set: is missing");
}

#[test]
fn tables_of_other_programs_are_refused() {
    let says = |table: &str| after(table, &[0.5]).unwrap_err();
    assert_eq!(says("a,b\n1,2\n"), "cannot read '/earlier.csv': line 1: no column `extractor`");
    let broken = table(&[0.5]).replace("0.500000", "half");
    assert_eq!(says(&broken), "cannot read '/earlier.csv': line 2: `half` is not a number");
}
