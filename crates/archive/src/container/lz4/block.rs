//! Decodes the data of one block.

use super::frame::{BlockHeader, FrameHeader, xxh32};

/// Longest distance of a reference in a linked block, in bytes.
pub(crate) const HISTORY_BYTES: usize = 64 << 10;

/// Decodes a block, with its checksum if the frame has them, to the start of `output`. `history`
/// holds the data before, at most [`HISTORY_BYTES`] of them. Returns the number of bytes written,
/// or `None` if the block is damaged.
pub(crate) fn decode(
    bytes: &[u8],
    block: BlockHeader,
    frame: &FrameHeader,
    history: &[u8],
    output: &mut [u8],
) -> Option<usize> {
    let (data, checksum) = bytes.split_at_checked(block.len)?;
    if frame.block_checksum && xxh32(data).to_le_bytes() != *checksum {
        return None;
    }
    if block.stored {
        output.get_mut(..data.len())?.copy_from_slice(data);
        return Some(data.len());
    }
    let output = output.get_mut(..frame.block_bytes)?;
    if frame.linked && !history.is_empty() {
        lz4_flex::block::decompress_into_with_dict(data, output, history).ok()
    } else {
        lz4_flex::block::decompress_into(data, output).ok()
    }
}

/// Decodes the beginning of a block, up to `most` bytes. `bytes` may be incomplete: decoding stops
/// at their end or at the first invalid byte. The block must not refer to data before it.
pub(crate) fn decode_beginning(bytes: &[u8], most: usize, output: &mut Vec<u8>) {
    let mut rest = bytes.iter().copied();
    while output.len() < most {
        let Some(token) = rest.next() else { return };
        let Some(literals) = length(token >> 4, &mut rest) else { return };
        let wanted = literals.min(most - output.len());
        let before = output.len();
        output.extend(rest.by_ref().take(wanted));
        if output.len() - before < literals {
            return;
        }
        let (Some(low), Some(high)) = (rest.next(), rest.next()) else { return };
        let distance = usize::from(u16::from_le_bytes([low, high]));
        let Some(matched) = length(token & 15, &mut rest) else { return };
        if distance == 0 || distance > output.len() {
            return;
        }
        for _ in 0..(matched + 4).min(most - output.len()) {
            output.push(output[output.len() - distance]);
        }
    }
}

/// Reads a length whose first part is `nibble`.
fn length(nibble: u8, rest: &mut impl Iterator<Item = u8>) -> Option<usize> {
    let mut length = usize::from(nibble);
    if nibble == 15 {
        loop {
            let byte = rest.next()?;
            length += usize::from(byte);
            if byte != 255 {
                break;
            }
        }
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_block_is_that_of_its_data() {
        let data = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: ".repeat(100);
        let block = lz4_flex::block::compress(&data);
        for cut in 0..block.len() {
            let mut output = Vec::new();
            decode_beginning(&block[..cut], 1000, &mut output);
            assert!(data.starts_with(&output), "{cut}");
            assert!(cut < 100 || output.len() >= 40, "{cut}: {} bytes", output.len());
        }
        let mut output = Vec::new();
        decode_beginning(&block, 1000, &mut output);
        assert_eq!(output, &data[..1000]);
    }
}
