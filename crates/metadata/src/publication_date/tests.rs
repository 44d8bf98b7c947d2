use super::super::reader::tests::{MetadataResult, read};
use super::*;
use proptest::prelude::*;

fn found(html: &str) -> (Option<Source>, String) {
    let MetadataResult { published_source, published, .. } = MetadataResult::of(html);
    (published_source, published)
}

fn pair(source: Source, iso: &str) -> (Option<Source>, String) {
    (Some(source), iso.to_owned())
}

fn iso(value: &str) -> Option<String> {
    let mut out = String::new();
    PartialDate::parse_stated(value)?.write_iso(&mut out);
    Some(out)
}

fn in_line(text: &str) -> Option<String> {
    let (source, iso) = found(&format!("<h1>Rain</h1><p>{text}</p>"));
    assert!(source.is_none_or(|source| source == Source::ShownLine));
    source.map(|_| iso)
}

#[test]
fn sources_come_in_their_order() {
    let meta = "<meta name=date content=2001-01-01><meta property='Article:Published_Time' content='2010-01-30T08:05:09.123+08:00'>";
    let ld = r#"<script type="application/ld+json">{"dateCreated": "2011-01-01", "datePublished":"2012-02-03"}</script>"#;
    let time = "<time>yesterday</time><time datetime=soon></time><time datetime='2013-04-05 06:07'>then</time>";
    let line = "<p>2014/5/6</p>";
    let all = [meta, ld, time, line];
    let expected = [
        (Source::Meta, "2010-01-30T08:05:09+08:00"),
        (Source::JsonLd, "2012-02-03"),
        (Source::Time, "2013-04-05T06:07"),
        (Source::ShownLine, "2014-05-06"),
    ];
    for (first, (source, iso)) in expected.into_iter().enumerate() {
        assert_eq!(found(&all[first..].concat()), pair(source, iso));
    }
    assert_eq!(found("<title>2010-01-02</title><p>no date</p>"), (None, String::new()));
}

#[test]
fn the_address_comes_before_the_text() {
    let date = |url: &str| read("<p>2014/5/6</p>", Some(url)).published;
    for url in [
        "https://x.test/2010/01/30/rain",
        "http://x.test/news/2010-01-30-rain.html",
        "https://x.test/20100130/x",
        "/a/2010/0130",
    ] {
        assert_eq!(date(url), "2010-01-30", "{url}");
    }
    for url in [
        "https://x.test/2010/13/30/",
        "https://x.test/2010/1/30/",
        "https://x.test/x?d=/2010/01/30/",
        "https://x.test/12010/01/30/",
        "https://x.test/20100130123/",
        "https://2010/",
        "",
    ] {
        assert_eq!(date(url), "2014-05-06", "{url}");
    }
}

#[test]
fn meta_elements_without_a_date_or_for_changes_are_ignored() {
    let html = "<meta name=pubdate content=unknown><meta name=date_modified content=2012-01-01>\
        <meta name=dateUpdated content=2012-01-01><meta itemprop=datePublished content='Jan 5, 2010'>";
    assert_eq!(found(html), pair(Source::Meta, "2010-01-05"));
    assert_eq!(
        found("<meta name=date content=2010-13-01><meta name=datex>"),
        (None, String::new())
    );
    for name in ["article&#x3A;published_time", "ms.date"] {
        let html = format!("<meta property='{name}' content=2010-01-05>");
        assert_eq!(found(&html), pair(Source::Meta, "2010-01-05"));
    }
}

#[test]
fn stated_dates_may_be_written_in_many_ways() {
    for (value, expected) in [
        ("2010-01-30", "2010-01-30"),
        (" 2010/1/3 7:05 ", "2010-01-03T07:05"),
        ("2010-01-30T08:05:09Z", "2010-01-30T08:05:09Z"),
        ("2010-01-30T08:05:09-0330", "2010-01-30T08:05:09-03:30"),
        ("发布时间：2010年1月30日 08:05", "2010-01-30T08:05"),
        ("20100130", "2010-01-30"),
        ("20100130080509", "2010-01-30T08:05:09"),
        ("Tue, 15 Nov 1994 08:12:31 GMT", "1994-11-15T08:12:31Z"),
        ("Tue, 15 Nov 1994 08:12:31 +0100", "1994-11-15T08:12:31+01:00"),
        ("November 15th, 1994", "1994-11-15"),
        ("3 may 2001", "2001-05-03"),
        ("15. März 2001", "2001-03-15"),
        ("1er août 2001", "2001-08-01"),
        ("3 de mayo de 2001", "2001-05-03"),
        ("30.1.2010 8:05", "2010-01-30T08:05"),
        ("30/1/2010", "2010-01-30"),
        ("1/30/2010", "2010-01-30"),
        ("5/5/2010", "2010-05-05"),
    ] {
        assert_eq!(iso(value).as_deref(), Some(expected), "{value}");
    }
    for value in [
        "",
        "soon",
        "2010",
        "201001",
        "20101301",
        "99 May 2001",
        "15 Nov",
        "5/6/2010",
        "0001-01-01T00:00:00",
        "9999-12-31",
        "3 marketing 2001",
        "ma 3 2001",
    ] {
        assert_eq!(iso(value), None, "{value}");
    }
}

#[test]
fn dates_in_lines_around_the_headline_are_found() {
    for (text, expected) in [
        ("2010年 5月 8日12：30：01", "2010-05-08T12:30:01"),
        ("2010-5-8 9:00 - 10:00", "2010-05-08T09:00"),
        ("2010-5-8 25:00", "2010-05-08"),
        ("Posted on May 5, 2019 by Ann", "2019-05-05"),
        ("Stand: 08.05.2019, 12:30 Uhr", "2019-05-08"),
    ] {
        assert_eq!(in_line(text).as_deref(), Some(expected), "{text}");
    }
    let far = format!("{}2010-01-30", "<p>text</p>".repeat(300));
    assert_eq!(in_line(&far), None);
    assert_eq!(in_line(&format!("2010-01-30 {}", "text ".repeat(30))), None);
}

#[test]
fn text_that_only_looks_like_a_date_is_ignored() {
    for text in [
        "2010-13-01",
        "2010-1-32",
        "2010-1/2",
        "12010-1-2",
        "2010-1-201",
        "1.10.1.2010",
        "05/06/2010",
        "5月6",
        "98-05-07",
        "You may pay 5 dollars in 2019",
        "May 2019",
        "5 comments, 2019 views",
    ] {
        assert_eq!(in_line(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_gives_no_date_or_one_in_normal_form(text in "([0-9]{1,4}|[-/.年月日:T ：Z+]|GMT|May|[a-zé中\u{301}]|<time datetime=|<meta name=date content=|>){0,30}") {
        let (source, date) = found(&text);
        prop_assert_eq!(source.is_none(), date.is_empty());
        // A date in normal form is not changed.
        prop_assert!(date.is_empty() || iso(&date) == Some(date));
    }
}

#[test]
fn days_that_the_calendar_lacks_give_way_to_the_next_source() {
    let meta = |value: &str| format!("<meta property=article:published_time content='{value}'>");
    for value in [
        "2023-02-30",
        "2023-02-29",
        "1900-02-29",
        "2023-13-01",
        "2023-00-10",
        "2023-04-31",
        "2023-06-31T10:00:00Z",
        "2023-01-32",
        "31 June 2023",
        "20230230",
        "30.02.2023",
        "1970-01-01",
        "1970-01-01T00:00:00Z",
        "2199-01-01",
        "9999-12-31",
        "0000-00-00",
        "Feb 30, 2023",
    ] {
        assert_eq!(found(&meta(value)), (None, String::new()), "{value}");
        let next = format!("{}<time datetime=2021-03-04>then</time>", meta(value));
        assert_eq!(found(&next), pair(Source::Time, "2021-03-04"), "{value}");
        let json = format!(
            "<script type=application/ld+json>{{\"datePublished\":\"{value}\",\"dateCreated\":\"2021-03-05\"}}</script>"
        );
        assert_eq!(found(&json), pair(Source::JsonLd, "2021-03-05"), "{value}");
        assert_eq!(in_line(value), None, "{value}");
    }
    for value in ["2024-02-29", "2000-02-29", "2023-12-31", "1970-01-02", "2023-06-30"] {
        assert_eq!(found(&meta(value)), pair(Source::Meta, value));
    }
}

#[test]
fn dates_beside_the_main_text_are_not_its_date() {
    let page = |inner: &str, after: &str| {
        found(&format!(
            "<main><article><h1>Rain falls on the lake</h1><p>It rained.</p>{inner}</article></main>{after}"
        ))
    };
    let time = "<time datetime=2026-06-01>1 June 2026</time>";
    let line = "<p>1 June 2026</p>";
    for date in [time, line] {
        for part in [
            format!(
                "<div class=related-posts><h3>Suggested</h3><article class=card>{date}</article></div>"
            ),
            format!("<section id=recommended>{date}</section>"),
            format!("<div class='c-RelatedStories'>{date}</div>"),
            format!("<aside><h3>Most read</h3>{date}</aside>"),
            format!("<article><h4>Another story</h4>{date}</article>"),
            format!("<ol class=comment-list><li>{date}</li></ol>"),
            format!("<div id=comments><div>{date}</div></div>"),
            format!("<nav>{date}</nav>"),
            format!("<div class=trending>{date}</div>"),
            format!("<div class='popular-posts'>{date}</div>"),
            format!("<form>{date}</form>"),
        ] {
            assert_eq!(page(&part, ""), (None, String::new()), "{part}");
            assert_eq!(page("", &part), (None, String::new()), "{part}");
        }
        assert_eq!(page("", &format!("<footer>{date}</footer>")), (None, String::new()));
        assert_eq!(page(&format!("<footer>{date}</footer>"), "").1, "2026-06-01");
        assert_eq!(page(&format!("<aside>{date}</aside>"), "").1, "2026-06-01");
    }
    let card = format!("<div class=related>{time}</div>");
    assert_eq!(page(&card, "<p>March 3, 2026</p>"), pair(Source::ShownLine, "2026-03-03"));
    assert_eq!(
        page(&format!("{card}<time datetime=2026-03-03></time>"), ""),
        pair(Source::Time, "2026-03-03")
    );
}

#[test]
fn dates_of_other_things_are_not_the_date_of_the_page() {
    let text = "<p>It rained on the lake all day, and the boats stayed in the harbour until the bell of the pier rang at nine.</p>";
    let page = |before: &str, after: &str| {
        found(&format!("<h1>Rain</h1>{before}{}{after}", text.repeat(4)))
    };
    for line in [
        "<p>Deadline: 5 May 2019</p>",
        "<p>Event: Boat race, 5 May 2019, 7 pm</p>",
        "<p>She was born on 5 May 2019 in Tarvelle.</p>",
        "<p>The pier was built on <time datetime=2019-05-05>5 May 2019</time> by us.</p>",
        "<p>The pier was built on <b>5 May 2019</b> by the town.</p>",
        "<p><b>Born:</b> 5 May 2019</p>",
        "<table><tr><td>Built<td>5 May 2019</table>",
        "<dl><dt>Opened<dd>5 May 2019</dl>",
        "<ul><li>5 May 2019: opened</li><li>6 May 2019: closed</li></ul>",
        "<p>Source: Lake Book, retrieved 5 May 2019</p>",
        "<div class=reviews><time datetime=2019-05-05>5 May</time></div>",
        "<div class=event-list><time datetime=2019-05-05>5 May</time> Boat race</div>",
        "<div class=ticker><time datetime=2019-05-05>5 May</time></div>",
        "<div class=topbar>Sunday, 5 May 2019</div>",
    ] {
        assert_eq!(page(line, ""), (None, String::new()), "{line}");
        assert_eq!(page("", line), (None, String::new()), "{line}");
    }
    for line in [
        "<p>Last updated: 5 May 2019</p>",
        "<table><tr><td>5 May 2019<td>3 boats</table>",
        "<ul><li><a href=/2019/05>May 5, 2019</a></ul>",
        "<p>Boat race, 5 May 2019</p>",
        "<div class=card><h3><a href=/x>Sun shines</a></h3><time datetime=2019-05-05></time></div>",
        "<div class=more-stories><a href=/x>Sun</a> <span>5 May 2019</span></div>",
    ] {
        assert_eq!(page("", line), (None, String::new()), "{line}");
    }
    for line in [
        "<p>Ann Ray, Tarvelle, 5 May 2019</p>",
        "<p>By Ann Ray, Tarvelle, 5 May 2019</p>",
        "<p>Last updated: 5 May 2019</p>",
        "<ul><li>5 May 2019</li><li>3 comments</li></ul>",
        "<p>Posted <time datetime=2019-05-05>5 May 2019</time> by Ann.</p>",
    ] {
        assert_eq!(page(line, "").1, "2019-05-05", "{line}");
    }
    for line in ["<p>Published on 5 May 2019</p>", "<p>By Ann Ray, 5 May 2019</p>"] {
        assert_eq!(page("", line).1, "2019-05-05", "{line}");
    }
    let bar = "<div>Sunday, 5 May 2019</div>";
    let navigation = "<nav><a href=/a>Boats</a></nav><h1>Rain</h1>";
    assert_eq!(found(&format!("<body>{bar}{navigation}")), (None, String::new()));
    assert_eq!(found(&format!("<body>{bar}<h1>Rain</h1>")).1, "2019-05-05");
    let list = "<h1>News</h1><article><h2><a href=/x>Sun</a></h2><time datetime=2019-05-05></time></article>";
    assert_eq!(found(list), (None, String::new()));
}

#[test]
fn the_date_of_publication_comes_before_others_of_its_kind() {
    let other = "<time datetime=2022-01-01>x</time>";
    for mark in [
        "itemprop=datePublished",
        "class='entry-date published'",
        "pubdate",
        "class='published updated'",
    ] {
        let html = format!("<h1>Rain</h1>{other}<time {mark} datetime=2021-02-03>x</time>");
        assert_eq!(found(&html).1, "2021-02-03", "{mark}");
    }
    for mark in ["itemprop=dateModified", "class=updated", "class='time-modified'"] {
        let html = format!("<h1>Rain</h1><time {mark} datetime=2021-02-03>x</time>{other}");
        assert_eq!(found(&html).1, "2022-01-01", "{mark}");
    }
    for element in [
        "<span itemprop=datePublished content=2021-02-03>x</span>",
        "<abbr itemprop='x datePublished' title='2021-02-03'>x</abbr>",
        "<span property='schema:datePublished' content='3 Feb 2021'>x</span>",
        "<span property='schema:dateCreated' content='3 Feb 2021'>x</span>",
    ] {
        assert_eq!(
            found(&format!("<h1>Rain</h1>{other}{element}")),
            pair(Source::Microdata, "2021-02-03"),
            "{element}"
        );
    }
}

#[test]
fn only_the_beginning_of_a_long_class_is_read() {
    let page = |class: &str| {
        found(&format!(
            "<title>Rain</title><div class='{class}'><time datetime=2024-03-01>x</time>"
        ))
    };
    assert_eq!(page("a related").0, None);
    let long = format!("{} related", "a".repeat(1000));
    assert_eq!(page(&long), pair(Source::Time, "2024-03-01"));
}
