//! A line that is a row: a JSON object, taken apart into its members.

use huller_row::{JsonMembers, json_string};
use std::borrow::Cow;
use uuid::Uuid;

/// Why a line is no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    InvalidJson,
    NoTextKey,
    TooLarge,
    CorruptRows,
    BadRow,
}

impl Fault {
    pub(crate) const ALL: [Fault; 5] =
        [Fault::InvalidJson, Fault::NoTextKey, Fault::TooLarge, Fault::CorruptRows, Fault::BadRow];

    /// Its name in accounts.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Fault::InvalidJson => "invalid_json",
            Fault::NoTextKey => "no_text_key",
            Fault::TooLarge => "too_large",
            Fault::CorruptRows => "corrupt_rows",
            Fault::BadRow => "bad_row",
        }
    }

    /// Whether accounts count it as failed. A line that is too large is skipped, as records that are.
    pub(crate) fn is_failure(self) -> bool {
        self != Fault::TooLarge
    }
}

/// A row, as far as it is needed.
pub(crate) struct RowLine<'a> {
    pub(crate) members: JsonMembers<'a>,
    /// Which member holds the text.
    pub(crate) text_at: usize,
    pub(crate) text: Cow<'a, str>,
    pub(crate) url: Option<Cow<'a, str>>,
}

impl<'a> RowLine<'a> {
    /// Takes a line apart.
    pub(crate) fn parse(
        line: &'a [u8],
        text_keys: &[String],
        url_keys: &[String],
    ) -> Result<RowLine<'a>, Fault> {
        let json = std::str::from_utf8(line).map_err(|_| Fault::InvalidJson)?;
        let members: JsonMembers<'_> =
            serde_json::from_str(json).map_err(|_| Fault::InvalidJson)?;
        let found = text_keys.iter().find_map(|name| members.member(name));
        let found = found.and_then(|(at, value)| Some((at, json_string(value)?)));
        let (text_at, text) = found.ok_or(Fault::NoTextKey)?;
        let url = members.find(url_keys).and_then(json_string).filter(|url| !url.is_empty());
        Ok(RowLine { members, text_at, text, url })
    }

    /// The row's identifier, if it is a UUID in the usual form.
    pub(crate) fn id(&self) -> Option<[u8; 16]> {
        let id = self.members.text("id")?;
        let uuid = Uuid::try_parse(&id).ok()?;
        // Only what is written again as it was.
        let mut usual = Uuid::encode_buffer();
        (uuid.hyphenated().encode_lower(&mut usual) == &*id).then(|| uuid.into_bytes())
    }

    pub(crate) fn score(&self) -> Option<f32> {
        self.members.value::<f64>("score").map(|score| score as f32)
    }

    /// The text of its date.
    pub(crate) fn date(&self) -> Option<Cow<'a, str>> {
        self.members.text("date")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    fn parse(line: &str) -> Result<RowLine<'_>, Fault> {
        let settings = Settings::default();
        RowLine::parse(line.as_bytes(), &settings.text_keys, &settings.url_keys)
    }

    #[test]
    fn rows_of_several_schemas_are_read() {
        let row = parse(r#"{"id":"0190a5b2-7c1d-4e3f-8a9b-0c1d2e3f4a5b","text":"a\nb","metadata":{"url":"http://x.test"},"score":0.5,"date":"2024-01-01"}"#).ok().unwrap();
        assert_eq!((&*row.text, row.url.as_deref()), ("a\nb", Some("http://x.test")));
        assert_eq!((row.id().unwrap()[0], row.score(), row.text_at), (1, Some(0.5), 1));
        assert_eq!(row.date().as_deref(), Some("2024-01-01"));
        let row =
            parse(r#"{"id":"0190A5B2-7c1d-4e3f-8a9b-0c1d2e3f4a5b","raw_content":"x","url":null}"#)
                .ok()
                .unwrap();
        assert_eq!((row.id(), row.url), (None, None));
    }

    #[test]
    fn what_is_no_row_says_why() {
        for (line, fault) in [
            ("", Fault::InvalidJson),
            ("[1]", Fault::InvalidJson),
            (r#"{"text":"a""#, Fault::InvalidJson),
            (r#"{"text":1}"#, Fault::NoTextKey),
            (r#"{"title":"a"}"#, Fault::NoTextKey),
        ] {
            assert_eq!(parse(line).err(), Some(fault), "{line}");
        }
        let settings = Settings::default();
        let found = RowLine::parse(b"{\"text\":\"\xFF\"}", &settings.text_keys, &settings.url_keys);
        assert_eq!(found.err(), Some(Fault::InvalidJson));
    }
}
