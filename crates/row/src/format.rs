//! What a format is: how workers encode rows, and how the writer makes a file of the pieces.

use crate::compress::{Compression, Compressor};
use crate::layout::Layout;
use crate::row::RowSink;
use std::fmt;
use std::io::{self, BufRead, Write};

/// A format of outputs.
pub trait Format: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// The formats, if it stands for several ([`find`](crate::formats::find)). Their encoders join
    /// their [pieces](crate::each_piece).
    fn formats(&self) -> &[&'static dyn Format] {
        &[]
    }

    /// What the name of a file of this format ends in, with compression: `.jsonl.zst`.
    fn suffix(&self, compression: Compression) -> &'static str;

    /// The kinds of compression that readers of the format know, each at its default level; the
    /// default first.
    fn compressions(&self) -> &'static [Compression] {
        &Compression::KINDS
    }

    /// Whether readers decompress the file as they read it, so that its rows are never seen
    /// compressed: then a pipe may have it too.
    fn compresses_inside(&self) -> bool {
        false
    }

    /// Makes an encoder for one worker.
    fn encoder(&self, layout: &Layout) -> Box<dyn BatchEncoder>;

    /// Makes an assembler for one output.
    fn assembler(&self, layout: &Layout) -> Box<dyn Assembler>;

    /// Whether its rows have the fields of the table, so that some of them can be chosen.
    fn has_fields(&self) -> bool {
        true
    }

    /// Whether a file can be continued after any of its pieces. If not, a resumed run writes the
    /// file anew.
    fn can_continue(&self) -> bool {
        true
    }

    /// Whether a row's place in a file follows from the [marks](RowSink::mark) of its encoder: they
    /// count bytes of lines where readers find rows by these, or rows where they number them.
    fn has_places(&self) -> bool {
        false
    }

    /// Most bytes that an assembler holds from piece to piece.
    fn held_bytes(&self) -> usize {
        0
    }

    /// The longest page that a run with this format can take, in bytes, where the format has a
    /// longest value.
    fn longest_page(&self) -> Option<usize> {
        None
    }

    /// Reads a file of this format to its end, and passes the identifier of every sound row to
    /// `id`. `layout` says what rows look like; its compression is that of the file.
    fn inspect(
        &self,
        layout: &Layout,
        file: &mut dyn Inspected,
        id: &mut dyn FnMut(&str),
    ) -> Inspection;
}

impl fmt::Debug for dyn Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Encodes the rows of one batch after another, in a worker.
///
/// What [`BatchEncoder::finish`] appends depends on the rows of that batch alone: not on other
/// batches, nor on the thread. So outputs have the same bytes for any number of threads.
///
/// The compressor is passed in, because an encoder may travel: where the writer may have to cut a
/// batch at the limit of rows, the encoder goes to the writer with its rows inside. Compressors
/// hold up to hundreds of megabytes, and stay where they are.
pub trait BatchEncoder: RowSink + Send {
    /// Appends the rows since the last call to `piece`, encoded and compressed, and discards them.
    /// No rows append nothing.
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>);

    /// Discards the rows since the last call of [`BatchEncoder::finish`].
    fn clear(&mut self);
}

/// Makes one file of pieces, in the writer.
///
/// Errors are those of `out` alone.
pub trait Assembler: Send {
    /// Writes what stands before the first piece.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    fn begin(&mut self, compressor: &mut Compressor, out: &mut dyn Write) -> io::Result<()>;

    /// Continues a file of `length` bytes, at which [`Assembler::state`] gave `state`. Called in
    /// the place of [`Assembler::begin`], and only if the [format can do so](Format::can_continue).
    fn resume(&mut self, length: u64, state: &[u8]);

    /// Takes the next piece, and writes what is ready to be written. An empty piece holds no rows,
    /// and where a batch was worked on in parts a piece is several of those that
    /// [`BatchEncoder::finish`] made, joined.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    fn piece(
        &mut self,
        piece: &[u8],
        compressor: &mut Compressor,
        out: &mut dyn Write,
    ) -> io::Result<()>;

    /// What [`Assembler::resume`] needs besides the length of the file. Checkpoints keep it.
    fn state(&self) -> Vec<u8>;

    /// Writes what stands after the last piece.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    fn end(&mut self, compressor: &mut Compressor, out: &mut dyn Write) -> io::Result<()>;
}

/// A file that is read once, from its beginning, and whose end can be looked at before.
pub trait Inspected: BufRead {
    /// The last `bytes` bytes of the file, or all of a shorter one. The place of reading stays what
    /// it is.
    ///
    /// # Errors
    ///
    /// They cannot be read.
    fn tail(&mut self, bytes: usize) -> io::Result<Vec<u8>>;

    /// The length of the file in bytes.
    ///
    /// # Errors
    ///
    /// The system does not tell it.
    fn length(&mut self) -> io::Result<u64>;

    /// This file as one that can only be read. (A `dyn Inspected` is not made a `dyn BufRead` by
    /// itself where it is borrowed anew.)
    fn as_read(&mut self) -> &mut dyn BufRead;
}

/// A file in memory.
impl Inspected for io::Cursor<&[u8]> {
    fn tail(&mut self, bytes: usize) -> io::Result<Vec<u8>> {
        let file = self.get_ref();
        Ok(file[file.len().saturating_sub(bytes)..].to_vec())
    }

    fn length(&mut self) -> io::Result<u64> {
        Ok(self.get_ref().len() as u64)
    }

    fn as_read(&mut self) -> &mut dyn BufRead {
        self
    }
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

impl Inspection {
    /// Notes that a row is faulty.
    pub(crate) fn fault(&mut self, number: u64, what: impl Into<String>) {
        self.faults += 1;
        if self.first_fault.is_none() {
            self.first_fault = Some((number, what.into()));
        }
    }
}
