//! Edits a row: new values, removed members and added members.

use crate::row::{CorpusRow, push_name};
use huller_row::escape_controls;
use serde::Serialize;
use std::ops::Range;

/// Collects the edits of a row: values replaced, members left out, members added at its end. All
/// other members keep their bytes. The caller reuses it from row to row, so that a row allocates
/// nothing.
///
/// ```
/// use huller_corpus::{CorpusRow, RowEdit};
///
/// let row = CorpusRow::parse(br#"{"id": 1.50, "text":"a", "seen":0}"#).unwrap();
/// let (mut edit, mut out) = (RowEdit::default(), Vec::new());
/// edit.set(1, "b");
/// edit.put("seen", 1);
/// edit.write(&row, &mut out);
/// assert_eq!(out, br#"{"id":1.50,"text":"b","seen":1}"#);
/// ```
#[derive(Debug, Default)]
pub struct RowEdit {
    /// The new values as JSON, one after another.
    json: Vec<u8>,
    /// Places of members, each with the range of its new value in `json`. If a place occurs twice,
    /// the last counts.
    changed: Vec<(usize, Range<usize>)>,
    /// Names of members that are left out.
    removed: Vec<&'static str>,
    /// Names of added members, each with the range of its value in `json`.
    added: Vec<(&'static str, Range<usize>)>,
}

impl RowEdit {
    /// Discards the changes, for the next row.
    pub fn clear(&mut self) {
        self.json.clear();
        self.changed.clear();
        self.removed.clear();
        self.added.clear();
    }

    /// Returns whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty() && self.added.is_empty()
    }

    /// Replaces the value of the member at this place.
    pub fn set(&mut self, member: usize, value: impl Serialize) {
        let value = self.push(value);
        self.changed.push((member, value));
    }

    /// Replaces the value of the member at this place by the JSON that `write` appends.
    pub fn set_json(&mut self, member: usize, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.json.len();
        write(&mut self.json);
        self.changed.push((member, start..self.json.len()));
    }

    /// Leaves out all members of this name.
    pub fn remove(&mut self, name: &'static str) {
        self.removed.push(name);
    }

    /// Adds a member at the end, in place of all members of this name.
    pub fn put(&mut self, name: &'static str, value: impl Serialize) {
        let value = self.push(value);
        self.removed.push(name);
        self.added.push((name, value));
    }

    /// As [`RowEdit::put`], with the JSON that `write` appends.
    pub fn put_json(&mut self, name: &'static str, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.json.len();
        write(&mut self.json);
        self.removed.push(name);
        self.added.push((name, start..self.json.len()));
    }

    /// Appends the row to `out`, without a line end. Edits are those of the object within a frame.
    pub fn write(&mut self, row: &CorpusRow<'_>, out: &mut Vec<u8>) {
        row.write_in_frame(out, |out| self.write_object(row, out));
    }

    fn write_object(&mut self, row: &CorpusRow<'_>, out: &mut Vec<u8>) {
        self.changed.sort_by_key(|(member, _)| *member);
        let mut changed = self.changed.iter().peekable();
        out.push(b'{');
        for (member_index, (name, value)) in row.members().0.iter().enumerate() {
            let mut bytes = value.get().as_bytes();
            while let Some((_, value)) = changed.next_if(|(member, _)| *member == member_index) {
                bytes = &self.json[value.clone()];
            }
            if !self.removed.contains(&&**name) {
                push_member(out, name.as_written(), bytes);
            }
        }
        for (name, value) in &self.added {
            push_member(out, name, &self.json[value.clone()]);
        }
        out.push(b'}');
    }

    fn push(&mut self, value: impl Serialize) -> Range<usize> {
        let start = self.json.len();
        serde_json::to_writer(&mut self.json, &value).expect("writing to memory cannot fail");
        escape_controls(&mut self.json, start);
        start..self.json.len()
    }
}

/// Appends a member. `name` is the text between the quotes.
fn push_member(out: &mut Vec<u8>, name: &str, value: &[u8]) {
    push_name(out, name);
    out.extend_from_slice(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_in_a_frame_stays_in_it() {
        let row = CorpusRow::parse(br#"{"id":"1","payload":{"text":"a", "n":1.0}}"#).unwrap();
        let (mut edit, mut out) = (RowEdit::default(), Vec::new());
        edit.set(0, "b");
        edit.put("seen", 1);
        edit.write(&row, &mut out);
        assert_eq!(out, br#"{"id":"1","payload":{"text":"b","n":1.0,"seen":1}}"#);
    }

    #[test]
    fn other_members_keep_their_bytes() {
        let line = r#"{"a\"b\u0001": 1.50, "text":"x","size":9,"z":{"text":"y"},"size":"é" }"#;
        let row = CorpusRow::parse(line.as_bytes()).unwrap();
        let mut edit = RowEdit::default();
        let mut edited = |change: &dyn Fn(&mut RowEdit)| {
            edit.clear();
            change(&mut edit);
            let mut out = b"before".to_vec();
            edit.write(&row, &mut out);
            String::from_utf8(out.split_off(6)).unwrap()
        };
        assert_eq!(
            edited(&|edit| edit.set(1, "n\u{85}")),
            r#"{"a\"b\u0001":1.50,"text":"n\u0085","size":9,"z":{"text":"y"},"size":"é"}"#
        );
        assert_eq!(
            edited(&|edit| {
                edit.put("duplicate_of", None::<&str>);
                edit.put("size", 2);
            }),
            r#"{"a\"b\u0001":1.50,"text":"x","z":{"text":"y"},"duplicate_of":null,"size":2}"#
        );
        assert_eq!(
            edited(&|edit| {
                edit.remove("size");
                edit.set(1, 7);
                edit.set_json(0, |out| out.extend_from_slice(b"[1]"));
                edit.set(1, "last");
                edit.put_json("s", |out| out.extend_from_slice(b"0.50"));
            }),
            r#"{"a\"b\u0001":[1],"text":"last","z":{"text":"y"},"s":0.50}"#
        );
        assert!(edited(&|edit| assert!(edit.is_empty())).contains(r#""size":"é"}"#));
    }
}
