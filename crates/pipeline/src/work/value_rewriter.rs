//! Changes the other values of a row as the stages changed the characters of its text.
//!
//! The content of a value ([`FieldContent`](huller_row::FieldContent)) decides how far stages reach
//! into it. Other words of the page change as the text does. The user's own values change only by
//! stages that reach so far. References stay unchanged.

use huller_page::memory::clear_and_shrink;
use huller_refine::{Chain, ChangedValues};
use huller_row::{FieldContent, JsonEdit, JsonStrings, JsonToken, member_content};
use serde_json::value::RawValue;

/// Kind of a value in a row.
#[derive(Clone, Copy)]
pub(crate) enum RowValueKind<'a> {
    /// Words of the page.
    Page,
    /// The user's own.
    Own,
    /// Texts of extractors by their names. If the row's text was changed, it carries the name of
    /// the row's own extractor and the new text.
    Texts(Option<(&'a str, &'a str)>),
    /// Blocks of the page. True if the row's text was changed, so that places in it are out of
    /// date.
    Blocks(bool),
}

impl RowValueKind<'_> {
    /// Whether the value has to be written again even if no stage reaches it.
    fn follows_the_text(self) -> bool {
        matches!(self, RowValueKind::Texts(Some(_)) | RowValueKind::Blocks(true))
    }
}

/// Bytes of JSON up to which buffers are kept from row to row.
const MAX_KEPT_BYTES: usize = 1 << 20;

/// Buffers for values.
#[derive(Default)]
pub(crate) struct ValueScratch {
    text: String,
    spare: String,
    /// JSON that is the text of a string.
    packed: Vec<u8>,
}

/// Changes the values of one row.
pub(crate) struct ValueRewriter<'a> {
    chain: &'a mut Chain,
    changes: ChangedValues,
    scratch: &'a mut ValueScratch,
}

impl<'a> ValueRewriter<'a> {
    pub(crate) fn new(chain: &'a mut Chain, scratch: &'a mut ValueScratch) -> ValueRewriter<'a> {
        ValueRewriter { changes: chain.changed_values(), chain, scratch }
    }

    /// Appends a JSON value to `out` as the stages change it. Returns false, and writes nothing, if
    /// they leave it as it is.
    pub(crate) fn write(&mut self, json: &str, kind: RowValueKind<'_>, out: &mut Vec<u8>) -> bool {
        let needed = if matches!(kind, RowValueKind::Own) {
            ChangedValues::Own
        } else {
            ChangedValues::Page
        };
        if self.changes < needed && !kind.follows_the_text() {
            return false;
        }
        if !json.starts_with('"') {
            return self.rewrite_strings(json, kind, out);
        }
        let Some(JsonToken::Text(place, text)) = JsonStrings::new(json).next() else {
            return false;
        };
        let writer =
            ValueRewriter { chain: self.chain, changes: self.changes, scratch: self.scratch };
        let Some(text) = writer.text(&text, kind) else { return false };
        let mut edit = JsonEdit::new(json, out);
        edit.text(place, text);
        edit.end()
    }

    /// Returns the user's own keys of a row, an object, as the stages change them. Writes the
    /// changed object to `out`.
    pub(crate) fn write_user_keys<'j>(&mut self, json: &'j str, out: &'j mut Vec<u8>) -> &'j str {
        clear_and_shrink(out, MAX_KEPT_BYTES);
        let is_changed = self.write(json, RowValueKind::Own, out);
        if is_changed { str::from_utf8(out).expect("JSON made of strings") } else { json }
    }

    /// Returns a text as the stages change it, or `None` if they leave it as it is. Columns of
    /// tables hold objects and lists as texts.
    pub(crate) fn text(mut self, text: &str, kind: RowValueKind<'_>) -> Option<&'a str> {
        let is_words = matches!(kind, RowValueKind::Page) || !is_packed(text);
        let is_changed = if is_words {
            self.rewrite_text(text, matches!(kind, RowValueKind::Own))
        } else {
            let mut packed = std::mem::take(&mut self.scratch.packed);
            clear_and_shrink(&mut packed, MAX_KEPT_BYTES);
            let is_changed = self.rewrite_strings(text, kind, &mut packed);
            self.scratch.packed = packed;
            is_changed
        };
        let ValueScratch { text: words, packed, .. } = self.scratch;
        let packed = || str::from_utf8(packed).expect("JSON made of strings");
        is_changed.then(|| if is_words { words.as_str() } else { packed() })
    }

    /// Changes the strings of an object or list.
    fn rewrite_strings(&mut self, json: &str, kind: RowValueKind<'_>, out: &mut Vec<u8>) -> bool {
        let mut strings = JsonStrings::new(json);
        let mut edit = JsonEdit::new(json, out);
        let mut is_own = matches!(kind, RowValueKind::Own | RowValueKind::Blocks(_));
        while let Some(token) = strings.next() {
            match (token, kind) {
                (JsonToken::Text(place, text), _) => {
                    if self.rewrite_text(&text, is_own) {
                        edit.text(place, &self.scratch.text);
                    }
                }
                (JsonToken::Name(name), RowValueKind::Texts(own)) => {
                    let own = own.filter(|(own, _)| strings.depth() == 1 && name == *own);
                    if let Some((_, text)) = own {
                        edit.text(strings.skip_value(), text);
                    }
                }
                // Stages treat all values of a block besides its text as the user's own.
                (JsonToken::Name(name), RowValueKind::Blocks(is_moved)) if strings.depth() == 2 => {
                    is_own = name != "text";
                    if is_moved && matches!(&*name, "start" | "end") {
                        edit.raw(strings.skip_value(), "null");
                    }
                }
                (JsonToken::Name(_), RowValueKind::Blocks(_)) => {}
                (JsonToken::Name(name), RowValueKind::Page | RowValueKind::Own) => {
                    if is_reference(&name) {
                        strings.skip_value();
                    }
                }
            }
        }
        edit.end()
    }

    /// Changes a text of the page or one of the user's own. The result is in the scratch buffers.
    fn rewrite_text(&mut self, text: &str, is_own: bool) -> bool {
        let needed = if is_own { ChangedValues::Own } else { ChangedValues::Page };
        if self.changes < needed || (is_own && is_address(text)) {
            return false;
        }
        let ValueScratch { text: value, spare, .. } = &mut *self.scratch;
        value.clear();
        value.push_str(text);
        if is_own { self.chain.rewrite_own(value, spare) } else { self.chain.rewrite(value, spare) }
    }
}

/// Returns whether a member of this name is a reference, at any depth.
fn is_reference(name: &str) -> bool {
    member_content(name).is_some_and(|holds| holds.content() == FieldContent::Reference)
}

/// Returns whether a text is a JSON object or list.
fn is_packed(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<&RawValue>(text).is_ok()
}

/// Returns whether a whole text of the user's own is a URL or a path.
fn is_address(text: &str) -> bool {
    let is_scheme = |scheme: &str| {
        let mut bytes = scheme.bytes();
        bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    let is_url = || text.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme));
    let is_path = || ["/", "./", "../"].iter().any(|start| text.starts_with(start));
    (is_path() || is_url()) && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_refine::Stage;
    use huller_refine::stages::{Mask, Normalise};

    fn written(json: &str, kind: RowValueKind<'_>) -> String {
        let stages: [Box<dyn Stage>; 2] =
            [Box::new(Normalise::default()), Box::new(Mask::default())];
        let (mut chain, mut scratch) = (Chain::new(&stages), ValueScratch::default());
        let mut out = Vec::new();
        let is_changed = ValueRewriter::new(&mut chain, &mut scratch).write(json, kind, &mut out);
        assert_eq!(is_changed, !out.is_empty(), "{json}");
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn strings_of_any_value_are_changed_by_what_it_is() {
        let mail = r#""cafe\u0301 a@b.org""#;
        assert_eq!(written(mail, RowValueKind::Page), r#""café email@example.com""#);
        assert_eq!(written(mail, RowValueKind::Own), "\"cafe\u{301} email@example.com\"");
        for unchanged in ["7", "null", "[1.50, {}]", r#""\u0041""#, r#"{"url":"http://a@b.org"}"#] {
            for kind in [RowValueKind::Page, RowValueKind::Own] {
                assert_eq!(written(unchanged, kind), "", "{unchanged}");
            }
        }
        assert_eq!(
            written(
                r#"{ "id":"a@b.org","n": [1.50, "a@b.org", {"x":"\u0041"}] }"#,
                RowValueKind::Own
            ),
            r#"{ "id":"a@b.org","n": [1.50, "email@example.com", {"x":"\u0041"}] }"#
        );
    }

    #[test]
    fn addresses_and_paths_of_the_users_own_stay() {
        for (text, stays) in [
            ("https://x.org/?to=a@b.org", true),
            ("/mail/a@b.org/1.txt", true),
            ("../a@b.org", true),
            ("mailto:a@b.org", false),
            ("a@b.org, see https://x.org", false),
            ("/ a@b.org", false),
            ("://a@b.org", false),
        ] {
            let json = format!("[\"{text}\"]");
            assert_eq!(written(&json, RowValueKind::Own).is_empty(), stays, "{text}");
        }
    }

    #[test]
    fn values_that_columns_hold_as_texts_are_changed_within() {
        let packed = r#""{\"a\": \"a\\u0040b.org\", \"url\": \"a@b.org\"}""#;
        let expected = r#""{\"a\": \"email@example.com\", \"url\": \"a@b.org\"}""#;
        assert_eq!(written(packed, RowValueKind::Own), expected);
        let text = r#""[a@b.org]""#;
        assert_eq!(written(text, RowValueKind::Own), r#""[email@example.com]""#);
        assert_eq!(
            written(r#""{\"body\":\"x\"}""#, RowValueKind::Texts(Some(("body", "y")))),
            r#""{\"body\":\"y\"}""#
        );
    }

    #[test]
    fn texts_and_blocks_follow_the_text() {
        assert_eq!(
            written(
                r#"{"hull":"old","body":"a@b.org"}"#,
                RowValueKind::Texts(Some(("hull", "new")))
            ),
            r#"{"hull":"new","body":"email@example.com"}"#
        );
        let blocks = r#"[{"start":1,"path":"a@b.org","text":"e\u0301 a@b.org","m":{"start":2}},{"left_out":3}]"#;
        assert_eq!(
            written(blocks, RowValueKind::Blocks(true)),
            r#"[{"start":null,"path":"email@example.com","text":"é email@example.com","m":{"start":2}},{"left_out":3}]"#
        );
        assert!(written(blocks, RowValueKind::Blocks(false)).starts_with("[{\"start\":1,"));
        let mut chain = Chain::new(&[]);
        let (mut scratch, mut out) = (ValueScratch::default(), Vec::new());
        let mut writer = ValueRewriter::new(&mut chain, &mut scratch);
        assert!(writer.write(blocks, RowValueKind::Blocks(true), &mut out));
        assert!(!writer.write(blocks, RowValueKind::Blocks(false), &mut out));
    }
}
