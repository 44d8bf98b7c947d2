//! Lists the rows to drop, instead of writing outputs without them.

use crate::decide::Decisions;
use crate::error::DedupError;
use crate::rows::{Address, CorpusRows, Locator, id_text};
use crate::settings::DroppedBy;
use huller_run::output_file::OutputFile;
use serde::Serialize;
use std::path::Path;

/// A row to drop.
#[derive(Serialize)]
struct DropLine<'a> {
    file: &'a str,
    /// Position of the row in its file.
    place: u64,
    id: Option<String>,
    reason: &'static str,
    duplicate_of: Option<Address>,
}

/// Writes the list: JSON Lines, with the rows in order.
pub(crate) fn write(
    path: &Path,
    rows: &CorpusRows,
    decisions: &Decisions,
) -> Result<(), DedupError> {
    let mut out = OutputFile::create(path)?;
    let (mut locator, mut line) = (Locator::new(rows), Vec::new());
    for (file_index, file) in rows.files.iter().enumerate() {
        let (name, mut row) = (rows.name(file_index), rows.first(file_index));
        if row < decisions.earlier {
            continue;
        }
        file.for_each(|record| {
            if let Some(dropped_by) = decisions.dropped_by(row) {
                let kept_row = decisions.kept_for(row);
                let is_duplicate = matches!(dropped_by, DroppedBy::Step(_));
                let duplicate_of = is_duplicate.then(|| locator.address(kept_row)).transpose()?;
                let (row_position, id) = (record.row_position(), record.id().map(id_text));
                let reason = dropped_by.reason();
                line.clear();
                huller_row::push_line(
                    &mut line,
                    &DropLine { file: name, place: row_position, id, reason, duplicate_of },
                );
                out.append(&line)?;
            }
            row += 1;
            Ok(())
        })?;
    }
    Ok(out.finish()?)
}
