//! One step of the record reader: the next record or fault.

use super::boundary::Boundary;
use super::bounds::record_len;
use super::header_end::{HeaderEnd, HeaderScan};
use super::reader::RecordReader;
use super::version_line::VersionLine;
use crate::batch::Batch;
use crate::container::window::Edge;
use crate::record::FaultReason;
use std::io;

/// How many bytes of a header above the limit are kept with its fault, for the type and URL of the record.
const HEADER_KEPT_BYTES: usize = 64 << 10;

/// What a step gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// At least one more entry in the batch.
    Entry,
    /// No entry: the next member begins at this offset, and no record is open.
    Border(u64),
    /// No entry: the input has ended.
    End,
}

impl RecordReader {
    /// Reads the next record or fault into the batch, or stops before a member that begins at `stop` or later.
    pub(super) fn step_one(&mut self, batch: &mut Batch, stop: u64) -> io::Result<Flow> {
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

    /// Whether the window stands at a version line, or at the beginning of one that the end of the run cuts off.
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

    /// Reads the record that the window stands at.
    fn record(&mut self, batch: &mut Batch) -> io::Result<()> {
        let mut scan = HeaderScan::default();
        let header = loop {
            match self.dialect.header_end(&mut scan, self.window.bytes(), &self.limits) {
                HeaderEnd::At(header) => break header,
                HeaderEnd::Interrupted(at) => {
                    let what = "header breaks off and another record begins";
                    self.emit_fault(batch, FaultReason::BadContentLength, at, 0, what);
                    self.window.consume(at);
                    return Ok(());
                }
                HeaderEnd::TooLarge(line) => {
                    let kept = &self.window.bytes()[..line.min(HEADER_KEPT_BYTES)];
                    let lines = kept.iter().rposition(|byte| *byte == b'\n').map_or(0, |lf| lf + 1);
                    let what = "header is too large";
                    self.emit_fault(batch, FaultReason::HeaderTooLarge, lines, 0, what);
                    // Past the first byte at least, or the search would find the same version line again.
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
                self.emit_record(batch, header, len, None);
                self.window.consume(len);
            }
            Boundary::Edge => self.last_of_run(batch, header, len),
            Boundary::Wrong => self.wrong_boundary(batch, header, len)?,
        }
        Ok(())
    }
}
