use super::*;
use huller_page::PageBuf;
use proptest::prelude::*;

fn published(html: &str) -> Option<(PublishedSource, String, String)> {
    let mut buffer = PageBuf::new();
    let mut out = Published { iso: "old".to_owned(), raw: "old".to_owned() };
    let source = find_published(&buffer.fill(html), &mut Scratch::default(), &mut out);
    assert_eq!(source.is_none(), out.iso.is_empty() && out.raw.is_empty());
    source.map(|source| (source, out.iso, out.raw))
}

fn iso(value: &str) -> Option<String> {
    let mut out = Published::default();
    state(value, &mut out).then_some(out.iso)
}

fn in_text(text: &str) -> Option<(String, String)> {
    let (source, iso, raw) = published(&format!("<p>{text}</p>"))?;
    assert_eq!(source, PublishedSource::Text);
    Some((iso, raw))
}

fn pair(iso: &str, raw: &str) -> (String, String) {
    (iso.to_owned(), raw.to_owned())
}

#[test]
fn sources_come_in_their_order() {
    let meta = "<meta name=date content=2001-01-01><meta property='Article:Published_Time' content='2010-01-30T08:05:09.123+08:00'>";
    let ld = r#"<script type="application/ld+json">{"dateCreated": "2011-01-01", "x": {"datePublished":"2012-02-03"}}</script>"#;
    let time = "<time>yesterday</time><time datetime=soon></time><time datetime='2013-04-05 06:07'>then</time>";
    let text = "<p>2014/5/6</p>";
    let all = [meta, ld, time, text];
    let expected = [
        (PublishedSource::Meta, "2010-01-30T08:05:09+08:00", "2010-01-30T08:05:09.123+08:00"),
        (PublishedSource::JsonLd, "2012-02-03", "2012-02-03"),
        (PublishedSource::Time, "2013-04-05T06:07", "2013-04-05 06:07"),
        (PublishedSource::Text, "2014-05-06", "2014/5/6"),
    ];
    for (first, (source, iso, raw)) in expected.into_iter().enumerate() {
        let found = published(&all[first..].concat());
        assert_eq!(found, Some((source, iso.to_owned(), raw.to_owned())));
    }
    assert_eq!(published("<title>2010-01-02</title><p>no date</p>"), None);
}

#[test]
fn meta_that_is_no_date_or_of_a_change_is_passed_over() {
    let html = "<meta name=pubdate content=unknown><meta name=date_modified content=2012-01-01>\
        <meta name=dateUpdated content=2012-01-01><meta itemprop=datePublished content='Jan 5, 2010'>";
    let (source, iso, raw) = published(html).unwrap();
    assert_eq!((source, &*iso, &*raw), (PublishedSource::Meta, "2010-01-05", "Jan 5, 2010"));
    assert_eq!(published("<meta name=date content=2010-13-01><meta name=datex>"), None);
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
    ] {
        assert_eq!(iso(value).as_deref(), Some(expected), "{value}");
    }
    for value in ["", "soon", "2010", "201001", "20101301", "99 May 2001", "15 Nov", "12-31-2010"] {
        assert_eq!(iso(value), None, "{value}");
    }
}

#[test]
fn the_text_is_searched_for_full_years_first() {
    let text = "5月6日 · 10-05-07 · 2010.5.8 · 2011-01-01";
    assert_eq!(in_text(text), Some(pair("2010-05-08", "2010.5.8")));
    assert_eq!(in_text("5月6日 8:05 · 98-05-07"), Some(pair("1998-05-07", "98-05-07")));
    assert_eq!(in_text("on 5月6日 8:05"), Some(pair("--05-06T08:05", "5月6日 8:05")));
    assert_eq!(
        in_text("2010年 5月 8日12：30：01"),
        Some(pair("2010-05-08T12:30:01", "2010年 5月 8日12：30：01"))
    );
    assert_eq!(
        in_text("2010-5-8&nbsp;&nbsp;9:00 - 10:00"),
        Some(pair("2010-05-08T09:00", "2010-5-8 9:00"))
    );
    assert_eq!(in_text("2010-5-8 25:00"), Some(pair("2010-05-08", "2010-5-8")));
}

#[test]
fn numbers_that_only_look_like_dates_are_none() {
    for text in [
        "2010-13-01",
        "2010-1-32",
        "2010-1/2",
        "12010-1-2",
        "2010-1-201",
        "1.10.1.2",
        "05/17/2010",
        "5月6",
        "13月1日",
    ] {
        assert_eq!(in_text(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_will_do(text in "([0-9]{1,4}|[-/.年月日:T ：Z+]|GMT|May|[a-z中\u{301}]|<time datetime=|<meta name=date content=|>){0,30}") {
        if let Some((_, iso, raw)) = published(&text) {
            prop_assert!(iso.is_ascii() && !raw.is_empty());
            // What is normal already stays as it is.
            if !iso.starts_with("--") {
                let mut again = Published::default();
                prop_assert!(state(&iso, &mut again));
                prop_assert_eq!(again.iso, iso);
            }
        }
    }
}
