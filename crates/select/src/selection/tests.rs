use super::*;
use crate::Renderer;
use huller_page::{PageBuf, Tag};

fn first(page: &Page<'_>, tag: Tag) -> u32 {
    page.nodes().iter().position(|node| node.tag == tag).unwrap() as u32
}

const HTML: &str = "<p>0</p><div>1<nav>2<i>3</i></nav>4<ul></ul></div>5<table><tr><td>6</table>";

#[test]
fn kept_runs_are_in_roots_and_outside_removed_nodes() {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(HTML);
    let kept = |selection: &Selection| selection.kept_runs(&page).collect::<Vec<_>>();
    let mut selection = Selection::default();
    assert!(kept(&selection).is_empty());
    selection.roots = vec![first(&page, Tag::DIV), first(&page, Tag::TABLE)];
    assert_eq!(kept(&selection), [1, 2, 3, 4, 6]);
    selection.removed = vec![first(&page, Tag::P), first(&page, Tag::NAV), first(&page, Tag::UL)];
    assert_eq!(kept(&selection), [1, 4, 6]);
    selection.removed = vec![first(&page, Tag::DIV)];
    assert_eq!(kept(&selection), [6]);
    // As in the renderer, a removed node around a root changes nothing.
    selection.removed = vec![first(&page, Tag::BODY)];
    assert_eq!(kept(&selection), [1, 2, 3, 4, 6]);
}

#[test]
fn kept_runs_of_a_partial_selection_have_a_range() {
    let mut buffer = PageBuf::new();
    let page = buffer.fill("<div>first run<b>second</b>third run</div><p>fourth</p>");
    let mut selection = Selection { is_partial: true, ..Selection::default() };
    selection.roots = vec![first(&page, Tag::DIV)];
    assert_eq!(selection.kept_runs(&page).count(), 0);
    let huller_page::Run { byte_start, byte_end, .. } = page.runs()[2];
    selection.ranges.push(RunRange { run: 0, start: 5, end: 10 });
    selection.ranges.push(RunRange { run: 2, start: byte_start, end: byte_start + 5 });
    selection.ranges.push(RunRange { run: 2, start: byte_start + 6, end: byte_end });
    selection.push_run(&page, 3);
    assert_eq!(selection.kept_runs(&page).collect::<Vec<_>>(), [0, 2]);
    selection.removed = vec![first(&page, Tag::DIV)];
    assert_eq!(selection.kept_runs(&page).count(), 0);
}

#[test]
fn captions_between_ranges_are_added_once() {
    let caption = |text: &str| format!("<figure><figcaption>{text}</figcaption></figure>");
    let html =
        format!("{}<p>One.{}{}<p>Two.{}", caption("a"), caption("b"), caption("c"), caption("d"));
    let mut buffer = PageBuf::new();
    let page = buffer.fill(&html);
    let run_of = |text: &str| {
        let is_it = |run: &huller_page::Run| page.run_source(run) == text;
        page.runs().iter().position(is_it).unwrap() as u32
    };
    let mut selection = Selection { roots: vec![0], is_partial: true, ..Selection::default() };
    selection
        .ranges
        .extend(["One.", "b", "Two."].map(|text| RunRange::whole_run(&page, run_of(text))));
    let text = |selection: &Selection| {
        let mut text = String::new();
        Renderer::default().text(&page, selection, &mut text);
        text
    };
    selection.comments.push(RunRange::whole_run(&page, run_of("c")));
    selection.add_captions(&page);
    assert_eq!(text(&selection), "One.\nb\nTwo.");
    selection.comments.clear();
    selection.add_captions(&page);
    assert_eq!(text(&selection), "One.\nb\nc\nTwo.");
}

#[test]
fn the_headline_can_be_left_out() {
    let mut buffer = PageBuf::new();
    let page = buffer.fill("<h1>The <i>rain</i></h1><p>It fell.</p>");
    let select = |runs: std::ops::Range<u32>, headline: std::ops::Range<u32>| {
        let mut selection = Selection::default();
        runs.for_each(|run| selection.push_run(&page, run));
        selection.headline.extend(headline.map(|run| RunRange::whole_run(&page, run)));
        selection.finish_ranges(&page);
        selection.leave_out_headline();
        let mut text = String::new();
        Renderer::default().text(&page, &selection, &mut text);
        text
    };
    assert_eq!(select(0..3, 0..2), "It fell.");
    assert_eq!(select(0..3, 0..0), "The rain\nIt fell.");
    assert_eq!(select(0..2, 0..2), "The rain", "a text of a headline alone stays");
}

#[test]
fn the_innermost_element_around_runs_is_found() {
    let mut buffer = PageBuf::new();
    let page = buffer.fill("<div>a<p>b<i>c</i></p>d</div><p>e</p>");
    let tag = |first, last| page.nodes()[element_around(&page, first, last) as usize].tag;
    assert_eq!(
        [tag(0, 0), tag(1, 1), tag(2, 2), tag(1, 2), tag(1, 3), tag(3, 4)],
        [Tag::DIV, Tag::P, Tag::I, Tag::P, Tag::DIV, Tag::BODY]
    );
}
