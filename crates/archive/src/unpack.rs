//! The fast path: batches of perfect members, inflated whole.

use crate::batch::{Batch, Entry, Packing};
use crate::frame::{Framed, sound_record};
use crate::gzip::{Inflated, Inflater};
use crate::limits::Limits;
use crate::record::{Position, Record, Visitor};
use crate::zstd::{Extent, FrameDecoder, extent, skippable};

/// Whether a batch was shown to its end.
#[must_use = "what was not shown must be repaired"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unpacked {
    /// All of it was shown.
    Complete,
    /// The member at this offset of the file is not perfect. Nothing of it, or behind it, was shown.
    StoppedAt(u64),
}

/// Unpacks batches into buffers of its own. Each worker has one.
pub struct Unpacker {
    limits: Limits,
    inflater: Inflater,
    /// Made when the first frame comes: most files are gzip.
    decoder: Option<FrameDecoder>,
    /// The records of the present member.
    framed: Vec<Framed>,
}

impl Unpacker {
    /// An unpacker for batches of inputs opened with the same limits.
    pub fn new(limits: &Limits) -> Self {
        Unpacker {
            limits: limits.clone(),
            inflater: Inflater::new(),
            decoder: None,
            framed: Vec::new(),
        }
    }

    /// Shows what the batch holds to the visitor, in order, up to the first member that isn't perfect.
    ///
    /// Perfect is a member with a right checksum that ends in the batch, and that sound records within the limits fill
    /// exactly, each followed by no more than two line ends.
    pub fn unpack(&mut self, batch: &mut Batch, visitor: &mut dyn Visitor) -> Unpacked {
        let unpacked = match &batch.packing {
            Packing::Framed => {
                show_entries(batch, visitor);
                Unpacked::Complete
            }
            Packing::Gzip => self.gzip(&batch.bytes, batch.start, visitor),
            Packing::Zstd(dictionary) => {
                let decoder = self.decoder.get_or_insert_with(|| FrameDecoder::new(&self.limits));
                if decoder.set_dictionary(dictionary.as_ref()) {
                    self.zstd(&batch.bytes, batch.start, visitor)
                } else {
                    Unpacked::StoppedAt(batch.start)
                }
            }
        };
        self.inflater.trim();
        if let Some(decoder) = &mut self.decoder {
            decoder.trim();
        }
        unpacked
    }

    /// Longest member: one record, its limit, and its line ends.
    fn cap(&self) -> usize {
        self.limits.record_bytes.saturating_add(4)
    }

    fn gzip(&mut self, bytes: &[u8], start: u64, visitor: &mut dyn Visitor) -> Unpacked {
        let cap = self.cap();
        let mut at = 0;
        while at < bytes.len() {
            let offset = start + at as u64;
            let Inflated::Whole(len) = self.inflater.member(&bytes[at..], cap) else {
                return Unpacked::StoppedAt(offset);
            };
            let member = (offset, len as u64);
            let data = self.inflater.output();
            if !show_member(data, member, &self.limits, &mut self.framed, visitor) {
                return Unpacked::StoppedAt(offset);
            }
            at += len;
        }
        Unpacked::Complete
    }

    fn zstd(&mut self, bytes: &[u8], start: u64, visitor: &mut dyn Visitor) -> Unpacked {
        let cap = self.cap();
        let Some(decoder) = &mut self.decoder else { return Unpacked::StoppedAt(start) };
        let mut at = 0;
        while at < bytes.len() {
            let offset = start + at as u64;
            let Extent::Whole(len) = extent(&bytes[at..]) else {
                return Unpacked::StoppedAt(offset);
            };
            let frame = &bytes[at..at + len];
            let member = (offset, len as u64);
            if skippable(frame).is_none()
                && !(decoder.frame(frame, cap)
                    && show_member(
                        decoder.output(),
                        member,
                        &self.limits,
                        &mut self.framed,
                        visitor,
                    ))
            {
                return Unpacked::StoppedAt(offset);
            }
            at += len;
        }
        Unpacked::Complete
    }
}

/// Shows the records of a member, if sound ones fill it.
fn show_member(
    data: &mut [u8],
    member: (u64, u64),
    limits: &Limits,
    framed: &mut Vec<Framed>,
    visitor: &mut dyn Visitor,
) -> bool {
    framed.clear();
    let mut at = 0;
    while at < data.len() {
        let Some(record) = sound_record(&data[at..], limits) else { return false };
        at += record.end;
        framed.push(record);
    }
    let member = (framed.len() == 1).then_some(member);
    let mut rest = data;
    for record in framed.iter() {
        let (bytes, behind) = rest.split_at_mut(record.end);
        let (header, block) = bytes[..record.len].split_at_mut(record.header);
        let position = Position { member, stream_offset: None };
        visitor.record(Record { header, block, position, repair: None });
        rest = behind;
    }
    !framed.is_empty()
}

/// Shows what a framed batch says it holds.
fn show_entries(batch: &mut Batch, visitor: &mut dyn Visitor) {
    for entry in &batch.entries {
        match entry {
            Entry::Record { bytes, header, position, repair } => {
                let (header, block) = batch.bytes[bytes.clone()].split_at_mut(*header);
                let (position, repair) = (*position, *repair);
                visitor.record(Record { header, block, position, repair });
            }
            Entry::Line { bytes, position } => visitor.line(&batch.bytes[bytes.clone()], *position),
            Entry::Fault(fault) => visitor.fault(fault),
        }
    }
}
