#![expect(clippy::float_cmp, reason = "small whole numbers are exact")]

use super::inspect::analyse;
use super::*;
use huller_page::{AttributeName, PageBuf};
use huller_select::{Profile, Renderer};

/// Name, degree of coherence (0 if divided) and rule of each segment.
fn judged(html: &str) -> Vec<(String, u8, &'static str)> {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let segments = analyse(&page, Profile::Paper).segments;
    let name = |at: u32| {
        let node = &page.nodes()[at as usize];
        page.attribute(node, AttributeName::Id).unwrap_or(node.tag.name()).to_owned()
    };
    segments.iter().map(|s| (name(s.node), s.kept.unwrap_or(0), s.rule)).collect()
}

fn text(html: &str, method: &Dvps) -> String {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let (mut memory, mut selection) = (Memory::default(), Selection::default());
    method.extract(&page, &mut memory, &mut selection);
    let mut text = String::new();
    Renderer::default().text(&page, &selection, &mut text);
    text
}

#[test]
fn every_rule_of_the_table_decides_where_it_applies() {
    let long = "A line of text that is long enough.";
    let of = |inside: &str| judged(&format!("<div id=x>{inside}</div><div id=y>{long}</div>"));
    let x = |inside: &str| {
        let all = of(inside);
        let (_, kept, rule) = all.iter().find(|(name, ..)| name == "x").unwrap().clone();
        (kept, rule)
    };
    assert_eq!(x(&format!("<div>{long}</div><div></div>")), (0, "R0"));
    assert_eq!(x(&format!("{long}<hr>{long}")), (0, "R1"));
    assert_eq!(x("<b>only</b> <i>inline</i>"), (9, "R2"));
    let inner = "<table><tr><td>";
    assert_eq!(x(&format!("{inner}{inner}{long}</table></table>")), (0, "R5"));
    assert_eq!(x(&format!("{inner}{long}</table>")), (6, "R3"));
    assert_eq!(x("<p>a<p>b"), (7, "R3"));
    assert_eq!(x("<p>a<p>b<h2>c</h2>"), (8, "R3"));
    assert_eq!(x("<div>a</div><div>b</div>"), (6, "R6"));
    let tiny = "<div style='height:.01px;width:9px'>abcdefghijklmnop</div>";
    assert_eq!(x(&tiny.repeat(2)), (7, "R4"));
    let coloured = |one: &str, other: &str| {
        format!("<div style='background:{one}'>{long}</div><div bgcolor={other}>{long}</div>")
    };
    assert_eq!(x(&coloured("#fff", "#FFF")), (6, "R3"));
    assert_eq!(x(&coloured("#fff", "#000")), (0, "R3"));
    assert_eq!(x(&coloured("url(x)", "#000")), (0, "default"));
}

#[test]
fn text_between_segments_is_a_block_and_heavy_separators_keep_blocks_apart() {
    let html = "<div><p>Head <b>of</b> it.</p>First words of the stretch.<div style='background:red'>Inside the inner one.</div>\
        and <i>more</i><hr>after the rule</div>";
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let analysis = analyse(&page, Profile::Paper);
    let chars: Vec<_> = analysis.blocks.iter().map(|block| block.chars).collect();
    // First stretch and inner div: 2 + 2 for different parents. Inner div and second stretch: the same. The stretches before
    // and after the `hr`: 2 + 2 for the rule - 2 for the same signature, so they are joined.
    assert_eq!(analysis.separators, [4.0, 4.0, 2.0]);
    assert_eq!(chars, [9 + 23, 18, 7 + 12]);
    let shares: f64 = analysis.blocks.iter().map(|block| block.text_share).sum();
    assert!((shares - 1.0).abs() < 1e-12);
    assert_eq!(text(html, &PAPER), "Head of it.\nFirst words of the stretch.");
}

#[test]
fn function_blocks_are_never_chosen() {
    let html = "<div>Share and print this, and never again what you have read in here</div><div><p><a href=x>Rain.</a></div>";
    assert_eq!(text(html, &PAPER), "Rain.");
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let analysis = analyse(&page, Profile::Paper);
    assert_eq!((analysis.function_blocks.len(), analysis.blocks.len()), (1, 1));
    assert_eq!(analysis.blocks[0].function_share, 0.0);
}

#[test]
fn a_function_block_is_not_joined_with_the_article_beside_it() {
    // Four siblings: the first two are links; the tools and the story share their parent, tag and (no) class, and neither has links.
    let html = "<div class=m><a href=a>Weather</a></div><div class=m><a href=b>Sport and the results of all games</a></div>\
        <div>Print Share Subscribe Close</div><div>The ferry is back.</div>";
    assert_eq!(text(html, &PAPER), "The ferry is back.");
    assert!(text(html, &TUNED).ends_with("The ferry is back."));
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let analysis = analyse(&page, Profile::Paper);
    assert_eq!(analysis.function_blocks.len(), 1);
    // The menu is one block; between it and the story stand different shares of links, and the same parent.
    assert_eq!(analysis.separators, [0.0, 5.0]);
    assert_eq!(analysis.blocks.iter().map(|block| block.chars).collect::<Vec<_>>(), [35, 15]);
}

#[test]
fn an_hr_beside_a_function_block_stays_between_its_neighbours() {
    let story = "<div><p>One line of a story.</div>";
    let html = format!("{story}<hr><div>Print Share Subscribe Close</div>{story}");
    let mut buffer = PageBuf::new();
    let page = buffer.fill(&html);
    // 2 + 2 for the rule - 2 for the same signature.
    assert_eq!(analyse(&page, Profile::Paper).separators, [2.0]);
}

#[test]
fn a_page_without_text_gives_nothing() {
    let html = "<nav>Only this</nav><noscript>never</noscript>";
    assert_eq!(text("<body><noscript>never</noscript>", &PAPER), "");
    assert_eq!(text(html, &PAPER), "Only this");
    assert_eq!(text(html, &TUNED), "");
}
