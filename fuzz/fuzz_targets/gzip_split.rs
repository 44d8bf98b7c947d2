//! Any bytes as a file, and files made of members, frames, records and damage. Cutting into batches
//! of any size, unpacking and repairing give the same records as reading one stream.

#![no_main]

use huller_archive::Limits;
use huller_row::{Compression, Compressor};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use std::io::Write;
use tempfile::NamedTempFile;

#[expect(dead_code, reason = "a part of it looks closer at what was seen")]
#[path = "../../crates/archive/tests/support/drive.rs"]
mod drive;

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    Bytes(&'a [u8]),
    /// Parts between two sound members. The first member shows the format, and the second must not
    /// be lost.
    Parts {
        zstd: bool,
        parts: Vec<Part<'a>>,
    },
}

/// A part of a file.
#[derive(Arbitrary, Debug)]
enum Part<'a> {
    Member {
        contents: Vec<Content<'a>>,
        damage: Damage,
    },
    /// A member of the other container format (gzip or zstd).
    Stranger {
        contents: Vec<Content<'a>>,
    },
    Plain {
        contents: Vec<Content<'a>>,
    },
    /// A gzip header with the optional fields of these flags, such as a name and a comment.
    Header(u8),
}

#[derive(Arbitrary, Debug)]
enum Content<'a> {
    Record {
        block: &'a [u8],
        repeat: u8,
        length: Length,
    },
    /// A record that holds a gzip member that holds a record.
    Nested {
        block: &'a [u8],
    },
    Bytes(&'a [u8]),
    Zeros(u16),
    LineEnds(u8),
}

/// The Content-Length of a record.
#[derive(Arbitrary, Debug)]
enum Length {
    True,
    Off(i8),
    Text(u64),
    None,
}

#[derive(Arbitrary, Debug)]
enum Damage {
    None,
    Cut(u16),
    Change {
        at: u16,
        value: u8,
    },
    /// Counted from the end, where checksum and length are.
    ChangeEnd {
        at: u8,
        value: u8,
    },
}

fuzz_target!(|input: Input| {
    let mut bytes = Vec::new();
    match input {
        Input::Bytes(all) => bytes.extend_from_slice(all),
        Input::Parts { zstd, parts } => {
            let sound = [Content::Record { block: b"sound", repeat: 3, length: Length::True }];
            bytes.extend_from_slice(&pack(zstd, &sound));
            for part in &parts {
                part.write(zstd, &mut bytes);
            }
            bytes.extend_from_slice(&pack(zstd, &sound));
        }
    }
    // After a damaged member, six ways of reading may decode any bytes as deflate data. A zero byte
    // can then expand to 1,000 bytes, so the file is kept short.
    bytes.truncate(48 << 10);
    let mut file = NamedTempFile::new().expect("there is room for a file");
    file.write_all(&bytes).expect("there is room for a file");
    let limits = Limits {
        header_bytes: 4096,
        header_line_bytes: 1024,
        record_bytes: 64 << 10,
        zstd_window_log: 20,
        ..Limits::default()
    };
    // Panics if two ways of reading differ. Errors for files that are not archives are accepted.
    let _ = drive::all_ways(file.path(), &limits);
});

impl Part<'_> {
    fn write(&self, zstd: bool, out: &mut Vec<u8>) {
        match self {
            Part::Member { contents, damage } => {
                let mut packed = pack(zstd, contents);
                damage.inflict(&mut packed);
                out.extend_from_slice(&packed);
            }
            Part::Stranger { contents } => out.extend_from_slice(&pack(!zstd, contents)),
            Part::Plain { contents } => out.extend_from_slice(&plain(contents)),
            Part::Header(flags) => {
                out.extend_from_slice(&[0x1f, 0x8b, 8, *flags, 1, 2, 3, 4, 0, 255]);
                out.extend_from_slice(b"name\0comment\0");
            }
        }
    }
}

impl Damage {
    fn inflict(&self, packed: &mut Vec<u8>) {
        let len = packed.len();
        if len == 0 {
            return;
        }
        match self {
            Damage::None => {}
            Damage::Cut(at) => packed.truncate(usize::from(*at) % len),
            Damage::Change { at, value } => packed[usize::from(*at) % len] = *value,
            Damage::ChangeEnd { at, value } => {
                packed[len - 1 - usize::from(*at % 12).min(len - 1)] = *value;
            }
        }
    }
}

/// Returns one gzip member or one zstd frame.
fn pack(zstd: bool, contents: &[Content<'_>]) -> Vec<u8> {
    let compression =
        if zstd { Compression::Zstd { level: 1 } } else { Compression::Gzip { level: 1 } };
    let mut packed = Vec::new();
    Compressor::new(compression).frame(&plain(contents), &mut packed);
    packed
}

fn plain(contents: &[Content<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    for content in contents {
        match content {
            Content::Record { block, repeat, length } => {
                record(&block.repeat(usize::from(*repeat) + 1), length, &mut out);
            }
            Content::Nested { block } => {
                let mut inner = Vec::new();
                record(block, &Length::True, &mut inner);
                let mut member = Vec::new();
                Compressor::new(Compression::Gzip { level: 1 }).frame(&inner, &mut member);
                record(&[member.as_slice(), &member].concat(), &Length::True, &mut out);
            }
            Content::Bytes(bytes) => out.extend_from_slice(bytes),
            Content::Zeros(count) => out.resize(out.len() + usize::from(*count), 0),
            Content::LineEnds(count) => (0..*count).for_each(|_| out.extend_from_slice(b"\r\n")),
        }
    }
    out
}

fn record(block: &[u8], length: &Length, out: &mut Vec<u8>) {
    out.extend_from_slice(b"WARC/1.0\r\nWARC-Type: response\r\n");
    let len = block.len() as u64;
    let length = match length {
        Length::True => Some(len),
        Length::Off(by) => Some(len.saturating_add_signed(i64::from(*by))),
        Length::Text(length) => Some(*length),
        Length::None => None,
    };
    if let Some(length) = length {
        out.extend_from_slice(format!("Content-Length: {length}\r\n").as_bytes());
    }
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(block);
    out.extend_from_slice(b"\r\n\r\n");
}
