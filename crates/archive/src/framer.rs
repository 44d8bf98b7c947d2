//! Records out of a window, whatever state it is in.
//!
//! Between two records the framer either stands where one should begin, or is resynchronising after something that was
//! none. A record is given only when what follows its block has been looked at: line ends and another record, or the end
//! of the member or file, show that Content-Length told the truth. Only if they don't is the block searched for a record
//! that begins in it, so one that rightly holds a WARC file stays whole.
//!
//! Every decision depends on the bytes of the input alone, never on how they came in, and no byte is searched more than
//! a fixed number of times.

use crate::batch::Batch;
use crate::digest::contradicts_digest;
use crate::frame::{
    HeaderEnd, HeaderScan, START_BYTES, find_start, record_len, without_blank_line,
};
use crate::header::{VersionLine, WarcHeader, version_line};
use crate::limits::Limits;
use crate::record::{Fault, FaultReason, Repair};
use crate::search::Search;
use crate::window::{Edge, Window};
use std::io;

/// Blank bytes behind a block after which nobody wonders any more whether its length was right.
const PADDING_BYTES: usize = 64 << 10;

/// How far behind a block with a wrong boundary its member is searched for its end, which may say that it is damaged.
const JUDGED_BYTES: usize = 1 << 20;

/// How much of an overlong header is kept to tell what it belonged to.
const HEADER_KEPT_BYTES: usize = 64 << 10;

/// What a step gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// One more entry in the batch.
    Entry,
    /// None; nothing is open, and the next member begins at this offset.
    Border(u64),
    /// None; the input has ended.
    End,
}

/// Reads one entry after another.
pub(crate) struct Framer {
    pub(crate) window: Window,
    pub(crate) limits: Limits,
    /// Whether offsets in the window are offsets in the whole plain stream.
    pub(crate) known_origin: bool,
    /// Goes on before anything else is read.
    pub(crate) search: Option<Search>,
    /// A fault that is told before whatever comes next, unless that shows it to be part of another.
    pub(crate) pending: Option<Fault>,
    /// How many claims of overlong records turned out to be lies.
    pub(crate) lies: u32,
}

/// What follows a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boundary {
    /// Another record.
    Record,
    /// The end of the run.
    Edge,
    /// Something else.
    Wrong,
}

impl Framer {
    pub(crate) fn new(window: Window, limits: Limits, known_origin: bool) -> Self {
        Framer { window, limits, known_origin, search: None, pending: None, lies: 0 }
    }

    /// Reads the next record or fault into the batch, or stops before a member that begins at `stop` or later.
    pub(crate) fn step(&mut self, batch: &mut Batch, stop: u64) -> io::Result<Flow> {
        let before = batch.entries.len();
        loop {
            if batch.entries.len() > before {
                return Ok(Flow::Entry);
            }
            if let Some(search) = self.search.take() {
                self.go_on_resync(search, batch)?;
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
                    self.damage(batch, &damage, Vec::new());
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

    /// Passes over the line ends before a record, and a byte order mark at the start of the input.
    fn pass_line_ends(&mut self) -> io::Result<()> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
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

    /// Whether a version line is here, or the start of one that the end of the run cuts off.
    fn at_version_line(&mut self) -> io::Result<bool> {
        loop {
            match version_line(self.window.bytes()) {
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

    /// Reads the record that begins here.
    fn record(&mut self, batch: &mut Batch) -> io::Result<()> {
        let mut scan = HeaderScan::default();
        let header = loop {
            match scan.advance(self.window.bytes(), &self.limits) {
                HeaderEnd::At(header) => break header,
                HeaderEnd::Interrupted(at) => {
                    let what = "header breaks off and another record begins";
                    self.fault(batch, FaultReason::BadContentLength, at, 0, what);
                    self.window.consume(at);
                    return Ok(());
                }
                HeaderEnd::TooLarge(line) => {
                    let kept = &self.window.bytes()[..line.min(HEADER_KEPT_BYTES)];
                    let lines = kept.iter().rposition(|byte| *byte == b'\n').map_or(0, |lf| lf + 1);
                    self.fault(batch, FaultReason::HeaderTooLarge, lines, 0, "header is too large");
                    // At least past its version line, or it would be found again.
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
        let parsed = WarcHeader::parse(&self.window.bytes()[..header]);
        let length = match parsed.map(|parsed| parsed.content_length()) {
            Some(Ok(length)) => length,
            claim => {
                let what = match claim {
                    Some(Err(error)) => error.to_string(),
                    _ => "header cannot be read".to_owned(),
                };
                self.bad_length(batch, header, &what);
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
                self.emit(batch, header, len, None);
                self.window.consume(len);
            }
            Boundary::Edge => self.last_of_run(batch, header, len),
            Boundary::Wrong => self.wrong_boundary(batch, header, len)?,
        }
        Ok(())
    }

    /// Finds out what follows `len` bytes from here.
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
                match version_line(&bytes[at..]) {
                    VersionLine::Whole(_) => return Ok(Boundary::Record),
                    // One that the end of the input cuts off is one all the same.
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

    /// Whether what the run holds can be trusted to its end.
    pub(crate) fn ends_well(&self) -> bool {
        !matches!(self.window.edge(), Some(Edge::Broken(_) | Edge::Member { intact: false }))
    }

    /// A whole record that nothing follows in its run.
    fn last_of_run(&mut self, batch: &mut Batch, header: usize, len: usize) {
        match self.window.edge() {
            Some(Edge::Broken(_)) => {
                self.lose(batch, header, FaultReason::CorruptMember, "");
                return;
            }
            Some(Edge::Member { intact: false }) => {
                let (head, block) = self.window.bytes()[..len].split_at(header);
                if contradicts_digest(head, block) {
                    self.lose(batch, header, FaultReason::CorruptMember, "");
                    return;
                }
                self.emit(batch, header, len, Some(Repair::ChecksumMismatch));
                self.window.settle();
            }
            _ => self.emit(batch, header, len, None),
        }
        // Nothing but padding is left.
        self.window.consume(self.window.bytes().len());
    }

    /// The run ended within the block.
    fn cut_block(&mut self, batch: &mut Batch, header: usize, claimed: usize) {
        if self.ends_well()
            && let Some(start) = find_start(&self.window.bytes()[header..], true, true)
        {
            self.cut_before(batch, header, header + start);
            return;
        }
        let sole = self.window.run().records == 0 && self.window.run().members == 1;
        match self.window.edge() {
            // The border of a member is the truth where each holds a record; only a file that is compressed as a
            // whole, or in pieces, can end anywhere.
            Some(Edge::Border) => self.end_at_border(batch, header, claimed),
            Some(Edge::Eof) if sole => self.end_at_border(batch, header, claimed),
            _ => self.lose(batch, header, FaultReason::Truncated, "record ends early"),
        }
    }

    /// Ends the block before another record that begins at `end`. If its digest speaks against that, it was not the
    /// length that lied: the rest of the record is missing.
    fn cut_before(&mut self, batch: &mut Batch, header: usize, end: usize) {
        let (head, rest) = self.window.bytes()[..end].split_at(header);
        let block = without_blank_line(rest);
        if contradicts_digest(head, &rest[..block]) && contradicts_digest(head, rest) {
            self.fault(batch, FaultReason::Truncated, header, block, "record ends early");
        } else {
            self.emit(batch, header, header + block, Some(Repair::ContentLengthTooLong));
        }
        self.window.consume(end);
    }

    /// Ends the block where its member does.
    fn end_at_border(&mut self, batch: &mut Batch, header: usize, claimed: usize) {
        const BLANK_LINE: usize = 4;
        let all = self.window.bytes().len();
        if claimed - all > BLANK_LINE {
            self.cut_before(batch, header, all);
        } else {
            // Off by no more than a blank line: line ends were counted, or converted on the way. All there is, is block.
            self.emit(batch, header, all, Some(Repair::ContentLengthTooLong));
            self.window.consume(all);
        }
    }

    /// Something that is neither padding nor a record follows the block.
    fn wrong_boundary(&mut self, batch: &mut Batch, header: usize, len: usize) -> io::Result<()> {
        while self.window.bytes().len() < len + START_BYTES && self.window.fill_across()? {}
        let bytes = self.window.bytes();
        let whole = bytes.len() < len + START_BYTES;
        let searched = &bytes[header..bytes.len().min(len + START_BYTES)];
        if let Some(start) = find_start(searched, true, whole).filter(|start| header + start < len)
        {
            self.cut_before(batch, header, header + start);
            return Ok(());
        }
        // Before the block is taken as it is claimed: if the member is damaged, so may be the claim.
        let mut searched = len;
        loop {
            let bytes = &self.window.bytes()[searched..];
            let found = find_start(bytes, false, false).is_some();
            searched += bytes.len().saturating_sub(START_BYTES);
            if found || searched - len >= JUDGED_BYTES {
                break;
            }
            if !self.window.fill()? {
                if let Some(Edge::Broken(_) | Edge::Member { intact: false }) = self.window.edge() {
                    self.lose(batch, header, FaultReason::CorruptMember, "");
                    return Ok(());
                }
                break;
            }
        }
        self.emit(batch, header, len, None);
        self.window.consume(len);
        self.pass_line_ends()?;
        self.start_resync(false);
        Ok(())
    }

    /// A record without a usable Content-Length: it can't be told where it ends.
    pub(crate) fn bad_length(&mut self, batch: &mut Batch, header: usize, what: &str) {
        self.fault(batch, FaultReason::BadContentLength, header, 0, what);
        self.window.consume(header);
        self.start_resync(true);
    }

    /// Gives up the record that begins here and is open at the end of its run. The reason given is that for a run
    /// whose end is sound. Of a truncated record the block is kept.
    pub(crate) fn lose(
        &mut self,
        batch: &mut Batch,
        header: usize,
        reason: FaultReason,
        what: &str,
    ) {
        let all = self.window.bytes().len();
        match self.window.edge().cloned() {
            Some(Edge::Broken(damage)) => {
                let header = self.window.bytes()[..header].to_vec();
                self.damage(batch, &damage, header);
            }
            Some(Edge::Member { intact: false }) => {
                let what = "member has a wrong checksum";
                self.merge();
                self.fault(batch, FaultReason::CorruptMember, header, 0, what);
                // What follows may be the rest of this record.
                self.window.consume(all);
                self.window.settle();
                self.start_resync(true);
                return;
            }
            _ => {
                let block = if reason == FaultReason::Truncated { all - header } else { 0 };
                self.fault(batch, reason, header, block, what);
            }
        }
        self.window.consume(all);
        self.window.settle();
    }
}
