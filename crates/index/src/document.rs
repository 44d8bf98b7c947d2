//! From a line to the document of the index.

use crate::analysis::with_language;
use crate::schema::Fields;
use huller_provenance::{Host, seconds};
use huller_row::{JsonMembers, json_string};
use std::borrow::Cow;
use tantivy::TantivyDocument;
use twox_hash::XxHash3_64;

/// Names of the text in the rows of our own commands and of others.
const TEXT: [&str; 4] = ["text", "contents", "raw_content", "content"];

/// Names of the address.
const URL: [&str; 3] = ["url", "metadata.url", "source_url"];

/// Why a line that is JSON is not indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoDocument {
    /// It is no JSON object.
    InvalidJson,
    /// It has no field with a text.
    NoTextKey,
    /// Its text and its title are empty.
    NoText,
}

impl NoDocument {
    /// Its name in accounts.
    pub(crate) fn name(self) -> &'static str {
        match self {
            NoDocument::InvalidJson => "invalid_json",
            NoDocument::NoTextKey => "no_text_key",
            NoDocument::NoText => "no_text",
        }
    }

    /// Whether the line is no row, which accounts count as failed.
    pub(crate) fn is_failure(self) -> bool {
        self != NoDocument::NoText
    }
}

/// Finds the fields of rows, whatever their schema.
pub(crate) struct Reader {
    url: Vec<String>,
}

impl Reader {
    pub(crate) fn new() -> Reader {
        Reader { url: URL.map(str::to_owned).to_vec() }
    }

    /// The document of a line. `row` is its [`key`].
    pub(crate) fn read(
        &self,
        fields: &Fields,
        line: &[u8],
        row: &str,
    ) -> Result<TantivyDocument, NoDocument> {
        let json = std::str::from_utf8(line).map_err(|_| NoDocument::InvalidJson)?;
        let members: JsonMembers<'_> =
            serde_json::from_str(json).map_err(|_| NoDocument::InvalidJson)?;
        let text = TEXT.iter().find_map(|name| members.text(name)).ok_or(NoDocument::NoTextKey)?;
        let title = members.text("title").unwrap_or_default();
        if text.trim().is_empty() && title.trim().is_empty() {
            return Err(NoDocument::NoText);
        }
        let url = members.find(&self.url).and_then(json_string).filter(|url| !url.is_empty());
        let own_id = members.text("id").filter(|id| !id.is_empty());
        let id: Cow<'_, str> = own_id.unwrap_or(Cow::Borrowed(row));
        let language = members.text("language").unwrap_or_default();
        let mut document = TantivyDocument::default();
        document.add_text(fields.row, row);
        document.add_text(fields.id, &id);
        document.add_u64(fields.rank, XxHash3_64::oneshot(id.as_bytes()));
        document.add_text(fields.text_words, with_language(&language, &text));
        document.add_text(fields.text, &text);
        if !title.is_empty() {
            document.add_text(fields.title_words, with_language(&language, &title));
            document.add_text(fields.title, &title);
        }
        if let Some(url) = &url {
            document.add_text(fields.url, url);
            document.add_text(fields.url_words, url);
            if let Some(host) = Host::of_url(url) {
                host.domains().for_each(|domain| document.add_text(fields.host, domain));
                document.add_text(fields.site, host.as_str());
            }
        }
        if !language.is_empty() {
            document.add_text(fields.language, &language);
        }
        if let Some(page_type) = members.text("page_type") {
            document.add_text(fields.page_type, page_type);
        }
        if let Some(date) = members.text("date") {
            if let Some(fetched) = seconds(&date) {
                document.add_i64(fields.date, fetched);
            }
            document.add_text(fields.date_text, date);
        }
        if let Some(filename) = members.text("warc_filename") {
            document.add_text(fields.warc_filename, filename);
        }
        if let Some(offset) = members.value::<u64>("warc_record_offset") {
            document.add_u64(fields.warc_record_offset, offset);
        }
        Ok(document)
    }
}

/// What a row is known by: its file, and its place there.
pub(crate) fn key(file: &str, place: u64) -> String {
    format!("{file}#{place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_document_says_why() {
        let (reader, fields) = (Reader::new(), Fields::new());
        for (line, expected) in [
            ("[1]", Some(NoDocument::InvalidJson)),
            (r#"{"text":"a""#, Some(NoDocument::InvalidJson)),
            (r#"{"text":1}"#, Some(NoDocument::NoTextKey)),
            (r#"{"text":" \n","title":""}"#, Some(NoDocument::NoText)),
            (r#"{"text":"","title":"a"}"#, None),
            (r#"{"contents":"a","url":null,"date":"never","warc_record_offset":-1}"#, None),
        ] {
            let found = reader.read(&fields, line.as_bytes(), "a#0").err();
            assert_eq!(found, expected, "{line}");
        }
    }
}
