//! Decompresses pages. A page is at most as long as its header claims.

use super::fault::TableFault;
use std::io::Read;

/// Appends the decompressed bytes, of which there must be exactly `plain`.
pub(super) fn decompress(
    codec: i64,
    stored: &[u8],
    plain: usize,
    out: &mut Vec<u8>,
) -> Result<(), TableFault> {
    let before = out.len();
    let broken = |name: &str| TableFault::Corrupt(format!("the {name} data of a page are damaged"));
    match codec {
        1 => {
            out.resize(before + plain, 0);
            let length = snap::raw::Decoder::new()
                .decompress(stored, &mut out[before..])
                .map_err(|_| broken("Snappy"))?;
            out.truncate(before + length);
        }
        2 => read(flate2::read::MultiGzDecoder::new(stored), plain, out, "gzip")?,
        4 => {
            let reader = brotli_decompressor::Decompressor::new(stored, 4096);
            read(reader, plain, out, "Brotli")?;
        }
        5 => hadoop_lz4(stored, plain, out)?,
        6 => {
            // This is one call, which needs no window besides the page itself, whatever size the
            // frame claims.
            out.resize(before + plain, 0);
            let length = zstd::bulk::Decompressor::new()
                .and_then(|mut decoder| decoder.decompress_to_buffer(stored, &mut out[before..]))
                .map_err(|_| broken("zstd"))?;
            out.truncate(before + length);
        }
        7 => lz4(stored, plain, out)?,
        other => {
            return Err(TableFault::Corrupt(format!("its compression {other} is unknown")));
        }
    }
    if out.len() - before == plain {
        Ok(())
    } else {
        Err(TableFault::corrupt("a page does not have the length in its header"))
    }
}

/// Reads the output of a decoder, at most `plain` bytes and one more.
fn read(reader: impl Read, plain: usize, out: &mut Vec<u8>, name: &str) -> Result<(), TableFault> {
    reader
        .take(plain as u64 + 1)
        .read_to_end(out)
        .map(drop)
        .map_err(|_| TableFault::Corrupt(format!("the {name} data of a page are damaged")))
}

/// Decompresses one block of LZ4.
fn lz4(stored: &[u8], plain: usize, out: &mut Vec<u8>) -> Result<(), TableFault> {
    let before = out.len();
    out.resize(before + plain, 0);
    if let Ok(length) = lz4_flex::block::decompress_into(stored, &mut out[before..]) {
        out.truncate(before + length);
        Ok(())
    } else {
        out.truncate(before);
        Err(TableFault::corrupt("the LZ4 data of a page are damaged"))
    }
}

/// Decompresses the older codec LZ4. Hadoop writes blocks after their lengths in big-endian order;
/// other writers use one bare block.
fn hadoop_lz4(stored: &[u8], plain: usize, out: &mut Vec<u8>) -> Result<(), TableFault> {
    let before = out.len();
    let mut blocks = || -> Option<()> {
        let mut rest = stored;
        while !rest.is_empty() {
            let (head, after) = rest.split_at_checked(8)?;
            let number = |at: usize| {
                u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]) as usize
            };
            let (length, inside) = (number(0), number(4));
            if length > plain - (out.len() - before) {
                return None;
            }
            let (block, after) = after.split_at_checked(inside)?;
            lz4(block, length, out).ok()?;
            rest = after;
        }
        (out.len() - before == plain).then_some(())
    };
    if blocks().is_some() {
        return Ok(());
    }
    out.truncate(before);
    lz4(stored, plain, out)
}
