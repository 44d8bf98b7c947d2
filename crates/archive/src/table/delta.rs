//! Decodes numbers that are stored as differences (Parquet's `DELTA_BINARY_PACKED`).

use super::fault::TableFault;
use super::thrift::varint;

/// Decodes numbers one by one. It holds places in a page, not the page.
#[derive(Clone, Debug)]
pub(super) struct DeltaDecoder {
    /// Offset in the page of the next block or miniblock, in bytes.
    at: usize,
    /// Number of values in a miniblock.
    miniblock: usize,
    miniblocks: usize,
    /// Number of values left.
    left: u64,
    /// The next number.
    value: i64,
    /// Whether the first number was returned.
    began: bool,
    least: i64,
    /// Offset of the widths of the block's remaining miniblocks, and their number.
    widths: (usize, usize),
    /// Offset in bits of the next difference; then the number of differences left in the miniblock,
    /// and their width in bits.
    bit: usize,
    in_miniblock: usize,
    width: u32,
}

/// Largest plausible number of values in a block.
const MAX_BLOCK_VALUES: u64 = 1 << 20;

impl DeltaDecoder {
    /// Reads the head at `at`. A page of `most` values holds at most that many numbers.
    pub(super) fn new(page: &[u8], mut at: usize, most: u64) -> Result<DeltaDecoder, TableFault> {
        let block = varint(page, &mut at)?;
        let miniblocks = varint(page, &mut at)?;
        let left = varint(page, &mut at)?;
        let first = varint(page, &mut at)?;
        let is_right = (1..=MAX_BLOCK_VALUES).contains(&block)
            && (1..=block).contains(&miniblocks)
            && block.is_multiple_of(miniblocks)
            && (block / miniblocks).is_multiple_of(8);
        if !is_right {
            return Err(TableFault::corrupt("its blocks of differences have an impossible size"));
        }
        if left > most {
            return Err(TableFault::corrupt("it has more differences than values"));
        }
        Ok(DeltaDecoder {
            at,
            miniblock: (block / miniblocks) as usize,
            miniblocks: miniblocks as usize,
            left,
            value: zigzag(first),
            began: false,
            least: 0,
            widths: (0, 0),
            bit: 0,
            in_miniblock: 0,
            width: 0,
        })
    }

    /// Returns the number of values left.
    pub(super) fn remaining(&self) -> u64 {
        self.left
    }

    /// Returns the end of the numbers, once all of them were returned.
    pub(super) fn end(&self) -> usize {
        // The last miniblock may be followed by widths of empty ones, which were skipped with it.
        self.at
    }

    /// Returns the next number.
    pub(super) fn next(&mut self, page: &[u8]) -> Result<i64, TableFault> {
        if self.left == 0 {
            return Err(TableFault::Ended);
        }
        self.left -= 1;
        if !self.began {
            self.began = true;
            return Ok(self.value);
        }
        if self.in_miniblock == 0 {
            self.begin_miniblock(page)?;
        }
        self.in_miniblock -= 1;
        let low = super::rle_bit_packed::read_bits(page, self.bit, self.width.min(32));
        let high = match self.width {
            0..=32 => 0,
            wide => super::rle_bit_packed::read_bits(page, self.bit + 32, wide - 32),
        };
        self.bit += self.width as usize;
        let difference = (u64::from(high) << 32 | u64::from(low)).cast_signed();
        self.value = self.value.wrapping_add(self.least).wrapping_add(difference);
        Ok(self.value)
    }

    fn begin_miniblock(&mut self, page: &[u8]) -> Result<(), TableFault> {
        if self.widths.1 == 0 {
            self.least = zigzag(varint(page, &mut self.at)?);
            self.widths = (self.at, self.miniblocks);
            self.at += self.miniblocks;
        }
        let (place, count) = self.widths;
        self.widths = (place + 1, count - 1);
        self.width = u32::from(*page.get(place).ok_or(TableFault::Ended)?);
        if self.width > 64 {
            return Err(TableFault::corrupt("its differences have more than 64 bits"));
        }
        self.in_miniblock = self.miniblock;
        self.bit = self.at * 8;
        self.at += self.miniblock / 8 * self.width as usize;
        // The last miniblock may be cut after its last number.
        let needed = (self.left as usize + 1).min(self.miniblock) * self.width as usize;
        if self.bit + needed > page.len() * 8 {
            return Err(TableFault::Ended);
        }
        Ok(())
    }
}

fn zigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_add_up() {
        // The first example of the format's specification, 1 to 5: blocks of 128, four miniblocks,
        // all differences 1.
        let page = [0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0];
        let mut delta = DeltaDecoder::new(&page, 0, 5).unwrap();
        let values: Vec<_> = (0..5).map(|_| delta.next(&page).unwrap()).collect();
        assert_eq!((values, delta.remaining()), (vec![1, 2, 3, 4, 5], 0));
        assert!(delta.next(&page).is_err());
        assert_eq!(delta.end(), page.len());
        assert!(DeltaDecoder::new(&page, 0, 4).is_err());
    }
}
