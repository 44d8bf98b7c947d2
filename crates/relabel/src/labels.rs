//! Reads block labels that a user's model produced.

use crate::error::RelabelError;
use huller_archive::Limits;
use huller_corpus::RowReader;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// The numbers of the content blocks of pages, by the identifiers of the pages.
#[derive(Clone, Debug, Default)]
pub struct Labels(HashMap<String, Vec<u32>>);

/// A line of labels. Other JSON members are ignored.
#[derive(Deserialize)]
struct Line {
    id: String,
    content: Vec<u32>,
}

impl Labels {
    /// Reads a file of JSON Lines, plain or compressed. If a page has several lines, the last one
    /// counts.
    ///
    /// # Errors
    ///
    /// * [`RelabelError::Read`]: the file cannot be read.
    /// * [`RelabelError::InvalidLabel`]: a line is not a valid label.
    pub fn read(path: &Path) -> Result<Labels, RelabelError> {
        let failed = |source| RelabelError::Read { path: path.to_owned(), source };
        let mut reader = RowReader::open(path, &Limits::default()).map_err(failed)?;
        let (mut labels, mut line) = (Labels::default(), 0);
        let wrong =
            |line, problem| RelabelError::InvalidLabel { path: path.to_owned(), line, problem };
        while let Some(chunk) = reader.next_chunk().map_err(failed)? {
            if let Some((_, fault)) = chunk.faults().first() {
                let row_count = chunk.rows().count() as u64;
                return Err(wrong(
                    line + row_count + 1,
                    format!("{} {}", fault.reason.name(), fault.detail),
                ));
            }
            for (_, row) in chunk.rows() {
                line += 1;
                let Line { id, mut content } =
                    serde_json::from_slice(row).map_err(|error| wrong(line, error.to_string()))?;
                content.sort_unstable();
                content.dedup();
                labels.0.insert(id, content);
            }
        }
        Ok(labels)
    }

    /// Returns the number of labelled pages.
    pub fn len(&self) -> u64 {
        self.0.len() as u64
    }

    /// Returns whether no page has labels.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the numbers of the content blocks of a page, ascending.
    pub(crate) fn of(&self, id: &str) -> Option<&[u32]> {
        self.0.get(id).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn read(text: &str) -> Result<Labels, RelabelError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels.jsonl");
        fs::write(&path, text).unwrap();
        Labels::read(&path)
    }

    #[test]
    fn the_last_line_of_a_page_counts() {
        let lines =
            "{\"id\":\"a\",\"content\":[3,1,3],\"model\":\"x\"}\n{\"id\":\"b\",\"content\":[]}\n";
        let labels = read(&format!("{lines}{{\"id\":\"b\",\"content\":[0]}}\n")).unwrap();
        assert_eq!((labels.len(), labels.of("a")), (2, Some(&[1, 3][..])));
        assert_eq!((labels.of("b"), labels.of("c")), (Some(&[0][..]), None));
    }

    #[test]
    fn a_line_that_is_no_label_is_named() {
        for (line, expected) in [
            ("{\"id\":\"a\"}", "missing field `content`"),
            ("{\"id\":\"a\",\"content\":[-1]}", "line 2"),
            ("{\"id\":1,\"content\":[1]}", "line 2"),
            ("[1]", "line 2"),
            ("{\"id\":", "line 2"),
        ] {
            let said = read(&format!("{{\"id\":\"b\",\"content\":[]}}\n{line}\n")).unwrap_err();
            let said = said.to_string();
            assert!(said.contains(expected) && said.contains("a line of labels is"), "{said}");
        }
    }
}
