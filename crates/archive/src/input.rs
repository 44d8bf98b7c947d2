//! One input: what it is, and its batches.

use crate::batch::Batch;
use crate::cut::{Cut, Cutter};
use crate::detect::detect;
use crate::error::ArchiveError;
use crate::format::{Container, Format};
use crate::limits::Limits;
use crate::raw::Raw;
use crate::repairer::Repairer;
use crate::stream::{Reached, RecordStream};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// One open input, handed out in batches.
///
/// Batches of a seekable, record-compressed WARC are cut out of it as they lie there, for an
/// [`Unpacker`](crate::Unpacker); where one can't be cut, and from everything else, they come framed from a
/// [`RecordStream`]. Which bytes make a batch depends on the file and the limits alone.
pub struct Input {
    repairer: Repairer,
    len: Option<u64>,
    mode: Mode,
}

enum Mode {
    /// Members are cut out without being looked into.
    Cut(Box<Cutter>),
    /// To the end.
    Stream(Box<RecordStream>),
    /// Up to the first border at or after this offset, then cut again.
    StreamUntil(Box<RecordStream>, u64),
}

impl Input {
    /// Opens a file and finds out what it is.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is empty, or is no archive.
    pub fn open(path: &Path, limits: &Limits) -> Result<Self, ArchiveError> {
        let name = format!("'{}'", path.display());
        let io_error = |error| ArchiveError::io(&name, 0, error);
        let file = File::open(path).map_err(io_error)?;
        let metadata = file.metadata().map_err(io_error)?;
        if metadata.is_dir() {
            return Err(io_error(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        if metadata.is_file() {
            let len = metadata.len();
            let raw = Raw::file(file, len, 0).map_err(io_error)?;
            Self::new(&name, Some(path), Some(len), raw, limits)
        } else {
            Self::new(&name, None, None, Raw::pipe(Box::new(file)), limits)
        }
    }

    /// Takes anything that can be read once, such as standard input.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is empty, or is no archive.
    pub fn from_reader(
        reader: Box<dyn Read + Send>,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        Self::new("standard input", None, None, Raw::pipe(reader), limits)
    }

    /// The same, for what errors shall call `name`, in quotes.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is empty, or is no archive.
    pub fn from_named_reader(
        name: &str,
        reader: Box<dyn Read + Send>,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        Self::new(&format!("'{name}'"), None, None, Raw::pipe(reader), limits)
    }

    fn new(
        name: &str,
        path: Option<&Path>,
        len: Option<u64>,
        raw: Raw,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        let detected = detect(name, raw, limits)?;
        let repairer = Repairer::new(name, path, &detected, limits);
        let mode = match (path, len) {
            (Some(path), Some(len))
                if repairer.format == Format::Warc && repairer.container != Container::Plain =>
            {
                let cutter = File::open(path)
                    .and_then(|file| Cutter::new(file, len, &repairer))
                    .map_err(|error| ArchiveError::io(name, 0, error))?;
                Mode::Cut(Box::new(cutter))
            }
            _ => Mode::Stream(Box::new(RecordStream::detected(name, detected, limits))),
        };
        Ok(Input { repairer, len, mode })
    }

    /// Clears the batch and fills it with what comes next. False at the end of the input.
    ///
    /// # Errors
    ///
    /// If the input cannot be read on.
    pub fn next_batch(&mut self, batch: &mut Batch) -> Result<bool, ArchiveError> {
        loop {
            match &mut self.mode {
                Mode::Cut(cutter) => {
                    let cut = cutter
                        .next(batch)
                        .map_err(|error| self.repairer.error(cutter.start(), error))?;
                    let start = cutter.start();
                    match cut {
                        Cut::Batch => return Ok(true),
                        Cut::End => return Ok(false),
                        Cut::Stream => {
                            self.mode = Mode::Stream(Box::new(self.repairer.at(start)?));
                        }
                        Cut::StreamUntil(stop) => {
                            let stream = Box::new(self.repairer.at(start)?);
                            self.mode = Mode::StreamUntil(stream, stop);
                        }
                    }
                }
                Mode::Stream(stream) => return stream.next_batch(batch),
                Mode::StreamUntil(stream, stop) => {
                    if let Reached::Border(offset) = stream.next_batch_until(batch, *stop)? {
                        self.mode = Mode::Cut(Box::new(Cutter::reopen(&self.repairer, offset)?));
                    } else if batch.entries.is_empty() {
                        return Ok(false);
                    }
                    if !batch.entries.is_empty() {
                        return Ok(true);
                    }
                }
            }
        }
    }

    /// What the input holds.
    pub fn format(&self) -> Format {
        self.repairer.format
    }

    /// How it is packed.
    pub fn container(&self) -> Container {
        self.repairer.container
    }

    /// Its length in bytes, where that is known.
    pub fn len(&self) -> Option<u64> {
        self.len
    }

    /// Whether it is known to have no bytes; an input that was opened has some.
    pub fn is_empty(&self) -> bool {
        self.len == Some(0)
    }

    /// Bytes of it handed out so far, as they lie in the file.
    pub fn bytes_read(&self) -> u64 {
        match &self.mode {
            Mode::Cut(cutter) => cutter.start(),
            Mode::Stream(stream) | Mode::StreamUntil(stream, _) => stream.bytes_read(),
        }
    }

    /// What opens the same file anew at places where an unpacker had to stop; for another thread.
    pub fn repairer(&self) -> Repairer {
        self.repairer.clone()
    }

    /// The rest of the input as one stream, for those who want records in order and nothing else.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened again.
    pub fn into_stream(self) -> Result<RecordStream, ArchiveError> {
        match self.mode {
            Mode::Cut(cutter) => self.repairer.at(cutter.start()),
            Mode::Stream(stream) | Mode::StreamUntil(stream, _) => Ok(*stream),
        }
    }

    /// Goes back to the member at `offset` in the batch handed out last, where an unpacker had to stop: what is left of that
    /// batch comes again from a stream, then the file is cut as before. For those who unpack batches in the order they
    /// come; a batch costs twice at most, however much of the file is damaged.
    ///
    /// ```
    /// # use huller_archive::{Batch, Fault, Input, Limits, Position, Record, Unpacked, Unpacker, Visitor};
    /// # struct Count(usize);
    /// # impl Visitor for Count {
    /// #     fn record(&mut self, _: Record<'_>) { self.0 += 1 }
    /// #     fn line(&mut self, _: &[u8], _: Position) {}
    /// #     fn fault(&mut self, _: &Fault) {}
    /// # }
    /// # let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample.warc.gz");
    /// # let (limits, mut visitor) = (Limits::default(), Count(0));
    /// let (mut input, mut unpacker) = (Input::open(&path, &limits)?, Unpacker::new(&limits));
    /// let mut batch = Batch::default();
    /// while input.next_batch(&mut batch)? {
    ///     if let Unpacked::StoppedAt(offset) = unpacker.unpack(&mut batch, &mut visitor) {
    ///         input.mend_at(offset)?;
    ///     }
    /// }
    /// # assert_eq!(visitor.0, 96);
    /// # Ok::<(), huller_archive::ArchiveError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the file cannot be opened again.
    pub fn mend_at(&mut self, offset: u64) -> Result<(), ArchiveError> {
        let stop = self.bytes_read().max(offset + 1);
        self.mode = Mode::StreamUntil(Box::new(self.repairer.at(offset)?), stop);
        Ok(())
    }

    /// A stream from the member at `offset` on: the answer to [`Unpacked::StoppedAt`](crate::Unpacked::StoppedAt).
    ///
    /// # Errors
    ///
    /// If the file cannot be opened again.
    pub fn repair_at(&self, offset: u64) -> Result<RecordStream, ArchiveError> {
        self.repairer.at(offset)
    }
}

// Here and not in the stream's own file, since a file is opened by way of `Input`.
impl RecordStream {
    /// A stream over a file, from its start. Unlike a pipe it can go back to see whether the length of an overlong record
    /// is a lie.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no archive.
    pub fn open(path: &Path, limits: &Limits) -> Result<Self, ArchiveError> {
        Input::open(path, limits)?.into_stream()
    }
}
