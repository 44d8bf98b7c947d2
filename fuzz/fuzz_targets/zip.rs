//! ZIP files of pages: arbitrary bytes, and sound directories over arbitrary data, never panic and give the same in batches and as one stream.

#![no_main]

use huller_archive::{
    ArchivedFile, Batch, Fault, Input, Limits, Position, Record, RecordStream, Unpacked, Unpacker,
    Visitor,
};
use libfuzzer_sys::fuzz_target;

#[derive(Default, PartialEq, Debug)]
struct Found(Vec<Result<(String, Vec<u8>), Fault>>);

impl Visitor for Found {
    fn record(&mut self, record: Record<'_>) {
        self.0.push(Ok((String::new(), record.block.to_vec())));
    }

    fn line(&mut self, line: &[u8], _: Position) {
        self.0.push(Ok((String::new(), line.to_vec())));
    }

    fn file(&mut self, file: ArchivedFile<'_>) {
        assert!(!file.name.starts_with('/') && file.name.split('/').all(|part| part != ".."));
        self.0.push(Ok((file.name.to_owned(), file.record.block.to_vec())));
    }

    fn fault(&mut self, fault: &Fault) {
        self.0.push(Err(fault.clone()));
    }
}

/// A page, with any method, size, checksum and flags.
struct Page<'a> {
    name: &'static str,
    data: &'a [u8],
    method: u8,
    flags: u8,
    size: u32,
}

/// A ZIP file of these pages.
fn zip(pages: &[Page<'_>]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for Page { name, data, method, flags, size } in pages {
        let mut header = vec![20, 0, *flags, 0, *method, 0, 0, 0, 0x21, 0, 0, 0, 0, 0];
        header.extend_from_slice(&(data.len() as u32).to_le_bytes());
        header.extend_from_slice(&size.to_le_bytes());
        header.extend_from_slice(&(name.len() as u32).to_le_bytes());
        let offset = file.len() as u32;
        file.extend_from_slice(&[b"PK\x03\x04", &header[..], name.as_bytes(), data].concat());
        directory.extend_from_slice(&[b"PK\x01\x02\x14\0", &header[..], &[0; 10]].concat());
        directory.extend_from_slice(&[&offset.to_le_bytes(), name.as_bytes()].concat());
    }
    let (start, count) = (file.len() as u32, pages.len() as u8);
    file.extend_from_slice(&directory);
    file.extend_from_slice(&[b'P', b'K', 5, 6, 0, 0, 0, 0, count, 0, count, 0]);
    file.extend_from_slice(&(directory.len() as u32).to_le_bytes());
    file.extend_from_slice(&start.to_le_bytes());
    file.extend_from_slice(&[0, 0]);
    file
}

fn check(bytes: &[u8]) {
    let limits = Limits { record_bytes: 1 << 20, ..Limits::default() };
    let Ok(folder) = tempfile::tempdir() else { return };
    let path = folder.path().join("a.zip");
    std::fs::write(&path, bytes).expect("there is room for the input");
    let (mut unpacker, mut batch) = (Unpacker::new(&limits), Batch::default());
    let Ok(mut input) = Input::open(&path, &limits) else { return };
    let mut found = Found::default();
    while input.next_batch(&mut batch).expect("a file in memory can be read") {
        if let Unpacked::StoppedAt(offset) = unpacker.unpack(&mut batch, &mut found) {
            input.mend_at(offset).expect("a file in memory can be read");
        }
    }
    let mut stream = RecordStream::open(&path, &limits).expect("it was opened before");
    let mut again = Found::default();
    while stream.next_batch(&mut batch).expect("a file in memory can be read") {
        let _ = unpacker.unpack(&mut batch, &mut again);
    }
    assert_eq!(found, again);
}

fuzz_target!(|data: (bool, u8, u8, u32, Vec<u8>, Vec<u8>)| {
    let (is_sound, method, flags, size, one, two) = data;
    if is_sound {
        let sound =
            Page { name: "b.html", data: &two, method: 0, flags: 0, size: two.len() as u32 };
        check(&zip(&[Page { name: "a.html", data: &one, method, flags, size }, sound]));
    } else {
        check(&[b"PK\x03\x04", &one[..], &two[..]].concat());
    }
});
