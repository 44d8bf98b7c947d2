//! Parquet and CSV: arbitrary bytes never panic. They give the same rows and faults in every way of
//! reading.

#![no_main]

use huller_archive::{
    Batch, Fault, FaultReason, Format, Input, Limits, Position, Record, RecordStream, UnpackResult,
    Unpacker, Visitor,
};
use libfuzzer_sys::fuzz_target;
use std::io::Write;
use std::path::Path;

#[derive(Default, PartialEq, Debug)]
struct TableCollector {
    rows: Vec<(Option<u64>, Vec<u8>)>,
    faults: Vec<Fault>,
    most: Option<usize>,
    in_batch: usize,
    is_lines: bool,
}

impl Visitor for TableCollector {
    fn record(&mut self, _: Record<'_>) {}

    fn line(&mut self, line: &[u8], position: Position) {
        // A file with the name of a table may hold lines of JSON, which may be invalid.
        if !self.is_lines {
            let row: serde_json::Value = serde_json::from_slice(line).expect("a row is JSON");
            assert!(row.is_object());
        }
        self.rows.push((position.stream_offset, line.to_vec()));
        self.in_batch += 1;
    }

    fn fault(&mut self, fault: &Fault) {
        // The reader turns a panic into a fault, so that runs continue. Here it must be noticed.
        assert!(fault.reason != FaultReason::Panic, "{}", fault.detail);
        self.faults.push(fault.clone());
    }

    fn is_full(&self) -> bool {
        self.most.is_some_and(|most| self.in_batch >= most)
    }
}

fn limits() -> Limits {
    Limits { batch_bytes: 64, record_bytes: 1 << 20, ..Limits::default() }
}

fn read(path: &Path, workers: usize, most: Option<usize>) -> Option<TableCollector> {
    let mut input = match Input::open(path, &limits()) {
        Ok(input) => input,
        Err(error) => {
            assert!(!error.to_string().contains("panicked"), "{error}");
            return None;
        }
    };
    let mut unpackers: Vec<_> = (0..workers).map(|_| Unpacker::new(&limits())).collect();
    let (mut batch, mut number) = (Batch::default(), 0);
    let is_lines = input.format() == Format::Jsonl;
    let mut found = TableCollector { most, is_lines, ..TableCollector::default() };
    while input.next_batch(&mut batch).ok()? {
        found.in_batch = 0;
        number += 1;
        if let UnpackResult::StoppedAt(row) =
            unpackers[number % workers].unpack(&mut batch, &mut found)
        {
            input.restart_at(row).ok()?;
        }
    }
    Some(TableCollector { most: None, in_batch: 0, ..found })
}

fuzz_target!(|data: &[u8]| {
    let Some((&kind, bytes)) = data.split_first() else { return };
    let suffix = if kind % 2 == 0 { ".parquet" } else { ".csv" };
    let mut file = tempfile::Builder::new().suffix(suffix).tempfile().expect("a temporary file");
    file.write_all(bytes).expect("a temporary file can be written");
    let Some(one) = read(file.path(), 1, None) else { return };
    if kind % 2 == 0 {
        assert_eq!(read(file.path(), 3, Some(2)).as_ref(), Some(&one));
        let mut stream = RecordStream::open(file.path(), &limits()).expect("it was opened before");
        let mut batch = Batch::default();
        let mut found = TableCollector { is_lines: one.is_lines, ..TableCollector::default() };
        let mut unpacker = Unpacker::new(&limits());
        while stream.next_batch(&mut batch).expect("it was read before") {
            assert_eq!(unpacker.unpack(&mut batch, &mut found), UnpackResult::Complete);
        }
        found.in_batch = 0;
        assert_eq!(found, one);
    }
});
