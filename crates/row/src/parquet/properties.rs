//! How files and their columns are encoded.

use crate::layout::Layout;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use ::parquet::schema::types::ColumnPath;

/// A page ends as soon as its values have so many bytes.
const PAGE_BYTES: usize = 1 << 20;

/// Longer values are cut where they bound a page or group.
const LONGEST_BOUND: usize = 64;

/// The program and the way in which it makes files. The version of the program decides no byte, so
/// it is not here.
const CREATED_BY: &str = "huller version 2 (build 1)";

/// Key under which the run's configuration stands.
const CONFIGURATION: &str = "huller.config";

/// Whether most rows have a value of their own, so that a dictionary takes more room than it saves.
fn is_distinct(name: &str) -> bool {
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
pub(super) fn long_properties() -> WriterProperties {
    properties()
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .build()
}

/// How the columns with short values are encoded.
pub(super) fn short_properties(layout: &Layout, has_dictionaries: bool) -> WriterProperties {
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
pub(super) fn file_properties(layout: &Layout) -> WriterProperties {
    let configuration = KeyValue::new(CONFIGURATION.to_owned(), layout.configuration.clone());
    properties().set_key_value_metadata(Some(vec![configuration])).build()
}

pub(super) fn cut_short() -> ParquetError {
    ParquetError::EOF("a piece ends early".to_owned())
}
