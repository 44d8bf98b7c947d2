//! Pages made up by proptest: markup that nests, and markup that doesn't.

use proptest::prelude::*;
use proptest::sample::select;

const TAGS: &[&str] = &[
    "div", "p", "span", "a", "b", "em", "ul", "ol", "li", "dl", "dt", "dd", "table", "tbody",
    "thead", "tr", "td", "th", "caption", "h1", "section", "article", "form", "button", "select",
    "optgroup", "option", "object", "noscript", "pre", "template", "my-tag", "x", "DIV", "Li",
    "head", "body", "html", "center", "ruby", "label", "h2", "nobr", "i", "marquee", "rt", "rp",
    "colgroup", "listing", "dialog", "details", "table",
];
const VOID: &[&str] = &["br", "hr", "img", "input", "meta", "link", "wbr", "BR", "col", "embed"];
const RAW: &[&str] = &[
    "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "SCRIPT",
    "Title",
];
const FOREIGN: &[&str] =
    &["svg", "math", "foreignObject", "desc", "g", "mi", "svg", "title", "style", "script"];
const TEXTS: &[&str] = &[
    "rain",
    " ",
    "\n\t ",
    "Rain fell, all day. ",
    "été",
    "雨下了一天。",
    "我们 去",
    "\u{a0}",
    "\u{3000}",
    "\u{200b}",
    "\u{2060}",
    "a\u{200d}b",
    "\u{feff}",
    "\0",
    "\r\n",
    "x\u{ad}y",
    "“q”",
    "&amp;",
    "&nbsp;",
    "&nbsp",
    "&#32;",
    "&#x4e2d;",
    "&shy;",
    "&ZeroWidthSpace;",
    "&notin;",
    "&notit;",
    "&",
    "&#",
    "&#x;",
    "&bogus;",
    "<",
    "< ",
    "<3",
    "a<b",
    ">",
    "]]>",
    "-->",
    "\u{1f600}",
    "&NotEqualTilde;",
    "&#0;",
    "\u{85}",
    "\u{2028}",
    "&emsp;",
];
const REMARKS: &[&str] = &[
    "<!-- a -->",
    "<!---->",
    "<!-->",
    "<!--->",
    "<!-- <p> -->",
    "<!doctype html>",
    "<?php x ?>",
    "<!x>",
    "</>",
    "</3>",
    "</ p>",
    "</é>",
    "<![CDATA[c]]>",
    "<![CDATA[ <p>d</p> ]]>",
    "<![CDATA[]]>",
    "<!-- --!>",
];
const UNFINISHED: &[&str] = &[
    "<!--",
    "<div",
    "<a href=\"",
    "</",
    "</p",
    "<![CDATA[",
    "<!doctype",
    "<script>",
    "<textarea>",
    "<plaintext>",
];

fn attribute() -> impl Strategy<Value = String> {
    let name = select(
        &[
            "id", "class", "href", "STYLE", "hidden", "type", "data-x", "é", "lang", "width",
            "role", "=x", "a\"b", "itemprop", "x\0",
        ][..],
    );
    let value = "[a-z &;#=é中/<\n]{0,6}";
    (name, value, 0..7).prop_map(|(name, value, style)| match style {
        0 => format!(" {name}=\"{value}\""),
        1 => format!(" {name}='{value}'"),
        2 => format!(" {name}={}", value.replace([' ', '\n'], "")),
        3 => format!("\n{name} = \"{value}\""),
        4 => format!(" {name}"),
        5 => format!("/{name}=\"{value}\"/"),
        _ => format!(" {name}=\"{value}\"{name}='again'"),
    })
}

fn start_tag(names: &'static [&'static str]) -> impl Strategy<Value = (&'static str, String)> {
    let end = select(&[">", ">", ">", ">", " >", "/>", " />"][..]);
    let attributes =
        prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(attribute(), 1..5)];
    (select(names), attributes, end)
        .prop_map(|(name, attributes, end)| (name, format!("<{name}{}{end}", attributes.concat())))
}

fn leaf() -> impl Strategy<Value = String> {
    let text = select(TEXTS).prop_map(str::to_owned);
    let raw = (start_tag(RAW), prop::collection::vec(select(TEXTS), 0..4), any::<bool>());
    prop_oneof![
        8 => prop::collection::vec(text, 1..4).prop_map(|texts| texts.concat()),
        2 => select(REMARKS).prop_map(str::to_owned),
        2 => start_tag(VOID).prop_map(|(_, tag)| tag),
        2 => start_tag(TAGS).prop_map(|(_, tag)| tag),
        2 => select(TAGS).prop_map(|name| format!("</{name}>")),
        1 => select(RAW).prop_map(|name| format!("</{name} x>")),
        3 => raw.prop_map(|((name, tag), content, decoy)| {
            let decoy = if decoy { "<!-- <p></scriptx> <script> </script> --> " } else { "" };
            format!("{tag}{decoy}{}</{name}>", content.concat())
        }),
    ]
}

fn element(
    names: &'static [&'static str],
    leaf: BoxedStrategy<String>,
) -> impl Strategy<Value = String> {
    leaf.prop_recursive(6, 96, 8, move |inner| {
        let children = prop::collection::vec(inner, 0..8);
        (start_tag(names), children, 0..8_u8).prop_map(|((name, tag), children, end)| match end {
            0 => format!("{tag}{}", children.concat()),
            1 => format!("{tag}{}</{}>", children.concat(), name.to_uppercase()),
            _ => format!("{tag}{}</{name}>", children.concat()),
        })
    })
}

fn page_of(piece: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let head = select(
        &[
            "",
            "",
            "<html lang=en><head><title>T &amp; t</title><meta name=a></head><body class=c>",
            "<!doctype html> <title>x</title>",
        ][..],
    );
    let rest = prop_oneof![4 => Just(String::new()), 1 => select(UNFINISHED).prop_map(|rest| rest.to_owned() + " tail <p>more")];
    (head, prop::collection::vec(piece, 0..12), rest)
        .prop_map(|(head, pieces, rest)| format!("{head}{}{rest}", pieces.concat()))
}

/// Pages of HTML content only.
pub(crate) fn html_page() -> impl Strategy<Value = String> {
    page_of(element(TAGS, leaf().boxed()))
}

/// Pages with drawings and formulas, where CDATA sections and raw text elements mean something
/// else.
pub(crate) fn mixed_page() -> impl Strategy<Value = String> {
    page_of(element(TAGS, element(FOREIGN, leaf().boxed()).boxed()))
}

/// Pages that nest deeper than the tree does.
pub(crate) fn deep_page() -> impl Strategy<Value = String> {
    let opened = select(
        &["<div>", "<b>x", "<svg><g>", "<ul><li>a", "<table><tr><td>c", "<a><p>", "<my-tag> y "][..],
    );
    let closed = select(
        &["", "</div>", "</b>", "</li></ul>", "</td>", "</table>", "</svg>", "</my-tag>"][..],
    );
    (
        opened,
        150..600_usize,
        element(TAGS, leaf().boxed()),
        closed,
        0..600_usize,
        element(TAGS, leaf().boxed()),
    )
        .prop_map(|(opened, n, inner, closed, m, after)| {
            format!("{}{inner}{}{after}", opened.repeat(n), closed.repeat(m))
        })
}

/// The bytes that mean something to a tokenizer, in any order.
pub(crate) fn soup() -> impl Strategy<Value = String> {
    let piece = select(
        &[
            "<", "</", ">", "/", "!", "--", "-", "\"", "'", "=", " ", "&", ";", "#", "x", "a", "p",
            "script", "style", "title", "svg", "[CDATA[", "]]>", "doctype", "?", "\0", "é", "中",
            "\r\n", "<p", "<a href=", "amp", "<!--", "-->", "<b>", "</b>", "textarea",
        ][..],
    );
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}
