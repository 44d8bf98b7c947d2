//! Makes records and packs them.
#![expect(clippy::unwrap_used, reason = "packing in memory does not fail")]

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// A record with a true Content-Length.
pub(crate) fn record(kind: &str, block: &[u8]) -> Vec<u8> {
    record_with(kind, &block.len().to_string(), "", block)
}

/// A record with any Content-Length and more fields.
pub(crate) fn record_with(kind: &str, length: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    let mut bytes = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://example.test/{kind}\r\n{fields}\
         Content-Length: {length}\r\n\r\n"
    )
    .into_bytes();
    bytes.extend_from_slice(block);
    bytes.extend_from_slice(b"\r\n\r\n");
    bytes
}

/// One gzip member.
pub(crate) fn gzip(data: &[u8]) -> Vec<u8> {
    gzip_at(data, Compression::default())
}

/// One gzip member that holds the data as they are.
pub(crate) fn stored(data: &[u8]) -> Vec<u8> {
    gzip_at(data, Compression::none())
}

fn gzip_at(data: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// One zstd frame with a checksum.
pub(crate) fn zstd(data: &[u8]) -> Vec<u8> {
    zstd_with(data, None)
}

/// The same, with a dictionary.
pub(crate) fn zstd_with(data: &[u8], dictionary: Option<&[u8]>) -> Vec<u8> {
    let mut context = zstd_safe::CCtx::create();
    context.set_parameter(zstd_safe::CParameter::ChecksumFlag(true)).unwrap();
    if let Some(dictionary) = dictionary {
        context.load_dictionary(dictionary).unwrap();
    }
    let mut bytes = Vec::with_capacity(zstd_safe::compress_bound(data.len()));
    context.compress2(&mut bytes, data).unwrap();
    bytes
}

/// A skippable frame.
pub(crate) fn skippable(kind: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind, 0x2a, 0x4d, 0x18];
    bytes.extend_from_slice(&u32::try_from(content.len()).unwrap().to_le_bytes());
    bytes.extend_from_slice(content);
    bytes
}

/// Bytes without pattern, the same for the same seed.
pub(crate) fn noise(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    })
    .take(len)
    .collect()
}
