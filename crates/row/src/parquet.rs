//! Parquet: rows as columns, in row groups that readers take whole.
//!
//! The crate `parquet` encodes every column, and our compressor makes frames of its pages, since
//! only our frames have checksums. Consecutive batches form a row group of 32 MiB, so
//! where a group ends follows from the rows alone. The columns with long values are most of the
//! work, so workers make and compress their pages, a few for each batch. The writer puts the pages
//! of many batches together. Short values of one batch would make tiny pages, so they go to the
//! writer as they are. The writer encodes the short values of a whole group. A column that repeats
//! its values has a dictionary if the group has rows enough.

#![expect(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "the crate counts bytes and rows with a sign; lengths of files have 63 bits"
)]

mod framed;
mod group;
mod inspect;

use crate::arrow_message::MessageWriter;
use crate::columns::{ColumnLayout, Columns, LONGEST_PAGE};
use crate::compress::{Compression, Compressor};
use crate::field::{Field, Part, Presence};
use crate::format::{Assembler, BatchEncoder, Format, Inspected, Inspection};
use crate::layout::Layout;
use crate::row::{Row, RowSink};
use ::parquet::arrow::ArrowSchemaConverter;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::ColumnPath;
use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use framed::PlainFile;
use group::GroupFile;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The format.
pub(crate) struct Parquet {
    /// A group ends as soon as its values have so many bytes, uncompressed.
    pub(crate) group_bytes: usize,
}

/// Readers take this for a good size: Spark and `DuckDB` give every thread a group.
pub(crate) const GROUP_BYTES: usize = 32 << 20;

/// A page ends as soon as its values have so many bytes.
const PAGE_BYTES: usize = 1 << 20;

/// Longer values are cut where they bound a page or group.
const LONGEST_BOUND: usize = 64;

/// The program and the way in which it makes files. The version of the program decides no byte, so
/// it is not here.
const CREATED_BY: &str = "huller version 2 (build 1)";

/// Key under which the run's configuration stands.
const CONFIGURATION: &str = "huller.config";

impl Format for Parquet {
    fn name(&self) -> &'static str {
        "parquet"
    }

    fn suffix(&self, _: Compression) -> &'static str {
        ".parquet"
    }

    fn compresses_inside(&self) -> bool {
        true
    }

    fn encoder(&self, layout: &Layout) -> Box<dyn BatchEncoder> {
        Box::new(Batch::new(layout))
    }

    fn assembler(&self, layout: &Layout) -> Box<dyn Assembler> {
        Box::new(GroupFile::new(layout, self.group_bytes))
    }

    /// Only the end names the places of the groups.
    fn can_continue(&self) -> bool {
        false
    }

    /// Rows are numbered.
    fn has_places(&self) -> bool {
        true
    }

    /// A group, in buffers that grow by doubling.
    fn held_bytes(&self) -> usize {
        2 * self.group_bytes
    }

    fn longest_page(&self) -> Option<usize> {
        Some(LONGEST_PAGE)
    }

    fn inspect(
        &self,
        _: &Layout,
        file: &mut dyn Inspected,
        id: &mut dyn FnMut(&str),
    ) -> Inspection {
        let mut found = Inspection::default();
        let read = catch_unwind(AssertUnwindSafe(|| inspect::inspect(file, &mut found.rows, id)));
        let error = read.unwrap_or_else(|_| Err(inspect::invalid("reading it panicked"))).err();
        Inspection { error, ..found }
    }
}

/// Whether the values of a field may be long. Their least and greatest help no reader, and the
/// values of few rows fill a page.
fn is_long(field: &Field) -> bool {
    let is_text = matches!(field.part, Part::Text(_) | Part::Json(_) | Part::Texts);
    is_text
        && (matches!(field.presence, Presence::IfAsked(_))
            || ["text", "comments"].contains(&field.name))
}

/// Whether nearly every row has a value of its own, so that a dictionary would only take room.
fn is_distinct(name: &str) -> bool {
    const DISTINCT: [&str; 8] = [
        "id",
        "url",
        "title",
        "description",
        "digest",
        "warc_record_offset",
        "warc_record_length",
        "stream_offset",
    ];
    DISTINCT.contains(&name)
}

/// The columns of a file: workers encode some, and the writer the others.
struct SplitColumns {
    layout: ColumnLayout,
    long: Vec<usize>,
    short: Vec<usize>,
    long_schema: SchemaRef,
    short_schema: SchemaRef,
}

impl SplitColumns {
    fn new(layout: &Layout) -> SplitColumns {
        let layout = ColumnLayout::of(layout);
        let all = 0..layout.fields().len();
        let (long, short): (Vec<_>, Vec<_>) =
            all.partition(|place| is_long(layout.fields()[*place]));
        let project = |places: &[usize]| {
            let schema = layout.schema().project(places);
            Arc::new(schema.expect("the places are those of columns"))
        };
        let (long_schema, short_schema) = (project(&long), project(&short));
        SplitColumns { layout, long, short, long_schema, short_schema }
    }
}

/// How every column is encoded.
fn properties() -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_created_by(CREATED_BY.to_owned())
        .set_data_page_size_limit(PAGE_BYTES)
        .set_data_page_row_count_limit(usize::MAX)
        .set_max_row_group_row_count(None)
        .set_statistics_truncate_length(Some(LONGEST_BOUND))
        .set_column_index_truncate_length(Some(LONGEST_BOUND))
}

/// How the columns with long values are encoded.
fn long_properties() -> WriterProperties {
    properties()
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .build()
}

/// How the columns with short values are encoded.
fn short_properties(layout: &Layout, has_dictionaries: bool) -> WriterProperties {
    let builder = properties()
        .set_dictionary_enabled(has_dictionaries)
        .set_statistics_enabled(EnabledStatistics::Page);
    let distinct = layout.fields().filter(|field| is_distinct(field.name));
    distinct
        .fold(builder, |builder, field| {
            builder.set_column_dictionary_enabled(ColumnPath::from(field.name), false)
        })
        .build()
}

/// The facts that a file holds about itself.
fn file_properties(layout: &Layout) -> WriterProperties {
    let configuration = KeyValue::new(CONFIGURATION.to_owned(), layout.configuration.clone());
    properties().set_key_value_metadata(Some(vec![configuration])).build()
}

/// A file without rows. Its columns are appended to it.
fn empty_file<W: Write + Send>(
    out: W,
    schema: &Schema,
    properties: WriterProperties,
) -> Result<SerializedFileWriter<W>, ParquetError> {
    let schema = ArrowSchemaConverter::new().schema_root("row").convert(schema)?;
    SerializedFileWriter::new(out, schema.root_schema_ptr(), Arc::new(properties))
}

fn cut_short() -> ParquetError {
    ParquetError::EOF("a piece ends early".to_owned())
}

/// The rows of a batch, by columns.
struct Batch {
    columns: Columns,
    split: SplitColumns,
    messages: MessageWriter,
    compression: Compression,
}

impl Batch {
    fn new(layout: &Layout) -> Batch {
        let split = SplitColumns::new(layout);
        Batch {
            columns: Columns::new(split.layout.clone()),
            split,
            messages: MessageWriter::new(Compression::None),
            compression: layout.compression,
        }
    }

    /// Appends the long values of a batch as a small Parquet file.
    fn push_long(
        &self,
        batch: RecordBatch,
        compressor: &mut Compressor,
        piece: &mut Vec<u8>,
    ) -> Result<(), ParquetError> {
        let schema = &self.split.long_schema;
        let plain = PlainFile::encode(&[batch], schema, long_properties())?;
        let mut file = empty_file(piece, schema, long_properties())?;
        let columns = file.schema_descr().num_columns();
        let mut group = file.next_row_group()?;
        for place in 0..columns {
            let (pages, close) = plain.column(place, self.compression, compressor)?;
            group.append_column(&pages, close)?;
        }
        group.close()?;
        file.close()?;
        Ok(())
    }
}

impl RowSink for Batch {
    fn row(&mut self, row: &Row<'_>) {
        self.columns.row(row);
    }

    fn mark(&self) -> usize {
        self.columns.mark()
    }

    fn cut(&mut self, mark: usize) {
        self.columns.cut(mark);
    }
}

impl BatchEncoder for Batch {
    /// Appends the short values as a message of Arrow, and the long ones as a small Parquet file
    /// after its length.
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        for batch in self.columns.finish_batches() {
            let of = |places| batch.project(places).expect("the places are those of columns");
            self.messages.push_batch(&of(&self.split.short), piece);
            let start = piece.len();
            piece.extend_from_slice(&[0; 8]);
            if self.split.long.is_empty() {
                continue;
            }
            self.push_long(of(&self.split.long), compressor, piece)
                .expect("columns of these types can be encoded, and memory takes their pages");
            let length = (piece.len() - start - 8) as u64;
            piece[start..start + 8].copy_from_slice(&length.to_le_bytes());
        }
    }

    fn clear(&mut self) {
        self.columns.cut(0);
    }
}

#[cfg(test)]
mod tests;
