//! Cuts rows in memory into passages, as runs cut theirs.

use crate::work::side_encoder::RowExpander;
use huller_passages::{PassageSettings, Splitter};
use huller_refine::InvalidSettings;
use huller_row::{Row, RowSink};

/// Cuts rows into passages. Each thread has one, with buffers of its own. A clone shares the
/// tokenizer.
#[derive(Clone, Debug)]
pub struct PassageCutter(Splitter);

impl PassageCutter {
    /// Creates a cutter with these settings.
    ///
    /// # Errors
    ///
    /// A setting is not valid, or the file of a tokenizer cannot be read.
    pub fn new(settings: &PassageSettings) -> Result<PassageCutter, InvalidSettings> {
        Splitter::new(settings).map(PassageCutter)
    }

    /// Passes the passages of a row on to `push`, in their order. They have the fields of
    /// [`PASSAGE_FIELDS`](huller_row::PASSAGE_FIELDS). A row without Markdown is cut as plain text.
    /// Returns their number.
    pub fn cut(&mut self, row: &Row<'_>, push: &mut dyn RowSink) -> u64 {
        self.0.expand(row, push)
    }
}
