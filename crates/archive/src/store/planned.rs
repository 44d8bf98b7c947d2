//! Reading those records of an archive alone that an index names.
//!
//! The records are read in the order of the file, and nothing of the file is read twice: a stream goes on from one record to the next
//! one where that is near, and is opened anew where it is not. So what a record gives is what a run over the whole file gives for it,
//! damage included, and the time is linear in what the index names and in the bytes of the file, whatever either holds.

use crate::batch::{Batch, Entry};
use crate::damage::repairer::Repairer;
use crate::error::ArchiveError;
use crate::format::{Container, Format};
use crate::record::{Fault, FaultReason, Position};
use crate::store::seen::{InputDigest, Seen};
use crate::stream::{Reached, RecordStream};
use crate::warc::header::WarcHeader;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::num::NonZeroU64;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use twox_hash::XxHash3_64;

/// Number of plain bytes after which a batch is full.
const BATCH_BYTES: usize = 1 << 20;

/// Number of entries after which a batch is full.
const BATCH_ENTRIES: usize = 4096;

/// The stream goes on to the next record where it begins at most so many bytes further on in the file: reading them costs about as
/// much as opening the file anew.
const NEAR_BYTES: u64 = 128 << 10;

/// Most bytes of a record that [`planned_seen`] digests, and how many where its length is not known.
const DIGESTED_BYTES: u64 = 4 << 20;
const DIGESTED_UNKNOWN: u64 = 64 << 10;

/// A record that an index names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Planned {
    /// Offset in bytes in the file.
    pub offset: u64,
    /// What [`Planned::url_key`] gives for its URL. `None` if the index doesn't say it.
    pub url: Option<NonZeroU64>,
    /// Length in bytes in the file, if the index says it. It decides how much is read at once, and nothing else.
    pub length: Option<NonZeroU64>,
}

impl Planned {
    /// A number by which two URLs are compared: 64 bits of XXH3, so that a plan of many millions of records needs 24 bytes for each.
    /// Indexes write the spaces of a URL as `%20`, and WARC files of some writers have `<` and `>` around it; neither counts.
    pub fn url_key(url: &[u8]) -> Option<NonZeroU64> {
        let url = url.trim_ascii();
        let url = url.strip_prefix(b"<").and_then(|url| url.strip_suffix(b">")).unwrap_or(url);
        let key = if url.contains(&b' ') {
            let mut written = Vec::with_capacity(url.len() + 16);
            for byte in url {
                match byte {
                    b' ' => written.extend_from_slice(b"%20"),
                    byte => written.push(*byte),
                }
            }
            XxHash3_64::oneshot(&written)
        } else {
            XxHash3_64::oneshot(url)
        };
        NonZeroU64::new(key).or(NonZeroU64::new(1))
    }
}

/// What a run sees of a file of which it reads these records alone: a digest of their bytes, up to `most` bytes. `plan` is in the order
/// of the file. Stretches that overlap count once.
///
/// # Errors
///
/// The file cannot be read.
pub fn planned_seen(path: &Path, plan: &[Planned], most: u64) -> io::Result<Seen> {
    let mut file = File::open(path)?;
    let mut digest = InputDigest::default();
    let mut at = 0;
    while at < plan.len() && digest.seen().bytes < most {
        see(&mut digest, &mut file, plan, at)?;
        at += 1;
    }
    Ok(digest.seen())
}

/// Digests the record at a place of the plan, as far as the next one.
fn see(digest: &mut InputDigest, file: &mut File, plan: &[Planned], at: usize) -> io::Result<()> {
    let Planned { offset, length, .. } = plan[at];
    let length = length.map_or(DIGESTED_UNKNOWN, NonZeroU64::get).min(DIGESTED_BYTES);
    let next = plan.get(at + 1).map_or(u64::MAX, |next| next.offset);
    file.seek(SeekFrom::Start(offset.min(i64::MAX as u64)))?;
    digest.read(&mut file.take(length), length.min(next.saturating_sub(offset)))
}

/// Reads the records of a plan.
pub(crate) struct PlannedReader {
    from: Repairer,
    plan: Arc<[Planned]>,
    /// Place in the plan of the next record.
    next: usize,
    file: File,
    len: u64,
    stream: Option<RecordStream>,
    /// What the stream gave last, and which of its entries comes next.
    given: Batch,
    entry: usize,
    reached: Reached,
    /// No record is looked for before this offset: what lies there has been read.
    place: u64,
    digest: InputDigest,
}

impl PlannedReader {
    /// A reader of these records of a file; they are in the order of the file.
    ///
    /// # Errors
    ///
    /// The file cannot be opened again, or its records have no offsets in the file.
    pub(crate) fn new(from: Repairer, plan: Arc<[Planned]>) -> Result<Self, ArchiveError> {
        if !matches!(from.format, Format::Warc | Format::Arc) {
            let what = "an index leads to records of WARC and ARC files, and it is none";
            return Err(from.error(0, io::Error::new(io::ErrorKind::InvalidData, what)));
        }
        let (file, len) = from.file()?;
        Ok(PlannedReader {
            from,
            plan,
            next: 0,
            file,
            len,
            stream: None,
            given: Batch::default(),
            entry: 0,
            reached: Reached::Full,
            place: 0,
            digest: InputDigest::default(),
        })
    }

    /// Clears the batch and fills it with the next records. False if there are no more.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(crate) fn next_batch(&mut self, batch: &mut Batch) -> Result<bool, ArchiveError> {
        batch.clear();
        while self.next < self.plan.len()
            && batch.bytes.len() < BATCH_BYTES
            && batch.entries.len() < BATCH_ENTRIES
        {
            let first = self.next;
            let offset = self.plan[first].offset;
            while self.plan.get(self.next).is_some_and(|planned| planned.offset == offset) {
                see(&mut self.digest, &mut self.file, &self.plan, self.next)
                    .map_err(|error| self.from.error(offset, error))?;
                self.next += 1;
            }
            self.add(first, batch)?;
        }
        Ok(!batch.entries.is_empty())
    }

    /// Bytes of the file up to the record that was read last.
    pub(crate) fn bytes_read(&self) -> u64 {
        if self.next == self.plan.len() { self.len } else { self.place.min(self.len) }
    }

    /// What has been seen of the planned records.
    pub(crate) fn seen(&self) -> Seen {
        self.digest.seen()
    }

    /// A stream over the file from the next planned record on.
    pub(crate) fn into_stream(self) -> Result<RecordStream, ArchiveError> {
        self.from.at(self.plan.get(self.next).map_or(self.len, |planned| planned.offset))
    }

    /// Adds the record at an offset, or says that it is not there. All planned from `first` to `next` have that offset: at most one of
    /// them can be right.
    fn add(&mut self, first: usize, batch: &mut Batch) -> Result<(), ArchiveError> {
        let offset = self.plan[first].offset;
        let (found, what) = match self.find(self.plan[first])? {
            Ok(entry) => match self.is_as_planned(&entry, first) {
                Ok(()) => {
                    self.take(entry, batch);
                    (1, "the index has other records at the same place".to_owned())
                }
                Err(what) => (0, what),
            },
            Err(what) => (0, what),
        };
        for _ in first + found..self.next {
            batch.entries.push(Entry::Fault(not_there(offset, &what)));
        }
        Ok(())
    }

    /// Whether what begins at the offset is one of the records that are planned from `first` on.
    fn is_as_planned(&self, entry: &Entry, first: usize) -> Result<(), String> {
        let header = match entry {
            Entry::Record { bytes, .. } => &self.given.bytes[bytes.clone()],
            Entry::Fault(fault) if fault.reason == FaultReason::Garbage => {
                return Err("no record begins there".to_owned());
            }
            Entry::Fault(fault) => &fault.header[..],
            Entry::Line { .. } => return Err("no record begins there".to_owned()),
        };
        let header = WarcHeader::parse(header);
        let url = header.as_ref().and_then(WarcHeader::target_uri);
        // Of a damaged member nothing may be known.
        let Some(url) = url.or_else(|| matches!(entry, Entry::Record { .. }).then_some(b"")) else {
            return Ok(());
        };
        let key = Planned::url_key(url);
        let is_it = |planned: &Planned| planned.url.is_none() || planned.url == key;
        if self.plan[first..self.next].iter().any(is_it) {
            return Ok(());
        }
        let url: String = String::from_utf8_lossy(url).chars().take(200).collect();
        Err(match url.as_str() {
            "" => "the record there has no URL".to_owned(),
            url => format!("the record there has another URL, '{url}'"),
        })
    }

    /// The entry at an offset, or why there is none.
    fn find(&mut self, planned: Planned) -> Result<Result<Entry, String>, ArchiveError> {
        let offset = planned.offset;
        if offset >= self.len {
            return Ok(Err(format!("the file ends at byte {}", self.len)));
        }
        if offset < self.place {
            return Ok(Err("it lies within what was read before it".to_owned()));
        }
        if !self.may_begin(offset).map_err(|error| self.from.error(offset, error))? {
            return Ok(Err("no record begins there".to_owned()));
        }
        let is_near = |stream: &RecordStream| offset <= stream.bytes_read() + NEAR_BYTES;
        if !self.stream.as_ref().is_some_and(is_near) {
            self.stream = Some(self.from.at_in_reads(offset, planned.length)?);
            self.given.clear();
            (self.entry, self.reached) = (0, Reached::Full);
        }
        let Some(stream) = &mut self.stream else { return Ok(Err(String::new())) };
        loop {
            while let Some(entry) = self.given.entries.get(self.entry) {
                let position = match entry {
                    Entry::Record { position, .. } | Entry::Line { position, .. } => position,
                    Entry::Fault(fault) => &fault.position,
                };
                match position.member {
                    Some((at, length)) if at == offset => {
                        self.entry += 1;
                        self.place = at + length.max(1);
                        return Ok(Ok(entry.clone()));
                    }
                    // The next planned record may be this one.
                    Some((at, _)) if at > offset => {
                        self.place = at;
                        return Ok(Err(
                            "no record with a member of its own begins there".to_owned()
                        ));
                    }
                    _ => self.entry += 1,
                }
            }
            match self.reached {
                Reached::End => {
                    self.place = self.len;
                    return Ok(Err("no record with a member of its own begins there".to_owned()));
                }
                Reached::Border(at) if at > offset => {
                    self.place = at;
                    return Ok(Err("no record with a member of its own begins there".to_owned()));
                }
                Reached::Full | Reached::Border(_) => {}
            }
            self.reached = stream.next_entry_until(&mut self.given, offset + 1)?;
            self.entry = 0;
        }
    }

    /// Whether a member or record may begin at an offset. Without this, each wrong offset would cost a search.
    fn may_begin(&self, offset: u64) -> io::Result<bool> {
        let mut head = [0; 4];
        let read = self.file.read_at(&mut head, offset)?;
        Ok(match self.from.container {
            Container::Gzip => head.starts_with(b"\x1f\x8b"),
            Container::Zstd => head == [0x28, 0xb5, 0x2f, 0xfd],
            Container::Lz4 => head == [0x04, 0x22, 0x4d, 0x18],
            Container::Plain => read == head.len() && head[0].is_ascii_alphabetic(),
        })
    }

    /// Puts an entry of the stream into the batch.
    fn take(&self, mut entry: Entry, batch: &mut Batch) {
        if let Entry::Record { bytes, position, .. } = &mut entry {
            let start = batch.bytes.len();
            batch.bytes.extend_from_slice(&self.given.bytes[bytes.clone()]);
            *bytes = start..batch.bytes.len();
            position.stream_offset = None;
        }
        batch.entries.push(entry);
    }
}

/// The failure of a planned record.
fn not_there(offset: u64, what: &str) -> Fault {
    Fault {
        reason: FaultReason::NotWhereIndexed,
        position: Position { member: Some((offset, 0)), stream_offset: None },
        header: Vec::new(),
        block: Vec::new(),
        detail: format!("byte {offset}: {what}"),
        at_end: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_compared_as_indexes_and_archives_write_them() {
        let key = Planned::url_key(b"http://a.example/x%20y");
        assert_eq!(Planned::url_key(b"<http://a.example/x y>"), key);
        assert_ne!(Planned::url_key(b"http://a.example/x"), key);
        assert!(Planned::url_key(b"").is_some());
    }
}
