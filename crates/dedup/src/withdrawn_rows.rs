//! Finds the rows whose pages were withdrawn from a corpus.
//!
//! Signatures have URLs, identifiers that are UUIDs, and the bands of texts. Rows are read only if
//! a tombstone needs more than that.

use crate::drop_list::DroppedRows;
use crate::error::DedupError;
use crate::file_pass::{Event, FilePass, PassEnding};
use crate::matched_lines::{MatchedLine, RecordReader, for_each_line};
use crate::monitor::{Phase, Reporter};
use crate::pool::Pool;
use crate::rows::CorpusRows;
use crate::settings::Settings;
use huller_run::withdrawals::finder::{Finder, RowIdentity};
use huller_run::withdrawals::keys::Withdrawals;
use std::sync::Arc;

/// Finds the rows that the lists name. Returns `None` if the run was interrupted.
pub(crate) fn withdrawn_rows(
    lists: &[Arc<Withdrawals>],
    settings: &Settings,
    pass: &FilePass<'_>,
    (rows, signature_indexes): (&CorpusRows, &[Option<usize>]),
    reporter: &mut Reporter<'_>,
) -> Result<Option<DroppedRows>, DedupError> {
    let mut found = DroppedRows::default();
    if lists.is_empty() {
        return Ok(Some(found));
    }
    let mut row = 0;
    for file in &rows.files {
        file.for_each(|record| {
            if lists.iter().any(|list| list.has_record(settings.signatures, record)) {
                found.insert(row);
            }
            row += 1;
            Ok(())
        })?;
    }
    if lists.iter().all(|list| list.suits_records(settings.signatures)) {
        return Ok(Some(found));
    }
    reporter.phase(Phase::Listed, None);
    let finders = Pool::new(|| Finder::new(lists.to_vec()));
    let mut reader = RecordReader::new(rows, signature_indexes);
    let mut rows_read = 0;
    let inputs =
        (0..signature_indexes.len()).filter(|input| signature_indexes[*input].is_some()).collect();
    let ending = pass.run(
        inputs,
        |input, chunk| reader.take(input, chunk),
        |input, chunk, records| {
            let signed = &rows.files[signature_indexes[input].expect("it has signatures")];
            let (mut found, mut chunk_rows) = (Vec::new(), 0);
            finders.with_worker(|finder| {
                for_each_line(settings, (&pass.files[input], signed), chunk, &records, |line| {
                    let MatchedLine::Row { row, parsed, .. } = line else { return Ok(()) };
                    chunk_rows += 1;
                    let (id, parent_id) = (parsed.row.id(), parsed.row.field_string("parent_id"));
                    let text = Some(parsed.text.as_ref()).filter(|_| parent_id.is_none());
                    let (url, id) = (parsed.url.as_deref(), id.as_deref());
                    let identity = RowIdentity { url, id, parent_id: parent_id.as_deref(), text };
                    if finder.rule(&identity).is_some() {
                        found.push(row);
                    }
                    Ok(())
                })
            })?;
            Ok((found, chunk_rows))
        },
        |input, event: Event<Result<(Vec<u32>, u64), DedupError>>| {
            if let Some(chunk) = event.chunk(&pass.files[input].name)? {
                let (rows, chunk_rows) = chunk?;
                for row in rows {
                    found.insert(row);
                }
                rows_read += chunk_rows;
                reporter.progress(rows_read);
            }
            Ok(())
        },
    )?;
    Ok((ending == PassEnding::Done).then_some(found))
}
