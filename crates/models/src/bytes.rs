//! Reads the fields of a binary file, and checks that each is there.

use crate::error::ModelError;
use std::ops::Range;

/// A place in the bytes of a file, from which fields are read one after another.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    /// Offset of the next field.
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    /// Returns the offset of the next field.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Returns the number of bytes after this place.
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Returns the error of a problem at this place.
    pub(crate) fn damaged(&self, problem: &'static str) -> ModelError {
        ModelError::Damaged { offset: self.at, problem }
    }

    /// Passes over `len` bytes and returns their range in the file.
    pub(crate) fn range(&mut self, len: u64) -> Result<Range<usize>, ModelError> {
        let len = usize::try_from(len).ok().filter(|len| *len <= self.remaining());
        let len = len.ok_or_else(|| self.damaged("the file ends too early"))?;
        let range = self.at..self.at + len;
        self.at = range.end;
        Ok(range)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        let range = self.range(N as u64)?;
        Ok(self.bytes[range].try_into().expect("a range of N bytes"))
    }

    pub(crate) fn u8(&mut self) -> Result<u8, ModelError> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// Reads a truth value, which is 0 or 1.
    pub(crate) fn flag(&mut self) -> Result<bool, ModelError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.damaged("a flag is neither 0 nor 1")),
        }
    }

    pub(crate) fn i32(&mut self) -> Result<i32, ModelError> {
        self.array().map(i32::from_le_bytes)
    }

    pub(crate) fn i64(&mut self) -> Result<i64, ModelError> {
        self.array().map(i64::from_le_bytes)
    }

    /// Reads a number of 32 bits that must not be negative.
    pub(crate) fn count(&mut self) -> Result<u32, ModelError> {
        let number = self.i32()?;
        u32::try_from(number).map_err(|_| self.damaged("a count is negative"))
    }

    /// Reads a number of 64 bits that must not be negative.
    pub(crate) fn long_count(&mut self) -> Result<u64, ModelError> {
        let number = self.i64()?;
        u64::try_from(number).map_err(|_| self.damaged("a count is negative"))
    }

    /// Passes over a string that ends with NUL. Returns its range without the NUL.
    pub(crate) fn string(&mut self) -> Result<Range<usize>, ModelError> {
        let len = self.bytes[self.at..].iter().position(|byte| *byte == 0);
        let len = len.ok_or_else(|| self.damaged("a string has no end"))?;
        let range = self.at..self.at + len;
        self.at = range.end + 1;
        Ok(range)
    }
}

/// Reads a byte of each cache line of some places of a model. They lie far apart, and the processor
/// waits for all of them together instead of one after another.
#[inline]
pub(crate) fn fetch<'a>(slices: impl Iterator<Item = &'a [u8]>) {
    const CACHE_LINE: usize = 64;
    let bytes = slices.flat_map(|slice| slice.iter().step_by(CACHE_LINE).chain(slice.last()));
    std::hint::black_box(bytes.fold(0u8, |digest, byte| digest ^ byte));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_up_to_the_end_and_not_past_it() {
        let mut reader = Reader::new(&[1, 2, 0, 0, 0, b'a', 0, 255, 255, 255, 255, 7]);
        assert!(reader.flag().unwrap());
        assert_eq!(reader.count().unwrap(), 2);
        assert_eq!(reader.string().unwrap(), 5..6);
        assert!(matches!(reader.clone().count(), Err(ModelError::Damaged { offset: 11, .. })));
        assert_eq!(reader.i32().unwrap(), -1);
        assert!(reader.clone().flag().is_err() && reader.clone().i64().is_err());
        assert!(reader.clone().string().is_err() && reader.range(u64::MAX).is_err());
        assert_eq!((reader.u8().unwrap(), reader.remaining()), (7, 0));
    }
}
