//! Cuts record-compressed files into batches without inflating them.
//!
//! A file is cut where a member begins whose data begin with a record. The cutter takes the last
//! such place within the target size of a batch, or else the first one after it. The place may be
//! wrong, since a record can hold a compressed WARC; the unpacker of the batch then notices this
//! and stops.
//!
//! In a local file of gzip members the cutter reads only the bytes that it needs to find the cut.
//! The worker [reads](Batch::read) the batch, so that one thread can cut for a hundred workers. The
//! cuts are the same as if the cutter had read all bytes.

use crate::batch::{Batch, Packing};
use crate::container::Container;
use crate::container::gzip::finder::MemberFinder;
use crate::container::lz4;
use crate::container::zstd::frame::{FrameEnd, extent, skippable};
use crate::damage::finder::Finder;
use crate::dialect::Dialect;
use crate::error::ArchiveError;
use crate::store::archive_file::ArchiveFile;
use crate::store::input_file::InputFile;
use crate::store::prefix_digest::OrderedHasher;
use crate::store::promised_range::PromisedRange;
use crate::store::tail_search::TailSearch;
use std::io::{self, Seek, SeekFrom};
use std::sync::Arc;

/// Size in bytes of one read during the search for a cut after the target size of a batch.
const READ_BYTES: usize = 64 << 10;

/// Number of bytes after the target size of a batch that are searched for a cut.
const SEARCHED_BYTES: usize = 8 << 20;

/// The result of a search for the next cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CutResult {
    /// The batch was filled.
    Batch,
    /// The file has ended.
    End,
    /// The rest of the file must be read as a stream, from [`Cutter::start`] to its end.
    Stream,
    /// The file must be read as a stream, from [`Cutter::start`] to the first border at or after
    /// this offset.
    StreamUntil(u64),
}

/// Reads a file and cuts it.
pub(crate) struct Cutter {
    file: InputFile,
    /// The same file, if workers read the batches.
    shared: Option<Arc<InputFile>>,
    /// The name of the file in errors.
    name: Arc<str>,
    /// Bytes after the last cut that have already been read.
    left: Vec<u8>,
    /// The length that `left` would have, if workers read the batches.
    left_there: usize,
    tail: TailSearch,
    /// Offset in the file of the next batch.
    start: u64,
    /// Offset of the first member of the file.
    first: u64,
    len: u64,
    /// Whether the archive is only a part of the file, so that reading must end with the archive.
    is_part: bool,
    ended: bool,
    batch_bytes: usize,
    packing: Packing,
    dialect: Dialect,
    members: MemberFinder,
    hasher: OrderedHasher,
}

impl Cutter {
    pub(crate) fn new(
        file: InputFile,
        len: u64,
        from: &ArchiveFile,
        hasher: &OrderedHasher,
    ) -> io::Result<Self> {
        Self::starting_at(file, len, from, from.start, hasher)
    }

    /// Opens the file again and starts at the member at `offset`.
    pub(crate) fn reopen(
        from: &ArchiveFile,
        offset: u64,
        hasher: &OrderedHasher,
    ) -> Result<Self, ArchiveError> {
        let (file, len) = from.file()?;
        Self::starting_at(file, len, from, offset, hasher)
            .map_err(|error| from.error(offset, error))
    }

    /// Starts at the member at `offset`. `hasher` has seen the bytes before it and sees each byte
    /// that is read.
    fn starting_at(
        mut file: InputFile,
        len: u64,
        from: &ArchiveFile,
        offset: u64,
        hasher: &OrderedHasher,
    ) -> io::Result<Self> {
        file.seek(SeekFrom::Start(offset))?;
        let packing = match from.container {
            Container::Zstd => Packing::Zstd(from.dictionary.clone()),
            Container::Lz4 => Packing::Lz4,
            Container::Gzip | Container::Plain => Packing::Gzip,
        };
        let dialect = from.format.dialect();
        let is_left = file.remote_file().is_none() && from.part.is_none();
        let is_left = is_left && from.container == Container::Gzip;
        let shared = is_left.then(|| file.try_clone().map(Arc::new)).transpose()?;
        Ok(Cutter {
            file,
            shared,
            name: Arc::clone(&from.name),
            left: Vec::new(),
            left_there: 0,
            tail: TailSearch::default(),
            start: offset,
            first: from.start,
            len,
            is_part: from.part.is_some(),
            ended: offset >= len,
            batch_bytes: from.limits.batch_bytes.max(1),
            packing,
            dialect,
            members: MemberFinder::new(from.format.opening()),
            hasher: hasher.clone(),
        })
    }

    /// Returns the offset of the next batch.
    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// Clears and fills the batch.
    pub(crate) fn next(&mut self, batch: &mut Batch) -> io::Result<CutResult> {
        batch.clear();
        batch.bytes.append(&mut self.left);
        batch.packing = self.packing.clone();
        batch.dialect = self.dialect;
        batch.start = self.start;
        batch.starts_cleanly = true;
        let shared = self.shared.clone();
        if let Some(file) = &shared {
            if let Some(len) = self.cut_unread(file)? {
                self.leave(file, len, batch);
                return Ok(CutResult::Batch);
            }
            file.append_at(&mut batch.bytes, self.left_there, self.start)?;
        }
        let cut = match self.packing {
            Packing::Zstd(_) => self.cut_frames(&mut batch.bytes, extent)?,
            Packing::Lz4 => self.cut_frames(&mut batch.bytes, lz4::frame::extent)?,
            Packing::Gzip | Packing::Plain | Packing::Table(_) | Packing::Planned(_) => {
                self.cut_members(&mut batch.bytes)?
            }
        };
        match cut {
            CutPlace::Here(len) => {
                if let Some(file) = &shared {
                    self.left_there = batch.bytes.len();
                    batch.bytes.clear();
                    self.leave(file, len, batch);
                    return Ok(CutResult::Batch);
                }
                self.left.extend_from_slice(&batch.bytes[len..]);
                batch.bytes.truncate(len);
                self.start += len as u64;
                Ok(CutResult::Batch)
            }
            CutPlace::Nowhere if batch.bytes.is_empty() => Ok(CutResult::End),
            // This distance is so large that opening a stream costs little compared with reading.
            CutPlace::Nowhere => Ok(CutResult::StreamUntil(self.start + SEARCHED_BYTES as u64)),
            CutPlace::Single => Ok(CutResult::Stream),
        }
    }

    /// Assigns the next `len` bytes to the batch, unread.
    fn leave(&mut self, file: &Arc<InputFile>, len: usize, batch: &mut Batch) {
        let range = self.start..self.start + len as u64;
        self.start = range.end;
        self.left_there -= len;
        batch.unread = Some(PromisedRange::new(file, &self.name, range, &self.hasher));
    }

    /// Returns the number of bytes to read after the `before` bytes that follow the last cut. It
    /// extends them to the target size of a batch, or by at least [`READ_BYTES`].
    fn bytes_to_read(&self, before: usize) -> usize {
        let wanted = self.batch_bytes.saturating_sub(before).max(READ_BYTES);
        if !self.is_part && self.shared.is_none() {
            return wanted;
        }
        let left = self.len.saturating_sub(self.start + before as u64);
        wanted.min(usize::try_from(left).unwrap_or(usize::MAX))
    }

    /// Reads the next bytes. Sets `ended` at the end of the file.
    fn read(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        if !self.ended {
            let before = bytes.len();
            let wanted = self.bytes_to_read(before);
            let at = self.start + before as u64;
            if let Some(file) = &self.shared {
                // The hasher sees these bytes when the worker reads them.
                file.append_at(bytes, wanted, at)?;
            } else {
                bytes.reserve_exact(wanted);
                self.file.append_to(bytes, wanted as u64)?;
                self.hasher.add_at(at, &bytes[before..]);
            }
            let read = bytes.len() - before;
            self.ended = read < wanted || self.start + bytes.len() as u64 >= self.len;
        }
        Ok(())
    }

    /// Returns the place of the cut, if the end of the range shows it. It searches as far as
    /// [`Cutter::cut_members`] does when it reads.
    fn cut_unread(&mut self, file: &InputFile) -> io::Result<Option<usize>> {
        let before = self.left_there;
        while self.left_there < self.batch_bytes && !self.ended {
            self.left_there += self.bytes_to_read(self.left_there);
            self.ended = self.start + self.left_there as u64 >= self.len;
        }
        let (len, whole) = (self.left_there, self.ended);
        file.prefetch(self.start + before as u64, (len - before) as u64);
        if whole && len <= self.batch_bytes {
            // All remaining bytes are one batch. A first batch must be read, to check whether it is
            // a single member.
            return Ok((len > 0 && self.start > self.first).then_some(len));
        }
        self.tail.find_last(&mut self.members, file, self.start, (len, whole), self.batch_bytes)
    }

    /// Cuts between gzip members.
    fn cut_members(&mut self, bytes: &mut Vec<u8>) -> io::Result<CutPlace> {
        while bytes.len() < self.batch_bytes && !self.ended {
            self.read(bytes)?;
        }
        let all_fits = self.ended && bytes.len() <= self.batch_bytes;
        if !all_fits && let Some(at) = self.members.find_last(bytes, self.batch_bytes, self.ended) {
            return Ok(CutPlace::Here(at));
        }
        let farthest = self.batch_bytes.saturating_add(SEARCHED_BYTES);
        let mut from = self.batch_bytes.max(1);
        loop {
            if bytes.len() > from {
                match self.members.find_member(bytes, from, self.ended) {
                    Ok(at) if at <= farthest => return Ok(CutPlace::Here(at)),
                    Ok(_) => return Ok(CutPlace::Nowhere),
                    Err(next) => from = next,
                }
            }
            if from > farthest {
                return Ok(CutPlace::Nowhere);
            }
            if self.ended {
                let single = self.start == self.first
                    && !bytes.is_empty()
                    && self.members.find_member(bytes, 1, true).is_err();
                return Ok(match bytes.len() {
                    0 => CutPlace::Nowhere,
                    _ if single => CutPlace::Single,
                    all => CutPlace::Here(all),
                });
            }
            self.read(bytes)?;
        }
    }

    /// Cuts between frames, whose ends `extent` finds.
    fn cut_frames(
        &mut self,
        bytes: &mut Vec<u8>,
        extent: fn(&[u8]) -> FrameEnd,
    ) -> io::Result<CutPlace> {
        let (mut at, mut frames) = (0, 0);
        loop {
            match extent(&bytes[at..]) {
                FrameEnd::Whole(len) => {
                    frames += u32::from(skippable(&bytes[at..]).is_none());
                    at += len;
                    if at >= self.batch_bytes && at < bytes.len() {
                        return Ok(CutPlace::Here(at));
                    }
                }
                FrameEnd::Cut if !self.ended && bytes.len() <= at + SEARCHED_BYTES => {
                    self.read(bytes)?;
                }
                FrameEnd::Cut if self.ended => {
                    let single = self.start == self.first && frames == 1 && at == bytes.len();
                    return Ok(match bytes.len() {
                        0 => CutPlace::Nowhere,
                        _ if single => CutPlace::Single,
                        // The batch includes the bytes after the last whole frame; the unpacker
                        // will stop there.
                        all => CutPlace::Here(all),
                    });
                }
                FrameEnd::Bad | FrameEnd::Cut if at > 0 => return Ok(CutPlace::Here(at)),
                FrameEnd::Bad | FrameEnd::Cut => return Ok(CutPlace::Nowhere),
            }
        }
    }
}

/// The place of a cut.
enum CutPlace {
    /// After this many bytes.
    Here(usize),
    /// There is no place within reach, or the bytes do not begin with a member.
    Nowhere,
    /// The whole file is a single member, so it cannot be cut.
    Single,
}
