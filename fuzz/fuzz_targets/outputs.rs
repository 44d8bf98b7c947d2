//! Reads bytes as an output of every format, as `huller verify` does: no panic, and no memory for
//! what is only claimed.

#![no_main]

use huller_row::formats::FORMATS;
use huller_row::{Compression, Layout};
use libfuzzer_sys::fuzz_target;
use std::io::Cursor;

fuzz_target!(|file: &[u8]| {
    for format in FORMATS {
        for compression in format.compressions() {
            let layout = Layout { compression: *compression, ..Layout::default() };
            let _ = format.inspect(&layout, &mut Cursor::new(file), &mut |_| {});
        }
    }
    // What is not compressed is reached by more inputs.
    let plain = Layout { compression: Compression::None, ..Layout::default() };
    for format in FORMATS {
        let _ = format.inspect(&plain, &mut Cursor::new(file), &mut |_| {});
    }
});
