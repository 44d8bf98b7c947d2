//! ZIP files of pages: arbitrary bytes, and sound directories over arbitrary data, never panic.
//! Batches and one stream give the same files.

#![no_main]

use huller_archive::{Batch, Input, Limits, RecordStream, UnpackResult, Unpacker};
use huller_fuzz::{Files, ZipMember, zip};
use libfuzzer_sys::fuzz_target;

fn check(bytes: &[u8]) {
    let limits = Limits { record_bytes: 1 << 20, ..Limits::default() };
    let Ok(folder) = tempfile::tempdir() else { return };
    let path = folder.path().join("a.zip");
    std::fs::write(&path, bytes).expect("there is room for the input");
    let (mut unpacker, mut batch) = (Unpacker::new(&limits), Batch::default());
    let Ok(mut input) = Input::open(&path, &limits) else { return };
    let mut found = Files::default();
    while input.next_batch(&mut batch).expect("a file in memory can be read") {
        if let UnpackResult::StoppedAt(offset) = unpacker.unpack(&mut batch, &mut found) {
            input.restart_at(offset).expect("a file in memory can be read");
        }
    }
    let mut stream = RecordStream::open(&path, &limits).expect("it was opened before");
    let mut again = Files::default();
    while stream.next_batch(&mut batch).expect("a file in memory can be read") {
        let _ = unpacker.unpack(&mut batch, &mut again);
    }
    assert_eq!(found, again);
}

fuzz_target!(|data: (bool, u8, u8, u32, Vec<u8>, Vec<u8>)| {
    let (is_sound, method, flags, size, one, two) = data;
    if is_sound {
        let any = ZipMember { name: "a.html", data: &one, method, flags, size };
        check(&zip(&[any, ZipMember::stored("b.html", &two)]));
    } else {
        check(&[b"PK\x03\x04", &one[..], &two[..]].concat());
    }
});
