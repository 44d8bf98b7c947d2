//! The columns of a schema, made of the columns of the fields.
//!
//! They have the names and values of the JSON objects, with the types of [`ColumnLayout`]. An
//! object is a struct. A value that JSON leaves out is null.
//!
//! [`ColumnLayout`]: crate::ColumnLayout

use crate::columns::{column_type, is_short};
use crate::row::Row;
use crate::schema_form::SchemaForm;
use crate::schemas::{Member, MemberContent, Schema};
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, Int64Array, RecordBatch, StringArray, StructArray, new_null_array,
};
use arrow_schema::{
    ArrowError, DataType, Field as ArrowField, Fields, Schema as ArrowSchema, SchemaRef,
};
use std::borrow::Cow;
use std::sync::Arc;

/// Makes batches with the columns of a [`Schema`].
pub struct SchemaColumns {
    columns: Vec<(ArrowField, ColumnSource)>,
    schema: SchemaRef,
}

/// A text that is made of a row.
type TextMaker = Box<dyn for<'a> Fn(&Row<'a>) -> Option<Cow<'a, str>> + Send + Sync>;

/// The place that a column comes from.
enum ColumnSource {
    /// The column of a field, by its place in the batch.
    Field(usize),
    /// A field that the run does not have.
    Missing,
    /// A struct of columns.
    Object(Vec<ColumnSource>),
    Chars,
    Lines,
    Made(TextMaker),
}

impl SchemaColumns {
    /// Creates the columns of a schema for rows with these columns of fields. `index` is the name
    /// of the search engine's index, which may be empty.
    ///
    /// `None` for a schema whose rows are no table, since a line of another kind precedes each of
    /// them.
    pub fn new(schema: &'static Schema, fields: &SchemaRef, index: &str) -> Option<SchemaColumns> {
        let columns = match schema.members() {
            Some(members) => members.iter().map(|member| column(member, members, fields)).collect(),
            None => all_columns(fields).collect(),
        };
        let columns = framed(schema.form(), columns, index)?;
        let named: Vec<_> = columns.iter().map(|(field, _)| field.clone()).collect();
        Some(SchemaColumns { columns, schema: Arc::new(ArrowSchema::new(named)) })
    }

    /// Returns the schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Converts a batch with the columns of the fields.
    ///
    /// # Errors
    ///
    /// A column has other types than the fields, or more than 2 GiB of text.
    pub fn batch(&self, rows: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let arrays =
            self.columns.iter().map(|(field, source)| source.array(field.data_type(), rows));
        let arrays = arrays.collect::<Result<Vec<_>, _>>()?;
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
    }
}

impl ColumnSource {
    fn array(&self, kind: &DataType, rows: &RecordBatch) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            ColumnSource::Field(place) => Arc::clone(rows.column(*place)),
            ColumnSource::Missing => new_null_array(kind, rows.num_rows()),
            ColumnSource::Object(sources) => {
                let DataType::Struct(fields) = kind else { unreachable!("an object is a struct") };
                let children = sources.iter().zip(fields);
                let children =
                    children.map(|(source, field)| source.array(field.data_type(), rows));
                let children = children.collect::<Result<Vec<_>, _>>()?;
                // A struct without children does not know how many rows it has.
                let length = rows.num_rows();
                Arc::new(StructArray::try_new_with_length(fields.clone(), children, None, length)?)
            }
            ColumnSource::Chars => Arc::new(counts(rows, |text| text.chars().count())),
            ColumnSource::Lines => Arc::new(counts(rows, |text| text.lines().count())),
            ColumnSource::Made(make) => Arc::new(make_texts(rows, make)),
        })
    }
}

/// Returns the column of a member.
fn column(member: &Member, members: &[Member], fields: &SchemaRef) -> (ArrowField, ColumnSource) {
    let (kind, source) = match member.holds {
        MemberContent::Field(field) => match fields.index_of(field.name) {
            Ok(place) => (fields.field(place).data_type().clone(), ColumnSource::Field(place)),
            Err(_) => (column_type(field.value_type, &Fields::empty()), ColumnSource::Missing),
        },
        MemberContent::Others => {
            let is_placed = |name: &str| {
                let mut placed = members.iter();
                placed.any(
                    |member| matches!(member.holds, MemberContent::Field(held) if held.name == name),
                )
            };
            object(all_columns(fields).filter(|(field, _)| !is_placed(field.name())))
        }
        MemberContent::Chars => (DataType::Int64, ColumnSource::Chars),
        MemberContent::Lines => (DataType::Int64, ColumnSource::Lines),
        MemberContent::Made(make, _) => (DataType::Utf8, ColumnSource::Made(Box::new(make))),
    };
    (ArrowField::new(member.name, kind, true), source)
}

/// Returns all columns of fields.
fn all_columns(fields: &SchemaRef) -> impl Iterator<Item = (ArrowField, ColumnSource)> {
    let fields = fields.fields().iter().enumerate();
    fields.map(|(place, field)| (field.as_ref().clone(), ColumnSource::Field(place)))
}

fn object(columns: impl Iterator<Item = (ArrowField, ColumnSource)>) -> (DataType, ColumnSource) {
    let (fields, sources): (Vec<_>, Vec<_>) = columns.unzip();
    (DataType::Struct(fields.into()), ColumnSource::Object(sources))
}

/// Puts the frame of a form around columns.
fn framed(
    form: SchemaForm,
    columns: Vec<(ArrowField, ColumnSource)>,
    index: &str,
) -> Option<Vec<(ArrowField, ColumnSource)>> {
    let index = index.to_owned();
    let (name, make, content): (_, TextMaker, _) = match form {
        SchemaForm::Row => return Some(columns),
        SchemaForm::BulkAction => return None,
        SchemaForm::VespaPut => {
            ("put", Box::new(move |row| Some(SchemaForm::vespa_id(row, &index).into())), "fields")
        }
        SchemaForm::QdrantPoint => ("id", Box::new(|row| Some(row.id.into())), "payload"),
    };
    let (kind, source) = object(columns.into_iter());
    Some(vec![
        (ArrowField::new(name, DataType::Utf8, true), ColumnSource::Made(make)),
        (ArrowField::new(content, kind, true), source),
    ])
}

/// Returns the texts of a column.
fn texts<'a>(rows: &'a RecordBatch, name: &str) -> Option<&'a StringArray> {
    rows.column_by_name(name)?.as_string_opt::<i32>()
}

/// Returns a figure of each text.
fn counts(rows: &RecordBatch, count: impl Fn(&str) -> usize) -> Int64Array {
    let texts = texts(rows, "text");
    let figure = |row| {
        let text = texts.filter(|texts| texts.is_valid(row))?.value(row);
        i64::try_from(count(text)).ok()
    };
    (0..rows.num_rows()).map(figure).collect()
}

/// Returns a text for each row. Such a text is made of the fields below and of no others.
fn make_texts(rows: &RecordBatch, make: &TextMaker) -> StringArray {
    let names = ["id", "url", "date", "published", "file_path"];
    let columns = names.map(|name| texts(rows, name));
    let text = |row| {
        let [id, url, date, published, file_path] = columns.map(|texts| {
            let texts = texts.filter(|texts| texts.is_valid(row));
            texts.map(|texts| texts.value(row))
        });
        let (id, file_path) = (id.unwrap_or_default(), file_path.unwrap_or_default());
        let row = Row { id, url, date, published, file_path, ..Row::default() };
        make(&row).filter(|text| is_short(text)).map(Cow::into_owned)
    };
    (0..rows.num_rows()).map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{ColumnLayout, Columns};
    use crate::compress::Compression;
    use crate::formats::JSONL;
    use crate::layout::Layout;
    use crate::row::RowSink;
    use crate::sample::{file_of, full_layout, numbered};
    use crate::schemas::{SCHEMAS, find_schema};
    use serde_json::{Map, Value};

    const ROWS: usize = 6;

    /// Returns a value as JSON. Members that are JSON as text become values.
    fn value(array: &ArrayRef, row: usize, name: &str) -> Value {
        if array.is_null(row) {
            return Value::Null;
        }
        match array.data_type() {
            DataType::Utf8 => {
                let text = array.as_string::<i32>().value(row);
                let is_json = matches!(
                    name,
                    "blocks" | "signals" | "classes" | "rights" | "source" | "duplicates"
                ) && text.starts_with(['{', '[']);
                if is_json { serde_json::from_str(text).unwrap() } else { text.into() }
            }
            DataType::Int32 => {
                array.as_primitive::<arrow_array::types::Int32Type>().value(row).into()
            }
            DataType::Int64 => {
                array.as_primitive::<arrow_array::types::Int64Type>().value(row).into()
            }
            DataType::Float64 => {
                array.as_primitive::<arrow_array::types::Float64Type>().value(row).into()
            }
            DataType::Boolean => array.as_boolean().value(row).into(),
            DataType::Struct(fields) => {
                let columns = fields.iter().zip(array.as_struct().columns());
                let members = columns.map(|(field, column)| {
                    (field.name().clone(), value(column, row, field.name()))
                });
                Value::Object(members.collect())
            }
            other => panic!("a column of type {other}"),
        }
    }

    /// Leaves out nulls, objects of nulls, and numbers that no column holds.
    fn without_null(value: Value) -> Value {
        let Value::Object(members) = value else { return value };
        let members = members.into_iter().map(|(name, value)| (name, without_null(value)));
        let is_empty = |value: &Value| {
            // No file has so many bytes that a column cannot hold the number.
            let is_too_large = value.is_u64() && !value.is_i64();
            let has_nothing = value.as_object().is_some_and(serde_json::Map::is_empty);
            value.is_null() || is_too_large || has_nothing
        };
        Value::Object(members.filter(|(_, value)| !is_empty(value)).collect())
    }

    #[test]
    fn columns_have_the_members_of_the_json_objects() {
        for schema in SCHEMAS.iter().filter(|schema| !schema.has_actions()) {
            let layout = full_layout(Compression::None);
            let mut columns =
                Columns::new(ColumnLayout::nullable(layout.fields(), &layout.extractors));
            (0..ROWS).for_each(|number| numbered(number, |row| columns.row(row)));
            let batch = columns.finish().unwrap();
            let made = SchemaColumns::new(schema, &batch.schema(), "pages").unwrap();
            let batch = made.batch(&batch).unwrap();
            let rows: Vec<Value> = (0..batch.num_rows())
                .map(|row| {
                    let schema = batch.schema();
                    let members =
                        schema.fields().iter().zip(batch.columns()).map(|(field, column)| {
                            (field.name().clone(), value(column, row, field.name()))
                        });
                    Value::Object(members.collect::<Map<_, _>>())
                })
                .collect();
            let layout = Layout { schema: Some(schema), index: "pages".to_owned(), ..layout };
            let json = String::from_utf8(file_of(JSONL, &layout, &[ROWS])).unwrap();
            let expected: Vec<Value> =
                json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(rows.len(), expected.len());
            for (row, expected) in rows.into_iter().zip(expected) {
                let names = |value: &Value| {
                    let members = value.as_object().unwrap().iter();
                    members.map(|(name, _)| name.clone()).collect::<Vec<_>>()
                };
                if schema.has_members() {
                    assert_eq!(names(&row), names(&expected), "{}", schema.name);
                }
                assert_eq!(without_null(row), without_null(expected), "{}", schema.name);
            }
        }
    }

    #[test]
    fn fields_that_a_run_lacks_are_null_and_actions_are_no_table() {
        let layout = Layout::default();
        let mut columns = Columns::new(ColumnLayout::nullable(layout.fields(), &[]));
        numbered(1, |row| columns.row(row));
        let batch = columns.finish().unwrap();
        let of = |name| SchemaColumns::new(find_schema(name).unwrap(), &batch.schema(), "");
        let fineweb = of("fineweb").unwrap().batch(&batch).unwrap();
        assert_eq!(fineweb.column_by_name("token_count").unwrap().null_count(), 1);
        let put = of("vespa").unwrap().batch(&batch).unwrap();
        assert!(put.column(0).as_string::<i32>().value(0).starts_with("id:page:page::"));
        assert!(of("es-bulk").is_none());
    }
}
