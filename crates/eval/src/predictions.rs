//! Predictions: the texts that another program made from the same pages.
//!
//! One JSON object per line, `{"id": ..., "text": ...}`. `id` is that of the gold or that of the WARC record, with or without
//! brackets and `urn:uuid:`. `title`, `author` and `published` are optional. The rows of `huller extract` have this form. If an
//! `id` occurs twice, the last line counts.

use crate::error::EvalError;
use crate::gold::{Gold, bare};
use crate::jsonl::{Text, read_lines};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// Title, author and date of publication of a page, as a system gives them; empty if it found none.
pub type FieldValues = [String; 3];

/// The texts of one program.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// The file's name without `.gz` or `.zst`, and `.jsonl`.
    pub name: String,
    texts: HashMap<String, String>,
    fields: HashMap<String, FieldValues>,
}

#[derive(Deserialize)]
struct Line {
    id: String,
    text: Option<Text>,
    title: Option<Text>,
    author: Option<Text>,
    published: Option<Text>,
}

impl Predictions {
    /// Reads a file of predictions: plain, gzip or zstd.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or a line is no prediction.
    pub fn read(path: &Path) -> Result<Predictions, EvalError> {
        let name = path.file_name().map(|name| name.display().to_string()).unwrap_or_default();
        let mut stem = name.as_str();
        for suffix in [".gz", ".zst", ".jsonl"] {
            stem = stem.strip_suffix(suffix).unwrap_or(stem);
        }
        let (mut texts, mut fields) = (HashMap::new(), HashMap::new());
        read_lines(path, |_, line: Line| {
            let id = bare(&line.id).to_owned();
            let values = [line.title, line.author, line.published];
            fields.insert(id.clone(), values.map(|value| value.unwrap_or_default().0));
            texts.insert(id, line.text.unwrap_or_default().0);
            Ok(())
        })?;
        Ok(Predictions { name: stem.to_owned(), texts, fields })
    }

    /// The metadata for a page, if the file has a line for it.
    pub fn fields(&self, gold: &Gold) -> Option<&FieldValues> {
        let by_record = || gold.record_id.as_ref().and_then(|id| self.fields.get(id));
        self.fields.get(&gold.id).or_else(by_record)
    }

    /// The text for a page, if the file has one.
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
