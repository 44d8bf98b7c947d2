//! The row of the default output, what takes rows, and the line of a rejects file.

use crate::json::{Object, escape_controls};
use huller_extract::Method;
use serde::Serialize;

/// One page. The order of the fields is the order in the output; all are always there but the last five.
#[cfg_attr(test, derive(Serialize))]
#[derive(Clone, Copy)]
#[expect(missing_docs, reason = "the names are those of the output, which the README lists")]
pub struct Row<'a> {
    pub id: &'a str,
    pub url: Option<&'a str>,
    pub date: Option<&'a str>,
    pub title: Option<&'a str>,
    pub text: &'a str,
    pub language: Option<&'a str>,
    pub language_score: Option<f64>,
    pub author: Option<&'a str>,
    pub published: Option<&'a str>,
    pub site_name: Option<&'a str>,
    pub description: Option<&'a str>,
    pub extractor: &'a str,
    pub score: Option<f64>,
    pub charset: &'a str,
    pub charset_source: &'a str,
    pub content_type: Option<&'a str>,
    pub status: Option<u16>,
    pub digest: Option<&'a str>,
    pub warc_filename: Option<&'a str>,
    pub warc_record_offset: Option<u64>,
    pub warc_record_length: Option<u64>,
    pub truncated: bool,
    /// Only where the record is no member of its own.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub stream_offset: Option<u64>,
    /// Only with several methods.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub texts: Option<Texts<'a>>,
    /// Only where the method tells it.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub page_type: Option<&'a str>,
    /// Only where there are comments that the method keeps apart.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub comments: Option<&'a str>,
    /// Only when asked for.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub html: Option<&'a str>,
}

/// The text of every method, under its name.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    /// The methods, the first of which made the row's own text.
    pub methods: &'a [&'static Method],
    /// As many.
    pub texts: &'a [String],
}

/// What takes rows.
pub trait RowSink {
    /// Takes a row.
    fn row(&mut self, row: &Row<'_>);

    /// How much it holds, in a measure of its own.
    fn mark(&self) -> usize;

    /// Forgets what came after a mark: a row that was cut short.
    fn cut(&mut self, mark: usize);
}

/// Rows as lines of JSON, the bytes of the output.
impl RowSink for Vec<u8> {
    fn row(&mut self, row: &Row<'_>) {
        row.push(self);
    }

    fn mark(&self) -> usize {
        self.len()
    }

    fn cut(&mut self, mark: usize) {
        self.truncate(mark);
    }
}

impl Row<'_> {
    /// Appends the row as one line of JSON.
    fn push(&self, out: &mut Vec<u8>) {
        let mut row = Object::new(out);
        row.untrusted("id", self.id);
        row.untrusted("url", self.url);
        row.untrusted("date", self.date);
        row.untrusted("title", self.title);
        row.text("text", self.text);
        row.text("language", self.language);
        row.value("language_score", self.language_score);
        row.untrusted("author", self.author);
        row.untrusted("published", self.published);
        row.untrusted("site_name", self.site_name);
        row.untrusted("description", self.description);
        row.text("extractor", self.extractor);
        row.value("score", self.score);
        row.text("charset", self.charset);
        row.text("charset_source", self.charset_source);
        row.untrusted("content_type", self.content_type);
        row.value("status", self.status);
        row.untrusted("digest", self.digest);
        row.untrusted("warc_filename", self.warc_filename);
        row.value("warc_record_offset", self.warc_record_offset);
        row.value("warc_record_length", self.warc_record_length);
        row.value("truncated", self.truncated);
        if self.stream_offset.is_some() {
            row.value("stream_offset", self.stream_offset);
        }
        if let Some(Texts { methods, texts }) = self.texts {
            row.object("texts", |members| {
                for (method, text) in methods.iter().zip(texts) {
                    members.text(method.name, text.as_str());
                }
            });
        }
        for (name, text) in
            [("page_type", self.page_type), ("comments", self.comments), ("html", self.html)]
        {
            if text.is_some() {
                row.untrusted(name, text);
            }
        }
        row.end();
        out.push(b'\n');
    }
}

/// One page that is not in the output.
#[derive(Serialize)]
pub(crate) struct Reject<'a> {
    pub(crate) url: Option<&'a str>,
    pub(crate) reason: &'a str,
    pub(crate) input: &'a str,
    pub(crate) offset: Option<u64>,
    pub(crate) detail: &'a str,
}

/// Appends `value` as one line of JSON.
pub(crate) fn push_line(out: &mut Vec<u8>, value: &impl Serialize) {
    let start = out.len();
    serde_json::to_writer(&mut *out, value).expect("writing plain fields to memory cannot fail");
    escape_controls(out, start);
    out.push(b'\n');
}

/// Bytes of a header as text: as they are where they are UTF-8, else with what is not replaced.
pub(crate) fn header_text<'a>(bytes: &'a [u8], buffer: &'a mut String) -> &'a str {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text;
    }
    buffer.clear();
    for chunk in bytes.utf8_chunks() {
        buffer.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            buffer.push(char::REPLACEMENT_CHARACTER);
        }
    }
    buffer
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serializer;

    impl Serialize for Texts<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.methods.iter().map(|method| method.name).zip(self.texts))
        }
    }

    /// A row with all that a row can hold, or with as little as it can.
    fn row<'a>(full: bool, texts: &'a [String], methods: &'a [&'static Method]) -> Row<'a> {
        let text = full.then_some("\"quoted\" \\ 中文\n\u{1}");
        Row {
            id: "<urn:uuid:1>",
            url: text,
            date: text,
            title: text,
            text: "one\ntwo\t\"three\"",
            language: text,
            language_score: full.then_some(0.5),
            author: text,
            published: text,
            site_name: text,
            description: text,
            extractor: "pvalue",
            score: full.then_some(0.123_456_789),
            charset: "UTF-8",
            charset_source: "http",
            content_type: text,
            status: full.then_some(200),
            digest: text,
            warc_filename: text,
            warc_record_offset: full.then_some(u64::MAX),
            warc_record_length: full.then_some(7),
            truncated: full,
            stream_offset: full.then_some(3),
            texts: full.then_some(Texts { methods, texts }),
            page_type: full.then_some("article"),
            comments: text,
            html: full.then_some("<p class=\"a\">"),
        }
    }

    #[test]
    fn rows_have_the_bytes_that_serde_gives_them() {
        let methods: Vec<&'static Method> = huller_extract::METHODS.iter().take(2).collect();
        let texts = ["first\n".to_owned(), String::new()];
        for full in [false, true] {
            let row = row(full, &texts, &methods);
            let (mut ours, mut expected) = (Vec::new(), Vec::new());
            row.push(&mut ours);
            push_line(&mut expected, &row);
            assert_eq!(String::from_utf8(ours), String::from_utf8(expected));
        }
    }

    #[test]
    fn bad_bytes_of_a_header_are_replaced_and_the_rest_is_kept() {
        let mut buffer = String::new();
        assert_eq!(header_text("http://ä/".as_bytes(), &mut buffer), "http://ä/");
        assert_eq!(
            header_text(b"http://x/\xff\xfe\"a", &mut buffer),
            "http://x/\u{fffd}\u{fffd}\"a"
        );
    }
}
