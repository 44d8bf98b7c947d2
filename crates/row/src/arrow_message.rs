//! Writes and reads Arrow's messages: batches of rows as bytes.

use crate::compress::Compression;
use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::writer::{
    DictionaryTracker, IpcDataGenerator, IpcWriteContext, IpcWriteOptions, write_message,
};
use arrow_ipc::{CompressionType, MetadataVersion};
use arrow_schema::{Schema, SchemaRef};
use std::collections::HashMap;
use std::fmt::Display;
use std::io;

/// A writer of messages.
pub(crate) struct MessageWriter {
    options: IpcWriteOptions,
    generator: IpcDataGenerator,
    context: IpcWriteContext,
}

impl MessageWriter {
    /// Creates a writer that compresses the bodies of messages in this way.
    pub(crate) fn new(compression: Compression) -> MessageWriter {
        MessageWriter {
            options: options(compression),
            generator: IpcDataGenerator::default(),
            context: IpcWriteContext::default(),
        }
    }

    /// Appends the message that describes a schema.
    pub(crate) fn push_schema(&self, schema: &Schema, out: &mut Vec<u8>) {
        let tracker = &mut DictionaryTracker::new(false);
        let schema =
            self.generator.schema_to_bytes_with_dictionary_tracker(schema, tracker, &self.options);
        write_message(out, schema, &self.options).expect("memory takes every message");
    }

    /// Appends the message of a batch. Before it come the lengths of its two parts, eight bytes
    /// each.
    pub(crate) fn push_batch(&mut self, batch: &RecordBatch, out: &mut Vec<u8>) {
        let tracker = &mut DictionaryTracker::new(false);
        let MessageWriter { options, generator, context } = self;
        let (_, message) = generator
            .encode(batch, tracker, options, context)
            .expect("columns of these types can be encoded");
        let start = out.len();
        out.extend_from_slice(&[0; 16]);
        let lengths = write_message(&mut *out, message, options);
        let (described, body) = lengths.expect("memory takes every message");
        out[start..start + 8].copy_from_slice(&(described as u64).to_le_bytes());
        out[start + 8..start + 16].copy_from_slice(&(body as u64).to_le_bytes());
    }
}

fn options(compression: Compression) -> IpcWriteOptions {
    let level = match compression {
        Compression::Zstd { level } => Some(level),
        Compression::None | Compression::Gzip { .. } => None,
    };
    IpcWriteOptions::try_new(8, false, MetadataVersion::V5)
        .and_then(|options| options.try_with_compression(level.map(|_| CompressionType::ZSTD)))
        .and_then(|options| options.try_with_compression_level(level))
        .expect("the run takes only levels that zstd has")
}

/// The message of a batch, in the two parts whose lengths a file records.
#[derive(Clone, Copy)]
pub(crate) struct Message<'a> {
    /// The part that describes the body, with its own length first.
    pub(crate) head: &'a [u8],
    pub(crate) body: &'a [u8],
}

impl<'a> Message<'a> {
    /// Splits off the first message that [`MessageWriter::push_batch`] appended, and returns it
    /// with the bytes after it.
    pub(crate) fn split(bytes: &'a [u8]) -> Option<(Message<'a>, &'a [u8])> {
        let (head, rest) = bytes.split_first_chunk()?;
        let (body, rest) = rest.split_first_chunk()?;
        let (head, rest) = rest.split_at_checked(u64::from_le_bytes(*head) as usize)?;
        let (body, rest) = rest.split_at_checked(u64::from_le_bytes(*body) as usize)?;
        Some((Message { head, body }, rest))
    }

    /// Decodes the batch in this message. It takes only as much memory as the message can hold.
    ///
    /// # Errors
    ///
    /// The message is not a batch of this schema.
    pub(crate) fn batch(&self, schema: &SchemaRef) -> io::Result<RecordBatch> {
        const LENGTHS: usize = 8;
        let described = self.head.get(LENGTHS..).unwrap_or_default();
        let message = arrow_ipc::root_as_message(described).map_err(|error| invalid(&error))?;
        let batch = message.header_as_record_batch();
        let batch = batch.ok_or_else(|| invalid("a message is not a batch of rows"))?;
        let is_compressed = batch.compression().is_some();
        for place in batch.buffers().into_iter().flatten() {
            let stored =
                usize::try_from(place.offset()).ok().zip(usize::try_from(place.length()).ok());
            let stored =
                stored.and_then(|(start, length)| self.body.get(start..start.checked_add(length)?));
            let stored = stored.ok_or_else(|| invalid("a buffer is longer than its message"))?;
            if is_compressed && !can_hold(stored) {
                return Err(invalid(
                    "a buffer claims more bytes than its compressed data can hold",
                ));
            }
        }
        let body = Buffer::from(self.body);
        let (none, version) = (HashMap::new(), message.version());
        arrow_ipc::reader::read_record_batch(&body, batch, schema.clone(), &none, None, &version)
            .map_err(|error| invalid(&error))
    }
}

/// Returns whether a compressed buffer can hold as many bytes as it claims.
fn can_hold(stored: &[u8]) -> bool {
    let Some((claimed, frame)) = stored.split_first_chunk() else { return stored.is_empty() };
    match i64::from_le_bytes(*claimed) {
        -1 => true,
        claimed => u64::try_from(claimed).is_ok_and(|claimed| is_possible(claimed, frame.len())),
    }
}

/// Returns whether `stored` compressed bytes can hold `plain` bytes. A zstd block takes at least
/// three bytes and holds at most 128 KiB.
pub(crate) fn is_possible(plain: u64, stored: usize) -> bool {
    plain <= (stored as u64 / 3 + 1) * (128 << 10)
}

pub(crate) fn invalid(problem: &(impl Display + ?Sized)) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem.to_string())
}
