//! Reads an input as the pipeline does, and as one stream, and checks that both give the same
//! entries.

use huller_archive::{
    ArchiveError, Batch, BatchEnd, Fault, FaultReason, Input, Limits, Position, Record,
    RecordStream, RecordType, Repair, UnpackResult, Unpacker, Visitor, WarcHeader,
};
use std::path::Path;

/// An entry that a visitor was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ShownEntry {
    Record { header: Vec<u8>, block: Vec<u8>, member: Option<(u64, u64)>, repair: Option<Repair> },
    Line(Vec<u8>),
    Fault(Fault),
}

impl ShownEntry {
    pub(crate) fn reason(&self) -> Option<FaultReason> {
        match self {
            ShownEntry::Fault(fault) => Some(fault.reason),
            _ => None,
        }
    }

    pub(crate) fn repair(&self) -> Option<Repair> {
        match self {
            ShownEntry::Record { repair, .. } => *repair,
            _ => None,
        }
    }

    pub(crate) fn block(&self) -> &[u8] {
        match self {
            ShownEntry::Record { block, .. } => block,
            ShownEntry::Line(line) => line,
            ShownEntry::Fault(fault) => &fault.block,
        }
    }

    pub(crate) fn header(&self) -> &[u8] {
        match self {
            ShownEntry::Record { header, .. } => header,
            ShownEntry::Line(_) => &[],
            ShownEntry::Fault(fault) => &fault.header,
        }
    }

    pub(crate) fn record_type(&self) -> Option<RecordType> {
        WarcHeader::parse(self.header()).map(|header| header.record_type())
    }

    /// One word: `ok`, the repair, or the fault.
    pub(crate) fn word(&self) -> String {
        match self {
            ShownEntry::Record { repair: None, .. } => "ok".to_owned(),
            ShownEntry::Record { repair: Some(repair), .. } => format!("{repair:?}"),
            ShownEntry::Line(_) => "line".to_owned(),
            ShownEntry::Fault(fault) => format!("{:?}", fault.reason),
        }
    }
}

#[derive(Default)]
struct Collector(Vec<ShownEntry>);

impl Visitor for Collector {
    fn record(&mut self, record: Record<'_>) {
        self.0.push(ShownEntry::Record {
            header: record.header.to_vec(),
            block: record.block.to_vec(),
            member: record.position.member,
            repair: record.repair,
        });
    }

    fn line(&mut self, line: &[u8], _: Position) {
        self.0.push(ShownEntry::Line(line.to_vec()));
    }

    fn fault(&mut self, fault: &Fault) {
        // Only a stream that begins at the start of the file knows it.
        let position = Position { stream_offset: None, ..fault.position };
        let at_end = fault.at_end.map(|at| Position { stream_offset: None, ..at });
        self.0.push(ShownEntry::Fault(Fault { position, at_end, ..fault.clone() }));
    }
}

/// Counts of one reading.
#[derive(Debug, Default)]
pub(crate) struct ReadCounts {
    pub(crate) batches: usize,
    pub(crate) repairs: usize,
    pub(crate) discarded: usize,
}

/// Reads as the pipeline does: batches, an unpacker, and at damage a stream until it stands at the
/// start of a batch again.
pub(crate) fn drive(
    path: &Path,
    limits: &Limits,
) -> Result<(Vec<ShownEntry>, ReadCounts), ArchiveError> {
    let mut input = Input::open(path, limits)?;
    let mut unpacker = Unpacker::new(limits);
    let mut seen = Collector::default();
    let mut course = ReadCounts::default();
    let mut batch = Batch::default();
    let mut repaired = Batch::default();
    let mut more = input.next_batch(&mut batch)?;
    while more {
        course.batches += 1;
        let UnpackResult::StoppedAt(offset) = unpacker.unpack(&mut batch, &mut seen) else {
            more = input.next_batch(&mut batch)?;
            continue;
        };
        course.repairs += 1;
        let mut stream = input.repair_at(offset)?;
        // The archive of a WACZ, with which damage in it ends.
        let part = batch.part;
        let mut stop = None;
        loop {
            // The stream can end at the start of the next batch that is a seam.
            if stop.is_none() {
                more = input.next_batch(&mut batch)?;
                if more && !batch.starts_cleanly && batch.part == part {
                    course.discarded += 1;
                    continue;
                }
                stop = Some(if more && batch.part == part { batch.start } else { u64::MAX });
            }
            let wanted = stop.unwrap_or(u64::MAX);
            let reached = stream.next_batch_until(&mut repaired, wanted)?;
            assert_eq!(unpacker.unpack(&mut repaired, &mut seen), UnpackResult::Complete);
            match reached {
                BatchEnd::Full => {}
                BatchEnd::Border(at) if at == wanted => break,
                BatchEnd::Border(at) => {
                    assert!(at > wanted, "a border before the stop");
                    course.discarded += 1;
                    stop = None;
                }
                BatchEnd::End => {
                    while more && batch.part == part {
                        more = input.next_batch(&mut batch)?;
                    }
                    break;
                }
            }
        }
    }
    Ok((seen.0, course))
}

/// One stream from start to end.
pub(crate) fn stream(path: &Path, limits: &Limits) -> Result<Vec<ShownEntry>, ArchiveError> {
    collect(RecordStream::open(path, limits)?, limits)
}

/// As [`stream`], from a pipe.
pub(crate) fn pipe(bytes: &[u8], limits: &Limits) -> Result<Vec<ShownEntry>, ArchiveError> {
    let reader = Box::new(std::io::Cursor::new(bytes.to_vec()));
    collect(RecordStream::from_reader(reader, limits)?, limits)
}

fn collect(mut stream: RecordStream, limits: &Limits) -> Result<Vec<ShownEntry>, ArchiveError> {
    let mut unpacker = Unpacker::new(limits);
    let mut seen = Collector::default();
    let mut batch = Batch::default();
    while stream.next_batch(&mut batch)? {
        assert_eq!(unpacker.unpack(&mut batch, &mut seen), UnpackResult::Complete);
    }
    Ok(seen.0)
}

/// Reads a file in all ways, with batches of several sizes, and checks that they agree.
pub(crate) fn all_ways(path: &Path, limits: &Limits) -> Result<Vec<ShownEntry>, ArchiveError> {
    let streamed = stream(path, limits);
    for batch_bytes in [1, 64, 1024, 20_000, limits.batch_bytes] {
        let limits = Limits { batch_bytes, ..limits.clone() };
        match (&streamed, drive(path, &limits)) {
            (Ok(streamed), Ok((driven, course))) => {
                let (one, other) = (words(streamed), words(&driven));
                assert_eq!(one, other, "{}, batches of {batch_bytes}, {course:?}", path.display());
                for (i, (a, b)) in streamed.iter().zip(&driven).enumerate() {
                    assert_eq!(a, b, "{} entry {i}, batches of {batch_bytes}", path.display());
                }
            }
            (Err(_), Err(_)) => {}
            (streamed, driven) => panic!(
                "{}: one way fails: {:?} {:?}",
                path.display(),
                streamed.as_ref().err(),
                driven.err()
            ),
        }
    }
    streamed
}

/// The words of all entries, for comparison in one line.
pub(crate) fn words(seen: &[ShownEntry]) -> String {
    seen.iter().map(ShownEntry::word).collect::<Vec<_>>().join(" ")
}
