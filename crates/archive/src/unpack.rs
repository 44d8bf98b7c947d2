//! The fast path: decodes batches of sound members, each member in one call.

use crate::batch::{Batch, Entry, Packing};
use crate::container::Container;
use crate::container::gzip::inflate::{InflateResult, Inflater};
use crate::container::lz4;
use crate::container::zstd::decoder::FrameDecoder;
use crate::container::zstd::frame::{FrameEnd, extent, skippable};
use crate::dialect::Dialect;
use crate::limits::Limits;
use crate::planned::plan::has_url;
use crate::planned::planned_file::PlannedRecords;
use crate::planned::reader::{
    NO_RECORD, REPEATED_PLACE, may_begin, not_where_indexed, url_mismatch_message,
};
use crate::record::{ArchivedFile, Member, Position, Record, Visitor};
use crate::table::reader::{ReadStep, TableReader};
use crate::table::rows::TableRows;
use crate::warc::bounds::SoundRecord;
use crate::warc::header::WarcHeader;
use std::sync::Arc;

/// The result of unpacking a batch.
#[must_use = "the rest of the batch must be read as a stream"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnpackResult {
    /// The visitor received the whole batch.
    Complete,
    /// The member at this offset of the file is not sound, or the visitor is
    /// [full](Visitor::is_full). The visitor received only the members before it.
    StoppedAt(u64),
}

/// Decodes batches into buffers of its own. Each worker has one.
pub struct Unpacker {
    limits: Limits,
    inflater: Inflater,
    /// Created for the first zstd frame, since most files are gzip.
    decoder: Option<FrameDecoder>,
    lz4: lz4::decoder::FrameDecoder,
    members: MemberView,
    /// The reader of the last Parquet file.
    table: Option<Box<TableReader>>,
}

impl Unpacker {
    /// Returns an unpacker for batches of inputs that were opened with the same limits.
    pub fn new(limits: &Limits) -> Self {
        Unpacker {
            limits: limits.clone(),
            inflater: Inflater::new(),
            decoder: None,
            lz4: lz4::decoder::FrameDecoder::default(),
            members: MemberView::new(limits),
            table: None,
        }
    }

    /// Passes the entries of the batch to the visitor, in order, up to the first member that is not
    /// sound.
    ///
    /// A sound member ends in the batch and has a correct checksum. Its data are whole records
    /// within the limits, each followed by at most two line ends.
    pub fn unpack(&mut self, batch: &mut Batch, visitor: &mut dyn Visitor) -> UnpackResult {
        self.members.dialect = batch.dialect;
        let unpacked = match &batch.packing {
            Packing::Plain => {
                show_entries(batch, visitor);
                UnpackResult::Complete
            }
            Packing::Table(rows) => self.table(rows, visitor),
            Packing::Gzip => self.gzip(&batch.bytes, batch.start, visitor),
            Packing::Zstd(dictionary) => {
                let decoder = self.decoder.get_or_insert_with(|| FrameDecoder::new(&self.limits));
                if decoder.set_dictionary(dictionary.as_ref()) {
                    let container = dictionary.is_none().then_some(Container::Zstd);
                    self.zstd(&batch.bytes, batch.start, container, visitor)
                } else {
                    UnpackResult::StoppedAt(batch.start)
                }
            }
            Packing::Lz4 => self.lz4(&batch.bytes, batch.start, visitor),
            Packing::Planned(part) => self.planned(part, &batch.bytes, visitor),
        };
        self.inflater.trim();
        if let Some(decoder) = &mut self.decoder {
            decoder.trim();
        }
        self.lz4.trim();
        unpacked
    }

    /// Shows rows of a Parquet file. All batches of one file share a reader, so that a page with
    /// rows of several batches is decoded once.
    fn table(&mut self, part: &TableRows, visitor: &mut dyn Visitor) -> UnpackResult {
        let (table, rows) = (&part.table, &part.rows);
        let known = self.table.take().filter(|reader| Arc::ptr_eq(reader.table(), table));
        let reader = self.table.insert(known.unwrap_or_else(|| {
            let reader = TableReader::new(Arc::clone(table), rows.start, self.limits.record_bytes);
            Box::new(reader)
        }));
        reader.seek(rows.start);
        while reader.next_row() < rows.end {
            let next = reader.next_row();
            if next > rows.start && visitor.is_full() {
                return UnpackResult::StoppedAt(next);
            }
            match reader.read_next(&mut |bytes| visitor.wait_for(bytes)) {
                Ok(ReadStep::Row(row)) => {
                    let position = Position { member: None, stream_offset: Some(row) };
                    visitor.line(reader.json(), position);
                }
                Ok(ReadStep::Fault(fault)) => visitor.fault(&fault),
                Ok(ReadStep::End) => break,
                // A stream from this row on meets the same error and reports it.
                Err(_) => return UnpackResult::StoppedAt(next),
            }
        }
        UnpackResult::Complete
    }

    /// Shows the records of a part of a plan. A record that visibly differs from the plan is a
    /// fault. For any other record that is not sound the caller needs a stream.
    fn planned(
        &mut self,
        part: &PlannedRecords,
        bytes: &[u8],
        visitor: &mut dyn Visitor,
    ) -> UnpackResult {
        let (cap, plan) = (self.cap(), &part.file.plan);
        let mut repeated = None;
        for (at, range) in part.records.clone().zip(&part.bytes) {
            let offset = plan[at].offset;
            if at > part.records.start && visitor.is_full() {
                return UnpackResult::StoppedAt(at as u64);
            }
            if repeated == Some(offset) {
                visitor.fault(&not_where_indexed(offset, REPEATED_PLACE));
                continue;
            }
            repeated = Some(offset);
            let Some(archive) = part.file.archive_at(offset) else {
                return UnpackResult::StoppedAt(at as u64);
            };
            let bytes = &bytes[range.clone()];
            // A record in a WACZ ends at the latest with its archive.
            let left = archive.part.as_ref().map_or(u64::MAX, |part| part.end - offset);
            let bytes =
                &bytes[..usize::try_from(left).map_or(bytes.len(), |it| it.min(bytes.len()))];
            // At the end of the file, with fewer than 4 bytes, the stream reports the problem.
            if bytes.len() >= 4 && !may_begin(archive.container, bytes) {
                visitor.fault(&not_where_indexed(offset, NO_RECORD));
                continue;
            }
            let wait_for = |bytes| visitor.wait_for(bytes);
            let (data, len) = match archive.container {
                // The bytes after a plain record show whether it is sound.
                Container::Plain => return UnpackResult::StoppedAt(at as u64),
                Container::Gzip => match self.inflater.member(bytes, cap, wait_for) {
                    InflateResult::Whole(len) => (self.inflater.output(), len),
                    _ => return UnpackResult::StoppedAt(at as u64),
                },
                Container::Zstd => {
                    let decoder =
                        self.decoder.get_or_insert_with(|| FrameDecoder::new(&self.limits));
                    match extent(bytes) {
                        FrameEnd::Whole(len)
                            if skippable(bytes).is_none()
                                && decoder.set_dictionary(archive.dictionary.as_ref())
                                && decoder.frame(&bytes[..len], cap, wait_for) =>
                        {
                            (decoder.output(), len)
                        }
                        _ => return UnpackResult::StoppedAt(at as u64),
                    }
                }
                Container::Lz4 => match lz4::frame::extent(bytes) {
                    FrameEnd::Whole(len)
                        if skippable(bytes).is_none()
                            && self.lz4.frame(&bytes[..len], cap, wait_for) =>
                    {
                        (self.lz4.output(), len)
                    }
                    _ => return UnpackResult::StoppedAt(at as u64),
                },
            };
            let show = |record: Record<'_>| {
                let url = WarcHeader::parse(record.header).and_then(|it| it.target_uri());
                let url = url.unwrap_or_default();
                if has_url(plan, at, url) {
                    visitor.record(record);
                } else {
                    visitor.fault(&not_where_indexed(offset, &url_mismatch_message(url)));
                }
            };
            let container = archive.dictionary.is_none().then_some(archive.container);
            let member = PlacedMember { offset, bytes: &bytes[..len], container };
            if !self.members.show_alone(data, member, show) {
                return UnpackResult::StoppedAt(at as u64);
            }
        }
        UnpackResult::Complete
    }

    /// Returns the longest data of a member in bytes: one record at the limit, and two line ends.
    fn cap(&self) -> usize {
        self.limits.record_bytes.saturating_add(4)
    }

    fn gzip(&mut self, bytes: &[u8], start: u64, visitor: &mut dyn Visitor) -> UnpackResult {
        let cap = self.cap();
        let mut at = 0;
        while at < bytes.len() {
            let offset = start + at as u64;
            if at > 0 && visitor.is_full() {
                return UnpackResult::StoppedAt(offset);
            }
            let wait_for = |bytes| visitor.wait_for(bytes);
            let InflateResult::Whole(len) = self.inflater.member(&bytes[at..], cap, wait_for)
            else {
                return UnpackResult::StoppedAt(offset);
            };
            let (bytes, container) = (&bytes[at..at + len], Some(Container::Gzip));
            let member = PlacedMember { offset, bytes, container };
            if !self.members.show(self.inflater.output(), member, visitor) {
                return UnpackResult::StoppedAt(offset);
            }
            at += len;
        }
        UnpackResult::Complete
    }

    /// Shows the records of zstd frames. `container` is `None` if they need a dictionary.
    fn zstd(
        &mut self,
        bytes: &[u8],
        start: u64,
        container: Option<Container>,
        visitor: &mut dyn Visitor,
    ) -> UnpackResult {
        let cap = self.cap();
        let Some(decoder) = &mut self.decoder else { return UnpackResult::StoppedAt(start) };
        let members = &mut self.members;
        each_frame(bytes, start, extent, visitor, |offset, frame, visitor| {
            let member = PlacedMember { offset, bytes: frame, container };
            decoder.frame(frame, cap, |bytes| visitor.wait_for(bytes))
                && members.show(decoder.output(), member, visitor)
        })
    }

    fn lz4(&mut self, bytes: &[u8], start: u64, visitor: &mut dyn Visitor) -> UnpackResult {
        let cap = self.cap();
        let Unpacker { lz4, members, .. } = self;
        each_frame(bytes, start, lz4::frame::extent, visitor, |offset, frame, visitor| {
            let member = PlacedMember { offset, bytes: frame, container: Some(Container::Lz4) };
            lz4.frame(frame, cap, |bytes| visitor.wait_for(bytes))
                && members.show(lz4.output(), member, visitor)
        })
    }
}

/// Iterates over frames, whose ends `extent` finds, and skips skippable ones. `show` receives each
/// other frame after its offset in the file, and returns whether it is sound.
fn each_frame(
    bytes: &[u8],
    start: u64,
    extent: fn(&[u8]) -> FrameEnd,
    visitor: &mut dyn Visitor,
    mut show: impl FnMut(u64, &[u8], &mut dyn Visitor) -> bool,
) -> UnpackResult {
    let mut at = 0;
    while at < bytes.len() {
        let offset = start + at as u64;
        if at > 0 && visitor.is_full() {
            return UnpackResult::StoppedAt(offset);
        }
        let FrameEnd::Whole(len) = extent(&bytes[at..]) else {
            return UnpackResult::StoppedAt(offset);
        };
        let frame = &bytes[at..at + len];
        if skippable(frame).is_none() && !show(offset, frame, visitor) {
            return UnpackResult::StoppedAt(offset);
        }
        at += len;
    }
    UnpackResult::Complete
}

/// A member and its place.
#[derive(Clone, Copy)]
struct PlacedMember<'m> {
    /// Offset in the file, in bytes.
    offset: u64,
    bytes: &'m [u8],
    /// Its compression. `None` if only its file has the dictionary that it needs.
    container: Option<Container>,
}

impl<'m> PlacedMember<'m> {
    /// Returns the position of a record that is alone in the member.
    fn position(self) -> Position {
        Position { member: Some((self.offset, self.bytes.len() as u64)), stream_offset: None }
    }

    /// Returns the member if another WARC file can take it unchanged: its only record is WARC and
    /// ends with the two line ends that the standard requires. `data` are the inflated bytes.
    fn copyable_member(
        self,
        dialect: Dialect,
        data: &[u8],
        record: &SoundRecord,
    ) -> Option<Member<'m>> {
        let is_whole = dialect == Dialect::Warc && &data[record.len..] == b"\r\n\r\n";
        is_whole.then_some(Member { bytes: self.bytes, container: self.container? })
    }
}

/// Splits the data of one member at a time into records, with reused memory.
struct MemberView {
    limits: Limits,
    dialect: Dialect,
    records: Vec<SoundRecord>,
    /// The generated WARC header of an ARC record.
    header: Vec<u8>,
}

impl MemberView {
    fn new(limits: &Limits) -> Self {
        let (records, header) = (Vec::new(), Vec::new());
        MemberView { limits: limits.clone(), dialect: Dialect::Warc, records, header }
    }

    /// Shows the record of a member if it is sound and alone in it. Otherwise shows nothing and
    /// returns false.
    fn show_alone(
        &mut self,
        data: &mut [u8],
        member: PlacedMember<'_>,
        show: impl FnOnce(Record<'_>),
    ) -> bool {
        let Some(record) = self.dialect.sound_record(data, &self.limits) else { return false };
        if record.end != data.len() {
            return false;
        }
        let (position, member) =
            (member.position(), member.copyable_member(self.dialect, data, &record));
        let (header, block) = data[..record.len].split_at_mut(record.header);
        let header = visible_header(self.dialect, header, &mut self.header);
        show(Record { header, block, position, repair: None, member });
        true
    }

    /// Shows the records of a member if its data are only sound records. Otherwise shows nothing
    /// and returns false.
    fn show(
        &mut self,
        data: &mut [u8],
        member: PlacedMember<'_>,
        visitor: &mut dyn Visitor,
    ) -> bool {
        self.records.clear();
        let mut at = 0;
        while at < data.len() {
            let Some(record) = self.dialect.sound_record(&data[at..], &self.limits) else {
                return false;
            };
            at += record.end;
            self.records.push(record);
        }
        let (position, member) = match self.records.as_slice() {
            [record] => (member.position(), member.copyable_member(self.dialect, data, record)),
            _ => (Position::default(), None),
        };
        let mut rest = data;
        for record in &self.records {
            let (bytes, after) = rest.split_at_mut(record.end);
            let (header, block) = bytes[..record.len].split_at_mut(record.header);
            let header = visible_header(self.dialect, header, &mut self.header);
            visitor.record(Record { header, block, position, repair: None, member });
            rest = after;
        }
        !self.records.is_empty()
    }
}

/// Returns the WARC header under which a record is shown. `memory` holds a generated one.
fn visible_header<'h>(dialect: Dialect, header: &'h [u8], scratch: &'h mut Vec<u8>) -> &'h [u8] {
    match dialect {
        Dialect::Warc => header,
        Dialect::Arc => {
            scratch.clear();
            dialect.show_header(header, scratch);
            scratch
        }
    }
}

/// Shows the entries of a batch of plain records or lines.
fn show_entries(batch: &mut Batch, visitor: &mut dyn Visitor) {
    for entry in &batch.entries {
        match entry {
            Entry::Record { bytes, header, position, repair } => {
                let (header, block) = batch.bytes[bytes.clone()].split_at_mut(*header);
                let (position, repair) = (*position, *repair);
                visitor.record(Record { header, block, position, repair, member: None });
            }
            Entry::File { name, bytes, header, kind, position } => {
                // The writer of the batch guarantees these ranges: names end where headers begin.
                let (names, records) = batch.bytes.split_at_mut(bytes.start);
                let name = std::str::from_utf8(&names[name.clone()]).unwrap_or_default();
                let (header, block) = records[..bytes.len()].split_at_mut(*header);
                let position = *position;
                let record = Record { header, block, position, repair: None, member: None };
                visitor.file(ArchivedFile { name, kind: *kind, record });
            }
            Entry::Line { bytes, position, .. } => {
                visitor.line(&batch.bytes[bytes.clone()], *position);
            }
            Entry::Fault(fault) => visitor.fault(fault),
        }
    }
}
