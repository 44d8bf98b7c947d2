//! Messages of Protocol Buffers, field by field.

use crate::bytes::Reader;
use crate::error::ModelError;
use std::ops::Range;

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A whole number, or a truth value.
    Number(u64),
    /// The bits of a number of 32 bits.
    Bits(u32),
    /// The range of bytes, a string or a message in the file.
    Bytes(Range<usize>),
    /// A number of 64 bits, of which no field here has one.
    Other,
}

/// The fields of a message in a file, in their order.
#[derive(Clone, Debug)]
pub(super) struct Message<'a> {
    reader: Reader<'a>,
}

impl<'a> Message<'a> {
    /// Reads a message that ends where `bytes` end, from `start`.
    pub(super) fn new(bytes: &'a [u8], range: Range<usize>) -> Result<Message<'a>, ModelError> {
        let mut reader = Reader::new(&bytes[..range.end]);
        reader.range(range.start as u64)?;
        Ok(Message { reader })
    }

    /// Returns the error of a problem at this place.
    pub(super) fn damaged(&self, problem: &'static str) -> ModelError {
        self.reader.damaged(problem)
    }

    /// Returns the number and the value of the next field, or `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Value)>, ModelError> {
        if self.reader.remaining() == 0 {
            return Ok(None);
        }
        let key = self.number()?;
        let value = match key & 7 {
            0 => Value::Number(self.number()?),
            1 => {
                self.reader.range(8)?;
                Value::Other
            }
            2 => {
                let len = self.number()?;
                Value::Bytes(self.reader.range(len)?)
            }
            5 => Value::Bits(self.reader.i32()?.cast_unsigned()),
            _ => return Err(self.damaged("a field has an unknown type")),
        };
        Ok(Some((key >> 3, value)))
    }

    /// Reads a number of a variable length, least bits first.
    fn number(&mut self) -> Result<u64, ModelError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.reader.u8()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.damaged("a number is too long"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_every_type_are_read() {
        let bytes = [8, 0xac, 2, 18, 2, b'a', b'b', 29, 0, 0, 128, 63, 33, 0, 0, 0, 0, 0, 0, 0, 0];
        let mut message = Message::new(&bytes, 0..bytes.len()).unwrap();
        let fields: Vec<_> = std::iter::from_fn(|| message.next().unwrap()).collect();
        let expected = [
            (1, Value::Number(300)),
            (2, Value::Bytes(5..7)),
            (3, Value::Bits(1f32.to_bits())),
            (4, Value::Other),
        ];
        assert_eq!(fields, expected);
        let end = |bytes: &[u8]| Message::new(bytes, 0..bytes.len()).unwrap().next().is_err();
        assert!(end(&[8]) && end(&[8, 0x80]) && end(&[18, 3, 1, 2]) && end(&[11]));
        assert!(end(&[8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]));
    }
}
