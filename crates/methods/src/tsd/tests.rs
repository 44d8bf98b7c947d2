use super::*;
use huller_page::PageBuf;

fn selected(method: &TextDensity, html: &str) -> (Vec<Tag>, f64) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let (mut memory, mut selection) = (Scratch::default(), Selection::default());
    let verdict = method.extract(&page, &mut memory, &mut selection);
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
fn an_element_of_one_piece_has_no_score_however_dense_it_is() {
    let notice = "All rights reserved, and more of the same. ".repeat(9);
    let html = format!("<section>{STORY}</section><div>{notice}</div>");
    // The body holds both; the notice alone never wins.
    assert_eq!(selected(&PAPER, &html).0, [Tag::BODY]);
    assert_eq!(selected(&PAPER, "<div><p>Rain fell, and the river rose.</p></div>"), (vec![], 0.0));
    assert_eq!(selected(&TUNED, "<div><p>Rain fell, and the river rose.</p></div>").0, [Tag::DIV]);
}

#[test]
fn links_and_breaks_are_no_candidates_and_breaks_are_no_children() {
    let html = format!("<div><a>{STORY}</a></div>");
    assert_eq!(selected(&PAPER, &html), (vec![], 0.0));
    // Without the br the one child has no spread.
    let html = "<div><p>Rain fell, all day long, and the river rose.</p><br><wbr></div>";
    assert_eq!(selected(&PAPER, html), (vec![], 0.0));
    // A link is a child with the density 0.
    let html = "<div><p>Rain fell, all day long, and the river rose.</p><a>More</a></div>";
    assert_eq!(selected(&PAPER, html).0, [Tag::DIV]);
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
