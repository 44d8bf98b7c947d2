//! A column of texts that can grow and be cut.

use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;
use std::ops::Range;
use std::sync::Arc;

/// A list of texts, some of which may be missing.
#[derive(Debug, Default)]
pub struct TextColumn {
    bytes: Vec<u8>,
    /// The end of each text in `bytes`.
    ends: Vec<usize>,
    present: Vec<bool>,
}

impl TextColumn {
    /// Adds a text, or a missing one.
    pub fn push(&mut self, text: Option<&str>) {
        self.bytes.extend_from_slice(text.unwrap_or_default().as_bytes());
        self.ends.push(self.bytes.len());
        self.present.push(text.is_some());
    }

    /// Removes all texts but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.present.truncate(len);
        self.bytes.truncate(self.end(len));
    }

    /// Adds the texts of another column.
    pub fn append(&mut self, other: &TextColumn) {
        let before = self.bytes.len();
        self.bytes.extend_from_slice(&other.bytes);
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.present.extend_from_slice(&other.present);
    }

    /// Returns the bytes of the first `len` texts.
    pub(crate) fn end(&self, len: usize) -> usize {
        len.min(self.ends.len()).checked_sub(1).map_or(0, |last| self.ends[last])
    }

    /// Returns an Arrow array of all texts.
    ///
    /// # Errors
    ///
    /// The texts together have more bytes than the 32 bits of Arrow's offsets count.
    pub fn finish(self) -> Result<ArrayRef, ArrowError> {
        let all = 0..self.ends.len();
        let mut arrays = self.finish_parts(&[all])?;
        Ok(arrays.swap_remove(0))
    }

    /// Returns an Arrow array of each of these ranges. The arrays share the bytes of the column.
    ///
    /// # Errors
    ///
    /// The texts of a range have more bytes than the 32 bits of Arrow's offsets count.
    pub(crate) fn finish_parts(self, parts: &[Range<usize>]) -> Result<Vec<ArrayRef>, ArrowError> {
        let places: Vec<_> =
            parts.iter().map(|rows| self.end(rows.start)..self.end(rows.end)).collect();
        let TextColumn { bytes, ends, present } = self;
        let bytes = Buffer::from_vec(bytes);
        let array = |(rows, place): (&Range<usize>, Range<usize>)| {
            let offset = |end: usize| {
                let offset = end - place.start;
                i32::try_from(offset).map_err(|_| ArrowError::OffsetOverflowError(offset))
            };
            let mut offsets = Vec::with_capacity(rows.len() + 1);
            offsets.push(0);
            for end in &ends[rows.clone()] {
                offsets.push(offset(*end)?);
            }
            let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
            let present = &present[rows.clone()];
            let missing = present.contains(&false).then(|| NullBuffer::from(present));
            let values = bytes.slice_with_length(place.start, place.len());
            Ok(Arc::new(StringArray::try_new(offsets, values, missing)?) as ArrayRef)
        };
        parts.iter().zip(places).map(array).collect()
    }
}
