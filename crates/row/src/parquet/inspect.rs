//! Reads a file back: its end first, then every group in the order of the file.

pub(super) use crate::arrow_message::invalid;
use crate::arrow_message::is_possible;
use crate::format::InspectedFile;
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use ::parquet::data_type::{ByteArray, DataType};
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::metadata::{
    ColumnChunkMetaData, PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData,
};
use ::parquet::file::page_index::offset_index::PageLocation;
use ::parquet::file::reader::{ChunkReader, Length};
use ::parquet::file::serialized_reader::SerializedPageReader;
use bytes::{Buf, Bytes};
use std::io::{self, BufRead, Read};
use std::sync::Arc;

/// Rows that are decoded at a time.
const ROWS: usize = 1024;

/// Most bytes of the end that are read. The end of a file of 500 GB has this size.
const MAX_END_BYTES: usize = 256 << 20;

/// Bytes of the end that are read first.
const FIRST_LOOK: usize = 64 << 10;

/// Reads a file to its end, and counts its rows.
pub(super) fn inspect(
    file: &mut dyn InspectedFile,
    rows: &mut u64,
    id: &mut dyn FnMut(&str),
) -> io::Result<()> {
    let metadata = read_end(file)?;
    // A list of a few bytes can hold billions of values, and our files have no lists.
    let columns = metadata.file_metadata().schema_descr().columns();
    if columns.iter().any(|column| column.max_rep_level() > 0) {
        return Err(invalid("it has lists, which rows do not have"));
    }
    let file = file.as_reader();
    let mut at = 0;
    for number in 0..metadata.num_row_groups() {
        let group = Group::read(file, &mut at, &metadata, number)?;
        *rows += group.rows(id).map_err(|error| invalid(&error))?;
    }
    if *rows != metadata.file_metadata().num_rows().cast_unsigned() {
        return Err(invalid("the row groups do not add up to the rows of the file"));
    }
    Ok(())
}

/// Reads the end of the file, with the offsets of all pages.
pub(super) fn read_end(file: &mut dyn InspectedFile) -> io::Result<ParquetMetaData> {
    let length = file.length()?;
    let mut look = FIRST_LOOK;
    loop {
        let tail = Bytes::from(file.tail(look)?);
        let mut reader = ParquetMetaDataReader::new()
            .with_column_index_policy(PageIndexPolicy::Skip)
            .with_offset_index_policy(PageIndexPolicy::Required);
        match reader.try_parse_sized(&tail, length) {
            Ok(()) => return reader.finish().map_err(|error| invalid(&error)),
            Err(ParquetError::NeedMoreData(more)) if more > look && more <= MAX_END_BYTES => {
                look = more;
            }
            Err(error) => return Err(invalid(&error)),
        }
    }
}

/// A group whose columns are in memory.
pub(super) struct Group<'m> {
    metadata: &'m ParquetMetaData,
    number: usize,
    columns: Vec<Arc<StoredColumn>>,
}

/// The bytes of a column, and their offset in the file.
struct StoredColumn {
    start: u64,
    bytes: Bytes,
    pages: Vec<PageLocation>,
}

impl<'m> Group<'m> {
    /// Reads the columns of a group. `at` is the offset in the file, and advances past the group.
    pub(super) fn read(
        file: &mut dyn BufRead,
        at: &mut u64,
        metadata: &'m ParquetMetaData,
        number: usize,
    ) -> io::Result<Group<'m>> {
        let index = metadata.page_index_for_row_group(number);
        let mut columns = Vec::new();
        for (place, chunk) in metadata.row_group(number).columns().iter().enumerate() {
            let pages = index.offset_index(place).map(|index| index.page_locations().clone());
            let pages = pages.ok_or_else(|| invalid("a column has no page index"))?;
            let (start, length) = chunk.byte_range();
            let before = start.checked_sub(*at).ok_or_else(|| invalid("columns overlap"))?;
            io::copy(&mut file.take(before), &mut io::sink())?;
            let mut bytes = Vec::new();
            file.take(length).read_to_end(&mut bytes)?;
            if bytes.len() as u64 != length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            *at = start + length;
            let column = StoredColumn { start, bytes: bytes.into(), pages };
            column.check(chunk)?;
            columns.push(Arc::new(column));
        }
        Ok(Group { metadata, number, columns })
    }

    fn metadata(&self) -> &RowGroupMetaData {
        self.metadata.row_group(self.number)
    }

    /// Returns the number of rows by the footer.
    pub(super) fn len(&self) -> u64 {
        self.metadata().num_rows().cast_unsigned()
    }

    /// Returns the level at which a value of a column is present, 0 if the column has no nulls.
    pub(super) fn present_level(&self, column: usize) -> Result<i16> {
        let chunk = self.metadata().columns().get(column).ok_or_else(out_of_bounds_error)?;
        Ok(chunk.column_descr().max_def_level())
    }

    /// Returns a reader of a column.
    pub(super) fn reader(&self, column: usize) -> Result<ColumnReader> {
        let chunk = self.metadata().columns().get(column).ok_or_else(out_of_bounds_error)?;
        let stored = &self.columns[column];
        let (rows, pages) = (self.len() as usize, Some(stored.pages.clone()));
        let pages = SerializedPageReader::new(Arc::clone(stored), chunk, rows, pages)?;
        Ok(get_column_reader(chunk.column_descr_ptr(), Box::new(pages)))
    }

    /// Decodes every column, and returns how many rows they have.
    fn rows(&self, id: &mut dyn FnMut(&str)) -> Result<u64> {
        let rows = self.len();
        for (column, chunk) in self.metadata().columns().iter().enumerate() {
            let is_id = chunk.column_descr().path().string() == "id";
            let text = |text: &ByteArray| {
                text.as_utf8().map(|text| {
                    if is_id {
                        id(text);
                    }
                })
            };
            let found = match self.reader(column)? {
                ColumnReader::BoolColumnReader(reader) => decode(reader, |_| Ok(())),
                ColumnReader::Int32ColumnReader(reader) => decode(reader, |_| Ok(())),
                ColumnReader::Int64ColumnReader(reader) => decode(reader, |_| Ok(())),
                ColumnReader::DoubleColumnReader(reader) => decode(reader, |_| Ok(())),
                ColumnReader::ByteArrayColumnReader(reader) => decode(reader, text),
                _ => Err(ParquetError::General(
                    "a column has a type that rows do not have".to_owned(),
                )),
            }?;
            if found != rows {
                return Err(ParquetError::General(
                    "a column does not have the number of rows in \
                    its footer"
                        .into(),
                ));
            }
        }
        Ok(rows)
    }
}

/// Decodes a column to its end, and returns how many rows it has.
fn decode<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    mut look: impl FnMut(&T::T) -> Result<()>,
) -> Result<u64> {
    let (mut rows, mut levels, mut values) = (0, Vec::new(), Vec::new());
    loop {
        let (read, ..) = reader.read_records(ROWS, Some(&mut levels), None, &mut values)?;
        if read == 0 {
            return Ok(rows);
        }
        values.iter().try_for_each(&mut look)?;
        levels.clear();
        values.clear();
        rows += read as u64;
    }
}

impl StoredColumn {
    /// Refuses a page that claims more bytes than its compressed bytes can hold, since the reader
    /// would allocate them.
    fn check(&self, chunk: &ColumnChunkMetaData) -> io::Result<()> {
        let dictionary = chunk.dictionary_page_offset().map(i64::cast_unsigned);
        let data = self.pages.iter().map(|page| page.offset.cast_unsigned());
        for place in dictionary.into_iter().chain(data) {
            let page =
                place.checked_sub(self.start).and_then(|start| self.bytes.get(start as usize..));
            let sizes = page.and_then(page_sizes);
            let (plain, stored) = sizes.ok_or_else(|| {
                invalid(
                    "a page does not begin with a page \
                header",
                )
            })?;
            if !is_possible(plain, stored as usize) {
                return Err(invalid("a page claims more bytes than its compressed data can hold"));
            }
        }
        Ok(())
    }
}

/// Returns the number of bytes of a page without and with compression. The header of a page begins
/// with its kind and these two.
fn page_sizes(page: &[u8]) -> Option<(u64, u64)> {
    /// The byte before each of the first three numbers of a header.
    const NEXT_I32: u8 = 0x15;
    let mut bytes = page.iter();
    let mut numbers = [0_u64; 3];
    for number in &mut numbers {
        if *bytes.next()? != NEXT_I32 {
            return None;
        }
        for shift in (0..35).step_by(7) {
            let byte = *bytes.next()?;
            *number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                break;
            }
        }
    }
    // The lowest bit is the sign. Sizes are not negative.
    let [_, plain, stored] = numbers;
    (plain % 2 == 0 && stored % 2 == 0).then_some((plain / 2, stored / 2))
}

impl Length for StoredColumn {
    fn len(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl ChunkReader for StoredColumn {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        let start = start.checked_sub(self.start).filter(|start| *start <= self.bytes.len() as u64);
        let start = start.ok_or_else(out_of_bounds_error)?;
        Ok(self.bytes.slice(start as usize..).reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let start = start.checked_sub(self.start).ok_or_else(out_of_bounds_error)? as usize;
        let end = start.checked_add(length).filter(|end| *end <= self.bytes.len());
        Ok(self.bytes.slice(start..end.ok_or_else(out_of_bounds_error)?))
    }
}

fn out_of_bounds_error() -> ParquetError {
    ParquetError::EOF("a page is outside its column".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_beyond_all_compression_is_found_in_the_header_of_a_page() {
        let header = |plain: &[u8]| [&[0x15, 0, 0x15], plain, &[0x15, 0xC8, 0x01]].concat();
        let claims = |plain: &[u8]| {
            let (plain, stored) = page_sizes(&header(plain))?;
            Some((plain, stored, is_possible(plain, stored as usize)))
        };
        assert_eq!(claims(&[0xFE, 0xFF, 0xFF, 0xFF, 0x0F]), Some((i32::MAX as u64, 100, false)));
        assert_eq!(claims(&[0x80, 0x80, 0x80, 0x02]), Some((2 << 20, 100, true)));
        assert_eq!(claims(&[0x01]), None, "no page has a negative size");
        assert_eq!(claims(&[0x80]), None, "a number has an end");
    }
}
