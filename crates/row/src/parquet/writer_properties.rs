//! Builds the writer properties of Parquet files and their columns: encodings, statistics,
//! metadata.

use crate::layout::Layout;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use ::parquet::schema::types::ColumnPath;

/// A page ends when its values reach this many bytes.
const PAGE_BYTES: usize = 1 << 20;

/// Bytes to which longer values are cut in the bounds of a page or group.
const MAX_BOUND_BYTES: usize = 64;

/// The program and the version of its files. The version of the program does not change the bytes,
/// so it is not part of this.
const CREATED_BY: &str = "huller version 2 (build 1)";

/// Key of the run's configuration in the file.
pub(super) const CONFIGURATION: &str = "huller.config";

/// Returns whether most rows have a different value, so that a dictionary takes more space than it
/// saves.
fn has_mostly_distinct_values(name: &str) -> bool {
    const DISTINCT: [&str; 12] = [
        "id",
        "url",
        "title",
        "description",
        "author",
        "published",
        "site_name",
        "score",
        "digest",
        "warc_record_offset",
        "warc_record_length",
        "stream_offset",
    ];
    DISTINCT.contains(&name)
}

/// Returns the properties that all columns share.
fn properties() -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_created_by(CREATED_BY.to_owned())
        .set_data_page_size_limit(PAGE_BYTES)
        .set_data_page_row_count_limit(usize::MAX)
        .set_max_row_group_row_count(None)
        .set_statistics_truncate_length(Some(MAX_BOUND_BYTES))
        .set_column_index_truncate_length(Some(MAX_BOUND_BYTES))
}

/// Returns the properties of columns with long values.
pub(super) fn long_properties() -> WriterProperties {
    properties()
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .build()
}

/// Returns the properties of columns with short values.
pub(super) fn short_properties(layout: &Layout, has_dictionaries: bool) -> WriterProperties {
    let builder = properties()
        .set_dictionary_enabled(has_dictionaries)
        .set_statistics_enabled(EnabledStatistics::Page);
    let distinct = layout.fields().filter(|field| has_mostly_distinct_values(field.name));
    distinct
        .fold(builder, |builder, field| {
            builder.set_column_dictionary_enabled(ColumnPath::from(field.name), false)
        })
        .build()
}

/// Returns the properties of a file: its metadata and its configuration.
pub(super) fn file_properties(layout: &Layout) -> WriterProperties {
    let configuration = KeyValue::new(CONFIGURATION.to_owned(), layout.configuration.clone());
    properties().set_key_value_metadata(Some(vec![configuration])).build()
}

/// Returns the error of a chunk whose bytes end early.
pub(super) fn truncated_chunk_error() -> ParquetError {
    ParquetError::EOF("a piece ends early".to_owned())
}
