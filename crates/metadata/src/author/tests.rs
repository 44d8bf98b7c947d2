use super::super::reader::tests::{Found, read};
use super::*;

/// Where the author was found, and the author.
fn found(html: &str) -> (Option<Source>, String) {
    let Found { author_source, author, .. } = Found::of(html);
    (author_source, author)
}

fn pair(source: Source, name: &str) -> (Option<Source>, String) {
    (Some(source), name.to_owned())
}

/// A page with a byline under its headline.
fn byline(html: &str) -> (Option<Source>, String) {
    found(&format!(
        "<title>Rain falls</title><div>Home</div><h1>Rain falls</h1>{html}<p>It rained.</p>"
    ))
}

#[test]
fn sources_come_in_their_order() {
    let json = "<script type=application/ld+json>{\"author\":[{\"name\":\"Ann \\u0026 Co\"},\"Bob\",\"Bob\"]}</script>";
    let meta = "<meta name=author content='Cid&eacute;'>";
    let class = "<p class=byline>By Dan Doe</p>";
    let rel = "<a rel='nofollow author' href=/dan>Eve Ray</a>";
    let all = [json, meta, class, rel];
    assert_eq!(found(&all.concat()), pair(Source::JsonLd, "Ann & Co, Bob"));
    assert_eq!(found(&all[1..].concat()), pair(Source::Meta, "Cidé"));
    assert_eq!(byline(&all[2..].concat()), pair(Source::Marked, "Eve Ray"));
    assert_eq!(byline(class), pair(Source::Class, "Dan Doe"));
    assert_eq!(byline("<p>By Fay Fox</p>"), pair(Source::Text, "Fay Fox"));
    assert_eq!(byline(""), (None, String::new()));
}

#[test]
fn addresses_are_not_names_of_authors() {
    let html = "<meta property=article:author content='https://x.test/ann'><meta name=dc.creator content='Bob'>\
        <meta name=author content='@ann'>";
    assert_eq!(found(html), pair(Source::Meta, "Bob"));
    let html = "<script type=application/ld+json>{\"author\":\"http://x.test/ann\"}</script><meta name=author content='By Bob'>";
    assert_eq!(found(html), pair(Source::Meta, "Bob"));
    assert_eq!(found("<meta name=author content='1234'>"), (None, String::new()));
    let html = "<meta name=author content='Jo von Au'>";
    assert_eq!(found(html), pair(Source::Meta, "Jo von Au"));
}

#[test]
fn several_names_are_kept_once_and_have_a_bounded_length() {
    let meta = |name: &str| format!("<meta name=citation_author content='{name}'>");
    let html = [meta("Ann"), meta("Bob"), meta("Ann")].concat();
    assert_eq!(read(&html, None).author, "Ann, Bob");
    let html: String = (0..9).map(|n| meta(&format!("{}{n}", "Long name ".repeat(4)))).collect();
    let author = read(&html, None).author;
    assert!((150..=LONGEST_AUTHOR).contains(&author.chars().count()), "{author}");
}

#[test]
fn only_the_name_of_a_byline_is_taken() {
    for (line, expected) in [
        ("By <a href=/a>Ann Ray</a> on May 5, 2019", "Ann Ray"),
        ("Written by Ann Ray on 5 May 2019", "Ann Ray"),
        ("by: Ann Ray | Updated today", "Ann Ray"),
        ("Von Anna Reh, 5. Mai 2019", "Anna Reh"),
        ("Par Anne Ré et Luc Roi — le 5 mai", "Anne Ré et Luc Roi"),
        ("作者：王小明 2019-05-05", "王小明"),
        ("Ursula von der Leyen", "Ursula von der Leyen"),
        ("Publicado por Ana Ruiz", "Ana Ruiz"),
        ("ANN RAY and BOB ROY", "ANN RAY and BOB ROY"),
    ] {
        let html = format!("<div class='post-author x'>{line}</div>");
        assert_eq!(byline(&html), pair(Source::Class, expected), "{line}");
    }
    for line in ["2019-05-05", "42 comments", &"word ".repeat(30), "<img src=a.png>"] {
        assert_eq!(
            byline(&format!("<div class=byline>{line}</div>")),
            (None, String::new()),
            "{line}"
        );
    }
}

#[test]
fn elements_are_marked_in_several_ways() {
    for mark in ["itemprop=author", "itemprop='x author'", "rel=author", "href='/author/ann'"] {
        let html = format!("<a {mark}>Ann Ray</a>");
        assert_eq!(byline(&html), pair(Source::Marked, "Ann Ray"), "{mark}");
    }
    for mark in ["class=pageAuthor", "id=byline", "class='a Byline b'"] {
        assert_eq!(
            byline(&format!("<p {mark}>Ann Ray</p>")),
            pair(Source::Class, "Ann Ray"),
            "{mark}"
        );
    }
    for mark in ["title=author", "data-x=byline", "rel=authority"] {
        assert_eq!(byline(&format!("<p {mark}>Ann Ray</p>")), (None, String::new()), "{mark}");
    }
}

#[test]
fn text_must_begin_with_by_and_a_name() {
    assert_eq!(byline("<p>By <b>Ann Ray</b></p>"), pair(Source::Text, "Ann Ray"));
    for text in ["By using this site you agree", "Bye Ann", "Says Ann Ray"] {
        assert_eq!(byline(&format!("<p>{text}</p>")), (None, String::new()), "{text}");
    }
}

#[test]
fn text_far_from_the_headline_is_ignored() {
    let far = format!("{}<p class=byline>Ann Ray</p>", "<p>text</p>".repeat(200));
    assert_eq!(byline(&far), (None, String::new()));
}
