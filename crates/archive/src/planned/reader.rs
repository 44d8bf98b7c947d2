//! Reads planned records one by one, whatever bytes are at their places.

use super::plan;
use super::planned_file::PlannedFile;
use crate::batch::{Batch, Entry};
use crate::container::Container;
use crate::container::gzip::header::MAGIC as GZIP;
use crate::container::lz4::frame::MAGIC as LZ4;
use crate::container::zstd::frame::MAGIC as ZSTD;
use crate::latin1::utf8_or_latin1;
use crate::limits::Limits;
use crate::record::{Fault, FaultReason, Position};
use crate::warc::header::WarcHeader;
use crate::warc::reader::Flow;
use crate::warc::reader::RecordReader;
use std::io;
use std::sync::Arc;

/// Number of bytes after the indexed end of a record that are searched for the end of damage.
const DAMAGE_SEARCH_BYTES: u64 = 64 << 10;

/// The reason if no record begins at a planned place.
pub(crate) const NO_RECORD: &str = "no record begins there";

/// The reason if an earlier record of the plan has the same place.
pub(crate) const REPEATED_PLACE: &str = "the index has another record at the same place";

/// Reads the records of a plan.
pub(crate) struct PlannedReader {
    file: Arc<PlannedFile>,
    limits: Limits,
    next: usize,
    /// The last output of the record reader.
    decoded: Batch,
    /// Whether a record claimed a length above the limit.
    pub(crate) is_oversized: bool,
}

impl PlannedReader {
    /// Begins at a record of the plan.
    pub(crate) fn new(file: &Arc<PlannedFile>, next: u64, limits: &Limits) -> PlannedReader {
        PlannedReader {
            file: Arc::clone(file),
            limits: limits.clone(),
            next: usize::try_from(next).unwrap_or(usize::MAX),
            decoded: Batch::default(),
            is_oversized: false,
        }
    }

    /// Returns the number of the next record.
    pub(crate) fn next_record(&self) -> u64 {
        self.next as u64
    }

    /// Returns the number of bytes of the file up to the next record.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.file.offset_of(self.next)
    }

    /// Reads the next record into the batch, or adds a fault with the reason why it is not there.
    /// Returns false at the end.
    pub(crate) fn read_next(&mut self, batch: &mut Batch) -> io::Result<bool> {
        if self.next >= self.file.plan.len() {
            return Ok(false);
        }
        let at = self.next;
        self.next += 1;
        let offset = self.file.plan[at].offset;
        let entry = match self.read_planned(at)? {
            Ok(entry) => self.move_entry(entry, batch),
            Err(problem) => Entry::Fault(not_where_indexed(offset, &problem)),
        };
        batch.entries.push(entry);
        Ok(true)
    }

    /// Returns the record at a place of the plan, or the reason why it is not there.
    fn read_planned(&mut self, at: usize) -> io::Result<Result<Entry, String>> {
        let PlannedFile { plan, file, len, .. } = &*self.file;
        let offset = plan[at].offset;
        if plan::is_repeated(plan, at) {
            return Ok(Err(REPEATED_PLACE.to_owned()));
        }
        if offset >= *len {
            return Ok(Err(after_end_message(*len)));
        }
        let Some(archive) = self.file.archive_at(offset) else {
            return Ok(Err(NO_RECORD.to_owned()));
        };
        let mut head = [0; 4];
        let read = file.read_at(&mut head, offset)?;
        if !may_begin(archive.container, &head[..read]) {
            return Ok(Err(NO_RECORD.to_owned()));
        }
        // Without this limit, a damaged record would be searched to the end of the file.
        let stop = plan::stop(plan, at).saturating_add(DAMAGE_SEARCH_BYTES);
        let read_size = usize::try_from(stop - offset).unwrap_or(usize::MAX);
        let window = archive
            .window(offset, &self.limits, |raw| raw.with_stop(stop).with_read_size(read_size))
            .map_err(io::Error::other)?;
        let dialect = archive.format.dialect();
        let mut reader = RecordReader::new(window, dialect, self.limits.clone(), false);
        self.decoded.clear();
        while self.decoded.entries.is_empty() {
            if reader.read_next(&mut self.decoded, offset + 1)? != Flow::Entry {
                break;
            }
        }
        self.is_oversized |= reader.oversized;
        let is_cut = reader.window.reader().raw().is_stopped();
        Ok(self.check_entry(at, is_cut))
    }

    /// Returns the first entry that was read, if it is the planned record. `is_cut` states that
    /// reading ended before the end of the file.
    fn check_entry(&self, at: usize, is_cut: bool) -> Result<Entry, String> {
        let planned = &self.file.plan[at];
        let (position, header) = match self.decoded.entries.first() {
            Some(Entry::Record { bytes, position, .. }) => {
                (position, &self.decoded.bytes[bytes.clone()])
            }
            // A damaged record is accepted, unless the limit cut it.
            Some(Entry::Fault(fault)) if fault.reason != FaultReason::Garbage => {
                if is_cut && (fault.reason == FaultReason::Truncated || fault.at_end.is_some()) {
                    return Err("the record there does not end where the index says".to_owned());
                }
                (&fault.position, &fault.header[..])
            }
            Some(Entry::Fault(_) | Entry::Line { .. } | Entry::File { .. }) | None => {
                return Err(NO_RECORD.to_owned());
            }
        };
        let entry = &self.decoded.entries[0];
        let is_record = matches!(entry, Entry::Record { .. });
        match position.member {
            Some((start, _)) if start == planned.offset => {}
            None if !is_record => {}
            _ => return Err("no compressed member with exactly one record begins there".to_owned()),
        }
        let url = WarcHeader::parse(header).and_then(|header| header.target_uri());
        // The URL of a damaged record may be unknown.
        let Some(url) = url.or(is_record.then_some(b"")) else { return Ok(entry.clone()) };
        if plan::has_url(&self.file.plan, at, url) {
            return Ok(entry.clone());
        }
        Err(url_mismatch_message(url))
    }

    /// Moves the bytes of the entry into the batch, and returns the entry.
    fn move_entry(&self, mut entry: Entry, batch: &mut Batch) -> Entry {
        if let Entry::Record { bytes, position, .. } = &mut entry {
            let start = batch.bytes.len();
            batch.bytes.extend_from_slice(&self.decoded.bytes[bytes.clone()]);
            *bytes = start..batch.bytes.len();
            let is_plain = |offset: &u64| {
                let archive = self.file.archive_at(*offset);
                archive.is_some_and(|archive| archive.container == Container::Plain)
            };
            position.stream_offset = position.member.map(|(offset, _)| offset).filter(is_plain);
        }
        entry
    }
}

/// Returns whether a member or record may begin with these bytes. Without this check, each wrong
/// offset would cost a search.
pub(crate) fn may_begin(container: Container, bytes: &[u8]) -> bool {
    match container {
        Container::Gzip => bytes.starts_with(&GZIP[..2]),
        Container::Zstd => bytes.starts_with(&ZSTD),
        Container::Lz4 => bytes.starts_with(&LZ4),
        Container::Plain => bytes.first().is_some_and(u8::is_ascii_alphabetic),
    }
}

/// Returns the reason for an offset after the end of the file.
fn after_end_message(len: u64) -> String {
    format!("the file ends at byte {len}")
}

/// Returns the reason for a record whose URL differs from the index.
pub(crate) fn url_mismatch_message(url: &[u8]) -> String {
    let url: String = utf8_or_latin1(url).chars().take(200).collect();
    match url.as_str() {
        "" => "the record there has no URL".to_owned(),
        url => format!("the record there has another URL, '{url}'"),
    }
}

/// Returns the fault of a planned record.
pub(crate) fn not_where_indexed(offset: u64, problem: &str) -> Fault {
    Fault {
        reason: FaultReason::NotWhereIndexed,
        position: Position { member: Some((offset, 0)), stream_offset: None },
        header: Vec::new(),
        block: Vec::new(),
        detail: format!("{problem} (byte {offset})"),
        at_end: None,
    }
}
