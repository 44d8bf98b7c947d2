//! One entry of an index.

use huller_provenance::Host;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

/// The data that an index has about a record. The names are those of CDXJ and of Common Crawl's
/// columns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct IndexEntry {
    /// The URL.
    #[serde(deserialize_with = "text")]
    pub url: Option<String>,
    /// The name of the host, if the index has a column for it.
    #[serde(alias = "url_host_name", deserialize_with = "text")]
    pub host: Option<String>,
    /// The media type that the server stated.
    #[serde(alias = "content_mime_type", deserialize_with = "text")]
    pub mime: Option<String>,
    /// The media type that was detected in the body.
    #[serde(rename = "mime-detected", alias = "content_mime_detected", deserialize_with = "text")]
    pub mime_detected: Option<String>,
    /// The HTTP status.
    #[serde(alias = "fetch_status", deserialize_with = "number")]
    pub status: Option<u64>,
    /// Languages, separated by commas.
    #[serde(alias = "content_languages", deserialize_with = "text")]
    pub languages: Option<String>,
    /// The digest of the payload, with or without the name of its algorithm.
    #[serde(alias = "content_digest", deserialize_with = "text")]
    pub digest: Option<String>,
    /// The time of the fetch: digits of year, month, day, hour, minute and second, with any
    /// separators.
    #[serde(alias = "timestamp", alias = "fetch_time", deserialize_with = "text")]
    pub time: Option<String>,
    /// The path or name of the archive file.
    #[serde(alias = "warc_filename", rename = "filename", deserialize_with = "text")]
    pub file: Option<String>,
    /// Offset of the record in the file, in bytes.
    #[serde(alias = "warc_record_offset", deserialize_with = "number")]
    pub offset: Option<u64>,
    /// Length of the record in the file, in bytes.
    #[serde(alias = "warc_record_length", deserialize_with = "number")]
    pub length: Option<u64>,
}

impl IndexEntry {
    /// Reads a JSON object.
    pub(super) fn from_json(json: &[u8]) -> Result<IndexEntry, String> {
        let entry: IndexEntry = serde_json::from_slice(json)
            .map_err(|error| format!("its JSON is invalid: {error}"))?;
        entry.validate()
    }

    /// Returns the entry if it has a file and an offset.
    pub(super) fn validate(self) -> Result<IndexEntry, String> {
        match (&self.file, self.offset) {
            (Some(_), Some(_)) => Ok(self),
            (None, _) => Err("it has no archive file (`filename`, `warc_filename`)".to_owned()),
            (_, None) => Err("it has no offset (`offset`, `warc_record_offset`)".to_owned()),
        }
    }

    /// Returns the host from its column, or else from the URL.
    pub fn host(&self) -> Option<Host<'_>> {
        let column = self.host.as_deref().and_then(Host::parse);
        column.or_else(|| Host::from_url(self.url.as_deref()?))
    }
}

/// Reads a string. Empty strings, `-` and values of other types count as absent.
fn text<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Value {
        Text(String),
        Other(IgnoredAny),
    }
    Ok(match Value::deserialize(value)? {
        Value::Text(text) if !text.is_empty() && text != "-" => Some(text),
        Value::Text(_) | Value::Other(_) => None,
    })
}

/// Reads a number, or a string that holds a number. Other values count as absent.
fn number<'de, D: Deserializer<'de>>(value: D) -> Result<Option<u64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Value {
        Number(u64),
        Text(String),
        Other(IgnoredAny),
    }
    Ok(match Value::deserialize(value)? {
        Value::Number(number) => Some(number),
        Value::Text(text) => text.trim().parse().ok(),
        Value::Other(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_be_strings_and_columns_have_two_names() {
        let cdxj = br#"{"url":"http://A.example:80/x","status":"200","mime":"text/html","filename":"a.warc.gz","offset":"12","length":7}"#;
        let entry = IndexEntry::from_json(cdxj).unwrap();
        assert_eq!((entry.status, entry.offset, entry.length), (Some(200), Some(12), Some(7)));
        let host = |entry: &IndexEntry| entry.host().map(|host| host.as_str().to_owned());
        assert_eq!(host(&entry).as_deref(), Some("a.example"));
        let row = br#"{"url":"u","url_host_name":"b.example","fetch_status":404,"warc_filename":"c","warc_record_offset":0,"content_languages":"deu,eng","x":[1]}"#;
        let entry = IndexEntry::from_json(row).unwrap();
        assert_eq!((entry.status, host(&entry).as_deref()), (Some(404), Some("b.example")));
        for (column, url, expected) in [
            ("B.example.", "http://c.example/", "b.example"),
            ("-", "http://me@C.example.:80/", "c.example"),
            ("no host", "http:\\\\\\\\c.example\\\\@d.example", "c.example"),
            ("::1", "http://[::1]/", "[::1]"),
            ("-", "http://m\u{fc}nchen.example/", "xn--mnchen-3ya.example"),
        ] {
            let row = format!(
                r#"{{"url":"{url}","url_host_name":"{column}","filename":"c","offset":0}}"#
            );
            let entry = IndexEntry::from_json(row.as_bytes()).unwrap();
            assert_eq!(host(&entry).as_deref(), Some(expected), "{row}");
        }
        assert!(IndexEntry::from_json(br#"{"offset":1}"#).unwrap_err().contains("archive file"));
        assert!(IndexEntry::from_json(br#"{"filename":"a"}"#).unwrap_err().contains("offset"));
        assert!(IndexEntry::from_json(b"{").is_err());
    }
}
