//! The values of one column that are not yet in a page.

use super::plain::{texts, width};
use crate::columns::{Kind, Value};
use crate::frames::clear_and_shrink;

/// Values in the encoding PLAIN, with the levels that say which rows have one.
#[derive(Default)]
pub(super) struct Values {
    /// Texts with their lengths before them; numbers with their lowest byte first; a byte for true or false.
    pub(super) plain: Vec<u8>,
    /// For each row whether it has a value.
    pub(super) present: Vec<bool>,
}

impl Values {
    pub(super) fn push(&mut self, value: Option<Value<'_>>) {
        self.present.push(value.is_some());
        match value {
            None => {}
            Some(Value::Text(text)) => {
                self.plain.extend_from_slice(&(text.len() as u32).to_le_bytes());
                self.plain.extend_from_slice(text.as_bytes());
            }
            Some(Value::Int(value)) => self.plain.extend_from_slice(&value.to_le_bytes()),
            Some(Value::Long(value)) => self.plain.extend_from_slice(&value.to_le_bytes()),
            Some(Value::Float(value)) => self.plain.extend_from_slice(&value.to_le_bytes()),
            Some(Value::Flag(value)) => self.plain.push(value.into()),
        }
    }

    /// Discards all rows but the first `rows`.
    pub(super) fn truncate(&mut self, kind: Kind, rows: usize) {
        if rows >= self.present.len() {
            return;
        }
        let values = self.present[..rows].iter().filter(|is_present| **is_present).count();
        let end = match width(kind) {
            Some(width) => values * width,
            None => texts(&self.plain).take(values).map(|text| text.len() + 4).sum(),
        };
        self.plain.truncate(end);
        self.present.truncate(rows);
    }

    pub(super) fn clear(&mut self) {
        clear_and_shrink(&mut self.plain);
        self.present.clear();
    }

    /// Cuts the values into those of pages, each of which ends as soon as it has `most` bytes: rows that have a value or none, and the
    /// plain values.
    pub(super) fn cut_after(&self, kind: Kind, most: usize) -> Vec<(&[bool], &[u8])> {
        let mut pages = Vec::new();
        let (mut first, mut start, mut end) = (0, 0, 0);
        let mut texts = texts(&self.plain);
        for (row, is_present) in self.present.iter().enumerate() {
            if *is_present {
                end += width(kind).unwrap_or_else(|| 4 + texts.next().map_or(0, <[u8]>::len));
            }
            if end - start >= most || row + 1 == self.present.len() {
                pages.push((&self.present[first..=row], &self.plain[start..end]));
                (first, start) = (row + 1, end);
            }
        }
        pages
    }
}
