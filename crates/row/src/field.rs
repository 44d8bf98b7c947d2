//! What is known of a field of the row, whatever the format.

use crate::extras::{Extra, Extras};
use crate::row::Row;

/// A field of the row.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in every format.
    pub name: &'static str,
    /// Its type, and how to read its value from a row.
    pub part: Part,
    /// Which rows have it.
    pub presence: Presence,
    /// Where its value comes from.
    pub source: Source,
    /// Decides which stages that change characters reach the value.
    pub content: Content,
    /// Whether its text holds no control characters except line feed and tab. Other texts may hold
    /// DEL and C1 controls, which a terminal would obey, and writers escape those.
    pub is_clean: bool,
    /// What it means, with units, in one sentence or a few. Backticks mark names and values.
    pub doc: &'static str,
}

/// Type of a field, with the function that reads its value from a row.
#[derive(Clone, Copy, Debug)]
pub enum Part {
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
    /// [`Row::texts`]: an object with one string for each method.
    Texts,
    /// A value of the user's own, as JSON. Columns hold its text.
    Json(for<'a> fn(&Row<'a>) -> Option<&'a str>),
}

/// Which rows have a field. It never depends on the page: all rows of a run have the same fields,
/// so rows of any two inputs load together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// All rows, and it is never null.
    Always,
    /// All rows, with null where nothing is known.
    OrNull,
    /// All rows of a run that asked for it, and no others.
    IfAsked(Extra),
}

impl Presence {
    /// Whether the rows of a run that asked for `extras` have the field.
    pub fn is_in(self, extras: Extras) -> bool {
        match self {
            Presence::Always | Presence::OrNull => true,
            Presence::IfAsked(extra) => extras.has(extra),
        }
    }
}

/// Describes the content of a field's value. It decides which stages may change the value, in every
/// command that changes rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The main text of the page, which all stages see.
    MainText,
    /// Another form of the text, or other words of the page. Stages that change characters change
    /// them as they do in the text.
    PageText,
    /// An address, identifier, path, digest, time or code. Only the stage that makes it changes it.
    Reference,
    /// A number, a truth value, or an object of them.
    Figure,
    /// The user's own value. It is masked, so that a row shows no masked address, and otherwise
    /// stays as it is.
    Own,
}

/// Where the value of a field comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The header of the WARC record, or the line of a JSONL input.
    Record,
    /// The place of the record in its file.
    Place,
    /// The HTTP header of the response.
    Http,
    /// Decoding the page's bytes.
    Decoding,
    /// What the page states about itself.
    Page,
    /// The extraction method.
    Method,
    /// The settings of the run.
    Settings,
    /// A stage after extraction.
    Stage,
}

impl Source {
    /// Whether a page in memory, which belongs to no record, can have such a field.
    pub fn is_in_memory(self) -> bool {
        !matches!(self, Source::Record | Source::Place | Source::Http)
    }
}
