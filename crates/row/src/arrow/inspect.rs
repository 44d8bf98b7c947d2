//! Reads a file back, message by message.

use super::flatbuffer::View;
use super::messages::{BEGINNING, CONTINUES, MAGIC};
use crate::compress::Compression;
use crate::format::{Inspected, Inspection};
use std::io::{self, BufRead, Cursor, Read};

/// Reads a file to its end.
pub(super) fn inspect(file: &mut dyn Inspected, id: &mut dyn FnMut(&str)) -> Inspection {
    let mut found = Inspection::default();
    let error = read(file, &mut found, id).err();
    Inspection { error, ..found }
}

fn read(
    file: &mut dyn Inspected,
    found: &mut Inspection,
    id: &mut dyn FnMut(&str),
) -> io::Result<()> {
    if !file.tail(MAGIC.len())?.eq(MAGIC) {
        return Err(invalid("it does not end as an Arrow file"));
    }
    let file = file.as_read();
    let mut beginning = [0; BEGINNING.len()];
    file.read_exact(&mut beginning)?;
    if beginning != *BEGINNING {
        return Err(invalid("it does not begin as an Arrow file"));
    }
    let (mut at, mut blocks, mut has_id) = (BEGINNING.len() as u64, Vec::new(), None);
    loop {
        let mut head = [[0; 4]; 2];
        file.read_exact(head.as_flattened_mut())?;
        if head[0] != CONTINUES {
            return Err(invalid("a message does not begin where the one before ends"));
        }
        let length = u32::from_le_bytes(head[1]);
        if length == 0 {
            break;
        }
        let metadata = exactly(file, length.into())?;
        let message = View::root(&metadata).ok_or_else(|| invalid("a message is damaged"))?;
        let body_length = message.long(3).unwrap_or_default();
        let body = exactly(file, body_length.cast_unsigned())?;
        match (has_id, message.byte(1)) {
            (None, Some(1)) => {
                has_id =
                    Some(is_id_first(message).ok_or_else(|| invalid("the schema is damaged"))?);
            }
            (Some(has_id), Some(3)) => {
                let rows = rows(message, &body, has_id, id)
                    .map_err(|error| invalid(&format!("a batch is damaged: {error}")))?;
                found.rows += rows;
                blocks.push([at.cast_signed(), (length + 8).into(), body_length]);
            }
            _ => return Err(invalid("a message is not the one that stands there")),
        }
        at += u64::from(length) + 8 + body_length.cast_unsigned();
    }
    let mut footer = Vec::new();
    file.read_to_end(&mut footer)?;
    let known = View::root(&footer).and_then(|footer| footer.structs::<3>(3));
    if known != Some(blocks) {
        return Err(invalid("the end names other batches than there are"));
    }
    Ok(())
}

/// Whether the first column is the identifier.
fn is_id_first(message: View<'_>) -> Option<bool> {
    let fields = message.table(2)?.tables(1)?;
    Some(fields.first().and_then(|field| field.string(0)) == Some(b"id"))
}

/// Reads the buffers of a batch, and returns how many rows it has.
fn rows(message: View<'_>, body: &[u8], has_id: bool, id: &mut dyn FnMut(&str)) -> io::Result<u64> {
    let damaged = || invalid("its description");
    let batch = message.table(2).ok_or_else(damaged)?;
    let rows = batch.long(0).unwrap_or_default();
    let buffers = batch.structs::<2>(2).ok_or_else(damaged)?;
    let nodes = batch.structs::<2>(1).ok_or_else(damaged)?;
    if nodes.iter().any(|[length, nulls]| *length != rows || !(0..=rows).contains(nulls)) {
        return Err(invalid("its columns are not of one length"));
    }
    let is_compressed = batch.table(3).is_some();
    // Of the column of identifiers: where its texts end.
    let mut ends = Vec::new();
    for (place, [start, length]) in buffers.iter().enumerate() {
        let start = usize::try_from(*start).map_err(|_| damaged())?;
        let length = usize::try_from(*length).map_err(|_| damaged())?;
        let stored = body.get(start..).and_then(|body| body.get(..length)).ok_or_else(damaged)?;
        let plain = plain(stored, is_compressed)?;
        // Its buffers are those of nulls, which it has none of, of places and of bytes.
        match place {
            1 if has_id => {
                let places = plain.as_chunks::<4>().0.iter().map(|end| u32::from_le_bytes(*end));
                ends = places.map(|end| end as usize).collect();
                if ends.len() as i64 != rows + 1 {
                    return Err(invalid("its identifiers are not as many as its rows"));
                }
            }
            2 if has_id => {
                for range in ends.windows(2) {
                    let text =
                        plain.get(range[0]..range[1]).and_then(|text| str::from_utf8(text).ok());
                    id(text.ok_or_else(|| invalid("an identifier is no text"))?);
                }
            }
            _ => {}
        }
    }
    Ok(rows.cast_unsigned())
}

/// The bytes of a buffer as they were before they were compressed.
fn plain(stored: &[u8], is_compressed: bool) -> io::Result<Vec<u8>> {
    if !is_compressed || stored.is_empty() {
        return Ok(stored.to_vec());
    }
    let (length, frame) =
        stored.split_first_chunk().ok_or_else(|| invalid("a buffer has no length"))?;
    let length = i64::from_le_bytes(*length);
    if length == -1 {
        return Ok(frame.to_vec());
    }
    let mut plain = Vec::new();
    let mut frame = Cursor::new(frame);
    let mut reader = Compression::DEFAULT_ZSTD.reader(&mut frame)?;
    (&mut reader).take(length.cast_unsigned()).read_to_end(&mut plain)?;
    let is_more = !reader.fill_buf()?.is_empty();
    if is_more || plain.len() as i64 != length {
        return Err(invalid("a buffer has not the length that is said"));
    }
    Ok(plain)
}

/// So many bytes, for which memory is taken as they come.
fn exactly(file: &mut dyn BufRead, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
