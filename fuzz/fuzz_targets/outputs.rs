//! Reads bytes as an output of every format, as `huller verify` does. It never panics, and
//! allocates no memory only because a header claims a size.

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
    // More inputs reach the code behind an uncompressed layout.
    let plain = Layout { compression: Compression::None, ..Layout::default() };
    for format in FORMATS {
        let _ = format.inspect(&plain, &mut Cursor::new(file), &mut |_| {});
    }
});
