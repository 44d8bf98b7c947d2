//! Sound, unusual and broken zstd frames, with and without a dictionary: all ways of reading agree.
//! No reader allocates a size only because a header claims it (otherwise libFuzzer's memory limit
//! is exceeded).

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
    dictionary: Dictionary<'a>,
    frames: Vec<Frame<'a>>,
}

#[derive(Arbitrary, Debug)]
enum Dictionary<'a> {
    None,
    Stored(&'a [u8]),
    Compressed(&'a [u8]),
    /// A dictionary in a skippable frame that claims this size.
    Sized(u32, &'a [u8]),
}

#[derive(Arbitrary, Debug)]
enum Frame<'a> {
    Records {
        blocks: Vec<&'a [u8]>,
        repeat: u8,
        level: u8,
        checksum: bool,
        size: bool,
        damage: Option<(u16, u8)>,
        cut: Option<u16>,
    },
    /// The bytes after the magic number: descriptor, window, blocks.
    Raw(&'a [u8]),
    Skippable {
        kind: u8,
        claim: Option<u32>,
        bytes: &'a [u8],
    },
    Bytes(&'a [u8]),
}

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

fuzz_target!(|input: Input| {
    let mut bytes = Vec::new();
    let mut dictionary = Vec::new();
    match input.dictionary {
        Dictionary::None => {}
        Dictionary::Stored(content) => {
            dictionary = content.to_vec();
            skippable(0x5d, None, content, &mut bytes);
        }
        Dictionary::Compressed(content) => {
            dictionary = content.to_vec();
            let packed = zstd::bulk::compress(content, 1).expect("memory takes all");
            skippable(0x5d, None, &packed, &mut bytes);
        }
        Dictionary::Sized(claim, content) => skippable(0x5d, Some(claim), content, &mut bytes),
    }
    for frame in &input.frames {
        frame.write(&dictionary, &mut bytes);
    }
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
    let _ = drive::pipe(&bytes, &limits);
});

fn skippable(kind: u8, claim: Option<u32>, content: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&[0x50 | kind & 0xf, 0x2a, 0x4d, 0x18]);
    out.extend_from_slice(&claim.unwrap_or(content.len() as u32).to_le_bytes());
    out.extend_from_slice(content);
}

impl Frame<'_> {
    fn write(&self, dictionary: &[u8], out: &mut Vec<u8>) {
        match self {
            Frame::Records { blocks, repeat, level, checksum, size, damage, cut } => {
                let mut plain = Vec::new();
                for block in blocks {
                    let block = block.repeat(usize::from(*repeat % 8) + 1);
                    let head = "WARC/1.0\r\nWARC-Type: response\r\n";
                    plain.extend_from_slice(head.as_bytes());
                    plain.extend_from_slice(
                        format!("Content-Length: {}\r\n\r\n", block.len()).as_bytes(),
                    );
                    plain.extend_from_slice(&block);
                    plain.extend_from_slice(b"\r\n\r\n");
                }
                let level = i32::from(*level % 4) + 1;
                let mut compressor = zstd::bulk::Compressor::with_dictionary(level, dictionary)
                    .expect("a raw dictionary will do");
                compressor.include_checksum(*checksum).expect("it is a flag");
                compressor.include_contentsize(*size).expect("it is a flag");
                // The compressor refuses invalid bytes that begin like a trained dictionary only
                // here.
                let packed = compressor.compress(&plain);
                let mut packed = packed
                    .or_else(|_| zstd::bulk::compress(&plain, level))
                    .expect("memory takes all");
                if let Some((at, value)) = damage {
                    let at = usize::from(*at) % packed.len();
                    packed[at] = *value;
                }
                if let Some(cut) = cut {
                    packed.truncate(usize::from(*cut) % packed.len());
                }
                out.extend_from_slice(&packed);
            }
            Frame::Raw(bytes) => {
                out.extend_from_slice(&MAGIC);
                out.extend_from_slice(bytes);
            }
            Frame::Skippable { kind, claim, bytes } => skippable(*kind, *claim, bytes, out),
            Frame::Bytes(bytes) => out.extend_from_slice(bytes),
        }
    }
}
