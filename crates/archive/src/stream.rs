//! Any input, one byte after another, through whatever damage.

use crate::batch::{Batch, Packing};
use crate::detect::{Detected, detect};
use crate::error::ArchiveError;
use crate::format::Format;
use crate::framer::{Flow, Framer};
use crate::limits::Limits;
use crate::lines::LineFramer;
use crate::raw::Raw;
use crate::window::Window;
use std::io::Read;

/// Plain bytes after which a batch is full.
const BATCH_BYTES: usize = 1 << 20;

/// Entries after which a batch is full.
const BATCH_ENTRIES: usize = 4096;

/// Where a batch of a [`RecordStream`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// The batch is full.
    Full,
    /// The next member begins at this offset of the file, and no record is open.
    Border(u64),
    /// The input has ended.
    End,
}

/// Reads records and lines in order, survives damage, and fills framed batches. It alone decides what damage means.
///
/// ```
/// use huller_archive::{Batch, Limits, RecordStream};
///
/// let warc = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n";
/// let mut stream = RecordStream::from_reader(Box::new(&warc[..]), &Limits::default())?;
/// let mut batch = Batch::default();
/// while stream.next_batch(&mut batch)? {
///     assert_eq!(batch.entries.len(), 1);
/// }
/// # Ok::<(), huller_archive::ArchiveError>(())
/// ```
pub struct RecordStream {
    name: String,
    framer: AnyFramer,
    /// Whether a batch that is filled now begins at a border.
    seam: Option<u64>,
    ended: bool,
}

enum AnyFramer {
    Records(Framer),
    Lines(LineFramer),
}

impl RecordStream {
    /// A stream over anything that can be read, from its start.
    ///
    /// # Errors
    ///
    /// If nothing can be read, or it is no archive.
    pub fn from_reader(
        reader: Box<dyn Read + Send>,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        let name = "standard input";
        Ok(Self::detected(name, detect(name, Raw::pipe(reader), limits)?, limits))
    }

    pub(crate) fn detected(name: &str, detected: Detected, limits: &Limits) -> Self {
        Self::over(name, detected.window, detected.format, limits, true, None)
    }

    /// A stream over a window. `whole` tells whether it begins at the start of the input, `seam` at which border it begins.
    pub(crate) fn over(
        name: &str,
        window: Window,
        format: Format,
        limits: &Limits,
        whole: bool,
        seam: Option<u64>,
    ) -> Self {
        let framer = match format {
            Format::Warc => AnyFramer::Records(Framer::new(window, limits.clone(), whole)),
            Format::Jsonl => AnyFramer::Lines(LineFramer::new(window, limits.record_bytes, whole)),
        };
        RecordStream { name: name.to_owned(), framer, seam, ended: false }
    }

    /// Clears the batch and fills it with about 1 MiB of records, or lines, or 4,096 of them; at least one, or a fault.
    /// False at the end of the input.
    ///
    /// # Errors
    ///
    /// If the input cannot be read on.
    pub fn next_batch(&mut self, batch: &mut Batch) -> Result<bool, ArchiveError> {
        self.next_batch_until(batch, u64::MAX)?;
        Ok(!batch.entries.is_empty())
    }

    /// The same, but ends the batch as soon as the next member begins at `stop` or later with no record open. Whoever
    /// repairs what lies before another batch knows by the offset whether the stream now stands at the start of that one.
    /// The batch may then be empty. To go on, call again with a greater `stop`.
    ///
    /// # Errors
    ///
    /// If the input cannot be read on.
    pub fn next_batch_until(
        &mut self,
        batch: &mut Batch,
        stop: u64,
    ) -> Result<Reached, ArchiveError> {
        batch.clear();
        batch.packing = Packing::Framed;
        if let Some(start) = self.seam.take() {
            batch.start = start;
            batch.seam = true;
        }
        if self.ended {
            return Ok(Reached::End);
        }
        while batch.bytes.len() < BATCH_BYTES && batch.entries.len() < BATCH_ENTRIES {
            let flow = match &mut self.framer {
                AnyFramer::Records(framer) => framer.step(batch, stop),
                AnyFramer::Lines(framer) => {
                    framer.step(batch).map(|more| if more { Flow::Entry } else { Flow::End })
                }
            };
            match flow {
                Ok(Flow::Entry) => {}
                Ok(Flow::Border(offset)) => {
                    self.seam = Some(offset);
                    return Ok(Reached::Border(offset));
                }
                Ok(Flow::End) => {
                    self.ended = true;
                    return Ok(Reached::End);
                }
                Err(error) => return Err(ArchiveError::io(&self.name, self.bytes_read(), error)),
            }
        }
        Ok(Reached::Full)
    }

    /// Bytes of the input read so far, as they lie in the file.
    pub fn bytes_read(&self) -> u64 {
        match &self.framer {
            AnyFramer::Records(framer) => framer.window.feed().raw().offset(),
            AnyFramer::Lines(framer) => framer.window.feed().raw().offset(),
        }
    }
}
