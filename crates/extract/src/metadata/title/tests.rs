use super::*;
use huller_page::PageBuf;
use proptest::prelude::*;

fn title(html: &str) -> (Option<TitleSource>, String) {
    let mut buffer = PageBuf::new();
    let mut out = String::new();
    let source = find_title(&buffer.fill(html), &mut Scratch::default(), &mut out);
    (source, out)
}

fn found(source: TitleSource, text: &str) -> (Option<TitleSource>, String) {
    (Some(source), text.to_owned())
}

#[test]
fn what_title_and_a_heading_share_comes_first() {
    let html = "<title>River rises &amp; falls - The Daily Rain</title><meta property=og:title content=Other>\
        <h3>The Daily</h3><h1> River\n<b>rises</b> &amp; <i>falls</i></h1>";
    assert_eq!(title(html), found(TitleSource::TitleAndHeading, "River rises & falls"));
    // Four in common are chance.
    let html = "<title>Rain - The Daily</title><h1>Rain!</h1><meta name=twitter:title content=T>\
        <meta property=OG:Title content=' Rain &quot;all&quot;\n day '>";
    assert_eq!(title(html), found(TitleSource::Meta, "Rain \"all\" day"));
}

#[test]
fn json_ld_title_and_heading_follow() {
    let ld = "<script type=application/ld+json>{\"headline\": \"\", \"headline\":\"Rain \\u0026amp; sun\"}</script>";
    assert_eq!(
        title(&format!("<title>A title</title><meta name=dc:title content=' '>{ld}")),
        found(TitleSource::JsonLd, "Rain & sun")
    );
    assert_eq!(title("<title>Rain | Daily</title>"), found(TitleSource::Title, "Rain"));
    assert_eq!(title("<title>TV - Daily</title>"), found(TitleSource::Title, "TV - Daily"));
    assert_eq!(title("<h5>no</h5><h4></h4><h2>a<br>b</h2>"), found(TitleSource::Heading, "a b"));
    assert_eq!(title("<h5>no</h5><p>text"), (None, String::new()));
}

#[test]
fn words_of_two_elements_are_parted_as_on_the_page() {
    let html = "<h1><b>one</b> <i>two</i><div>three</div>four<!-- -->five <span> six</span></h1>";
    assert_eq!(title(html).1, "one two three fourfive six");
}

#[test]
fn no_title_is_longer_than_it_may_be() {
    let long = "word ".repeat(1000);
    for html in [
        format!("<title>{long}</title>"),
        format!("<title>{long}</title><h1>{long}</h1>"),
        format!("<h1>{long}"),
        format!("<meta property=og:title content='{long}'>"),
    ] {
        let (source, text) = title(&html);
        assert!(source.is_some());
        assert!((195..=LONGEST).contains(&text.chars().count()), "{text}");
        assert_eq!(text.trim(), text);
    }
}

#[test]
fn open_headings_one_in_another_cost_little() {
    let html = format!("<title>{}</title>{}", "x".repeat(200), "<h1>y<h2>".repeat(20_000));
    assert_eq!(title(&html).0, Some(TitleSource::Title));
}

proptest! {
    #[test]
    fn the_longest_common_stretch_equals_the_definition(a in "[ab ]{0,30}", b in "[ab ]{0,30}") {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let mut longest = 0..0;
        for start in 0..a.len() {
            for end in start + 1..=a.len() {
                let stretch = &a[start..end];
                let shared = b.windows(stretch.len()).any(|window| window == stretch);
                // The first to end wins.
                let sooner = stretch.len() == longest.len() && end < longest.end;
                if shared && (stretch.len() > longest.len() || sooner) {
                    longest = start..end;
                }
            }
        }
        prop_assert_eq!(longest_common(&a, &b, &mut Vec::new()), trimmed(&a, longest));
    }

    #[test]
    fn any_page_will_do(html in "(<title>|<h1>|<meta property=og:title content=|</?b>|<script type=application/ld\\+json>|\"headline\": ?\"|[a-z中 &<>\"\\\\-]{0,9}){0,20}") {
        let (source, text) = title(&html);
        prop_assert_eq!(source.is_some(), !text.is_empty());
        prop_assert!(text.chars().count() <= LONGEST);
    }
}
