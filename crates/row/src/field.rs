//! The properties of a field of the row that all formats share.

use crate::extras::{ExtraField, Extras};
use crate::row::Row;

/// A field of the row.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in every format.
    pub name: &'static str,
    /// Its type, with the function that reads its value from a row.
    pub value_type: FieldType,
    /// The rows that have it.
    pub presence: Presence,
    /// The origin of its value.
    pub source: FieldSource,
    /// The kind of content, which decides the stages that may change the value.
    pub content: FieldContent,
    /// Whether its text holds no control characters except line feed and tab. Other texts may hold
    /// DEL and C1 controls, which terminals execute; writers escape those.
    pub is_clean: bool,
    /// Its meaning, with units, in one or more sentences. Names and values are in backticks.
    pub doc: &'static str,
}

/// The type of a field, with the function that reads its value from a row.
#[derive(Clone, Copy, Debug)]
pub enum FieldType {
    /// A string.
    Text(for<'a> fn(&Row<'a>) -> Option<&'a str>),
    /// A small number.
    Int(fn(&Row<'_>) -> Option<u16>),
    /// A large number, mostly of bytes.
    Long(fn(&Row<'_>) -> Option<u64>),
    /// A figure.
    Float(fn(&Row<'_>) -> Option<f64>),
    /// True or false.
    Flag(fn(&Row<'_>) -> Option<bool>),
    /// [`Row::texts`]: an object with one string for each extractor.
    Texts,
    /// A list of strings. Columns hold its JSON.
    TextList(for<'a> fn(&Row<'a>) -> Option<&'a [&'a str]>),
    /// A value of the user's own, as JSON. Columns hold its text.
    Json(for<'a> fn(&Row<'a>) -> Option<&'a str>),
}

/// The rows that have a field. All rows of a run have the same fields, for any page, so rows of any
/// two inputs load together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// All rows, and it is never null.
    Always,
    /// All rows, with null for an unknown value.
    OrNull,
    /// All rows of runs that ask for it, and no others.
    IfAsked(ExtraField),
}

impl Presence {
    /// Returns whether the rows of a run that asks for `extras` have the field.
    pub fn is_in(self, extras: Extras) -> bool {
        match self {
            Presence::Always | Presence::OrNull => true,
            Presence::IfAsked(extra) => extras.has(extra),
        }
    }
}

/// The content of a field's value. It decides which stages may change the value, in every command
/// that changes rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldContent {
    /// The main text of the page, which all stages see.
    MainText,
    /// Another form of the text, or other strings of the page. Stages that change characters change
    /// them as in the text.
    PageText,
    /// A URL, identifier, path, digest, time or code. Only the stage that makes it changes it.
    Reference,
    /// A number, a truth value, or an object of them.
    Figure,
    /// The user's own value. It is masked, so that a row shows no masked address, and is otherwise
    /// unchanged.
    Own,
}

/// The origin of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldSource {
    /// The header of the WARC record, or the line of a JSONL input.
    Record,
    /// The place of the record in its file.
    Place,
    /// The HTTP header of the response.
    Http,
    /// The decoder of the page's bytes.
    Decoding,
    /// The page's statements about itself.
    Page,
    /// The extractor.
    Extractor,
    /// The settings of the run.
    Settings,
    /// A stage after extraction.
    Stage,
    /// The splitter of passages.
    Splitter,
}

impl FieldSource {
    /// Returns whether a page in memory, which has no record, can have such a field.
    pub fn is_in_memory(self) -> bool {
        !matches!(self, FieldSource::Record | FieldSource::Place | FieldSource::Http)
    }
}
