use super::*;
use crate::methods::td;
use huller_page::PageBuf;

fn selected(method: &TextDensity, html: &str) -> (Vec<Tag>, f64) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let (mut scratch, mut selection) = (crate::Scratch::default(), Selection::default());
    let verdict = method.extract(&page, &mut scratch, &mut selection);
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
    // No tag stands below the paragraph, so that it has no density in the paper's reading.
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
fn a_denominator_of_zero_is_mended_only_in_text_with_few_links() {
    let few = "<div><p><a>x</a>123456789 1</p></div>";
    assert_eq!(selected(&PAPER, few).0, [Tag::P]);
    let many = "<div><p><a>x</a>123456789</p></div>";
    assert_eq!(selected(&PAPER, many).0, [Tag::DIV]);
}

#[test]
fn of_equals_the_inner_wins_else_the_first() {
    let twice = "<div><p>Rain fell, all day</p></div><section><p>Rain fell, all day</p></section>";
    assert_eq!(selected(&td::PAPER, twice).0, [Tag::DIV]);
    // A link below an element adds as much to its tags as to its link tags.
    let nested = "<div>Alpha beta gamma delta epsilon zeta <a href=\"x\">eta</a> theta.</div>";
    assert_eq!(selected(&PAPER, nested).0, [Tag::DIV]);
}

#[test]
fn the_tuned_form_falls_back_first_to_no_symbols_then_to_the_p_value() {
    // One punctuation mark a scalar: the symbol density is 1 at most, and its logarithm 0.
    let symbols = "<div><p>!</p></div><nav>Home</nav>";
    assert_eq!(selected(&PAPER, "<div><p>!</p></div>"), (vec![], 0.0));
    let (tags, score) = selected(&TUNED, symbols);
    assert_eq!((tags, score > 0.0), (vec![Tag::DIV], true));
    assert_eq!(selected(&TUNED, "Rain fell.").0, [Tag::BODY]);
    assert_eq!(selected(&TUNED, ""), (vec![Tag::BODY], 0.0));
}

#[test]
fn the_cheap_logarithm_is_never_too_small_and_the_table_holds_what_it_stands_for() {
    for density in
        [0.0, 0.5, 1.0, 1.0 + f64::EPSILON, 1.999_999, 2.0, 3.5, 1e9, f64::from(u32::MAX)]
    {
        assert!(at_least_ln(density) >= symbol_factor(density, true), "{density}");
        assert!(at_least_ln(density) <= symbol_factor(density, true) + 0.7, "{density}");
    }
    for paragraphs in [0, 1, 255, 256, 100_000] {
        assert_eq!(
            paragraph_factor(paragraphs).to_bits(),
            (f64::from(paragraphs) + 2.0).log10().to_bits()
        );
    }
}
