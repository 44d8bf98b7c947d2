//! Arrow's file format: batches of columns in their layout in memory, which many programs can use
//! without decoding.
//!
//! Each batch of the input is a batch of rows in the file. Workers make the whole message. The
//! writer appends the messages, and their offsets at the end of the file. With `--compress none` a
//! program can map the file into memory.

use crate::arrow_message::{Message, MessageWriter, invalid};
use crate::columns::{ColumnLayout, Columns, MAX_PAGE_BYTES};
use crate::compress::{Compression, Compressor};
use crate::format::{
    Assembler, BatchEncoder, CopiedRows, Format, InspectedFile, Inspection, RowChoice, StoredRow,
};
use crate::layout::Layout;
use crate::row::{Row, RowSink};
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_ipc::convert::{IpcSchemaEncoder, try_fb_to_schema};
use arrow_ipc::{Block, FooterBuilder, MetadataVersion};
use arrow_schema::{Schema, SchemaRef};
use flatbuffers::FlatBufferBuilder;
use std::collections::HashMap;
use std::io::{self, BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The first bytes of a file, padded to eight, and the last ones.
const MAGIC: &[u8; 6] = b"ARROW1";
const BEGINNING: &[u8; 8] = b"ARROW1\0\0";

/// A message of length 0, which ends the messages.
const END: [u8; 8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];

/// Key of the run's configuration in the schema.
const CONFIGURATION: &str = "huller.config";

/// The Arrow file format.
pub(crate) struct Arrow;

impl Format for Arrow {
    fn name(&self) -> &'static str {
        "arrow"
    }

    fn suffix(&self, _: Compression) -> &'static str {
        ".arrow"
    }

    fn compressions(&self) -> &'static [Compression] {
        &[Compression::DEFAULT_ZSTD, Compression::None]
    }

    fn compresses_inside(&self) -> bool {
        true
    }

    fn encoder(&self, layout: &Layout) -> Box<dyn BatchEncoder> {
        Box::new(Batch {
            columns: Columns::new(ColumnLayout::from_layout(layout)),
            messages: MessageWriter::new(layout.compression),
        })
    }

    fn assembler(&self, layout: &Layout) -> Box<dyn Assembler> {
        let configuration = (CONFIGURATION.to_owned(), layout.configuration.clone());
        let schema = Schema::clone(ColumnLayout::from_layout(layout).schema());
        let schema = schema.with_metadata(HashMap::from([configuration]));
        Box::new(File { schema, offset: 0, blocks: Vec::new() })
    }

    /// Returns false: the offsets of the batches are only at the end of the file.
    fn can_continue(&self) -> bool {
        false
    }

    fn longest_page(&self) -> Option<usize> {
        Some(MAX_PAGE_BYTES)
    }

    fn inspect(
        &self,
        _: &Layout,
        file: &mut dyn InspectedFile,
        id: &mut dyn FnMut(&str),
    ) -> Inspection {
        let mut found = Inspection::default();
        let read = catch_unwind(AssertUnwindSafe(|| inspect(file, &mut found.rows, id)));
        let error = read.unwrap_or_else(|_| Err(invalid("reading it panicked"))).err();
        Inspection { error, ..found }
    }

    fn copy_rows(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        choice: &mut RowChoice<'_>,
        out: &mut dyn Write,
    ) -> io::Result<CopiedRows> {
        let copied = AssertUnwindSafe(|| copy_rows(layout.compression, file, choice, out));
        catch_unwind(copied).unwrap_or_else(|_| Err(invalid("reading it panicked")))
    }

    fn each_row(
        &self,
        _: &Layout,
        file: &mut dyn InspectedFile,
        take: &mut dyn FnMut(&StoredRow<'_>),
    ) -> io::Result<()> {
        let read = AssertUnwindSafe(|| {
            read_batches(file, &mut |batch| {
                stored_rows(batch, take);
                Ok(())
            })
        });
        catch_unwind(read).unwrap_or_else(|_| Err(invalid("reading it panicked"))).map(|_| ())
    }
}

/// Passes each row of a batch to `take`.
fn stored_rows(batch: &RecordBatch, take: &mut dyn FnMut(&StoredRow<'_>)) {
    let schema = batch.schema();
    let [url, id, parent_id, text] = ["url", "id", "parent_id", "text"].map(|name| {
        let place = schema.index_of(name).ok()?;
        batch.column(place).as_string_opt::<i32>()
    });
    let value = |column: Option<&StringArray>, row: usize| {
        column.filter(|column| !column.is_null(row)).map(|column| column.value(row).to_owned())
    };
    for row in 0..batch.num_rows() {
        let of = |column| value(column, row);
        let [url, id, parent_id, text] = [of(url), of(id), of(parent_id), of(text)];
        let (url, id) = (url.as_deref(), id.as_deref());
        take(&StoredRow { url, id, parent_id: parent_id.as_deref(), text: text.as_deref() });
    }
}

/// Copies the rows of a file that `choice` keeps. Rows that were between two others that are left
/// out become a batch of their own.
fn copy_rows(
    compression: Compression,
    file: &mut dyn InspectedFile,
    choice: &mut RowChoice<'_>,
    out: &mut dyn Write,
) -> io::Result<CopiedRows> {
    let mut compressor = Compressor::new(Compression::None);
    let mut messages = MessageWriter::new(compression);
    let mut copy: Option<File> = None;
    let (mut number, mut copied) = (0, CopiedRows::default());
    let schema = read_batches(file, &mut |batch| {
        if copy.is_none() {
            copy = Some(File::begun(&batch.schema(), &mut compressor, out)?);
        }
        let (mut piece, mut start) = (Vec::new(), None);
        for row in 0..=batch.num_rows() {
            let is_kept = row < batch.num_rows() && (choice.keeps)(number);
            number += u64::from(row < batch.num_rows());
            match (is_kept, start) {
                (true, None) => start = Some(row),
                (false, Some(first)) => {
                    messages.push_batch(&batch.slice(first, row - first), &mut piece);
                    start = None;
                }
                _ => {}
            }
            if is_kept {
                (choice.placed)(copied.rows);
                copied.rows += 1;
            }
        }
        copy.as_mut().map_or(Ok(()), |copy| copy.write_piece(&piece, &mut compressor, out))
    })?;
    if copy.is_none() {
        copy = Some(File::begun(&schema, &mut compressor, out)?);
    }
    copy.map_or(Ok(()), |mut copy| copy.end(&mut compressor, out))?;
    Ok(CopiedRows { length: copied.rows, ..copied })
}

/// The rows of a batch, as columns.
struct Batch {
    columns: Columns,
    messages: MessageWriter,
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
    fn finish(&mut self, _: &mut Compressor, piece: &mut Vec<u8>) {
        for batch in self.columns.finish_batches() {
            self.messages.push_batch(&batch, piece);
        }
    }

    fn clear(&mut self) {
        self.columns.cut(0);
    }
}

/// A file of messages.
struct File {
    schema: Schema,
    /// Bytes of the file so far.
    offset: u64,
    blocks: Vec<Block>,
}

impl File {
    /// Begins a file of this schema.
    fn begun(
        schema: &SchemaRef,
        compressor: &mut Compressor,
        out: &mut dyn Write,
    ) -> io::Result<File> {
        let mut file = File { schema: Schema::clone(schema), offset: 0, blocks: Vec::new() };
        file.begin(compressor, out)?;
        Ok(file)
    }

    /// Returns the end of the file after its messages, without the magic bytes.
    fn footer(&self) -> Vec<u8> {
        let mut builder = FlatBufferBuilder::new();
        let dictionaries = builder.create_vector::<Block>(&[]);
        let batches = builder.create_vector(&self.blocks);
        let schema = IpcSchemaEncoder::new().schema_to_fb_offset(&mut builder, &self.schema);
        let mut footer = FooterBuilder::new(&mut builder);
        footer.add_version(MetadataVersion::V5);
        footer.add_schema(schema);
        footer.add_dictionaries(dictionaries);
        footer.add_recordBatches(batches);
        let root = footer.finish();
        builder.finish(root, None);
        let footer = builder.finished_data();
        [&END, footer, &(footer.len() as u32).to_le_bytes()].concat()
    }
}

impl Assembler for File {
    fn begin(&mut self, _: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        let mut beginning = BEGINNING.to_vec();
        MessageWriter::new(Compression::None).push_schema(&self.schema, &mut beginning);
        self.offset = beginning.len() as u64;
        out.write_all(&beginning)
    }

    /// Not called: the format cannot continue a file.
    fn resume(&mut self, length: u64, _: &[u8]) {
        self.offset = length;
    }

    fn write_piece(
        &mut self,
        piece: &[u8],
        _: &mut Compressor,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut rest = piece;
        while let Some((Message { head, body }, after)) = Message::split(rest) {
            self.blocks.push(block_of(self.offset, head, body));
            out.write_all(head)?;
            out.write_all(body)?;
            self.offset += (head.len() + body.len()) as u64;
            rest = after;
        }
        Ok(())
    }

    fn state(&self) -> Vec<u8> {
        Vec::new()
    }

    fn end(&mut self, _: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.footer())?;
        out.write_all(MAGIC)
    }
}

/// Reads a file to its end, and counts its rows.
fn inspect(
    file: &mut dyn InspectedFile,
    rows: &mut u64,
    id: &mut dyn FnMut(&str),
) -> io::Result<()> {
    let read = read_batches(file, &mut |batch| {
        *rows += batch.num_rows() as u64;
        let place = batch.schema().index_of("id").ok();
        let ids = place.and_then(|place| batch.column(place).as_string_opt::<i32>());
        ids.into_iter().flatten().flatten().for_each(&mut *id);
        Ok(())
    });
    read.map(|_| ())
}

/// Reads a file to its end, passes its batches to `take`, and returns their schema.
fn read_batches(
    file: &mut dyn InspectedFile,
    take: &mut dyn FnMut(&RecordBatch) -> io::Result<()>,
) -> io::Result<SchemaRef> {
    let footer = read_footer(file)?;
    let footer = arrow_ipc::root_as_footer(&footer).map_err(|error| invalid(&error))?;
    let file = file.as_reader();
    let mut beginning = [0; BEGINNING.len()];
    file.read_exact(&mut beginning)?;
    if beginning != *BEGINNING {
        return Err(invalid("it does not begin like an Arrow file"));
    }
    let described = read_head(file)?.ok_or_else(|| invalid("it has no schema"))?;
    let schema = read_schema(&described)?;
    let mut at = (BEGINNING.len() + described.len()) as u64;
    for block in footer.recordBatches().unwrap_or_default() {
        let head = read_head(file)?.ok_or_else(|| {
            invalid(
                "it has fewer batches than its footer \
            lists",
            )
        })?;
        let body = read_exactly(file, block.bodyLength().cast_unsigned())?;
        if *block != block_of(at, &head, &body) {
            return Err(invalid("its footer gives another place or length for a batch"));
        }
        at += (head.len() + body.len()) as u64;
        take(&Message { head: &head, body: &body }.batch(&schema)?)?;
    }
    match read_head(file)? {
        None => Ok(schema),
        Some(_) => Err(invalid("it has more batches than its footer lists")),
    }
}

/// Describes a message of `head` and `body` at offset `at` of the file.
fn block_of(at: u64, head: &[u8], body: &[u8]) -> Block {
    Block::new(
        at.cast_signed(),
        (head.len() as u32).cast_signed(),
        (body.len() as u64).cast_signed(),
    )
}

/// Reads the last part of the file, which holds the offsets of the batches.
fn read_footer(file: &mut dyn InspectedFile) -> io::Result<Vec<u8>> {
    const LENGTH: usize = 4;
    let tail = file.tail(LENGTH + MAGIC.len())?;
    let length = tail.strip_suffix(MAGIC).and_then(|length| length.first_chunk::<LENGTH>());
    let length = length.ok_or_else(|| invalid("it does not end like an Arrow file"))?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > MAX_END_BYTES {
        return Err(invalid("its footer is too long for memory"));
    }
    let mut footer = file.tail(length + tail.len())?;
    if footer.len() < length + tail.len() {
        return Err(invalid("its footer claims to be longer than the file"));
    }
    footer.truncate(length);
    Ok(footer)
}

/// Most bytes of the end that are read. The end of a file of 500 GB has this size.
const MAX_END_BYTES: usize = 256 << 20;

/// Reads the head of the next message with its length. `None` at the end of the messages.
fn read_head(file: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut head = read_exactly(file, END.len() as u64)?;
    if head == END {
        return Ok(None);
    }
    let length = head.strip_prefix(&END[..4]).and_then(|length| length.first_chunk());
    let length = length.ok_or_else(|| invalid("a message does not begin like a message"))?;
    head.append(&mut read_exactly(file, u32::from_le_bytes(*length).into())?);
    Ok(Some(head))
}

fn read_schema(head: &[u8]) -> io::Result<SchemaRef> {
    let message =
        arrow_ipc::root_as_message(&head[END.len()..]).map_err(|error| invalid(&error))?;
    let schema = message.header_as_schema().ok_or_else(|| invalid("it has no schema"))?;
    try_fb_to_schema(schema).map(Arc::new).map_err(|error| invalid(&error))
}

/// Reads `length` bytes. The buffer grows with the bytes that arrive, so a false length takes no
/// memory.
fn read_exactly(file: &mut dyn BufRead, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests;
