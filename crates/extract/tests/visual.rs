//! The methods that cut pages into visual blocks: attacks end soon, and known sizes of pages allocate nothing.

#[path = "../../pipeline/src/run/tests/allocator.rs"]
mod allocator;
#[path = "../../page/tests/support/attacks.rs"]
mod attacks;

use attacks::{ATTACKS, GOOD_TEXT, HIDDEN_TEXT};
use huller_extract::{Method, Profile, Renderer, Scratch, Selection, find};
use huller_page::PageBuf;
use std::fmt::Write;
use std::time::{Duration, Instant};

const PROFILES: [Profile; 2] = [Profile::Paper, Profile::Tuned];
/// For one page; only what grows with the square of it takes so long.
const PATIENCE: Duration = Duration::from_secs(20);

fn methods() -> impl Iterator<Item = &'static Method> {
    ["dvps", "vips"].into_iter().filter_map(find)
}

/// Pages that aim at layout and segmentation: name, start, what is repeated.
const SHAPES: &[(&str, &str, &str)] = &[
    ("flat divs", "", "<div class='a b' style='float:left;width:9px'>x</div>"),
    ("rules", "", "<div>a<hr>b</div><hr>"),
    ("stretches", "", "x<div></div>"),
    ("deep divs with text", "", "<div>x"),
    ("nested tables", "", "<table><tr><td>x<div>y"),
    ("links in lines", "", "<a href=x>y</a><br>"),
    ("inline in depth", "", "<i>x<br>"),
    ("hidden", "", "<div style='display:none'>x<p>"),
    ("style braces", "<style>", "a{"),
    ("style rules", "<style>", ".abc{width:10px;float:left}"),
    ("style selectors", "<style>", "#b,"),
    ("style comments", "<style>", "/* a{} "),
    ("style declarations", "<style>a{", "width:1px;background:#"),
    ("colour functions", "<p style='background:", "rgb(1,"),
    ("classes", "<style>.a{width:1px}</style><p class='", "a "),
    ("style blocks", "", "<style>div{width:50%}</style><div>"),
    ("removed", "", "<nav>x</nav>share print<div></div>"),
];

#[test]
fn attacks_end_soon_and_leave_the_text_around_them_clean() {
    let (mut buffer, mut scratch) = (PageBuf::new(), Scratch::default());
    let (mut selection, mut text) = (Selection::default(), String::new());
    let body = find("body").expect("it is always there").profile(Profile::Paper);
    let attacks = ATTACKS.iter().map(|attack| (attack.name, attack.page(300_000)));
    let shapes = SHAPES.iter().map(|(name, start, unit)| {
        (*name, format!("<p>{GOOD_TEXT}</p>{start}{}", unit.repeat(300_000 / unit.len())))
    });
    for (name, html) in attacks.chain(shapes) {
        let page = buffer.fill(&html);
        text.clear();
        body.extract(&page, &mut scratch, &mut selection);
        Renderer::default().text(&page, &selection, &mut text);
        let nothing = text.is_empty();
        for method in methods() {
            for profile in PROFILES {
                let started = Instant::now();
                let extractor = method.profile(profile);
                let verdict = extractor.extract(&page, &mut scratch, &mut selection);
                let took = started.elapsed();
                let of = format!("{} {} on `{name}`", method.name, profile.name());
                assert!(took < PATIENCE, "{of} takes {took:?}");
                assert!(verdict.score.is_some_and(f64::is_finite), "{of}");
                text.clear();
                Renderer::default().text(&page, &selection, &mut text);
                assert!(!text.contains(HIDDEN_TEXT), "{of}");
                // The tuned profile falls back to all text of the page.
                let may_be_empty = profile == Profile::Paper || nothing;
                assert!(!text.is_empty() || may_be_empty, "{of}");
            }
        }
    }
}

#[test]
fn the_second_pass_over_the_pages_allocates_nothing() {
    let pages: Vec<_> = SHAPES
        .iter()
        .map(|(_, start, unit)| format!("{start}{}", unit.repeat(200)))
        .chain((0..20).map(article))
        .collect();
    let (mut buffer, mut scratch) = (PageBuf::new(), Scratch::default());
    let mut selection = Selection::default();
    let mut pass = || {
        let (mut calls, mut roots) = (0, 0);
        for html in &pages {
            let page = buffer.fill(html);
            let before = allocator::calls();
            for method in methods() {
                for profile in PROFILES {
                    method.profile(profile).extract(&page, &mut scratch, &mut selection);
                    roots += selection.roots.len();
                }
            }
            calls += allocator::calls() - before;
        }
        (calls, roots)
    };
    let (first, roots) = pass();
    assert!(first > 0 && roots > pages.len(), "{first} allocations, {roots} roots");
    assert_eq!(pass(), (0, roots));
}

/// A page with a style block, navigation, an article and function blocks.
fn article(number: usize) -> String {
    let mut page = "<title>t</title><style>/* c */ #main,.side{width:70%;float:left} @media x{p{margin-top:1em}}</style>\
        <div class=side>Share &amp; print, login</div><div id=main><h1>雨下了一天</h1>"
        .to_owned();
    for paragraph in 0..=number * 3 {
        write!(
            page,
            "<p>Paragraph {paragraph} of&nbsp;page {number}, <a href=x>linked</a>. 道路封闭。</p>"
        )
        .expect("a text takes all");
    }
    page + "</div><div class=side>Copyright, contact us</div>"
}
