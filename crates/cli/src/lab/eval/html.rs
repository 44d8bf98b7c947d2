//! Shows an evaluation as an HTML page.

use crate::terminal::thousands;
use huller_eval::report::ReportFigures;
use huller_eval::report::html::{HtmlReport, datasets, html, systems};
use huller_eval::{Evaluation, Plan, WorstPage};
use std::collections::BTreeSet;

pub(crate) fn report(
    plan: &Plan,
    evaluation: &Evaluation,
    figures: &ReportFigures,
    worst: &[WorstPage],
) -> String {
    let names: BTreeSet<&str> = evaluation.pages.iter().map(|page| page.dataset.as_str()).collect();
    let data = match names.len() {
        1..=8 => names.into_iter().collect::<Vec<_>>().join(", "),
        count => format!("{count} data sets"),
    };
    let counted = |count: usize, singular: &str, plural: &str| {
        format!("{} {}", thousands(count as u64), if count == 1 { singular } else { plural })
    };
    let facts = [
        ("Data", data),
        ("Gold", counted(plan.gold.len(), "page", "pages")),
        ("Extractors", counted(plan.extractors.len(), "extractor", "extractors")),
        ("Other programs", plan.predictions.len().to_string()),
        ("huller", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    let notes = [
        "LCS F1: the harmonic mean of precision and recall of the longest common subsequence of \
         tokens on each page, averaged over the pages. Shingle F1: the same for the multiset of \
         sequences of four tokens. Snippet F1: computed over all required and forbidden snippets \
         together. Empty: texts without tokens.",
        "MB/CPU s: megabytes of HTML that are parsed, extracted and rendered per second of CPU \
         time, without reading the archive. The speed of other programs is not measured.",
    ];
    html(&HtmlReport {
        title: "Extraction quality",
        facts: &facts.map(|(name, value)| (name.to_owned(), value)),
        systems: &systems(evaluation, figures),
        datasets: &datasets(figures),
        evaluation,
        worst,
        notes: &notes.map(str::to_owned),
    })
}
