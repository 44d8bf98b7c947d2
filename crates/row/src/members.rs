//! A line that is a JSON object, taken apart into its members. Their values stay as they are written, so that a row can be written again
//! with the bytes that it had.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The members of a JSON object, in their order: names, and values as they are written.
///
/// ```
/// use huller_row::JsonMembers;
///
/// let members: JsonMembers<'_> = serde_json::from_str(r#"{"a":1.50,"m":{"url":"x"}}"#)?;
/// assert_eq!(members.member("a").unwrap().1.get(), "1.50");
/// assert_eq!(members.find(&["url".to_owned(), "m.url".to_owned()]).unwrap().get(), "\"x\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub struct JsonMembers<'a>(pub Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for JsonMembers<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonMembers<'de>, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = JsonMembers<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<JsonMembers<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(JsonMembers(members))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

/// A string, borrowed if it has no escapes.
#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'a> JsonMembers<'a> {
    /// The value of the first of these names that there is. A name may lead into an object: `metadata.url`.
    pub fn find(&self, names: &[String]) -> Option<&'a RawValue> {
        names.iter().find_map(|name| {
            if let Some((_, value)) = self.member(name) {
                return Some(value);
            }
            let (outer, inner) = name.split_once('.')?;
            let (_, value) = self.member(outer)?;
            let inside: JsonMembers<'a> = serde_json::from_str(value.get()).ok()?;
            inside.member(inner).map(|(_, value)| value)
        })
    }

    /// The place and value of the last member of that name, which is the one that other readers take.
    pub fn member(&self, name: &str) -> Option<(usize, &'a RawValue)> {
        let found = self.0.iter().rposition(|(known, _)| known == name)?;
        Some((found, self.0[found].1))
    }

    /// The member of that name, if it is a string.
    pub fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.member(name).and_then(|(_, value)| json_string(value))
    }

    /// The member of that name, if it is of that type.
    pub fn value<T: Deserialize<'a>>(&self, name: &str) -> Option<T> {
        let (_, value) = self.member(name)?;
        serde_json::from_str(value.get()).ok()
    }
}

/// A value that is a string.
pub fn json_string(value: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str::<Name<'_>>(value.get()).ok().map(|Name(text)| text)
}
