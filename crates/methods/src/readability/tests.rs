use super::*;
use huller_page::PageBuf;
use huller_select::Renderer;

const PROSE: &str = "<p>The river rose by two metres, the bridge was shut, and the mayor spoke of the worst flood in years.</p>";

fn text(extractor: &Readability, html: &str) -> String {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let mut selection = Selection::default();
    extractor.extract(&page, &mut Scratch::default(), &mut selection);
    let mut text = String::new();
    Renderer::default().text(&page, &selection, &mut text);
    text
}

/// Returns prose long enough for the first round to succeed.
fn article() -> String {
    PROSE.repeat(8)
}

#[test]
fn paragraphs_give_points_to_their_ancestors() {
    let html = format!("<body><div><section><div id=x>{PROSE}</div></section></div></body>");
    let mut buffer = PageBuf::new();
    let page = buffer.fill(&html);
    let (mut words, mut page_counts) = (ClassWords::default(), PageCounts::default());
    let body = page.nodes().iter().position(|node| node.tag == Tag::BODY).unwrap() as u32;
    words.fill(&page, body);
    page_counts.read_runs(&page);
    page_counts.keep(&page, body, &PAPER.removal, &words, true);
    page_counts.sum_counts(&page, body);
    let mut candidates = Candidates::default();
    candidates.score(&page, &page_counts, false, None);
    let points = |tag: Tag, nth: usize| {
        let mut nodes =
            (0..page.nodes().len() as u32).filter(|n| page.nodes()[*n as usize].tag == tag);
        candidates.points(nodes.nth(nth).unwrap())
    };
    // The paragraph has 99 scalars and gaps, and two commas: 1 + 3 + 0 points. The section counts
    // as a paragraph too, with the same points.
    assert_eq!(page_counts.get(body).text, 99);
    let paragraph = 4.0;
    assert!((points(Tag::DIV, 1) - (5.0 + paragraph)).abs() < 1e-9);
    assert!((points(Tag::SECTION, 0) - paragraph / 2.0).abs() < 1e-9);
    assert!((points(Tag::DIV, 0) - (5.0 + paragraph / 6.0 + paragraph)).abs() < 1e-9);
    assert!((points(Tag::BODY, 0) - (paragraph / 9.0 + paragraph / 2.0)).abs() < 1e-9);
}

#[test]
fn the_article_is_selected_without_what_surrounds_it() {
    let html = format!(
        "<div id=menu><a href=/>Home</a> <a href=/n>News</a></div><div><h1>Flood</h1>{}<div><a href=/1>More on the flood</a></div></div>\
         <div class=comments><p>First comment, which is long enough to count as a paragraph.</p></div>",
        article()
    );
    let text = text(&PAPER, &html);
    assert!(text.starts_with("Flood\nThe river") && text.ends_with("in years."), "{text}");
}

#[test]
fn siblings_join_when_they_read_like_the_article() {
    let html = format!(
        "<section><p>Before the article stands a summary, which is of more than eighty characters, and so it joins.</p><p>It rained.</p>\
         <p>No stop</p><p><a href=/>Linked.</a></p><div>{}</div></section>",
        article()
    );
    let text = text(&PAPER, &html);
    assert!(text.starts_with("Before the article") && text.contains("\nIt rained.\n"), "{text}");
    assert!(!text.contains("No stop") && !text.contains("Linked"), "{text}");
}

#[test]
fn rivals_make_their_common_ancestor_the_choice() {
    let part = |n: u32| format!("<div id=part{n}>{PROSE}{PROSE}</div>");
    let html = format!(
        "<div><nav>x</nav><div id=all>{}</div></div>",
        (0..4).map(part).collect::<String>()
    );
    assert_eq!(text(&PAPER, &html).matches("The river").count(), 8);
}

#[test]
fn with_too_little_text_the_next_round_keeps_unlikely_elements() {
    let html = format!(
        "<div class=sidebar>{}</div><div><p>A short notice, of little more than a line.</p></div>",
        article()
    );
    assert_eq!(text(&PAPER, &html).matches("The river").count(), 8);
    let both = format!("<div class=sidebar>{PROSE}</div><div>{}</div>", article());
    assert_eq!(text(&PAPER, &both).matches("The river").count(), 8, "the sidebar is not tried");
}

#[test]
fn hidden_elements_and_forms_are_left_out() {
    let html = format!(
        "<div>{}<div style='display: none'>{PROSE}</div><form>Subscribe<input></form><p hidden>Unseen.</p></div>",
        article()
    );
    assert_eq!(text(&PAPER, &html).matches('\n').count(), 7);
    assert!(!text(&PAPER, &html).contains("Subscribe"));
}

#[test]
fn a_data_table_is_kept_and_a_table_of_links_is_not() {
    let data = "<table><tr><th>Day</th><th>Level</th></tr><tr><td>1</td><td>2 m</td></tr></table>";
    let links = "<table><tr><td><a href=/a>One story more</a></td><td><a href=/b>Another</a></td></tr></table>";
    let text = text(&PAPER, &format!("<div>{}{data}{links}</div>", article()));
    assert!(text.contains("Level") && !text.contains("Another"), "{text}");
}

#[test]
fn of_a_page_without_long_paragraphs_all_text_is_selected() {
    assert_eq!(text(&PAPER, "<p>Rain.</p><p>Sun.</p>"), "Rain.\nSun.");
    assert_eq!(text(&PAPER, "<img>"), "");
}
