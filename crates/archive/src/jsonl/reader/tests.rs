use super::*;
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn reader() -> JsonlReader {
    JsonlReader::new(JsonlKeys::default())
}

#[track_caller]
fn html(line: &str, expected: &str) {
    assert_eq!(
        reader().read(line.as_bytes()).map(|page| page.html.to_owned()),
        Ok(expected.to_owned())
    );
}

#[track_caller]
fn refused(line: impl AsRef<[u8]>, reason: JsonlReason, position: usize) {
    assert_eq!(reader().read(line.as_ref()), Err(JsonlFault { reason, position }));
}

#[test]
fn reads_the_fields_of_a_page() {
    let line = br#" { "id" : "a\tb", "url":"http://a/", "crawl_date": "2026-11-21T00:00:00Z",
        "x": [1, {"html": "no"}, []], "html": "<p>\"x\"</p>", "y": {}, "z": null } "#;
    let mut reader = reader();
    let page = reader.read(line).unwrap();
    assert_eq!(page.html, "<p>\"x\"</p>");
    assert_eq!(page.url, Some("http://a/"));
    assert_eq!(page.id, Some("a\tb"));
    assert_eq!(page.date, Some("2026-11-21T00:00:00Z"));
    let page = reader.read(br#"{"h":""}"#).unwrap();
    assert_eq!(page, JsonlPage { html: "", url: None, id: None, date: None, kept: None });
}

#[test]
fn borrows_what_has_no_escapes() {
    let line = r#"{"html":"<p>é</p>"}"#;
    let mut reader = reader();
    let page = reader.read(line.as_bytes()).unwrap();
    assert_eq!(page.html.as_ptr(), line[9..].as_ptr());
}

#[test]
fn takes_the_first_key_of_the_list_that_holds_a_string() {
    html(r#"{"body":"4","content":"2","raw_content":"3","h":"1","html":"0"}"#, "0");
    html(r#"{"body":"4","content":"2","raw_content":"3"}"#, "2");
    html(r#"{"html":null,"body":"4"}"#, "4");
    html(r#"{"body":"4","html":null}"#, "4");
    html(r#"{"html":"first","html":"second"}"#, "second");
    html(r#"{"ht\u006dl":"key with escapes"}"#, "key with escapes");
    html(r#"{"HTML":"x","content":"y"}"#, "y");
    let mut reader = reader();
    for (id, expected) in [
        ("7", Some("7")),
        ("-1.5e3", Some("-1.5e3")),
        ("\"x\"", Some("x")),
        ("null", None),
        ("[1]", None),
    ] {
        let line = format!(r#"{{"id":{id},"url":3,"h":"x"}}"#);
        let page = reader.read(line.as_bytes()).unwrap();
        assert_eq!((page.id, page.url), (expected, None), "{id}");
    }
}

#[test]
fn what_is_no_value_of_a_field_hides_no_later_name() {
    for other in ["null", "5", "-1.5e3", "true", "{}", r#"{"html":"in it"}"#, r#"["a"]"#] {
        html(&format!(r#"{{"html":{other},"content":"x"}}"#), "x");
        html(&format!(r#"{{"content":"x","html":{other}}}"#), "x");
        let line =
            format!(r#"{{"h":"","url":{other},"warc_url":"b","date":{other},"timestamp":"c"}}"#);
        let mut reader = reader();
        let page = reader.read(line.as_bytes()).unwrap();
        assert_eq!((page.url, page.date), (Some("b"), Some("c")), "{other}");
        let line = format!(r#"{{"url":"http://a/","html":{other}}}"#);
        assert_eq!(reader.read(line.as_bytes()).unwrap_err().reason, JsonlReason::HtmlNotAString);
    }
}

#[test]
fn lone_surrogates_in_keys_cost_no_row() {
    let mut reader = JsonlReader::new(JsonlKeys {
        kept: vec!["a\u{FFFD}".to_owned(), "😀".to_owned()],
        ..JsonlKeys::default()
    });
    let line = br#"{"\ud800":1,"html":"x\udfff","a\ud83d":{"\udc00":"\ud800"},"\ud83d\ude00":2}"#;
    let page = reader.read(line).unwrap();
    assert_eq!(page.html, "x\u{FFFD}");
    assert_eq!(page.kept, Some("{\"a\u{FFFD}\":{\"\\ufffd\":\"\\ufffd\"},\"😀\":2}"));
}

#[test]
fn keys_can_be_chosen() {
    let mut reader = JsonlReader::new(JsonlKeys {
        html: vec!["page".to_owned()],
        id: vec!["doc".to_owned(), "id".to_owned()],
        ..JsonlKeys::default()
    });
    let page = reader.read(br#"{"html":"no","page":"yes","id":1,"doc":2}"#).unwrap();
    assert_eq!((page.html, page.id), ("yes", Some("2")));
    let found = reader.read(br#"{"html":"no"}"#);
    assert_eq!(found.unwrap_err().reason, JsonlReason::NoHtml);
}

#[test]
fn undoes_escapes() {
    html(r#"{"h":"\"\\\/\b\f\n\r\t\u0000\u00e9\u20AC"}"#, "\"\\/\u{8}\u{C}\n\r\t\0é€");
    html(
        r#"{"h":"\ud83d\ude00 \uD83D \uDE00 \ud83d\ud83d\ude00 \ud83dx\ude00"}"#,
        "😀 \u{FFFD} \u{FFFD} \u{FFFD}😀 \u{FFFD}x\u{FFFD}",
    );
    html(r#"{"h":"\ud83d\n\ud83d\u0041\ud83d"}"#, "\u{FFFD}\n\u{FFFD}A\u{FFFD}");
}

#[test]
fn says_what_is_wrong_and_where() {
    use JsonlReason::*;
    refused("", NotAnObject, 0);
    refused("  ", NotAnObject, 2);
    refused("[{\"h\":\"x\"}]", NotAnObject, 0);
    refused("\"h\"", NotAnObject, 0);
    refused("12", NotAnObject, 0);
    refused("\0", NotAnObject, 0);
    refused(b"{\"h\":\"\xFF\"}", NotUtf8, 6);
    refused(b"{\"h\":\"\xED\xA0\x80\"}", NotUtf8, 6);
    refused("{", Truncated, 1);
    refused("{\"h", Truncated, 3);
    refused("{\"h\"", Truncated, 4);
    refused("{\"h\":", Truncated, 5);
    refused("{\"h\":tr", Truncated, 7);
    refused("{\"h\":\"x", Truncated, 7);
    refused("{\"h\":\"x\\", Truncated, 8);
    refused("{\"h\":\"x\\u00", Truncated, 11);
    refused("{\"h\":\"x\"", Truncated, 8);
    refused("{\"h\":[1,", Truncated, 8);
    refused("{\"h\":1.", Syntax, 6);
    refused("{\"h\":\"x\"}x", TrailingText, 9);
    refused("{\"h\":\"x\"}{}", TrailingText, 9);
    // The library says where it stopped: before a control character, and after an escape.
    refused("{\"h\":\"a\0b\"}", ControlCharacter, 6);
    refused("{\"h\":\"a\nb\"}", ControlCharacter, 6);
    refused("{\"h\":\"a\\xb\"}", Escape, 8);
    refused("{\"h\":\"a\\u12g4\"}", Escape, 12);
    refused("{\"h\":\"a\\u+123\"}", Escape, 12);
    refused("{,}", Syntax, 1);
    refused("{\"h\":\"x\",}", Syntax, 9);
    refused("{\"h\" \"x\"}", Syntax, 5);
    refused("{\"h\":\"x\" \"y\":1}", Syntax, 9);
    refused("{h:1}", Syntax, 1);
    refused("{'h':1}", Syntax, 1);
    refused("{\"a\":01}", Syntax, 6);
    refused("{\"a\":.5}", Syntax, 5);
    refused("{\"a\":+5}", Syntax, 5);
    refused("{\"a\":NaN}", Syntax, 5);
    refused("{\"a\":[1 2]}", Syntax, 8);
    refused("{\"a\":[}", Syntax, 6);
    refused("{\"a\":[1}}", Syntax, 7);
    refused("{\"a\":{1:2}}", Syntax, 6);
    refused("{\"a\":\0}", Syntax, 5);
    refused("{\"a\":1}", NoHtml, 7);
    refused("{}", NoHtml, 2);
    refused("{\"html\":null}", HtmlNotAString, 8);
    refused("{\"a\":0,\"html\":[\"x\"]}", HtmlNotAString, 14);
    refused("{\"html\":12}", HtmlNotAString, 8);
    let fault = reader().read(b"{\"a\":NaN}").unwrap_err();
    assert_eq!(fault.to_string(), "invalid JSON at byte 5 of the line");
}

#[test]
fn deep_nesting_is_a_fault_and_big_numbers_are_allowed() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[[{\"a\":[", "]}]]")] {
        let line = format!("{{\"a\":{}", open.repeat(1_000_000));
        assert_eq!(reader().read(line.as_bytes()).unwrap_err().reason, JsonlReason::Truncated);
        let line = format!("{line}0{}}}", close.repeat(1_000_000));
        assert_eq!(reader().read(line.as_bytes()).unwrap_err().reason, JsonlReason::TooDeep);
    }
    let deep = format!("{{\"a\":{}{},\"h\":\"x\"}}", "[".repeat(1023), "]".repeat(1023));
    html(&deep, "x");
    let deep = format!("{{\"a\":{}{},\"h\":\"x\"}}", "[".repeat(1024), "]".repeat(1024));
    assert_eq!(reader().read(deep.as_bytes()).unwrap_err().reason, JsonlReason::TooDeep);
    html(r#"{"a":1e400,"b":[-1E-99999999999],"c":123456789012345678901234567890,"h":"x"}"#, "x");
}

#[test]
fn hostile_lines_take_linear_time() {
    let start = Instant::now();
    for piece in ["\\ud83d", "\\n", "é", "\\u0000\\\\"] {
        let text = piece.repeat((8 << 20) / piece.len());
        assert!(reader().read(format!("{{\"h\":\"{text}\"}}").as_bytes()).is_ok());
    }
    let members = "\"h\":\"\\n\",".repeat(1_000_000);
    html(&format!("{{{members}\"x\":0}}"), "\n");
    let siblings = "[],{},".repeat(1_000_000);
    html(&format!("{{\"a\":[{siblings}0],\"h\":\"x\"}}"), "x");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn the_buffers_settle() {
    let mut reader = reader();
    let line = format!("{{\"id\":\"\\n\",\"h\":\"{}\"}}", "\\n text".repeat(10_000));
    reader.read(line.as_bytes()).unwrap();
    let before =
        (reader.html.buffer.as_ptr(), reader.html.buffer.capacity(), reader.id.buffer.capacity());
    reader.read(line.as_bytes()).unwrap();
    let after =
        (reader.html.buffer.as_ptr(), reader.html.buffer.capacity(), reader.id.buffer.capacity());
    assert_eq!(before, after);
}

fn value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::btree_map("[a-z\"\\\\\n]{0,3}", inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn reads_what_serde_json_writes(html: String, url: Option<String>, rest in value(), pretty: bool) {
        let line = serde_json::json!({ "a": rest, "html": html, "url": url, "z": [rest] });
        let line = if pretty { format!("{line:#}") } else { line.to_string() };
        let mut reader = reader();
        let page = reader.read(line.as_bytes()).unwrap();
        prop_assert_eq!((page.html, page.url), (html.as_str(), url.as_deref()));
    }

    #[test]
    fn agrees_with_serde_json_on_damaged_lines(rest in value(), at: prop::sample::Index, byte in prop::sample::select(b"\"\\{}[],:.-+eE019 tfnu\n\0a".as_slice())) {
        let mut line = serde_json::json!({ "h": "x", "a": rest }).to_string().into_bytes();
        let at = at.index(line.len());
        line[at] = byte;
        let strict = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&line);
        let ours = reader().read(&line).map(|page| page.html.to_owned());
        match ours {
            Ok(html) => match strict {
                Ok(map) => prop_assert!(map.values().any(|value| value.as_str() == Some(&html))),
                // serde_json refuses lone surrogates and large numbers, which this reader accepts.
                Err(error) => {
                    let error = error.to_string();
                    prop_assert!(error.contains("surrogate") || error.contains("out of range") || error.contains("hex escape"), "{}", error);
                }
            },
            Err(fault) => {
                let page = fault.is_missing_html();
                prop_assert_eq!(strict.is_ok(), page, "{:?}", fault);
                prop_assert!(fault.position <= line.len());
            }
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(line: Vec<u8>, text in "[\\[\\]{}\":,\\\\un0-9.e-]{0,60}") {
        let _ = reader().read(&line);
        let _ = reader().read(format!("{{\"h\":\"x\",\"a\":{text}}}").as_bytes());
        let _ = reader().read(format!("{{\"h\":\"{text}\"}}").as_bytes());
    }
}
