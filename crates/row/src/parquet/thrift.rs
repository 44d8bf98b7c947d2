//! The compact protocol of Thrift, which Parquet's own words are written in.

use std::io::{self, Read};

/// Writes structs. Fields must come by ascending number.
pub(super) struct Writer<'a> {
    out: &'a mut Vec<u8>,
    /// Number of the last field of the struct being written.
    last: i16,
}

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Writer<'_> {
    /// Appends one struct to `out`.
    pub(super) fn message(out: &mut Vec<u8>, members: impl FnOnce(&mut Writer<'_>)) {
        let mut writer = Writer { out, last: 0 };
        members(&mut writer);
        writer.out.push(0);
    }

    fn field(&mut self, number: i16, kind: u8) {
        if let delta @ 1..=15 = number - self.last {
            self.out.push((delta.cast_unsigned() as u8) << 4 | kind);
        } else {
            self.out.push(kind);
            push_varint(self.out, zigzag(number.into()));
        }
        self.last = number;
    }

    pub(super) fn i16(&mut self, number: i16, value: i16) {
        self.field(number, I16);
        push_varint(self.out, zigzag(value.into()));
    }

    pub(super) fn i32(&mut self, number: i16, value: i32) {
        self.field(number, I32);
        push_varint(self.out, zigzag(value.into()));
    }

    pub(super) fn i64(&mut self, number: i16, value: i64) {
        self.field(number, I64);
        push_varint(self.out, zigzag(value));
    }

    pub(super) fn flag(&mut self, number: i16, value: bool) {
        self.field(number, if value { TRUE } else { FALSE });
    }

    pub(super) fn binary(&mut self, number: i16, value: &[u8]) {
        self.field(number, BINARY);
        push_varint(self.out, value.len() as u64);
        self.out.extend_from_slice(value);
    }

    pub(super) fn structure(&mut self, number: i16, members: impl FnOnce(&mut Writer<'_>)) {
        self.field(number, STRUCT);
        Writer::message(self.out, members);
    }

    pub(super) fn structures<T>(
        &mut self,
        number: i16,
        items: &[T],
        mut members: impl FnMut(&mut Writer<'_>, &T),
    ) {
        self.list(number, STRUCT, items.len());
        for item in items {
            Writer::message(self.out, |writer| members(writer, item));
        }
    }

    /// A list of structs that are written already.
    pub(super) fn written(&mut self, number: i16, count: usize, structs: &[u8]) {
        self.list(number, STRUCT, count);
        self.out.extend_from_slice(structs);
    }

    pub(super) fn i32s(&mut self, number: i16, values: &[i32]) {
        self.list(number, I32, values.len());
        for value in values {
            push_varint(self.out, zigzag((*value).into()));
        }
    }

    pub(super) fn i64s(&mut self, number: i16, values: impl ExactSizeIterator<Item = i64>) {
        self.list(number, I64, values.len());
        values.for_each(|value| push_varint(self.out, zigzag(value)));
    }

    pub(super) fn flags(&mut self, number: i16, values: impl ExactSizeIterator<Item = bool>) {
        self.list(number, TRUE, values.len());
        values.for_each(|value| self.out.push(if value { TRUE } else { FALSE }));
    }

    pub(super) fn binaries<'v>(
        &mut self,
        number: i16,
        values: impl ExactSizeIterator<Item = &'v [u8]>,
    ) {
        self.list(number, BINARY, values.len());
        for value in values {
            push_varint(self.out, value.len() as u64);
            self.out.extend_from_slice(value);
        }
    }

    fn list(&mut self, number: i16, kind: u8, count: usize) {
        self.field(number, LIST);
        if count < 15 {
            self.out.push((count as u8) << 4 | kind);
        } else {
            self.out.push(0xF0 | kind);
            push_varint(self.out, count as u64);
        }
    }
}

fn zigzag(value: i64) -> u64 {
    (value.cast_unsigned() << 1) ^ (value >> 63).cast_unsigned()
}

fn push_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A value that was read.
pub(super) enum Read1<'r, R> {
    Int(i64),
    Binary(Vec<u8>),
    /// Structs of a list, to be read one by one.
    List(usize, &'r mut Reader<R>),
    Struct(&'r mut Reader<R>),
    Other,
}

/// Reads structs of a stranger. Nothing takes more memory than was read.
pub(super) struct Reader<R> {
    from: R,
    depth: usize,
}

/// Structs lie in one another no deeper than this.
const DEEPEST: usize = 16;

impl<R: Read> Reader<R> {
    pub(super) fn new(from: R) -> Reader<R> {
        Reader { from, depth: 0 }
    }

    /// Reads a struct to its end, and passes each of its fields to `take`, which must read the lists and structs that it is given, or
    /// leave them alone by returning false.
    pub(super) fn structure(
        &mut self,
        take: &mut dyn FnMut(i16, Read1<'_, R>) -> io::Result<bool>,
    ) -> io::Result<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(invalid("it is nested too deeply"));
        }
        let mut last = 0_i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                break;
            }
            let number = match head >> 4 {
                0 => i16::try_from(self.int()?).map_err(|_| invalid("a field has no number"))?,
                delta => last.saturating_add(delta.into()),
            };
            last = number;
            match head & 0xF {
                kind @ (TRUE | FALSE) => {
                    take(number, Read1::Int((kind == TRUE).into()))?;
                }
                3 => {
                    self.byte()?;
                }
                4..=6 => {
                    let value = self.int()?;
                    take(number, Read1::Int(value))?;
                }
                BINARY => {
                    let value = self.binary()?;
                    take(number, Read1::Binary(value))?;
                }
                LIST => {
                    let (kind, count) = self.list_head()?;
                    if kind == STRUCT {
                        if !take(number, Read1::List(count, self))? {
                            for _ in 0..count {
                                self.structure(&mut |_, _| Ok(false))?;
                            }
                        }
                    } else {
                        for _ in 0..count {
                            self.skip(kind)?;
                        }
                        take(number, Read1::Other)?;
                    }
                }
                STRUCT => {
                    if !take(number, Read1::Struct(self))? {
                        self.structure(&mut |_, _| Ok(false))?;
                    }
                }
                kind => self.skip(kind)?,
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn skip(&mut self, kind: u8) -> io::Result<()> {
        match kind {
            TRUE | FALSE | 3 => self.byte().map(drop),
            4..=6 => self.int().map(drop),
            7 => (0..8).try_for_each(|_| self.byte().map(drop)),
            BINARY => self.binary().map(drop),
            STRUCT => self.structure(&mut |_, _| Ok(false)),
            _ => Err(invalid("a value is of no kind that Parquet has")),
        }
    }

    fn list_head(&mut self) -> io::Result<(u8, usize)> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => usize::try_from(self.varint()?).map_err(|_| invalid("a list is too long"))?,
            count => count.into(),
        };
        Ok((head & 0xF, count))
    }

    fn binary(&mut self) -> io::Result<Vec<u8>> {
        let length = self.varint()?;
        let mut bytes = Vec::new();
        let read = (&mut self.from).take(length).read_to_end(&mut bytes)?;
        if (read as u64) < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
    }

    fn int(&mut self) -> io::Result<i64> {
        let value = self.varint()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn varint(&mut self) -> io::Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(invalid("a number is too long"))
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.from.read_exact(&mut byte)?;
        Ok(byte[0])
    }
}

/// What is wrong with a file.
pub(super) fn invalid(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}
