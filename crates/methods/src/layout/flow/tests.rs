#![expect(clippy::float_cmp, reason = "sums of halves are exact")]

use super::*;
use crate::removal::Removal;
use huller_page::{AttributeName, PageBuf};
use huller_select::no_content;

/// Rectangles of the elements with an id, and the height of the page.
fn rects(html: &str) -> (Vec<[f64; 4]>, f64) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let body = page.nodes().iter().position(|node| node.tag == Tag::BODY).unwrap() as u32;
    let mut layout = Layout::default();
    layout.fill(&page, body, &Removal::from_tags(no_content::CORE));
    let with_id = |(_, node): &(usize, &Node)| page.attribute(node, AttributeName::Id).is_some();
    let rects = page.nodes().iter().enumerate().filter(with_id).map(|(at, _)| {
        let Rect { left, top, width, height } = layout.boxes().rect(at as u32);
        [left, top, width, height]
    });
    (rects.collect(), layout.boxes().page_height())
}

#[test]
fn blocks_stack_and_lines_break_at_the_width() {
    // 30 scalars of 8 px are 240 px: two lines of 200 px.
    let text = "a".repeat(30);
    let (rects, height) = rects(&format!(
        "<div id=a style='width:200px;margin-top:10px;margin-bottom:5px'>{text}</div>\
         <h1 id=b>ab</h1><p id=c>one<br>two<hr id=d><img height=50 width=9>x"
    ));
    assert_eq!(
        rects,
        [
            [0.0, 10.0, 200.0, 48.0],
            [0.0, 63.0, 1000.0, 48.0],
            [0.0, 111.0, 1000.0, 48.0],
            [0.0, 159.0, 1000.0, 2.0],
        ]
    );
    assert_eq!(height, 161.0 + 50.0);
}

#[test]
fn floats_share_a_row_until_it_is_full() {
    let (rects, height) = rects(
        "<style>div{float:left;width:40%}#c{float:right}#d{float:none}</style>\
         <div id=a>x</div><div id=b style='height:100px'>x</div><div id=c>x</div><div id=d>x</div>",
    );
    assert_eq!(
        rects,
        [
            [0.0, 0.0, 400.0, 24.0],
            [400.0, 0.0, 400.0, 100.0],
            [600.0, 100.0, 400.0, 24.0],
            [0.0, 124.0, 400.0, 24.0],
        ]
    );
    assert_eq!(height, 148.0);
}

#[test]
fn chinese_is_twice_as_wide_and_inline_fonts_count_within_the_line() {
    // 40 x 16 px + 40 x 8 px = 960 px, and 10 px for one scalar in a larger font.
    let (narrow, wide) = ("a".repeat(40), "中".repeat(40));
    let (rects, _) = rects(&format!(
        "<div id=a style='width:970px'>{narrow}{wide}<b style='font-size:20px'>i</b></div>\
         <div id=b style='width:969px'>{narrow}{wide}<b style='font-size:20px'>&#105;</b></div>"
    ));
    assert_eq!(rects.iter().map(|rect| rect[3]).collect::<Vec<_>>(), [24.0, 48.0]);
}

#[test]
fn a_hidden_element_has_the_rectangle_of_its_container_without_height() {
    let (rects, height) = rects(
        "<div style='width:300px'>x<div id=a style='display:none'>text<p id=b>text</div><i id=c>y</i></div>",
    );
    assert_eq!(rects, [[0.0, 0.0, 300.0, 0.0]; 3]);
    assert_eq!(height, 48.0);
}

#[test]
fn odd_sizes_stay_finite() {
    let odd = "<div style='width:0.0001px;font-size:999999px;margin-top:-99999999px;height:-5px'>";
    let (_, height) = rects(&format!("{}x", odd.repeat(600)));
    assert!(height.is_finite());
    assert_eq!(rects("<p style='margin-top:-500px'>x").1, 0.0);
}
