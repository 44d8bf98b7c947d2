use super::*;
use crate::limits::{MAX_AUTHOR_CHARS, MAX_TITLE_CHARS};
use huller_page::PageBuf;
use proptest::prelude::*;

/// The metadata of a page, and the source of each field.
pub(crate) struct MetadataResult {
    pub(crate) title_source: Option<title::Source>,
    pub(crate) author_source: Option<crate::byline::Source>,
    pub(crate) published_source: Option<publication_date::Source>,
    pub(crate) title: String,
    pub(crate) author: String,
    pub(crate) published: String,
}

impl MetadataResult {
    pub(crate) fn of(html: &str) -> MetadataResult {
        let mut buffer = PageBuf::new();
        let page = &buffer.fill(html);
        let mut reader = MetadataReader::default();
        let MetadataReader { attributes, landmarks, lines, title, author } = &mut reader;
        let [mut headline, mut name, mut date] = [const { String::new() }; 3];
        let stated = sweep(page, attributes, landmarks);
        let Landmarks { headings, times } = landmarks;
        let found =
            title::append_title(page, &stated, headings, None, (lines, title), &mut headline);
        let anchor = found.and_then(|found| found.1).or(headings.first().copied());
        let scratch = (&mut *lines, &mut *attributes, author);
        let author_source =
            author::append_authors(page, &stated, (anchor, title.site()), scratch, &mut name);
        let places = (&**times, anchor);
        let published_source =
            publication_date::find_published(page, &stated, places, None, attributes, &mut date);
        MetadataResult {
            title_source: found.map(|found| found.0),
            author_source,
            published_source,
            title: headline,
            author: name,
            published: date,
        }
    }
}

pub(crate) fn read(html: &str, url: Option<&str>) -> Metadata {
    let mut buffer = PageBuf::new();
    let [title, author, published, site_name, description] = [const { String::new() }; 5];
    let (license, usage_info) = (String::new(), String::new());
    let mut out =
        Metadata { title, author, published, site_name, description, license, usage_info };
    out.title.push_str("left over");
    MetadataReader::default().read(&buffer.fill(html), url, &mut out);
    out
}

#[test]
fn site_and_description_have_their_sources_in_order() {
    let html = "<meta name=description content='second'><meta property=og:description content=' A\n&amp;  b'>\
        <meta name=application-name content=App><meta property=og:site_name content='  '>";
    let found = read(html, None);
    assert_eq!((&*found.site_name, &*found.description), ("App", "A & b"));
    let json = "<script type='application/ld+json; charset=utf-8'>{\"@type\":\"Article\",\"headline\":\"h\",\
        \"description\":\"Said\",\"publisher\":{\"name\":\"Press\"}}</script>";
    let found = read(json, None);
    assert_eq!((&*found.site_name, &*found.description, &*found.title), ("Press", "Said", "h"));
    assert_eq!(read("<p>text", None), Metadata::default());
}

#[test]
fn values_that_are_none_give_way_to_the_next_source() {
    for none in ["undefined", "null", "[object Object]", "{{ boat.about }}", "N/A", "-"] {
        let html = format!(
            "<meta property=og:description content='{none}'><meta name=description content=Boats>\
             <meta property=og:site_name content='{none}'><meta name=application-name content=App>\
             <meta name=parsely-author content='{none}'><meta name=author content='Ann Ray'>"
        );
        let found = read(&html, None);
        let fields = [&*found.description, &found.site_name, &found.author];
        assert_eq!(fields, ["Boats", "App", "Ann Ray"], "{none}");
        let json = format!(
            "<script type=application/ld+json>{{\"@type\":\"Article\",\"headline\":\"{none}\",\"author\":\"{none}\",\
             \"description\":\"{none}\",\"publisher\":{{\"name\":\"{none}\"}}}}</script><p class=author>Ann Ray"
        );
        let found = read(&json, None);
        let fields = [&*found.title, &found.description, &found.site_name, &found.author];
        assert_eq!(fields, ["", "", "", "Ann Ray"], "{none}");
        for label in ["", "By "] {
            let shown = format!("<h1>Rain</h1><p class=author>{label}{none}</p>");
            assert_eq!(read(&shown, None).author, "", "{label}{none}");
        }
    }
}

#[test]
fn a_description_has_a_bounded_length() {
    let html = format!("<meta name=description content='{}'>", "&#x4e2d;".repeat(5000));
    assert_eq!(read(&html, None).description, "中".repeat(MAX_DESCRIPTION_CHARS));
}

#[test]
fn only_the_first_landmarks_are_kept() {
    let html = format!("<title>Far away it is</title>{}<h2>Far away", "<h2>x</h2>".repeat(99));
    assert_eq!(read(&html, None).title, "Far away it is");
}

proptest! {
    #[test]
    fn any_page_is_read_without_a_panic(html in "(<title>|<h1>|<h2>|</?b>|<meta property=og:title content=|<meta name=\"author\" content=\"|\">|\
        <script type=application/ld\\+json>|</script>|\"(headline|author|name|@type|@id|datePublished)\" ?: ?|[\\[\\]{},\"\\\\]|\
        <time datetime=|<a rel=author>|<p class=byline>|By |2010-01-30|30\\.1\\.2010|<body>|<svg>|[A-Za-z中é &<>'-]{0,9}){0,40}") {
        let found = read(&html, Some(&html));
        for field in [&found.title, &found.author, &found.published, &found.site_name, &found.description] {
            prop_assert_eq!(field.trim(), field);
            prop_assert!(!field.contains(char::is_control));
        }
        prop_assert!(found.title.chars().count() <= MAX_TITLE_CHARS);
        prop_assert!(found.author.chars().count() <= MAX_AUTHOR_CHARS);
        prop_assert!(found.published.is_ascii());
    }
}
