use super::*;
use huller_page::PageBuf;

#[test]
fn a_page_without_unlinked_text_selects_nothing_or_falls_back() {
    let mut buffer = PageBuf::new();
    let page = buffer.fill("<p><a href=x>only links</a></p>");
    let (mut scratch, mut selection) = (crate::Scratch::default(), Selection::default());
    let verdict = PAPER.extract(&page, &mut scratch, &mut selection);
    assert_eq!(
        verdict,
        Verdict { score: Some(0.0), has_article: Some(false), ..Verdict::default() }
    );
    assert!(selection.roots.is_empty());
    TUNED.extract(&page, &mut scratch, &mut selection);
    assert_eq!(selection.nodes(&page).map(|node| node.tag).collect::<Vec<_>>(), [Tag::BODY]);
}

#[test]
fn the_worked_numbers_of_a_small_page() {
    let html = "<html><body><div id=nav><a href=\"/\">Home</a></div>\
        <div id=main><p>Rain fell all day.</p><p>Roads shut.</p></div></body></html>";
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let mut scratch = Scratch::default();
    PAPER.sweep(&page, &mut scratch, &mut Vec::new());
    let all: Vec<_> = candidates(&page, &scratch).map(|l| (l.text, l.unlinked, l.total)).collect();
    assert_eq!(
        all,
        [(33, 29, 111), (33, 29, 98), (4, 0, 31), (29, 29, 54), (18, 18, 25), (11, 11, 18)]
    );
}
