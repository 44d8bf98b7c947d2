use super::inspect::lengths;
use super::*;
use huller_page::PageBuf;
use huller_select::Profile;

#[test]
fn a_page_without_unlinked_text_selects_nothing() {
    let mut buffer = PageBuf::new();
    let page = buffer.fill("<p><a href=x>only links</a></p>");
    let (mut scratch, mut selection) = (Scratch::default(), Selection::default());
    let verdict = PAPER.extract(&page, &mut scratch, &mut selection);
    assert_eq!(
        verdict,
        Verdict { score: Some(0.0), has_article: Some(false), ..Verdict::default() }
    );
    assert!(selection.roots.is_empty());
    TUNED.extract(&page, &mut scratch, &mut selection);
    assert!(selection.roots.is_empty());
}

#[test]
fn a_small_page_gives_the_lengths_worked_out_by_hand() {
    let html = "<html><body><div id=nav><a href=\"/\">Home</a></div>\
        <div id=main><p>Rain fell all day.</p><p>Roads shut.</p></div></body></html>";
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let all = lengths(&page, Profile::Paper);
    let all: Vec<_> = all.iter().map(|l| (l.text, l.unlinked, l.total)).collect();
    assert_eq!(
        all,
        [(33, 29, 111), (33, 29, 98), (4, 0, 31), (29, 29, 54), (18, 18, 25), (11, 11, 18)]
    );
}

#[test]
fn white_space_at_the_borders_of_tags_counts_in_the_paper_profile() {
    let mut buffer = PageBuf::new();
    let page = buffer.fill("<p>aaa <a href=x>bbb</a> ccc ddd</p>");
    let of = |profile| {
        let all = lengths(&page, profile);
        all.iter().map(|l| (l.text, l.unlinked, l.total)).collect::<Vec<_>>()
    };
    // `aaa bbb ccc ddd` has 15 scalars, 3 of them in the link; p has 7 of markup, a 16, body and
    // html 13 each.
    assert_eq!(of(Profile::Paper), [(15, 12, 64), (15, 12, 51), (15, 12, 38)]);
    assert_eq!(of(Profile::Tuned), [(13, 10, 62), (13, 10, 49), (13, 10, 36)]);
    assert!((lengths(&page, Profile::Paper)[2].p(12) - 15.0 / 38.0).abs() < 1e-12);
}

#[test]
fn a_space_belongs_to_the_elements_that_hold_the_words_on_both_sides() {
    let mut buffer = PageBuf::new();
    let page =
        buffer.fill("<p>aa <b><label>x</label>bb <i>cc</i></b> <b><label>y</label></b>dd</p>");
    let all = lengths(&page, Profile::Paper);
    let named = |l: &Lengths| (page.nodes()[l.node as usize].tag, l.text);
    let texts: Vec<_> = all.iter().map(named).collect();
    let expected =
        [(Tag::HTML, 11), (Tag::BODY, 11), (Tag::P, 11), (Tag::B, 5), (Tag::I, 2), (Tag::B, 0)];
    assert_eq!(texts, expected);
}

#[test]
fn the_first_of_the_largest_is_selected() {
    let texts =
        ["", "a", "one two", "<a href=x>link</a>", "<b>three</b> four", "<p>five six seven</p>"];
    let mut seed = 7_u32;
    let mut any = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        texts[(seed >> 16) as usize % texts.len()]
    };
    let (mut buffer, mut scratch) = (PageBuf::new(), Scratch::default());
    for _ in 0..500 {
        let html = format!(
            "<div>{}<div title=x>{}</div></div><div>{}<p>{}</p></div>{}",
            any(),
            any(),
            any(),
            any(),
            any()
        );
        let page = buffer.fill(&html);
        let rank = |l: &Lengths| f64::from(l.text) * f64::from(l.unlinked) / f64::from(l.total);
        let all = lengths(&page, Profile::Paper);
        let best = all.iter().rev().max_by(|a, b| rank(a).total_cmp(&rank(b)));
        let expected = best.filter(|best| rank(best) > 0.0).map(|best| best.node);
        let mut selection = Selection::default();
        PAPER.extract(&page, &mut scratch, &mut selection);
        assert_eq!(selection.roots.first().copied(), expected, "{html}");
    }
}
