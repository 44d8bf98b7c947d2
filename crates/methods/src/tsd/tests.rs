use super::*;
use huller_page::PageBuf;

fn selected(extractor: &TextDensity, html: &str) -> (Vec<Tag>, f64) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let (mut scratch, mut selection) = (Scratch::default(), Selection::default());
    let verdict = extractor.extract(&page, &mut scratch, &mut selection);
    (selection.nodes(&page).map(|node| node.tag).collect(), verdict.score.unwrap())
}

/// Paragraphs of different lengths.
const STORY: &str =
    "<p>Rain fell for three days, and the river rose over its banks.</p><p>Schools shut.</p>";

#[test]
fn the_variance_equals_its_definition() {
    let values = [11.5, 0.0, 0.0, 0.0, 23.0, 0.0, 0.0];
    let mut children = Children::default();
    assert!(children.variance() <= 0.0);
    for value in values {
        children.add(value);
    }
    let mean = values.iter().sum::<f64>() / 7.0;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    assert!((children.variance() - squares / 7.0).abs() < 1e-12);
}

#[test]
fn the_variance_of_lengths_equals_its_definition() {
    let lengths = [9, 44, 19, 14];
    let mut leaves = Leaves::default();
    assert!(leaves.variance() <= 0.0);
    for length in lengths {
        leaves.add(length);
    }
    assert!((leaves.variance() - 181.25).abs() < 1e-12);
    // Equal lengths have no deviation, however large they are.
    let mut equal = Leaves::default();
    for length in [1_400_000_001; 3] {
        equal.add(length);
    }
    assert!(equal.variance() <= 0.0);
}

#[test]
fn an_element_with_one_text_has_no_score_however_dense_it_is() {
    let notice = "All rights reserved, and more of the same. ".repeat(9);
    let html = format!("<section>{STORY}</section><div><p>{notice}</p></div>");
    assert_eq!(selected(&PAPER, &html).0, [Tag::SECTION]);
    let one = "<div><p>Rain fell, and the river rose.</p></div>";
    assert_eq!(selected(&PAPER, one), (vec![], 0.0));
    assert_eq!(selected(&TUNED, one).0, [Tag::DIV]);
    // Texts of one length have no deviation either.
    assert_eq!(selected(&PAPER, "<div><p>Rain fell.</p><p>Snow fell.</p></div>"), (vec![], 0.0));
}

#[test]
fn the_body_is_a_candidate_in_the_tuned_form_only() {
    assert_eq!(selected(&PAPER, STORY), (vec![], 0.0));
    assert_eq!(selected(&TUNED, STORY).0, [Tag::BODY]);
    assert_eq!(selected(&PAPER, &format!("<main>{STORY}</main>")).0, [Tag::MAIN]);
}

#[test]
fn links_and_breaks_are_no_candidates_and_links_have_no_density() {
    let html = format!("<div><a>{STORY}</a></div>");
    assert_eq!(selected(&PAPER, &html), (vec![], 0.0));
    // The texts differ, but no child has a density.
    let html = "<div>Rain fell, all day long,<br>and the river rose.<wbr><a>More</a></div>";
    assert_eq!(selected(&PAPER, html), (vec![], 0.0));
    let html = "<div><p>Rain fell, all day long, and the river rose.</p><br><a>More</a></div>";
    assert_eq!(selected(&PAPER, html).0, [Tag::DIV]);
}

#[test]
fn removed_text_is_no_leaf() {
    let story = "<p>Rain fell, all day long, and the river rose.</p>";
    let html = format!("<div>{story}<noscript>Switch it on</noscript></div>");
    assert_eq!(selected(&PAPER, &html), (vec![], 0.0));
    let html = format!("<div>{story}<em>Switch it on</em></div>");
    assert_eq!(selected(&PAPER, &html).0, [Tag::DIV]);
}

#[test]
fn of_equal_elements_an_inner_one_wins_otherwise_the_first() {
    let twice = format!("<div>{STORY}</div><section>{STORY}</section>");
    assert_eq!(selected(&PAPER, &twice).0, [Tag::DIV]);
    // The children of each element around the paragraphs sum to the same value, and each has one
    // tag below it.
    let nested = "<div><section><p>Rain fell, all day</p></section></div>";
    let sum = TextDensity { symbols: false, ..TUNED };
    assert_eq!(selected(&sum, nested).0, [Tag::SECTION]);
}

#[test]
fn the_deviation_of_children_needs_two_that_differ() {
    let children = TextDensity { rank: RankQuantity::ChildDeviation, symbols: false, ..PAPER };
    let one = "<div><p>Rain fell, and the <b>river</b> rose.</p></div>";
    assert_eq!(selected(&children, one), (vec![], 0.0));
    // Densities of 40 and 10: SD 15; the div has 50 scalars in three tags.
    let two = format!("<div><p>{}</p><p>{}</p></div>", "a".repeat(40), "b".repeat(10));
    let (tags, score) = selected(&children, &two);
    assert_eq!(tags, [Tag::DIV]);
    assert!((score - 15_f64.ln() * 50.0 / 3.0 * 4_f64.log10()).abs() < 1e-9);
}

#[test]
fn without_symbols_short_unpunctuated_text_counts_as_much() {
    let html = "<div><p>!</p><p>!!!!!</p></div>";
    // Every scalar is punctuation: the symbol density is at most 1, so its logarithm counts as 0.
    assert_eq!(selected(&PAPER, html), (vec![], 0.0));
    assert_eq!(selected(&TextDensity { symbols: false, ..PAPER }, html).0, [Tag::DIV]);
}

#[test]
fn the_tuned_form_ranks_without_symbols_if_no_score_is_positive() {
    let symbols = "<div><p>!</p></div><nav>Home</nav>";
    let (tags, score) = selected(&TUNED, symbols);
    assert_eq!((tags, score > 0.0), (vec![Tag::DIV], true));
    assert_eq!(selected(&TUNED, "Rain fell."), (vec![], 0.0));
    assert_eq!(selected(&TUNED, ""), (vec![], 0.0));
}
