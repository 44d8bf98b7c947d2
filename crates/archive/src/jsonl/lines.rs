//! The reader of JSONL lines, and of the rows of CSV as such lines.

use crate::batch::{Batch, Entry};
use crate::container::window::{Edge, Window};
use crate::csv::{Csv, Row};
use crate::damage::zeros::hole_in;
use crate::record::{Fault, FaultReason, Position};
use memchr::memchr;
use std::io;

/// Reads lines out of a window, whatever state the bytes are in.
pub(crate) struct LineReader {
    pub(crate) window: Window,
    /// Longest line in bytes.
    line_bytes: usize,
    /// Whether offsets in the window are offsets in the whole plain stream.
    known_origin: bool,
    /// How many bytes of the current line have been searched for its end.
    seen: usize,
    /// Whether the current line is too long, for which a fault was emitted.
    overlong: bool,
    /// Where lines are the rows of a table.
    table: Option<Csv>,
}

impl LineReader {
    pub(crate) fn new(window: Window, line_bytes: usize, known_origin: bool) -> Self {
        LineReader { window, line_bytes, known_origin, seen: 0, overlong: false, table: None }
    }

    /// Reads the rows of a table that has this separator.
    pub(crate) fn of_table(mut self, separator: u8) -> Self {
        self.table = Some(Csv::new(separator));
        self
    }

    /// Reads the next line or fault into the batch. False at the end of the input.
    pub(crate) fn step(&mut self, batch: &mut Batch) -> io::Result<bool> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        if self.known_origin && self.window.offset() == 0 && self.seen == 0 {
            while self.window.bytes().len() < MARK.len() && self.window.fill_lines()? {}
            if self.window.bytes().starts_with(MARK) {
                self.window.consume(MARK.len());
            }
        }
        loop {
            let bytes = self.window.bytes();
            let end = match &mut self.table {
                Some(table) if !self.overlong => table.find_end(bytes, self.seen),
                _ => memchr(b'\n', &bytes[self.seen..]).map(|lf| self.seen + lf),
            };
            self.seen = end.unwrap_or(bytes.len());
            if self.overlong {
                self.window.consume(end.map_or(self.seen, |lf| lf + 1));
                self.seen = 0;
                self.overlong = end.is_none();
            } else if self.seen > self.line_bytes {
                let (reason, what) = if let Some(hole) = hole_in(bytes) {
                    (FaultReason::Hole, hole)
                } else {
                    let what = format!("line is longer than {} bytes", self.line_bytes);
                    (FaultReason::TooLarge, what)
                };
                self.fault(batch, reason, &what);
                self.give_up_row(end);
                return Ok(true);
            } else if let Some(end) = end {
                if self.line(batch, end, end + 1) {
                    return Ok(true);
                }
                continue;
            }
            if end.is_some() || self.window.fill_lines()? {
                continue;
            }
            if let Some(more) = self.end(batch) {
                return Ok(more);
            }
        }
    }

    /// Passes over what is no row, which ends at `end`. If no end was found, a quote of a table may not be closed; then its own line
    /// is passed over, and no more.
    fn give_up_row(&mut self, end: Option<usize>) {
        self.overlong = true;
        if let Some(table) = &mut self.table {
            table.begin_row();
        }
        if self.table.is_some() && end.is_none() {
            self.seen = memchr(b'\n', self.window.bytes()).unwrap_or(self.seen);
        }
    }

    /// Emits the line of `len` bytes that the window stands at, unless it is blank, and goes on to the next one, `next` bytes on.
    /// True if there is a new entry.
    fn line(&mut self, batch: &mut Batch, len: usize, next: usize) -> bool {
        let line = &self.window.bytes()[..len];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line_end = match self.window.bytes().get(len) {
            Some(b'\n') if self.table.is_none() => 1 + (len - line.len()) as u8,
            _ => 0,
        };
        let mut blank = line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
        let start = batch.bytes.len();
        let mut fault = None;
        match &mut self.table {
            // A tab may stand between two values that are null.
            Some(table) => {
                table.begin_row();
                blank = line.is_empty();
                if !blank {
                    match table.push(line, &mut batch.bytes) {
                        Row::Json => {}
                        Row::Names => blank = true,
                        Row::Fault(what) => fault = Some(what),
                    }
                }
            }
            None if !blank => batch.bytes.extend_from_slice(line),
            None => {}
        }
        if let Some(what) = fault {
            self.fault(batch, FaultReason::BadRow, &what);
        } else if !blank {
            let bytes = start..batch.bytes.len();
            let position = self.position(next as u64);
            let length = next as u64;
            batch.entries.push(Entry::Line { bytes, position, length, line_end });
        }
        self.window.consume(next);
        self.seen = 0;
        !blank
    }

    /// Deals with the end of a run. `Some` with the result of the step; `None` if the step goes on.
    fn end(&mut self, batch: &mut Batch) -> Option<bool> {
        let all = self.window.bytes().len();
        match self.window.edge().cloned() {
            Some(Edge::Broken(damage) | Edge::Junk(damage)) => {
                let position = Position {
                    member: Some((damage.start, damage.end - damage.start)),
                    stream_offset: self.known_origin.then(|| self.window.offset()),
                };
                let (reason, detail) = (damage.reason, damage.detail);
                let (header, block) = (Vec::new(), Vec::new());
                batch.entries.push(Entry::Fault(Fault {
                    reason,
                    position,
                    header,
                    block,
                    detail,
                    at_end: None,
                }));
                // An open line is part of the damage. The next member begins with another line.
                self.window.consume(all);
                self.seen = 0;
                self.overlong = false;
                if let Some(table) = &mut self.table {
                    table.begin_row();
                }
                self.window.settle();
                self.window.cross();
                Some(true)
            }
            Some(Edge::Member { intact: false }) => {
                self.fault(batch, FaultReason::CorruptMember, "member has a wrong checksum");
                self.window.settle();
                Some(true)
            }
            // A few zeros at the end of a file are padding.
            Some(Edge::Eof) if is_padding(self.window.bytes()) => Some(false),
            Some(Edge::Eof) if self.table.as_ref().is_some_and(Csv::is_open) => {
                self.fault(batch, FaultReason::BadRow, "a quote is never closed");
                self.give_up_row(None);
                Some(true)
            }
            Some(Edge::Eof) => self.line(batch, all, all).then_some(true),
            _ => None,
        }
    }

    fn position(&self, len: u64) -> Position {
        let offset = self.window.offset();
        Position {
            member: self.window.feed().is_plain().then_some((offset, len)),
            stream_offset: self.known_origin.then_some(offset),
        }
    }

    fn fault(&mut self, batch: &mut Batch, reason: FaultReason, what: &str) {
        let position = self.position(0);
        let detail = format!("{what} (byte {} of the text)", self.window.offset());
        let (header, block) = (Vec::new(), Vec::new());
        batch.entries.push(Entry::Fault(Fault {
            reason,
            position,
            header,
            block,
            detail,
            at_end: None,
        }));
    }
}

fn is_padding(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0) && hole_in(bytes).is_none()
}
