//! Makes Parquet files with wrong values in their footer and their page headers.

use super::thrift::{ThriftValue, ValueKind, Walk, varint, zigzag};
use crate::random::Random;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::metadata::{ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

const SCHEMA: &str = "message row {
    OPTIONAL BYTE_ARRAY id (UTF8);
    REQUIRED BYTE_ARRAY text (UTF8);
    REQUIRED INT64 n;
    OPTIONAL group tags (LIST) { REPEATED group list { OPTIONAL BYTE_ARRAY element (UTF8); } }
}";

/// The size in bytes of the file's tail, after the footer: the footer's length and the magic.
const TAIL: usize = 8;

/// Returns a table of rows with these markers, after some edits.
pub(super) fn mutated(random: &mut Random, markers: &[String], edits: &mut Vec<String>) -> Vec<u8> {
    let mut file = table(random, markers);
    for _ in 0..random.within(1, 4) {
        match random.below(10) {
            0..5 => edit_end(random, &mut file, edits),
            5..9 => edit_page(random, &mut file, edits),
            _ => {
                let offset = random.within(0, file.len());
                let byte = random.word() as u8;
                edits.push(format!("byte {offset}: {} becomes {byte}", file[offset]));
                file[offset] = byte;
            }
        }
        if end_of(&file).is_none() || pages(&file).is_empty() {
            break;
        }
    }
    file
}

/// Returns a sound table.
fn table(random: &mut Random, markers: &[String]) -> Vec<u8> {
    let compression = [
        Compression::UNCOMPRESSED,
        Compression::ZSTD(ZstdLevel::default()),
        Compression::GZIP(GzipLevel::default()),
    ];
    let version = [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0];
    let properties = WriterProperties::builder()
        .set_writer_version(random.pick(&version))
        .set_compression(random.pick(&compression))
        .set_dictionary_enabled(random.below(2) == 0)
        .set_data_page_row_count_limit(random.within(1, 9))
        .set_write_batch_size(random.within(1, 9))
        .build();
    let schema = Arc::new(parse_message_type(SCHEMA).expect("the schema is sound"));
    let writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties));
    let mut writer = writer.expect("memory takes all");
    for markers in markers.chunks(random.within(1, 12)) {
        let mut group = writer.next_row_group().expect("memory takes all");
        let mut place = 0;
        while let Some(mut column) = group.next_column().expect("memory takes all") {
            push(column.untyped(), place, markers);
            column.close().expect("the columns have as many rows");
            place += 1;
        }
        group.close().expect("memory takes all");
    }
    writer.into_inner().expect("memory takes all")
}

/// Writes the values of a column.
fn push(column: &mut ColumnWriter<'_>, column_index: usize, markers: &[String]) {
    let texts = |text: &dyn Fn(&String) -> String| -> Vec<ByteArray> {
        markers.iter().map(|marker| text(marker).into_bytes().into()).collect()
    };
    let pushed = match (column, column_index) {
        (ColumnWriter::ByteArrayColumnWriter(column), 0) => {
            // Every second row has an identifier.
            let levels: Vec<i16> = (0..markers.len()).map(|row| (row % 2 == 1).into()).collect();
            let mut ids = texts(&|marker| format!("id {marker}"));
            let mut row = 0..;
            ids.retain(|_| row.next().is_some_and(|row| row % 2 == 1));
            column.write_batch(&ids, Some(&levels), None)
        }
        (ColumnWriter::ByteArrayColumnWriter(column), 1) => {
            // All texts differ, so no row is a duplicate.
            let texts = texts(&|marker| {
                let words = |word: usize| format!("{marker}w{word}");
                format!("{marker} {}", (0..9).map(words).collect::<Vec<_>>().join(" "))
            });
            column.write_batch(&texts, None, None)
        }
        (ColumnWriter::Int64ColumnWriter(column), _) => {
            let numbers: Vec<i64> = (0..).take(markers.len()).collect();
            column.write_batch(&numbers, None, None)
        }
        (ColumnWriter::ByteArrayColumnWriter(column), _) => {
            // Null, an empty list, a list of one value, and a list of two values, one of them null.
            let (mut values, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
            for row in 0..markers.len() {
                let (definitions, repetitions): (&[i16], &[i16]) = match row % 4 {
                    0 => (&[0], &[0]),
                    1 => (&[1], &[0]),
                    2 => (&[3], &[0]),
                    _ => (&[3, 2], &[0, 1]),
                };
                defined.extend_from_slice(definitions);
                repeated.extend_from_slice(repetitions);
                let tags = definitions.iter().filter(|level| **level == 3);
                values.extend(tags.map(|_| ByteArray::from("tag")));
            }
            column.write_batch(&values, Some(&defined), Some(&repeated))
        }
        _ => unreachable!("the schema has no other columns"),
    };
    pushed.expect("memory takes all");
}

/// Returns the byte range of the footer; `None` if an edit made it unreadable.
fn end_of(file: &[u8]) -> Option<std::ops::Range<usize>> {
    let end = file.len().checked_sub(TAIL)?;
    let length = u32::from_le_bytes(file.get(end..end + 4)?.try_into().ok()?) as usize;
    let is_sound = ParquetMetaDataReader::decode_metadata(file.get(end.checked_sub(length)?..end)?);
    is_sound.ok().map(|_| end - length..end)
}

/// Returns the offsets of the headers of all pages.
fn pages(file: &[u8]) -> Vec<usize> {
    let Some(end) = end_of(file) else { return Vec::new() };
    let Ok(metadata) = ParquetMetaDataReader::decode_metadata(&file[end.clone()]) else {
        return Vec::new();
    };
    let mut pages = Vec::new();
    for column in metadata.row_groups().iter().flat_map(RowGroupMetaData::columns) {
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let [start, length] =
            [start, column.compressed_size()].map(|number| usize::try_from(number).unwrap_or(0));
        let mut offset = start;
        // Edits of the footer may have changed the offsets of the pages.
        while offset < start.saturating_add(length).min(end.start) {
            let Some(after) = page_after(&file[..end.start], offset) else { break };
            pages.push(offset);
            offset = after;
        }
    }
    pages
}

/// Returns the offset after the page whose header is at `offset`, or `None` if there is no page.
fn page_after(file: &[u8], offset: usize) -> Option<usize> {
    const BEGINNING: [u8; 1] = [0x15];
    if !file.get(offset..)?.starts_with(&BEGINNING) {
        return None;
    }
    let (spots, end) = Walk::read_structure(file, offset)?;
    let mut numbers = spots.iter().filter_map(|spot| match spot.kind {
        ValueKind::Integer(number) => Some(number),
        _ => None,
    });
    let size = usize::try_from(numbers.nth(2)?).ok()?;
    end.checked_add(size).filter(|end_after| *end_after <= file.len())
}

fn edit_end(random: &mut Random, file: &mut Vec<u8>, edits: &mut Vec<String>) {
    let Some(end) = end_of(file) else { return };
    let Some((spots, _)) = Walk::read_structure(file, end.start) else { return };
    let ThriftValue { place, kind } = spots[random.within(0, spots.len())].clone();
    let bytes = match kind {
        ValueKind::Integer(old) => varint(zigzag(random.other_than(old)), 1),
        ValueKind::Length(old) => varint(random.other_than(old.cast_signed()).cast_unsigned(), 1),
        ValueKind::Type(old) => vec![old & 0xF0 | random.below(16) as u8],
    };
    edits.push(format!("end, {place:?}: {kind:?} becomes {bytes:?}"));
    file.splice(place, bytes);
    let length = (file.len() - TAIL - end.start) as u32;
    let tail_start = file.len() - TAIL;
    file[tail_start..tail_start + 4].copy_from_slice(&length.to_le_bytes());
}

/// Edits the header of a page. The bytes after it keep their offsets.
fn edit_page(random: &mut Random, file: &mut Vec<u8>, edits: &mut Vec<String>) {
    let pages = pages(file);
    if pages.is_empty() {
        return;
    }
    let Some((spots, _)) = Walk::read_structure(file, random.pick(&pages)) else { return };
    let ThriftValue { place, kind } = spots[random.within(0, spots.len())].clone();
    let fitted = |value: u64| {
        let bits = 7 * place.len() as u32;
        varint(if bits < u64::BITS { value & ((1 << bits) - 1) } else { value }, place.len())
    };
    let bytes = match kind {
        ValueKind::Integer(old) => fitted(zigzag(random.other_than(old))),
        ValueKind::Length(old) => fitted(random.other_than(old.cast_signed()).cast_unsigned()),
        ValueKind::Type(old) => vec![old & 0xF0 | random.below(16) as u8],
    };
    edits.push(format!("page, {place:?}: {kind:?} becomes {bytes:?}"));
    file.splice(place, bytes);
}
