//! Makes a file of row groups from the pieces of workers.

use super::pages::ColumnEncoder;
use super::split::SplitColumns;
use super::writer_properties::{file_properties, short_properties, truncated_chunk_error};
use crate::arrow_message::Message;
use crate::compress::Compressor;
use crate::format::Assembler;
use crate::layout::Layout;
use ::parquet::basic::{CompressionCodec, Encoding};
use ::parquet::bloom_filter::Sbbf;
use ::parquet::column::writer::ColumnCloseResult;
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::metadata::{
    ColumnChunkMetaData, OffsetIndexBuilder, PageIndexPolicy, ParquetMetaDataReader,
};
use ::parquet::file::page_index::offset_index::PageLocation;
use ::parquet::file::reader::{ChunkReader, Length};
use ::parquet::file::statistics::Statistics;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::ColumnDescPtr;
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch};
use bytes::{Buf, Bytes};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A group of fewer rows has no dictionaries, because each would take more bytes than it saves.
const FEW_ROWS: usize = 1000;

/// The columns with a Bloom filter: readers search rows by their values.
const FILTERED: [&str; 2] = ["id", "url"];

/// The share of absent values that a Bloom filter reports as present.
const FALSE_POSITIVES: f64 = 0.01;

/// A file being written. It holds one group, and the metadata of the groups before it.
pub(super) struct GroupFile {
    layout: Layout,
    split: SplitColumns,
    group_bytes: usize,
    /// The bytes that it writes stay in memory until a group ends.
    file: SerializedFileWriter<Chunks>,
    group: Group,
}

/// The rows of a group, as columns.
#[derive(Default)]
struct Group {
    rows: usize,
    /// Bytes of the values without compression.
    plain_bytes: usize,
    /// The columns with short values, batch by batch.
    short: Vec<RecordBatch>,
    /// The columns with long values, in their order.
    long: Vec<LongColumn>,
}

/// A column of a group whose pages workers made.
struct LongColumn {
    codec: CompressionCodec,
    /// The pages of each batch.
    pages: VecDeque<Bytes>,
    bytes: usize,
    offsets: OffsetIndexBuilder,
    rows: i64,
    nulls: u64,
    plain_bytes: i64,
}

impl GroupFile {
    pub(super) fn new(layout: &Layout, group_bytes: usize) -> GroupFile {
        let split = SplitColumns::new(layout);
        let all: Vec<_> = (0..split.layout.fields().len()).collect();
        let properties = Arc::new(file_properties(layout));
        let file = split.layout.parquet_schema(&all);
        let file = file
            .and_then(|schema| SerializedFileWriter::new(Chunks::default(), schema, properties));
        let file = file.expect("columns of these types fit into Parquet");
        let layout = layout.clone();
        GroupFile { layout, split, group_bytes, file, group: Group::default() }
    }

    /// Adds the rows of a piece, and ends the groups that they fill.
    fn add(&mut self, piece: &[u8]) -> Result<bool> {
        let mut rest = piece;
        while let Some((message, after)) = Message::split(rest) {
            let (length, after) = after.split_first_chunk().ok_or_else(truncated_chunk_error)?;
            let (long, after) = after
                .split_at_checked(u64::from_le_bytes(*length) as usize)
                .ok_or_else(truncated_chunk_error)?;
            rest = after;
            self.add_short(message)?;
            self.group.add_long(long)?;
        }
        Ok(self.group.plain_bytes >= self.group_bytes)
    }

    fn add_short(&mut self, message: Message<'_>) -> Result<()> {
        let schema = &self.split.short_schema;
        let batch =
            message.batch(schema).map_err(|error| ParquetError::External(Box::new(error)))?;
        self.group.rows += batch.num_rows();
        self.group.plain_bytes += message.body.len();
        self.group.short.push(batch);
        Ok(())
    }

    /// Writes the columns of the group one after another.
    fn end_group(&mut self, compressor: &mut Compressor) -> Result<()> {
        let Group { rows, short, long, .. } = std::mem::take(&mut self.group);
        if rows == 0 {
            return Ok(());
        }
        let leaves = self.file.schema_descr().columns().to_vec();
        let (mut leaves, mut long) = (leaves.iter(), long.into_iter());
        let mut encoder = ColumnEncoder {
            properties: Arc::new(short_properties(&self.layout, rows >= FEW_ROWS)),
            compression: self.layout.compression,
            compressor,
        };
        let mut group = self.file.next_row_group()?;
        for (place, field) in self.split.layout.fields().iter().enumerate() {
            if let Ok(at) = self.split.short.binary_search(&place) {
                let leaf = leaves.next().ok_or_else(truncated_chunk_error)?;
                let arrays = || short.iter().map(|batch| batch.column(at));
                let (pages, mut close) = encoder.encode(leaf, arrays())?;
                if self.layout.bloom_filters && FILTERED.contains(&field.name) {
                    close.bloom_filter = Some(bloom_filter(arrays(), rows)?);
                }
                group.append_column(&pages, close)?;
                continue;
            }
            for _ in 0..self.split.layout.leaves(place) {
                let (leaf, column) =
                    leaves.next().zip(long.next()).ok_or_else(truncated_chunk_error)?;
                let (pages, close) = column.finish(leaf)?;
                group.append_column(&pages, close)?;
            }
        }
        group.close()?;
        Ok(())
    }

    /// Writes the bytes of the file so far to `out`.
    fn drain(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.file.flush()?;
        let Chunks(chunks) = std::mem::take(self.file.inner_mut());
        chunks.into_iter().try_for_each(|chunk| out.write_all(&chunk))
    }
}

/// Returns a Bloom filter of the texts in these arrays, sized for `texts` texts.
fn bloom_filter<'a>(arrays: impl Iterator<Item = &'a ArrayRef>, texts: usize) -> Result<Sbbf> {
    let mut filter = Sbbf::new_with_ndv_fpp(texts as u64, FALSE_POSITIVES)?;
    let columns = arrays.filter_map(|array| array.as_string_opt::<i32>());
    columns.flatten().flatten().for_each(|text| filter.insert(text));
    Ok(filter)
}

impl Group {
    /// Adds the pages of a small file that a worker wrote.
    fn add_long(&mut self, file: &[u8]) -> Result<()> {
        if file.is_empty() {
            return Ok(());
        }
        let file = Bytes::copy_from_slice(file);
        let found = ParquetMetaDataReader::new()
            .with_column_index_policy(PageIndexPolicy::Skip)
            .with_offset_index_policy(PageIndexPolicy::Required)
            .parse_and_finish(&file)?;
        for (number, group) in found.row_groups().iter().enumerate() {
            let page_index = found.page_index_for_row_group(number);
            for (place, chunk) in group.columns().iter().enumerate() {
                if self.long.len() == place {
                    self.long.push(LongColumn::new(chunk.compression_codec()));
                }
                let offset_index =
                    page_index.offset_index(place).ok_or_else(truncated_chunk_error)?;
                self.plain_bytes += chunk.uncompressed_size() as usize;
                self.long[place].add(&file, chunk, offset_index.page_locations())?;
            }
        }
        Ok(())
    }
}

impl LongColumn {
    fn new(codec: CompressionCodec) -> LongColumn {
        LongColumn {
            codec,
            pages: VecDeque::new(),
            bytes: 0,
            offsets: OffsetIndexBuilder::new(),
            rows: 0,
            nulls: 0,
            plain_bytes: 0,
        }
    }

    /// Adds the pages of a column of a small file. Their headers hold no offset in it.
    fn add(
        &mut self,
        file: &[u8],
        chunk: &ColumnChunkMetaData,
        places: &[PageLocation],
    ) -> Result<()> {
        let (start, length) = chunk.byte_range();
        let rows = chunk.num_values();
        let ends = places.iter().skip(1).map(|place| place.first_row_index).chain([rows]);
        for (place, end) in places.iter().zip(ends) {
            let offset = self.bytes as i64 + place.offset - start as i64;
            self.offsets.append_offset_and_size(offset, place.compressed_page_size);
            self.offsets.append_row_count(end - place.first_row_index);
        }
        let pages = file
            .get(start as usize..(start + length) as usize)
            .ok_or_else(truncated_chunk_error)?;
        self.pages.push_back(Bytes::copy_from_slice(pages));
        self.bytes += pages.len();
        self.rows += rows;
        self.nulls += chunk.statistics().and_then(Statistics::null_count_opt).unwrap_or_default();
        self.plain_bytes += chunk.uncompressed_size();
        Ok(())
    }

    /// Returns the pages, and the metadata for the end of the file.
    fn finish(self, leaf: &ColumnDescPtr) -> Result<(Pages, ColumnCloseResult)> {
        let metadata = ColumnChunkMetaData::builder(Arc::clone(leaf))
            .set_encodings(vec![Encoding::PLAIN, Encoding::RLE])
            .set_compression_codec(self.codec)
            .set_num_values(self.rows)
            .set_total_compressed_size(self.bytes as i64)
            .set_total_uncompressed_size(self.plain_bytes)
            .set_data_page_offset(0)
            .set_statistics(Statistics::byte_array(None, None, None, Some(self.nulls), false))
            .build()?;
        let close = ColumnCloseResult {
            bytes_written: self.bytes as u64,
            rows_written: self.rows as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: Some(self.offsets.build()),
        };
        Ok((Pages(self.bytes as u64, Mutex::new(self.pages)), close))
    }
}

/// Pages that are read once and released while they are read: their number of bytes, and the pages.
struct Pages(u64, Mutex<VecDeque<Bytes>>);

impl Length for Pages {
    fn len(&self) -> u64 {
        self.0
    }
}

impl ChunkReader for Pages {
    type T = PagesReader;

    fn get_read(&self, _: u64) -> Result<PagesReader> {
        Ok(PagesReader(std::mem::take(&mut *self.1.lock().unwrap_or_else(PoisonError::into_inner))))
    }

    /// Not called: the writer only copies pages.
    fn get_bytes(&self, _: u64, _: usize) -> Result<Bytes> {
        Err(truncated_chunk_error())
    }
}

struct PagesReader(VecDeque<Bytes>);

impl Read for PagesReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.0.front().is_some_and(Bytes::is_empty) {
            self.0.pop_front();
        }
        let Some(pages) = self.0.front_mut() else { return Ok(0) };
        let length = pages.len().min(out.len());
        pages.copy_to_slice(&mut out[..length]);
        Ok(length)
    }
}

/// Bytes in chunks, so that no buffer grows by doubling.
#[derive(Default)]
struct Chunks(Vec<Vec<u8>>);

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        const CHUNK: usize = 1 << 20;
        match self.0.last_mut() {
            Some(last) if last.len() + bytes.len() <= last.capacity() => {
                last.extend_from_slice(bytes);
            }
            _ => {
                let mut chunk = Vec::with_capacity(bytes.len().max(CHUNK));
                chunk.extend_from_slice(bytes);
                self.0.push(chunk);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Assembler for GroupFile {
    /// The file has its first bytes as soon as it is created.
    fn begin(&mut self, _: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        self.drain(out)
    }

    /// Not called: the format cannot continue a file.
    fn resume(&mut self, _: u64, _: &[u8]) {}

    fn write_piece(
        &mut self,
        piece: &[u8],
        compressor: &mut Compressor,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if self.add(piece).map_err(io::Error::other)? {
            self.end_group(compressor).map_err(io::Error::other)?;
            self.drain(out)?;
        }
        Ok(())
    }

    fn state(&self) -> Vec<u8> {
        Vec::new()
    }

    fn end(&mut self, compressor: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        self.end_group(compressor).map_err(io::Error::other)?;
        self.file.finish().map_err(io::Error::other)?;
        self.drain(out)
    }
}
