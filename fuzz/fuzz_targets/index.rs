//! Indexes: arbitrary bytes as CDX, CDXJ or a table of Common Crawl never panic. A plan may name
//! any records of any bytes. The records are the same however the plan is cut, and each planned
//! record gives one record or fault. The same holds for any bytes as the two archives of a WACZ.

#![no_main]

use huller_archive::{
    Batch, Entry, Fault, Index, Input, Limits, PlannedRecord, Position, Record, Stores,
    UnpackResult, Unpacker, Visitor,
};
use huller_fuzz::{ZipMember, zip};
use libfuzzer_sys::fuzz_target;
use std::io::Write;
use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

#[derive(Default, PartialEq, Debug)]
struct EntryCollector(Vec<Result<(Position, Vec<u8>), Fault>>);

impl Visitor for EntryCollector {
    fn record(&mut self, record: Record<'_>) {
        self.0.push(Ok((record.position, [record.header, record.block].concat())));
    }

    fn line(&mut self, _: &[u8], _: Position) {}

    fn fault(&mut self, fault: &Fault) {
        self.0.push(Err(fault.clone()));
    }
}

fn limits(batch_bytes: usize) -> Limits {
    Limits { batch_bytes, record_bytes: 1 << 20, ..Limits::default() }
}

fn read(path: &Path, plan: &Arc<[PlannedRecord]>, batch_bytes: usize) -> Option<EntryCollector> {
    let limits = limits(batch_bytes);
    let mut input = Input::planned(path, Arc::clone(plan), &limits).ok()?;
    let (mut unpacker, mut batch) = (Unpacker::new(&limits), Batch::default());
    let mut found = EntryCollector::default();
    while input.next_batch(&mut batch).ok()? {
        if let UnpackResult::StoppedAt(at) = unpacker.unpack(&mut batch, &mut found) {
            input.restart_at(at).ok()?;
        }
    }
    Some(found)
}

fn read_as_stream(path: &Path, plan: &Arc<[PlannedRecord]>) -> Option<EntryCollector> {
    let input = Input::planned(path, Arc::clone(plan), &limits(1 << 20)).ok()?;
    let (mut stream, mut batch) = (input.into_stream().ok()?, Batch::default());
    let mut found = EntryCollector::default();
    while stream.next_batch(&mut batch).ok()? {
        for entry in &batch.entries {
            found.0.push(match entry {
                Entry::Record { bytes, position, .. } => {
                    Ok((*position, batch.bytes[bytes.clone()].to_vec()))
                }
                Entry::Fault(fault) => Err(fault.clone()),
                Entry::File { .. } | Entry::Line { .. } => {
                    unreachable!("an index leads to records alone")
                }
            });
        }
    }
    Some(found)
}

fuzz_target!(|data: (bool, Vec<(u16, u16)>, Vec<u8>, Vec<u8>)| {
    let (is_wacz, places, one, two) = data;
    let bytes = if is_wacz {
        let [one, two] = [("archive/1.warc", &one), ("archive/2.warc", &two)]
            .map(|(name, data)| ZipMember::stored(name, data));
        zip(&[one, two])
    } else {
        [one, two].concat()
    };
    let Ok(mut file) = tempfile::NamedTempFile::new() else { return };
    file.write_all(&bytes).expect("there is room for the input");
    let show = &mut |_: &_| ControlFlow::Continue(());
    let _ = Index::read(&Stores::default(), file.path(), &limits(1 << 20), show);

    let mut plan: Vec<PlannedRecord> = places
        .iter()
        .map(|(offset, length)| PlannedRecord {
            offset: u64::from(*offset),
            url: None,
            length: NonZeroU64::new(u64::from(*length)),
        })
        .collect();
    plan.sort_unstable();
    let plan: Arc<[PlannedRecord]> = Arc::from(plan);
    let Some(whole) = read(file.path(), &plan, 1 << 20) else { return };
    assert_eq!(whole.0.len(), plan.len());
    assert_eq!(Some(&whole), read(file.path(), &plan, 64).as_ref());
    assert_eq!(Some(&whole), read_as_stream(file.path(), &plan).as_ref());
});
