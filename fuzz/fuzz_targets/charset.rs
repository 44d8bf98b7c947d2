//! Any bytes as a page in any encoding: the detector finds an encoding, and decoding equals that of
//! the encoding library.

#![no_main]

use encoding_rs::Encoding;
use huller_archive::charset::{self, CharsetSource};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

thread_local! {
    /// A buffer that held all earlier pages.
    static USED: RefCell<String> = RefCell::default();
}

/// Labels that a server may send; the empty string means no label.
const LABELS: [&str; 14] = [
    "",
    "utf-8",
    "gb18030",
    "big5",
    "shift_jis",
    "euc-jp",
    "iso-2022-jp",
    "euc-kr",
    "windows-1251",
    "koi8-r",
    "utf-16be",
    "replacement",
    "x-user-defined",
    "no such encoding",
];

const URLS: [Option<&str>; 5] = [
    None,
    Some("http://example.jp/"),
    Some("https://a.example.co.kr:80/x"),
    Some("//"),
    Some("http://пример.рф/"),
];

fuzz_target!(|input: (u8, u8, &[u8])| {
    let (label, url, page) = input;
    let label = LABELS[usize::from(label) % LABELS.len()];
    let http = (!label.is_empty()).then_some(label.as_bytes());
    let url = URLS[usize::from(url) % URLS.len()];

    let found = charset::detect(page, http, url);
    assert_eq!(charset::detect(page, http, url), found);
    let mark = Encoding::for_bom(page);
    assert_eq!(found.source == CharsetSource::Bom, mark.is_some());
    let declared = http.and_then(Encoding::for_label);
    assert_eq!(found.source == CharsetSource::Http, mark.is_none() && declared.is_some());
    assert!(found.source != CharsetSource::Default || page.is_ascii());
    assert_eq!(
        Encoding::for_label(found.label().as_bytes()),
        Some(found.encoding),
        "a label names its encoding"
    );

    let mut buffer = String::new();
    let text = charset::decode_into(page, found, &mut buffer);
    let content = match mark {
        Some((encoding, len)) if encoding == found.encoding => &page[len..],
        _ => page,
    };
    let (expected, _) = found.encoding.decode_without_bom_handling(content);
    assert_eq!(text, expected);
    USED.with_borrow_mut(|used| assert_eq!(charset::decode_into(page, found, used), expected));
});
