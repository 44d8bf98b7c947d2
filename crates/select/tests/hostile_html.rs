//! Clean HTML of hostile pages: only what is allowed is left, however html5ever reads it.
//!
//! `data/hostile_html.txt` has a page a line: elements that run or load something, addresses of
//! dangerous schemes in disguise, handlers of events, and markup that parsers read in different
//! ways.

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, local_name, ns, parse_document, parse_fragment};
use huller_page::PageBuf;
use huller_select::{MarkdownOptions, Renderer, Selection, TextStyle};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

const PAGES: &str = include_str!("data/hostile_html.txt");

const ELEMENTS: &[&str] = &[
    "a",
    "abbr",
    "b",
    "blockquote",
    "br",
    "caption",
    "cite",
    "code",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "time",
    "tr",
    "u",
    "ul",
    "var",
];

/// Whether an attribute may stand there with this value.
fn is_allowed(element: &str, name: &str, value: &str) -> bool {
    let is_number = || value.parse::<i32>().is_ok();
    match (element, name) {
        ("a", "href") => {
            ["http://", "https://", "mailto:", "tel:", "ftp://"].iter().any(|scheme| {
                value.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            }) && is_address(value)
        }
        ("img", "src") => {
            (value.starts_with("http://") || value.starts_with("https://")) && is_address(value)
        }
        ("img", "alt") | ("abbr", "title") | ("time", "datetime") => true,
        ("td" | "th", "colspan" | "rowspan") | ("ol", "start") | ("li", "value") => is_number(),
        ("ol", "type") => ["a", "A", "i", "I"].contains(&value),
        ("ol", "reversed") => value.is_empty(),
        ("ol", "role") => value == "list",
        ("pre" | "code", "class") => value.strip_prefix("language-").is_some_and(|name| {
            name.chars().all(|c| c.is_ascii_alphanumeric() || "+#-._".contains(c))
        }),
        ("span", "class") => value == "math",
        ("div" | "span", "style") => value == "white-space: pre-wrap",
        ("table", "role") => value == "table",
        _ => false,
    }
}

/// Whether nothing in an address could end it.
fn is_address(value: &str) -> bool {
    !value.contains(|c: char| c.is_control() || c.is_whitespace() || "\"<>`\\".contains(c))
}

fn check(node: &Handle, page: &str) {
    match &node.data {
        NodeData::Element { name, attrs, .. } => {
            assert_eq!(name.ns, ns!(html), "{page}");
            assert!(ELEMENTS.contains(&&*name.local), "<{}> of {page}", name.local);
            for attribute in attrs.borrow().iter() {
                let (attribute, value) = (&*attribute.name.local, &*attribute.value);
                let is_allowed = is_allowed(&name.local, attribute, value);
                assert!(is_allowed, "{attribute}={value:?} of <{}> of {page}", name.local);
            }
        }
        NodeData::Comment { .. } | NodeData::ProcessingInstruction { .. } => {
            panic!("a comment of {page}")
        }
        _ => {}
    }
    node.children.borrow().iter().for_each(|child| check(child, page));
}

/// The forms of all that a page holds, its head too.
fn forms(source: &str, url: Option<&str>) -> (String, String) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(source);
    let selection = Selection { roots: vec![0], ..Selection::default() };
    let mut renderer = Renderer::new(TextStyle::FORMED);
    let (mut html, mut markdown) = (String::new(), String::new());
    renderer.html(&page, &selection, url, &mut html);
    renderer.markdown(&page, &selection, url, MarkdownOptions::default(), &mut markdown);
    (html, markdown)
}

/// A fragment as html5ever reads it, in an element of this name.
fn fragment(html: &str, scripting: bool) -> RcDom {
    let context = html5ever::QualName::new(None, ns!(html), local_name!("body"));
    parse_fragment(RcDom::default(), ParseOpts::default(), context, vec![], scripting).one(html)
}

#[test]
fn nothing_hostile_is_left_of_hostile_pages() {
    let url = Some("https://a.test/b/c");
    let mut count = 0;
    for line in PAGES.lines() {
        // Whole, with text around it, in a table, and cut short.
        let pages = [
            line.to_owned(),
            format!("<p>before {line} after"),
            format!("<table><tr><th>a<th>b<tr><td>{line}<td>{line}</table>"),
            format!("<ul><li>{line}<pre>{line}</pre></ul>"),
            line.chars().take(line.chars().count() * 2 / 3).collect(),
        ];
        for page in &pages {
            let (html, markdown) = forms(page, url);
            for scripting in [false, true] {
                let dom = fragment(&html, scripting);
                assert_eq!(dom.errors.borrow().first(), None, "{html}");
                // The fragment stands in an `html` element.
                for root in dom.document.children.borrow().iter() {
                    root.children.borrow().iter().for_each(|child| check(child, page));
                }
            }
            let lower = markdown.to_ascii_lowercase();
            for scheme in ["javascript:", "vbscript:", "data:"] {
                assert!(!lower.contains(&format!("]({scheme}")), "{markdown}");
            }
        }
        count += 1;
    }
    assert!(count >= 500, "{count} pages");
}

#[test]
fn without_an_address_of_the_page_no_scheme_gets_in() {
    for line in PAGES.lines() {
        let (html, _) = forms(line, None);
        let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html.as_str());
        check_schemes(&dom.document, line);
    }
}

/// Checks that addresses are relative or of a known scheme.
fn check_schemes(node: &Handle, page: &str) {
    if let NodeData::Element { attrs, .. } = &node.data {
        for attribute in attrs.borrow().iter() {
            if !matches!(&*attribute.name.local, "href" | "src") {
                continue;
            }
            let value = &*attribute.value;
            let before = value.split(['/', '?', '#']).next().unwrap_or_default();
            let scheme = before.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
            let is_name = |name: &String| {
                name.starts_with(|c: char| c.is_ascii_alphabetic())
                    && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
            };
            if let Some(scheme) = scheme.filter(is_name) {
                let known = ["http", "https", "mailto", "tel", "ftp"];
                assert!(known.contains(&scheme.as_str()), "{value} of {page}");
            }
        }
    }
    node.children.borrow().iter().for_each(|child| check_schemes(child, page));
}
