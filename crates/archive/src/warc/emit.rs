//! The entries that the record reader puts into a batch.

use super::bounds::line_ends;
use super::reader::RecordReader;
use crate::batch::{Batch, Entry};
use crate::container::event::Damage;
use crate::container::window::Edge;
use crate::damage::search::Search;
use crate::record::{Fault, FaultReason, Position, Repair};

impl RecordReader {
    /// Emits a fault for the bytes that a search has passed over.
    pub(crate) fn emit_garbage(&mut self, batch: &mut Batch, search: &Search) {
        let len = self.window.offset() - search.start;
        let position = self.position_of_fault(search.start, len);
        let place = position.member.map_or(search.start, |(offset, _)| offset);
        let hole = search.zeros.hole();
        let reason = if hole.is_some() { FaultReason::Hole } else { FaultReason::Garbage };
        let what = hole.unwrap_or_else(|| format!("{len} bytes that begin no record"));
        let fault = Fault {
            reason,
            position,
            header: Vec::new(),
            block: Vec::new(),
            detail: format!("{what} (byte {place})"),
            at_end: None,
        };
        self.hold(batch, fault);
    }

    /// Appends an entry to the batch, after the pending fault.
    fn push(&mut self, batch: &mut Batch, entry: Entry) {
        self.flush(batch);
        batch.entries.push(entry);
    }

    /// Makes a fault the pending one. If the next entry shows that the member around it is damaged, both are one damage, which
    /// is reported once.
    fn hold(&mut self, batch: &mut Batch, fault: Fault) {
        self.flush(batch);
        self.pending = Some(fault);
    }

    /// Appends the pending fault to the batch.
    pub(crate) fn flush(&mut self, batch: &mut Batch) {
        batch.entries.extend(self.pending.take().map(Entry::Fault));
    }

    /// Drops the pending fault, since it is part of a larger damage.
    pub(crate) fn drop_pending(&mut self) {
        self.pending = None;
    }

    /// Emits the record of `len` bytes that the window stands at; the first `header` of them are its header.
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
        let member = if self.window.feed().is_plain() {
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

    /// Emits a fault of the record that the window stands at, with the first `header` bytes as its header and the next `block`
    /// bytes as its block.
    pub(crate) fn emit_fault(
        &mut self,
        batch: &mut Batch,
        reason: FaultReason,
        header: usize,
        block: usize,
        what: &str,
    ) {
        let (header, block) = self.window.bytes()[..header + block].split_at(header);
        let (header, block) = (header.to_vec(), block.to_vec());
        self.emit_fault_of(batch, reason, &header, block, what);
    }

    /// As [`RecordReader::emit_fault`], with header and block given by the caller.
    pub(crate) fn emit_fault_of(
        &mut self,
        batch: &mut Batch,
        reason: FaultReason,
        header: &[u8],
        block: Vec<u8>,
        what: &str,
    ) {
        let offset = self.window.offset();
        let position = self.position_of_fault(offset, (header.len() + block.len()) as u64);
        let place = position.member.map_or(offset, |(offset, _)| offset);
        let detail = format!("{what} (byte {place})");
        let rest = self.window.bytes().get(header.len() + block.len()..).unwrap_or_default();
        let cut = reason == FaultReason::Truncated && self.window.edge() == Some(&Edge::Eof);
        let at_end = (cut && rest.trim_ascii().is_empty()).then(|| {
            let run = self.window.run();
            let alone = run.records == 0 && run.members == 1;
            let of_run = || alone.then_some((run.start, run.end - run.start));
            let plain = self.window.feed().is_plain();
            let member = if plain { position.member } else { of_run() };
            Position { member, ..position }
        });
        let header = self.shown(header);
        self.hold(batch, Fault { reason, position, header, block, detail, at_end });
        self.window.run_mut().records += 1;
    }

    /// Emits damage of the container. The first `header` bytes that the window stands at are the header of the record that was open;
    /// 0 if there was none.
    pub(crate) fn emit_damage(&mut self, batch: &mut Batch, damage: &Damage, header: usize) {
        let run = self.window.run();
        let (header, rest) = self.window.bytes().split_at(header);
        let claimed = || self.dialect.content_length(header)?.ok();
        let block =
            if damage.at_end { claimed().and_then(|len| whole_so_far(len, rest)) } else { None };
        let alone = run.records == 0 && run.members == 1;
        let at_end = block.map(|_| Position {
            member: alone.then_some((run.start, damage.end - run.start)),
            stream_offset: self.known_origin.then(|| self.window.offset()),
        });
        let (header, block) = (self.shown(header), block.unwrap_or_default().to_vec());
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

    /// The WARC header by which a fault with this header is shown.
    fn shown(&self, header: &[u8]) -> Vec<u8> {
        let mut shown = Vec::new();
        self.dialect.show_header(header, &mut shown);
        shown
    }

    /// Where a fault lies. In a plain file that is the bytes it covers; in a compressed one the start of its run, without a
    /// length, since the end of the run may be far away.
    fn position_of_fault(&self, offset: u64, len: u64) -> Position {
        let plain = self.window.feed().is_plain();
        let member = if plain { (offset, len) } else { (self.window.run().start, 0) };
        let stream_offset = self.known_origin.then_some(offset);
        Position { member: Some(member), stream_offset }
    }
}

/// The block of a record within or behind which the input ends: the `claimed` number of bytes, if nothing but padding follows that.
fn whole_so_far(claimed: u64, rest: &[u8]) -> Option<&[u8]> {
    let end = usize::try_from(claimed).unwrap_or(usize::MAX).min(rest.len());
    let (block, padding) = rest.split_at(end);
    padding.iter().all(|b| b.is_ascii_whitespace() || *b == 0).then_some(block)
}
