//! The part of the record reader that handles records which do not end as their headers say. The
//! cause is a wrong Content-Length, a wrong checksum of the member, a length above the limit, or
//! bytes that are not a record. The reader repairs the record, skips it, or abandons it and
//! searches for the next one.

use super::search::Search;
use super::zeros::hole_in;
use crate::batch::Batch;
use crate::container::window::Edge;
use crate::record::{FaultReason, Repair};
use crate::warc::bounds::record_len;
use crate::warc::digest::contradicts_digest;
use crate::warc::reader::{Boundary, RecordReader};
use std::io;

impl RecordReader {
    /// Starts to search for a record here. `quiet` states that a fault for the skipped bytes has
    /// already been reported.
    pub(crate) fn start_resync(&mut self, quiet: bool) {
        self.search = Some(Search::new(&self.window, self.dialect, quiet));
    }

    /// Continues to search for a record. Reports the skipped bytes as garbage or as a hole; a quiet
    /// search reports only holes.
    pub(crate) fn continue_search(
        &mut self,
        mut search: Search,
        batch: &mut Batch,
    ) -> io::Result<()> {
        if !search.advance(&mut self.window)? {
            self.end_resync(search, batch);
        } else if search.is_to_report() {
            self.emit_garbage(batch, &search);
        }
        Ok(())
    }

    /// Ends a search that found no record in its run.
    fn end_resync(&mut self, mut search: Search, batch: &mut Batch) {
        match self.window.edge().cloned() {
            Some(Edge::Member { intact: false }) => {
                if !search.quiet {
                    self.lose(batch, 0, FaultReason::CorruptMember, "");
                }
                self.window.settle();
                search.quiet = true;
                self.search = Some(search);
            }
            // This damage is in a member whose fault has already been reported. A hole is reported
            // in any case: the input fails, since its writer did not finish it.
            Some(Edge::Broken(damage)) if search.quiet && damage.reason != FaultReason::Hole => {
                self.window.settle();
            }
            Some(Edge::Broken(damage)) => {
                self.emit_damage(batch, &damage, 0);
                self.window.settle();
            }
            _ if !search.is_to_report() => {}
            Some(Edge::Eof | Edge::Junk(_)) if search.padding && search.zeros.hole().is_none() => {}
            _ => {
                self.emit_garbage(batch, &search);
                self.window.settle();
            }
        }
    }

    /// Reports a record without a usable Content-Length, whose end is therefore unknown, and
    /// searches for the next one.
    pub(crate) fn bad_length(&mut self, batch: &mut Batch, header: usize, problem: &str) {
        self.emit_fault(batch, FaultReason::BadContentLength, header, 0, problem);
        self.window.consume(header);
        self.start_resync(true);
    }

    /// Abandons the record with which the window begins, and which is open at the end of its run.
    /// `reason` and `problem` apply if the run is undamaged. The fault of a truncated record keeps
    /// the part of the block that was read.
    pub(crate) fn lose(
        &mut self,
        batch: &mut Batch,
        header: usize,
        reason: FaultReason,
        problem: &str,
    ) {
        let all = self.window.bytes().len();
        match self.window.edge().cloned() {
            Some(Edge::Broken(damage)) => {
                self.emit_damage(batch, &damage, header);
            }
            Some(Edge::Member { intact: false }) => {
                let problem = "member has a wrong checksum";
                self.drop_pending();
                self.emit_fault(batch, FaultReason::CorruptMember, header, 0, problem);
                // The next bytes may be the rest of this record.
                self.window.consume(all);
                self.window.settle();
                self.start_resync(true);
                return;
            }
            _ => {
                let block = if reason == FaultReason::Truncated { all - header } else { 0 };
                self.emit_fault(batch, reason, header, block, problem);
            }
        }
        self.window.consume(all);
        self.window.settle();
    }
}

/// Number of bytes after a wrong end of a block that are read, to detect damage of the member.
const JUDGED_BYTES: usize = 1 << 20;

impl RecordReader {
    /// Handles a whole record that is the last in its run: emits it, or reports it as a fault if
    /// its member is damaged.
    pub(crate) fn last_of_run(&mut self, batch: &mut Batch, header: usize, len: usize) {
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
                self.emit_record(batch, header, len, Some(Repair::ChecksumMismatch));
                self.window.settle();
            }
            _ => {
                self.emit_record(batch, header, len, None);
                if hole_in(&self.window.bytes()[len..]).is_some() {
                    // More than padding is left: the next search reports it.
                    self.window.consume(len);
                    return;
                }
            }
        }
        // Only padding is left.
        self.window.consume(self.window.bytes().len());
    }

    /// Handles a record whose block is cut off by the end of the run: emits it or reports it as a
    /// fault.
    pub(crate) fn cut_block(&mut self, batch: &mut Batch, header: usize, claimed: usize) {
        if self.ends_well()
            && let Some(start) = self.dialect.find_start(&self.window.bytes()[header..], true, true)
        {
            self.cut_before(batch, header, header + start);
            return;
        }
        let sole = self.window.run().records == 0 && self.window.run().members == 1;
        match self.window.edge() {
            // If each member holds one record, the record ends with its member, whatever
            // Content-Length says. In a file that is compressed as a whole, or in blocks, a member
            // can end anywhere.
            Some(Edge::Border) => self.end_at_border(batch, header, claimed),
            Some(Edge::Eof) if sole => self.end_at_border(batch, header, claimed),
            _ => self.lose(batch, header, FaultReason::Truncated, "record ends early"),
        }
    }

    /// Ends the block at `end`, where another record or member begins. If the record's digest
    /// contradicts that block, Content-Length was right, and the rest of the record is reported
    /// missing.
    fn cut_before(&mut self, batch: &mut Batch, header: usize, end: usize) {
        let (head, rest) = self.window.bytes()[..end].split_at(header);
        let block = self.dialect.without_separator(rest);
        if contradicts_digest(head, &rest[..block]) && contradicts_digest(head, rest) {
            self.emit_fault(batch, FaultReason::Truncated, header, block, "record ends early");
        } else {
            self.emit_record(batch, header, header + block, Some(Repair::ContentLengthTooLong));
        }
        self.window.consume(end);
    }

    /// Ends the block at the end of its member.
    fn end_at_border(&mut self, batch: &mut Batch, header: usize, claimed: usize) {
        const BLANK_LINE: usize = 4;
        let all = self.window.bytes().len();
        if claimed - all > BLANK_LINE {
            self.cut_before(batch, header, all);
        } else {
            // Content-Length is too long by at most a blank line: the writer counted line ends, or
            // they were converted. All bytes belong to the block.
            self.emit_record(batch, header, all, Some(Repair::ContentLengthTooLong));
            self.window.consume(all);
        }
    }

    /// Handles a record whose block is followed by bytes other than padding and another record.
    pub(crate) fn wrong_boundary(
        &mut self,
        batch: &mut Batch,
        header: usize,
        len: usize,
    ) -> io::Result<()> {
        let (dialect, start_bytes) = (self.dialect, self.dialect.start_bytes());
        while self.window.bytes().len() < len + start_bytes && self.window.fill_across()? {}
        let bytes = self.window.bytes();
        let whole = bytes.len() < len + start_bytes;
        let searched = &bytes[header..bytes.len().min(len + start_bytes)];
        if let Some(start) =
            dialect.find_start(searched, true, whole).filter(|start| header + start < len)
        {
            self.cut_before(batch, header, header + start);
            return Ok(());
        }
        // This check precedes trust in the claimed length: if the member is damaged, the length may
        // be wrong too.
        let mut searched = len;
        loop {
            let bytes = &self.window.bytes()[searched..];
            let found = dialect.find_start(bytes, false, false).is_some();
            searched += bytes.len().saturating_sub(start_bytes);
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
        self.emit_record(batch, header, len, None);
        self.window.consume(len);
        self.pass_line_ends()?;
        self.start_resync(false);
        Ok(())
    }
}

/// Number of bytes of such a record that are held. They are searched if the run ends there and the
/// length was wrong.
const HELD_BYTES: usize = 8 << 20;

/// Number of wrong lengths in a plain file after which lengths above the limit are no longer
/// checked: each check costs two seeks.
const LIES: u32 = 64;

impl RecordReader {
    /// Skips the record with which the window begins. It has a header of `header` bytes and a
    /// Content-Length of `length`. If that length is wrong, reports it and searches for the next
    /// record.
    pub(crate) fn oversize(
        &mut self,
        batch: &mut Batch,
        header: usize,
        length: u64,
    ) -> io::Result<()> {
        self.oversized = true;
        let problem = format!("Content-Length {length} reaches beyond the end of the data");
        let len = record_len(header, length);
        let unread = len.saturating_sub(self.window.bytes().len() as u64);
        if self.lies >= LIES || !self.window.reader().may_hold(unread) {
            self.bad_length(batch, header, &problem);
            return Ok(());
        }
        let seekable = self.window.reader().is_plain() && self.window.reader().raw().is_seekable();
        if seekable && length > HELD_BYTES as u64 {
            return self.seek_over(batch, header, len);
        }
        let kept = len.min((header + HELD_BYTES) as u64) as usize;
        while self.window.bytes().len() < kept {
            if !self.window.fill_across()? {
                self.ends_too_soon(batch, header, &problem);
                return Ok(());
            }
        }
        if kept as u64 == len {
            if self.boundary(kept)? == Boundary::Wrong {
                self.bad_length(batch, header, "Content-Length is wrong");
            } else {
                let head = self.window.bytes()[..header].to_vec();
                self.window.consume(kept);
                self.too_large(batch, &head, len);
            }
            return Ok(());
        }
        self.read_over(batch, header, len)
    }

    /// Seeks to the claimed end and checks whether a record ends there.
    fn seek_over(&mut self, batch: &mut Batch, header: usize, len: u64) -> io::Result<()> {
        let start = self.window.offset();
        let head = self.window.bytes()[..header].to_vec();
        self.window.seek(start + len)?;
        if self.boundary(0)? == Boundary::Wrong {
            self.lies += 1;
            self.window.seek(start)?;
            while self.window.bytes().len() < header && self.window.fill()? {}
            // The file may have shrunk meanwhile.
            let header = header.min(self.window.bytes().len());
            self.bad_length(batch, header, "Content-Length is wrong");
        } else {
            self.too_large(batch, &head, len);
        }
        Ok(())
    }

    /// Reads to the claimed end and checks whether a record ends there.
    fn read_over(&mut self, batch: &mut Batch, header: usize, len: u64) -> io::Result<()> {
        let head = self.window.bytes()[..header].to_vec();
        let mut left = len;
        loop {
            let step = left.min(self.window.bytes().len() as u64);
            self.window.consume(step as usize);
            left -= step;
            if left == 0 {
                break;
            }
            if !self.window.fill_across()? {
                // The run ends earlier, and the skipped bytes are no longer available for a search.
                let problem = "record ends early";
                if self.ends_well() {
                    let reason = FaultReason::BadContentLength;
                    self.emit_fault_with(batch, reason, &head, Vec::new(), problem);
                } else {
                    self.report_skipped(batch, &head);
                }
                return Ok(());
            }
        }
        if self.boundary(0)? == Boundary::Wrong {
            let problem = "Content-Length is wrong";
            self.emit_fault_with(batch, FaultReason::BadContentLength, &head, Vec::new(), problem);
            self.start_resync(true);
        } else {
            self.too_large(batch, &head, len);
        }
        Ok(())
    }

    /// Reports a record that was skipped. The window is at its end.
    fn too_large(&mut self, batch: &mut Batch, head: &[u8], len: u64) {
        if self.window.bytes().iter().all(|b| b.is_ascii_whitespace() || *b == 0)
            && !self.ends_well()
        {
            self.report_skipped(batch, head);
            return;
        }
        let problem = format!("record of {len} bytes is too large");
        self.emit_fault_with(batch, FaultReason::TooLarge, head, Vec::new(), &problem);
        // This is not damage, so no later entry can make it part of larger damage.
        self.flush(batch);
    }

    /// Reports a record that was skipped and whose member is damaged.
    fn report_skipped(&mut self, batch: &mut Batch, head: &[u8]) {
        let problem = "member of a record that is too large is damaged";
        self.emit_fault_with(batch, FaultReason::CorruptMember, head, Vec::new(), problem);
        let all = self.window.bytes().len();
        self.window.consume(all);
        let rest = matches!(self.window.edge(), Some(Edge::Member { .. }));
        self.window.settle();
        if rest {
            self.start_resync(true);
        }
    }

    /// Reports a record whose run ends long before its claimed end.
    fn ends_too_soon(&mut self, batch: &mut Batch, header: usize, problem: &str) {
        if self.ends_well() {
            self.bad_length(batch, header, problem);
        } else {
            self.lose(batch, header, FaultReason::CorruptMember, "");
        }
    }
}
