use super::*;
use huller_extract::{Profile, find as extractor};
use huller_page::PageBuf;
use proptest::prelude::*;

/// Returns the texts of the runs labelled as content, and the number of unmatched runs of the gold.
fn content(html: &str, gold_html: &str) -> (Vec<String>, usize) {
    let (mut buffer, mut gold_buffer) = (PageBuf::new(), PageBuf::new());
    let page = buffer.fill(html);
    let gold = GoldLabels::compute(&page, &gold_buffer.fill(gold_html));
    let chosen = page.runs().iter().zip(&gold.labels).filter(|(_, label)| **label == Some(true));
    (chosen.map(|(run, _)| page.run_source(run).trim().to_owned()).collect(), gold.unmatched)
}

#[test]
fn a_gold_that_stands_whole_in_the_page_is_found_there() {
    let page =
        "<title>t</title><p>Rain<p>|<p>Rain<div id=x>Rain<p>|<p>fell&nbsp;<b>all</b> day</div><p>|";
    let gold = "<div id=x>Rain<p>|<p>fell&nbsp;<b>all</b> day</div>";
    assert_eq!(
        content(page, gold),
        (vec!["Rain".into(), "|".into(), "fell&nbsp;".into(), "all".into(), "day".into()], 0)
    );
    let (mut buffer, mut gold_buffer) = (PageBuf::new(), PageBuf::new());
    let page = buffer.fill(page);
    let labels = GoldLabels::compute(&page, &gold_buffer.fill(gold)).labels;
    let (yes, no) = (Some(true), Some(false));
    assert_eq!(labels, [None, no, no, no, yes, yes, yes, yes, yes, no]);
}

#[test]
fn runs_missing_in_the_gold_are_no_content_and_anchors_match_the_rest() {
    let page = "<p>12:00<p>News<p>12:00<p>Rain fell.<p>Advertisement<p>Roads shut.<p>12:00<p>12:00";
    let gold = "<p>12:00<p>Rain fell.<p>Roads  shut.<p>12:00<p>Written by a tool";
    let (mut buffer, mut gold_buffer) = (PageBuf::new(), PageBuf::new());
    let page = buffer.fill(page);
    let found = GoldLabels::compute(&page, &gold_buffer.fill(gold));
    let yes: Vec<_> = (0..8).filter(|run| found.labels[*run] == Some(true)).collect();
    assert_eq!(yes, [2, 3, 5, 6]);
    assert_eq!(found.unmatched, 1);
}

#[test]
fn without_anchors_the_longest_common_subsequence_decides() {
    let (texts, unmatched) = content("<p>a<p>a<p>b<p>b<p>a", "<p>b<p>a<p>b<p>a");
    assert_eq!((texts.len(), unmatched), (3, 1));
    assert_eq!(content("<p>a", ""), (vec![], 0));
    assert_eq!(content("", "<p>a"), (vec![], 1));
}

#[test]
fn runs_and_scalars_are_counted_apart() {
    let html =
        "<title>Not a run of the page</title><p>menu</p><div><p>Rain fell.</p><p>Ads</p></div>";
    let (mut buffer, mut gold_buffer) = (PageBuf::new(), PageBuf::new());
    let page = buffer.fill(html);
    let gold = GoldLabels::compute(&page, &gold_buffer.fill("<p>Rain fell.</p>"));
    let mut body = extractor("body").unwrap().worker(Profile::Paper);
    let mut selection = Selection::default();
    body.extract(&page, &mut selection);
    let mut scores = BlockScores::compute(&page, &gold, &selection);
    let confusion = |true_positives, false_positives| Confusion {
        true_positives,
        false_positives,
        ..Confusion::default()
    };
    assert_eq!(scores, BlockScores { runs: confusion(1, 2), scalars: confusion(9, 7) });
    selection.clear();
    scores.merge(BlockScores::compute(&page, &gold, &selection));
    assert_eq!(
        scores.runs,
        Confusion { true_positives: 1, false_positives: 2, false_negatives: 1, true_negatives: 2 }
    );
    assert_eq!(scores.scalars.recall(), Some(0.5));
}

proptest! {
    /// The source of any node is found completely: as many runs as the node has, with its texts.
    #[test]
    fn the_source_of_a_node_is_matched_in_full(parts in prop::collection::vec(prop::sample::select(vec![
        "<div>", "</div>", "<p>", "</p>", "<b>", "</b>", "a", "b", "c&amp;d", "<!-- -->", "<br>",
    ]), 0..60), chosen in any::<prop::sample::Index>()) {
        let html = format!("<body>{}", parts.concat());
        let (mut buffer, mut gold_buffer) = (PageBuf::new(), PageBuf::new());
        let page = buffer.fill(&html);
        let node = &page.nodes()[chosen.index(page.nodes().len())];
        let source = page.node_source(node);
        let gold = gold_buffer.fill(source);
        let runs = gold.runs().len();
        let found = GoldLabels::compute(&page, &gold);
        prop_assert_eq!(found.unmatched, 0);
        prop_assert_eq!(found.labels.iter().filter(|label| **label == Some(true)).count(), runs);
    }

    /// Matched pairs are equal and rise; their number is at least that of the anchors and at most
    /// that of a longest common subsequence.
    #[test]
    fn matches_rise(
        gold in prop::collection::vec(0..12_u32, 0..40), page in prop::collection::vec(0..12_u32, 0..60),
    ) {
        let pairs = match_texts(&gold, &page, 12);
        prop_assert!(pairs.iter().all(|(i, j)| gold[*i as usize] == page[*j as usize]));
        prop_assert!(pairs.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        prop_assert!(pairs.len() <= longest_common(&gold, &page).len());
        prop_assert!(pairs.len() >= anchor_chain(&gold, &page, 12).len());
        let whole = (0..page.len()).find(|at| page[*at..].starts_with(&gold)).filter(|_| !gold.is_empty());
        prop_assert_eq!(find_sequence(&gold, &page), whole.map(|at| at as u32));
    }
}
