use super::*;
use huller_page::PageBuf;
use huller_select::Renderer;

fn text(extractor: &Cetr, html: &str) -> (String, f64) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let (mut scratch, mut selection) = (Scratch::default(), Selection::default());
    let verdict = extractor.extract(&page, &mut scratch, &mut selection);
    let mut text = String::new();
    Renderer::default().text(&page, &selection, &mut text);
    (text, verdict.score.unwrap())
}

/// Returns eight lines of menu, four of text, eight of menu.
fn page() -> String {
    let menu = "<li><a href=/>Menu</a></li>\n".repeat(8);
    let line = "<p>Rain fell all day and the roads along the river had to be shut.</p>\n".repeat(4);
    format!("<ul>\n{menu}</ul>\n{line}<ul>\n{menu}</ul>\n")
}

#[test]
fn lines_of_much_text_are_content() {
    let line = "Rain fell all day and the roads along the river had to be shut.";
    for extractor in [&PAPER, &TUNED] {
        let (text, score) = text(extractor, &page());
        assert!(text.contains(&[line; 4].join("\n")), "{text}");
        assert!(text.lines().count() <= 8, "{text}");
        let (kept, menu) = (text.matches("Menu").count() as f64, 4.0);
        let (rain, all) = (4.0 * 50.0, 4.0 * 50.0 + 16.0 * menu);
        assert!((score - (rain + kept * menu) / all).abs() < 1e-9, "{score}");
    }
}

#[test]
fn pages_without_lines_select_nothing() {
    for html in ["", "\n \n", "<p></p>\n<br>"] {
        assert_eq!(text(&PAPER, html), (String::new(), 0.0), "{html:?}");
        assert_eq!(text(&TUNED, html), (String::new(), 0.0), "{html:?}");
    }
}

#[test]
fn clusters_separate_near_from_far_and_the_first_stays_at_the_origin() {
    let points = [(0.0, 0.0), (1.0, 0.0), (50.0, 0.0), (52.0, 1.0), (200.0, 0.0), (0.5, 0.5)];
    let mut clusters = Vec::new();
    cluster_points(&points.iter().copied(), &mut clusters);
    assert_eq!(clusters, [0, 0, 1, 1, 2, 0]);
    // Equal distances: the first centre.
    cluster_points(&[(0.0, 0.0); 3].iter().copied(), &mut clusters);
    assert_eq!(clusters, [0, 0, 0]);
    cluster_points(&std::iter::empty(), &mut clusters);
    assert_eq!(clusters, [0_u8; 0]);
}

#[test]
fn minified_pages_are_wrapped() {
    let menu = "<a href=\"/somewhere/else\">Menu</a> ".repeat(40);
    let rain = "Rain fell all day and the roads along the river had to be shut. ".repeat(20);
    let (text, _) = text(&PAPER, &format!("<div>{menu}</div><p>{rain}</p><div>{menu}</div>"));
    assert!(text.contains(rain.trim()), "{text}");
    assert!(text.matches("Menu").count() < 10, "{text}");
}
