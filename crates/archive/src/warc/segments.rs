//! Segmented records: one record that a writer cut into several (WARC 1.1, section 7).
//!
//! The first segment is a record with `WARC-Segment-Number: 1`; the others are `continuation` records that name it. They are joined where
//! they follow one another: the first is shown with all their blocks, and after it the others as they are, so that every record of the
//! file is still shown once. A page whose last segment isn't there, since the writer put it into another file or since it is damaged, has
//! the field `WARC-Truncated: unspecified` added to its header.
//!
//! The fast path takes no first segment, so this is the only place that knows of segments.

use super::header::WarcHeader;
use super::reader::RecordReader;
use super::segment::{Segment, Segments};
use super::step::Flow;
use crate::batch::{Batch, Entry};
use crate::dialect::Dialect;
use std::io;
use std::ops::Range;

impl RecordReader {
    /// Reads the next entries into the batch, or stops before a member that begins at `stop` or later.
    pub(crate) fn step(&mut self, batch: &mut Batch, stop: u64) -> io::Result<Flow> {
        if self.dialect != Dialect::Warc {
            return self.step_one(batch, stop);
        }
        let before = batch.entries.len();
        loop {
            let seen = batch.entries.len();
            // A record that waits for its other segments is open.
            let stop = if self.segments.is_some() { u64::MAX } else { stop };
            let flow = self.step_one(batch, stop)?;
            self.gather(batch, seen);
            if flow == Flow::End {
                self.release(batch);
            }
            match flow {
                _ if batch.entries.len() > before => return Ok(Flow::Entry),
                Flow::Entry => {}
                end => return Ok(end),
            }
        }
    }

    /// Takes segments out of the batch, from entry `from` on, and puts joined records into it.
    fn gather(&mut self, batch: &mut Batch, from: usize) {
        let is_plain = |entry: &Entry| match entry {
            Entry::Record { bytes, header, .. } => {
                let header = &batch.bytes[bytes.start..bytes.start + header];
                WarcHeader::parse(header).is_none_or(|header| header.segment_number().is_none())
            }
            Entry::Line { .. } | Entry::File { .. } | Entry::Fault(_) => true,
        };
        if self.segments.is_none() && batch.entries[from..].iter().all(is_plain) {
            return;
        }
        for entry in batch.entries.split_off(from) {
            self.take(batch, entry);
            if self.segments.as_ref().is_some_and(|segments| segments.complete) {
                self.release(batch);
            }
        }
    }

    /// Takes one entry, whose bytes lie in the batch: holds it if it is a segment to be joined, else puts it into the batch.
    fn take(&mut self, batch: &mut Batch, entry: Entry) {
        let Entry::Record { bytes, header, position, repair } = &entry else {
            self.release(batch);
            batch.entries.push(entry);
            return;
        };
        let record = &batch.bytes[bytes.clone()];
        let parsed = WarcHeader::parse(&record[..*header]);
        let segment = parsed.as_ref().map_or(Segment::None, Segment::of);
        let block = record.len() - header;
        let hold = |segments: &mut Segments| {
            let start = segments.bytes.len();
            segments.bytes.extend_from_slice(record);
            let (position, repair) = (*position, *repair);
            let bytes = start..segments.bytes.len();
            segments.entries.push(Entry::Record { bytes, header: *header, position, repair });
        };
        match (segment, &mut self.segments) {
            (Segment::Later { origin, number, last }, Some(segments))
                if origin == segments.id
                    && number == segments.entries.len() as u64 + 1
                    && self.limits.record_bytes.saturating_sub(segments.joined) >= block =>
            {
                segments.joined += block;
                segments.complete = last;
                hold(segments);
            }
            (Segment::First(id), _) => {
                let mut segments = Segments {
                    id: id.to_vec(),
                    bytes: Vec::new(),
                    entries: Vec::new(),
                    joined: record.len(),
                    complete: false,
                };
                hold(&mut segments);
                self.release(batch);
                self.segments = Some(Box::new(segments));
            }
            (Segment::Later { .. }, Some(_)) => {
                // It may be that the limit is in its way, so with another limit another record would be found.
                self.oversized = true;
                self.release(batch);
                batch.entries.push(entry);
            }
            _ => {
                self.release(batch);
                batch.entries.push(entry);
            }
        }
    }

    /// Puts the record that was waiting, with all segments that were found, into the batch.
    fn release(&mut self, batch: &mut Batch) {
        const INCOMPLETE: &[u8] = b"WARC-Truncated: unspecified\r\n";
        let Some(segments) = self.segments.take() else { return };
        let parts: Vec<(Range<usize>, usize)> = segments.entries.iter().filter_map(place).collect();
        let Some((first, header)) = parts.first().cloned() else { return };
        let head = &segments.bytes[first.start..first.start + header];
        let is_told =
            segments.complete || WarcHeader::parse(head).is_some_and(|h| h.truncated().is_some());
        let start = batch.bytes.len();
        let fields = head.strip_suffix(b"\n").unwrap_or(head);
        let fields = fields.strip_suffix(b"\r").unwrap_or(fields);
        batch.bytes.extend_from_slice(fields);
        batch.bytes.extend_from_slice(if is_told { b"" } else { INCOMPLETE });
        batch.bytes.extend_from_slice(&head[fields.len()..]);
        let shown = batch.bytes.len() - start;
        for (bytes, header) in parts {
            batch.bytes.extend_from_slice(&segments.bytes[bytes.start + header..bytes.end]);
        }
        let mut joined = Some((start..batch.bytes.len(), shown));
        for mut entry in segments.entries {
            if let Entry::Record { bytes, header, .. } = &mut entry {
                if let Some((place, len)) = joined.take() {
                    (*bytes, *header) = (place, len);
                } else {
                    let start = batch.bytes.len();
                    batch.bytes.extend_from_slice(&segments.bytes[bytes.clone()]);
                    *bytes = start..batch.bytes.len();
                }
            }
            batch.entries.push(entry);
        }
    }
}

/// Where the bytes of a record lie, and the length of its header.
fn place(entry: &Entry) -> Option<(Range<usize>, usize)> {
    match entry {
        Entry::Record { bytes, header, .. } => Some((bytes.clone(), *header)),
        Entry::Line { .. } | Entry::File { .. } | Entry::Fault(_) => None,
    }
}
