//! Rows as columns of an Arrow record batch.

use crate::text_column::TextColumn;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, StructArray,
};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use huller_pipeline::Settings;
use huller_row::{FIELDS, Part, Row, RowSink};
use std::sync::Arc;

/// Which columns there are. The settings alone decide it, so all batches have the same columns.
#[derive(Clone)]
pub(crate) struct Layout {
    parts: Vec<Part>,
    /// The names of the methods.
    names: Vec<&'static str>,
    schema: SchemaRef,
}

impl Layout {
    /// All columns of the row, with those that the settings ask for.
    pub(crate) fn of_rows(settings: &Settings) -> Layout {
        Layout::new(settings, false)
    }

    /// The columns that pages in memory can have.
    pub(crate) fn of_pages(settings: &Settings) -> Layout {
        Layout::new(settings, true)
    }

    fn new(settings: &Settings, in_memory: bool) -> Layout {
        let names: Vec<_> = settings.methods.iter().map(|method| method.name()).collect();
        let extras = settings.extras();
        let fields = FIELDS.iter().filter(|field| {
            field.presence.is_in(extras) && (field.source.is_in_memory() || !in_memory)
        });
        let (parts, columns): (Vec<_>, Vec<_>) = fields
            .map(|field| (field.part, Field::new(field.name, data_type(field.part, &names), true)))
            .unzip();
        Layout { parts, names, schema: Arc::new(Schema::new(columns)) }
    }

    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }
}

/// Numbers are signed, since not every reader of Arrow knows unsigned ones.
fn data_type(part: Part, names: &[&'static str]) -> DataType {
    match part {
        Part::Text(_) | Part::Json(_) => DataType::Utf8,
        Part::Int(_) => DataType::Int32,
        Part::Long(_) => DataType::Int64,
        Part::Float(_) => DataType::Float64,
        Part::Flag(_) => DataType::Boolean,
        Part::Texts => DataType::Struct(text_fields(names)),
    }
}

fn text_fields(names: &[&'static str]) -> Fields {
    names.iter().map(|name| Field::new(*name, DataType::Utf8, true)).collect()
}

/// A number of bytes, signed. No file is longer than the largest `i64`.
fn signed(value: Option<u64>) -> Option<i64> {
    value.and_then(|value| i64::try_from(value).ok())
}

enum Column {
    Text(TextColumn),
    Int(Vec<Option<i32>>),
    Long(Vec<Option<i64>>),
    Float(Vec<Option<f64>>),
    Flag(Vec<Option<bool>>),
    Texts(Vec<TextColumn>),
}

/// Rows as columns that grow.
pub(crate) struct Columns {
    layout: Layout,
    parts: Vec<Column>,
    rows: usize,
}

impl Columns {
    pub(crate) fn new(layout: Layout) -> Columns {
        let parts = layout.parts.iter().map(|part| match part {
            Part::Text(_) | Part::Json(_) => Column::Text(TextColumn::default()),
            Part::Int(_) => Column::Int(Vec::new()),
            Part::Long(_) => Column::Long(Vec::new()),
            Part::Float(_) => Column::Float(Vec::new()),
            Part::Flag(_) => Column::Flag(Vec::new()),
            Part::Texts => {
                Column::Texts(layout.names.iter().map(|_| TextColumn::default()).collect())
            }
        });
        Columns { parts: parts.collect(), layout, rows: 0 }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Adds the row of a page that gave none.
    pub(crate) fn push_missing(&mut self) {
        self.rows += 1;
        for column in &mut self.parts {
            match column {
                Column::Text(texts) => texts.push(None),
                Column::Int(values) => values.push(None),
                Column::Long(values) => values.push(None),
                Column::Float(values) => values.push(None),
                Column::Flag(values) => values.push(None),
                Column::Texts(methods) => methods.iter_mut().for_each(|texts| texts.push(None)),
            }
        }
    }

    /// Adds the rows of others of the same layout.
    pub(crate) fn append(&mut self, other: Columns) {
        self.rows += other.rows;
        for (column, other) in self.parts.iter_mut().zip(other.parts) {
            match (column, other) {
                (Column::Text(ours), Column::Text(others)) => ours.append(&others),
                (Column::Int(ours), Column::Int(others)) => ours.extend(others),
                (Column::Long(ours), Column::Long(others)) => ours.extend(others),
                (Column::Float(ours), Column::Float(others)) => ours.extend(others),
                (Column::Flag(ours), Column::Flag(others)) => ours.extend(others),
                (Column::Texts(ours), Column::Texts(others)) => {
                    ours.iter_mut().zip(&others).for_each(|(ours, others)| ours.append(others));
                }
                _ => unreachable!("columns of one layout are of the same kinds"),
            }
        }
    }

    /// A batch of all rows, none of which are left.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let emptied = Columns::new(self.layout.clone());
        let Columns { layout, parts, .. } = std::mem::replace(self, emptied);
        let arrays = parts.into_iter().map(|column| {
            Ok(match column {
                Column::Text(texts) => texts.finish()?,
                Column::Int(values) => Arc::new(Int32Array::from(values)) as ArrayRef,
                Column::Long(values) => Arc::new(Int64Array::from(values)),
                Column::Float(values) => Arc::new(Float64Array::from(values)),
                Column::Flag(values) => Arc::new(BooleanArray::from(values)),
                Column::Texts(methods) => {
                    let texts: Result<Vec<_>, _> =
                        methods.into_iter().map(TextColumn::finish).collect();
                    Arc::new(StructArray::try_new(text_fields(&layout.names), texts?, None)?)
                }
            })
        });
        RecordBatch::try_new(layout.schema, arrays.collect::<Result<_, ArrowError>>()?)
    }
}

impl RowSink for Columns {
    fn row(&mut self, row: &Row<'_>) {
        for (part, column) in self.layout.parts.iter().zip(&mut self.parts) {
            match (part, column) {
                (Part::Text(of) | Part::Json(of), Column::Text(texts)) => texts.push(of(row)),
                (Part::Int(of), Column::Int(values)) => values.push(of(row).map(i32::from)),
                (Part::Long(of), Column::Long(values)) => values.push(signed(of(row))),
                (Part::Float(of), Column::Float(values)) => values.push(of(row)),
                (Part::Flag(of), Column::Flag(values)) => values.push(of(row)),
                (Part::Texts, Column::Texts(methods)) => {
                    let made = row.texts.map(|made| made.texts).unwrap_or_default();
                    for (place, texts) in methods.iter_mut().enumerate() {
                        texts.push(made.get(place).map(String::as_str));
                    }
                }
                _ => unreachable!("columns are made for the parts of their layout"),
            }
        }
        self.rows += 1;
    }

    fn mark(&self) -> usize {
        self.rows
    }

    fn cut(&mut self, mark: usize) {
        self.rows = mark;
        for column in &mut self.parts {
            match column {
                Column::Text(texts) => texts.truncate(mark),
                Column::Int(values) => values.truncate(mark),
                Column::Long(values) => values.truncate(mark),
                Column::Float(values) => values.truncate(mark),
                Column::Flag(values) => values.truncate(mark),
                Column::Texts(methods) => methods.iter_mut().for_each(|texts| texts.truncate(mark)),
            }
        }
    }
}
