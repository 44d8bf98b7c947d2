//! Tar: arbitrary bytes between two sound files never panic, and lose neither the first file nor
//! the sums. A file and a pipe give the same, and a name never leads out of the folder.

#![no_main]

use huller_archive::{Batch, Input, Limits, UnpackResult, Unpacker};
use huller_fuzz::Files;
use libfuzzer_sys::fuzz_target;

fn read(input: Option<Input>, limits: &Limits) -> Option<Files> {
    let mut input = input?;
    let (mut unpacker, mut batch) = (Unpacker::new(limits), Batch::default());
    let mut found = Files::default();
    while input.next_batch(&mut batch).ok()? {
        if let UnpackResult::StoppedAt(offset) = unpacker.unpack(&mut batch, &mut found) {
            input.restart_at(offset).ok()?;
        }
    }
    Some(found)
}

/// Returns a file with a POSIX header.
fn file(name: &str, flag: u8, data: &[u8]) -> Vec<u8> {
    let mut block = vec![0; 512];
    block[..name.len()].copy_from_slice(name.as_bytes());
    block[124..135].copy_from_slice(format!("{:011o}", data.len()).as_bytes());
    block[148..156].fill(b' ');
    block[156] = flag;
    block[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block.extend_from_slice(data);
    block.resize(block.len().next_multiple_of(512), 0);
    block
}

fuzz_target!(|data: (u8, u8, Vec<u8>, Vec<u8>)| {
    let (kind, flag, one, two) = data;
    let page = file("a.html", b'0', b"<p>first");
    let last = file("z.html", b'0', b"<p>last");
    let between = if kind % 2 == 0 { file("x", flag, &one) } else { one };
    let tar = [&page[..], &between, &two, &last, &[0; 1024]].concat();
    let limits = Limits { record_bytes: 1 << 20, ..Limits::default() };
    let Ok(folder) = tempfile::tempdir() else { return };
    let path = folder.path().join("a.tar");
    std::fs::write(&path, &tar).expect("there is room for the input");
    let whole = read(Input::open(&path, &limits).ok(), &limits).expect("it begins with a file");
    assert_eq!(whole.0[0], Ok(("a.html".to_owned(), b"<p>first".to_vec())));
    let piped = Input::from_reader(Box::new(std::io::Cursor::new(tar)), &limits);
    assert_eq!(Some(whole), read(piped.ok(), &limits));
});
