//! Finds the values of a structure in Thrift's compact protocol, with their places.
//!
//! Source: "Thrift Compact protocol encoding" of Apache Thrift.

use std::ops::Range;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// An integer, in zigzag form.
    Integer(i64),
    /// The number of bytes of a string, or of elements of a long list.
    Length(u64),
    /// The byte before a field or a list, with the type in its low bits.
    Type(u8),
}

/// A value of a structure, with its byte range.
#[derive(Clone, Debug)]
pub(super) struct ThriftValue {
    pub(super) place: Range<usize>,
    pub(super) kind: ValueKind,
}

/// A walk over a structure that collects its values.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    spots: Vec<ThriftValue>,
}

impl Walk<'_> {
    /// Returns the values of the structure at `start` and the offset after it; `None` if it is
    /// invalid.
    pub(super) fn read_structure(bytes: &[u8], start: usize) -> Option<(Vec<ThriftValue>, usize)> {
        let mut walk = Walk { bytes, at: start, spots: Vec::new() };
        walk.structure(0)?;
        (walk.at <= bytes.len()).then_some((walk.spots, walk.at))
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at)?;
        self.at += 1;
        Some(*byte)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn spot(&mut self, start: usize, kind: ValueKind) {
        self.spots.push(ThriftValue { place: start..self.at, kind });
    }

    fn structure(&mut self, depth: u8) -> Option<()> {
        loop {
            let start = self.at;
            let head = self.byte()?;
            if head == 0 {
                return Some(());
            }
            self.spot(start, ValueKind::Type(head));
            if head >> 4 == 0 {
                self.varint()?;
            }
            self.value(head & 0xF, false, depth)?;
        }
    }

    fn value(&mut self, kind: u8, is_element: bool, depth: u8) -> Option<()> {
        const TRUE: u8 = 1;
        const FALSE: u8 = 2;
        const MAX_DEPTH: u8 = 16;
        let start = self.at;
        match kind {
            TRUE | FALSE => self.at += usize::from(is_element),
            3 => self.at += 1,
            4..=6 => {
                let raw = self.varint()?;
                let value = (raw >> 1).cast_signed() ^ -((raw & 1).cast_signed());
                self.spot(start, ValueKind::Integer(value));
            }
            7 => self.at += 8,
            8 => {
                let length = self.varint()?;
                self.spot(start, ValueKind::Length(length));
                self.at = self.at.checked_add(usize::try_from(length).ok()?)?;
            }
            9 | 10 if depth < MAX_DEPTH => self.list(depth + 1)?,
            12 if depth < MAX_DEPTH => self.structure(depth + 1)?,
            _ => return None,
        }
        Some(())
    }

    fn list(&mut self, depth: u8) -> Option<()> {
        let start = self.at;
        let head = self.byte()?;
        self.spot(start, ValueKind::Type(head));
        let start = self.at;
        let mut count = u64::from(head >> 4);
        if count == 15 {
            count = self.varint()?;
            self.spot(start, ValueKind::Length(count));
        }
        // An element takes at least one byte.
        (count <= self.bytes.len() as u64).then_some(())?;
        (0..count).try_for_each(|_| self.value(head & 0xF, true, depth))
    }
}

/// Encodes a number as a varint of at least `min_bytes` bytes.
pub(super) fn varint(mut value: u64, min_bytes: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let byte = (value & 0x7F) as u8;
        value >>= 7;
        if value == 0 && bytes.len() + 1 >= min_bytes {
            bytes.push(byte);
            return bytes;
        }
        bytes.push(byte | 0x80);
    }
}

/// Encodes an integer in zigzag form.
pub(super) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63).cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_places() {
        // Field 1: the number -3. Field 2: a string. Field 3: a list of two numbers.
        let bytes = [0x15, 5, 0x18, 2, b'a', b'b', 0x19, 0x25, 2, 0x80, 1, 0];
        let (spots, end) = Walk::read_structure(&bytes, 0).unwrap();
        assert_eq!(end, bytes.len());
        let numbers: Vec<_> = spots
            .iter()
            .filter_map(|spot| match spot.kind {
                ValueKind::Integer(value) => Some((value, spot.place.clone())),
                _ => None,
            })
            .collect();
        assert_eq!(numbers, [(-3, 1..2), (1, 8..9), (64, 9..11)]);
        assert!(spots.iter().any(|spot| spot.kind == ValueKind::Length(2)));
        assert_eq!((varint(zigzag(-3), 1), varint(1, 3)), (vec![5], vec![0x81, 0x80, 0]));
    }
}
