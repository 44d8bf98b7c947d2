use super::*;
use encoding_rs::{BIG5, EUC_JP, GBK, SHIFT_JIS, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252};
use proptest::prelude::*;
use std::time::{Duration, Instant};

#[track_caller]
fn check(page: &[u8], http: Option<&str>, label: &str, source: CharsetSource) {
    let found = detect(page, http.map(str::as_bytes), None);
    assert_eq!((found.label(), found.source), (label, source));
}

#[test]
fn asks_in_the_order_of_the_standard() {
    use CharsetSource::{Bom, Default, Detected, Http, Meta};
    let meta = b"<meta charset=big5>".as_slice();
    check(&[b"\xEF\xBB\xBF", meta].concat(), Some("koi8-r"), "utf-8", Bom);
    check(b"\xFF\xFE<\0", Some("koi8-r"), "utf-16le", Bom);
    check(b"\xFE\xFF\0<", None, "utf-16be", Bom);
    check(meta, Some(" KOI8-R "), "koi8-r", Http);
    check(meta, Some("utf8"), "utf-8", Http);
    check(meta, Some("no-such-thing"), "big5", Meta);
    check(b"<meta charset=no-such-thing>\xC3\xA9", None, "utf-8", Detected);
    check("<p>é".as_bytes(), None, "utf-8", Detected);
    check(b"<p>plain", None, "utf-8", Default);
    check(b"", None, "utf-8", Default);
    check(b"", Some("latin1"), "windows-1252", Http);
    check(b"<?xml version='1.0' encoding = 'Shift_JIS' ?><p>", None, "shift_jis", Meta);
    check(b"<?xml version='1.0' encoding='utf-16'?><meta charset=gbk>", None, "gbk", Meta);
    check(b"<?xml version='1.0' encoding='utf-16'?><p>", None, "utf-8", Meta);
    check(b"<\0?\0x\0m\0l\0", None, "utf-16le", Meta);
    check(b"\0<\0?\0x\0m\0l", None, "utf-16be", Meta);
    check(b"<meta charset=x-user-defined>", None, "windows-1252", Meta);
    check(b"<meta charset=utf-16>", None, "utf-8", Meta);
    check(b"\x1B[31mred\x1B[0m, all of it ASCII", None, "utf-8", Default);
}

#[test]
fn looks_at_1024_bytes() {
    let meta = "<meta charset=gbk>";
    for (blanks, label) in [(1024 - meta.len(), "gbk"), (1025 - meta.len(), "utf-8")] {
        let page = format!("{}{meta}", " ".repeat(blanks));
        assert_eq!(detect(page.as_bytes(), None, None).label(), label);
    }
}

#[test]
fn guesses_what_is_not_declared() {
    for (encoding, text, url) in [
        (WINDOWS_1251, "Московский государственный университет имени Ломоносова", "http://a.ru/"),
        (SHIFT_JIS, "日本語の文字コードを判別するための文章です。", "http://a.jp/"),
        (EUC_JP, "日本語の文字コードを判別するための文章です。", "http://a.jp/"),
        (GBK, "中华人民共和国是工人阶级领导的社会主义国家", "http://a.cn/"),
        (BIG5, "中華民國的國民政府與人民的生活水準", "http://a.tw/"),
        (WINDOWS_1252, "Les élèves français préfèrent le café crème à la théière", "http://a.fr/"),
        (encoding_rs::ISO_2022_JP, "日本語の文字コード", "http://a.jp/"),
    ] {
        let page = [b"<p>".as_slice(), &encoding.encode(text).0].concat();
        for url in [Some(url), None] {
            let found = detect(&page, None, url);
            assert_eq!(
                (found.encoding, found.source),
                (encoding, CharsetSource::Detected),
                "{text}"
            );
        }
        let mut buffer = String::new();
        let found = Charset { encoding, source: CharsetSource::Detected };
        assert_eq!(decode_into(&page, found, &mut buffer), format!("<p>{text}"));
    }
}

#[test]
fn guesses_across_long_stretches_of_ascii() {
    let word = WINDOWS_1251.encode("университет").0;
    let mut page = Vec::new();
    for gap in (0..60).chain([5000, 100_000]) {
        page.extend_from_slice(&b"<a href=x>".repeat(gap / 2));
        page.extend_from_slice(&word);
    }
    for end in [page.len(), page.len() - 1, page.len() - 200_000] {
        let found = detect(&page[..end], None, None);
        assert_eq!(found.encoding, WINDOWS_1251, "{end}");
    }
}

#[test]
fn valid_utf8_is_borrowed() {
    let utf8 = Charset { encoding: UTF_8, source: CharsetSource::Http };
    let latin = Charset { encoding: WINDOWS_1252, source: CharsetSource::Http };
    for (page, charset) in [("é", utf8), ("plain", latin), ("", latin)] {
        let mut buffer = String::new();
        assert_eq!(decode_into(page.as_bytes(), charset, &mut buffer).as_ptr(), page.as_ptr());
        assert_eq!(buffer.capacity(), 0);
    }
    let page = b"\xEF\xBB\xBFtext";
    let mut buffer = String::new();
    assert_eq!(decode_into(page, utf8, &mut buffer), "text");
    assert_eq!(decode_into(page, latin, &mut buffer), "ï»¿text");
}

#[test]
fn decodes_with_replacement() {
    let mut buffer = String::from("old");
    let utf8 = Charset { encoding: UTF_8, source: CharsetSource::Http };
    assert_eq!(decode_into(b"a\xFFb\xE2\x82", utf8, &mut buffer), "a\u{FFFD}b\u{FFFD}");
    // The page is UTF-16 but declares UTF-8: the declaration is kept.
    assert_eq!(decode_into(b"\xE9\0<\0", utf8, &mut buffer), "\u{FFFD}\0<\0");
    let wide = Charset { encoding: UTF_16LE, source: CharsetSource::Bom };
    assert_eq!(decode_into(b"\xFF\xFEh\0i\0!", wide, &mut buffer), "hi\u{FFFD}");
    let wide = Charset { encoding: UTF_16BE, source: CharsetSource::Bom };
    assert_eq!(decode_into(b"\xFE\xFF\0h\xD8\0", wide, &mut buffer), "h\u{FFFD}");
    let none = Charset { encoding: encoding_rs::REPLACEMENT, source: CharsetSource::Http };
    assert_eq!(decode_into(b"text", none, &mut buffer), "\u{FFFD}");
}

#[test]
fn the_buffer_is_kept_and_a_large_one_is_freed() {
    let mut buffer = String::new();
    let latin = Charset { encoding: WINDOWS_1252, source: CharsetSource::Http };
    let page = b"caf\xE9 ".repeat(20_000);
    let expected = decode_into(&page, latin, &mut buffer).to_owned();
    let (address, capacity) = (buffer.as_ptr(), buffer.capacity());
    assert_eq!(decode_into(&page, latin, &mut buffer), expected);
    assert_eq!((buffer.as_ptr(), buffer.capacity()), (address, capacity));
    let giant = page.repeat(200);
    assert_eq!(decode_into(&giant, latin, &mut buffer), expected.repeat(200));
    assert!(buffer.capacity() > 20 << 20);
    decode_into(&page, latin, &mut buffer);
    assert!(buffer.capacity() <= 8 << 20);
}

#[test]
fn hostile_pages_take_linear_time() {
    let start = Instant::now();
    let mut buffer = String::new();
    for piece in [
        b"<meta charset".as_slice(),
        b"<!--",
        b"<a b=\"",
        b"\xFF",
        b"\xC3\xA9\xE9",
        b"\x1B$B",
        b"\xF0\x90\x80",
        b"\x81",
    ] {
        let page = piece.repeat((16 << 20) / piece.len());
        let found = detect(&page, None, Some("http://example.com/"));
        decode_into(&page, found, &mut buffer);
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

proptest! {
    #[test]
    fn arbitrary_pages_never_panic(page: Vec<u8>, http in prop::option::of("[a-z0-9-]{0,12}"), url in ".{0,30}") {
        let mut buffer = String::new();
        let found = detect(&page, http.as_deref().map(str::as_bytes), Some(&url));
        prop_assert!(!found.label().is_empty());
        decode_into(&page, found, &mut buffer);
    }

    #[test]
    fn arbitrary_markup_never_panics(page in "(<|>|/|!|--|\\?xml |meta |charset|content|http-equiv|=|\"|'|utf-8| |x){0,40}") {
        detect(page.as_bytes(), None, None);
    }

    #[test]
    fn utf8_comes_back(page in "[^\u{FEFF}].*") {
        let mut buffer = String::new();
        let utf8 = Charset { encoding: UTF_8, source: CharsetSource::Detected };
        prop_assert_eq!(decode_into(page.as_bytes(), utf8, &mut buffer), &page);
        prop_assert_eq!(detect(page.as_bytes(), None, None).encoding, UTF_8);
    }

    #[test]
    fn decoding_is_what_encoding_rs_does(page: Vec<u8>) {
        for encoding in [UTF_8, WINDOWS_1251, GBK, SHIFT_JIS, UTF_16LE] {
            let mut buffer = String::new();
            let charset = Charset { encoding, source: CharsetSource::Http };
            let (expected, _) = encoding.decode_with_bom_removal(&page);
            prop_assert_eq!(decode_into(&page, charset, &mut buffer), expected);
        }
    }
}
