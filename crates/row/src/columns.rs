//! Collects rows as columns of an Arrow record batch, by the table of fields.
//!
//! Parquet files, Arrow files and the Python package share these columns. Integers are signed,
//! since some readers do not support unsigned ones. `texts` is a struct with one field for each
//! extractor. Lists and other values that are JSON are text.

use crate::field::{Field, FieldType, Presence};
use crate::json::push_texts;
use crate::layout::Layout;
use crate::row::{Row, RowSink};
use crate::text_column::TextColumn;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, StructArray,
};
use arrow_schema::{ArrowError, DataType, Field as ArrowField, Fields, Schema, SchemaRef};
use std::ops::Range;
use std::sync::Arc;

/// Most bytes of a text. A longer one becomes null, since a column counts its bytes with 31 bits. A
/// run whose pages could give longer texts is refused, so such a text is a URL that a page's own
/// base has made so long.
const MAX_TEXT_BYTES: usize = 1 << 30;

/// Most bytes of a page whose texts all fit into a column. Its list of blocks may be eight times as
/// long.
pub(crate) const MAX_PAGE_BYTES: usize = MAX_TEXT_BYTES / 8;

/// A batch ends when its texts reach this many bytes.
const BATCH_BYTES: usize = 256 << 20;

/// The columns of a run's rows. They depend on the settings of the run, so all batches have the
/// same columns.
#[derive(Clone, Debug)]
pub struct ColumnLayout {
    fields: Vec<&'static Field>,
    extractors: Vec<&'static str>,
    schema: SchemaRef,
}

impl ColumnLayout {
    /// Creates columns of these fields, and of the texts of these extractors. Every column may hold
    /// null, for pages without a row.
    pub fn nullable(
        fields: impl Iterator<Item = &'static Field>,
        extractors: &[&'static str],
    ) -> ColumnLayout {
        ColumnLayout::new(fields, extractors, |_| true)
    }

    /// Creates the columns of a file of rows. A field that every row has becomes a column without
    /// nulls. So does the struct of texts, whose members may be null.
    pub(crate) fn from_layout(layout: &Layout) -> ColumnLayout {
        ColumnLayout::new(layout.fields(), &layout.extractors, |field| {
            field.presence != Presence::Always && !matches!(field.value_type, FieldType::Texts)
        })
    }

    fn new(
        fields: impl Iterator<Item = &'static Field>,
        extractors: &[&'static str],
        is_nullable: impl Fn(&Field) -> bool,
    ) -> ColumnLayout {
        let has_texts = !extractors.is_empty();
        let is_column =
            |field: &&'static Field| has_texts || !matches!(field.value_type, FieldType::Texts);
        let fields: Vec<_> = fields.filter(is_column).collect();
        let texts: Fields =
            extractors.iter().map(|name| ArrowField::new(*name, DataType::Utf8, true)).collect();
        let column = |field: &&'static Field| {
            let kind = column_type(field.value_type, &texts);
            ArrowField::new(field.name, kind, is_nullable(field))
        };
        let schema = Schema::new(fields.iter().map(column).collect::<Vec<_>>());
        ColumnLayout { fields, extractors: extractors.to_vec(), schema: Arc::new(schema) }
    }

    /// Returns the schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Returns how many columns of values a column has: `texts` has one for each extractor.
    pub(crate) fn leaves(&self, place: usize) -> usize {
        if matches!(self.fields[place].value_type, FieldType::Texts) {
            self.extractors.len()
        } else {
            1
        }
    }

    /// Returns the field of each column.
    pub(crate) fn fields(&self) -> &[&'static Field] {
        &self.fields
    }
}

/// Returns the type of the column of a field. `texts` has a field for each extractor.
pub(crate) fn column_type(part: FieldType, texts: &Fields) -> DataType {
    match part {
        FieldType::Text(_) | FieldType::TextList(_) | FieldType::Json(_) => DataType::Utf8,
        FieldType::Int(_) => DataType::Int32,
        FieldType::Long(_) => DataType::Int64,
        FieldType::Float(_) => DataType::Float64,
        FieldType::Flag(_) => DataType::Boolean,
        FieldType::Texts => DataType::Struct(texts.clone()),
    }
}

/// The values of one column.
enum ColumnValues {
    Text(TextColumn),
    Int(Vec<Option<i32>>),
    Long(Vec<Option<i64>>),
    Float(Vec<Option<f64>>),
    Flag(Vec<Option<bool>>),
    Texts(Vec<TextColumn>),
}

impl ColumnValues {
    fn new(part: FieldType, extractors: usize) -> ColumnValues {
        match part {
            FieldType::Text(_) | FieldType::TextList(_) | FieldType::Json(_) => {
                ColumnValues::Text(TextColumn::default())
            }
            FieldType::Int(_) => ColumnValues::Int(Vec::new()),
            FieldType::Long(_) => ColumnValues::Long(Vec::new()),
            FieldType::Float(_) => ColumnValues::Float(Vec::new()),
            FieldType::Flag(_) => ColumnValues::Flag(Vec::new()),
            FieldType::Texts => {
                ColumnValues::Texts((0..extractors).map(|_| TextColumn::default()).collect())
            }
        }
    }

    /// Adds the value of a row. A column without nulls gets the empty value in place of a missing
    /// one.
    fn push(&mut self, part: FieldType, row: &Row<'_>, is_nullable: bool) {
        match (self, part) {
            (ColumnValues::Text(texts), FieldType::Text(of) | FieldType::Json(of)) => {
                texts.push(or_default(of(row).filter(|text| is_short(text)), is_nullable));
            }
            (ColumnValues::Text(texts), FieldType::TextList(of)) => {
                let mut json = Vec::new();
                push_texts(&mut json, of(row).unwrap_or_default());
                let json = std::str::from_utf8(&json).expect("JSON made of strings");
                texts.push(or_default(Some(json).filter(|text| is_short(text)), is_nullable));
            }
            (ColumnValues::Int(values), FieldType::Int(of)) => {
                values.push(or_default(of(row).map(i32::from), is_nullable));
            }
            // No file is longer than the largest `i64`.
            (ColumnValues::Long(values), FieldType::Long(of)) => {
                let value = of(row).and_then(|value| i64::try_from(value).ok());
                values.push(or_default(value, is_nullable));
            }
            // Only finite numbers, as in JSON.
            (ColumnValues::Float(values), FieldType::Float(of)) => {
                let value = of(row).filter(|value| value.is_finite());
                values.push(or_default(value, is_nullable));
            }
            (ColumnValues::Flag(values), FieldType::Flag(of)) => {
                values.push(or_default(of(row), is_nullable));
            }
            (ColumnValues::Texts(columns), FieldType::Texts) => {
                let made = row.texts.map(|made| made.texts).unwrap_or_default();
                for (place, texts) in columns.iter_mut().enumerate() {
                    let text = made.get(place).map(String::as_str);
                    texts.push(text.filter(|text| is_short(text)));
                }
            }
            _ => unreachable!("columns are made for the fields of their layout"),
        }
    }

    fn push_missing(&mut self) {
        match self {
            ColumnValues::Text(texts) => texts.push(None),
            ColumnValues::Int(values) => values.push(None),
            ColumnValues::Long(values) => values.push(None),
            ColumnValues::Float(values) => values.push(None),
            ColumnValues::Flag(values) => values.push(None),
            ColumnValues::Texts(columns) => columns.iter_mut().for_each(|texts| texts.push(None)),
        }
    }

    fn append(&mut self, other: ColumnValues) {
        match (self, other) {
            (ColumnValues::Text(ours), ColumnValues::Text(others)) => ours.append(&others),
            (ColumnValues::Int(ours), ColumnValues::Int(others)) => ours.extend(others),
            (ColumnValues::Long(ours), ColumnValues::Long(others)) => ours.extend(others),
            (ColumnValues::Float(ours), ColumnValues::Float(others)) => ours.extend(others),
            (ColumnValues::Flag(ours), ColumnValues::Flag(others)) => ours.extend(others),
            (ColumnValues::Texts(ours), ColumnValues::Texts(others)) => {
                ours.iter_mut().zip(&others).for_each(|(ours, others)| ours.append(others));
            }
            _ => unreachable!("columns of one layout are of the same kinds"),
        }
    }

    fn truncate(&mut self, len: usize) {
        match self {
            ColumnValues::Text(texts) => texts.truncate(len),
            ColumnValues::Int(values) => values.truncate(len),
            ColumnValues::Long(values) => values.truncate(len),
            ColumnValues::Float(values) => values.truncate(len),
            ColumnValues::Flag(values) => values.truncate(len),
            ColumnValues::Texts(columns) => {
                for texts in columns {
                    texts.truncate(len);
                }
            }
        }
    }

    /// Returns the bytes of the texts of the first `len` rows.
    fn text_bytes(&self, len: usize) -> usize {
        match self {
            ColumnValues::Text(texts) => texts.end(len),
            ColumnValues::Texts(columns) => columns.iter().map(|texts| texts.end(len)).sum(),
            _ => 0,
        }
    }

    /// Makes an array of each of these ranges.
    fn finish(self, kind: &DataType, parts: &[Range<usize>]) -> Result<Vec<ArrayRef>, ArrowError> {
        let whole: ArrayRef = match self {
            ColumnValues::Text(texts) => return texts.finish_parts(parts),
            ColumnValues::Texts(columns) => return finish_struct(columns, kind, parts),
            ColumnValues::Int(values) => Arc::new(Int32Array::from(values)),
            ColumnValues::Long(values) => Arc::new(Int64Array::from(values)),
            ColumnValues::Float(values) => Arc::new(Float64Array::from(values)),
            ColumnValues::Flag(values) => Arc::new(BooleanArray::from(values)),
        };
        Ok(parts.iter().map(|rows| whole.slice(rows.start, rows.len())).collect())
    }
}

fn finish_struct(
    columns: Vec<TextColumn>,
    kind: &DataType,
    parts: &[Range<usize>],
) -> Result<Vec<ArrayRef>, ArrowError> {
    let DataType::Struct(fields) = kind else { unreachable!("the texts of a row are a struct") };
    let mut children: Vec<_> = columns
        .into_iter()
        .map(|texts| texts.finish_parts(parts).map(Vec::into_iter))
        .collect::<Result<_, _>>()?;
    let array = |_| {
        let children: Vec<_> = children.iter_mut().filter_map(Iterator::next).collect();
        Ok(Arc::new(StructArray::try_new(fields.clone(), children, None)?) as ArrayRef)
    };
    parts.iter().map(array).collect()
}

/// Whether a text fits into a column.
pub(crate) fn is_short(text: &str) -> bool {
    text.len() <= MAX_TEXT_BYTES
}

fn or_default<T: Default>(value: Option<T>, is_nullable: bool) -> Option<T> {
    value.or_else(|| (!is_nullable).then(T::default))
}

/// Rows collected as columns.
pub struct Columns {
    layout: ColumnLayout,
    values: Vec<ColumnValues>,
    rows: usize,
}

impl Columns {
    /// Creates columns without rows.
    pub fn new(layout: ColumnLayout) -> Columns {
        Columns { values: Columns::empty(&layout), layout, rows: 0 }
    }

    fn empty(layout: &ColumnLayout) -> Vec<ColumnValues> {
        let extractors = layout.extractors.len();
        layout.fields.iter().map(|field| ColumnValues::new(field.value_type, extractors)).collect()
    }

    /// Returns the number of rows so far.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Adds a row of nulls, for a page without a row.
    pub fn push_missing(&mut self) {
        self.rows += 1;
        self.values.iter_mut().for_each(ColumnValues::push_missing);
    }

    /// Adds the rows of other columns of the same layout.
    pub fn append(&mut self, other: Columns) {
        self.rows += other.rows;
        for (values, other) in self.values.iter_mut().zip(other.values) {
            values.append(other);
        }
    }

    /// Makes one batch of all rows, and removes them.
    ///
    /// # Errors
    ///
    /// The texts of a column have more than 2 GiB.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let all = 0..self.rows;
        let mut batches = self.finish_parts(&[all])?;
        Ok(batches.swap_remove(0))
    }

    /// Makes batches of all rows, mostly one, and removes the rows.
    pub(crate) fn finish_batches(&mut self) -> Vec<RecordBatch> {
        let parts = self.batch_ranges();
        self.finish_parts(&parts).expect("a batch and the one row that ends it are below 2 GiB")
    }

    /// Returns the rows of each batch.
    fn batch_ranges(&self) -> Vec<Range<usize>> {
        let bytes = |rows: usize| self.values.iter().map(|values| values.text_bytes(rows)).sum();
        let all: usize = bytes(self.rows);
        if all < BATCH_BYTES {
            return if self.rows == 0 {
                Vec::new()
            } else {
                std::iter::once(0..self.rows).collect()
            };
        }
        let (mut parts, mut first, mut before) = (Vec::new(), 0, 0);
        for end in 1..=self.rows {
            let so_far: usize = bytes(end);
            if so_far - before >= BATCH_BYTES || end == self.rows {
                parts.push(first..end);
                (first, before) = (end, so_far);
            }
        }
        parts
    }

    fn finish_parts(&mut self, parts: &[Range<usize>]) -> Result<Vec<RecordBatch>, ArrowError> {
        self.rows = 0;
        let values = std::mem::replace(&mut self.values, Columns::empty(&self.layout));
        let schema = &self.layout.schema;
        let mut columns = Vec::with_capacity(values.len());
        for (values, field) in values.into_iter().zip(schema.fields()) {
            columns.push(values.finish(field.data_type(), parts)?.into_iter());
        }
        let batch = |_| {
            let arrays = columns.iter_mut().filter_map(Iterator::next).collect();
            RecordBatch::try_new(Arc::clone(schema), arrays)
        };
        parts.iter().map(batch).collect()
    }
}

impl RowSink for Columns {
    fn row(&mut self, row: &Row<'_>) {
        let Columns { layout, values, rows } = self;
        let columns = layout.fields.iter().zip(layout.schema.fields());
        for ((field, column), values) in columns.zip(values) {
            values.push(field.value_type, row, column.is_nullable());
        }
        *rows += 1;
    }

    fn mark(&self) -> usize {
        self.rows
    }

    /// Some of the columns may hold a row that a panic cut short.
    fn cut(&mut self, mark: usize) {
        self.values.iter_mut().for_each(|values| values.truncate(mark));
        self.rows = self.rows.min(mark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compress::Compression;
    use crate::sample::{full_layout, numbered};

    fn filled(rows: usize) -> Columns {
        let mut columns = Columns::new(ColumnLayout::from_layout(&full_layout(Compression::None)));
        (0..rows).for_each(|number| numbered(number, |row| columns.row(row)));
        columns
    }

    #[test]
    fn parts_of_rows_are_the_rows() {
        let whole = filled(9).finish().unwrap();
        let parts = filled(9).finish_parts(&[0..4, 4..5, 5..9]).unwrap();
        let mut start = 0;
        for part in parts {
            assert_eq!(part, whole.slice(start, part.num_rows()));
            start += part.num_rows();
        }
        assert_eq!(start, 9);
    }

    #[test]
    fn chosen_fields_have_the_order_of_the_choice() {
        let chosen = Some(vec!["text", "status", "id"]);
        let layout = Layout { chosen, ..full_layout(Compression::None) };
        let mut columns = Columns::new(ColumnLayout::from_layout(&layout));
        numbered(3, |row| columns.row(row));
        let batch = columns.finish().unwrap();
        let schema = batch.schema();
        let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        assert_eq!(names, ["text", "status", "id"]);
    }

    #[test]
    fn rows_are_cut_appended_and_missing() {
        let mut columns = filled(5);
        columns.cut(2);
        columns.append(filled(3));
        let batch = columns.finish().unwrap();
        assert_eq!(batch.slice(0, 2), filled(2).finish().unwrap());
        assert_eq!(batch.slice(2, 3), filled(3).finish().unwrap());
        assert!(columns.rows() == 0 && columns.finish_batches().is_empty());

        let extractors = ["pvalue"];
        let mut columns = Columns::new(ColumnLayout::nullable(crate::FIELDS.iter(), &extractors));
        columns.push_missing();
        let batch = columns.finish().unwrap();
        let is_null = |array: &ArrayRef| array.null_count() == 1 || array.data_type().is_nested();
        assert!(batch.columns().iter().all(is_null));
    }
}
