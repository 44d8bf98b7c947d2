//! Extractors that rank elements: P value, text and symbol density, CETD.

use super::examples::{Example, extract, name, worked};
use crate::{cetd, pvalue, tsd};
use huller_page::{Page, PageBuf};
use huller_select::{ExtractorFactory, Profile, Selection, Verdict};

worked!(pvalue_gives_the_worked_results, "pvalue", check_pvalue);
mod tsd_gives_the_worked_results {
    use super::super::examples::{check_ours, check_shared};

    #[test]
    fn of_our_examples() {
        check_ours("tsd", |example| {
            super::check_tsd(example);
            super::check_densities(example, &["T", "LT", "TD", "SD", "ND", "SbD", "PNum", "score"]);
        });
    }

    /// The shared examples rank by the deviation of the page and count the tags below an element
    /// (B-1, B-4), so only the quantities that do not depend on that are the same.
    fn of_the_shared_examples() {
        check_shared("tsd", |example| {
            super::check_densities(example, &["T", "LT", "SbD", "PNum"]);
        });
    }

    huller_testkit::needs_shared!(of_the_shared_examples);
}
worked!(cetd_gives_the_worked_results, "cetd", check_cetd);

/// Runs an extractor on an example and checks the selected element and the text.
fn check_selected(
    example: &Example,
    page: &Page<'_>,
    extractor: &dyn ExtractorFactory,
) -> (Selection, Verdict) {
    let (selection, verdict, text) =
        extract(example.html(), &mut *extractor.worker(Profile::Paper));
    let selected = selection.nodes(page).next().map(|node| name(page, node));
    let expected = example.expected()["selected"].as_str();
    assert_eq!(selected.as_deref(), expected, "{}: selected", example.id());
    assert_eq!(text, example.text(), "{}: text", example.id());
    (selection, verdict)
}

fn check_pvalue(example: &Example) {
    let (id, expected) = (example.id(), example.expected());
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example.html());
    let (_, verdict) = check_selected(example, &page, pvalue::EXTRACTOR);
    example.assert_close(verdict.score.unwrap(), &expected["page_P"], "page P");
    assert_eq!(verdict.has_article, expected["has_main_text"].as_bool(), "{id}: judgement");
    let lengths = pvalue::inspect::lengths(&page, Profile::Paper);
    let page_unlinked = expected["LVT"].as_u64().unwrap() as u32;
    for (wanted, values) in expected["nodes"].as_object().unwrap() {
        let at = lengths.iter().find(|l| name(&page, &page.nodes()[l.node as usize]) == *wanted);
        let at = at.unwrap_or_else(|| panic!("{id}: {wanted} is no candidate"));
        for (got, quantity) in [(at.text, "lt"), (at.unlinked, "lvt"), (at.total, "ls")] {
            let expected = values[quantity].as_u64().unwrap();
            assert_eq!(u64::from(got), expected, "{id}: {quantity} of {wanted}");
        }
        example.assert_close(at.p(page_unlinked), &values["P"], &format!("P of {wanted}"));
    }
}

/// Checks the selected element, the text, and that the page's score is that of the element.
fn check_tsd(example: &Example) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example.html());
    let (selection, verdict) = check_selected(example, &page, tsd::EXTRACTOR);
    let all = tsd::inspect::densities(&page, tsd::inspect::settings(Profile::Paper));
    let selected = all.iter().find(|of| selection.roots.first() == Some(&of.node));
    let score = selected.map_or(0.0, |of| of.score);
    example.assert_close(verdict.score.unwrap(), &score.into(), "page score");
}

/// Checks these quantities of the elements for which the example has them.
fn check_densities(example: &Example, quantities: &[&str]) {
    let (id, expected) = (example.id(), example.expected());
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example.html());
    let all = tsd::inspect::densities(&page, tsd::inspect::settings(Profile::Paper));
    let mut compared = 0;
    for (wanted, values) in expected["nodes"].as_object().unwrap() {
        let at = all.iter().find(|of| name(&page, &page.nodes()[of.node as usize]) == *wanted);
        let at = at.unwrap_or_else(|| panic!("{id}: {wanted} is no element of the body"));
        for quantity in quantities.iter().filter(|quantity| !values[**quantity].is_null()) {
            let got = match *quantity {
                "T" => f64::from(at.text),
                "LT" => f64::from(at.linked),
                "TD" => at.text_density,
                "SD" => at.deviation,
                "ND" => at.density_sum,
                "SbD" => at.symbol_density,
                "PNum" => f64::from(at.paragraphs),
                "score" => at.score,
                other => panic!("{id}: what is {other}?"),
            };
            example.assert_close(got, &values[*quantity], &format!("{quantity} of {wanted}"));
            compared += 1;
        }
    }
    assert!(compared >= 4, "{id}: {compared} values");
}

fn check_cetd(example: &Example) {
    let expected = example.expected();
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example.html());
    let (all, best, threshold) = cetd::inspect::densities(&page, Profile::Paper);
    let of = |node: u32| name(&page, &page.nodes()[node as usize]);
    for (wanted, value) in expected["density"].as_object().unwrap() {
        let at = all.iter().find(|d| of(d.node) == *wanted).unwrap();
        example.assert_close(at.density, value, &format!("density of {wanted}"));
    }
    for (wanted, value) in expected["density_sum"].as_object().unwrap() {
        let at = all.iter().find(|d| of(d.node) == *wanted).unwrap();
        example.assert_close(at.sum, value, &format!("density sum of {wanted}"));
    }
    assert_eq!(of(best), expected["max"].as_str().unwrap());
    example.assert_close(threshold, &expected["threshold"], "threshold");
}
