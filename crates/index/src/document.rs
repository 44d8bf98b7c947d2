//! Makes the document of a row for the index.

use crate::analysis::with_language;
use crate::schema::Fields;
use huller_corpus::{CorpusRow, RowKeys};
use huller_provenance::{Host, seconds};
use huller_refine::{Reason, RejectionKind};
use std::borrow::Cow;
use std::sync::LazyLock;
use tantivy::TantivyDocument;
use tantivy::schema::Field;
use twox_hash::XxHash3_64;

/// The reason under which statistics count a row whose text and title are empty.
static NO_TEXT: LazyLock<Reason> = LazyLock::new(|| skipped("no_text"));

/// The reason under which statistics count a row that is no passage, in an index of passages.
static NOT_A_PASSAGE: LazyLock<Reason> = LazyLock::new(|| skipped("not_a_passage"));

fn skipped(name: &'static str) -> Reason {
    Reason::named(name, RejectionKind::Skipped).expect("a few dozen reasons have names")
}

/// Most bytes of a text that are stored, for snippets and display. All of its words are indexed.
const MAX_STORED_TEXT_BYTES: usize = 256 << 10;

/// Most bytes of another field that are stored. No term of the index is longer.
const MAX_STORED_FIELD_BYTES: usize = 64 << 10;

/// Adds a text that is stored, or as much of it as is stored.
fn store(document: &mut TantivyDocument, field: Field, text: &str) {
    document.add_text(field, &text[..text.floor_char_boundary(MAX_STORED_FIELD_BYTES)]);
}

/// Makes the document of a line that is a passage. Its words are those of prefix, context and text.
pub(crate) fn passage_document(
    fields: &Fields,
    keys: &RowKeys,
    line: &[u8],
    name: &str,
) -> Result<TantivyDocument, Reason> {
    let row = CorpusRow::parse(line).map_err(|fault| fault.reason)?;
    let parent = row.field_string("parent_id").ok_or(*NOT_A_PASSAGE)?;
    let ordinal = row.field_number::<u64>("ordinal").ok_or(*NOT_A_PASSAGE)?;
    let mut document = of_row(fields, keys, &row, name)?;
    document.add_u64(fields.page, XxHash3_64::oneshot(parent.as_bytes()));
    store(&mut document, fields.parent_id, &parent);
    document.add_u64(fields.ordinal, ordinal);
    let language = row.language().unwrap_or_default();
    for field_before in ["prefix", "context"] {
        if let Some(text) = row.field_string(field_before).filter(|text| !text.is_empty()) {
            document.add_text(fields.text_words, with_language(&language, &text));
        }
    }
    if let Some(anchor) = row.field_string("anchor") {
        store(&mut document, fields.anchor, &anchor);
    }
    let mut stored = 0;
    for heading in row.field_json::<Vec<String>>("headings").unwrap_or_default() {
        // An empty heading takes memory too.
        stored += heading.len() + 16;
        if stored > MAX_STORED_FIELD_BYTES {
            break;
        }
        document.add_text(fields.headings, heading);
    }
    Ok(document)
}

/// Makes the document of a line. `name` is the [`key`] of the row.
pub(crate) fn document(
    fields: &Fields,
    keys: &RowKeys,
    line: &[u8],
    name: &str,
) -> Result<TantivyDocument, Reason> {
    of_row(fields, keys, &CorpusRow::parse(line).map_err(|fault| fault.reason)?, name)
}

/// Makes the document of a row.
fn of_row(
    fields: &Fields,
    keys: &RowKeys,
    row: &CorpusRow<'_>,
    name: &str,
) -> Result<TantivyDocument, Reason> {
    let text = row.text(keys).map_err(|fault| fault.reason)?.text;
    let title = row.title().unwrap_or_default();
    if text.trim().is_empty() && title.trim().is_empty() {
        return Err(*NO_TEXT);
    }
    let id = row.id().unwrap_or(Cow::Borrowed(name));
    let language = row.language().unwrap_or_default();
    let mut document = TantivyDocument::default();
    document.add_text(fields.row, name);
    store(&mut document, fields.id, &id);
    document.add_u64(fields.rank, XxHash3_64::oneshot(id.as_bytes()));
    document.add_text(fields.text_words, with_language(&language, &text));
    document.add_text(fields.text, &text[..text.floor_char_boundary(MAX_STORED_TEXT_BYTES)]);
    document.add_u64(fields.text_bytes, text.len() as u64);
    if !title.is_empty() {
        document.add_text(fields.title_words, with_language(&language, &title));
        store(&mut document, fields.title, &title);
    }
    if let Some(author) = row.field_string("author") {
        // Names have no stems.
        document.add_text(fields.author_words, with_language("", &author));
        store(&mut document, fields.author, &author);
    }
    if let Some(published) = row.field_string("published") {
        if let Some(moment) = seconds(&published) {
            document.add_i64(fields.published, moment);
        }
        store(&mut document, fields.published_text, &published);
    }
    if let Some(url) = row.url(keys) {
        store(&mut document, fields.url, &url);
        document.add_text(fields.url_words, &url);
        if let Some(host) = Host::from_url(&url) {
            host.domains().for_each(|domain| document.add_text(fields.host, domain));
            document.add_text(fields.site, host.as_str());
        }
    }
    if !language.is_empty() {
        store(&mut document, fields.language, &language);
    }
    if let Some(page_type) = row.field_string("page_type") {
        store(&mut document, fields.page_type, &page_type);
    }
    if let Some(date) = row.date() {
        if let Some(fetched) = seconds(&date) {
            document.add_i64(fields.date, fetched);
        }
        store(&mut document, fields.date_text, &date);
    }
    if let Some(filename) = row.field_string("warc_filename") {
        store(&mut document, fields.warc_filename, &filename);
    }
    if let Some(offset) = row.field_number::<u64>("warc_record_offset") {
        document.add_u64(fields.warc_record_offset, offset);
    }
    Ok(document)
}

/// Returns the key of a row: its file and its place in the file.
pub(crate) fn key(file: &str, row_position: u64) -> String {
    format!("{file}#{row_position}")
}

/// Returns the file of the row with this key.
pub(crate) fn key_file(key: &str) -> &str {
    key.rsplit_once('#').map_or(key, |(file, _)| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_document_says_why() {
        let (keys, fields) = (RowKeys::default(), Fields::new());
        for (line, expected) in [
            ("[1]", Some(Reason::InvalidJson)),
            (r#"{"text":"a""#, Some(Reason::InvalidJson)),
            (r#"{"text":1}"#, Some(Reason::NoTextKey)),
            (r#"{"text":" \n","title":""}"#, Some(*NO_TEXT)),
            (r#"{"text":"","title":"a"}"#, None),
            (r#"{"text":null,"content":"a"}"#, None),
            (r#"{"contents":"a","url":null,"date":"never","warc_record_offset":-1}"#, None),
        ] {
            let found = document(&fields, &keys, line.as_bytes(), "a#0").err();
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn a_passage_has_the_words_of_its_prefix_and_the_place_on_its_page() {
        use tantivy::schema::Value;
        let (keys, fields) = (RowKeys::default(), Fields::new());
        let of = |line: &str| passage_document(&fields, &keys, line.as_bytes(), "a#0");
        let line = r#"{"id":"1","parent_id":"p","ordinal":2,"anchor":"b","headings":["A","B"],"prefix":"T\n","context":null,"text":"t"}"#;
        let document = of(line).unwrap();
        let all = |field| document.get_all(field).filter_map(|it| it.as_str()).collect::<Vec<_>>();
        assert_eq!(all(fields.headings), ["A", "B"]);
        assert_eq!((all(fields.anchor), all(fields.parent_id)), (vec!["b"], vec!["p"]));
        assert_eq!(all(fields.text_words).len(), 2);
        for line in [r#"{"text":"t"}"#, r#"{"parent_id":"p","ordinal":-1,"text":"t"}"#] {
            assert_eq!(of(line).err(), Some(*NOT_A_PASSAGE), "{line}");
        }
    }

    #[test]
    fn stored_fields_have_bounds() {
        use tantivy::schema::Value;
        let (keys, fields) = (RowKeys::default(), Fields::new());
        let [text, title] = ["ä".repeat(MAX_STORED_TEXT_BYTES), "é".repeat(MAX_STORED_FIELD_BYTES)];
        let headings = vec!["h"; MAX_STORED_FIELD_BYTES];
        let row = serde_json::json!({"parent_id": title, "ordinal": 1, "text": text,
            "title": title, "url": title, "id": title, "author": title, "headings": headings});
        let document = passage_document(&fields, &keys, row.to_string().as_bytes(), "a#0").unwrap();
        let len = |field| document.get_all(field).filter_map(|it| it.as_str()).map(str::len).sum();
        let stored: usize = len(fields.text);
        assert_eq!(stored, MAX_STORED_TEXT_BYTES);
        let bytes = document.get_first(fields.text_bytes).and_then(|bytes| bytes.as_u64());
        assert_eq!(bytes, Some(2 * MAX_STORED_TEXT_BYTES as u64));
        for field in [fields.title, fields.url, fields.id, fields.author, fields.parent_id] {
            let stored: usize = len(field);
            assert_eq!(stored, MAX_STORED_FIELD_BYTES);
        }
        assert_eq!(document.get_all(fields.headings).count(), MAX_STORED_FIELD_BYTES / 17);
        let words: usize = len(fields.title_words);
        assert!(words >= title.len());
    }

    #[test]
    fn rows_of_nested_schemas_have_all_fields() {
        use tantivy::schema::Value;
        let (keys, fields) = (RowKeys::default(), Fields::new());
        let line = r#"{"text":"a","id":7,"added":"x","metadata":{"url":"http://a.test/","date":"2024-03-01","title":"t","language":"eng","page_type":"article","warc_filename":"a.warc.gz","warc_record_offset":5}}"#;
        let document = document(&fields, &keys, line.as_bytes(), "a#0").unwrap();
        let text = |field| document.get_first(field).and_then(|value| value.as_str()).unwrap_or("");
        assert_eq!(
            [text(fields.id), text(fields.url), text(fields.site)],
            ["7", "http://a.test/", "a.test"]
        );
        assert_eq!([text(fields.title), text(fields.language)], ["t", "eng"]);
        assert_eq!([text(fields.page_type), text(fields.warc_filename)], ["article", "a.warc.gz"]);
        assert_eq!(text(fields.date_text), "2024-03-01");
        let offset = document.get_first(fields.warc_record_offset).unwrap();
        assert_eq!(offset.as_u64(), Some(5));
    }
}
