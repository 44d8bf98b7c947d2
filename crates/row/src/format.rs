//! What a format is: how workers encode rows, and how the writer makes a file of the pieces.

use crate::compress::{Compression, Compressor};
use crate::row::RowSink;
use std::io::{self, BufRead};

/// A format of outputs.
pub trait Format: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// What the name of a file of this format ends in, with compression: `.jsonl.zst`.
    fn suffix(&self, compression: Compression) -> &'static str;

    /// Makes an encoder for one worker.
    fn encoder(&self) -> Box<dyn BatchEncoder>;

    /// Makes an assembler for one output.
    fn assembler(&self) -> Box<dyn Assembler>;

    /// Reads a file of this format to its end, and passes the identifier of every sound row to `id`.
    fn inspect(
        &self,
        compression: Compression,
        file: &mut dyn BufRead,
        id: &mut dyn FnMut(&str),
    ) -> Inspection;
}

/// Encodes the rows of one batch after another, in a worker.
///
/// What [`BatchEncoder::finish`] appends depends on the rows of that batch alone: not on other batches, nor on the thread. So outputs
/// have the same bytes for any number of threads.
///
/// The compressor is passed in, because an encoder may travel: where the writer may have to cut a batch at the limit of rows, the
/// encoder goes to the writer with its rows inside. Compressors hold up to hundreds of megabytes, and stay where they are.
pub trait BatchEncoder: RowSink + Send {
    /// Appends the rows since the last call to `piece`, encoded and compressed, and discards them. No rows append nothing.
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>);

    /// Discards the rows since the last call of [`BatchEncoder::finish`].
    fn clear(&mut self);
}

/// Makes one file of pieces, in the writer.
///
/// Only files have an assembler. On standard output pieces follow one another without beginning or end.
pub trait Assembler: Send {
    /// Appends what stands before the first piece.
    fn begin(&mut self, out: &mut Vec<u8>);

    /// Continues a file of `length` bytes, at which [`Assembler::state`] gave `state`. Called in the place of
    /// [`Assembler::begin`].
    fn resume(&mut self, length: u64, state: &[u8]);

    /// Takes the next piece, and returns the part of it that is to be appended to the file.
    fn piece<'p>(&mut self, piece: &'p [u8]) -> &'p [u8];

    /// What [`Assembler::resume`] needs besides the length of the file. Checkpoints keep it.
    fn state(&self) -> Vec<u8>;

    /// Appends what stands after the last piece.
    fn end(&mut self, compressor: &mut Compressor, out: &mut Vec<u8>);
}

/// What a file holds.
#[derive(Debug, Default)]
pub struct Inspection {
    /// Rows, faulty ones included.
    pub rows: u64,
    /// Faulty rows.
    pub faults: u64,
    /// Number of the first faulty row, from 1, and what is wrong with it.
    pub first_fault: Option<(u64, String)>,
    /// Why the file could not be read to its end.
    pub error: Option<io::Error>,
}
