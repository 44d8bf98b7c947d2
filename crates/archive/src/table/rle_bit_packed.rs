//! Decodes levels, indices of dictionaries and flags: runs of one value, and values packed into
//! bits (Parquet's "RLE / bit-packing hybrid").

use super::fault::TableFault;
use super::thrift::varint;
use std::ops::Range;

/// Decodes small numbers one by one. It holds offsets only; the caller passes the page to each
/// call.
#[derive(Clone, Debug)]
pub(super) struct RleBitPackedDecoder {
    /// Offset in the page of the next unread byte.
    position: usize,
    /// Offset in the page of the end of the values, in bytes.
    end: usize,
    /// Bits of a value.
    width: u32,
    run: Run,
}

#[derive(Clone, Debug)]
enum Run {
    /// The same value, `left` times.
    Repeated { value: u32, left: u64 },
    /// Values of `width` bits each, the next of which begins at this bit of the page.
    Packed { bit: usize, left: u64 },
}

impl RleBitPackedDecoder {
    /// Returns a decoder of these bytes of a page.
    pub(super) fn new(bytes: Range<usize>, width: u32) -> Result<RleBitPackedDecoder, TableFault> {
        if width > 32 {
            return Err(TableFault::corrupt("its numbers have more than 32 bits"));
        }
        let run = Run::Repeated { value: 0, left: 0 };
        Ok(RleBitPackedDecoder { position: bytes.start, end: bytes.end, width, run })
    }

    /// Returns the next value.
    pub(super) fn next(&mut self, page: &[u8]) -> Result<u32, TableFault> {
        loop {
            match &mut self.run {
                Run::Repeated { value, left } if *left > 0 => {
                    *left -= 1;
                    return Ok(*value);
                }
                Run::Packed { bit, left } if *left > 0 => {
                    *left -= 1;
                    let value = read_bits(page, *bit, self.width);
                    *bit += self.width as usize;
                    return Ok(value);
                }
                _ => self.begin_run(page)?,
            }
        }
    }

    fn begin_run(&mut self, page: &[u8]) -> Result<(), TableFault> {
        let bytes = page.get(..self.end).ok_or(TableFault::Ended)?;
        let header = varint(bytes, &mut self.position)?;
        let count = header >> 1;
        if header & 1 == 0 {
            if count == 0 {
                return Err(TableFault::corrupt("a run of numbers is empty"));
            }
            let mut value = [0; 4];
            let length = self.width.div_ceil(8) as usize;
            let stored =
                bytes.get(self.position..self.position + length).ok_or(TableFault::Ended)?;
            value[..length].copy_from_slice(stored);
            self.position += length;
            self.run = Run::Repeated { value: u32::from_le_bytes(value), left: count };
            return Ok(());
        }
        // Groups of eight values. Writers may omit unused bytes at the end of a page.
        let available = (self.end - self.position) as u64;
        let packed_bytes = count.saturating_mul(self.width.into());
        let length = packed_bytes.min(available);
        let left = match self.width {
            0 => count.saturating_mul(8),
            width => (length * 8 / u64::from(width)).min(count.saturating_mul(8)),
        };
        if left == 0 {
            return Err(TableFault::Ended);
        }
        self.run = Run::Packed { bit: self.position * 8, left };
        self.position += length as usize;
        Ok(())
    }
}

/// Returns the number of `width` bits that begins at bit `bit`, least significant bits first. Bits
/// after the end are 0.
pub(super) fn read_bits(bytes: &[u8], bit: usize, width: u32) -> u32 {
    let start = bit / 8;
    let mut word = [0; 8];
    let available = bytes.len().saturating_sub(start).min(8);
    word[..available].copy_from_slice(&bytes[start..start + available]);
    let value = u64::from_le_bytes(word) >> (bit % 8);
    (value & ((1_u64 << width) - 1)) as u32
}

/// Returns the number of bits that a number up to `max` needs.
pub(super) fn bit_width(max: u16) -> u32 {
    u16::BITS - max.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_packed_values_follow_one_another() {
        // The example of the format's specification: 0 to 7 in three bits each; then five times 4.
        let page = [3, 0b1000_1000, 0b1100_0110, 0b1111_1010, 10, 4];
        let mut decoder = RleBitPackedDecoder::new(0..page.len(), 3).unwrap();
        let values: Vec<_> = (0..13).map(|_| decoder.next(&page).unwrap()).collect();
        assert_eq!(values, [0, 1, 2, 3, 4, 5, 6, 7, 4, 4, 4, 4, 4]);
        assert!(decoder.next(&page).is_err());
    }

    #[test]
    fn hostile_runs_end() {
        for page in [&[0][..], &[0xFF; 12], &[1], &[2], &[0xFE, 0xFF, 0xFF, 0xFF, 0x0F]] {
            let mut decoder = RleBitPackedDecoder::new(0..page.len(), 17).unwrap();
            assert!((0..10_000_000).any(|_| decoder.next(page).is_err()), "{page:?}");
        }
        assert!(RleBitPackedDecoder::new(0..0, 33).is_err());
    }
}
