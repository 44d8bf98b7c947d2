//! The table of characters of a normalisation: a double array of byte sequences.
//!
//! The double array has the form of `darts-clone` (J. Aoe, 1989; S. Yata). A unit of 32 bits has a
//! label in the low byte, and an offset from bit 10, in larger steps if bit 9 is set. Bit 8 is set
//! if a value follows. Values are places in the strings after the array, which end with NUL.

use crate::error::ModelError;
use std::ops::Range;

/// Most bytes of what a rule replaces, and of its replacement. NFKC needs 33.
const MAX_RULE_BYTES: usize = 256;

/// Rules of replacement by their byte sequences.
#[derive(Clone, Debug)]
pub(super) struct CharsMap {
    units: Vec<u32>,
    strings: String,
    /// Whether an ASCII character before another one has no rule.
    plain: [bool; 128],
}

impl CharsMap {
    /// Reads the table in a range of a file: the length of the array in bytes (`u32`), the array,
    /// the strings.
    pub(super) fn read(bytes: &[u8], range: Range<usize>) -> Result<CharsMap, ModelError> {
        let damaged = |problem| ModelError::Damaged { offset: range.start, problem };
        let too_early = || damaged("the table of characters ends too early");
        let (len, rest) = bytes[range.clone()].split_first_chunk().ok_or_else(too_early)?;
        let len = u32::from_le_bytes(*len) as usize;
        let (units, strings) = rest.split_at_checked(len).ok_or_else(too_early)?;
        let (units, odd) = units.as_chunks();
        if units.is_empty() || !odd.is_empty() {
            return Err(damaged("the table of characters has no whole number of units"));
        }
        let strings = str::from_utf8(strings)
            .map_err(|_| damaged("the strings of the table of characters are not UTF-8"))?;
        if strings.split('\0').any(|string| string.len() > MAX_RULE_BYTES) {
            return Err(damaged("a string in the table of characters is too long"));
        }
        let units = units.iter().map(|unit| u32::from_le_bytes(*unit)).collect();
        let mut table = CharsMap { units, strings: strings.to_owned(), plain: [false; 128] };
        for byte in 0..128 {
            table.plain[usize::from(byte)] = match table.step(offset(table.units[0]), byte) {
                None => true,
                Some((_, true)) => false,
                Some((node, false)) => (0..128).all(|next| table.step(node, next).is_none()),
            };
        }
        Ok(table)
    }

    /// Returns the node after a byte, and whether it has a value.
    #[inline]
    fn step(&self, node: usize, byte: u8) -> Option<(usize, bool)> {
        let node = node ^ usize::from(byte);
        let unit = self.units.get(node).filter(|unit| **unit & LABEL_BITS == u32::from(byte))?;
        Some((node ^ offset(*unit), unit & HAS_VALUE != 0))
    }

    /// Returns whether no rule applies to an ASCII character that ends the text or is before
    /// another ASCII character.
    #[inline]
    pub(super) fn is_plain(&self, byte: u8) -> bool {
        self.plain.get(usize::from(byte)) == Some(&true)
    }

    /// Returns the bytes of the longest rule at the beginning of a text, and its replacement.
    #[inline]
    pub(super) fn longest(&self, text: &str) -> Option<(usize, &str)> {
        let mut node = offset(self.units[0]);
        let mut longest_rule = None;
        for (index, byte) in text.bytes().take(MAX_RULE_BYTES).enumerate() {
            let Some((next_node, has_value)) = self.step(node, byte) else { break };
            node = next_node;
            if has_value {
                longest_rule = self.units.get(node).map(|value| (index + 1, value & VALUE));
            }
        }
        let (len, value) = longest_rule?;
        // A hostile table could have rules that end within a character.
        let replacement = self.strings.get(value as usize..).filter(|_| text.is_char_boundary(len));
        replacement?.split('\0').next().map(|replacement| (len, replacement))
    }
}

/// The bits of a unit that are its label. A value has the highest bit.
const LABEL_BITS: u32 = 1 << 31 | 0xff;
const HAS_VALUE: u32 = 1 << 8;
const VALUE: u32 = !(1 << 31);

fn offset(unit: u32) -> usize {
    ((unit >> 10) << ((unit & (1 << 9)) >> 6)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a table with the rule `a` → `b`.
    fn table(strings: &[u8]) -> Vec<u8> {
        let mut units = vec![0u32; 256];
        // The root has offset 1: `a` is at 1 ^ 97 = 96. Its value is at 96 ^ 1 = 97.
        (units[0], units[96], units[97]) = (1 << 10, 1 << 10 | HAS_VALUE | 0x61, 1 << 31 | 2);
        let units = units.iter().flat_map(|unit| unit.to_le_bytes());
        1024u32.to_le_bytes().into_iter().chain(units).chain(strings.iter().copied()).collect()
    }

    #[test]
    fn the_longest_rule_applies() {
        let bytes = table(b"x\0b\0");
        let table = CharsMap::read(&bytes, 0..bytes.len()).unwrap();
        assert_eq!(table.longest("ab"), Some((1, "b")));
        assert_eq!((table.longest("b"), table.longest(""), table.longest("é")), (None, None, None));
    }

    #[test]
    fn damaged_tables_are_refused_or_have_no_rules() {
        let long = [b"x\0".to_vec(), vec![b'y'; 257]].concat();
        for (bytes, problem) in [
            (vec![1, 0], "too early"),
            (vec![4, 0, 0, 0, 1], "too early"),
            (vec![3, 0, 0, 0, 1, 1, 1], "whole number"),
            (vec![0; 4], "whole number"),
            (table(b"\xff"), "not UTF-8"),
            (table(&long), "too long"),
        ] {
            let error = CharsMap::read(&bytes, 0..bytes.len()).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
        for strings in [&b"x"[..], "xé".as_bytes()] {
            let bytes = table(strings);
            assert_eq!(CharsMap::read(&bytes, 0..bytes.len()).unwrap().longest("a"), None);
        }
    }
}
