//! Archives made on the spot out of the bundled sample.

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{Read, Write};
use std::path::Path;

/// The records of the sample, uncompressed, each whole.
pub(crate) fn sample_records() -> Vec<Vec<u8>> {
    let file = std::fs::read(super::sample()).unwrap();
    let mut rest = &file[..];
    let mut records = Vec::new();
    while !rest.is_empty() {
        let mut member = GzDecoder::new(rest);
        let mut record = Vec::new();
        member.read_to_end(&mut record).unwrap();
        rest = member.into_inner();
        records.push(record);
    }
    records
}

/// The sample over and over, every record with an identifier of its own.
pub(crate) fn endless() -> impl Iterator<Item = Vec<u8>> {
    let records = sample_records();
    (0_u32..).flat_map(move |round| {
        let again = |record: &Vec<u8>| with_id(record, round);
        records.iter().map(again).collect::<Vec<_>>()
    })
}

/// The record with the first eight digits of its identifier replaced.
fn with_id(record: &[u8], round: u32) -> Vec<u8> {
    const FIELD: &[u8] = b"\r\nWARC-Record-ID: <urn:uuid:";
    let mut record = record.to_owned();
    let at = record.windows(FIELD.len()).position(|bytes| bytes == FIELD).unwrap() + FIELD.len();
    record[at..at + 8].copy_from_slice(format!("{round:08x}").as_bytes());
    record
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(1));
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Writes a record-compressed archive of about `raw` bytes uncompressed. With `damage`, a member in fifty is spoiled: bytes
/// flipped, cut short, junk before it, or a wrong version line.
pub(crate) fn write_large(path: &Path, raw: usize, damage: bool) {
    let mut file = Vec::new();
    let mut done = 0;
    for (number, record) in endless().enumerate() {
        if done >= raw {
            break;
        }
        done += record.len();
        let mut member = gzip(&record);
        let middle = member.len() / 2;
        match number % 200 {
            37 if damage => member[middle..].iter_mut().take(16).for_each(|byte| *byte ^= 0xFF),
            87 if damage => member.truncate(middle),
            137 if damage => {
                file.extend_from_slice(b"no gzip member at all, but bytes between two");
            }
            187 if damage => member = gzip(&[b"WARX/1.0", &record[8..]].concat()),
            _ => {}
        }
        file.extend_from_slice(&member);
    }
    std::fs::write(path, file).unwrap();
}
