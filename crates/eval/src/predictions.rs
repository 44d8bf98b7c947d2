//! Predictions: the texts of another program for the same pages.
//!
//! Rows such as `{"id": ..., "text": ...}`, in any file that holds rows. `id` is the identifier of
//! the gold standard or of the WARC record, with or without brackets and `urn:uuid:`. `title`,
//! `author` and `published` are optional. The rows of `huller extract` have this form. If an `id`
//! occurs twice, the last row counts.

use crate::error::EvalError;
use crate::gold::{Gold, bare_record_id};
use huller_corpus::{CorpusRow, Limits, RowKeys, RowReader};
use std::collections::HashMap;
use std::path::Path;

/// Title, author and date of publication of a page by one system; empty if the system found none.
pub type FieldValues = [String; 3];

/// The texts of one program.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// The file's name without `.gz`, `.zst` or `.lz4`, and without `.jsonl`.
    pub name: String,
    texts: HashMap<String, String>,
    fields: HashMap<String, FieldValues>,
}

impl Predictions {
    /// Reads a file of predictions in any format of files of rows: JSON Lines, CSV or Parquet,
    /// plain or compressed.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or a row is not a prediction.
    pub fn read(path: &Path) -> Result<Predictions, EvalError> {
        let name = path.file_name().map(|name| name.display().to_string()).unwrap_or_default();
        let mut stem = name.as_str();
        for suffix in [".gz", ".zst", ".lz4", ".jsonl"] {
            stem = stem.strip_suffix(suffix).unwrap_or(stem);
        }
        let mut predictions = Predictions { name: stem.to_owned(), ..Predictions::default() };
        let limits = Limits { zstd_window_log: 31, ..Limits::default() };
        let mut reader = RowReader::open(path, &limits)?;
        let (keys, mut number) = (RowKeys::default(), 0);
        while let Some(chunk) = reader.next_chunk()? {
            let wrong = |line, problem: &str| {
                let (path, problem) = (path.to_owned(), problem.to_owned());
                EvalError::Line { path, line, problem }
            };
            if let Some((_, fault)) = chunk.faults().first() {
                return Err(wrong(
                    number + 1,
                    &format!("{}: {}", fault.reason.name(), fault.detail),
                ));
            }
            for (_, line) in chunk.rows() {
                number += 1;
                let row = CorpusRow::parse(line).map_err(|fault| wrong(number, &fault.detail))?;
                predictions.add(&row, &keys).ok_or_else(|| wrong(number, "it has no `id`"))?;
            }
        }
        Ok(predictions)
    }

    /// Adds the prediction in a row. `None` if the row does not identify its page.
    fn add(&mut self, row: &CorpusRow<'_>, keys: &RowKeys) -> Option<()> {
        let id = bare_record_id(&row.id()?).to_owned();
        let values = [row.title(), row.field_string("author"), row.field_string("published")];
        let values = values.map(|value| value.unwrap_or_default().into_owned());
        let text = row.text(keys).map(|text| text.text.into_owned()).unwrap_or_default();
        self.fields.insert(id.clone(), values);
        self.texts.insert(id, text);
        Some(())
    }

    /// Returns the metadata for a page, if the file has a row for it.
    pub fn fields(&self, gold: &Gold) -> Option<&FieldValues> {
        let by_record = || gold.record_id.as_ref().and_then(|id| self.fields.get(id));
        self.fields.get(&gold.id).or_else(by_record)
    }

    /// Returns the text for a page, if the file has one.
    pub fn text(&self, gold: &Gold) -> Option<&str> {
        let by_record = || gold.record_id.as_ref().and_then(|id| self.texts.get(id));
        self.texts.get(&gold.id).or_else(by_record).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_found_by_either_identifier() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.peer.jsonl.zst");
        let lines = "{\"id\":\"s/1\",\"text\":\"one\",\"url\":null}\n{\"id\":\"<urn:uuid:u-2>\",\"text\":\"two\"}\n{\"id\":\"u-3\",\"text\":null}\n{\"id\":\"s/1\",\"text\":\"last\"}\n";
        std::fs::write(&path, zstd::encode_all(lines.as_bytes(), 1).unwrap()).unwrap();
        let predictions = Predictions::read(&path).unwrap();
        assert_eq!(predictions.name, "some.peer");
        let text = |id: &str, record: Option<&str>| {
            let gold =
                Gold { id: id.to_owned(), record_id: record.map(str::to_owned), ..Gold::default() };
            predictions.text(&gold).map(str::to_owned)
        };
        assert_eq!(text("s/1", None).as_deref(), Some("last"));
        assert_eq!(text("s/2", Some("u-2")).as_deref(), Some("two"));
        assert_eq!(text("s/3", Some("u-3")).as_deref(), Some(""));
        assert_eq!(text("s/4", Some("u-4")), None);
    }
}
