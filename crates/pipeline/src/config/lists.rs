//! Lists of names, of which a single name may stand for itself.

use serde::Deserializer;
use serde::de::{SeqAccess, Visitor};
use std::fmt;

/// Reads `"name"` or `["name", "other"]`.
pub(super) fn one_or_more<'de, D>(deserializer: D) -> Result<Option<Vec<String>>, D::Error>
where
    D: Deserializer<'de>,
{
    deserializer.deserialize_any(Names)
}

struct Names;

impl<'de> Visitor<'de> for Names {
    type Value = Option<Vec<String>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name or a list of names")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Some(vec![name.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = sequence.next_element()? {
            names.push(name);
        }
        Ok(Some(names))
    }
}
