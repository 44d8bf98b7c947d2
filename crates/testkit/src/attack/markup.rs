//! Pages whose elements, attributes or comments make a tree builder slow or deep, or make it
//! swallow the text that follows.

use super::definition::{Attack, Scale};
use super::records::{HEAD, numbered, paragraph};

/// Returns `markup` repeated.
fn repeat_markup(markup: &str, times: usize) -> Vec<u8> {
    markup.repeat(times).into_bytes()
}

/// Returns `markup` repeated after the start of a page.
fn flood(markup: &str, times: usize) -> Vec<u8> {
    [HEAD, &repeat_markup(markup, times)].concat()
}

/// Returns `markup` repeated after the start of a page, and then a paragraph.
fn flood_then(markup: &str, times: usize, marker: &str) -> Vec<u8> {
    [HEAD, &repeat_markup(markup, times), &paragraph(marker)].concat()
}

/// Returns a paragraph, a `start` that is never closed, and `markup` repeated in it.
fn paragraph_then(start: &str, markup: &str, times: usize) -> Vec<u8> {
    [HEAD, &paragraph("BEFORETEXT"), start.as_bytes(), &repeat_markup(markup, times)].concat()
}

fn deep_div(scale: Scale) -> Vec<u8> {
    let n = scale.of(1_000_000);
    [HEAD, &repeat_markup("<div>", n), &paragraph("INNERTEXT"), &repeat_markup("</div>", n)]
        .concat()
}

fn stray_end(scale: Scale) -> Vec<u8> {
    let page = flood_then("</div>", scale.of(1_000_000), "AFTERSTRAY");
    [&page[..], b"</body></html>"].concat()
}

fn million_attrs(scale: Scale) -> Vec<u8> {
    let mut attributes = numbered(|i| format!("a{i}={i} "), scale.of(1_000_000));
    attributes.pop();
    [HEAD, b"<div ", &attributes, b">", &paragraph("AFTERATTR")].concat()
}

fn dup_attrs(scale: Scale) -> Vec<u8> {
    let attributes = repeat_markup("class=c ", scale.of(1_000_000));
    [HEAD, b"<div ", &attributes, b">", &paragraph("AFTERATTR")].concat()
}

fn huge_attr(scale: Scale) -> Vec<u8> {
    let value = repeat_markup("y", scale.of(100 << 20));
    [HEAD, b"<div data-x=\"", &value, b"\">", &paragraph("AFTERATTR")].concat()
}

fn script_escapes(scale: Scale) -> Vec<u8> {
    let page = flood("<script><!--<script>", scale.of(200_000));
    [&page[..], b"SECRETSCRIPT"].concat()
}

/// The attacks.
pub(super) const ATTACKS: &[Attack] = &[
    // Depth: formatting elements and the stack of open elements.
    Attack::page(
        "html-deep-div",
        "a million nested <div>: no overflow of the stack, linear time; the innermost text may fall to a stated limit of depth",
        deep_div,
    ),
    Attack::page("html-deep-div-unclosed", "a million <div> that are never closed: the same", |scale| {
        flood_then("<div>", scale.of(1_000_000), "INNERTEXT")
    }),
    Attack::page("html-deep-b", "500,000 nested <b>: the list of formatting elements stays linear", |scale| {
        [HEAD, &repeat_markup("<b>", scale.of(500_000)), b"x"].concat()
    }),
    Attack::page(
        "html-deep-a-nobr-mix",
        "100,000 misnested <a><b><i><p>: adoption of formatting elements stays linear",
        |scale| flood("<a><b><i><p>", scale.of(100_000)),
    ),
    Attack::page("html-unclosed-p", "a million <p>, each closed by the next: the text has a million words", |scale| {
        [HEAD, &numbered(|i| format!("<p>w{i} "), scale.of(1_000_000))].concat()
    })
    .contains(&["w17 "]),
    Attack::page("html-unclosed-p-div", "200,000 <p><div>: linear", |scale| {
        flood("<p><div>", scale.of(200_000))
    }),
    Attack::page("html-stray-end", "a million </div> that close nothing: the paragraph after them is found", stray_end)
        .contains(&["AFTERSTRAY"]),
    Attack::page(
        "html-stray-end-p",
        "a million </p>, each of which makes an empty paragraph: linear, and the paragraph after them is found",
        |scale| flood_then("</p>", scale.of(1_000_000), "AFTERSTRAY"),
    )
    .contains(&["AFTERSTRAY"]),
    // Attributes.
    Attack::page("html-million-attrs", "a tag with a million attributes: no search of the list for each", million_attrs)
        .contains(&["AFTERATTR"]),
    Attack::page("html-dup-attrs", "a tag with the same attribute a million times", dup_attrs)
        .contains(&["AFTERATTR"]),
    Attack::page("html-huge-attr", "an attribute of 100 MB: the paragraph after it is found", huge_attr)
        .contains(&["AFTERATTR"])
        .memory(900)
        .seconds(20),
    // Text that looks like tags.
    Attack::page("html-lt-100mb", "100 MB of `<`: linear; the text may be empty", |scale| repeat_markup("<", scale.of(100 << 20)))
        .memory(900)
        .seconds(20),
    Attack::page("html-lt-space", "10 MB of `< `, which is text: linear", |scale| repeat_markup("< ", scale.of(5 << 20)))
        .seconds(15),
    Attack::page("html-lt-a", "10 MB of `<a`, which is the name of one tag", |scale| repeat_markup("<a", scale.of(5 << 20))),
    // Constructs that are opened and never closed.
    Attack::page("html-open-comment", "a comment that is never closed: the text before it is found", |scale| {
        paragraph_then("<!-- ", "<p>hidden ", scale.of(2_000_000))
    })
    .contains(&["BEFORETEXT"]),
    Attack::page("html-many-comment-starts", "5 million `<!--`: no search to the end of the page for each", |scale| {
        flood("<!--", scale.of(5_000_000))
    }),
    Attack::page("html-many-dashes", "20 MB of almost the end of a comment", |scale| {
        [HEAD, b"<!--", &repeat_markup("--!-", scale.of(5_000_000))].concat()
    }),
    Attack::page("html-open-script", "a script that is never closed: the text before it is found, the script is not text", |scale| {
        paragraph_then("<script>", "var SECRETSCRIPT=\"</scrip\";\n", scale.of(800_000))
    })
    .contains(&["BEFORETEXT"])
    .lacks(&["SECRETSCRIPT"]),
    Attack::page(
        "html-script-escapes",
        "scripts that escape themselves twice: by the standard all is script to the end of the page",
        script_escapes,
    )
    .lacks(&["SECRETSCRIPT"]),
    Attack::page("html-many-open-script", "a million `<script>` within one script", |scale| {
        flood("<script>", scale.of(1_000_000))
    }),
    Attack::page("html-open-title", "a title that is never closed", |scale| {
        [b"<!DOCTYPE html><title>", &repeat_markup("<p>title text ", scale.of(1_500_000))[..]].concat()
    }),
    Attack::page("html-open-textarea", "a text area that is never closed: the text before it is found", |scale| {
        paragraph_then("<textarea>", "<p>t ", scale.of(2_000_000))
    })
    .contains(&["BEFORETEXT"]),
    Attack::page("html-open-attr", "a quote that is never closed, with 20 MB of markup in it: the text before it is found", |scale| {
        paragraph_then("<a href=\"", "<p>swallowed</p> ", scale.of(1_200_000))
    })
    .contains(&["BEFORETEXT"]),
    Attack::page("html-many-open-attr", "a million open quotes: no search to the end of the page for each", |scale| {
        flood("<a href=\"", scale.of(1_000_000))
    }),
    Attack::page("html-many-open-cdata", "2 million `<![CDATA[` in a drawing", |scale| {
        [HEAD, b"<svg>", &repeat_markup("<![CDATA[", scale.of(2_000_000))].concat()
    }),
    // Breadth, tables, foreign elements.
    Attack::page("html-million-blocks", "a million tiny blocks: linear, and the paragraph after them is found", |scale| {
        flood_then("<div>a</div>", scale.of(1_000_000), "AFTERBLOCKS")
    })
    .contains(&["AFTERBLOCKS"]),
    Attack::page("html-million-links", "a million links", |scale| {
        [HEAD, &numbered(|i| format!("<a href=/{i}>l{i}</a>"), scale.of(1_000_000))].concat()
    }),
    Attack::page("html-table-foster", "200,000 texts between the rows of a table: moving them out stays linear", |scale| {
        [HEAD, b"<table>", &repeat_markup("<tr>x<td>", scale.of(200_000))].concat()
    }),
    Attack::page("html-nested-tables", "100,000 nested tables", |scale| {
        [HEAD, &repeat_markup("<table><tr><td>", scale.of(100_000)), b"x"].concat()
    }),
    Attack::page("html-nested-select-option", "a million <option>", |scale| {
        [HEAD, b"<select>", &repeat_markup("<option>x", scale.of(1_000_000))].concat()
    }),
    Attack::page("html-nested-svg-math", "200,000 nested drawings and formulas, with HTML inside", |scale| {
        flood("<svg><desc><math><mi>", scale.of(200_000))
    }),
    Attack::page("html-nested-template", "200,000 nested <template>", |scale| {
        flood("<template>", scale.of(200_000))
    }),
    Attack::page("html-nested-frameset-list", "300,000 nested lists", |scale| {
        flood("<ul><li>", scale.of(300_000))
    }),
];
