use super::*;
use huller_page::PageBuf;
use huller_select::{Renderer, Selection};

fn extracted(html: &str) -> (String, String, Verdict) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let mut selection = Selection::default();
    let verdict = SHIPPED.extract(&page, &mut Scratch::default(), &mut selection);
    let (mut text, mut comments) = (String::new(), String::new());
    let mut renderer = Renderer::default();
    renderer.text(&page, &selection, &mut text);
    renderer.comments(&page, &selection, &mut comments);
    (text, comments, verdict)
}

const PARAGRAPH: &str = "<p>The ferry came back after eleven months in the yard, with a new engine, two more lifeboats and \
    seats that do not creak, and on its first crossing the captain let the children blow the horn.</p>";

fn article(comments: &str) -> String {
    format!(
        "<title>The ferry is back - Island News</title><body><nav><ul><li><a href=/>Home</a><li><a href=/w>Weather</a></ul></nav>\
         <div class=article><h1>The ferry is back</h1>{}</div>{comments}<footer><a href=/i>Imprint</a></footer>",
        PARAGRAPH.repeat(6)
    )
}

#[test]
fn an_article_is_separated_from_what_surrounds_it() {
    let (text, comments, verdict) = extracted(&article(""));
    assert_eq!(text.matches("eleven months").count(), 6);
    assert!(!text.contains("Weather") && !text.contains("Imprint"), "{text}");
    assert_eq!(comments, "");
    assert_eq!(verdict.page_type, Some(PageType::Article));
    assert!(verdict.score.unwrap() > 0.5);
}

#[test]
fn questions_of_accordions_are_in_the_text() {
    let item = |n| {
        ["<h3><button aria-expanded=false>Where is pier ", n, "?</button></h3>", PARAGRAPH].concat()
    };
    let items = ["1", "2", "3", "4", "5", "6"].map(item).concat();
    let html = article("").replace("</div><footer>", &format!("{items}</div><footer>"));
    let (text, ..) = extracted(&html);
    let found: Vec<_> = text.lines().filter(|line| line.starts_with("Where is pier")).collect();
    assert_eq!(found.len(), 6, "{text}");
    assert_eq!(found[5], "Where is pier 6?");
}

#[test]
fn comments_of_an_article_are_not_in_its_text() {
    let comments = "<div class=comments><div class=comment><p>Ann said:<p>We waved from the pier, all of us, and my mother wept a little \
        because she had missed it so.</p></div></div>";
    let (text, apart, _) = extracted(&article(comments));
    assert!(!text.contains("pier"), "{text}");
    assert!(apart.starts_with("Ann said:\nWe waved from the pier"), "{apart}");
}

#[test]
fn a_form_for_comments_is_no_comment() {
    let form = "<div class=comments><h3>Leave a reply</h3><form><p>Your email address will not be published.<p><label>Name</label>\
        <input></form></div>";
    let (text, apart, _) = extracted(&article(form));
    assert!(text.contains("eleven months") && !text.contains("email"), "{text}");
    assert_eq!(apart, "");
}

#[test]
fn posts_of_a_thread_are_content_whatever_their_classes_say() {
    let post = |at: usize, text: &str| {
        format!(
            "<div class=reply-header><span class=reply-date>Mar {at}, 2005 at 6:36 am</span><a href=#p{at} class=permalink>#{at}</a></div>\
             <div class=\"reply type-reply\"><div class=reply-author><a href=/u/{at}>Tim{at}</a><div class=author-role>Member</div></div>\
             <div class=reply-content><p>{text}</p></div></div>"
        )
    };
    let texts = [
        "I came across this small tripod of two ounces, with a ball head and a strap for trees. Has anyone tried it?",
        "No experience with that one, but a similar one caught sand in its lens while I was posing, and has not shut since.",
        "I have had it for years. It holds a small camera well, though I would not trust it with anything larger.",
        "Two of them, in fact, and both have lost the screw that holds the camera, so buy a spare one with it.",
    ];
    let posts: String = (1..).zip(texts).map(|(at, text)| post(at, text)).collect();
    let html = format!(
        "<title>Small tripod - Hiking Forums</title><link rel=canonical href=https://hiking.example/forums/topic/377/>\
         <body class=\"topic bbpress\"><nav><a href=/>Home</a> <a href=/forums/>Forums</a></nav><h1>Small tripod</h1>\
         <div id=forums><ul class=replies>{posts}</ul></div><footer><a href=/i>Imprint</a></footer>"
    );
    let (text, comments, verdict) = extracted(&html);
    assert_eq!(verdict.page_type, Some(PageType::Forum));
    for post in texts {
        assert!(text.contains(post), "{text}");
    }
    assert!(!text.contains("Imprint"), "{text}");
    assert_eq!(comments, "");
}

#[test]
fn ids_made_of_headings_do_not_mark_comments() {
    let section = |id: &str, text: &str| {
        let code = "<pre><code>from client import Client\nclient = Client(key)\nprint(client.messages.create(body))</code></pre>";
        format!("<section id={id}><h2>{id}</h2><p>{text}</p>{code}<p>{text}</p></section>")
    };
    let html = format!(
        "<title>Quickstart - Documentation</title><link rel=canonical href=https://docs.example/docs/messaging/quickstart>\
         <body><nav><ul><li><a href=/>Docs</a><li><a href=/docs/>Contents</a></ul></nav><main><h1>Quickstart</h1>{}{}{}</main>",
        section(
            "install-the-client",
            "Install the client for your language, then give it the key that the console shows you."
        ),
        section(
            "send-a-message",
            "Create a message with a body, the number that it comes from and the number that it is for."
        ),
        section(
            "reply-to-a-message",
            "Run a small server that answers when a message comes in, and tell the console its address."
        ),
    );
    let (text, comments, verdict) = extracted(&html);
    assert_eq!(verdict.page_type, Some(PageType::Documentation));
    assert!(text.contains("small server"), "{text}");
    assert_eq!(comments, "");
}

#[test]
fn a_page_with_any_block_has_a_text() {
    for html in
        ["x", "<p>x", "<nav><a href=/>x</a></nav>", "<div class=comment>x</div>", "<div hidden>x"]
    {
        assert_eq!(extracted(html).0, "x", "{html}");
    }
    let (text, comments, verdict) = extracted("<script>x</script><select><option>y</select>");
    assert_eq!((text.as_str(), comments.as_str(), verdict.score), ("", "", Some(0.0)));
}

#[test]
fn a_block_gets_the_same_log_odds_whichever_blocks_are_judged_with_it() {
    let lists = "<ul><li><a href=/x>Home</a><li>A list of things</ul><div class=comment>Yes, so it is.</div>";
    let html = format!("{}{}", article("").repeat(3), lists.repeat(40));
    let mut buffer = PageBuf::new();
    let page = buffer.fill(&html);
    let forest = &SHIPPED.other.rest;
    let (mut features, mut all, mut some) = <(Features, Columns, Columns)>::default();
    all.want(forest.features());
    some.want(forest.features());
    features.fill(&page);
    let count = features.blocks().blocks.len() as u32;
    features.fill_columns(0..count, &mut all);
    let (mut at_once, mut in_parts) = (vec![0.0; count as usize], vec![0.0; count as usize]);
    forest.judge(&all, &mut Vec::new(), &mut at_once);
    for parts in 0..3 {
        let blocks: Vec<u32> = (0..count).filter(|block| block % 3 == parts).collect();
        features.fill_columns(blocks.iter().copied(), &mut some);
        for feature in forest.features().map(usize::from) {
            let expected = blocks.iter().map(|block| all.column(feature)[*block as usize]);
            let name = &Features::names()[feature];
            assert!(some.column(feature).iter().copied().eq(expected), "{name}");
        }
        forest.judge(&some, &mut Vec::new(), &mut in_parts);
    }
    assert_eq!(in_parts, at_once);
}

#[test]
fn the_model_that_ships_is_small_and_is_refused_if_truncated() {
    let bytes = include_bytes!("../../model/hull.bin");
    assert!(bytes.len() < 1 << 20);
    assert!(Model::from_bytes(bytes).is_ok());
    assert_eq!(
        Model::from_bytes(&bytes[..bytes.len() - 1]),
        Err(ModelError::Damaged("ends too early"))
    );
}

/// Returns the text of an article inside an element, with content before and after that element.
fn held(open: &str, close: &str, before: &str, after: &str) -> String {
    let (text, _, _) = extracted(&format!(
        "<title>The ferry is back</title><body><header class=site><nav><ul><li><a href=/>Home</a><li><a href=/w>Weather</a></ul></nav>\
         </header>{before}{open}<h1>The ferry is back</h1>{}{close}{after}<footer><a href=/i>Imprint</a></footer>",
        PARAGRAPH.repeat(8)
    ));
    text
}

#[test]
fn an_article_in_a_landmark_is_the_content() {
    let short = "<div><p>A video from the pier shows how the ferry comes back, and how people greet it with a song.</p></div>";
    let notice = "<div class=cookie-consent><h4>Privacy Overview</h4><p>This website uses cookies to improve your experience \
        while you navigate through the website, and to count visits.</p></div>";
    for (open, close) in [
        ("<aside>", "</aside>"),
        ("<footer>", "</footer>"),
        ("<nav>", "</nav>"),
        ("<header>", "</header>"),
        ("<aside><article>", "</article></aside>"),
        ("<div role=complementary>", "</div>"),
        ("<div class=content><footer>", "</footer></div>"),
        ("<header><div class=post>", "</div></header>"),
        ("<main><aside>", "</aside></main>"),
        ("<section><nav><div>", "</div></nav></section>"),
    ] {
        for (before, after) in [("", ""), (short, ""), ("", notice), (notice, ""), ("", short)] {
            let text = held(open, close, before, after);
            assert_eq!(text.matches("eleven months").count(), 8, "{open} {before}{after}: {text}");
            assert!(!text.contains("cookies"), "{open} {before}{after}: {text}");
        }
    }
}

#[test]
fn a_class_that_names_text_and_a_picture_names_no_caption() {
    let list = "<p><strong>The fund is not open:</strong></p><ul><li>to founders of boats that are younger than five years. We \
        help these with other funds, such as <a href=/f>the fund of the lake</a>.</li><li>to boats that were in difficulty.</li></ul>";
    for class in [
        "text-image",
        "image-text",
        "content-image",
        "text-media",
        "text_photo",
        "textImage",
        "article-image-block",
        "story-media",
        "entry-figure",
        "body-video",
        "post-thumb",
    ] {
        let middle = format!("<div class=text-container><div class={class}>{list}</div></div>");
        let html = article("").replacen("</p><p>", &format!("</p>{middle}<p>"), 1);
        let (text, ..) = extracted(&html);
        assert!(text.contains("not open") && text.contains("in difficulty"), "{class}: {text}");
    }
}

/// Returns the text of a page, and its text without the headline.
fn with_and_without_headline(html: &str) -> [String; 2] {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let mut selection = Selection::default();
    SHIPPED.extract(&page, &mut Scratch::default(), &mut selection);
    let mut renderer = Renderer::default();
    let mut texts = [String::new(), String::new()];
    renderer.text(&page, &selection, &mut texts[0]);
    selection.leave_out_headline();
    renderer.text(&page, &selection, &mut texts[1]);
    texts
}

#[test]
fn an_article_begins_with_its_headline_unless_that_is_left_out() {
    let html = |headline: &str, paragraph: &str| {
        format!(
            "<title>{headline} - News</title><body><nav><ul><li><a href=/>Home</a><li><a href=/w>Weather</a></ul></nav>\
             <div><h1>{headline}</h1></div><div class=tools><span>By Ann Ray</span> <a href=/s>Share</a></div>\
             <div class=article>{}</div><footer><a href=/i>Imprint</a></footer>",
            paragraph.repeat(6)
        )
    };
    for (headline, paragraph) in [
        ("The ferry is back", PARAGRAPH),
        (
            "Паром вернулся",
            "<p>Паром вернулся после одиннадцати месяцев, с новым двигателем, и дети гудели в его рог.",
        ),
        (
            "フェリーが戻る",
            "<p>フェリーは、十一か月ぶりに、造船所から戻ってきた、新しいエンジンと、二隻の救命艇を備えて、静かに。",
        ),
        ("เรือกลับมาแล้ว", "<p>เรือเฟอร์รี่กลับมาแล้ว, หลังจากอยู่ในอู่สิบเอ็ดเดือน, พร้อมเครื่องยนต์ใหม่, และที่นั่งใหม่"),
    ] {
        let [with, without] = with_and_without_headline(&html(headline, paragraph));
        assert!(with.starts_with(&format!("{headline}\n")), "{with}");
        assert_eq!(
            with.matches(headline).count() - 1,
            without.matches(headline).count(),
            "{without}"
        );
        assert!(!without.starts_with(&format!("{headline}\n")), "{without}");
    }
}
