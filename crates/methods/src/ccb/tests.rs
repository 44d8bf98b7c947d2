use super::inspect::with_constants;
use super::*;
use huller_page::PageBuf;
use huller_select::Renderer;

const SMALL: Blur = Blur { radius: 1, rounds: 1, threshold: 0.5 };

fn text(html: &str, extractor: &Ccb) -> String {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let mut selection = Selection::default();
    extractor.extract(&page, &mut Scratch::default(), &mut selection);
    let mut text = String::new();
    Renderer::default().text(&page, &selection, &mut text);
    text
}

#[test]
fn tags_of_links_are_no_tokens() {
    let html = "<p>one <a href=x>two</a> three</p>";
    assert_eq!(text(html, &with_constants(SMALL)), "one two three");
    assert_eq!(
        text(&html.replace("a>", "b>").replace("<a href=x>", "<b>"), &with_constants(SMALL)),
        ""
    );
}

#[test]
fn white_space_at_the_ends_of_pieces_stays() {
    let html = "<p>one two three <i>four five six</i> seven eight nine</p>";
    let blur = Blur { radius: 1, rounds: 1, threshold: 0.6 };
    assert_eq!(text(html, &with_constants(blur)), "one two three four five six seven eight nine");
    let middle = "<p>one two&nbsp;&amp; three</p>";
    assert_eq!(text(middle, &with_constants(Blur { threshold: 0.9, ..blur })), "two &");
}

#[test]
fn a_page_with_nothing_to_keep_selects_nothing() {
    let html = "<p>short</p>";
    assert_eq!(text(html, &PAPER), "");
    assert_eq!(text(html, &TUNED), "");
}

#[test]
fn means_near_the_ends_are_over_existing_values() {
    let mut values = vec![1.0, 0.0, 0.0, 1.0];
    let mut sums = Vec::new();
    replace_by_means(1, &mut values, &mut sums);
    assert_eq!(values, [0.5, 1.0 / 3.0, 1.0 / 3.0, 0.5]);
    replace_by_means(9, &mut values, &mut sums);
    assert!(values.iter().all(|value| (value - 5.0 / 12.0).abs() < 1e-12));
    replace_by_means(1, &mut [], &mut sums);
}

#[test]
fn a_removed_element_breaks_no_line() {
    let html = "<div>one two <nav>left out</nav> three four</div>";
    let blur = Blur { radius: 1, rounds: 1, threshold: 0.1 };
    assert_eq!(text(html, &Ccb { blur, ..TUNED }), "one two three four");
}
