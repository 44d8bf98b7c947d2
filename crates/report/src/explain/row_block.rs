//! A block in the form of the row (`blocks` of `docs/rows.md`, and the terms of scores as the
//! pipeline's `term_writer.rs` writes them).

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

#[derive(Deserialize)]
pub(super) struct RowBlock<'a> {
    #[serde(borrow)]
    pub(super) path: Cow<'a, str>,
    pub(super) depth: u64,
    #[serde(borrow)]
    pub(super) role: Cow<'a, str>,
    pub(super) start: Option<u64>,
    pub(super) end: Option<u64>,
    #[serde(borrow)]
    pub(super) text: Cow<'a, str>,
    pub(super) chars: u64,
    pub(super) words: u64,
    pub(super) punctuation: u64,
    pub(super) linked_chars: u64,
    pub(super) links: u64,
    pub(super) tags: u64,
    #[serde(borrow, rename = "box")]
    pub(super) area: Option<&'a RawValue>,
    #[serde(borrow, rename = "methods")]
    pub(super) extractors: Judgements<'a>,
}

/// The last entry of a list that is too long: the number of blocks left out.
#[derive(Deserialize)]
pub(super) struct LeftOut {
    pub(super) left_out: u64,
}

/// Results of extractors for a block, by name, in the order of the row.
pub(super) struct Judgements<'a>(pub(super) Vec<(&'a str, Judgement<'a>)>);

#[derive(Deserialize)]
pub(super) struct Judgement<'a> {
    pub(super) kept: bool,
    pub(super) score: Option<f64>,
    pub(super) derivation: Option<Derivation>,
    #[serde(borrow)]
    pub(super) terms: Option<Vec<RowTerm<'a>>>,
}

/// The formula by which an extractor makes scores of terms.
#[derive(Deserialize, Serialize)]
pub(super) struct Derivation {
    equation: String,
    rule: String,
}

/// Name, value, and the numbers from which the value is computed.
#[derive(Deserialize)]
pub(super) struct RowTerm<'a>(
    pub(super) TermName,
    pub(super) f64,
    #[serde(borrow)] pub(super) Cow<'a, str>,
);

/// A name at its first occurrence. Later occurrences are its index among the names of the
/// extractor.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum TermName {
    /// The index of a name that occurred before.
    Place(u32),
    /// A name at its first occurrence.
    New(String),
}

impl<'de: 'a, 'a> Deserialize<'de> for Judgements<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Judgements<'a>, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Judgements<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object of methods")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut judgements = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    judgements.push(entry);
                }
                Ok(Judgements(judgements))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}
