//! An open input and its batches.

mod files;

use super::address::redact_url;
use super::archive_file::ArchiveFile;
use super::batch_mode::BatchMode;
use super::detect::detect;
use super::input_place::InputPlace;
use super::prefix_digest::{DigestHandle, OrderedHasher, PrefixDigest};
use super::raw_reader::RawReader;
use super::stores::Stores;
use crate::batch::{Batch, Entry};
use crate::container::Container;
use crate::damage::repairer::Repairer;
use crate::error::ArchiveError;
use crate::format::Format;
use crate::input_kind::InputKind;
use crate::limits::Limits;
use crate::planned::cutter::PlannedCutter;
use crate::planned::plan::PlannedRecord;
use crate::planned::planned_file::PlannedFile;
use crate::stream::RecordStream;
use crate::table::file::Table;
use crate::wacz::directory::{self, Zip, is_zip};
use crate::wacz::members::{Members, OpenedArchive};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// An open input that is divided into batches.
///
/// A record-compressed WARC file is cut into batches of compressed members, which an
/// [`Unpacker`](crate::Unpacker) inflates. Where the file can't be cut, and for every other input,
/// a [`RecordStream`] fills batches of plain records ([`Packing::Plain`](crate::Packing::Plain)).
/// The division into batches depends only on the file and the limits.
pub struct Input {
    repairer: Repairer,
    len: Option<u64>,
    mode: BatchMode,
    hasher: OrderedHasher,
    wacz: Option<Wacz>,
    version: Option<u64>,
}

/// The archives of a WACZ that come after the present one.
struct Wacz {
    place: InputPlace,
    members: Members,
    part: u32,
}

impl Input {
    /// Opens a file and detects its format.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is empty, or is not an archive.
    pub fn open(path: &Path, limits: &Limits) -> Result<Self, ArchiveError> {
        Self::open_in(&Stores::default(), path, limits)
    }

    /// Opens a local file as [`Input::open`], or a remote file through `stores`.
    ///
    /// # Errors
    ///
    /// As [`Input::open`], and if a store cannot be reached. Errors name the input by the
    /// [shown](redact_url) part of its URL.
    pub fn open_in(stores: &Stores, path: &Path, limits: &Limits) -> Result<Self, ArchiveError> {
        let name = format!("'{}'", redact_url(path).display());
        let io_error = |error| ArchiveError::io(&name, 0, error);
        let file = stores.open(path).map_err(io_error)?;
        let version = file.version();
        let input = if let Some(len) = file.length().map_err(io_error)? {
            let mut head = [0; 4];
            // If the read fails here, the reader that is opened next reports the error.
            let is_read = file.read_at(&mut head, 0).is_ok();
            if is_read && Table::is_table(&head) {
                Self::table(&name, file, limits)
            } else if is_zip(&head)
                && let Some(zip) = directory::members(&file, len, &name)?
            {
                let place = InputPlace::from_file(&file, path);
                match zip {
                    Zip::Wacz(members) => Ok(Self::wacz(&name, place, len, members, limits)),
                    Zip::Files(files) => Self::zip(&name, place, len, files, limits),
                }
            } else {
                let place = InputPlace::from_file(&file, path);
                let raw = RawReader::file(file, len, 0).map_err(io_error)?;
                Self::new(&name, Some(place), Some(len), raw, limits)
            }
        } else {
            Self::new(&name, None, None, RawReader::pipe(Box::new(file)), limits)
        };
        input.map(|input| Input { version, ..input })
    }

    /// Opens a WARC, ARC or WACZ file and reads only the records of `plan`, in batches for an
    /// [`Unpacker`](crate::Unpacker). `plan` is in the order of the file. A planned record that is
    /// not there is a fault with the reason
    /// [`FaultReason::NotWhereIndexed`](crate::FaultReason::NotWhereIndexed).
    ///
    /// # Errors
    ///
    /// As [`Input::open`]. Also if the file is not a regular file, is neither WARC nor ARC, or is a
    /// WACZ without archives that are stored uncompressed.
    pub fn planned(
        path: &Path,
        plan: Arc<[PlannedRecord]>,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        Self::open_planned(&Stores::default(), path, plan, limits)
    }

    /// Opens a local file as [`Input::planned`], or a remote file through `stores`.
    ///
    /// # Errors
    ///
    /// As [`Input::planned`] and [`Input::open_in`].
    pub fn open_planned(
        stores: &Stores,
        path: &Path,
        plan: Arc<[PlannedRecord]>,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        let input = Self::open_in(stores, path, limits)?;
        let archive = input.repairer.archive;
        let file = match input.wacz {
            Some(wacz) => PlannedFile::open_wacz(&archive, wacz.members.stored_archives()?, plan)?,
            None => PlannedFile::open(archive, plan)?,
        };
        let file = Arc::new(file);
        let hasher = OrderedHasher::default();
        let cutter = PlannedCutter::new(&file, 0, &hasher);
        Ok(Input {
            repairer: Repairer::for_plan(&file),
            len: input.len,
            mode: BatchMode::Planned(Box::new(cutter)),
            hasher,
            wacz: None,
            version: input.version,
        })
    }

    /// Opens an input that can be read once, such as standard input. Errors name it
    /// `standard input`.
    ///
    /// # Errors
    ///
    /// The input cannot be read, is empty, or is not an archive.
    pub fn from_reader(
        reader: Box<dyn Read + Send>,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        Self::new("standard input", None, None, RawReader::pipe(reader), limits)
    }

    /// As [`Input::from_reader`], but errors name the input `name`, in quotes.
    ///
    /// # Errors
    ///
    /// The input cannot be read, is empty, or is not an archive.
    pub fn from_named_reader(
        name: &str,
        reader: Box<dyn Read + Send>,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        Self::new(&format!("'{name}'"), None, None, RawReader::pipe(reader), limits)
    }

    fn new(
        name: &str,
        place: Option<InputPlace>,
        len: Option<u64>,
        raw: RawReader,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        let hasher = OrderedHasher::default();
        let kind = InputKind::from_name(Path::new(name.trim_matches('\'')));
        let separator = kind.and_then(InputKind::separator);
        let detected = detect(name, raw.with_hasher(hasher.clone()), separator, limits)?;
        let archive = ArchiveFile::new(name, place, &detected, limits);
        let opened = OpenedArchive { archive: archive.clone(), detected, deflated_at: None };
        let mode = BatchMode::from_opened(opened, &hasher)?;
        Ok(Input { repairer: Repairer::new(archive), len, mode, hasher, wacz: None, version: None })
    }

    /// Clears the batch and fills it with the next part of the input. Returns false at the end.
    ///
    /// # Errors
    ///
    /// The input cannot be read.
    pub fn next_batch(&mut self, batch: &mut Batch) -> Result<bool, ArchiveError> {
        let more = self.cut_batch(batch)?;
        batch.read()?;
        Ok(more)
    }

    /// As [`Input::next_batch`], but leaves the bytes in the file where it can. The worker must
    /// then call [`Batch::read`]. The caller must read or drop every batch, otherwise threads that
    /// wait for [`seen`](Input::prefix_digest) wait forever.
    ///
    /// # Errors
    ///
    /// The input cannot be read.
    pub fn cut_batch(&mut self, batch: &mut Batch) -> Result<bool, ArchiveError> {
        loop {
            let more = self.mode.cut_batch(&self.repairer, &self.hasher, batch)?;
            let Some(wacz) = &mut self.wacz else { return Ok(more) };
            if more {
                batch.part = wacz.part;
                return Ok(true);
            }
            self.mode = BatchMode::Ended;
            let Some(next) = wacz.members.next(Some(&self.hasher)) else {
                let io_error = |error| self.repairer.error(0, error);
                let mut file = wacz.place.open().map_err(io_error)?;
                self.hasher
                    .hash_up_to(self.len.unwrap_or_default(), &mut file)
                    .map_err(io_error)?;
                return Ok(false);
            };
            wacz.part += 1;
            match next? {
                Ok(opened) => {
                    self.repairer = Repairer::new(opened.archive.clone());
                    self.mode = BatchMode::from_opened(opened, &self.hasher)?;
                }
                Err(fault) => {
                    batch.clear();
                    batch.entries.push(Entry::Fault(*fault));
                    batch.part = wacz.part;
                    return Ok(true);
                }
            }
        }
    }

    /// Returns the format of the input.
    pub fn format(&self) -> Format {
        self.repairer.archive.format
    }

    /// Returns the compression of the input.
    pub fn container(&self) -> Container {
        self.repairer.archive.container
    }

    /// Returns the length in bytes; `None` for an input that can be read only once.
    pub fn len(&self) -> Option<u64> {
        self.len
    }

    /// Returns [`InputFile::version`](crate::InputFile::version) of the file. `None` for an input
    /// that can be read only once.
    pub fn version(&self) -> Option<u64> {
        self.version
    }

    /// Returns whether the length is known to be 0. This is always false, since an empty input
    /// cannot be opened.
    pub fn is_empty(&self) -> bool {
        self.len == Some(0)
    }

    /// Returns the number of compressed bytes of the file that were passed to batches so far.
    pub fn bytes_read(&self) -> u64 {
        match &self.mode {
            BatchMode::Cut(cutter) => cutter.start(),
            BatchMode::Table(cutter) => cutter.bytes_read(),
            BatchMode::Planned(cutter) => cutter.bytes_read(),
            BatchMode::Ended => self.wacz.as_ref().map_or(0, |_| self.hasher.bytes()),
            // For a deflated archive the stream knows only offsets within the archive.
            BatchMode::Stream(_) if self.is_deflated() => self.hasher.bytes(),
            BatchMode::Stream(stream) | BatchMode::StreamUntil(stream, _) => stream.bytes_read(),
        }
    }

    /// Returns whether the present archive is deflated in a WACZ.
    fn is_deflated(&self) -> bool {
        self.wacz.is_some() && self.repairer.archive.place.is_none()
    }

    /// Returns the digest of the compressed bytes of the file that were read so far, at least
    /// [`bytes_read`](Self::bytes_read) of them. For a plan it covers the bytes that
    /// [`planned_digest`](crate::planned_digest) covers. Waits until all [cut](Input::cut_batch)
    /// batches have been read.
    pub fn prefix_digest(&self) -> PrefixDigest {
        self.hasher.prefix_digest()
    }

    /// As [`Input::prefix_digest`], but returns `None` while a [cut](Input::cut_batch) batch is
    /// unread. Once all are read, it equals the result of [`Batch::read`] for the last of them.
    pub fn complete_prefix_digest(&self) -> Option<PrefixDigest> {
        self.hasher.complete_prefix_digest()
    }

    /// Returns a handle to the digest of the bytes that were read. It works also after
    /// [`Input::into_stream`].
    pub fn digest_handle(&self) -> DigestHandle {
        DigestHandle::from(&self.hasher)
    }

    /// Returns a repairer, which opens the same file again where an unpacker had to stop. It can be
    /// sent to another thread.
    pub fn repairer(&self) -> Repairer {
        self.repairer.clone()
    }

    /// Converts the rest of the input into one stream, for callers that read in order on one
    /// thread.
    ///
    /// # Errors
    ///
    /// The file cannot be opened again.
    pub fn into_stream(self) -> Result<RecordStream, ArchiveError> {
        if let Some(Wacz { mut members, part: 0, .. }) = self.wacz {
            let first = std::iter::from_fn(move || {
                members
                    .next(None)
                    .map(|next| next.map(|opened| opened.map(OpenedArchive::into_stream)))
            });
            let name = &self.repairer.archive.name;
            return Ok(RecordStream::empty(name).followed_by(Box::new(first)));
        }
        match self.mode {
            BatchMode::Ended => Ok(RecordStream::empty(&self.repairer.archive.name)),
            BatchMode::Cut(cutter) => self.repairer.open_hashed_at(cutter.start(), &self.hasher),
            BatchMode::Table(cutter) => {
                self.repairer.open_hashed_at(cutter.next_row(), &self.hasher)
            }
            BatchMode::Planned(cutter) => {
                self.repairer.open_hashed_at(cutter.next_record(), &self.hasher)
            }
            BatchMode::Stream(stream) | BatchMode::StreamUntil(stream, _) => Ok(*stream),
        }
    }

    /// Goes back to the member at `offset` in the last batch, where an unpacker had to stop. A
    /// stream reads the rest of that batch again, then the file is cut as before. The caller must
    /// unpack batches in order. Each batch is read at most twice, however much of the file is
    /// damaged.
    ///
    /// ```
    /// # use huller_archive::{Batch, Fault, Input, Limits, Position, Record, UnpackResult, Unpacker, Visitor};
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
    ///     if let UnpackResult::StoppedAt(offset) = unpacker.unpack(&mut batch, &mut visitor) {
    ///         input.restart_at(offset)?;
    ///     }
    /// }
    /// # assert_eq!(visitor.0, 96);
    /// # Ok::<(), huller_archive::ArchiveError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The file cannot be opened again.
    pub fn restart_at(&mut self, offset: u64) -> Result<(), ArchiveError> {
        let stop = match &self.mode {
            BatchMode::Table(cutter) => cutter.next_row(),
            BatchMode::Planned(cutter) => cutter.next_record(),
            _ => self.bytes_read(),
        };
        let stop = stop.max(offset + 1);
        self.mode = BatchMode::StreamUntil(
            Box::new(self.repairer.open_hashed_at(offset, &self.hasher)?),
            stop,
        );
        Ok(())
    }

    /// Opens a stream from the member at `offset` on, for
    /// [`UnpackResult::StoppedAt`](crate::UnpackResult::StoppedAt).
    ///
    /// # Errors
    ///
    /// The file cannot be opened again.
    pub fn repair_at(&self, offset: u64) -> Result<RecordStream, ArchiveError> {
        match self.wacz.as_ref().and_then(|wacz| wacz.members.containing(offset)) {
            Some(opened) => Repairer::new(opened?.archive).open_at(offset),
            None => self.repairer.open_at(offset),
        }
    }

    /// As [`Input::repair_at`], but reads only up to offset `stop`, and only records of at most
    /// `record_bytes`. If the stream [reaches one of these limits](RecordStream::is_stopped), its
    /// entries may differ from those without limits.
    ///
    /// # Errors
    ///
    /// As [`Input::repair_at`].
    pub fn repair_between(
        &self,
        offset: u64,
        stop: u64,
        record_bytes: usize,
    ) -> Result<RecordStream, ArchiveError> {
        match self.wacz.as_ref().and_then(|wacz| wacz.members.containing(offset)) {
            Some(opened) => Repairer::new(opened?.archive).open_range(offset, stop, record_bytes),
            None => self.repairer.open_range(offset, stop, record_bytes),
        }
    }
}

// This is not in the file of `RecordStream`, since the two files would then depend on each other.
impl RecordStream {
    /// Opens a stream over a file, from its start. Unlike a pipe, a file can be searched again if
    /// the claimed length of a large record is wrong.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not an archive.
    pub fn open(path: &Path, limits: &Limits) -> Result<Self, ArchiveError> {
        Input::open(path, limits)?.into_stream()
    }
}
