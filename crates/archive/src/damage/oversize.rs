//! Records above [`Limits::record_bytes`](crate::Limits::record_bytes): passed over without being held in memory, once it is known
//! that their claimed length is right.

use crate::batch::Batch;
use crate::container::window::Edge;
use crate::record::FaultReason;
use crate::warc::boundary::Boundary;
use crate::warc::bounds::record_len;
use crate::warc::reader::RecordReader;
use std::io;

/// How many bytes of such a record are held, so that they can be searched if the run ends there and the length was wrong.
const HELD_BYTES: usize = 8 << 20;

/// Number of wrong lengths in a plain file after which lengths above the limit are no longer checked: each costs two seeks.
const LIES: u32 = 64;

impl RecordReader {
    /// Passes over the record that the window stands at, with a header of `header` bytes and a Content-Length of `length`. If that
    /// is wrong, reports it and searches for the next record.
    pub(crate) fn oversize(
        &mut self,
        batch: &mut Batch,
        header: usize,
        length: u64,
    ) -> io::Result<()> {
        self.oversized = true;
        let what = format!("Content-Length {length} reaches beyond what there is");
        let len = record_len(header, length);
        let unread = len.saturating_sub(self.window.bytes().len() as u64);
        if self.lies >= LIES || !self.window.feed().may_hold(unread) {
            self.bad_length(batch, header, &what);
            return Ok(());
        }
        let seekable = self.window.feed().is_plain() && self.window.feed().raw().is_seekable();
        if seekable && length > HELD_BYTES as u64 {
            return self.seek_over(batch, header, len);
        }
        let kept = len.min((header + HELD_BYTES) as u64) as usize;
        while self.window.bytes().len() < kept {
            if !self.window.fill_across()? {
                self.ends_too_soon(batch, header, &what);
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

    /// Seeks to the claimed end and looks whether a record ends there.
    fn seek_over(&mut self, batch: &mut Batch, header: usize, len: u64) -> io::Result<()> {
        let start = self.window.offset();
        let head = self.window.bytes()[..header].to_vec();
        self.window.seek(start + len)?;
        if self.boundary(0)? == Boundary::Wrong {
            self.lies += 1;
            self.window.seek(start)?;
            while self.window.bytes().len() < header && self.window.fill()? {}
            // The file may have shrunk since.
            let header = header.min(self.window.bytes().len());
            self.bad_length(batch, header, "Content-Length is wrong");
        } else {
            self.too_large(batch, &head, len);
        }
        Ok(())
    }

    /// Reads to the claimed end and looks whether a record ends there.
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
                // The run ends before, and the bytes passed over are no longer there to be searched.
                let what = "record ends early";
                if self.ends_well() {
                    let reason = FaultReason::BadContentLength;
                    self.emit_fault_of(batch, reason, &head, Vec::new(), what);
                } else {
                    self.too_broken(batch, &head);
                }
                return Ok(());
            }
        }
        if self.boundary(0)? == Boundary::Wrong {
            let what = "Content-Length is wrong";
            self.emit_fault_of(batch, FaultReason::BadContentLength, &head, Vec::new(), what);
            self.start_resync(true);
        } else {
            self.too_large(batch, &head, len);
        }
        Ok(())
    }

    /// Reports a record that was passed over. The window stands at its end.
    fn too_large(&mut self, batch: &mut Batch, head: &[u8], len: u64) {
        if self.window.bytes().iter().all(|b| b.is_ascii_whitespace() || *b == 0)
            && !self.ends_well()
        {
            self.too_broken(batch, head);
            return;
        }
        let what = format!("record of {len} bytes is too large");
        self.emit_fault_of(batch, FaultReason::TooLarge, head, Vec::new(), &what);
        // Not a damage, so no later entry can make it part of one.
        self.flush(batch);
    }

    /// Reports a record that was passed over and whose member is damaged.
    fn too_broken(&mut self, batch: &mut Batch, head: &[u8]) {
        let what = "member of a record that is too large is damaged";
        self.emit_fault_of(batch, FaultReason::CorruptMember, head, Vec::new(), what);
        let all = self.window.bytes().len();
        self.window.consume(all);
        let rest = matches!(self.window.edge(), Some(Edge::Member { .. }));
        self.window.settle();
        if rest {
            self.start_resync(true);
        }
    }

    /// Reports a record whose run ends long before its claimed end.
    fn ends_too_soon(&mut self, batch: &mut Batch, header: usize, what: &str) {
        if self.ends_well() {
            self.bad_length(batch, header, what);
        } else {
            self.lose(batch, header, FaultReason::CorruptMember, "");
        }
    }
}
