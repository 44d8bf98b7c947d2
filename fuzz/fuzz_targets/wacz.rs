//! WACZ: arbitrary bytes after the beginning of a ZIP file never panic. They give the same records
//! and faults in every way of reading, and so do two archives of arbitrary bytes in a sound WACZ.

#![no_main]

use huller_archive::{
    Batch, Fault, Input, Limits, Record, RecordStream, Stores, UnpackResult, Unpacker, Visitor,
    check_wacz,
};
use huller_fuzz::{ZipMember, zip};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

#[derive(Default, PartialEq, Debug)]
struct RecordCollector(Vec<Result<Vec<u8>, Fault>>);

impl Visitor for RecordCollector {
    fn record(&mut self, record: Record<'_>) {
        self.0.push(Ok([record.header, record.block].concat()));
    }

    fn line(&mut self, line: &[u8], _: huller_archive::Position) {
        self.0.push(Ok(line.to_vec()));
    }

    fn fault(&mut self, fault: &Fault) {
        self.0.push(Err(fault.clone()));
    }
}

fn limits(batch_bytes: usize) -> Limits {
    Limits { batch_bytes, record_bytes: 1 << 20, ..Limits::default() }
}

fn cut(path: &Path, batch_bytes: usize) -> Option<RecordCollector> {
    let limits = limits(batch_bytes);
    let mut input = Input::open(path, &limits).ok()?;
    let (mut unpacker, mut batch) = (Unpacker::new(&limits), Batch::default());
    let mut found = RecordCollector::default();
    while input.next_batch(&mut batch).ok()? {
        if let UnpackResult::StoppedAt(offset) = unpacker.unpack(&mut batch, &mut found) {
            input.restart_at(offset).ok()?;
        }
    }
    Some(found)
}

fn streamed(path: &Path) -> Option<RecordCollector> {
    let limits = limits(1 << 20);
    let mut stream = RecordStream::open(path, &limits).ok()?;
    let (mut unpacker, mut batch) = (Unpacker::new(&limits), Batch::default());
    let mut found = RecordCollector::default();
    while stream.next_batch(&mut batch).ok()? {
        let _ = unpacker.unpack(&mut batch, &mut found);
    }
    Some(found)
}

fn check(bytes: &[u8]) {
    let Ok(folder) = tempfile::tempdir() else { return };
    let path = folder.path().join("a.wacz");
    std::fs::write(&path, bytes).expect("there is room for the input");
    let _ = check_wacz(&Stores::default(), &path);
    let whole = streamed(&path);
    for batch_bytes in [1, 4096, 1 << 20] {
        assert_eq!(whole, cut(&path, batch_bytes));
    }
}

fuzz_target!(|data: (bool, Vec<u8>, Vec<u8>)| {
    let (is_sound, one, two) = data;
    if is_sound {
        let archives = [("archive/1.warc.gz", &one), ("archive/2.warc", &two)];
        check(&zip(&archives.map(|(name, data)| ZipMember::stored(name, data))));
    } else {
        check(&[b"PK\x03\x04", &one[..], &two[..]].concat());
    }
});
