//! Records over the limit: believed only if something bears their claim out, and never held.

use crate::batch::Batch;
use crate::frame::record_len;
use crate::framer::{Boundary, Framer};
use crate::record::FaultReason;
use crate::window::Edge;
use std::io;

/// So much of an overlong record is held, in case that its run ends there and the claim was a lie.
const HELD_BYTES: usize = 8 << 20;

/// After so many lies in a plain file claims are no longer looked into, since each costs two seeks.
const LIES: u32 = 64;

impl Framer {
    /// Passes over the record that begins here, the header and claimed length of which are given, or shows it to be lying.
    pub(crate) fn oversize(
        &mut self,
        batch: &mut Batch,
        header: usize,
        length: u64,
    ) -> io::Result<()> {
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
                self.unborne(batch, header, &what);
                return Ok(());
            }
        }
        if kept as u64 == len {
            if self.boundary(kept)? == Boundary::Wrong {
                self.bad_length(batch, header, "Content-Length is wrong");
            } else {
                let head = self.window.bytes()[..header].to_vec();
                self.window.consume(kept);
                self.too_large(batch, head, len);
            }
            return Ok(());
        }
        self.read_over(batch, header, len)
    }

    /// Goes to the end that is claimed to see whether it is one.
    fn seek_over(&mut self, batch: &mut Batch, header: usize, len: u64) -> io::Result<()> {
        let start = self.window.offset();
        let head = self.window.bytes()[..header].to_vec();
        self.window.seek(start + len)?;
        if self.boundary(0)? == Boundary::Wrong {
            self.lies += 1;
            self.window.seek(start)?;
            while self.window.bytes().len() < header && self.window.fill()? {}
            // A file that has shrunk meanwhile may hold less of it.
            let header = header.min(self.window.bytes().len());
            self.bad_length(batch, header, "Content-Length is wrong");
        } else {
            self.too_large(batch, head, len);
        }
        Ok(())
    }

    /// Reads on to the end that is claimed.
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
                // It ends before, and what was passed over can't be searched any more.
                let what = "record ends early";
                if self.ends_well() {
                    let reason = FaultReason::BadContentLength;
                    self.fault_with(batch, reason, head, Vec::new(), what);
                } else {
                    self.too_broken(batch, head);
                }
                return Ok(());
            }
        }
        if self.boundary(0)? == Boundary::Wrong {
            let what = "Content-Length is wrong";
            self.fault_with(batch, FaultReason::BadContentLength, head, Vec::new(), what);
            self.start_resync(true);
        } else {
            self.too_large(batch, head, len);
        }
        Ok(())
    }

    /// Tells of a record that was passed over, at its end.
    fn too_large(&mut self, batch: &mut Batch, head: Vec<u8>, len: u64) {
        if self.window.bytes().iter().all(|b| b.is_ascii_whitespace() || *b == 0)
            && !self.ends_well()
        {
            self.too_broken(batch, head);
            return;
        }
        let what = format!("record of {len} bytes is too large");
        self.fault_with(batch, FaultReason::TooLarge, head, Vec::new(), &what);
        // No damage, so part of none.
        self.flush(batch);
    }

    /// Tells of a record that was passed over and whose member is damaged.
    fn too_broken(&mut self, batch: &mut Batch, head: Vec<u8>) {
        let what = "member of a record that is too large is damaged";
        self.fault_with(batch, FaultReason::CorruptMember, head, Vec::new(), what);
        let all = self.window.bytes().len();
        self.window.consume(all);
        let rest = matches!(self.window.edge(), Some(Edge::Member { .. }));
        self.window.settle();
        if rest {
            self.start_resync(true);
        }
    }

    /// The run ends soon, long before the claimed end.
    fn unborne(&mut self, batch: &mut Batch, header: usize, what: &str) {
        if self.ends_well() {
            self.bad_length(batch, header, what);
        } else {
            self.lose(batch, header, FaultReason::CorruptMember, "");
        }
    }
}
