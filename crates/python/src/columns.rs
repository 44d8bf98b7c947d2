//! Rows as columns of an Arrow record batch.

use crate::text_column::TextColumn;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, StructArray,
};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use huller_extract::Method;
use huller_pipeline::{Row, RowSink};
use std::sync::Arc;

/// What a column takes of a row.
#[derive(Clone, Copy)]
enum Part {
    Text(for<'a> fn(&Row<'a>) -> Option<&'a str>),
    /// Signed, since not every reader of Arrow knows the others.
    Int(fn(&Row<'_>) -> Option<i32>),
    Long(fn(&Row<'_>) -> Option<i64>),
    Float(fn(&Row<'_>) -> Option<f64>),
    Flag(fn(&Row<'_>) -> bool),
    /// The text of every method.
    Texts,
}

/// The columns of a page, in the order of the row, and whether pages in memory have them too.
const PARTS: &[(&str, Part, bool)] = &[
    ("id", Part::Text(|row| Some(row.id)), false),
    ("url", Part::Text(|row| row.url), false),
    ("date", Part::Text(|row| row.date), false),
    ("title", Part::Text(|row| row.title), true),
    ("text", Part::Text(|row| Some(row.text)), true),
    ("language", Part::Text(|row| row.language), true),
    ("language_score", Part::Float(|row| row.language_score), true),
    ("author", Part::Text(|row| row.author), true),
    ("published", Part::Text(|row| row.published), true),
    ("site_name", Part::Text(|row| row.site_name), true),
    ("description", Part::Text(|row| row.description), true),
    ("extractor", Part::Text(|row| Some(row.extractor)), true),
    ("score", Part::Float(|row| row.score), true),
    ("charset", Part::Text(|row| Some(row.charset)), true),
    ("charset_source", Part::Text(|row| Some(row.charset_source)), true),
    ("content_type", Part::Text(|row| row.content_type), false),
    ("status", Part::Int(|row| row.status.map(i32::from)), false),
    ("digest", Part::Text(|row| row.digest), false),
    ("warc_filename", Part::Text(|row| row.warc_filename), false),
    ("warc_record_offset", Part::Long(|row| long(row.warc_record_offset)), false),
    ("warc_record_length", Part::Long(|row| long(row.warc_record_length)), false),
    ("truncated", Part::Flag(|row| row.truncated), true),
    ("stream_offset", Part::Long(|row| long(row.stream_offset)), false),
    ("texts", Part::Texts, true),
    ("page_type", Part::Text(|row| row.page_type), true),
    ("comments", Part::Text(|row| row.comments), true),
    ("html", Part::Text(|row| row.html), true),
];

/// Offsets in files: no file is longer than half of what they can count.
fn long(value: Option<u64>) -> Option<i64> {
    value.and_then(|value| i64::try_from(value).ok())
}

/// Which columns there are: nothing but the settings decides it, so that all batches have the same.
#[derive(Clone)]
pub(crate) struct Layout {
    parts: Vec<(&'static str, Part)>,
    methods: Vec<&'static Method>,
    schema: SchemaRef,
}

impl Layout {
    /// All columns of the row. `texts` are there with several methods, `html` if it was asked for.
    pub(crate) fn of_rows(methods: &[&'static Method], html: bool) -> Layout {
        Layout::new(methods, html, false)
    }

    /// Those that pages in memory can have.
    pub(crate) fn of_pages(methods: &[&'static Method], html: bool) -> Layout {
        Layout::new(methods, html, true)
    }

    fn new(methods: &[&'static Method], html: bool, in_memory: bool) -> Layout {
        let parts: Vec<_> = PARTS
            .iter()
            .filter(|(name, _, of_pages)| match *name {
                "texts" => methods.len() > 1,
                "html" => html,
                _ => *of_pages || !in_memory,
            })
            .map(|(name, part, _)| (*name, *part))
            .collect();
        let fields = parts.iter().map(|(name, part)| {
            let data_type = match part {
                Part::Text(_) => DataType::Utf8,
                Part::Int(_) => DataType::Int32,
                Part::Long(_) => DataType::Int64,
                Part::Float(_) => DataType::Float64,
                Part::Flag(_) => DataType::Boolean,
                Part::Texts => DataType::Struct(text_fields(methods)),
            };
            Field::new(*name, data_type, true)
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        Layout { parts, methods: methods.to_vec(), schema }
    }

    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }
}

fn text_fields(methods: &[&'static Method]) -> Fields {
    methods.iter().map(|method| Field::new(method.name, DataType::Utf8, true)).collect()
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
        let parts = layout.parts.iter().map(|(_, part)| match part {
            Part::Text(_) => Column::Text(TextColumn::default()),
            Part::Int(_) => Column::Int(Vec::new()),
            Part::Long(_) => Column::Long(Vec::new()),
            Part::Float(_) => Column::Float(Vec::new()),
            Part::Flag(_) => Column::Flag(Vec::new()),
            Part::Texts => {
                Column::Texts(layout.methods.iter().map(|_| TextColumn::default()).collect())
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
                    Arc::new(StructArray::try_new(text_fields(&layout.methods), texts?, None)?)
                }
            })
        });
        RecordBatch::try_new(layout.schema, arrays.collect::<Result<_, ArrowError>>()?)
    }
}

impl RowSink for Columns {
    fn row(&mut self, row: &Row<'_>) {
        for ((_, part), column) in self.layout.parts.iter().zip(&mut self.parts) {
            match (part, column) {
                (Part::Text(of), Column::Text(texts)) => texts.push(of(row)),
                (Part::Int(of), Column::Int(values)) => values.push(of(row)),
                (Part::Long(of), Column::Long(values)) => values.push(of(row)),
                (Part::Float(of), Column::Float(values)) => values.push(of(row)),
                (Part::Flag(of), Column::Flag(values)) => values.push(Some(of(row))),
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
