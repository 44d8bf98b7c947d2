use super::*;
use huller_page::PageBuf;

fn selected(method: &TextDensity, html: &str) -> (Vec<Tag>, f64) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let (mut memory, mut selection) = (Memory::default(), Selection::default());
    let verdict = method.extract(&page, &mut memory, &mut selection);
    (selection.nodes(&page).map(|node| node.tag).collect(), verdict.score.unwrap())
}

#[test]
fn the_deviation_equals_its_definition() {
    let values = [11.5, 0.0, 0.0, 0.0, 23.0, 0.0, 0.0];
    let mut deviation = Deviation::default();
    for (count, value) in values.into_iter().enumerate() {
        assert!(count > 1 || deviation.sample() <= 0.0);
        deviation.add(value);
    }
    let mean = values.iter().sum::<f64>() / 7.0;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    assert!((deviation.sample() - (squares / 6.0).sqrt()).abs() < 1e-12);
}

#[test]
fn a_lone_paragraph_beats_its_container_only_in_the_sum_form() {
    let html = "<section><div><p>Rain fell, and the river rose over its banks.</p></div></section>";
    // The paragraph has no tag below it, so its density is 0 in profile `paper`.
    assert_eq!(selected(&PAPER, html).0, [Tag::DIV]);
    assert_eq!(selected(&TUNED, html).0, [Tag::DIV]);
    assert_eq!(selected(&PAPER, "<p>Rain fell, and the river rose.</p>").0, [Tag::BODY]);
}

#[test]
fn links_and_breaks_are_no_candidates() {
    let html = "<div><a><p>Rain fell, and the river rose over its banks.</p></a></div>";
    assert_eq!(selected(&PAPER, html), (vec![], 0.0));
    let html = "<div>Rain fell.<br>The river rose.<br>Schools shut.<wbr></div>";
    assert_eq!(selected(&PAPER, html).0, [Tag::BODY]);
}

#[test]
fn a_denominator_of_zero_is_replaced_only_in_text_with_few_links() {
    let few = "<div><p><a>x</a>123456789 1</p></div>";
    assert_eq!(selected(&PAPER, few).0, [Tag::P]);
    let many = "<div><p><a>x</a>123456789</p></div>";
    assert_eq!(selected(&PAPER, many).0, [Tag::DIV]);
}

#[test]
fn of_equal_elements_an_inner_one_wins_otherwise_the_first() {
    let twice = "<div><p>Rain fell, all day</p></div><section><p>Rain fell, all day</p></section>";
    assert_eq!(selected(&TextDensity { symbols: false, ..PAPER }, twice).0, [Tag::DIV]);
    // A link below an element adds as much to its tags as to its link tags.
    let nested = "<div>Alpha beta gamma delta epsilon zeta <a href=\"x\">eta</a> theta.</div>";
    assert_eq!(selected(&PAPER, nested).0, [Tag::DIV]);
}

#[test]
fn the_tuned_form_ranks_without_symbols_if_no_score_is_positive() {
    // Every scalar is punctuation: the symbol density is at most 1, so its logarithm counts as 0.
    let symbols = "<div><p>!</p></div><nav>Home</nav>";
    assert_eq!(selected(&PAPER, "<div><p>!</p></div>"), (vec![], 0.0));
    let (tags, score) = selected(&TUNED, symbols);
    assert_eq!((tags, score > 0.0), (vec![Tag::DIV], true));
    assert_eq!(selected(&TUNED, "Rain fell."), (vec![], 0.0));
    assert_eq!(selected(&TUNED, ""), (vec![], 0.0));
}
