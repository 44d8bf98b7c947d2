//! Reads the lines of JSONL, and the rows of CSV as such lines.
//!
//! The reader skips bytes without meaning, so that every command reads the same rows:
//!
//! * byte order marks before any line,
//! * NULs at the ends of a line of JSON,
//! * blank lines,
//! * a few zeros at the end of the file,
//! * holes, which it reports.

use crate::batch::{Batch, Entry};
use crate::byte_order_mark::MARK;
use crate::container::event::Damage;
use crate::container::window::{Edge, Window};
use crate::csv::{Csv, CsvRow};
use crate::damage::zeros::{LINE_HOLE_BYTES, hole_of, is_padding};
use crate::jsonl::is_object;
use crate::record::{Fault, FaultReason, Position};
use memchr::memchr;
use std::io;

/// Length in bytes above which a hole at the start of an input may have been skipped by the
/// detection of the format.
const LARGE_HOLE: u64 = 64 << 10;

/// Reads lines from a window, and continues after damage.
pub(crate) struct LineReader {
    window: Window,
    /// Longest line in bytes.
    line_bytes: usize,
    /// Whether offsets in the window are offsets in the whole plain stream.
    known_origin: bool,
    /// Number of bytes of the current line that have been searched for its end; at most `clean`.
    seen: usize,
    /// Number of bytes from the current position to the next hole, as far as they have been
    /// searched.
    clean: usize,
    /// Length in bytes of the run of zeros after the clean bytes, as far as it has been read. A run
    /// of [`LINE_HOLE_BYTES`] or more is a hole.
    zeros: usize,
    /// The part to skip, if the current position is inside a line.
    skip: SkippedPart,
    /// Number of bytes of a hole at the start of the input that the detection skipped.
    passed: u64,
    /// The state of the table, if lines are its rows.
    table: Option<Csv>,
}

/// A part of the input that the reader skips.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SkippedPart {
    Nothing,
    /// The rest of a line, for which a fault was emitted.
    Line,
    /// The rest of a row of a table, for which a fault was emitted.
    Row,
    Hole(Hole),
    /// The rest of the line or row in which this hole ends.
    AfterHole(Hole),
}

/// A hole that is skipped.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Hole {
    /// Offset of its first byte in the plain stream.
    start: u64,
    /// Number of its bytes that have been skipped.
    bytes: u64,
    /// Whether it begins at the start of a line.
    is_at_start: bool,
}

impl LineReader {
    pub(crate) fn new(window: Window, line_bytes: usize, known_origin: bool) -> Self {
        // Only holes, a byte order mark and line ends are skipped before; the latter are shorter
        // than a large hole.
        let passed = if known_origin { window.offset() } else { 0 };
        LineReader {
            passed: if passed > LARGE_HOLE { passed } else { 0 },
            window,
            line_bytes,
            known_origin,
            seen: 0,
            clean: 0,
            zeros: 0,
            skip: SkippedPart::Nothing,
            table: None,
        }
    }

    /// Returns a reader of the rows of a table with this separator.
    pub(crate) fn with_separator(mut self, separator: u8) -> Self {
        self.table = Some(Csv::new(separator));
        self
    }

    pub(crate) fn window(&self) -> &Window {
        &self.window
    }

    /// Reads the next line or fault into the batch. Returns false at the end of the input.
    pub(crate) fn read_next(&mut self, batch: &mut Batch) -> io::Result<bool> {
        loop {
            let skip = self.skip;
            match skip {
                SkippedPart::Hole(hole) => {
                    if self.pass_hole(hole, batch)? {
                        return Ok(true);
                    }
                    continue;
                }
                SkippedPart::AfterHole(hole) if self.continue_after(hole)? => continue,
                SkippedPart::Nothing if self.seen == 0 => self.pass_mark()?,
                _ => {}
            }
            self.look_for_hole();
            let end = self.find_end();
            if matches!(self.skip, SkippedPart::Line | SkippedPart::Row) {
                self.consume(end.map_or(self.seen, |end| end + 1));
                if end.is_some() {
                    self.begin_line();
                }
            } else if self.seen > self.line_bytes {
                let problem = format!("line is longer than {} bytes", self.line_bytes);
                self.fault(batch, FaultReason::TooLarge, &problem);
                self.give_up_row(end);
                return Ok(true);
            } else if let Some(end) = end
                && self.line(batch, end, end + 1)
            {
                return Ok(true);
            }
            if end.is_some() {
                continue;
            }
            if self.is_at_hole() {
                if self.enter_hole(batch) {
                    return Ok(true);
                }
                continue;
            }
            if self.window.fill_lines()? {
                continue;
            }
            if self.zeros > 0 {
                // The zeros are too few for a hole, so they are bytes of the line.
                self.clean += std::mem::take(&mut self.zeros);
                continue;
            }
            if let Some(more) = self.end(batch) {
                return Ok(more);
            }
        }
    }

    /// Skips bytes that were searched for holes.
    fn consume(&mut self, count: usize) {
        self.window.consume(count);
        self.seen = self.seen.saturating_sub(count);
        self.clean = self.clean.saturating_sub(count);
    }

    /// Sets the state for the start of a line.
    fn begin_line(&mut self) {
        self.seen = 0;
        self.skip = SkippedPart::Nothing;
        if let Some(table) = &mut self.table {
            table.begin_row();
        }
    }

    /// Skips byte order marks at the start of a line. Concatenated files may have marks in the
    /// middle.
    fn pass_mark(&mut self) -> io::Result<()> {
        while self.window.bytes().first() == Some(&MARK[0]) {
            if self.window.bytes().starts_with(MARK) {
                self.consume(MARK.len());
            } else if !MARK.starts_with(self.window.bytes()) || !self.window.fill_lines()? {
                break;
            }
        }
        Ok(())
    }

    /// Searches the bytes that were read since the last call, up to the first hole.
    fn look_for_hole(&mut self) {
        let bytes = self.window.bytes();
        let mut at = self.clean + self.zeros;
        while self.zeros < LINE_HOLE_BYTES && at < bytes.len() {
            if self.zeros == 0 {
                self.clean = memchr(0, &bytes[at..]).map_or(bytes.len(), |zero| at + zero);
                at = self.clean;
            }
            let rest = &bytes[at..];
            let zeros = rest.iter().position(|byte| *byte != 0).unwrap_or(rest.len());
            self.zeros += zeros;
            at += zeros;
            if self.zeros < LINE_HOLE_BYTES && at < bytes.len() {
                self.clean = at;
                self.zeros = 0;
            }
        }
    }

    /// Returns whether a hole comes at the current place of the search for the end of the line.
    fn is_at_hole(&self) -> bool {
        self.zeros >= LINE_HOLE_BYTES
    }

    /// Returns the place of the last byte of the line: a line feed or, in a table, a carriage
    /// return. The search ends at the next hole.
    fn find_end(&mut self) -> Option<usize> {
        let bytes = &self.window.bytes()[..self.clean];
        let end = match &mut self.table {
            Some(table) if self.skip == SkippedPart::Line => table.find_line_end(bytes, self.seen),
            Some(table) => table.find_end(bytes, self.seen),
            None => memchr(b'\n', &bytes[self.seen..]).map(|lf| self.seen + lf).ok_or(bytes.len()),
        };
        self.seen = end.unwrap_or_else(|searched| searched);
        end.ok()
    }

    /// Begins to skip the hole that cuts the current line. Emits the bytes before the hole if they
    /// are a whole line. Returns true if it emitted a line.
    fn enter_hole(&mut self, batch: &mut Batch) -> bool {
        let before = self.clean;
        let is_line = self.skip == SkippedPart::Nothing;
        // A row of a table cannot be known to be whole.
        let is_whole = is_line
            && self.table.is_none()
            && is_object(without_nuls(&self.window.bytes()[..before]).trim_ascii());
        let is_new = is_whole && self.line(batch, before, before);
        let is_at_start = is_line && (before == 0 || is_whole);
        self.consume(before - if is_whole { before } else { 0 });
        self.begin_line();
        let start = self.window.offset();
        let passed = std::mem::take(&mut self.passed);
        let bytes = if passed == start { passed } else { 0 };
        self.zeros = 0;
        self.skip = SkippedPart::Hole(Hole { start: start - bytes, bytes, is_at_start });
        is_new
    }

    /// Skips the zeros of a hole. Reports the hole at its end, unless it pads the file. Returns
    /// true if it reported the hole.
    fn pass_hole(&mut self, mut hole: Hole, batch: &mut Batch) -> io::Result<bool> {
        loop {
            let bytes = self.window.bytes();
            let zeros = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
            let is_over = zeros < bytes.len();
            self.window.consume(zeros);
            hole.bytes += zeros as u64;
            self.skip = SkippedPart::Hole(hole);
            if is_over || !self.window.fill_lines()? {
                break;
            }
        }
        let is_last = self.window.bytes().is_empty();
        if is_last && matches!(self.window.edge(), Some(Edge::Member { intact: false })) {
            // The line continues in the next member, and so may the hole.
            self.corrupt_member(batch);
            return Ok(true);
        }
        self.skip = SkippedPart::AfterHole(hole);
        let is_at_end = is_last && self.window.edge() == Some(&Edge::Eof);
        if is_at_end && hole.is_at_start && is_padding(hole.bytes) {
            return Ok(false);
        }
        let place = Position {
            member: self.window.reader().is_plain().then_some((hole.start, hole.bytes)),
            stream_offset: self.known_origin.then_some(hole.start),
        };
        let detail = format!("{} (byte {} of the text)", hole_of(hole.bytes), hole.start);
        push_fault(batch, FaultReason::Hole, place, detail);
        Ok(true)
    }

    /// Decides how the bytes after a hole are read. Returns true if the caller must call it again,
    /// after this function has read more bytes.
    fn continue_after(&mut self, hole: Hole) -> io::Result<bool> {
        self.look_for_hole();
        if self.table.is_none() {
            let bytes = &self.window.bytes()[..self.clean];
            let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
            let blanks = bytes.iter().position(|byte| !is_blank(byte)).unwrap_or(bytes.len());
            self.consume(blanks);
        }
        let bytes = &self.window.bytes()[..self.clean];
        let mut is_line = match &mut self.table {
            Some(table) => table.continue_in(bytes, hole.is_at_start, false),
            // Bytes that do not begin as an object are the end of a row that began in the hole.
            None => bytes.first().map(|byte| matches!(byte, b'{' | b'\n')),
        };
        if is_line.is_none() {
            if !self.is_at_hole() && self.window.fill_lines()? {
                return Ok(true);
            }
            let bytes = &self.window.bytes()[..self.clean];
            let table = self.table.as_mut();
            is_line = table.and_then(|table| table.continue_in(bytes, hole.is_at_start, true));
        }
        self.skip = match is_line {
            Some(true) => SkippedPart::Nothing,
            _ if self.table.is_some() => SkippedPart::Row,
            _ => SkippedPart::Line,
        };
        Ok(false)
    }

    /// Skips bytes that hold no row, up to `end`. Without an end the quote of a table may be open,
    /// so only its own line is skipped.
    fn give_up_row(&mut self, end: Option<usize>) {
        if let Some(end) = end {
            self.consume(end + 1);
            self.begin_line();
            return;
        }
        self.begin_line();
        self.skip = SkippedPart::Line;
    }

    /// Emits the line of `len` bytes with which the window begins, unless it is blank, and moves
    /// `next` bytes on to the next one. Returns true if there is a new entry.
    fn line(&mut self, batch: &mut Batch, len: usize, next: usize) -> bool {
        let line = &self.window.bytes()[..len];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line_end = match self.window.bytes().get(len) {
            Some(b'\n') if self.table.is_none() => 1 + (len - line.len()) as u8,
            _ => 0,
        };
        let start = batch.bytes.len();
        let mut blank = line.is_empty();
        let mut fault = None;
        match &mut self.table {
            // A tab may be between two values that are null.
            Some(_) if blank => {}
            Some(table) => match table.push(line, &mut batch.bytes) {
                CsvRow::Json => {}
                CsvRow::Names => blank = true,
                CsvRow::Fault(problem) => fault = Some(problem),
            },
            None => {
                let line = without_nuls(line);
                blank = line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
                if !blank {
                    batch.bytes.extend_from_slice(line);
                }
            }
        }
        if let Some(problem) = fault {
            self.fault(batch, FaultReason::BadRow, &problem);
        } else if !blank {
            let bytes = start..batch.bytes.len();
            let position = self.position(next as u64);
            let length = next as u64;
            batch.entries.push(Entry::Line { bytes, position, length, line_end });
        }
        self.consume(next);
        self.begin_line();
        !blank
    }

    /// Handles the end of a run. Returns `Some` with the result of the step, or `None` if the step
    /// continues.
    fn end(&mut self, batch: &mut Batch) -> Option<bool> {
        let all = self.window.bytes().len();
        match self.window.edge().cloned() {
            Some(Edge::Broken(damage) | Edge::Junk(damage)) => {
                self.damage(damage, batch);
                Some(true)
            }
            Some(Edge::Member { intact: false }) => {
                self.corrupt_member(batch);
                Some(true)
            }
            Some(Edge::Eof) if self.skip != SkippedPart::Nothing => {
                self.consume(all);
                self.begin_line();
                None
            }
            // A few zeros at the end of a file are padding.
            Some(Edge::Eof) if self.window.bytes().iter().all(|byte| *byte == 0) => Some(false),
            Some(Edge::Eof) if self.table.as_ref().is_some_and(Csv::is_open) => {
                self.fault(batch, FaultReason::BadRow, "a quote is never closed");
                self.give_up_row(None);
                Some(true)
            }
            Some(Edge::Eof) => {
                if let Some(end) = self.table.as_ref().and_then(Csv::last_end) {
                    return self.line(batch, end, end + 1).then_some(true);
                }
                let zeros = self.window.bytes().iter().rev().take_while(|byte| **byte == 0);
                let len = all - zeros.count();
                self.line(batch, len, all).then_some(true)
            }
            _ => None,
        }
    }

    /// Reports damage of the container, which includes the open line. The next member begins with
    /// another line.
    fn damage(&mut self, damage: Damage, batch: &mut Batch) {
        let position = Position {
            member: Some((damage.start, damage.end - damage.start)),
            stream_offset: self.known_origin.then(|| self.window.offset()),
        };
        push_fault(batch, damage.reason, position, damage.detail);
        self.consume(self.window.bytes().len());
        (self.clean, self.zeros) = (0, 0);
        self.begin_line();
        self.window.settle();
        self.window.cross();
    }

    fn corrupt_member(&mut self, batch: &mut Batch) {
        self.fault(batch, FaultReason::CorruptMember, "member has a wrong checksum");
        self.window.settle();
    }

    fn position(&self, len: u64) -> Position {
        let offset = self.window.offset();
        Position {
            member: self.window.reader().is_plain().then_some((offset, len)),
            stream_offset: self.known_origin.then_some(offset),
        }
    }

    fn fault(&mut self, batch: &mut Batch, reason: FaultReason, problem: &str) {
        let detail = format!("{problem} (byte {} of the text)", self.window.offset());
        push_fault(batch, reason, self.position(0), detail);
    }
}

fn push_fault(batch: &mut Batch, reason: FaultReason, position: Position, detail: String) {
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

/// Returns a line without the NULs that some writers leave before and after it.
fn without_nuls(line: &[u8]) -> &[u8] {
    let text = line.trim_ascii();
    if text.first() != Some(&0) && text.last() != Some(&0) {
        return line;
    }
    let is_blank = |byte: &u8| matches!(byte, 0 | b' ' | b'\t' | b'\r');
    let start = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_blank(byte)).map_or(start, |last| last + 1);
    text[start..end].strip_prefix(MARK).unwrap_or(&text[start..end])
}
