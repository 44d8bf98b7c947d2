//! Reads a file back: its end first, then every page in the order of the file.

use super::plain::texts;
use super::thrift::{Read1, Reader, invalid};
use super::words::{DATA_PAGE, MAGIC, compression, physical_type};
use crate::columns::Kind;
use crate::compress::Compression;
use crate::format::{Inspected, Inspection};
use std::io::{self, BufRead, Cursor, Read};

/// Reads a file to its end.
pub(super) fn inspect(file: &mut dyn Inspected, id: &mut dyn FnMut(&str)) -> Inspection {
    let mut found = Inspection::default();
    let error = read(file, &mut found, id).err();
    Inspection { error, ..found }
}

/// What the end says of a column of a group.
#[derive(Default)]
struct Chunk {
    kind: i64,
    codec: i64,
    values: i64,
    bytes: i64,
    offset: i64,
}

#[derive(Default)]
struct Group {
    chunks: Vec<Chunk>,
    rows: i64,
}

#[derive(Default)]
struct Footer {
    /// Name, type and whether every row has a value, of each column.
    columns: Vec<Element>,
    groups: Vec<Group>,
    rows: i64,
}

#[derive(Default)]
struct Element {
    name: Vec<u8>,
    kind: Option<i64>,
    is_optional: bool,
}

fn read(
    file: &mut dyn Inspected,
    found: &mut Inspection,
    id: &mut dyn FnMut(&str),
) -> io::Result<()> {
    let footer = footer(file)?;
    let file = file.as_read();
    let mut magic = [0; MAGIC.len()];
    file.read_exact(&mut magic)?;
    if magic != *MAGIC {
        return Err(invalid("it does not begin as a Parquet file"));
    }
    let mut at = MAGIC.len() as u64;
    for group in &footer.groups {
        if group.chunks.len() != footer.columns.len() {
            return Err(invalid("a group has not the columns of the schema"));
        }
        for (column, chunk) in footer.columns.iter().zip(&group.chunks) {
            if chunk.offset.cast_unsigned() != at || chunk.values != group.rows {
                return Err(invalid("the end names other places or rows than there are"));
            }
            let mut limited = file.take(chunk.bytes.cast_unsigned());
            let mut rows = 0;
            while limited.limit() > 0 {
                rows += page(&mut limited, column, chunk, id)?;
            }
            if rows != chunk.values {
                return Err(invalid(format!("a column has {rows} rows, not {}", chunk.values)));
            }
            at += chunk.bytes.cast_unsigned();
        }
        found.rows += group.rows.cast_unsigned();
    }
    if found.rows != footer.rows.cast_unsigned() {
        return Err(invalid(format!("{} rows in groups, {} in all", found.rows, footer.rows)));
    }
    Ok(())
}

/// A longer end is not read. The end of a file of 500 GB has so many bytes.
const LONGEST_END: usize = 256 << 20;

/// Reads the end of the file.
fn footer(file: &mut dyn Inspected) -> io::Result<Footer> {
    let tail = file.tail(8)?;
    let length = tail.strip_suffix(MAGIC).and_then(|length| length.first_chunk());
    let length = length.ok_or_else(|| invalid("it does not end as a Parquet file"))?;
    let length = u32::from_le_bytes(*length) as usize + tail.len();
    if length > LONGEST_END {
        return Err(invalid("the end is too long to be held"));
    }
    let end = file.tail(length)?;
    if end.len() < length {
        return Err(invalid("the end is said to be longer than the file"));
    }
    let mut footer = Footer::default();
    Reader::new(end.as_slice()).structure(&mut |number, value| {
        match (number, value) {
            (2, Read1::List(count, reader)) => {
                for _ in 0..count {
                    let element = element(reader)?;
                    footer.columns.extend(element.kind.is_some().then_some(element));
                }
            }
            (3, Read1::Int(rows)) => footer.rows = rows,
            (4, Read1::List(count, reader)) => {
                for _ in 0..count {
                    footer.groups.push(group(reader)?);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(footer)
}

fn element<R: Read>(reader: &mut Reader<R>) -> io::Result<Element> {
    let mut element = Element::default();
    reader.structure(&mut |number, value| {
        match (number, value) {
            (1, Read1::Int(kind)) => element.kind = Some(kind),
            (3, Read1::Int(repetition)) => element.is_optional = repetition != 0,
            (4, Read1::Binary(name)) => element.name = name,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(element)
}

fn group<R: Read>(reader: &mut Reader<R>) -> io::Result<Group> {
    let mut group = Group::default();
    reader.structure(&mut |number, value| {
        match (number, value) {
            (1, Read1::List(count, reader)) => {
                for _ in 0..count {
                    group.chunks.push(chunk(reader)?);
                }
            }
            (3, Read1::Int(rows)) => group.rows = rows,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(group)
}

fn chunk<R: Read>(reader: &mut Reader<R>) -> io::Result<Chunk> {
    let mut chunk = Chunk::default();
    reader.structure(&mut |number, value| {
        let (3, Read1::Struct(reader)) = (number, value) else { return Ok(false) };
        reader.structure(&mut |number, value| {
            match (number, value) {
                (1, Read1::Int(kind)) => chunk.kind = kind,
                (4, Read1::Int(codec)) => chunk.codec = codec,
                (5, Read1::Int(values)) => chunk.values = values,
                (7, Read1::Int(bytes)) => chunk.bytes = bytes,
                (9, Read1::Int(offset)) => chunk.offset = offset,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(true)
    })?;
    Ok(chunk)
}

/// Reads a page to its end, and returns how many rows it has.
fn page(
    file: &mut impl BufRead,
    column: &Element,
    chunk: &Chunk,
    id: &mut dyn FnMut(&str),
) -> io::Result<i64> {
    let (mut kind, mut plain_bytes, mut bytes, mut rows) = (-1, 0_i64, 0_i64, 0);
    Reader::new(&mut *file).structure(&mut |number, value| {
        match (number, value) {
            (1, Read1::Int(value)) => kind = value,
            (2, Read1::Int(value)) => plain_bytes = value,
            (3, Read1::Int(value)) => bytes = value,
            (5, Read1::Struct(reader)) => reader.structure(&mut |number, value| {
                if let (1, Read1::Int(value)) = (number, value) {
                    rows = value;
                }
                Ok(false)
            })?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    if kind != i64::from(DATA_PAGE) {
        return Err(invalid("a page is no page of data"));
    }
    let compression =
        compression(chunk.codec).ok_or_else(|| invalid("the compression is unknown"))?;
    let mut body = Vec::new();
    file.take(bytes.cast_unsigned()).read_to_end(&mut body)?;
    let plain = decompress(compression, &body, plain_bytes.cast_unsigned())?;
    let values = if column.is_optional {
        let levels = plain
            .split_first_chunk()
            .and_then(|(length, rest)| rest.split_at_checked(u32::from_le_bytes(*length) as usize));
        levels.ok_or_else(|| invalid("a page has no levels"))?.1
    } else {
        plain.as_slice()
    };
    if chunk.kind == i64::from(physical_type(Kind::Text)) {
        let (mut count, mut length) = (0, 0);
        for text in texts(values) {
            let text = std::str::from_utf8(text).map_err(|_| invalid("a text is not UTF-8"))?;
            count += 1;
            length += text.len() + 4;
            if column.name == b"id" {
                id(text);
            }
        }
        if length != values.len() || count > rows || (count < rows && !column.is_optional) {
            return Err(invalid("the texts of a page do not fill it"));
        }
    }
    Ok(rows)
}

/// The bytes of a page, which must be as many as its header says.
fn decompress(compression: Compression, body: &[u8], length: u64) -> io::Result<Vec<u8>> {
    let mut plain = Vec::new();
    let mut body = Cursor::new(body);
    let mut reader = compression.reader(&mut body)?;
    (&mut reader).take(length).read_to_end(&mut plain)?;
    let is_more = !reader.fill_buf()?.is_empty();
    if is_more || (plain.len() as u64) < length {
        return Err(invalid("a page has not the length that its header says"));
    }
    Ok(plain)
}
