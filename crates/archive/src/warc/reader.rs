//! Reads WARC and ARC records one by one, for [`RecordStream`](crate::RecordStream).
//!
//! [`RecordReader::read_next`] returns the next record or fault. `damage::lost_record` handles
//! records that do not end as their headers say.
//!
//! A writer may split one record into several segments (WARC 1.1, section 7). The first segment is
//! a record with `WARC-Segment-Number: 1`; the others are `continuation` records that name it. The
//! reader joins consecutive segments: it emits the first with all their blocks, and then the others
//! unchanged. Every record of the file therefore still appears once. If the last segment of a page
//! is missing, the reader adds the field `WARC-Truncated: unspecified` to the header. The fast path
//! leaves first segments to this reader, so only this module handles segments.

use super::bounds::{line_ends, record_len};
use super::header::WarcHeader;
use super::header_end::{HeaderEnd, HeaderScan};
use super::version_line::VersionLine;
use crate::batch::{Batch, Entry};
use crate::byte_order_mark::MARK;
use crate::container::event::Damage;
use crate::container::window::{Edge, Window};
use crate::damage::search::Search;
use crate::dialect::Dialect;
use crate::limits::Limits;
use crate::record::{Fault, FaultReason, Position, RecordType, Repair};
use std::io;
use std::ops::Range;

/// Reads records from a window, whether its bytes are damaged or not.
///
/// Between two records the reader is either at the expected start of a record or searching for one.
/// It emits a record only after it has checked the bytes after its block. Content-Length is right
/// if line ends and another record, or the end of the member or file, follow. Otherwise the reader
/// searches the block for a record that begins in it. A record whose block holds a WARC file
/// therefore stays whole.
///
/// Every decision depends only on the bytes of the input, never on the sizes of reads. Each byte is
/// searched at most a fixed number of times.
pub(crate) struct RecordReader {
    pub(crate) window: Window,
    pub(crate) dialect: Dialect,
    pub(crate) limits: Limits,
    /// Whether offsets in the window are offsets in the whole plain stream.
    pub(crate) known_origin: bool,
    /// The unfinished search for the next record, if any.
    pub(crate) search: Option<Search>,
    /// A fault that is held until the next entry, which may show that it is part of larger damage.
    pub(crate) pending: Option<Fault>,
    /// The record that waits for its other segments.
    pub(crate) segments: Option<Box<Segments>>,
    /// Number of records whose claimed length above the limit was wrong.
    pub(crate) lies: u32,
    /// Whether a record claimed a length above the limit.
    pub(crate) oversized: bool,
}

impl RecordReader {
    pub(crate) fn new(
        window: Window,
        dialect: Dialect,
        limits: Limits,
        known_origin: bool,
    ) -> Self {
        let (search, pending) = (None, None);
        RecordReader {
            window,
            dialect,
            limits,
            known_origin,
            search,
            pending,
            segments: None,
            lies: 0,
            oversized: false,
        }
    }

    /// Returns whether the run is undamaged to its end. True also if the end has not been read.
    pub(crate) fn ends_well(&self) -> bool {
        !matches!(self.window.edge(), Some(Edge::Broken(_) | Edge::Member { intact: false }))
    }
}

/// Number of blank bytes after a block that are enough to prove its length right.
const PADDING_BYTES: usize = 64 << 10;

/// The bytes after a block and its padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boundary {
    /// Another record.
    Record,
    /// The end of the run.
    Edge,
    /// Other bytes.
    Wrong,
}

impl RecordReader {
    /// Skips line ends, and a byte order mark at the start of the input.
    pub(crate) fn pass_line_ends(&mut self) -> io::Result<()> {
        if self.known_origin && self.window.offset() == 0 {
            while self.window.bytes().len() < MARK.len() && self.window.fill()? {}
            if self.window.bytes().starts_with(MARK) {
                self.window.consume(MARK.len());
            }
        }
        loop {
            let bytes = self.window.bytes();
            let ends = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let all = ends == bytes.len();
            self.window.consume(ends);
            if !all || !self.window.fill()? {
                return Ok(());
            }
        }
    }

    /// Finds out what follows the first `len` bytes of the window, after padding.
    pub(crate) fn boundary(&mut self, len: usize) -> io::Result<Boundary> {
        let mut at = len;
        loop {
            let bytes = self.window.bytes();
            let padding = |byte: &&u8| matches!(byte, b'\r' | b'\n' | b' ' | b'\t' | 0);
            at += bytes[at..].iter().take_while(padding).count();
            if at - len >= PADDING_BYTES {
                return Ok(Boundary::Record);
            }
            let more = if at == bytes.len() {
                if !self.window.fill()? {
                    return Ok(Boundary::Edge);
                }
                true
            } else {
                match self.dialect.first_line(&bytes[at..]) {
                    VersionLine::Whole(_) => return Ok(Boundary::Record),
                    // A version line that is cut off by the end of the input counts as one.
                    VersionLine::Unfinished => {
                        if !self.window.fill_across()? && self.ends_well() {
                            return Ok(Boundary::Record);
                        }
                        self.window.edge().is_none()
                    }
                    VersionLine::Absent => false,
                }
            };
            if !more {
                return Ok(Boundary::Wrong);
            }
        }
    }
}

/// Number of bytes of a header above the limit that are kept with its fault, for the type and URL
/// of the record.
const HEADER_KEPT_BYTES: usize = 64 << 10;

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// The batch has at least one more entry.
    Entry,
    /// No entry was added: the next member begins at this offset, and no record is open.
    Border(u64),
    /// No entry was added: the input has ended.
    End,
}

impl RecordReader {
    /// Reads the next record or fault into the batch, or stops before a member that begins at
    /// `stop` or later.
    pub(super) fn step_one(&mut self, batch: &mut Batch, stop: u64) -> io::Result<Flow> {
        let before = batch.entries.len();
        loop {
            if batch.entries.len() > before {
                return Ok(Flow::Entry);
            }
            if let Some(search) = self.search.take() {
                self.continue_search(search, batch)?;
                continue;
            }
            self.pass_line_ends()?;
            if !self.window.bytes().is_empty() {
                if self.at_version_line()? {
                    self.record(batch)?;
                } else {
                    self.start_resync(false);
                }
                continue;
            }
            match self.window.edge().cloned() {
                Some(Edge::Broken(damage) | Edge::Junk(damage)) => {
                    self.emit_damage(batch, &damage, 0);
                    self.window.settle();
                }
                Some(Edge::Member { intact: false }) => {
                    self.lose(batch, 0, FaultReason::CorruptMember, "");
                }
                _ if self.pending.is_some() => self.flush(batch),
                Some(Edge::Eof) => return Ok(Flow::End),
                Some(Edge::Member { intact: true } | Edge::Border) | None => {
                    self.window.cross();
                    self.window.fill()?;
                    let run = self.window.run();
                    if run.members > 0 && run.start >= stop {
                        return Ok(Flow::Border(run.start));
                    }
                }
            }
        }
    }

    /// Returns whether the window begins with a version line, or with the beginning of one that is
    /// cut off by the end of the run.
    fn at_version_line(&mut self) -> io::Result<bool> {
        loop {
            match self.dialect.first_line(self.window.bytes()) {
                VersionLine::Whole(_) => return Ok(true),
                VersionLine::Absent => return Ok(false),
                VersionLine::Unfinished => {
                    if !self.window.fill_across()? {
                        return Ok(true);
                    }
                }
            }
        }
    }

    /// Reads the record with which the window begins.
    fn record(&mut self, batch: &mut Batch) -> io::Result<()> {
        let mut scan = HeaderScan::default();
        let header = loop {
            match self.dialect.header_end(&mut scan, self.window.bytes(), &self.limits) {
                HeaderEnd::At(header) => break header,
                HeaderEnd::Interrupted(at) => {
                    let problem = "header ends in the middle and another record begins";
                    self.emit_fault(batch, FaultReason::BadContentLength, at, 0, problem);
                    self.window.consume(at);
                    return Ok(());
                }
                HeaderEnd::TooLarge(line) => {
                    let kept = &self.window.bytes()[..line.min(HEADER_KEPT_BYTES)];
                    let lines = kept.iter().rposition(|byte| *byte == b'\n').map_or(0, |lf| lf + 1);
                    let problem = "header is too large";
                    self.emit_fault(batch, FaultReason::HeaderTooLarge, lines, 0, problem);
                    // At least one byte is skipped, otherwise the search would find the same
                    // version line again.
                    self.window.consume(line.max(1));
                    self.start_resync(true);
                    return Ok(());
                }
                HeaderEnd::Beyond => {
                    if !self.window.fill_across()? {
                        let all = self.window.bytes().len();
                        self.lose(batch, all, FaultReason::Truncated, "header ends early");
                        return Ok(());
                    }
                }
            }
        };
        let length = match self.dialect.content_length(&self.window.bytes()[..header]) {
            Some(Ok(length)) => length,
            claim => {
                let problem = match claim {
                    Some(Err(error)) => error.to_string(),
                    _ => "header cannot be read".to_owned(),
                };
                self.bad_length(batch, header, &problem);
                return Ok(());
            }
        };
        let len = record_len(header, length);
        if len > self.limits.record_bytes as u64 {
            return self.oversize(batch, header, length);
        }
        let len = len as usize;
        while self.window.bytes().len() < len {
            if !self.window.fill_across()? {
                self.cut_block(batch, header, len);
                return Ok(());
            }
        }
        match self.boundary(len)? {
            Boundary::Record => {
                self.emit_record(batch, header, len, None);
                self.window.consume(len);
            }
            Boundary::Edge => self.last_of_run(batch, header, len),
            Boundary::Wrong => self.wrong_boundary(batch, header, len)?,
        }
        Ok(())
    }
}

impl RecordReader {
    /// Emits a fault for the bytes that a search has skipped.
    pub(crate) fn emit_garbage(&mut self, batch: &mut Batch, search: &Search) {
        let len = self.window.offset() - search.start;
        let position = self.position_of_fault(search.start, len);
        let place = position.member.map_or(search.start, |(offset, _)| offset);
        let hole = search.zeros.hole();
        let reason = if hole.is_some() { FaultReason::Hole } else { FaultReason::Garbage };
        let problem = hole.unwrap_or_else(|| format!("{len} bytes at which no record begins"));
        let fault = Fault {
            reason,
            position,
            header: Vec::new(),
            block: Vec::new(),
            detail: format!("{problem} (byte {place})"),
            at_end: None,
        };
        self.hold(batch, fault);
    }

    /// Appends an entry to the batch, after the pending fault.
    fn push(&mut self, batch: &mut Batch, entry: Entry) {
        self.flush(batch);
        batch.entries.push(entry);
    }

    /// Holds a fault. If the next entry shows that the member around it is damaged, both are
    /// reported as one.
    fn hold(&mut self, batch: &mut Batch, fault: Fault) {
        self.flush(batch);
        self.pending = Some(fault);
    }

    /// Appends the pending fault to the batch.
    pub(crate) fn flush(&mut self, batch: &mut Batch) {
        batch.entries.extend(self.pending.take().map(Entry::Fault));
    }

    /// Drops the pending fault, since it is part of larger damage.
    pub(crate) fn drop_pending(&mut self) {
        self.pending = None;
    }

    /// Emits the record with which the window begins. It has `len` bytes, of which the first
    /// `header` are its header.
    pub(crate) fn emit_record(
        &mut self,
        batch: &mut Batch,
        header: usize,
        len: usize,
        repair: Option<Repair>,
    ) {
        let bytes = self.window.bytes();
        let offset = self.window.offset();
        let run = self.window.run();
        let member = if self.window.reader().is_plain() {
            Some((offset, (len + line_ends(&bytes[len..])) as u64))
        } else {
            let at_edge = self.window.edge().is_some() && run.end > run.start;
            let rest = &bytes[len..];
            let alone = run.records == 0 && run.members == 1 && at_edge;
            let fills = rest.iter().all(|b| b.is_ascii_whitespace() || *b == 0);
            (alone && fills).then(|| (run.start, run.end - run.start))
        };
        let position = Position { member, stream_offset: self.known_origin.then_some(offset) };
        let start = batch.bytes.len();
        let (head, block) = bytes[..len].split_at(header);
        self.dialect.show_header(head, &mut batch.bytes);
        let header = batch.bytes.len() - start;
        batch.bytes.extend_from_slice(block);
        let bytes = start..batch.bytes.len();
        self.push(batch, Entry::Record { bytes, header, position, repair });
        self.window.run_mut().records += 1;
    }

    /// Emits a fault of the record with which the window begins. Its header is the first `header`
    /// bytes, its block the next `block` bytes.
    pub(crate) fn emit_fault(
        &mut self,
        batch: &mut Batch,
        reason: FaultReason,
        header: usize,
        block: usize,
        problem: &str,
    ) {
        let (header, block) = self.window.bytes()[..header + block].split_at(header);
        let (header, block) = (header.to_vec(), block.to_vec());
        self.emit_fault_with(batch, reason, &header, block, problem);
    }

    /// As [`RecordReader::emit_fault`], with header and block from the caller.
    pub(crate) fn emit_fault_with(
        &mut self,
        batch: &mut Batch,
        reason: FaultReason,
        header: &[u8],
        block: Vec<u8>,
        problem: &str,
    ) {
        let offset = self.window.offset();
        let position = self.position_of_fault(offset, (header.len() + block.len()) as u64);
        let place = position.member.map_or(offset, |(offset, _)| offset);
        let detail = format!("{problem} (byte {place})");
        let rest = self.window.bytes().get(header.len() + block.len()..).unwrap_or_default();
        let cut = reason == FaultReason::Truncated && self.window.edge() == Some(&Edge::Eof);
        let at_end = (cut && rest.trim_ascii().is_empty()).then(|| {
            let run = self.window.run();
            let alone = run.records == 0 && run.members == 1;
            let of_run = || alone.then_some((run.start, run.end - run.start));
            let plain = self.window.reader().is_plain();
            let member = if plain { position.member } else { of_run() };
            Position { member, ..position }
        });
        let header = self.visible_header(header);
        self.hold(batch, Fault { reason, position, header, block, detail, at_end });
        self.window.run_mut().records += 1;
    }

    /// Emits damage of the container. The first `header` bytes of the window are the header of the
    /// open record; 0 if no record is open.
    pub(crate) fn emit_damage(&mut self, batch: &mut Batch, damage: &Damage, header: usize) {
        let run = self.window.run();
        let (header, rest) = self.window.bytes().split_at(header);
        let claimed = || self.dialect.content_length(header)?.ok();
        let block =
            if damage.at_end { claimed().and_then(|len| complete_block(len, rest)) } else { None };
        let alone = run.records == 0 && run.members == 1;
        let at_end = block.map(|_| Position {
            member: alone.then_some((run.start, damage.end - run.start)),
            stream_offset: self.known_origin.then(|| self.window.offset()),
        });
        let (header, block) = (self.visible_header(header), block.unwrap_or_default().to_vec());
        let start = if run.members > 0 && matches!(self.window.edge(), Some(Edge::Broken(_))) {
            run.start
        } else {
            damage.start
        };
        let position = Position {
            member: Some((start, damage.end - start)),
            stream_offset: self.known_origin.then(|| self.window.offset()),
        };
        if matches!(self.window.edge(), Some(Edge::Broken(_))) {
            self.drop_pending();
        }
        let (reason, detail) = (damage.reason, damage.detail.clone());
        let fault = Fault { reason, position, header, block, detail, at_end };
        self.hold(batch, fault);
    }

    /// Returns the WARC header under which a fault with this header is shown.
    fn visible_header(&self, header: &[u8]) -> Vec<u8> {
        let mut shown = Vec::new();
        self.dialect.show_header(header, &mut shown);
        shown
    }

    /// Returns the position of a fault. In a plain file it is the range of its bytes. In a
    /// compressed file it is the start of its run, without a length, since the end of the run may
    /// be far away.
    fn position_of_fault(&self, offset: u64, len: u64) -> Position {
        let plain = self.window.reader().is_plain();
        let member = if plain { (offset, len) } else { (self.window.run().start, 0) };
        let stream_offset = self.known_origin.then_some(offset);
        Position { member: Some(member), stream_offset }
    }
}

/// Returns the block of a record at whose end, or within which, the input ends: the first `claimed`
/// bytes of `rest`. Returns `None` if more than padding follows them.
fn complete_block(claimed: u64, rest: &[u8]) -> Option<&[u8]> {
    let end = usize::try_from(claimed).unwrap_or(usize::MAX).min(rest.len());
    let (block, padding) = rest.split_at(end);
    padding.iter().all(|b| b.is_ascii_whitespace() || *b == 0).then_some(block)
}

/// A record that waits for its other segments, and the segments that were found.
pub(crate) struct Segments {
    /// WARC-Record-ID of the first segment.
    pub(super) id: Vec<u8>,
    /// Header and block of all segments, one after another.
    pub(super) bytes: Vec<u8>,
    /// The entries, with ranges in `bytes`.
    pub(super) entries: Vec<Entry>,
    /// Length of the joined record in bytes.
    pub(super) joined: usize,
    /// Whether the last segment was found.
    pub(super) complete: bool,
}

/// The segment fields of a header.
pub(super) enum Segment<'a> {
    /// The record is the first segment of the record with this identifier.
    First(&'a [u8]),
    /// The record is segment `number` of the record `origin`; `last` states whether it is the last
    /// segment.
    Later {
        origin: &'a [u8],
        number: u64,
        last: bool,
    },
    None,
}

impl<'a> Segment<'a> {
    pub(super) fn from_header(header: &WarcHeader<'a>) -> Self {
        match (header.record_type(), header.segment_number()) {
            (RecordType::Continuation, Some(number)) => {
                let Some(origin) = header.segment_origin() else { return Segment::None };
                let last = header.get("WARC-Segment-Total-Length").is_some();
                Segment::Later { origin, number, last }
            }
            (_, Some(1)) => header.record_id().map_or(Segment::None, Segment::First),
            _ => Segment::None,
        }
    }
}

impl RecordReader {
    /// Reads the next entries into the batch, or stops before a member that begins at `stop` or
    /// later.
    pub(crate) fn read_next(&mut self, batch: &mut Batch, stop: u64) -> io::Result<Flow> {
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

    /// Takes segments out of the batch, from entry `from` on, and adds joined records to it.
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

    /// Takes one entry, whose bytes are in the batch. Holds it if it is a segment to be joined,
    /// else adds it to the batch.
    fn take(&mut self, batch: &mut Batch, entry: Entry) {
        let Entry::Record { bytes, header, position, repair } = &entry else {
            self.release(batch);
            batch.entries.push(entry);
            return;
        };
        let record = &batch.bytes[bytes.clone()];
        let parsed = WarcHeader::parse(&record[..*header]);
        let segment = parsed.as_ref().map_or(Segment::None, Segment::from_header);
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
                // The limit may be the reason, so another limit could give another record.
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

    /// Adds the waiting record, with all segments that were found, to the batch.
    fn release(&mut self, batch: &mut Batch) {
        const INCOMPLETE: &[u8] = b"WARC-Truncated: unspecified\r\n";
        let Some(segments) = self.segments.take() else { return };
        let parts: Vec<(Range<usize>, usize)> =
            segments.entries.iter().filter_map(record_range).collect();
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

/// Returns the range of a record's bytes, and the length of its header.
fn record_range(entry: &Entry) -> Option<(Range<usize>, usize)> {
    match entry {
        Entry::Record { bytes, header, .. } => Some((bytes.clone(), *header)),
        Entry::Line { .. } | Entry::File { .. } | Entry::Fault(_) => None,
    }
}
