//! Rows as columns: which columns a table has, and the value of each in a row.
//!
//! Parquet and Arrow share this. The columns are those of the Python package: integers are signed, `texts` is a struct with one field
//! for each method, and values that are JSON are text.

use crate::field::{Field, Part, Presence};
use crate::layout::Layout;
use crate::row::Row;

/// Type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// UTF-8.
    Text,
    /// 32 bits, signed.
    Int,
    /// 64 bits, signed.
    Long,
    /// 64 bits.
    Float,
    Flag,
}

/// A value of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Text(&'a str),
    Int(i32),
    Long(i64),
    Float(f64),
    Flag(bool),
}

/// A column: a field, or the text of one method in `texts`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) field: &'static Field,
    /// Name of the method, and its place in [`Row::texts`].
    pub(crate) method: Option<(&'static str, usize)>,
    pub(crate) kind: Kind,
    /// Whether every row has a value.
    pub(crate) is_required: bool,
}

/// Longer texts are not written: columns have places for 31 bits. Runs with pages that could give such texts are refused, so these are
/// addresses that were put together from a page's own.
const LONGEST_TEXT: usize = 1 << 30;

/// The longest page whose texts all fit into a column. Its list of blocks may be eight times as long.
pub(crate) const LONGEST_PAGE: usize = LONGEST_TEXT / 8;

/// The columns of a run's rows.
pub(crate) fn columns(layout: &Layout) -> Vec<Column> {
    let mut columns = Vec::new();
    for field in layout.fields() {
        let kind = match field.part {
            Part::Text(_) | Part::Json(_) | Part::Texts => Kind::Text,
            Part::Int(_) => Kind::Int,
            Part::Long(_) => Kind::Long,
            Part::Float(_) => Kind::Float,
            Part::Flag(_) => Kind::Flag,
        };
        let is_required = field.presence == Presence::Always;
        if matches!(field.part, Part::Texts) {
            let methods = layout.methods.iter().enumerate();
            columns.extend(methods.map(|(place, name)| Column {
                field,
                method: Some((name, place)),
                kind,
                is_required,
            }));
        } else {
            columns.push(Column { field, method: None, kind, is_required });
        }
    }
    columns
}

impl Column {
    /// The value of a row. Where a required column has none, it is the empty one.
    pub(crate) fn value<'a>(&self, row: &Row<'a>) -> Option<Value<'a>> {
        let value = match self.field.part {
            Part::Text(of) | Part::Json(of) => of(row).and_then(text),
            Part::Int(of) => of(row).map(|value| Value::Int(value.into())),
            // No file is longer than the largest `i64`.
            Part::Long(of) => of(row).and_then(|value| value.try_into().ok()).map(Value::Long),
            // As in JSON, which has no other numbers.
            Part::Float(of) => of(row).filter(|value| value.is_finite()).map(Value::Float),
            Part::Flag(of) => of(row).map(Value::Flag),
            Part::Texts => {
                let (_, place) = self.method.unwrap_or_default();
                row.texts.and_then(|texts| texts.texts.get(place)).and_then(|of| text(of))
            }
        };
        value.or_else(|| self.is_required.then(|| self.empty()))
    }

    fn empty(&self) -> Value<'static> {
        match self.kind {
            Kind::Text => Value::Text(""),
            Kind::Int => Value::Int(0),
            Kind::Long => Value::Long(0),
            Kind::Float => Value::Float(0.0),
            Kind::Flag => Value::Flag(false),
        }
    }

    /// Whether values may be long, so that their least and greatest tell nothing, and few rows fill a page.
    pub(crate) fn is_long(&self) -> bool {
        matches!(self.field.presence, Presence::IfAsked(_))
            || ["text", "comments"].contains(&self.field.name)
    }
}

fn text(text: &str) -> Option<Value<'_>> {
    (text.len() <= LONGEST_TEXT).then_some(Value::Text(text))
}
