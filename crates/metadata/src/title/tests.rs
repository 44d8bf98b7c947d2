use super::super::reader::tests::{MetadataResult, read};
use super::*;
use proptest::prelude::*;

fn title(html: &str) -> String {
    read(html, None).title
}

/// Returns the source of the title, and the title.
fn found(html: &str) -> (Option<Source>, String) {
    let MetadataResult { title_source, title, .. } = MetadataResult::of(html);
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
        "<title>Don\u{2019}t Panic, it's rain</title><h1>DON'T PANIC</h1><h3>Don\u{2019}t Pan</h3>";
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
    let only =
        "<h1></h1><h1>Quite another matter altogether</h1><h1>Quite another matter altogether</h1>";
    assert_eq!(html(only, meta), pair(Source::OnlyHeading, "Quite another matter altogether"));
    // A few words that are missing from the stated title form a label.
    assert_eq!(html("<h1>0 Comments</h1>", meta), pair(Source::Meta, "Rain \"all\" day"));
    let two = "<h1>One thing</h1><h1>Other thing</h1>";
    assert_eq!(html(two, meta), pair(Source::Meta, "Rain \"all\" day"));
    assert_eq!(html(two, json), pair(Source::JsonLd, "Rain & sun"));
    assert_eq!(html(two, ""), pair(Source::Title, "A day"));
    assert_eq!(found(two), pair(Source::Heading, "One thing"));
    assert_eq!(found("<h5>no</h5><h2>a<br>b</h2>"), pair(Source::Heading, "no"));
    assert_eq!(found("<p>text"), (None, String::new()));
}

/// Returns the title of a page without headings. The page has this `<title>`, these elements in its
/// head, and this text.
fn of_title(title: &str, head: &str, body: &str) -> String {
    read(
        &format!("<head><title>{title}</title>{head}</head><body><p>It rained.</p>{body}"),
        Some("https://www.lake-daily.test/sport/x1"),
    )
    .title
}

#[test]
fn the_name_of_the_site_is_cut_off_where_the_page_states_it() {
    let site = "<meta property=og:site_name content='The Gazette'>";
    let publisher = "<script type=application/ld+json>{\"@type\":\"Thing\",\"publisher\":{\"name\":\"The Gazette\"}}</script>";
    let application = "<meta name=application-name content='Gazette'>";
    for head in [site, publisher, application] {
        for (line, expected) in [
            ("Boats are back | The Gazette", "Boats are back"),
            ("The Gazette | Boats are back", "Boats are back"),
            ("The Gazette: Boats are back", "Boats are back"),
            ("The Gazette \u{bb} Boats are back", "Boats are back"),
            ("Boats - and trains - are back \u{2014} The Gazette", "Boats - and trains - are back"),
            ("Boats are back (The Gazette)", "Boats are back"),
            ("Boats are back. The Gazette", "Boats are back"),
            ("Boats are back - Sport - The Gazette", "Boats are back"),
            ("Boats are back? | The Gazette", "Boats are back?"),
            ("Les bateaux : un retour | The Gazette", "Les bateaux : un retour"),
            ("The Gazette", "The Gazette"),
        ] {
            assert_eq!(of_title(line, head, ""), expected, "{line} {head}");
        }
    }
    assert_eq!(of_title("Lake Daily - Boats are back", "", ""), "Boats are back");
    assert_eq!(of_title("Boats are back - LakeDaily", "", ""), "Boats are back");
    assert_eq!(of_title("Gazette - Boats are back", "", "<a href=/>Gazette</a>"), "Boats are back");
    assert_eq!(
        of_title("Boats are back | LD", "<meta property=og:site_name content='Lake Daily'>", ""),
        "Boats are back"
    );
    let motto = "<meta property=og:site_name content='Lake Daily - News since 1903'>";
    assert_eq!(of_title("Boats are back - Lake Daily", motto, ""), "Boats are back");
}

#[test]
fn only_the_name_of_the_site_is_cut_off() {
    let site = "<meta property=og:site_name content='The Lake Gazette'>";
    for line in [
        "Ferry: no boats",
        "Boats, explained",
        "Boats \u{2013} part three",
        "Reed | Rope",
        "Are boats back? Not yet",
        "Boats (again)",
        "Sport: boats are back again",
        "v3.2 - Notes on the boats",
        "Boats are back: Lake Gazette wins",
        "No boats, The Lake Gazette finds",
    ] {
        for stated in [
            format!("{line} - The Lake Gazette"),
            format!("{line} | Lake Gazette"),
            format!("The Lake Gazette | {line}"),
        ] {
            assert_eq!(of_title(&stated, site, ""), line, "{stated}");
        }
    }
    let twice = "Boats are back - Gazette - The Lake Gazette";
    assert_eq!(of_title(twice, site, ""), "Boats are back - Gazette");
    let long = "<meta property=og:site_name content='Radio Four Lakes North and South'>";
    let stated = "Boats are back, at last - Radio Four Lakes North and South";
    assert_eq!(of_title(stated, long, ""), "Boats are back, at last");
    // A link to the page itself does not name the site.
    let link = "<a href=./>Boats - Guide</a>";
    assert_eq!(of_title("Boats - Guide - The Lake Gazette", site, link), "Boats - Guide");
}

#[test]
fn a_section_beside_the_name_of_the_site_is_cut_off() {
    let of = |line: &str, path: &str| {
        let url = format!("https://gazette.test{path}");
        read(&format!("<title>{line}</title><p>It rained."), Some(&url)).title
    };
    for line in [
        "Boats are back again - Sport - Gazette",
        "Gazette - Sport - Boats are back again",
        "Gazette - Lake Sport: Boats are back again",
    ] {
        assert_eq!(of(line, "/sport/x1"), "Boats are back again", "{line}");
    }
    // The path may contain the headline.
    assert_eq!(of("Gazette - Sport - Boats are back", "/sport/boats-are-back"), "Boats are back");
    assert_eq!(of("Gazette - Guide - Boats", "/guide/boats"), "Guide - Boats");
}

#[test]
fn a_kicker_that_is_stated_too_is_not_the_headline() {
    let json = "<script type=application/ld+json>{\"@type\":\"Article\",\"headline\":\"How boats come back\"}</script>";
    let html = format!(
        "<meta property=og:title content='Boats for the lake'>{json}<h1><span>Boats for the lake</span> How boats come back</h1>"
    );
    assert_eq!(title(&html), "How boats come back");
}

#[test]
fn a_title_without_a_value_gives_way_to_the_next_source() {
    for stated in ["undefined", "null", "[object Object]", "{{ boat.title }}", "%title%"] {
        for end in ["", " | Gazette"] {
            let html = format!(
                "<meta property=og:site_name content=Gazette><meta property=og:title content='{stated}{end}'><title>Boats are back{end}</title>"
            );
            assert_eq!(title(&html), "Boats are back", "{stated}{end}");
        }
        assert_eq!(title(&format!("<title>{stated}</title><h4>Boats</h4>")), "Boats", "{stated}");
    }
}

#[test]
fn marks_of_the_title_itself_stay() {
    let twice = |line: &str| {
        let meta = format!(
            "<meta property=og:site_name content=Gazette><meta property=og:title content=\"{line}\">"
        );
        [of_title(line, &meta, ""), of_title(line, "", "")]
    };
    for line in [
        "Work - life balance on the lake",
        "Trains: a story",
        "Paris : le retour",
        "Use snake_case in Python",
        "Rain-fall and wind\u{2013}speed",
        "Boats \u{2014} a short history",
        "Reed | Rope | Tar: how to mend a boat and a net",
        "3 - 2 for the home team",
        "C++ / Rust interop",
        "What? Why? How?",
        "(Not) a boat",
        "Lake levels, 2019 - 2021",
    ] {
        assert_eq!(twice(line), [line, line]);
    }
}

#[test]
fn a_name_that_nothing_states_is_cut_off_if_it_looks_like_one() {
    for (line, expected) in [
        ("Rain falls | Daily", "Rain falls"),
        ("Rain-fall is low - Daily News", "Rain-fall is low"),
        ("Rain falls \u{bb} Daily", "Rain falls"),
        ("Use snake_case in Python - The Gazette", "Use snake_case in Python"),
        ("Rain falls hard - World - Sport - Northern News", "Rain falls hard"),
        ("Rain falls hard -- Daily", "Rain falls hard"),
        (
            "\u{4eca}\u{65e5}\u{65b0}\u{95fb}\u{6c34}\u{4f4d}\u{4e0a}\u{6da8}_\u{4e2d}\u{56fd}",
            "\u{4eca}\u{65e5}\u{65b0}\u{95fb}\u{6c34}\u{4f4d}\u{4e0a}\u{6da8}",
        ),
        ("TV | Daily", "TV | Daily"),
        ("Rain falls - part two", "Rain falls - part two"),
    ] {
        assert_eq!(of_title(line, "", ""), expected);
    }
    // A part that the page shows as a text of its own is the title.
    let shown = "<div><b>Rain falls on us</b></div>";
    assert_eq!(
        of_title("The Very Long Name of a Paper | Rain falls on us", "", shown),
        "Rain falls on us"
    );
    assert_eq!(of_title("Paper : News : Rain falls on us", "", shown), "Rain falls on us");
}

#[test]
fn a_category_or_a_subtitle_is_no_title() {
    let of = |stated: &str, headings: &str| {
        title(&format!(
            "<title>{stated} | The Gazette</title><meta property=og:title content='{stated}'><h6>x</h6>{headings}"
        ))
    };
    let stated = "Why the ferry to Tarvelle is late again";
    for category in
        ["<h4>Ferry</h4>", "<h2>Tarvelle</h2>", "<h3>The ferry</h3>", "<h5>Late again</h5>"]
    {
        for headline in
            ["<h1>Late boats, angry bakers: nobody knows</h1>", "<h2>Late boats</h2>", ""]
        {
            let found = of(stated, &format!("{category}{headline}"));
            let headline = "Late boats, angry bakers: nobody knows";
            assert!(found == stated || found == headline, "{category} {found}");
        }
    }
    let stated = "Reed 41 Waterproof Lake Fishing Boat (Extra Wide). Reed Boats";
    for subtitle in [
        "<h2>Waterproof Lake Fishing Boat</h2>",
        "<h3>Extra Wide</h3>",
        "<h2>Lake Fishing Boat</h2>",
    ] {
        assert_eq!(of(stated, &format!("<h1>Reed 41</h1>{subtitle}")), "Reed 41");
        assert_eq!(of(stated, &format!("{subtitle}<h1>Reed 41</h1>")), "Reed 41");
    }
    // The heading that begins `<title>`, not the one at its end, which names the site.
    let html = "<title>What is rain? - The Book of Weather</title><h1>The Book of Weather</h1><h2>What is rain?</h2>";
    assert_eq!(title(html), "What is rain?");
}

#[test]
fn a_kicker_in_the_headline_is_left_out() {
    let of = |heading: &str| {
        title(&format!(
            "<meta property=og:title content='Rain falls on the lake'><h1>{heading}</h1>"
        ))
    };
    for heading in [
        "<span>Weather</span> Rain falls on the lake",
        "<div>Weather</div><div>Rain falls on the lake</div>",
        "Rain falls on the lake <small>2 May 2019</small>",
        "<span>Weather</span><b>Rain falls on</b> the lake",
    ] {
        assert_eq!(of(heading), "Rain falls on the lake", "{heading}");
    }
    // Without marked-up ends the heading stays whole.
    assert_eq!(of("Rain falls on the lake and the hills"), "Rain falls on the lake and the hills");
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
        assert!((195..=MAX_TITLE_CHARS).contains(&text.chars().count()), "{text}");
        assert_eq!(text.trim(), text);
    }
}

#[test]
fn nested_headings_take_little_time() {
    let html = format!("<title>{}</title>{}", "x".repeat(200), "<h1>y<h2>".repeat(20_000));
    assert_eq!(found(&html).0, Some(Source::Title));
}

proptest! {
    /// The test of the first letters never rejects a heading that is confirmed.
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
