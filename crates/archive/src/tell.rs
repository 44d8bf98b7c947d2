//! What a framer finds, put into a batch.

use crate::batch::{Batch, Entry};
use crate::event::Damage;
use crate::frame::line_ends;
use crate::framer::Framer;
use crate::record::{Fault, FaultReason, Position, Repair};
use crate::search::Search;
use crate::window::Edge;

impl Framer {
    /// Tells of bytes that were passed over.
    pub(crate) fn garbage(&mut self, batch: &mut Batch, search: &Search) {
        let len = self.window.offset() - search.start;
        let position = self.position_of_fault(search.start, len);
        let place = position.member.map_or(search.start, |(offset, _)| offset);
        let fault = Fault {
            reason: FaultReason::Garbage,
            position,
            header: Vec::new(),
            block: Vec::new(),
            detail: format!("{len} bytes that begin no record (byte {place})"),
        };
        self.tell(batch, fault);
    }

    /// Puts an entry into the batch, behind the fault that waited.
    fn push(&mut self, batch: &mut Batch, entry: Entry) {
        self.flush(batch);
        batch.entries.push(entry);
    }

    /// Has a fault wait for what comes next: if that lies in a member that breaks, both are one damage, told once.
    fn tell(&mut self, batch: &mut Batch, fault: Fault) {
        self.flush(batch);
        self.pending = Some(fault);
    }

    /// Puts the fault that waits into the batch.
    pub(crate) fn flush(&mut self, batch: &mut Batch) {
        batch.entries.extend(self.pending.take().map(Entry::Fault));
    }

    /// Forgets the fault that waits, since it is part of a greater one.
    pub(crate) fn merge(&mut self) {
        self.pending = None;
    }

    /// Puts the record of `len` bytes that begins here into the batch.
    pub(crate) fn emit(
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
        batch.bytes.extend_from_slice(&bytes[..len]);
        let bytes = start..start + len;
        self.push(batch, Entry::Record { bytes, header, position, repair });
        self.window.run_mut().records += 1;
    }

    /// Puts a fault into the batch that befell the record which begins here, of which `header` and `block` bytes are told.
    pub(crate) fn fault(
        &mut self,
        batch: &mut Batch,
        reason: FaultReason,
        header: usize,
        block: usize,
        what: &str,
    ) {
        let (header, block) = self.window.bytes()[..header + block].split_at(header);
        let (header, block) = (header.to_vec(), block.to_vec());
        self.fault_with(batch, reason, header, block, what);
    }

    /// The same, with the parts given.
    pub(crate) fn fault_with(
        &mut self,
        batch: &mut Batch,
        reason: FaultReason,
        header: Vec<u8>,
        block: Vec<u8>,
        what: &str,
    ) {
        let offset = self.window.offset();
        let position = self.position_of_fault(offset, (header.len() + block.len()) as u64);
        let place = position.member.map_or(offset, |(offset, _)| offset);
        let detail = format!("{what} (byte {place})");
        self.tell(batch, Fault { reason, position, header, block, detail });
        self.window.run_mut().records += 1;
    }

    /// Puts damage of the container into the batch.
    pub(crate) fn damage(&mut self, batch: &mut Batch, damage: &Damage, header: Vec<u8>) {
        let run = self.window.run();
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
            self.merge();
        }
        let (reason, detail) = (damage.reason, damage.detail.clone());
        let fault = Fault { reason, position, header, block: Vec::new(), detail };
        self.tell(batch, fault);
    }

    /// Where a fault lies: in a plain file the bytes it covers, else the start of its run, without a length, since the end of
    /// the run may be far.
    fn position_of_fault(&self, offset: u64, len: u64) -> Position {
        let plain = self.window.feed().is_plain();
        let member = if plain { (offset, len) } else { (self.window.run().start, 0) };
        let stream_offset = self.known_origin.then_some(offset);
        Position { member: Some(member), stream_offset }
    }
}
