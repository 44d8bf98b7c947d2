//! Columns whose pages our own compressor compressed.
//!
//! The crate `parquet` compresses pages without checksums, so that a reader takes damaged text for
//! sound. Our frames have checksums. So the crate encodes pages without compression, and each page
//! is compressed here.

use super::properties::cut_short;
use crate::compress::{Compression, Compressor};
use ::parquet::arrow::ArrowWriter;
use ::parquet::arrow::arrow_writer::ArrowWriterOptions;
use ::parquet::basic::CompressionCodec;
use ::parquet::column::page::{CompressedPage, Page, PageReader, PageWriter};
use ::parquet::column::writer::ColumnCloseResult;
use ::parquet::errors::Result;
use ::parquet::file::metadata::{
    OffsetIndexBuilder, PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader,
};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::serialized_reader::SerializedPageReader;
use ::parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use bytes::Bytes;
use std::sync::Arc;

/// A small file of one group, without compression.
pub(super) struct PlainFile {
    bytes: Arc<Bytes>,
    facts: ParquetMetaData,
}

impl PlainFile {
    /// Encodes the columns of these batches.
    pub(super) fn encode(
        batches: &[RecordBatch],
        schema: &SchemaRef,
        properties: WriterProperties,
    ) -> Result<PlainFile> {
        let mut bytes = Vec::new();
        let options =
            ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
        let mut writer =
            ArrowWriter::try_new_with_options(&mut bytes, Arc::clone(schema), options)?;
        batches.iter().try_for_each(|batch| writer.write(batch))?;
        writer.close()?;
        let bytes = Arc::new(Bytes::from(bytes));
        let facts = ParquetMetaDataReader::new()
            .with_column_index_policy(PageIndexPolicy::Optional)
            .with_offset_index_policy(PageIndexPolicy::Required)
            .parse_and_finish(&*bytes)?;
        Ok(PlainFile { bytes, facts })
    }

    /// The pages of a column, compressed, and all that the end of a file says about them.
    pub(super) fn column(
        &self,
        place: usize,
        compression: Compression,
        compressor: &mut Compressor,
    ) -> Result<(Bytes, ColumnCloseResult)> {
        let group = self.facts.row_group(0);
        let (chunk, rows) = (group.column(place), group.num_rows());
        let index = self.facts.page_index_for_row_group(0);
        let places = index.offset_index(place).ok_or_else(cut_short)?.page_locations();
        let mut first_rows = places.iter().map(|place| place.first_row_index).chain([rows]);
        let mut first = first_rows.next().unwrap_or_default();
        let bytes = Arc::clone(&self.bytes);
        let mut pages = SerializedPageReader::new(bytes, chunk, rows as usize, None)?;
        let mut sink = TrackedWrite::new(Vec::new());
        let mut writer = SerializedPageWriter::new(&mut sink);
        let mut offsets = OffsetIndexBuilder::new();
        let (mut dictionary, mut data, mut plain_bytes) = (None, None, 0);
        while let Some(page) = pages.get_next_page()? {
            let is_dictionary = matches!(page, Page::DictionaryPage { .. });
            let plain = page.buffer().len();
            let written =
                writer.write_page(CompressedPage::new(framed(page, compressor), plain))?;
            plain_bytes += written.uncompressed_size as i64;
            let offset = written.offset.cast_signed();
            if is_dictionary {
                dictionary = Some(offset);
                continue;
            }
            data.get_or_insert(offset);
            offsets.append_offset_and_size(offset, written.compressed_size as i32);
            let end = first_rows.next().ok_or_else(cut_short)?;
            offsets.append_row_count(end - first);
            first = end;
        }
        let pages = Bytes::from(sink.into_inner()?);
        let facts = chunk
            .clone()
            .into_builder()
            .set_compression_codec(codec(compression))
            .set_total_compressed_size(pages.len() as i64)
            .set_total_uncompressed_size(plain_bytes)
            .set_data_page_offset(data.unwrap_or_default())
            .set_dictionary_page_offset(dictionary)
            // Readers of flat columns have no use for these, which small files would consist of.
            .set_definition_level_histogram(None)
            .set_unencoded_byte_array_data_bytes(None);
        let facts = if dictionary.is_none() { facts.clear_page_encoding_stats() } else { facts };
        let close = ColumnCloseResult {
            bytes_written: pages.len() as u64,
            rows_written: rows.cast_unsigned(),
            metadata: facts.build()?,
            bloom_filter: None,
            // The bounds of the only page are those of the group.
            column_index: index.column_index(place).filter(|_| places.len() > 1).cloned(),
            offset_index: Some(offsets.build()),
        };
        Ok((pages, close))
    }
}

/// A page whose bytes are a frame.
fn framed(page: Page, compressor: &mut Compressor) -> Page {
    let mut frame = Vec::new();
    compressor.frame(page.buffer(), &mut frame);
    let buf = Bytes::from(frame);
    match page {
        Page::DictionaryPage { num_values, encoding, is_sorted, .. } => {
            Page::DictionaryPage { buf, num_values, encoding, is_sorted }
        }
        Page::DataPage {
            num_values,
            encoding,
            def_level_encoding,
            rep_level_encoding,
            statistics,
            ..
        } => Page::DataPage {
            buf,
            num_values,
            encoding,
            def_level_encoding,
            rep_level_encoding,
            statistics,
        },
        Page::DataPageV2 { .. } => unreachable!("files of version 1 have no such page"),
    }
}

fn codec(compression: Compression) -> CompressionCodec {
    match compression {
        Compression::None => CompressionCodec::UNCOMPRESSED,
        Compression::Zstd { .. } => CompressionCodec::ZSTD,
        Compression::Gzip { .. } => CompressionCodec::GZIP,
    }
}
