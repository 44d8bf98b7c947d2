//! A line that is a row: a JSON object, taken apart into its members.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use uuid::Uuid;

/// The members of a JSON object, in their order. Values stay as they are written.
pub(crate) struct Members<'a>(pub(crate) Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members<'de>, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

/// A string, borrowed if it has no escapes.
#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// Why a line is no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    InvalidJson,
    NoTextKey,
    TooLarge,
}

impl Fault {
    pub(crate) const ALL: [Fault; 3] = [Fault::InvalidJson, Fault::NoTextKey, Fault::TooLarge];

    /// Its name in accounts.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Fault::InvalidJson => "invalid_json",
            Fault::NoTextKey => "no_text_key",
            Fault::TooLarge => "too_large",
        }
    }

    /// Whether accounts count it as failed. A line that is too large is skipped, as records that are.
    pub(crate) fn is_failure(self) -> bool {
        self != Fault::TooLarge
    }
}

/// A row, as far as it is needed.
pub(crate) struct RowLine<'a> {
    pub(crate) members: Members<'a>,
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
        let members: Members<'_> = serde_json::from_str(json).map_err(|_| Fault::InvalidJson)?;
        let found = text_keys.iter().find_map(|name| members.member(name));
        let found = found.and_then(|(at, value)| Some((at, string(value)?)));
        let (text_at, text) = found.ok_or(Fault::NoTextKey)?;
        let url = members.find(url_keys).and_then(string).filter(|url| !url.is_empty());
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
        let (_, value) = self.members.member("score")?;
        serde_json::from_str::<f64>(value.get()).ok().map(|score| score as f32)
    }

    /// The text of its date.
    pub(crate) fn date(&self) -> Option<Cow<'a, str>> {
        self.members.text("date")
    }
}

impl<'a> Members<'a> {
    /// The last member of that name, which is the one that other readers take.
    pub(crate) fn member(&self, name: &str) -> Option<(usize, &'a RawValue)> {
        let found = self.0.iter().rposition(|(known, _)| known == name)?;
        Some((found, self.0[found].1))
    }

    fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.member(name).and_then(|(_, value)| string(value))
    }

    /// The value of the first of these names that there is. A name may lead into an object: `metadata.url`.
    fn find(&self, names: &[String]) -> Option<&'a RawValue> {
        names.iter().find_map(|name| {
            if let Some((_, value)) = self.member(name) {
                return Some(value);
            }
            let (outer, inner) = name.split_once('.')?;
            let (_, value) = self.member(outer)?;
            let inside: Members<'a> = serde_json::from_str(value.get()).ok()?;
            inside.member(inner).map(|(_, value)| value)
        })
    }
}

/// A value that is a string.
fn string(value: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str::<Name<'_>>(value.get()).ok().map(|Name(text)| text)
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
