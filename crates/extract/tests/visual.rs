//! The extractors that cut pages into visual blocks: hostile pages take little time, and pages of a
//! known size allocate nothing.

use huller_extract::{Extractor, ExtractorFactory, Profile, Renderer, Selection, find};
use huller_page::PageBuf;
use huller_testkit::allocations::{CountingAllocator, count};
use huller_testkit::attack::shapes::{self, GOOD_TEXT, HIDDEN_TEXT};
use std::fmt::Write;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const PROFILES: [Profile; 2] = [Profile::Paper, Profile::Tuned];
/// Time limit for one page. Only work that grows with the square of the page takes so long.
const PATIENCE: Duration = Duration::from_secs(20);

fn extractors() -> impl Iterator<Item = &'static dyn ExtractorFactory> {
    ["dvps", "vips"].into_iter().filter_map(find)
}

/// Pages that aim at layout and segmentation: name, beginning, and what is repeated after it.
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
fn hostile_pages_take_little_time_and_hidden_text_stays_hidden() {
    let mut buffer = PageBuf::new();
    let (mut selection, mut text) = (Selection::default(), String::new());
    let mut body = find("body").expect("it is always there").worker(Profile::Paper);
    let attacks = shapes::SHAPES.iter().map(|shape| (shape.name, shape.page(300_000)));
    let shapes = SHAPES.iter().map(|(name, start, unit)| {
        (*name, format!("<p>{GOOD_TEXT}</p>{start}{}", unit.repeat(300_000 / unit.len())))
    });
    for (name, html) in attacks.chain(shapes) {
        let page = buffer.fill(&html);
        text.clear();
        body.extract(&page, &mut selection);
        Renderer::default().text(&page, &selection, &mut text);
        let nothing = text.is_empty();
        for extractor in extractors() {
            for profile in PROFILES {
                let mut worker = extractor.worker(profile);
                let started = Instant::now();
                let verdict = worker.extract(&page, &mut selection);
                let took = started.elapsed();
                let of = format!("{} {} on `{name}`", extractor.name(), profile.name());
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
    let mut buffer = PageBuf::new();
    let mut workers: Vec<Box<dyn Extractor>> = extractors()
        .flat_map(|extractor| PROFILES.map(|profile| extractor.worker(profile)))
        .collect();
    let mut selection = Selection::default();
    let mut pass = || {
        let (mut calls, mut roots) = (0, 0);
        for html in &pages {
            let page = buffer.fill(html);
            let before = count();
            for worker in &mut workers {
                worker.extract(&page, &mut selection);
                roots += selection.roots.len();
            }
            calls += count() - before;
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
