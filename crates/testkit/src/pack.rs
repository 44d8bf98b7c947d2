//! Containers and content codings: gzip members, zstd and LZ4 frames, brotli streams, chunks.

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};
use std::io::Write;

/// Returns one gzip member at zlib's default level.
pub fn gzip(data: &[u8]) -> Vec<u8> {
    gzip_at(data, 6)
}

/// Returns one gzip member that holds the data uncompressed.
pub fn stored(data: &[u8]) -> Vec<u8> {
    gzip_at(data, 0)
}

/// Returns one gzip member at a level from 0 to 9.
pub fn gzip_at(data: &[u8], level: u32) -> Vec<u8> {
    gzip_pieces(level, [data])
}

/// Returns one gzip member of many pieces, which need not be in memory together.
pub fn gzip_pieces<P: AsRef<[u8]>>(level: u32, pieces: impl IntoIterator<Item = P>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    pieces.into_iter().for_each(|piece| write(&mut encoder, piece.as_ref()));
    encoder.finish().expect("memory takes all")
}

/// Returns one zlib stream at the highest level, of many pieces.
pub fn zlib_pieces<P: AsRef<[u8]>>(pieces: impl IntoIterator<Item = P>) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(9));
    pieces.into_iter().for_each(|piece| write(&mut encoder, piece.as_ref()));
    encoder.finish().expect("memory takes all")
}

/// Returns one zstd frame with its length and a checksum.
pub fn zstd(data: &[u8]) -> Vec<u8> {
    zstd_with(data, None)
}

/// Returns one zstd frame with its length, a checksum, and the number of the dictionary if it has
/// one.
pub fn zstd_with(data: &[u8], dictionary: Option<&[u8]>) -> Vec<u8> {
    let mut context = zstd_safe::CCtx::create();
    let checksum = zstd_safe::CParameter::ChecksumFlag(true);
    context.set_parameter(checksum).expect("a frame can have a checksum");
    if let Some(dictionary) = dictionary {
        context.load_dictionary(dictionary).expect("the dictionary is sound");
    }
    let mut bytes = Vec::with_capacity(zstd_safe::compress_bound(data.len()));
    context.compress2(&mut bytes, data).expect("the buffer is large enough");
    bytes
}

/// Returns one zstd frame of many pieces, without its length, with a window of 2 to the power of
/// `window_log` bytes.
pub fn zstd_pieces<P: AsRef<[u8]>>(
    window_log: u32,
    pieces: impl IntoIterator<Item = P>,
) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).expect("level 3 is allowed");
    encoder.window_log(window_log).expect("such a window is allowed");
    pieces.into_iter().for_each(|piece| write(&mut encoder, piece.as_ref()));
    encoder.finish().expect("memory takes all")
}

/// Returns one LZ4 frame with its length, linked blocks of 64 KiB and a checksum.
pub fn lz4(data: &[u8]) -> Vec<u8> {
    let info = FrameInfo::new()
        .block_size(BlockSize::Max64KB)
        .block_mode(BlockMode::Linked)
        .content_checksum(true)
        .content_size(Some(data.len() as u64));
    lz4_with(info, data)
}

/// Returns one LZ4 frame with blocks of 4 MiB, of many pieces, which need not be in memory
/// together.
pub fn lz4_pieces<P: AsRef<[u8]>>(pieces: impl IntoIterator<Item = P>) -> Vec<u8> {
    let kind = FrameInfo::new().block_size(BlockSize::Max4MB);
    let mut encoder = FrameEncoder::with_frame_info(kind, Vec::new());
    pieces.into_iter().for_each(|piece| write(&mut encoder, piece.as_ref()));
    encoder.finish().expect("memory takes all")
}

/// Returns one LZ4 frame with these settings.
pub fn lz4_with(kind: FrameInfo, data: &[u8]) -> Vec<u8> {
    let mut encoder = FrameEncoder::with_frame_info(kind, Vec::new());
    write(&mut encoder, data);
    encoder.finish().expect("memory takes all")
}

/// Returns a skippable zstd frame. `kind` is the lowest byte of its magic number, from 0x50 to
/// 0x5f.
pub fn skippable(kind: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind, 0x2a, 0x4d, 0x18];
    bytes.extend(u32::try_from(content.len()).expect("a small frame").to_le_bytes());
    bytes.extend_from_slice(content);
    bytes
}

/// Returns one brotli stream of many pieces, with a window of 16 MiB.
pub fn brotli_pieces<P: AsRef<[u8]>>(pieces: impl IntoIterator<Item = P>) -> Vec<u8> {
    const BUFFER: usize = 1 << 16;
    let mut encoder = brotli::CompressorWriter::new(Vec::new(), BUFFER, 5, 24);
    pieces.into_iter().for_each(|piece| write(&mut encoder, piece.as_ref()));
    encoder.into_inner()
}

/// Returns `data` as one chunk of the chunked transfer coding, followed by the last chunk.
pub fn chunked(data: &[u8]) -> Vec<u8> {
    let size = format!("{:x}\r\n", data.len());
    [size.as_bytes(), data, b"\r\n0\r\n\r\n"].concat()
}

/// Returns bytes without a pattern, the same for the same seed.
pub fn noise(seed: u64, len: usize) -> Vec<u8> {
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

fn write(encoder: &mut impl Write, piece: &[u8]) {
    encoder.write_all(piece).expect("memory takes all");
}
