use super::*;
use huller_page::PageBuf;
use huller_select::Renderer;

fn text(extractor: &WordRules, html: &str) -> (String, f64) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let (mut scratch, mut selection) = (Scratch::default(), Selection::default());
    let verdict = extractor.extract(&page, &mut scratch, &mut selection);
    let mut text = String::new();
    Renderer::default().text(&page, &selection, &mut text);
    (text, verdict.score.unwrap())
}

fn block(words: u32, linked_words: u32) -> TextBlock {
    TextBlock { words, linked_words, run_end: 0 }
}

#[test]
fn the_tree_decides_at_its_thresholds() {
    let none = TextBlock::default();
    assert!(is_content(none, block(17, 0), none) && !is_content(none, block(16, 0), none));
    assert!(is_content(none, block(1, 0), block(16, 0)));
    assert!(!is_content(none, block(1, 0), block(15, 0)));
    assert!(
        is_content(block(5, 0), block(1, 0), none) && !is_content(block(4, 0), block(1, 0), none)
    );
    // A link density of one third is still content; more is not.
    assert!(is_content(none, block(18, 6), none) && !is_content(none, block(18, 7), none));
    // After a menu the rules ask for more words.
    let menu = block(9, 6);
    assert!(is_content(menu, block(41, 0), none) && !is_content(menu, block(40, 0), none));
    assert!(
        is_content(menu, block(1, 0), block(18, 0)) && !is_content(menu, block(1, 0), block(17, 0))
    );
    assert!(is_content(block(9, 5), block(17, 0), none));
}

#[test]
fn words_are_counted_by_the_script() {
    let count = |html: &str| {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        page.runs().iter().map(|run| count_words(&page, run, &mut String::new())).sum::<u32>()
    };
    assert_eq!(count("  Rain fell\n all day. "), 4);
    assert_eq!(count("caf\u{e9} au\u{a0}lait"), 3);
    assert_eq!(count("Rain&nbsp;fell &amp; fell"), 4);
    assert_eq!(count("今天下雨 in 北京"), 7);
    assert_eq!(count("a\u{200b}b"), 1);
}

#[test]
fn a_page_gives_the_blocks_worked_out_by_hand() {
    let article = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen";
    let html = format!(
        "<ul><li><a href=/>Home page</a><li><a href=/>All news</a></ul>\
         <h1>Rain</h1><p>{article}</p><p>An end.</p><p>By us.</p><p><a href=/>More of this</a></p>"
    );
    // Heading: after a menu, the next block must have 18 words, and it has 17. Article: the block
    // before it has no link. "An end." follows a block with 17 words. "By us." follows a block with
    // two words, and neither neighbour is long.
    let (text, score) = text(&PAPER, &html);
    assert_eq!(text, format!("{article}\nAn end."));
    assert!((score - 19.0 / 29.0).abs() < 1e-9, "{score}");
}

#[test]
fn pages_without_content_select_nothing() {
    assert_eq!(text(&PAPER, "<p>Short.</p>"), (String::new(), 0.0));
    assert_eq!(text(&TUNED, "<p>Short.</p>"), (String::new(), 0.0));
}
