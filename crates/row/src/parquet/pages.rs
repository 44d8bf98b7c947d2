//! Encodes the pages of a column, and compresses them with our own compressor.
//!
//! The crate `parquet` compresses pages without checksums, so that a reader would accept damaged
//! text as sound. Our frames have checksums. So the crate encodes pages without compression, and
//! this module compresses each page.

use super::writer_properties::truncated_chunk_error;
use crate::compress::{Compression, Compressor};
use ::parquet::basic::CompressionCodec;
use ::parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use ::parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use ::parquet::data_type::ByteArray;
use ::parquet::errors::Result;
use ::parquet::file::metadata::OffsetIndexBuilder;
use ::parquet::file::page_index::offset_index::{OffsetIndexMetaData, PageLocation};
use ::parquet::file::properties::WriterPropertiesPtr;
use ::parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use ::parquet::schema::types::ColumnDescPtr;
use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::Buffer;
use bytes::Bytes;
use std::sync::Arc;

/// An encoder of columns.
pub(super) struct ColumnEncoder<'a> {
    pub(super) properties: WriterPropertiesPtr,
    pub(super) compression: Compression,
    pub(super) compressor: &'a mut Compressor,
}

impl ColumnEncoder<'_> {
    /// Returns the pages of a column that consists of these arrays, and its metadata for the end of
    /// a file.
    pub(super) fn encode<'a>(
        &mut self,
        leaf: &ColumnDescPtr,
        arrays: impl IntoIterator<Item = &'a ArrayRef>,
    ) -> Result<(Bytes, ColumnCloseResult)> {
        let mut sink = TrackedWrite::new(Vec::new());
        let pages = FramedPages {
            pages: SerializedPageWriter::new(&mut sink),
            compressor: &mut *self.compressor,
        };
        let properties = Arc::clone(&self.properties);
        let mut writer = get_column_writer(Arc::clone(leaf), properties, Box::new(pages));
        let is_nullable = leaf.max_def_level() > 0;
        arrays.into_iter().try_for_each(|array| write(&mut writer, array, is_nullable))?;
        let mut close = writer.close()?;
        let has_dictionary = close.metadata.dictionary_page_offset().is_some();
        let metadata = close
            .metadata
            .into_builder()
            .set_compression_codec(codec(self.compression))
            // Readers of flat columns do not use these, and they would make up most of a small
            // file.
            .set_definition_level_histogram(None)
            .set_unencoded_byte_array_data_bytes(None);
        let metadata = if has_dictionary { metadata } else { metadata.clear_page_encoding_stats() };
        close.metadata = metadata.build()?;
        let places = close.offset_index.take().ok_or_else(truncated_chunk_error)?;
        let places = places.page_locations();
        // The bounds of the only page are those of the group.
        if places.len() < 2 {
            close.column_index = None;
        }
        close.offset_index = Some(places_of(places, close.rows_written.cast_signed()));
        Ok((Bytes::from(sink.into_inner()?), close))
    }
}

/// Returns the index of these pages, without the sizes of their texts.
fn places_of(pages: &[PageLocation], rows: i64) -> OffsetIndexMetaData {
    let mut index = OffsetIndexBuilder::new();
    let ends = pages.iter().skip(1).map(|page| page.first_row_index).chain([rows]);
    for (page, end) in pages.iter().zip(ends) {
        index.append_offset_and_size(page.offset, page.compressed_page_size);
        index.append_row_count(end - page.first_row_index);
    }
    index.build()
}

/// A writer of pages whose bytes are frames.
struct FramedPages<'a> {
    pages: SerializedPageWriter<'a, Vec<u8>>,
    compressor: &'a mut Compressor,
}

impl PageWriter for FramedPages<'_> {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec> {
        let mut frame = Vec::new();
        self.compressor.frame(page.data(), &mut frame);
        let plain_bytes = page.uncompressed_size();
        let page = with_bytes(page.compressed_page(), Bytes::from(frame));
        self.pages.write_page(CompressedPage::new(page, plain_bytes))
    }

    fn close(&mut self) -> Result<()> {
        self.pages.close()
    }
}

/// Returns this page with other bytes.
fn with_bytes(page: &Page, frame: Bytes) -> Page {
    let mut page = page.clone();
    match &mut page {
        Page::DictionaryPage { buf, .. }
        | Page::DataPage { buf, .. }
        | Page::DataPageV2 { buf, .. } => *buf = frame,
    }
    page
}

/// Adds the values of an array to a column.
fn write(writer: &mut ColumnWriter<'_>, array: &ArrayRef, is_nullable: bool) -> Result<()> {
    let levels: Option<Vec<i16>> =
        is_nullable.then(|| (0..array.len()).map(|row| array.is_valid(row).into()).collect());
    let levels = levels.as_deref();
    match writer {
        ColumnWriter::BoolColumnWriter(writer) => {
            let flags: Vec<bool> = array.as_boolean().iter().flatten().collect();
            writer.write_batch(&flags, levels, None)
        }
        ColumnWriter::Int32ColumnWriter(writer) => {
            writer.write_batch(&numbers::<Int32Type>(array), levels, None)
        }
        ColumnWriter::Int64ColumnWriter(writer) => {
            writer.write_batch(&numbers::<Int64Type>(array), levels, None)
        }
        ColumnWriter::DoubleColumnWriter(writer) => {
            writer.write_batch(&numbers::<Float64Type>(array), levels, None)
        }
        ColumnWriter::ByteArrayColumnWriter(writer) => {
            writer.write_batch(&texts(array), levels, None)
        }
        _ => unreachable!("no column has values of this type"),
    }
    .map(drop)
}

fn numbers<T: ArrowPrimitiveType>(array: &ArrayRef) -> Vec<T::Native> {
    array.as_primitive::<T>().iter().flatten().collect()
}

/// Returns the texts of an array, which share its bytes.
fn texts(array: &ArrayRef) -> Vec<ByteArray> {
    struct BufferOwner(Buffer);
    impl AsRef<[u8]> for BufferOwner {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }

    let array = array.as_string::<i32>();
    let bytes = Bytes::from_owner(BufferOwner(array.values().clone()));
    let text = |(row, ends): (usize, &[i32])| {
        let place = ends[0] as usize..ends[1] as usize;
        array.is_valid(row).then(|| ByteArray::from(bytes.slice(place)))
    };
    array.value_offsets().windows(2).enumerate().filter_map(text).collect()
}

fn codec(compression: Compression) -> CompressionCodec {
    match compression {
        Compression::None => CompressionCodec::UNCOMPRESSED,
        Compression::Zstd { .. } => CompressionCodec::ZSTD,
        Compression::Gzip { .. } => CompressionCodec::GZIP,
    }
}
