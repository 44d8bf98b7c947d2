//! Sound, unusual and broken ARC records and LZ4 frames: all ways of reading agree. No reader
//! allocates a size only because a header claims it (otherwise libFuzzer's memory limit is
//! exceeded).

#![no_main]

use huller_archive::Limits;
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use std::io::Write;
use tempfile::NamedTempFile;

#[expect(dead_code, reason = "a part of it looks closer at what was seen")]
#[path = "../../crates/archive/tests/support/drive.rs"]
mod drive;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    packing: Packing,
    parts: Vec<Part<'a>>,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Packing {
    Plain,
    /// One gzip member per part.
    Gzip,
    /// One LZ4 frame of stored blocks per part.
    Lz4,
}

#[derive(Arbitrary, Debug)]
enum Part<'a> {
    Arc {
        url: &'a str,
        fields: &'a str,
        off: i8,
        block: &'a [u8],
        line_end: bool,
    },
    Warc {
        kind: Kind,
        number: u8,
        last: bool,
        block: &'a [u8],
    },
    Bytes(&'a [u8]),
    /// The bytes of an LZ4 frame after its header.
    Blocks(&'a [u8]),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Kind {
    Response,
    Continuation,
}

/// The header of an LZ4 frame with linked blocks of 64 KiB and no checksums.
const FRAME: &[u8] = b"\x04\x22\x4d\x18\x40\x40\xc0";

fuzz_target!(|input: Input| {
    let mut bytes = Vec::new();
    for part in &input.parts {
        let part = match part {
            Part::Blocks(blocks) => [FRAME, blocks].concat(),
            Part::Bytes(bytes) => bytes.to_vec(),
            part => input.packing.pack(&part.record()),
        };
        bytes.extend_from_slice(&part);
    }
    bytes.truncate(48 << 10);
    let mut file = NamedTempFile::new().expect("there is room for a file");
    file.write_all(&bytes).expect("there is room for a file");
    let limits = Limits {
        header_bytes: 16 << 10,
        header_line_bytes: 16 << 10,
        record_bytes: 64 << 10,
        ..Limits::default()
    };
    // Panics if two ways of reading differ. Errors for files that are not archives are accepted.
    let _ = drive::all_ways(file.path(), &limits);
    let _ = drive::pipe(&bytes, &limits);
});

impl Packing {
    fn pack(self, record: &[u8]) -> Vec<u8> {
        match self {
            Packing::Plain => record.to_vec(),
            Packing::Gzip => {
                let mut encoder =
                    flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                encoder.write_all(record).expect("memory takes all");
                encoder.finish().expect("memory takes all")
            }
            Packing::Lz4 => {
                let mut frame = FRAME.to_vec();
                for block in record.chunks(64 << 10) {
                    let stored = block.len() as u32 | 1 << 31;
                    frame.extend_from_slice(&stored.to_le_bytes());
                    frame.extend_from_slice(block);
                }
                frame.extend_from_slice(&[0; 4]);
                frame
            }
        }
    }
}

impl Part<'_> {
    fn record(&self) -> Vec<u8> {
        match self {
            Part::Arc { url, fields, off, block, line_end } => {
                let length = block.len() as i64 + i64::from(*off % 4);
                let line =
                    format!("http://{url} 192.0.2.1 20240229120000 text/html{fields} {length}\n");
                let end: &[u8] = if *line_end { b"\n" } else { b"" };
                [line.as_bytes(), block, end].concat()
            }
            Part::Warc { kind, number, last, block } => {
                let number = number % 4;
                let (kind, fields) = match kind {
                    Kind::Response => ("response", "WARC-Record-ID: <urn:uuid:1>\r\n"),
                    Kind::Continuation => {
                        ("continuation", "WARC-Segment-Origin-ID: <urn:uuid:1>\r\n")
                    }
                };
                let last = if *last { "WARC-Segment-Total-Length: 1\r\n" } else { "" };
                let head = format!(
                    "WARC/1.0\r\nWARC-Type: {kind}\r\n{fields}WARC-Segment-Number: {number}\r\n{last}Content-Length: {}\r\n\r\n",
                    block.len()
                );
                [head.as_bytes(), block, b"\r\n\r\n"].concat()
            }
            Part::Bytes(_) | Part::Blocks(_) => Vec::new(),
        }
    }
}
