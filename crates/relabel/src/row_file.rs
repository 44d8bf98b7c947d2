//! Copies a file of rows with the new texts of some of them.

use crate::error::RelabelError;
use crate::new_texts::NewTexts;
use crate::summary::Summary;
use huller_archive::Limits;
use huller_corpus::{CorpusRow, RowEdit, RowKeys, RowReader};
use huller_row::{Compression, Compressor, FIELDS, FieldSource};
use huller_run::output_file::OutputFile;
use std::path::Path;

/// Longest row that is read, in bytes. A finished run has no longer ones.
const MAX_ROW_BYTES: usize = 1 << 30;

/// Bytes of lines that a frame of the new file holds, about.
const FRAME_BYTES: usize = 1 << 20;

/// Value of `extractor` in rows whose text was made by labels.
const LABELS_EXTRACTOR: &str = "labels";

/// Fields of the extractor that do not depend on its text.
const PAGE_FIELDS: [&str; 3] = ["text", "comments", "page_type"];

/// Copies the rows of one file.
pub(crate) struct RowFile<'a> {
    path: &'a Path,
    texts: &'a NewTexts,
    keys: RowKeys,
    edit: RowEdit,
}

impl<'a> RowFile<'a> {
    pub(crate) fn new(path: &'a Path, texts: &'a NewTexts) -> RowFile<'a> {
        RowFile { path, texts, keys: RowKeys::default(), edit: RowEdit::default() }
    }

    /// Passes each row on as it is to be written. Returns the number of rows.
    fn each(
        &mut self,
        summary: &mut Summary,
        mut pass: impl FnMut(&[u8]) -> Result<(), RelabelError>,
    ) -> Result<u64, RelabelError> {
        let RowFile { path, texts, keys, edit } = self;
        let failed = |source| RelabelError::Read { path: path.to_path_buf(), source };
        let damaged = |problem| RelabelError::Damaged { path: path.to_path_buf(), problem };
        let limits = Limits { record_bytes: MAX_ROW_BYTES, ..Limits::default() };
        let mut reader = RowReader::open(path, &limits).map_err(failed)?;
        let (mut rows, mut line) = (0, Vec::new());
        while let Some(chunk) = reader.next_chunk().map_err(failed)? {
            if let Some((position, fault)) = chunk.faults().first() {
                return Err(damaged(format!("{} at {position}", fault.reason.name())));
            }
            for (_, bytes) in chunk.rows() {
                rows += 1;
                let row = CorpusRow::parse(bytes).map_err(|fault| damaged(fault.detail))?;
                let Some(text) = row.id().and_then(|id| texts.of(&id)) else {
                    pass(bytes)?;
                    continue;
                };
                let is_same = row.text(keys).is_ok_and(|row_text| row_text.text == text);
                if is_same {
                    summary.same += 1;
                    pass(bytes)?;
                    continue;
                }
                summary.changed += 1;
                line.clear();
                put_text(text, &row, edit);
                edit.write(&row, &mut line);
                pass(&line)?;
            }
        }
        Ok(rows)
    }

    /// Counts the rows that would change, and writes nothing.
    pub(crate) fn count(&mut self, summary: &mut Summary) -> Result<u64, RelabelError> {
        self.each(summary, |_| Ok(()))
    }

    /// Writes the rows, and returns their number.
    pub(crate) fn write(
        &mut self,
        compression: Compression,
        out: &mut OutputFile,
    ) -> Result<u64, RelabelError> {
        let mut compressor = Compressor::new(compression);
        let (mut lines, mut frame) = (Vec::new(), Vec::new());
        let mut flush = |lines: &mut Vec<u8>, out: &mut OutputFile| {
            frame.clear();
            compressor.frame(lines, &mut frame);
            lines.clear();
            out.append(&frame)
        };
        let rows = self.each(&mut Summary::default(), |line| {
            lines.extend_from_slice(line);
            lines.push(b'\n');
            if lines.len() >= FRAME_BYTES {
                flush(&mut lines, out).map_err(Into::into)
            } else {
                Ok(())
            }
        })?;
        if !lines.is_empty() {
            flush(&mut lines, out)?;
        }
        Ok(rows)
    }
}

/// Notes the edits of a row with a new text. Fields that were made of the old text become null.
fn put_text(text: &str, row: &CorpusRow<'_>, edit: &mut RowEdit) {
    edit.clear();
    for (member_index, (name, _)) in row.members().0.iter().enumerate() {
        let Some(field) = FIELDS.iter().find(|field| field.name == &**name) else { continue };
        match field.name {
            "text" => edit.set(member_index, text),
            "extractor" => edit.set(member_index, LABELS_EXTRACTOR),
            name if PAGE_FIELDS.contains(&name) => {}
            _ if matches!(field.source, FieldSource::Extractor | FieldSource::Stage) => {
                edit.set(member_index, ());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_of_the_old_text_becomes_null() {
        let line = r#"{"id":"a","text":"old","language":"eng","extractor":"hull","score":0.3,"page_type":"forum","comments":"x","status":200,"markdown":"old","tokens":7,"mine":1.0}"#;
        let row = CorpusRow::parse(line.as_bytes()).unwrap();
        let (mut edit, mut out) = (RowEdit::default(), Vec::new());
        put_text("new\n\"text\"", &row, &mut edit);
        edit.write(&row, &mut out);
        let expected = r#"{"id":"a","text":"new\n\"text\"","language":null,"extractor":"labels","score":null,"page_type":"forum","comments":"x","status":200,"markdown":null,"tokens":null,"mine":1.0}"#;
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
