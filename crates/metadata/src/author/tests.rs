use super::super::reader::tests::{MetadataResult, read};
use super::*;

/// Returns the source of the author, and the author.
fn found(html: &str) -> (Option<Source>, String) {
    let MetadataResult { author_source, author, .. } = MetadataResult::of(html);
    (author_source, author)
}

fn pair(source: Source, name: &str) -> (Option<Source>, String) {
    (Some(source), name.to_owned())
}

/// Returns the author of a page with a byline under its headline.
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
    assert!((150..=MAX_AUTHOR_CHARS).contains(&author.chars().count()), "{author}");
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
fn a_sentence_that_begins_with_by_is_no_byline() {
    for html in [
        "<p>By Sunday the harbour was full.</p>",
        "<p>By Sunday the harbour was full</p>",
        "<p>By <b>Sunday</b> the harbour was full.</p>",
        "<p>By Sunday <a href=/h>the harbour</a> was full.</p>",
        "<p>By Tarvelle Quay, Boats Wait Again.</p>",
        "<p>Von Tarvelle aus geht kein Boot mehr.</p>",
        "<p>Par chance, le port est ouvert</p>",
        "<p>Par Neptune, le port est enfin ouvert</p>",
        "<p>Por Tarvelle pasan los barcos</p>",
        "<p>Door Tarvelle vaart niemand meer.</p>",
        "<h2>By Land and Lake</h2>",
        "<h3>By Popular Demand</h3>",
        "<h4>By Land And Lake</h4>",
        "<p><b>By The Lake</b></p>",
        "<p>By <a href=/x>Sunday</a> the harbour was full of boats and all the people of the town had \
         come to see them, as they had done every year since the great flood, when nobody had a boat \
         and the bell rang for three days and nights without a pause</p>",
    ] {
        assert_eq!(byline(html), (None, String::new()), "{html}");
    }
    for (html, name) in [
        ("<p>By Ann Ray in Tarvelle</p>", "Ann Ray"),
        ("<p>By Ann Ray, harbour reporter</p>", "Ann Ray"),
        ("<p>By Ann Ray, Chief of Staff</p>", "Ann Ray, Chief of Staff"),
        ("<p>By Ann Ray and Bob Roy</p>", "Ann Ray and Bob Roy"),
        ("<p>By Ann de Ray.</p>", "Ann de Ray"),
        ("<p>By Joe S.</p>", "Joe S."),
        ("<p>By <a href=/a>Ann Ray</a> on Sunday at 11:04 a.m.</p>", "Ann Ray"),
        ("<p>Posted by Ann in <a href=/b>Boats</a>. <a href=/c>Link</a></p>", "Ann"),
        ("<p>Written by Ann on a rainy day</p>", "Ann"),
        ("<p>By The Lake Press</p>", "The Lake Press"),
        ("<h4>By Ann Ray</h4>", "Ann Ray"),
        ("<h3>By ANN RAY<br>Lake Press</h3>", "ANN RAY"),
        ("<p>Von Anna Reh, Tarvelle</p>", "Anna Reh, Tarvelle"),
    ] {
        assert_eq!(byline(html), pair(Source::Text, name), "{html}");
    }
}

#[test]
fn text_far_from_the_headline_is_ignored() {
    let far = format!("{}<p class=byline>Ann Ray</p>", "<p>text</p>".repeat(200));
    assert_eq!(byline(&far), (None, String::new()));
}

#[test]
fn forms_comments_and_labels_give_no_author() {
    for html in [
        "<form><p class=comment-form-author><label for=author>Name</label><input id=author></p></form>",
        "<div id=respond><p class=author>Name</p></div>",
        "<div class=comments><span class=comment-author>Eve Ray</span></div>",
        "<ol class=commentlist><li><cite class=author>Eve Ray</cite></li></ol>",
        "<div id=comments><p class=byline>By Eve Ray</p></div>",
        "<label class=author>Your name</label>",
        "<button class=follow-author>Follow Eve</button>",
        "<div class=author><button>Follow</button></div>",
        "<a class=author href=/u/x>Follow</a>",
        "<p class=author>undefined</p>",
        "<div class=related-posts><span class=author>Eve Ray</span></div>",
        "<div class='RelatedArticles'><a rel=author href=/eve>Eve Ray</a></div>",
        "<nav><a href=/authors/>Authors</a></nav>",
        "<textarea class=author>Eve Ray</textarea>",
    ] {
        assert_eq!(byline(html), (None, String::new()), "{html}");
    }
    assert_eq!(
        found("<meta name=author content=admin><meta name=author content=undefined>").0,
        None
    );
}

#[test]
fn only_the_own_article_names_its_author() {
    let text = "<p>It rained on the lake all day, and the boats stayed in the harbour until the bell of the pier rang at nine.</p>";
    let text = text.repeat(4);
    let page = |inside: &str, after: &str| {
        found(&format!(
            "<main><article><h1>Rain falls</h1><div>{text}{inside}</div></article>{after}</main>"
        ))
    };
    for part in [
        "<article><h2><a href=/x>Sun shines</a></h2><p class=byline>By Eve Ray</p></article>",
        "<div class=card><h3><a href=/x>Sun shines</a></h3><span class=author>Eve Ray</span></div>",
        "<li><a href=/x><h4>Sun shines</h4></a><span class=author>Eve Ray</span></li>",
        "<div class=reply><p class=byline>By Eve Ray</p><p>So it did.</p></div>",
        "<section class=testimonials><p>Fine boats.</p><span class=author>Eve Ray</span></section>",
        "<div class='reviews'><span class=review-author>Eve Ray</span></div>",
        "<blockquote><p>Rain is wet.</p><cite class=author>Eve Ray</cite></blockquote>",
        "<figure><img src=a.png><figcaption class=author>Eve Ray</figcaption></figure>",
        "<div class=tweet><a class=author href=/eve>Eve Ray</a></div>",
        "<div class=widget><ul><li class=author>Eve Ray</li></ul></div>",
        "<div class=latest-posts><p>By Eve Ray</p></div>",
        "<aside class=sidebar><h3>Books</h3><p>by Eve Ray</p></aside>",
    ] {
        assert_eq!(page(part, "").1, "", "{part}");
        assert_eq!(page("", part).1, "", "{part}");
    }
    for part in [
        "<section><h2>All hands</h2><a rel=author href=/eve>Eve Ray</a></section>",
        "<div><a href=/x>Sun shines</a><span class=author>Eve Ray</span></div>",
    ] {
        assert_eq!(page("", part).1, "", "{part}");
    }
    let author_box = "<div class=author-bio><p><a rel=author href=/a>Ann Ray</a> sails.</p></div>";
    assert_eq!(page("", author_box).1, "Ann Ray");
    // The box about the author at the end belongs to the article.
    for part in [
        "<div class=author-bio><h3>About the author</h3><p><a rel=author href=/a>Ann Ray</a> sails.</p></div>",
        "<div class=author-box><h4><a href=/author/ann>Ann Ray</a></h4><p>Ann sails.</p></div>",
        "<p class=byline>By Ann Ray</p>",
    ] {
        assert_eq!(page(part, "").1, "Ann Ray", "{part}");
    }
    let list =
        "<h1>News</h1><article><h2><a href=/x>Sun</a></h2><p class=byline>By Eve Ray</p></article>";
    assert_eq!(found(&list.replace("</article>", &format!("{text}</article>"))).1, "");
}

#[test]
fn labels_of_links_are_cut_off() {
    for label in [
        "View all posts by",
        "Posts by",
        "More from",
        "Written by",
        "See all articles by",
        "Alle Beiträge von",
        "Voir tous les articles de",
        "Ver todas las entradas de",
        "Tutti gli articoli di",
        "Alle berichten van",
        "By",
    ] {
        let html = format!(
            "<p>Posted by <a href=/author/daniel rel=author title=x>{label} Dan Lemmy</a></p>"
        );
        assert_eq!(byline(&html), pair(Source::Marked, "Dan Lemmy"), "{label}");
    }
}

#[test]
fn roles_and_dates_beside_a_name_are_no_part_of_it() {
    for html in [
        "<div class=author-info><span class=author-name>Ilo Brenn</span><span class=author-title>Reporter</span></div>",
        "<div class=author-info><span>Ilo Brenn</span><span>Harbour reporter</span></div>",
        "<div class=author>Ilo Brenn<span>Harbour reporter</span></div>",
        "<div class=author><b>Ilo Brenn</b><i>Tarvelle</i></div>",
        "<div class=byline><div>By <span>Ilo Brenn</span></div><div>LAKE DAILY NEWS</div></div>",
        "<div class=byline>By Ilo Brenn<br>Harbour reporter</div>",
        "<ul class=byline><li>Ilo Brenn</li><li>Harbour reporter</li></ul>",
        "<p class=byline><span>By</span><span>Ilo Brenn</span><time>5 May</time></p>",
        "<div class=byline>By <a href=/staff/ilo>Ilo Brenn</a>, harbour reporter</div>",
        "<div class=author>Written by<p>Ilo Brenn</p><p>She covers the harbour.</p></div>",
        "<div itemprop=author itemscope><span itemprop=name>Ilo Brenn</span> <span itemprop=jobTitle>Editor</span></div>",
        "<div class='vcard author'>by <span class=fn>Ilo Brenn</span> in Boats</div>",
    ] {
        assert_eq!(byline(html).1, "Ilo Brenn", "{html}");
    }
}

#[test]
fn all_of_several_authors_are_kept() {
    let links = |between: [&str; 2]| {
        let [one, two] = between;
        format!(
            "<a href=/author/a rel=author>Ilo Brenn</a>{one}<a href=/author/b rel=author>Sara Quell</a>{two}<a href=/author/c rel=author>Tom Tarr</a>"
        )
    };
    for html in [
        format!("<div class=byline>{}</div>", links([", ", " &amp; "])),
        format!("<div class=byline>By {}</div>", links([", ", " and "])),
        format!("<p>{}</p>", links([" und ", " und "])),
        format!("<p>{}</p>", links(["", ""])),
        "<p class=byline>By <a href=/a>Ilo Brenn</a>, <a href=/b>Sara Quell</a> et <a href=/c>Tom Tarr</a></p>".to_owned(),
        "<p class=byline>Von <a href=/a>Ilo Brenn</a>, <a href=/b>Sara Quell</a> und <a href=/c>Tom Tarr</a>, Tarvelle</p>".to_owned(),
        "<p class=byline><span class=author-name>Ilo Brenn</span>, <span class=author-name>Sara Quell</span> &amp; <span class=author-name>Tom Tarr</span></p>".to_owned(),
        "<p><span itemprop=author>Ilo Brenn</span>, <span itemprop=author>Sara Quell</span>, <span itemprop=author>Tom Tarr</span></p>".to_owned(),
        "<p class=byline>By Ilo Brenn, Sara Quell, Tom Tarr</p>".to_owned(),
        "<script type=application/ld+json>{\"author\":[{\"name\":\"Ilo Brenn\"},{\"name\":\"Sara Quell\"},\"Tom Tarr\"]}</script>".to_owned(),
        "<meta name=author content='Ilo Brenn'><meta name=author content='Sara Quell'><meta name=author content='Tom Tarr'>".to_owned(),
    ] {
        assert_eq!(byline(&html).1, "Ilo Brenn, Sara Quell, Tom Tarr", "{html}");
    }
    // Links to networks and other pages beside the name are not authors.
    let html = "<p class=byline>By <a href=/a>Ilo Brenn</a> <a href=https://twitter.com/ilo>@ilo</a> <a href=/sport>Sport</a></p>";
    assert_eq!(byline(html).1, "Ilo Brenn");
}

#[test]
fn the_site_and_handles_give_way_to_a_byline() {
    let site = "<meta property=og:site_name content='Lake Daily'>";
    let page = "<p class=byline>By Ilo Brenn</p>";
    for stated in [
        "<meta name=author content='Lake Daily'>",
        "<meta name=author content='The Lake Daily'>",
        "<meta name=author content=ilobrenn>",
        "<meta name=author content=ilo_77>",
        "<script type=application/ld+json>{\"author\":{\"name\":\"Lake Daily\"}}</script>",
    ] {
        assert_eq!(byline(&format!("{site}{stated}{page}")).1, "Ilo Brenn", "{stated}");
        assert_ne!(byline(&format!("{site}{stated}")).1, "", "{stated}");
    }
    let preview = "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Ilo Brenn'>";
    assert_eq!(found(preview), pair(Source::Meta, "Ilo Brenn"));
    let other = "<meta name=twitter:label1 content='Reading time'><meta name=twitter:data1 content='5 minutes'>";
    assert_eq!(found(other).0, None);
}

#[test]
fn names_are_stated_in_more_ways() {
    for html in [
        "<meta name=authors content='Ann Ray'>",
        "<p itemprop=author content='Ann Ray'></p>",
        "<span itemprop=author itemscope><meta itemprop=name content='Ann Ray'><img src=a></span>",
        "<span class=author><svg><title>user icon</title></svg> Ann Ray</span>",
        "<p class=author><a href=/author/ann>Ann Ray</a> <a href=/author/ann/x>View profile</a></p>",
        "<div class=author><a href=/author/ann>Ann Ray</a><a href=/ann>See full bio</a></div>",
    ] {
        assert_eq!(byline(html).1, "Ann Ray", "{html}");
    }
    for html in [
        "<p>Posted by <a href=/user/ann77>ann77</a></p>",
        "<p>by <a href='/u?id=ann77'>ann77</a> 3 hours ago</p>",
    ] {
        assert_eq!(byline(html), pair(Source::Text, "ann77"), "{html}");
    }
    for html in [
        "<p>Offered by <a href=/offers>clicking</a></p>",
        "<p>by <a href=/start>clicking</a> you agree</p>",
        "<a class=author-link href=/contact>Contact the author</a>",
    ] {
        assert_eq!(byline(html).1, "", "{html}");
    }
}

#[test]
fn handles_keep_their_digits() {
    for handle in ["tarvel42", "Alphabyte1", "c1ph4", "user_77", "7heaven"] {
        for html in [
            format!("<p class=meta><a class=author href=/u/x>{handle}</a> wrote</p>"),
            format!("<span class=author>{handle}</span>"),
            format!("<p class=byline>by {handle} on 5 May 2019</p>"),
        ] {
            assert_eq!(byline(&html).1, handle, "{html}");
        }
    }
}
