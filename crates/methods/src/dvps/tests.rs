#![expect(clippy::float_cmp, reason = "small whole numbers are exact")]

use super::inspect::{BlockValues, analyse, analyse_by};
use super::options::SegmentTags;
use super::*;
use crate::settings::tests::{check_shipped, refusal};
use crate::visual::importance::ImportanceTerm;
use huller_page::{AttributeName, PageBuf};
use huller_select::{Profile, Renderer};

/// Returns name, degree of coherence (0 if divided) and rule of each segment.
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

fn text(html: &str, extractor: &Dvps) -> String {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let (mut scratch, mut selection) = (Scratch::default(), Selection::default());
    extractor.extract(&page, &mut scratch, &mut selection);
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
    assert_eq!(x(&format!("{inner}{inner}{long}</table><td>{long}</table>")), (0, "R5"));
    assert_eq!(x(&format!("{inner}{inner}{long}</table></table>")), (0, "R0"));
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
    // First stretch and inner div: 2 + 2 for different parents. Inner div and second stretch: the
    // same. The stretches before and after the `hr`: 2 + 2 for the rule - 2 for the same signature,
    // so they are joined.
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
    // Four siblings: the first two are links; the tools and the story share their parent, tag and
    // (no) class, and neither has links.
    let html = "<div class=m><a href=a>Weather</a></div><div class=m><a href=b>Sport and the results of all games</a></div>\
        <div>Print Share Subscribe Close</div><div>The ferry is back.</div>";
    assert_eq!(text(html, &PAPER), "The ferry is back.");
    assert!(text(html, &TUNED).ends_with("The ferry is back."));
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let analysis = analyse(&page, Profile::Paper);
    assert_eq!(analysis.function_blocks.len(), 1);
    // The menu is one block. It differs from the story in its share of links; their parent is the
    // same.
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

fn paper_with(change: impl FnOnce(&mut Options)) -> Dvps {
    let mut options = Options::PAPER;
    change(&mut options);
    PAPER.with_options(options).unwrap()
}

fn blocks(html: &str, extractor: &Dvps) -> Vec<BlockValues> {
    let mut buffer = PageBuf::new();
    analyse_by(&buffer.fill(html), extractor).blocks
}

#[test]
fn gaps_and_fonts_add_to_the_weight_of_a_separator() {
    let weight = |first: &str, second: &str| {
        let html = format!(
            "<div style='{first}'>A line of text.</div><div style='{second}'>And another.</div>"
        );
        let mut buffer = PageBuf::new();
        analyse(&buffer.fill(&html), Profile::Paper).separators[0]
    };
    // 2 - 2 for the same parent, tag and class.
    assert_eq!(weight("", ""), 0.0);
    // 15 pixels weigh 1.5; 80 would weigh 8, but 4 is the largest weight.
    assert_eq!(weight("margin-bottom:15px", ""), 1.5);
    assert_eq!(weight("", "margin-top:80px"), 4.0);
    // Two for the fonts, and the two are unlike.
    assert_eq!(weight("", "font-size:20px"), 4.0);
    assert_eq!(weight("font-size:20px;margin-bottom:5px", "font-size:20px"), 0.5);
}

#[test]
fn siblings_without_class_are_unlike_if_a_property_differs() {
    let separators = |first: &str, second: &str, differing_properties| {
        let html =
            format!("<div {first}>A line of text.</div><div {second}>And another of them.</div>");
        let mut buffer = PageBuf::new();
        let extractor = paper_with(|options| options.differing_properties = differing_properties);
        let analysis = analyse_by(&buffer.fill(&html), &extractor);
        (analysis.separators[0], analysis.blocks.len())
    };
    let (white, grey) = ("bgcolor=#fff", "style='background:#eee'");
    // 2 + 2 for the backgrounds; 2 less if the same tag and (no) class make them alike.
    assert_eq!(separators(white, grey, true), (4.0, 2));
    assert_eq!(separators(white, grey, false), (2.0, 1));
    // Equal and unknown backgrounds do not differ.
    assert_eq!(separators(white, "bgcolor=#FFF", true), (0.0, 1));
    assert_eq!(separators(white, "", true), (0.0, 1));
    let large = "style='font-size:20px'";
    assert_eq!(separators("", large, true), (4.0, 2));
    assert_eq!(separators("", large, false), (2.0, 1));
}

#[test]
fn a_joined_block_is_no_more_coherent_than_its_parts() {
    let html = "<div><table><tr><td>A line of text.</table></div><div>And another of them.</div>\
        <div><p>One more line.</div>";
    let with = |coherence| paper_with(|options| options.permitted_coherence = coherence);
    // No topic tag: 6; only text: 9; one topic tag: 7. The separators weigh 0, so that 9 - weight
    // permits to join them all.
    let joined = &blocks(html, &with(5.5))[0];
    assert_eq!((&joined.coherence[..], joined.joined_coherence), (&[6, 9, 7][..], 6.0));
    let coherences = |extractor: &Dvps| {
        let blocks = blocks(html, extractor);
        blocks.iter().map(|block| (block.coherence.len(), block.joined_coherence)).collect()
    };
    let parted: Vec<(usize, f64)> = coherences(&with(6.5));
    assert_eq!(parted, [(1, 6.0), (2, 7.0)]);
    // A separator of 3 makes the joined block less coherent than its parts.
    let apart = "<div style='margin-bottom:30px'>A line of text.</div><div>And another one.</div>";
    assert_eq!(blocks(apart, &with(5.5))[0].joined_coherence, 6.0);
}

#[test]
fn an_hr_divides_a_block_wherever_it_is_in_it() {
    let html = "<div id=x><section><p>One line of it.</p><hr><p>And another line.</p></section></div>\
        <div id=y>The last line.</div>";
    let decisions = |inner_rules| {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let extractor = paper_with(|options| options.inner_rules = inner_rules);
        let analysis = analyse_by(&page, &extractor);
        let x = analysis.segments[1];
        let rules = (x.kept, x.rule, analysis.segments[0].rule);
        (rules, analysis.blocks.iter().map(|block| block.coherence.len()).sum::<usize>())
    };
    // The two paragraphs are blocks of their own, beside y.
    assert_eq!(decisions(true), ((None, "R1", "R1"), 3));
    assert_eq!(decisions(false), ((Some(8), "R3", "default"), 2));
    // In a segment within the segment too, even one that rule 6 would keep.
    let inner =
        "<div id=x><div>One.<hr>Two.</div><div>Three.</div></div><div id=y>The last line.</div>";
    let x = |judged: Vec<(String, u8, &'static str)>| judged[1].clone();
    assert_eq!(x(judged(inner)), ("x".to_owned(), 0, "R1"));
    assert_eq!(x(judged(&inner.replace("<hr>", ""))), ("x".to_owned(), 6, "R6"));
}

#[test]
fn topic_tags_can_take_the_place_of_tags_and_are_shown_otherwise() {
    let html = "<div class=a><p>Aaaaa</p><h2>Bbbbb</h2><p>Ccccc</p></div><hr><div class=b>ddddd <i>eeeee</i></div>";
    let topics = paper_with(|options| options.third_term = ImportanceTerm::TopicTags);
    // 15 and 10 of 25 scalars, no links; 3 and 0 of the page's 4 topic tags: the hr is one.
    let got = blocks(html, &topics);
    for (block, (share, topics)) in got.iter().zip([(0.6, 0.75), (0.4, 0.0)]) {
        let expected = 0.7 * share + 0.2 + 0.1 * topics;
        assert!((block.semantic - expected).abs() < 1e-12, "{} {expected}", block.semantic);
        assert!((block.topic_share - topics).abs() < 1e-12);
    }
    let terms = |extractor: &Dvps| {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let (mut scratch, mut selection) = (Scratch::default(), Selection::default());
        extractor.extract(&page, &mut scratch, &mut selection);
        let derived = extractor.derive(&page, &mut scratch, &[0]).terms.remove(0).unwrap();
        let terms = derived.iter().map(|term| (term.name.to_string(), term.given.clone()));
        (terms.collect::<Vec<_>>(), derived.iter().map(|term| term.value).sum::<f64>())
    };
    let (shown, sum) = terms(&PAPER);
    assert_eq!(shown[3], ("RTopicTag (7)".to_owned(), "0 * 3 / 4 topic tags".to_owned()));
    let spatial = blocks(html, &PAPER)[0].spatial;
    assert_eq!(shown[4], ("lambda Imp_s (5)".to_owned(), format!("0.0000 * {spatial:.4}")));
    assert!((sum - blocks(html, &PAPER)[0].importance).abs() < 1e-12);
    let (shown, sum) = terms(&topics);
    assert_eq!(shown[2], ("w6 RTopicTag (7)".to_owned(), "0.1 * 3 / 4 topic tags".to_owned()));
    assert_eq!((shown.len(), (sum - got[0].importance).abs() < 1e-12), (4, true));
}

#[test]
fn a_fixed_lambda_gives_the_spatial_importance_its_part_on_every_page() {
    let html = "<div class=a>A line of text.</div><hr><div class=b>And another.</div>";
    for profile in [PAPER, TUNED] {
        let options = Options { lambda: Some(0.25), ..profile.options.clone() };
        for block in blocks(html, &profile.with_options(options).unwrap()) {
            let expected = 0.75 * block.semantic + 0.25 * block.spatial;
            assert!((block.importance - expected).abs() < 1e-12);
        }
    }
}

#[test]
fn rule_5_cuts_tables_whose_cells_look_different_and_makes_the_cells_blocks() {
    let story = "The ferry is back, and it sails at nine.";
    let cells = |first: &str, second: &str| {
        format!(
            "<div id=x><table><tr><td id=a {first}><a href=/>Home and all news</a><td id=b {second}>{story}</table></div>"
        )
    };
    let of = |html: &str| {
        let all = judged(&format!("{html}<div id=y>{story}</div>"));
        let of = all.iter().map(|(name, kept, rule)| format!("{name} {kept} {rule}"));
        of.filter(|one| !one.starts_with('y') && !one.starts_with("body")).collect::<Vec<_>>()
    };
    let cut = ["x 0 R5", "a 9 R2", "b 9 R2"];
    assert_eq!(of(&cells("", "")), ["x 6 R3"]);
    assert_eq!(of(&cells("bgcolor=#fff", "bgcolor=#FFF")), ["x 6 R3"]);
    assert_eq!(of(&cells("bgcolor=#fff", "")), ["x 6 R3"]);
    assert_eq!(of(&cells("bgcolor=#fff", "bgcolor=#eee")), cut);
    assert_eq!(of(&cells("", "style='font-size:12px'")), cut);
    // A cell without a background has that of its row.
    let rows = "<div id=x><table><tr bgcolor=#fff><td id=a>One of two.<tr bgcolor=#eee><td id=b>Two of two.</table></div>";
    assert_eq!(of(rows), cut);
    // Cells around a table are blocks; those of the inner table are not.
    let nested = format!(
        "<div id=x><table><tr><td id=a><table><tr><td>One.<td>Two.</table><td id=b>{story}</table></div>"
    );
    assert_eq!(of(&nested), ["x 0 R5", "a 6 R3", "b 9 R2"]);
    let uncut = paper_with(|options| options.cut_tables = false);
    let uneven = cells("bgcolor=#fff", "bgcolor=#eee");
    assert_eq!(text(&uneven, &PAPER), story);
    assert_eq!(text(&uneven, &uncut), format!("Home and all news\n{story}"));
}

#[test]
fn the_third_term_counts_tags_or_either_sense_of_functional_tags() {
    let html =
        "<div class=a><form>Search aaaa<input></form></div><hr><div class=b>bbbbbbbbbb</div>";
    let semantic = |third| {
        let blocks = blocks(html, &paper_with(|options| options.third_term = third));
        blocks.iter().map(|block| block.semantic).collect::<Vec<_>>()
    };
    // Each block has 10 of 20 scalars and no link: .7 / 2 + .2 + .1 (1 - share).
    let expected = |shares: [f64; 2]| shares.map(|share| 0.35 + 0.2 + 0.1 * (1.0 - share));
    for (third, shares) in [
        (ImportanceTerm::Tags, [3.0 / 5.0, 1.0 / 5.0]),
        (ImportanceTerm::FunctionPhrases, [1.0, 0.0]),
        (ImportanceTerm::FunctionTags, [1.0, 0.0]),
        (ImportanceTerm::Links, [0.0, 0.0]),
        (ImportanceTerm::Images, [0.0, 0.0]),
    ] {
        for (got, expected) in semantic(third).iter().zip(expected(shares)) {
            assert!((got - expected).abs() < 1e-12, "{third:?}: {got} for {expected}");
        }
    }
    let of_links = blocks(
        "<div class=a>One<a href=/>two</a></div><hr><div class=b><a href=/>x</a><a href=/>y</a><img>z</div>",
        &paper_with(|options| options.third_term = ImportanceTerm::Links),
    );
    // 3 of 6 scalars in links, 1 of 3 links; 2 of 3 scalars in links, 2 of 3 links.
    let first = 0.7 * 6.0 / 9.0 + 0.2 * (1.0 - 3.0 / 6.0) + 0.1 * (1.0 - 1.0 / 3.0);
    let second = 0.7 * 3.0 / 9.0 + 0.2 * (1.0 - 2.0 / 3.0) + 0.1 * (1.0 - 2.0 / 3.0);
    assert!((of_links[0].semantic - first).abs() < 1e-12);
    assert!((of_links[1].semantic - second).abs() < 1e-12);
}

#[test]
fn blocks_with_the_words_of_the_best_block_are_pulled_in() {
    let html = "<div class=a>Rain, rain, road.</div><hr><div class=b>Rain shut.</div><hr><div class=c>Menu.</div>";
    // ln (3 / 2) for rain, ln 3 for road and shut: 2 ln^2 1.5 / (|a| |b|) = .3288 / (1.3655 *
    // 1.1710) = .2056.
    let pulled = |least| text(html, &paper_with(|options| options.pull_in = least));
    assert_eq!(pulled(None), "Rain, rain, road.");
    assert_eq!(pulled(Some(0.206)), "Rain, rain, road.");
    assert_eq!(pulled(Some(0.205)), "Rain, rain, road.\nRain shut.");
    // Pairs of scalars: 下雨 in two of three blocks.
    let html = "<div class=a>今天下雨了，北京下雨</div><hr><div class=b>下雨</div><hr><div class=c>首页</div>";
    let pulled = |least| text(html, &paper_with(|options| options.pull_in = Some(least)));
    assert_eq!(pulled(1.0), "今天下雨了，北京下雨");
    assert_eq!(pulled(0.2), "今天下雨了，北京下雨\n下雨");
}

#[test]
fn the_spatial_importance_counts_only_on_request() {
    let html = "<div style='width:500px'>A narrow block.</div>";
    let lambda = |extractor: &Dvps| {
        let mut buffer = PageBuf::new();
        analyse_by(&buffer.fill(html), extractor).lambda
    };
    assert_eq!(lambda(&PAPER), 0.0);
    assert_eq!(lambda(&paper_with(|options| options.spatial = 0.5)), 0.5);
    let block = &blocks(html, &PAPER)[0];
    assert_eq!(block.importance, block.semantic);
    // Only the shares of the weights in their sums count.
    let tenfold = paper_with(|options| options.weights = [5.0, 2.0, 3.0, 7.0, 2.0, 1.0]);
    let tenfold = &blocks(html, &tenfold)[0];
    assert!((tenfold.semantic - block.semantic).abs() < 1e-12);
    assert!((tenfold.spatial - block.spatial).abs() < 1e-12);
}

#[test]
fn settings_are_read_and_what_is_out_of_range_is_refused() {
    check_shipped(&ADJUSTABLE);
    let refused = |profile: &str| {
        let file = format!("{{\"format\":\"huller-dvps\",\"version\":1,\"paper\":{profile}}}");
        refusal(EXTRACTOR, &file)
    };
    assert!(refused("{\"weights\":[0,0,0,1,1,1]}").contains("`weights` must be six numbers"));
    assert!(refused("{\"weights\":[1,1,1,1,1,-1]}").contains("`weights` must be six numbers"));
    assert!(
        refused("{\"weights\":[1]}").contains("settings of dvps, profile paper: invalid length")
    );
    assert!(refused("{\"spatial\":1.5}").contains("`spatial`"));
    assert!(refused("{\"lambda\":-0.5}").contains("`lambda`"));
    assert!(refused("{\"permitted_coherence\":0}").contains("`permitted_coherence`"));
    assert!(refused("{\"chosen\":-1}").contains("`chosen`"));
    assert!(refused("{\"pull_in\":2}").contains("`pull_in`"));
    assert!(refused("{\"third_term\":\"words\"}").contains("unknown variant `words`"));
    assert!(refused("{\"pul_in\":1}").contains("unknown setting `pul_in`"));
    assert!(refused("7").contains("not an object"));
    let file = "{\"format\":\"huller-dvps\",\"version\":2}";
    assert!(refusal(EXTRACTOR, file).contains("`version` is not 1"));
    let file = "{\"format\":\"huller-dvps\",\"version\":1,\"tunde\":{}}";
    assert!(refusal(EXTRACTOR, file).contains("unknown member `tunde`"));
    assert!(EXTRACTOR.with_model(b"{\"format\":\"huller-nb\"}", Profile::Paper).is_none());
    assert!(EXTRACTOR.with_model(b"\x00", Profile::Paper).is_none());
}

#[test]
fn sections_are_blocks_on_request() {
    let html = "<section><p>The ferry is back, and it sails at nine every day.</section><nav><a href=/>Home News Sport</a></nav>";
    assert_eq!(blocks(html, &PAPER).len(), 1);
    let sections = paper_with(|options| options.segments = SegmentTags::Sections);
    assert_eq!(text(html, &sections), "The ferry is back, and it sails at nine every day.");
}
