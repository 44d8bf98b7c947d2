use super::inspect::densities;
use super::*;
use huller_page::{NodeFlags, PageBuf};
use huller_select::Profile;
use huller_select::Renderer;
use proptest::prelude::*;

fn text(extractor: &Cetd, html: &str) -> String {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let (mut scratch, mut selection) = (Scratch::default(), Selection::default());
    extractor.extract(&page, &mut scratch, &mut selection);
    let mut text = String::new();
    Renderer::default().text(&page, &selection, &mut text);
    text
}

#[test]
fn marking_takes_all_parts_of_an_article() {
    let part =
        |n| format!("<p>Rain fell, and river {n} rose.</p><p>Schools stay shut.</p>").repeat(2);
    let html = format!(
        "<div><a>Home</a><a>News</a></div><div>{}</div><hr><div>{}</div>",
        part(1),
        part(2)
    );
    let lines = |n| {
        ["Rain fell, and river N rose.", "Schools stay shut."].repeat(2).join("\n").replace('N', n)
    };
    assert_eq!(text(&TUNED, &html), lines("1"));
    assert_eq!(text(&PAPER, &html), lines("1") + "\n" + &lines("2"));
}

#[test]
fn links_alone_select_nothing() {
    let html = "<div><a>Home</a> <button>News</button></div>";
    assert_eq!(text(&PAPER, html), "");
    assert_eq!(text(&TUNED, html), "");
}

#[test]
fn a_link_has_no_density_whatever_is_in_it() {
    let mut buffer = PageBuf::new();
    let page = buffer.fill("<p>Rain.</p><a>A long link <b>with <i>tags</i></b> in it</a>");
    let (mut all, best, _) = densities(&page, Profile::Paper);
    all.retain(|node| page.nodes()[node.node as usize].flags.contains(NodeFlags::IN_LINK));
    assert_eq!(all.len(), 3);
    assert!(all.iter().all(|node| node.density == 0.0 && node.sum == 0.0));
    assert_eq!(page.nodes()[best as usize].tag, Tag::P);
}

proptest! {
    #[test]
    fn the_best_of_every_subtree_equals_the_definition(parts in prop::collection::vec(
        prop::sample::select(vec!["<div>", "</div>", "<p>", "<a>", "</a>", "text, ", "中文", "<br>", "<b>", "</b>"]), 0..60)) {
        let html = parts.concat();
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        let nodes = page.nodes();
        let (mut sums, mut measures) = (PrefixSums::default(), Vec::new());
        sums.fill(&page, &PAPER.removal, &LINKS, &mut Vec::new());
        let body = page.body();
        measure_densities(&page, body, &sums, &mut measures);
        find_best(&page, body, &sums, &mut measures);
        for root in body..nodes.len() as u32 {
            let mut best = root;
            for later in root..nodes[root as usize].end {
                let (new, old) = (measures[later as usize].sum, measures[best as usize].sum);
                if new > old || new >= old && later < nodes[best as usize].end {
                    best = later;
                }
            }
            prop_assert_eq!(measures[root as usize].best, best);
        }
    }
}
