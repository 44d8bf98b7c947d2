//! The interface of a format: workers encode rows into pieces, and the writer makes a file of the
//! pieces.

use crate::compress::{Compression, Compressor};
use crate::layout::Layout;
use crate::row::RowSink;
use std::fmt;
use std::io::{self, BufRead, Write};

/// A format of outputs.
pub trait Format: Sync {
    /// Returns its name.
    fn name(&self) -> &'static str;

    /// Returns the single formats, if this one combines several ([`find`](crate::formats::find)).
    /// Their encoders join their [pieces](crate::each_piece).
    fn formats(&self) -> &[&'static dyn Format] {
        &[]
    }

    /// Returns the end of the names of its files, with compression: `.jsonl.zst`.
    fn suffix(&self, compression: Compression) -> &'static str;

    /// Returns the kinds of compression that readers of the format support, each at its default
    /// level, the default first.
    fn compressions(&self) -> &'static [Compression] {
        &Compression::KINDS
    }

    /// Returns whether compression is part of the format, so that readers never see the rows
    /// compressed. Then output to a pipe may be compressed too.
    fn compresses_inside(&self) -> bool {
        false
    }

    /// Makes an encoder for one worker.
    fn encoder(&self, layout: &Layout) -> Box<dyn BatchEncoder>;

    /// Makes an assembler for one output.
    fn assembler(&self, layout: &Layout) -> Box<dyn Assembler>;

    /// Returns whether its rows have the fields of the table, so that the user can choose among
    /// them.
    fn has_fields(&self) -> bool {
        true
    }

    /// Returns whether its encoder needs the [record](crate::PageRecord) of each page. Only pages
    /// have records, so existing rows cannot be written.
    fn has_records(&self) -> bool {
        false
    }

    /// Returns whether a file can be continued after any of its pieces. If not, a resumed run
    /// writes the file again.
    fn can_continue(&self) -> bool {
        true
    }

    /// Returns whether the [marks](RowSink::mark) of its encoder give a row's place in a file. They
    /// count bytes of lines or rows, whichever the readers of the format use.
    fn has_places(&self) -> bool {
        false
    }

    /// Returns the most bytes that an assembler holds from piece to piece.
    fn max_memory_bytes(&self) -> usize {
        0
    }

    /// Returns the longest page in bytes that a run with this format can take. `None` if the format
    /// does not limit values.
    fn longest_page(&self) -> Option<usize> {
        None
    }

    /// Reads a file of this format to its end, and passes the identifier of every sound row to
    /// `id`. `layout` describes the rows and the compression of the file.
    fn inspect(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        id: &mut dyn FnMut(&str),
    ) -> Inspection;

    /// Copies a file of this format without some of its rows. All other rows keep their values, and
    /// their bytes in formats that write rows one after another. `layout` describes the rows and
    /// the compression of the file.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is damaged, or `out` cannot be written.
    fn copy_rows(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        choice: &mut RowChoice<'_>,
        out: &mut dyn Write,
    ) -> io::Result<CopiedRows>;

    /// Passes the rows of a file of this format to `take`, in their order. Only formats that no
    /// reader of corpora knows support this.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is damaged, or the format does not support this.
    fn each_row(
        &self,
        _layout: &Layout,
        _file: &mut dyn InspectedFile,
        _take: &mut dyn FnMut(&StoredRow<'_>),
    ) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Says which rows of a file are copied.
pub struct RowChoice<'a> {
    /// Returns whether the row of this number, from 0, is copied.
    pub keeps: &'a mut dyn FnMut(u64) -> bool,
    /// Takes the position of each copied row in the new file. In JSON Lines it is the number of
    /// uncompressed bytes before the row, and in Parquet the number of the row.
    pub placed: &'a mut dyn FnMut(u64),
}

/// The result of copying a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopiedRows {
    /// Number of copied rows.
    pub rows: u64,
    /// The place after the last row.
    pub length: u64,
}

/// The values by which a row of a file is recognised. Values that the format lacks are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoredRow<'a> {
    /// The URL of the page.
    pub url: Option<&'a str>,
    /// The identifier of the row.
    pub id: Option<&'a str>,
    /// The identifier of the page's row, if the row is a passage.
    pub parent_id: Option<&'a str>,
    /// The text.
    pub text: Option<&'a str>,
}

impl fmt::Debug for dyn Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Encodes the rows of one batch after another, in a worker.
///
/// The bytes that [`BatchEncoder::finish`] appends depend on the rows of that batch alone, not on
/// other batches or on the thread. So outputs have the same bytes for any number of threads.
///
/// The caller passes the compressor, because an encoder may move to another thread. If the writer
/// may have to cut a batch at the limit of rows, the encoder goes to the writer with its rows
/// inside. Compressors hold up to hundreds of megabytes, and stay where they are.
pub trait BatchEncoder: RowSink + Send {
    /// Appends the rows since the last call to `piece`, encoded and compressed, and discards them.
    /// Without rows it appends no bytes.
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>);

    /// Discards the rows since the last call of [`BatchEncoder::finish`].
    fn clear(&mut self);
}

/// Makes one file of pieces, in the writer.
///
/// All errors come from `out`.
pub trait Assembler: Send {
    /// Writes the bytes before the first piece.
    ///
    /// # Errors
    ///
    /// They cannot be written.
    fn begin(&mut self, compressor: &mut Compressor, out: &mut dyn Write) -> io::Result<()>;

    /// Continues a file of `length` bytes, where [`Assembler::state`] returned `state`. Called in
    /// place of [`Assembler::begin`], and only if the [format can do so](Format::can_continue).
    fn resume(&mut self, length: u64, state: &[u8]);

    /// Takes the next piece, and writes the bytes that are ready. An empty piece holds no rows. If
    /// a batch was divided into parts, the piece consists of one piece of [`BatchEncoder::finish`]
    /// for each part.
    ///
    /// # Errors
    ///
    /// The bytes cannot be written.
    fn write_piece(
        &mut self,
        piece: &[u8],
        compressor: &mut Compressor,
        out: &mut dyn Write,
    ) -> io::Result<()>;

    /// Returns the state that [`Assembler::resume`] needs besides the length of the file.
    /// Checkpoints keep it.
    fn state(&self) -> Vec<u8>;

    /// Writes the bytes after the last piece.
    ///
    /// # Errors
    ///
    /// They cannot be written.
    fn end(&mut self, compressor: &mut Compressor, out: &mut dyn Write) -> io::Result<()>;
}

/// A file that is read once from its beginning, and whose end can be read before.
pub trait InspectedFile: BufRead {
    /// Returns the last `bytes` bytes of the file, or all of a shorter one. The position of reading
    /// does not change.
    ///
    /// # Errors
    ///
    /// They cannot be read.
    fn tail(&mut self, bytes: usize) -> io::Result<Vec<u8>>;

    /// Returns the length of the file in bytes.
    ///
    /// # Errors
    ///
    /// The system does not report it.
    fn length(&mut self) -> io::Result<u64>;

    /// Returns this file as a plain reader. (Rust does not convert a reborrowed `dyn InspectedFile`
    /// to a `dyn BufRead` by itself.)
    fn as_reader(&mut self) -> &mut dyn BufRead;
}

/// A file in memory.
impl InspectedFile for io::Cursor<&[u8]> {
    fn tail(&mut self, bytes: usize) -> io::Result<Vec<u8>> {
        let file = self.get_ref();
        Ok(file[file.len().saturating_sub(bytes)..].to_vec())
    }

    fn length(&mut self) -> io::Result<u64> {
        Ok(self.get_ref().len() as u64)
    }

    fn as_reader(&mut self) -> &mut dyn BufRead {
        self
    }
}

/// The result of reading a file to its end.
#[derive(Debug, Default)]
pub struct Inspection {
    /// Number of rows, with faulty ones.
    pub rows: u64,
    /// Number of faulty rows.
    pub faults: u64,
    /// Number of the first faulty row, from 1, and its problem.
    pub first_fault: Option<(u64, String)>,
    /// The error that stopped the reading before the end of the file.
    pub error: Option<io::Error>,
}

impl Inspection {
    /// Notes that a row is faulty.
    pub(crate) fn fault(&mut self, number: u64, problem: impl Into<String>) {
        self.faults += 1;
        if self.first_fault.is_none() {
            self.first_fault = Some((number, problem.into()));
        }
    }
}
