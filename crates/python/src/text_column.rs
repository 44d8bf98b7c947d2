//! A column of texts that grows, and can be cut.

use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;
use std::sync::Arc;

/// Texts, one after another, some of which may be missing.
#[derive(Debug, Default)]
pub(crate) struct TextColumn {
    bytes: Vec<u8>,
    /// Where each text ends.
    ends: Vec<usize>,
    present: Vec<bool>,
}

impl TextColumn {
    pub(crate) fn push(&mut self, text: Option<&str>) {
        self.bytes.extend_from_slice(text.unwrap_or_default().as_bytes());
        self.ends.push(self.bytes.len());
        self.present.push(text.is_some());
    }

    /// Forgets all texts but the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.present.truncate(len);
        self.bytes.truncate(self.ends.last().copied().unwrap_or(0));
    }

    pub(crate) fn append(&mut self, other: &TextColumn) {
        let before = self.bytes.len();
        self.bytes.extend_from_slice(&other.bytes);
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.present.extend_from_slice(&other.present);
    }

    /// An Arrow array of them. Its offsets have 32 bits: an error if there is more than they can count.
    pub(crate) fn finish(self) -> Result<ArrayRef, ArrowError> {
        let mut offsets = Vec::with_capacity(self.ends.len() + 1);
        offsets.push(0);
        for end in &self.ends {
            let end = i32::try_from(*end).map_err(|_| ArrowError::OffsetOverflowError(*end))?;
            offsets.push(end);
        }
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        let missing = self.present.contains(&false).then(|| NullBuffer::from(self.present));
        Ok(Arc::new(StringArray::try_new(offsets, Buffer::from_vec(self.bytes), missing)?))
    }
}
