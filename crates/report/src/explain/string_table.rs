//! Interns strings: stores repeated values once.
//!
//! The texts of different extractors are mostly equal, so each is written as runs of lines of one
//! table. A text is `[from, count, from, count, …]`: `count` lines of the table, beginning with
//! line `from`, and so forth. A line break separates any two lines.

use std::collections::HashMap;
use std::rc::Rc;

/// Different strings in order of first occurrence. The index of a string, from 0, represents it
/// elsewhere.
#[derive(Default)]
pub(super) struct StringTable {
    indexes: HashMap<Rc<str>, u32>,
    values: Vec<Rc<str>>,
}

impl StringTable {
    /// Interns a value and returns its index.
    pub(super) fn intern(&mut self, value: &str) -> u32 {
        if let Some(index) = self.indexes.get(value) {
            return *index;
        }
        let index = u32::try_from(self.values.len()).expect("a row has less than 4 GB");
        let value: Rc<str> = value.into();
        self.values.push(Rc::clone(&value));
        self.indexes.insert(value, index);
        index
    }

    /// Interns the lines of a text, and returns the text as ranges of the table.
    pub(super) fn line_ranges(&mut self, text: &str) -> Vec<u32> {
        let mut ranges: Vec<u32> = Vec::new();
        for line in text.split('\n') {
            let index = self.intern(line);
            match ranges.as_mut_slice() {
                [.., from, count] if *from + *count == index => *count += 1,
                _ => ranges.extend([index, 1]),
            }
        }
        ranges
    }

    /// Returns the values in order of their indices.
    pub(super) fn values(&self) -> Vec<&str> {
        self.values.iter().map(|value| &**value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_keeps_its_place() {
        let mut table = StringTable::default();
        let places = ["p", "", "p", "li", ""].map(|value| table.intern(value));
        assert_eq!(places, [0, 1, 0, 2, 1]);
        assert_eq!(table.values(), ["p", "", "li"]);
    }

    #[test]
    fn lines_that_follow_one_another_are_one_run() {
        let mut table = StringTable::default();
        assert_eq!(table.line_ranges("a\nb\nc"), [0, 3]);
        assert_eq!(table.line_ranges("b\nc\n\na"), [1, 3, 0, 1]);
        assert_eq!(table.line_ranges(""), [3, 1]);
        assert_eq!(table.line_ranges("\n"), [3, 1, 3, 1]);
        assert_eq!(table.values(), ["a", "b", "c", ""]);
    }
}
