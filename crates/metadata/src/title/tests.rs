use super::super::reader::tests::{Found, read};
use super::*;
use proptest::prelude::*;

fn title(html: &str) -> String {
    read(html, None).title
}

/// Where the title was found, and the title.
fn found(html: &str) -> (Option<Source>, String) {
    let Found { title_source, title, .. } = Found::of(html);
    (title_source, title)
}

fn pair(source: Source, text: &str) -> (Option<Source>, String) {
    (Some(source), text.to_owned())
}

#[test]
fn a_heading_that_is_confirmed_is_the_title() {
    let html = "<title>The Daily Rain - River rises &amp; falls</title><h3>The Daily</h3>\
        <h1> River\n<b>rises</b> &amp; <i>falls</i></h1><h2>River rises</h2>";
    assert_eq!(found(html), pair(Source::Confirmed, "River rises & falls"));
    // The `meta` title wins over `<title>`.
    let html = format!("<meta property='OG:Title' content='the daily!'>{html}");
    assert_eq!(found(&html), pair(Source::Confirmed, "The Daily"));
    let html = "<title>Moving - Docs</title><h1>Moving<a href=#moving>&para;</a></h1>";
    assert_eq!(found(html), pair(Source::Confirmed, "Moving"));
    // Case, marks and white space do not count; words do.
    let html =
        "<title>Don\u{2019}t Panic, it's rain</title><h2>DON'T PANIC</h2><h3>Don\u{2019}t Pan</h3>";
    assert_eq!(found(html), pair(Source::Confirmed, "DON'T PANIC"));
    let html =
        "<title>今日新闻 - 下雨了，河水上涨_中国</title><h1>下雨了，河水上涨</h1><h1>天气</h1>";
    assert_eq!(found(html), pair(Source::Confirmed, "下雨了，河水上涨"));
    let html = "<title>Ölpreis fällt | Blatt</title><h1>x</h1><h2>ÖLPREIS &Ouml;l</h2><h2>&Ouml;lpreis f&auml;llt</h2>";
    assert_eq!(found(html), pair(Source::Confirmed, "Ölpreis fällt"));
}

#[test]
fn the_name_of_the_site_is_not_a_headline() {
    let html = "<title>The Daily Rain: Sun</title><meta property=og:site_name content='The Daily Rain'>\
        <h1>The Daily Rain</h1>";
    assert_eq!(found(html), pair(Source::Title, "The Daily Rain: Sun"));
    let json =
        "<script type=application/ld+json>{\"@type\":\"WebSite\",\"name\":\"Daily\"}</script>";
    assert_eq!(title(&format!("{json}<h1>Daily</h1><h1>Sun rises</h1>")), "Sun rises");
}

#[test]
fn the_only_h1_comes_before_what_is_stated() {
    let meta = "<meta name=twitter:title content=' Rain &quot;all&quot;\n day | Daily '>";
    let json = "<script type=application/ld+json>{\"headline\": \"\", \"headline\":\"Rain \\u0026amp; sun\"}</script>";
    let html =
        |headings: &str, stated: &str| found(&format!("<title>A day</title>{stated}{headings}"));
    assert_eq!(html("<h1></h1><h1>Other</h1>", meta), pair(Source::OnlyHeading, "Other"));
    let two = "<h1>One thing</h1><h1>Other thing</h1>";
    assert_eq!(html(two, meta), pair(Source::Meta, "Rain \"all\" day"));
    assert_eq!(html(two, json), pair(Source::JsonLd, "Rain & sun"));
    assert_eq!(html(two, ""), pair(Source::Title, "A day"));
    assert_eq!(found(two), pair(Source::Heading, "One thing"));
    assert_eq!(found("<h5>no</h5><h2>a<br>b</h2>"), pair(Source::Heading, "no"));
    assert_eq!(found("<p>text"), (None, String::new()));
}

#[test]
fn the_name_of_the_site_is_cut_off() {
    for (line, expected) in [
        ("Rain falls | Daily", "Rain falls"),
        ("Rain falls_Daily", "Rain falls"),
        ("Rain-fall - Daily", "Rain-fall"),
        ("Rain falls \u{bb} Daily", "Rain falls"),
        ("Rain: a story", "Rain: a story"),
        ("TV | Daily", "TV | Daily"),
        ("Rain -- Daily", "Rain"),
    ] {
        assert_eq!(without_site(line), expected);
    }
}

#[test]
fn titles_have_a_bounded_length() {
    let long = "word ".repeat(1000);
    for html in [
        format!("<title>{long}</title>"),
        format!("<title>{long}</title><h1>{long}</h1>"),
        format!("<h2>{}</h2>", "word ".repeat(100)),
        format!("<meta property=og:title content='{long}'>"),
    ] {
        let text = title(&html);
        assert!((195..=LONGEST_TITLE).contains(&text.chars().count()), "{text}");
        assert_eq!(text.trim(), text);
    }
}

#[test]
fn nested_headings_take_little_time() {
    let html = format!("<title>{}</title>{}", "x".repeat(200), "<h1>y<h2>".repeat(20_000));
    assert_eq!(found(&html).0, Some(Source::Title));
}

proptest! {
    /// The test of the first letters passes over no heading that is confirmed.
    #[test]
    fn no_confirmed_heading_is_passed_over(stated in "[ab& ']{0,12}", heading in "[ab&é ']{1,6}") {
        let (mut text, mut words) = (String::new(), String::new());
        put_words(&stated, &mut text);
        put_words(&heading, &mut words);
        let html = format!("<h1>{}</h1>", heading.replace('&', "&amp;"));
        let mut buffer = huller_page::PageBuf::new();
        let page = buffer.fill(&html);
        let node = page.nodes().iter().position(|node| node.tag == Tag::H1).unwrap() as u32;
        if words.len() > 2 && contains(&text, &words) {
            prop_assert!(first_word(&page, node).is_none_or(|bit| beginnings(&text) & bit != 0));
        }
    }
}
