//! Pages whose links, `meta` elements and licences are many, long or nested, to make the tables of
//! links and the reader of rights slow.

use super::definition::{Attack, Scale};
use super::records::{HEAD, numbered, paragraph};

/// Returns a page with a part between its start and a paragraph.
fn page(part: &[u8], mark: &str) -> Vec<u8> {
    [HEAD, part, &paragraph(mark)].concat()
}

fn nested_links(scale: Scale) -> Vec<u8> {
    let links = numbered(|i| format!("<a href=/{i}><div>"), 600);
    page(&[links, b"w <b>x</b> ".repeat(scale.of(200_000))].concat(), "INNERTEXT")
}

fn deep_links(scale: Scale) -> Vec<u8> {
    page(&numbered(|i| format!("<a href=/{i}><div>w"), scale.of(300_000)), "INNERTEXT")
}

fn long_links(scale: Scale) -> Vec<u8> {
    let long = |value: &str| value.repeat(scale.of(3 << 20));
    let link = format!("<a href=\"/{}\" rel=\"{}\">x</a>", long("y"), long("a "));
    page(link.as_bytes(), "AFTERLINKS")
}

fn escaped_links(scale: Scale) -> Vec<u8> {
    let link =
        format!("<a href=\"{}\" rel=\"{}\">&amp;</a>", "&amp;../".repeat(400), "&#32;".repeat(400));
    page(&link.repeat(scale.of(3_000)).into_bytes(), "AFTERLINKS")
}

fn meta_flood(scale: Scale) -> Vec<u8> {
    let elements = numbered(|i| format!("<meta name=robot{i} content=noai>"), scale.of(400_000));
    page(&elements, "AFTERMETA")
}

fn long_meta(scale: Scale) -> Vec<u8> {
    let words = "noai, GPTBot: noindex, tdm-reservation, ".repeat(scale.of(200_000));
    page(format!("<meta name=robots content=\"{words}\">").as_bytes(), "AFTERMETA")
}

fn license_flood(scale: Scale) -> Vec<u8> {
    let link = |i| {
        format!("<a rel=\"license x{i}\" href=https://creativecommons.org/licenses/by/{i}>l</a>")
    };
    page(&numbered(link, scale.of(180_000)), "AFTERLINKS")
}

/// The attacks.
pub(super) const ATTACKS: &[Attack] = &[
    Attack::page(
        "html-nested-links",
        "600 nested links around 400,000 texts: no link reads all texts that it holds",
        nested_links,
    ),
    Attack::page("html-deep-links", "300,000 nested links, each with a block in it", deep_links),
    Attack::page(
        "html-long-links",
        "a link with a target and a relation of some megabytes: left out, and the text after it is found",
        long_links,
    )
    .contains(&["AFTERLINKS"]),
    Attack::page("html-escaped-links", "3,000 links that consist of character references", escaped_links)
        .contains(&["AFTERLINKS"]),
    Attack::page("html-meta-flood", "400,000 statements on robots: their list stays bounded", meta_flood)
        .contains(&["AFTERMETA"]),
    Attack::page("html-long-meta", "a statement on robots of 8 MB", long_meta).contains(&["AFTERMETA"]),
    Attack::page("html-license-flood", "180,000 different licences", license_flood)
        .contains(&["AFTERLINKS"]),
];
