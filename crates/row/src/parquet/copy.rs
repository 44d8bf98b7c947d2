//! Copies a file without some of its rows, group by group.

use super::batch::Batch;
use super::group::GroupFile;
use super::inspect::{Group, invalid, read_end};
use super::writer_properties::CONFIGURATION;
use crate::columns::ColumnLayout;
use crate::compress::Compressor;
use crate::extras::Extras;
use crate::field::FieldType;
use crate::format::{Assembler, CopiedRows, InspectedFile, RowChoice};
use crate::layout::Layout;
use crate::text_column::TextColumn;
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::DataType;
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, StructArray,
};
use arrow_schema::DataType as ArrowType;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Rows that are encoded at a time.
const ROWS: usize = 1024;

/// Most rows of a group. Groups hold 32 MiB of values.
const MAX_ROWS: u64 = 1 << 25;

/// Most names of extractors that a process takes from files. Real files have a dozen.
const MAX_NAMES: usize = 256;

/// Copies the rows of a file that `choice` keeps, with all values of their columns.
pub(super) fn copy_rows(
    (layout, group_bytes): (&Layout, usize),
    file: &mut dyn InspectedFile,
    choice: &mut RowChoice<'_>,
    out: &mut dyn Write,
) -> io::Result<CopiedRows> {
    let metadata = read_end(file)?;
    let layout = layout_of(layout, &metadata)?;
    let mut compressor = Compressor::new(layout.compression);
    let mut copy = GroupFile::new(&layout, group_bytes);
    copy.begin(&mut compressor, out)?;
    let columns = ColumnLayout::from_layout(&layout);
    let file = file.as_reader();
    let (mut at, mut number, mut copied) = (0, 0, CopiedRows::default());
    for group in 0..metadata.num_row_groups() {
        let group = Group::read(file, &mut at, &metadata, group)?;
        if group.len() > MAX_ROWS {
            return Err(invalid("a group has more rows than any run writes"));
        }
        let mut kept = Vec::new();
        for _ in 0..group.len() {
            let is_kept = (choice.keeps)(number);
            kept.push(is_kept);
            number += 1;
            if is_kept {
                (choice.placed)(copied.rows);
                copied.rows += 1;
            }
        }
        let batch = batch_of(&group, &columns, &kept).map_err(|error| invalid(&error))?;
        let mut encoder = Batch::new(&layout);
        for start in (0..batch.num_rows()).step_by(ROWS) {
            let rows = ROWS.min(batch.num_rows() - start);
            let mut piece = Vec::new();
            encoder.push_batch(&batch.slice(start, rows), &mut compressor, &mut piece);
            copy.write_piece(&piece, &mut compressor, out)?;
        }
    }
    copy.end(&mut compressor, out)?;
    Ok(CopiedRows { length: copied.rows, ..copied })
}

/// Returns the layout of a file by its columns, since the settings of a run do not name the extra
/// fields.
fn layout_of(layout: &Layout, metadata: &ParquetMetaData) -> io::Result<Layout> {
    let schema = metadata.file_metadata().schema();
    let (mut chosen, mut extractors) = (Vec::new(), Vec::new());
    for column in schema.get_fields() {
        let field = layout.table.iter().find(|field| field.name == column.name());
        let field = field.ok_or_else(|| invalid("it has a column that rows do not have"))?;
        if matches!(field.value_type, FieldType::Texts) {
            if !column.is_group() {
                return Err(invalid("its texts are no group"));
            }
            for extractor in column.get_fields() {
                extractors.push(kept_name(extractor.name())?);
            }
        }
        chosen.push(field.name);
    }
    let groups = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let bloom_filters = groups.into_iter().any(|chunk| chunk.bloom_filter_offset().is_some());
    let pairs = metadata.file_metadata().key_value_metadata().into_iter().flatten();
    let configuration =
        pairs.filter(|pair| pair.key == CONFIGURATION).find_map(|pair| pair.value.clone());
    Ok(Layout {
        extras: Extras { texts: true, ..Extras::of_existing_rows() },
        chosen: Some(chosen),
        extractors,
        bloom_filters,
        configuration: configuration.unwrap_or_default(),
        ..layout.clone()
    })
}

/// Returns a name of an extractor for the life of the process.
fn kept_name(name: &str) -> io::Result<&'static str> {
    static KNOWN: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.iter().find(|found| **found == name) {
        return Ok(found);
    }
    if known.len() == MAX_NAMES {
        return Err(invalid("its texts are of too many extractors"));
    }
    let name: &'static str = name.to_owned().leak();
    known.push(name);
    Ok(name)
}

/// Decodes the kept rows of a group.
fn batch_of(group: &Group<'_>, columns: &ColumnLayout, kept: &[bool]) -> Result<RecordBatch> {
    let mut arrays = Vec::new();
    let mut leaf = 0;
    for (place, field) in columns.schema().fields().iter().enumerate() {
        let mut leaves = Vec::new();
        for _ in 0..columns.leaves(place) {
            leaves.push(array_of(group, leaf, kept)?);
            leaf += 1;
        }
        arrays.push(match field.data_type() {
            ArrowType::Struct(fields) => {
                let texts = StructArray::try_new(fields.clone(), leaves, None);
                Arc::new(texts.map_err(arrow_error)?) as ArrayRef
            }
            _ => leaves.pop().ok_or_else(|| ParquetError::EOF("a column is missing".to_owned()))?,
        });
    }
    RecordBatch::try_new(Arc::clone(columns.schema()), arrays).map_err(arrow_error)
}

fn arrow_error(error: arrow_schema::ArrowError) -> ParquetError {
    ParquetError::External(Box::new(error))
}

/// Decodes the kept values of a column.
fn array_of(group: &Group<'_>, column: usize, kept: &[bool]) -> Result<ArrayRef> {
    let present = group.present_level(column)?;
    let of = (present, kept);
    Ok(match group.reader(column)? {
        ColumnReader::BoolColumnReader(reader) => {
            Arc::new(BooleanArray::from(values(reader, of)?)) as ArrayRef
        }
        ColumnReader::Int32ColumnReader(reader) => Arc::new(Int32Array::from(values(reader, of)?)),
        ColumnReader::Int64ColumnReader(reader) => Arc::new(Int64Array::from(values(reader, of)?)),
        ColumnReader::DoubleColumnReader(reader) => {
            Arc::new(Float64Array::from(values(reader, of)?))
        }
        ColumnReader::ByteArrayColumnReader(reader) => {
            let mut texts = TextColumn::default();
            each_value(reader, of, |text| {
                texts.push(text.map(|text| text.as_utf8()).transpose()?);
                Ok(())
            })?;
            texts.finish().map_err(arrow_error)?
        }
        _ => {
            let problem = "a column has a type that rows do not have".to_owned();
            return Err(ParquetError::General(problem));
        }
    })
}

fn values<T: DataType>(
    reader: ColumnReaderImpl<T>,
    of: (i16, &[bool]),
) -> Result<Vec<Option<T::T>>> {
    let mut values = Vec::new();
    each_value(reader, of, |value| {
        values.push(value.cloned());
        Ok(())
    })?;
    Ok(values)
}

/// Passes the value of each kept row to `take`.
fn each_value<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    (present, kept): (i16, &[bool]),
    mut take: impl FnMut(Option<&T::T>) -> Result<()>,
) -> Result<()> {
    let wrong = || ParquetError::General("a column has another number of rows".to_owned());
    let (mut rows, mut levels, mut values) = (kept.iter(), Vec::new(), Vec::new());
    loop {
        let (read, ..) = reader.read_records(ROWS, Some(&mut levels), None, &mut values)?;
        if read == 0 {
            break;
        }
        let mut found = values.iter();
        for row in 0..read {
            let is_present = present == 0 || levels.get(row).is_some_and(|level| *level == present);
            let value = if is_present { Some(found.next().ok_or_else(wrong)?) } else { None };
            if *rows.next().ok_or_else(wrong)? {
                take(value)?;
            }
        }
        levels.clear();
        values.clear();
    }
    if rows.next().is_some() { Err(wrong()) } else { Ok(()) }
}
