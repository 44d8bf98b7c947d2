use super::*;
use huller_page::PageBuf;
use huller_select::Renderer;

fn text(extractor: &LineBlock, html: &str) -> String {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let (mut scratch, mut selection) = (Scratch::default(), Selection::default());
    extractor.extract(&page, &mut scratch, &mut selection);
    let mut text = String::new();
    Renderer::default().text(&page, &selection, &mut text);
    text
}

/// Returns the range of runs of each chain: its first run, and one more than its last.
fn chains(html: &str) -> Vec<(u32, u32)> {
    let mut buffer = PageBuf::new();
    let mut chains = Vec::new();
    find_chains(&buffer.fill(html), &mut chains);
    chains.iter().map(|chain| (chain.start, chain.end)).collect()
}

const LONG: &str = "Rain fell all day and the roads along the river had to be shut.";

#[test]
fn a_segment_with_a_copyright_notice_is_left_out() {
    let gap = "\n\n\n\n";
    let html = format!(
        "<p>{LONG}</p>\n<p>{LONG}</p>{gap}<p>{LONG}</p>\n<p>{LONG}</p>\n<p>Copy<b>right</b> 2026 by us</p>{gap}"
    );
    assert_eq!(text(&PAPER, &html), format!("{LONG}\n{LONG}"));
}

#[test]
fn pages_of_two_lines_are_kept_whole() {
    assert_eq!(text(&PAPER, "<p>ab\n<p>cd"), "ab\ncd");
    assert_eq!(text(&PAPER, ""), "");
}

#[test]
fn short_lines_within_a_segment_are_left_out() {
    let html = format!("{LONG}\n{LONG}\nnote\n{LONG}\n\n\n\n\n\n");
    assert_eq!(text(&PAPER, &html), [LONG; 3].join(" "));
}

#[test]
fn the_limit_grows_with_blank_lines_up_to_100() {
    let own = |lengths: &[u32]| {
        let indices =
            lengths.windows(LINES_PER_INDEX).map(|w| w.iter().map(|len| u64::from(*len)).sum());
        let segmentation = Segmentation {
            lengths: lengths.to_vec(),
            indices: indices.collect(),
            ..Segmentation::default()
        };
        segmentation.own_limit()
    };
    assert_eq!(own(&[10, 10, 10, 10]), 50);
    assert_eq!(own(&[20, 20, 20, 20]), 60);
    // The mean index is 55. Four blank lines per line with text shift it left by two, and 220 is
    // above 100.
    assert_eq!(own(&[0, 0, 55, 0, 0]), 100);
    assert_eq!(own(&[200, 200, 200]), 100);
    assert_eq!(own(&[]), 0);
}

#[test]
fn three_links_close_together_are_a_chain() {
    assert_eq!(chains("x<a>1</a> | <a>2</a> | <a><b>3</b>4</a>y"), [(1, 7)]);
    assert!(chains("<a>1</a> | <a>2</a>").is_empty());
    assert!(chains("<a>1</a> | <a>2</a> thirty scalars and more between them <a>3</a>").is_empty());
    let two = format!("{0} {LONG} {0}", "<a>1</a><a>2</a><a>3</a>");
    assert_eq!(chains(&two), [(0, 3), (4, 7)]);
}

#[test]
fn the_tuned_profile_leaves_out_chains_of_links() {
    let menu = "<a href=/>A menu entry</a>\n".repeat(9);
    let html = format!("<div>{menu}</div><p>{LONG}</p>\n<p>{LONG}</p>\n<p>{LONG}</p>");
    assert_eq!(text(&TUNED, &html), [LONG; 3].join("\n"));
    assert!(text(&PAPER, &html).contains("menu"));
}

#[test]
fn minified_pages_are_cut_where_blocks_end() {
    let short = "<div>note</div><div></div><div></div><div></div>";
    let html = format!("{short}<p>{LONG}</p><p>{LONG}</p><div></div><div></div><div></div>{short}");
    assert_eq!(text(&TUNED, &html), [LONG; 2].join("\n"));
    assert!(text(&PAPER, &html).contains("note"));
}
