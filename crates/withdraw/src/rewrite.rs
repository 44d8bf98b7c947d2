//! Removes rows from the outputs of an input.

use crate::error::WithdrawError;
use crate::find::{each_row, open};
use crate::signed_rows::SignedRows;
use huller_corpus::RowKeys;
use huller_row::formats::format_of_name;
use huller_row::{CopiedRows, RowChoice};
use huller_run::output_file::OutputFile;
use huller_run::run_files::finished_run::{EntryRewrite, FinishedRun, OutputContent, RunOutput};
use huller_run::run_files::journal::JournalEntry;
use huller_run::withdrawals::keys::reason;
use huller_run::withdrawals::tombstone::Rule;
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::Path;

/// The rows of an input that are withdrawn.
#[derive(Debug, Default)]
pub(crate) struct MatchedRows {
    /// Their numbers over all files of the input, ascending, each with its rule.
    pub(crate) rows: Vec<(u64, Rule)>,
    /// Their identifiers.
    pub(crate) ids: HashSet<String>,
    /// Identifiers of near duplicates.
    pub(crate) near_ids: Vec<String>,
    /// Whether the rows are passages of other rows.
    pub(crate) are_parts: bool,
    /// Number of rows in the input.
    pub(crate) total_rows: u64,
    /// Number of rows with a URL, an identifier and a text.
    pub(crate) rows_with_key: [u64; 3],
}

impl MatchedRows {
    /// Returns the number of rows by rule.
    pub(crate) fn by_rule(&self) -> BTreeMap<Rule, u64> {
        let mut counts = BTreeMap::new();
        for (_, rule) in &self.rows {
            *counts.entry(*rule).or_default() += 1;
        }
        counts
    }

    fn has(&self, row: u64) -> bool {
        self.rows.binary_search_by_key(&row, |(matched_row, _)| *matched_row).is_ok()
    }
}

/// Removes the rows from all outputs of an input. Returns the number of rows that left side tables.
pub(crate) fn remove(
    run: &FinishedRun,
    entry: &JournalEntry,
    matched_rows: &MatchedRows,
    keys: &RowKeys,
) -> Result<u64, WithdrawError> {
    let mut rewrite = run.rewrite(entry);
    let outputs = run.outputs(entry)?;
    let mut places = Vec::new();
    let (mut first, mut row_bytes, mut side_rows) = (0, 0, 0);
    for output in &outputs {
        match output.content {
            OutputContent::Rows => {
                let rows = first..first + output.mark.rows;
                first = rows.end;
                if !rows.clone().any(|row| matched_rows.has(row)) {
                    continue;
                }
                let has_bytes = places_are_bytes(output);
                let mut note_place =
                    |position| places.push(if has_bytes { position } else { places.len() as u64 });
                let keeps = |row: u64| !matched_rows.has(rows.start + row);
                let copied = copy(run, output, &mut rewrite, (&keeps, &mut note_place))?;
                row_bytes = if has_bytes { copied.length } else { copied.rows };
            }
            OutputContent::SameRows => {
                copy(run, output, &mut rewrite, (&|row| !matched_rows.has(row), &mut |_| {}))?;
            }
            OutputContent::Side(_) => {
                let parts = parts_of(run, output, matched_rows, keys)?;
                if parts.is_empty() {
                    continue;
                }
                side_rows += parts.len() as u64;
                let keeps = |part: u64| parts.binary_search(&part).is_err();
                copy(run, output, &mut rewrite, (&keeps, &mut |_| {}))?;
            }
        }
    }
    if let Some(path) = run.signatures(entry) {
        rewrite.replace_signatures(|out| {
            copy_signatures(&path, matched_rows, (&places, entry.counters.written), out)?;
            Ok::<_, WithdrawError>((!places.is_empty()).then_some(row_bytes))
        })?;
    }
    rewrite.entry().counters.remove_written(matched_rows.rows.len() as u64, reason());
    rewrite.commit()?;
    Ok(side_rows)
}

/// Returns whether signatures give the place of a row as an offset, and not as its number.
fn places_are_bytes(output: &RunOutput) -> bool {
    let (format, _) = format_of_name(&output.mark.output);
    ["jsonl", "csv", "tsv"].contains(&format.name())
}

/// Returns the numbers of the rows of a side table that belong to withdrawn rows, ascending.
fn parts_of(
    run: &FinishedRun,
    output: &RunOutput,
    matched_rows: &MatchedRows,
    keys: &RowKeys,
) -> Result<Vec<u64>, WithdrawError> {
    let mut parts = Vec::new();
    each_row(output, &run.layout(output), (keys, false), |part, row| {
        // An escalated page has the identifier of its row.
        if row.parent_id.or(row.id).is_some_and(|id| matched_rows.ids.contains(id)) {
            parts.push(part);
        }
    })?;
    Ok(parts)
}

/// Replaces an output by a copy with the rows that are kept.
fn copy(
    run: &FinishedRun,
    output: &RunOutput,
    rewrite: &mut EntryRewrite<'_>,
    (keeps, placed): (&dyn Fn(u64) -> bool, &mut dyn FnMut(u64)),
) -> Result<CopiedRows, WithdrawError> {
    let layout = run.layout(output);
    let (format, _) = format_of_name(&output.mark.output);
    let mut copied = CopiedRows::default();
    rewrite.replace(output, |out| {
        let mut file = open(&output.path)?;
        let mut rows_read = 0;
        let mut counted = |row| {
            rows_read += 1;
            keeps(row)
        };
        let mut choice = RowChoice { keeps: &mut counted, placed };
        let mut writer = CheckedWriter { out, failed: None };
        let result = format.copy_rows(&layout, &mut file, &mut choice, &mut writer);
        if let Some(error) = writer.failed {
            writer.out.check_write(Err(error))?;
        }
        copied = result.map_err(|error| WithdrawError::damaged(&output.path, error.to_string()))?;
        if rows_read != output.mark.rows {
            let noted = output.mark.rows;
            let problem = format!("it has {rows_read} rows, but {noted} in the journal");
            return Err(WithdrawError::damaged(&output.path, problem));
        }
        Ok(copied.rows)
    })?;
    Ok(copied)
}

/// Distinguishes errors of the new file from errors of the old one.
struct CheckedWriter<'a> {
    out: &'a mut OutputFile,
    failed: Option<io::Error>,
}

impl io::Write for CheckedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::Write::write(self.out, bytes).map_err(|error| {
            let kind = error.kind();
            self.failed = Some(error);
            kind.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Copies the signatures of the rows that are kept, with their new places.
fn copy_signatures(
    path: &Path,
    matched_rows: &MatchedRows,
    (places, rows): (&[u64], u64),
    out: &mut OutputFile,
) -> Result<(), WithdrawError> {
    let mut signed = SignedRows::open(path, rows)?;
    out.append(signed.head())?;
    let mut places = places.iter();
    for row in 0..rows {
        let record = signed.next_record()?;
        if matched_rows.has(row) {
            continue;
        }
        let lacking = || WithdrawError::damaged(path, "a row has no place".to_owned());
        let position = places.next().ok_or_else(lacking)?;
        record[..size_of::<u64>()].copy_from_slice(&position.to_le_bytes());
        out.append(record)?;
    }
    Ok(())
}
