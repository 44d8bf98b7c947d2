//! Reads the compact protocol of Thrift, in which the footer and page headers of a Parquet file are
//! written, from a slice.
//!
//! A claimed number never allocates memory: lists are read item by item, and each item takes at
//! least one byte.

use super::fault::TableFault;

/// Deepest nesting of structs.
const MAX_DEPTH: usize = 24;

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const INTS: std::ops::RangeInclusive<u8> = 4..=6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;

/// The value of a field that was read. An unread list or struct is skipped.
pub(super) enum ThriftValue<'r, 'a> {
    Int(i64),
    Flag(bool),
    Binary(&'a [u8]),
    List(ThriftList<'r, 'a>),
    Struct(&'r mut Reader<'a>),
}

/// A list whose items are unread.
pub(super) struct ThriftList<'r, 'a> {
    count: usize,
    kind: u8,
    reader: &'r mut Reader<'a>,
    was_read: &'r mut bool,
}

impl<'a> ThriftList<'_, 'a> {
    /// Calls `each` for every struct of the list, which `each` must read. Other items are skipped.
    pub(super) fn structs(
        self,
        mut each: impl FnMut(&mut Reader<'a>) -> Result<(), TableFault>,
    ) -> Result<(), TableFault> {
        *self.was_read = true;
        for _ in 0..self.count {
            if self.kind == STRUCT {
                each(self.reader)?;
            } else {
                self.reader.skip(self.kind)?;
            }
        }
        Ok(())
    }
}

/// Reads structs from a slice.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0, depth: 0 }
    }

    /// Returns the number of bytes read so far.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Reads a struct to its end, and passes each of its fields with its number to `take`.
    pub(super) fn structure(
        &mut self,
        mut take: impl FnMut(i64, ThriftValue<'_, 'a>) -> Result<(), TableFault>,
    ) -> Result<(), TableFault> {
        self.fields(&mut take)
    }

    fn fields(
        &mut self,
        take: &mut dyn FnMut(i64, ThriftValue<'_, 'a>) -> Result<(), TableFault>,
    ) -> Result<(), TableFault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(TableFault::corrupt("its Thrift data is nested too deeply"));
        }
        let mut last = 0_i64;
        loop {
            let head = self.byte()?;
            if head == 0 {
                break;
            }
            let number = match head >> 4 {
                0 => self.int()?,
                delta => last.saturating_add(delta.into()),
            };
            last = number;
            match head & 0xF {
                kind @ (TRUE | FALSE) => take(number, ThriftValue::Flag(kind == TRUE))?,
                kind if INTS.contains(&kind) => {
                    let value = self.int()?;
                    take(number, ThriftValue::Int(value))?;
                }
                BINARY => {
                    let value = self.binary()?;
                    take(number, ThriftValue::Binary(value))?;
                }
                LIST | SET => {
                    let (kind, count) = self.list_head()?;
                    let mut was_read = false;
                    let items = ThriftList { count, kind, reader: self, was_read: &mut was_read };
                    take(number, ThriftValue::List(items))?;
                    if !was_read {
                        for _ in 0..count {
                            self.skip(kind)?;
                        }
                    }
                }
                STRUCT => {
                    let before = self.at;
                    take(number, ThriftValue::Struct(self))?;
                    // A struct takes at least one byte, so a reader that read it has moved.
                    if self.at == before {
                        self.fields(&mut |_, _| Ok(()))?;
                    }
                }
                kind => self.skip(kind)?,
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Skips an item of a list, or a field of a kind that Parquet does not use.
    fn skip(&mut self, kind: u8) -> Result<(), TableFault> {
        match kind {
            TRUE | FALSE | BYTE => self.byte().map(drop),
            kind if INTS.contains(&kind) => self.int().map(drop),
            DOUBLE => self.take(8).map(drop),
            BINARY => self.binary().map(drop),
            STRUCT => self.fields(&mut |_, _| Ok(())),
            LIST | SET => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err(TableFault::corrupt("its Thrift data is nested too deeply"));
                }
                let (kind, count) = self.list_head()?;
                (0..count).try_for_each(|_| self.skip(kind))?;
                self.depth -= 1;
                Ok(())
            }
            MAP => Err(TableFault::corrupt(
                "its Thrift data contains a map, which Parquet does \
                not use",
            )),
            _ => Err(TableFault::corrupt("its Thrift data contains a value of an unknown type")),
        }
    }

    fn list_head(&mut self) -> Result<(u8, usize), TableFault> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => usize::try_from(self.varint()?).unwrap_or(usize::MAX),
            count => count.into(),
        };
        // Each item takes at least one byte.
        if count > self.bytes.len() - self.at {
            return Err(TableFault::corrupt(
                "a list is longer than the Thrift data that contains it",
            ));
        }
        Ok((head & 0xF, count))
    }

    fn binary(&mut self) -> Result<&'a [u8], TableFault> {
        let length = usize::try_from(self.varint()?).unwrap_or(usize::MAX);
        self.take(length)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], TableFault> {
        let bytes = self.bytes[self.at..].get(..length).ok_or(TableFault::Ended)?;
        self.at += length;
        Ok(bytes)
    }

    fn int(&mut self) -> Result<i64, TableFault> {
        let value = self.varint()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn varint(&mut self) -> Result<u64, TableFault> {
        varint(self.bytes, &mut self.at)
    }

    fn byte(&mut self) -> Result<u8, TableFault> {
        let byte = *self.bytes.get(self.at).ok_or(TableFault::Ended)?;
        self.at += 1;
        Ok(byte)
    }
}

/// Reads the number in base 128 at `at`, least significant digits first (ULEB128).
pub(super) fn varint(bytes: &[u8], at: &mut usize) -> Result<u64, TableFault> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.get(*at).ok_or(TableFault::Ended)?;
        *at += 1;
        value |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(TableFault::corrupt("a number has too many digits"))
}
