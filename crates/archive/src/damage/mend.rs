//! Records that don't end where their Content-Length says, or whose member has a wrong checksum.

use super::zeros::hole_in;
use crate::batch::Batch;
use crate::container::window::Edge;
use crate::record::{FaultReason, Repair};
use crate::warc::digest::contradicts_digest;
use crate::warc::reader::RecordReader;
use std::io;

/// How many bytes after a block that ends wrongly are read, to see whether the member is damaged.
const JUDGED_BYTES: usize = 1 << 20;

impl RecordReader {
    /// Gives a whole record that nothing follows in its run.
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
                    // More than padding: the search that comes next reports it.
                    self.window.consume(len);
                    return;
                }
            }
        }
        // Only padding is left.
        self.window.consume(self.window.bytes().len());
    }

    /// Gives a record whose block the end of the run cuts off, or reports it as a fault.
    pub(crate) fn cut_block(&mut self, batch: &mut Batch, header: usize, claimed: usize) {
        if self.ends_well()
            && let Some(start) = self.dialect.find_start(&self.window.bytes()[header..], true, true)
        {
            self.cut_before(batch, header, header + start);
            return;
        }
        let sole = self.window.run().records == 0 && self.window.run().members == 1;
        match self.window.edge() {
            // Where each member holds a record, the record ends with its member, whatever Content-Length says. In a file that
            // is compressed as a whole, or in pieces, a member can end anywhere.
            Some(Edge::Border) => self.end_at_border(batch, header, claimed),
            Some(Edge::Eof) if sole => self.end_at_border(batch, header, claimed),
            _ => self.lose(batch, header, FaultReason::Truncated, "record ends early"),
        }
    }

    /// Ends the block at `end`, where another record or member begins. But if the record's digest contradicts that block, then
    /// Content-Length was right and the rest of the record is missing.
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
            // Too long by a blank line at most: the writer counted line ends, or they were converted. All bytes belong to the block.
            self.emit_record(batch, header, all, Some(Repair::ContentLengthTooLong));
            self.window.consume(all);
        }
    }

    /// Gives a record whose block is followed by something other than padding and another record.
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
        // Before the claimed length is believed: if the member is damaged, the length may be too.
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
