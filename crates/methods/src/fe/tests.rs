use super::*;
use huller_page::PageBuf;
use huller_select::Renderer;

fn text(extractor: &FeatureExtractor, html: &str) -> (String, f64) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let (mut scratch, mut selection) = (Scratch::default(), Selection::default());
    let verdict = extractor.extract(&page, &mut scratch, &mut selection);
    let mut text = String::new();
    Renderer::default().text(&page, &selection, &mut text);
    (text, verdict.score.unwrap())
}

#[test]
fn features_count_in_the_block_in_which_they_open() {
    let html = "ab<div>cd <a href=/>ef</a><img><p>gh<b>ij</b></div><ul><li>k<li>l</ul><hr><input>";
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let mut scratch = Scratch::default();
    let totals = PAPER.fill_blocks(&page, &mut scratch, &mut Vec::new());
    assert_eq!(totals, [12, 1, 1, 2, 1]);
    let amounts: Vec<_> = scratch.blocks.iter().map(|block| block.amounts).collect();
    assert_eq!(
        amounts,
        [[2, 0, 0, 0, 0], [4, 1, 1, 0, 0], [4, 0, 0, 0, 0], [2, 0, 0, 2, 0], [0, 0, 0, 0, 1]]
    );
}

#[test]
fn blocks_like_the_largest_are_content_where_text_outweighs_all_else() {
    let (long, other) = ("w".repeat(100), "v".repeat(90));
    let html = format!(
        "<div><a href=/>{}</a></div><p>{long}</p><p>{other}</p><p>short</p><p>{}<img></p>",
        "m".repeat(80),
        "i".repeat(120),
    );
    // The menu has all links and the last paragraph all images, so neither is a candidate. `short`
    // is in another cluster.
    let (text, score) = text(&PAPER, &html);
    assert_eq!(text, format!("{long}\n{other}"));
    assert!((score - 100.0 / 395.0).abs() < 1e-9, "{score}");
}

#[test]
fn pages_without_candidates_select_nothing() {
    let html = "<p>text<img></p>";
    assert_eq!(text(&PAPER, html), (String::new(), 0.0));
    assert_eq!(text(&TUNED, html), (String::new(), 0.0));
    assert_eq!(text(&PAPER, ""), (String::new(), 0.0));
}

#[test]
fn the_cluster_of_the_largest_share_is_an_interval() {
    let floor = cluster_floor(&[0.01, 0.02, -1.0, 0.1, 0.3, 0.35]);
    assert!((floor - 0.3).abs() < 1e-12, "{floor}");
    assert!((cluster_floor(&[0.5, 0.5]) - 0.5).abs() < 1e-12);
    assert!(cluster_floor(&[-1.0]).abs() < 1e-12);
}
