//! The texts that the labelled blocks of an input's escalated pages make.

use crate::error::RelabelError;
use crate::labels::Labels;
use crate::summary::Summary;
use huller_archive::Limits;
use huller_corpus::RowReader;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

/// Longest line of an escalated page, in bytes.
const MAX_PAGE_BYTES: usize = 1 << 30;

/// The new texts of the pages of an input, by their identifiers.
#[derive(Debug, Default)]
pub(crate) struct NewTexts(HashMap<String, String>);

/// An escalated page.
#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    blocks: Vec<Block<'a>>,
}

/// A block. The end of a list that was cut has no text.
#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
}

impl NewTexts {
    /// Reads the escalated pages of an input, and counts them.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or has a line that is no escalated page.
    pub(crate) fn read(
        path: &Path,
        labels: &Labels,
        summary: &mut Summary,
    ) -> Result<NewTexts, RelabelError> {
        let failed = |source| RelabelError::Read { path: path.to_owned(), source };
        let damaged = |problem| RelabelError::Damaged { path: path.to_owned(), problem };
        let limits = Limits { record_bytes: MAX_PAGE_BYTES, ..Limits::default() };
        let mut reader = RowReader::open(path, &limits).map_err(failed)?;
        let mut texts = NewTexts::default();
        while let Some(chunk) = reader.next_chunk().map_err(failed)? {
            if let Some((position, fault)) = chunk.faults().first() {
                return Err(damaged(format!("{} at {position}", fault.reason.name())));
            }
            for (_, line) in chunk.rows() {
                let page: Page<'_> =
                    serde_json::from_slice(line).map_err(|error| damaged(error.to_string()))?;
                summary.escalated += 1;
                let Some(content) = labels.of(&page.id) else { continue };
                match text_of(&page, content) {
                    Some(text) => _ = texts.0.insert(page.id.into_owned(), text),
                    None => summary.wrong += 1,
                }
            }
        }
        Ok(texts)
    }

    /// Returns whether no page has a new text.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of pages with a new text.
    pub(crate) fn len(&self) -> u64 {
        self.0.len() as u64
    }

    /// Returns the new text of a page.
    pub(crate) fn of(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }
}

/// Joins the texts of blocks, each on lines of its own. `None` if the page lacks one of them.
fn text_of(page: &Page<'_>, content: &[u32]) -> Option<String> {
    let texts = content.iter().map(|number| page.blocks.get(*number as usize)?.text.as_deref());
    Some(texts.collect::<Option<Vec<_>>>()?.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blocks_of_the_content_make_the_text() {
        let line = r#"{"id":"a","url":null,"blocks":[{"text":"Rain\nfell.","kept":true},{"text":"Menu"},{"text":"It \"blew\"."},{"left_out":7}]}"#;
        let page: Page<'_> = serde_json::from_str(line).unwrap();
        assert_eq!(text_of(&page, &[0, 2]).unwrap(), "Rain\nfell.\nIt \"blew\".");
        assert_eq!(text_of(&page, &[]).unwrap(), "");
        assert_eq!((text_of(&page, &[3]), text_of(&page, &[0, 4])), (None, None));
    }
}
