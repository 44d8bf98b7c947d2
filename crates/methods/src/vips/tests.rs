use super::*;
use crate::visual::recorder::Recorder;
use huller_page::{AttributeName, PageBuf};

/// Returns name, degree of coherence (0 if divided) and rule of each segment.
fn judged(html: &str) -> Vec<(String, u8, &'static str)> {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let rules = Recorder::new(VipsRules);
    Scratch::default().cut(&page, &PAPER.cutting(&rules), &mut Vec::new(), &mut NoFunctions);
    let judged = rules.into_judged().into_iter().map(|judged| {
        let node = &page.nodes()[judged.node as usize];
        let name = page.attribute(node, AttributeName::Id).unwrap_or(node.tag.name());
        let kept = match judged.judgement {
            SegmentDecision::Keep(coherence) => coherence,
            SegmentDecision::Divide => 0,
        };
        (name.to_owned(), kept, judged.rule)
    });
    judged.collect()
}

fn all(expected: &[(&str, u8, &'static str)]) -> Vec<(String, u8, &'static str)> {
    expected.iter().map(|(name, kept, rule)| ((*name).to_owned(), *kept, *rule)).collect()
}

#[test]
fn blocks_of_text_are_kept_and_their_containers_divided() {
    assert_eq!(
        judged("<div id=one><p>a<p>b <font style='font-size:30px'>c</font></div>"),
        all(&[("body", 0, "2"), ("one", 0, "12"), ("p", 10, "4"), ("p", 9, "4")])
    );
    assert_eq!(
        judged("<p>a<div id=r>x<hr>y<p>z</div>"),
        all(&[("body", 0, "12"), ("p", 10, "4"), ("r", 0, "6"), ("p", 10, "4")])
    );
}

#[test]
fn size_background_and_the_segment_before_decide() {
    let tall = "<p style='height:900px'>x";
    // A small segment with text of its own.
    let got = judged(&format!("<div id=s>own<p>a</p></div><div>{tall}{tall}</div>"));
    assert_eq!(got[1], ("s".to_owned(), 8, "9"));
    // After a kept segment, a small one is kept and a large one is not.
    let small = "<div id=t><p>a</p><p>b</p></div>";
    let got = judged(&format!("<h1>x</h1>{small}<div id=l>{tall}{tall}</div>"));
    assert_eq!((got[2].1, got[2].2), (8, "11"));
    assert_eq!((got[3].1, got[3].2), (0, "11"));
    // The segments in it have a larger area in sum than itself.
    let got = judged(&format!("<div id=o style='height:9px'>{tall}{tall}</div><p>x"));
    assert_eq!((got[1].1, got[1].2), (0, "7"));
    // A segment with another background than the segment around it.
    let inner = "<div id=i style='background:#000'><p>a<p>b</div>";
    let got = judged(&format!("<div id=b bgcolor=#fff>{tall}{inner}</div>{tall}"));
    assert_eq!(got[1], ("b".to_owned(), 0, "8"));
    assert_eq!(got[3], ("i".to_owned(), 8, "8"));
}
