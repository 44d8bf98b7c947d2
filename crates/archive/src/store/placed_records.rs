//! Reads single records of an archive by their places.

use crate::batch::{Batch, Packing};
use crate::container::gzip::header::MAGIC as GZIP;
use crate::container::lz4::frame::MAGIC as LZ4;
use crate::container::zstd::frame::MAGIC as ZSTD;
use crate::error::ArchiveError;
use crate::limits::Limits;
use crate::record::{ArchivedFile, Fault, Position, Record, Visitor};
use crate::store::input::Input;
use crate::store::input_file::InputFile;
use crate::store::stores::Stores;
use crate::unpack::{UnpackResult, Unpacker};
use std::path::Path;

/// Most bytes of a member that is read in one piece. Longer ones are read as a stream.
const MAX_MEMBER_BYTES: u64 = 64 << 20;

/// Bytes after the stated end of a record that are read too.
const BEYOND: u64 = 64 << 10;

/// An archive whose records are read one by one, in any order.
///
/// ```no_run
/// use huller_archive::{Limits, PlacedRecords, Stores};
///
/// let path = "crawl.warc.gz".as_ref();
/// let mut records = PlacedRecords::open(&Stores::default(), path, &Limits::default())?;
/// let mut length = 0;
/// let found = records.read(1234, Some(567), &mut |record| length = record.block.len())?;
/// assert!(found && length > 0);
/// # Ok::<(), huller_archive::ArchiveError>(())
/// ```
pub struct PlacedRecords {
    input: Input,
    file: InputFile,
    limits: Limits,
    unpacker: Unpacker,
    batch: Batch,
}

impl PlacedRecords {
    /// Opens an archive.
    ///
    /// # Errors
    ///
    /// As [`Input::open_in`].
    pub fn open(
        stores: &Stores,
        path: &Path,
        limits: &Limits,
    ) -> Result<PlacedRecords, ArchiveError> {
        let input = Input::open_in(stores, path, limits)?;
        let name = format!("'{}'", path.display());
        let file = stores.open(path).map_err(|error| ArchiveError::io(&name, 0, error))?;
        let (unpacker, batch) = (Unpacker::new(limits), Batch::default());
        Ok(PlacedRecords { input, file, limits: limits.clone(), unpacker, batch })
    }

    /// Passes the record at `offset` to `take`. `length` is the length of its member in bytes, if
    /// it is known: then a sound member is read in one piece, and the record has its
    /// [member](Record::member). Returns false if no sound record begins there.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn read(
        &mut self,
        offset: u64,
        length: Option<u64>,
        take: &mut dyn FnMut(Record<'_>),
    ) -> Result<bool, ArchiveError> {
        let mut found = OneRecord { offset, take, is_found: false, is_over: false };
        if let Some(length) = length.filter(|length| *length <= MAX_MEMBER_BYTES)
            && self.member(offset, length)
            && self.unpacker.unpack(&mut self.batch, &mut found) == UnpackResult::Complete
        {
            return Ok(found.is_found);
        }
        if found.is_over {
            return Ok(found.is_found);
        }
        // Rows may come from anyone, so a wrong place must not cost a search of the whole file.
        let longest = self.limits.record_bytes;
        let length = length.unwrap_or(u64::MAX).min(longest as u64);
        let stop = offset.saturating_add(length).saturating_add(BEYOND);
        let mut stream = self.input.repair_between(offset, stop, longest)?;
        while !found.is_over && stream.next_batch(&mut self.batch)? {
            let unpacked = self.unpacker.unpack(&mut self.batch, &mut found);
            debug_assert_eq!(unpacked, UnpackResult::Complete, "a stream gives framed batches");
        }
        Ok(found.is_found)
    }

    /// Reads a compressed member into the batch. Returns false if the bytes are none.
    fn member(&mut self, offset: u64, length: u64) -> bool {
        self.batch.clear();
        if self.file.append_at(&mut self.batch.bytes, length as usize, offset).is_err() {
            return false;
        }
        self.batch.start = offset;
        self.batch.packing = match &self.batch.bytes[..] {
            bytes if bytes.starts_with(&GZIP) => Packing::Gzip,
            bytes if bytes.starts_with(&ZSTD) => Packing::Zstd(None),
            bytes if bytes.starts_with(&LZ4) => Packing::Lz4,
            _ => return false,
        };
        true
    }
}

/// Takes the record at one place, and nothing after it.
struct OneRecord<'t> {
    offset: u64,
    take: &'t mut dyn FnMut(Record<'_>),
    is_found: bool,
    /// Whether the entry at the place has passed.
    is_over: bool,
}

impl Visitor for OneRecord<'_> {
    fn record(&mut self, record: Record<'_>) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        if record.position.member.is_some_and(|(offset, _)| offset == self.offset) {
            self.is_found = true;
            (self.take)(record);
        }
    }

    fn file(&mut self, _: ArchivedFile<'_>) {
        self.is_over = true;
    }

    fn line(&mut self, _: &[u8], _: Position) {
        self.is_over = true;
    }

    fn fault(&mut self, _: &Fault) {
        self.is_over = true;
    }
}
