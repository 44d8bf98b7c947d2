//! The row of the default output, and the line of a rejects file.

use huller_extract::Method;
use serde::{Serialize, Serializer};

/// One page. The order of the fields is the order in the output; all are always there but the last five.
#[derive(Serialize)]
pub(crate) struct Row<'a> {
    pub(crate) id: &'a str,
    pub(crate) url: Option<&'a str>,
    pub(crate) date: Option<&'a str>,
    pub(crate) title: Option<&'a str>,
    pub(crate) text: &'a str,
    pub(crate) language: Option<&'a str>,
    pub(crate) language_score: Option<f64>,
    pub(crate) author: Option<&'a str>,
    pub(crate) published: Option<&'a str>,
    pub(crate) site_name: Option<&'a str>,
    pub(crate) description: Option<&'a str>,
    pub(crate) extractor: &'a str,
    pub(crate) score: Option<f64>,
    pub(crate) charset: &'a str,
    pub(crate) charset_source: &'a str,
    pub(crate) content_type: Option<&'a str>,
    pub(crate) status: Option<u16>,
    pub(crate) digest: Option<&'a str>,
    pub(crate) warc_filename: Option<&'a str>,
    pub(crate) warc_record_offset: Option<u64>,
    pub(crate) warc_record_length: Option<u64>,
    pub(crate) truncated: bool,
    /// Only where the record is no member of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stream_offset: Option<u64>,
    /// Only with several methods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) texts: Option<Texts<'a>>,
    /// Only where the method tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) page_type: Option<&'a str>,
    /// Only where there are comments that the method keeps apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) comments: Option<&'a str>,
    /// Only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) html: Option<&'a str>,
}

/// The text of every method, under its name.
pub(crate) struct Texts<'a> {
    pub(crate) methods: &'a [&'static Method],
    /// As many.
    pub(crate) texts: &'a [String],
}

impl Serialize for Texts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.methods.iter().map(|method| method.name).zip(self.texts))
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
    serde_json::to_writer(&mut *out, value).expect("writing plain fields to memory cannot fail");
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
