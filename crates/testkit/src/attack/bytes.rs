//! Pages whose characters, references or encodings break decoders or writers of text.

use super::definition::{Attack, Scale};
use super::records::{HEAD, numbered, page_of, paragraph};
use crate::random::Random;

/// Invalid UTF-8: halves of surrogate pairs, overlong, too long, cut short, out of range.
const BAD_UTF8: [&[u8]; 12] = [
    b"\xed\xa0\x80",
    b"\xed\xbf\xbf",
    b"\xc0\xaf",
    b"\xe0\x80\xaf",
    b"\xf0\x80\x80\xaf",
    b"\xf8\x88\x80\x80\x80",
    b"\xfc\x84\x80\x80\x80\x80",
    b"\xff\xfe",
    b"\x80",
    b"\xe2\x82",
    b"\xf4\x90\x80\x80",
    b"\xc1\xbf",
];

/// Returns a page with `text` repeated after `start`.
fn text(start: &str, text: &str, times: usize) -> Vec<u8> {
    [HEAD, start.as_bytes(), text.repeat(times).as_bytes()].concat()
}

fn unknown_entities(scale: Scale) -> Vec<u8> {
    let names = numbered(|i| format!("&nosuchentity{i}; "), scale.of(1_000_000));
    [HEAD, b"<p>", &names].concat()
}

fn nul_bytes(scale: Scale) -> Vec<u8> {
    let zeros = vec![0; scale.of(10 << 20)];
    let tag = b"<di\0v>x</di\0v>";
    [HEAD, b"<p>a\0b</p>", &zeros, &paragraph("AFTERNUL"), tag].concat()
}

fn bad_utf8(scale: Scale) -> Vec<u8> {
    let mut random = Random::new(20_240_229);
    let mut page = [HEAD, b"<p>"].concat();
    for _ in 0..scale.of(500_000) {
        page.extend_from_slice(BAD_UTF8[random.below(BAD_UTF8.len() as u32) as usize]);
        page.extend_from_slice(b"w ");
    }
    page.extend_from_slice(b"</p>");
    page.extend(paragraph("AFTERBAD"));
    page
}

fn utf16(_: Scale) -> Vec<u8> {
    page_of("SIXTEEN").into_iter().flat_map(|byte| [byte, 0]).collect()
}

fn charset_lies(_: Scale) -> Vec<u8> {
    let head = b"<html><head><meta charset=\"utf-7\"><meta charset=\"\0\0\">\
        <meta http-equiv=Content-Type content=\"text/html; charset=;;;x-user-defined\">";
    [&head[..], &paragraph("AFTERCHARSET")].concat()
}

fn escapes(scale: Scale) -> Vec<u8> {
    let flood = "\x1b$B$\"\x1b(B".repeat(scale.of(500_000));
    ["<meta charset=iso-2022-jp><p>", &flood].concat().into_bytes()
}

/// The attacks.
pub(super) const ATTACKS: &[Attack] = &[
    // Character references.
    Attack::page("html-amp-flood", "5 million `&`: linear", |scale| {
        text("<p>", "&", scale.of(5_000_000))
    }),
    Attack::page("html-ampamp", "`&amp;amp;amp;` and so on: decoded once", |scale| {
        text("<p>start &amp;", "amp;", scale.of(1_000_000))
    })
    .contains(&["&amp;amp;"]),
    Attack::page(
        "html-unknown-entities",
        "a million references to nothing stay as they are written",
        unknown_entities,
    )
    .contains(&["&nosuchentity"]),
    Attack::page("html-entity-long", "a reference of 20 MB without an end", |scale| {
        text("<p>&", "a", scale.of(20 << 20))
    }),
    Attack::page(
        "html-numeric-entities",
        "references to surrogates, NUL and numbers out of range become U+FFFD; the text is UTF-8",
        |scale| {
            text(
                "<p>",
                "&#xD800;&#0;&#x110000;&#99999999999999999999;&#xDFFF; word ",
                scale.of(200_000),
            )
        },
    )
    .contains(&["\u{fffd}"]),
    Attack::page(
        "html-entity-expand",
        "500,000 references of long names and of two characters: linear",
        |scale| text("<p>", "&ClockwiseContourIntegral;&NotEqualTilde; ", scale.of(500_000)),
    ),
    // Bytes.
    Attack::page(
        "html-nul-bytes",
        "10 MB of NUL in texts and tags: the text does not end at one",
        nul_bytes,
    )
    .contains(&["AFTERNUL"]),
    Attack::page(
        "html-bad-utf8",
        "all kinds of bytes that are no UTF-8: replaced, and the text is UTF-8",
        bad_utf8,
    )
    .contains(&["AFTERBAD"]),
    Attack::page("html-random-bytes", "20 MB of random bytes that are said to be HTML", |scale| {
        Random::new(7).bytes(scale.of(20 << 20))
    })
    .seconds(15),
    Attack::page("html-one-text-10mb", "a text of 10 MB without a space", |scale| {
        [&text("<p>", "x", scale.of(10 << 20))[..], b"</p>"].concat()
    }),
    Attack::page("html-one-text-words-50mb", "a text of 50 MB of words", |scale| {
        [&text("<p>", "word ", scale.of(10 << 20))[..], b"</p>"].concat()
    })
    .memory(900)
    .seconds(20),
    Attack::page(
        "html-utf16-no-bom",
        "UTF-16 that is said to be UTF-8: replaced or detected, and the text is UTF-8",
        utf16,
    ),
    Attack::page(
        "html-charset-lies",
        "encodings that do not exist: the reader falls back to one that does",
        charset_lies,
    )
    .contains(&["AFTERCHARSET"]),
    Attack::page(
        "html-iso2022-escape-flood",
        "half a million changes of the character set in ISO-2022-JP",
        escapes,
    ),
    Attack::page(
        "html-control-bidi",
        "control characters, changes of direction, characters without width, noncharacters: the row is valid JSON",
        |scale| {
            text(
                "<p>",
                "\u{202e}\u{2066}\u{200b}\u{feff}\u{fffe}\u{ffff}\u{10ffff}\x01\x08\x0b\x1f\x7f\u{80}\u{9f}\"\\ \u{2028} w ",
                scale.of(200_000),
            )
        },
    ),
    Attack::page(
        "html-quote-backslash",
        "10 MB of quotes and backslashes: twice as long in JSON, and valid",
        |scale| text("<p>", "\"\\", scale.of(5 << 20)),
    ),
    // Pages with almost no content.
    Attack::page("html-empty", "an empty body: a row without text, or counted as empty", |_| {
        Vec::new()
    }),
    Attack::page("html-only-doctype", "a doctype and nothing else", |_| {
        b"<!DOCTYPE html>".to_vec()
    }),
    Attack::page("html-one-lt", "one `<`", |_| b"<".to_vec()),
];
