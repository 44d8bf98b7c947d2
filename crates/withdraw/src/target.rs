//! The folders of a withdrawal: finished runs, and indexes.

use crate::error::WithdrawError;
use crate::find::{each_row, read_outputs};
use crate::keys::SeedSigner;
use crate::request::Request;
use crate::rewrite::{MatchedRows, remove};
use crate::signed_rows::SignedRows;
use crate::summary::TargetSummary;
use huller_corpus::RowKeys;
use huller_index::{IndexChange, IndexedRow, is_index};
use huller_run::run_files::finished_run::FinishedRun;
use huller_run::run_files::journal::{self, JournalEntry};
use huller_run::run_files::paths::{RUN_FILES, WITHDRAWALS};
use huller_run::withdrawals::finder::{Finder, RowIdentity};
use huller_run::withdrawals::keys::Withdrawals;
use huller_run::withdrawals::tombstone::{self, Rule, Tombstone, WithdrawalStamp};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder that loses rows.
pub(crate) enum Target {
    /// The folder of a finished run.
    Run(RunTarget),
    /// An index.
    Index(IndexTarget),
}

/// The folder of a finished run, and the rows that it loses.
pub(crate) struct RunTarget {
    pub(crate) run: FinishedRun,
    keys: RowKeys,
    /// For each input, the rows that match.
    found: Vec<MatchedRows>,
}

/// An index, and the keys of the documents that it loses.
pub(crate) struct IndexTarget {
    index: IndexChange,
    /// Number of rows of the index.
    rows: u64,
    found: Vec<(String, Rule)>,
}

impl Target {
    /// Opens and locks a folder.
    pub(crate) fn open(path: &Path) -> Result<Target, WithdrawError> {
        if path.to_str().is_some_and(|path| path.contains("://")) {
            let problem = format!(
                "'{}' is in object storage, where rows cannot be withdrawn yet: copy it to a \
                 folder, withdraw there, and upload it again",
                path.display()
            );
            return Err(WithdrawError::Usage(problem));
        }
        if is_index(path) {
            let index = IndexChange::open(path)?;
            return Ok(Target::Index(IndexTarget { index, rows: 0, found: Vec::new() }));
        }
        if !path.join(RUN_FILES).join(journal::NAME).is_file() {
            return Err(WithdrawError::NoCorpus { path: path.to_owned() });
        }
        let run = FinishedRun::open(path)?;
        let keys = row_keys(&run);
        Ok(Target::Run(RunTarget { run, keys, found: Vec::new() }))
    }

    /// Returns the folder.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Target::Run(target) => target.run.root(),
            Target::Index(target) => target.index.path(),
        }
    }

    /// Returns the path of its tombstones.
    pub(crate) fn withdrawals(&self) -> PathBuf {
        match self {
            Target::Run(target) => target.run.root().join(RUN_FILES).join(WITHDRAWALS),
            Target::Index(target) => target.index.withdrawals(),
        }
    }

    /// Reads its tombstones.
    pub(crate) fn tombstones(&self) -> Result<Vec<Tombstone>, WithdrawError> {
        Ok(tombstone::read(&self.withdrawals())?)
    }

    /// Signs the rows that the keys name.
    pub(crate) fn seeds(
        &self,
        keys: &Arc<Withdrawals>,
        stamp: &WithdrawalStamp,
    ) -> Result<Vec<Tombstone>, WithdrawError> {
        match self {
            Target::Run(target) => {
                let of_entry = |entry: &JournalEntry| {
                    let (mut signer, mut seeds) = (SeedSigner::new(keys, stamp), Vec::new());
                    // A later stage may have changed the text since it was signed.
                    let mut records = target.signed_rows(entry, &[])?;
                    target.each_row(entry, true, |_, row| {
                        let seed = signer.sign(row);
                        if let Some(records) = &mut records {
                            records.next_record()?;
                            seeds.extend(seed.as_ref().and_then(|_| records.tombstone(stamp)));
                        }
                        seeds.extend(seed);
                        Ok(())
                    })?;
                    Ok::<_, WithdrawError>(seeds)
                };
                let entries = target.run.entries().par_iter();
                let seeds: Vec<_> = entries.map(of_entry).collect::<Result<_, _>>()?;
                Ok(seeds.concat())
            }
            Target::Index(target) => {
                let (mut signer, mut seeds) = (SeedSigner::new(keys, stamp), Vec::new());
                target.index.each_row(|row| seeds.extend(signer.sign(&identity(row))))?;
                Ok(seeds)
            }
        }
    }

    /// Finds the rows that are in one of the lists.
    pub(crate) fn find(&mut self, lists: &[Arc<Withdrawals>]) -> Result<(), WithdrawError> {
        match self {
            Target::Run(target) => target.find(lists),
            Target::Index(target) => target.find(lists),
        }
    }

    /// Returns whether its rows may be parts of the rows of other folders.
    pub(crate) fn may_have_parts(&self) -> bool {
        match self {
            Target::Run(target) => target.found.iter().any(|matched_rows| matched_rows.are_parts),
            Target::Index(_) => true,
        }
    }

    /// Returns the identifiers of rows that were found as near duplicates.
    pub(crate) fn near_ids(&self) -> impl Iterator<Item = &String> {
        let matched_inputs = match self {
            Target::Run(target) => target.found.as_slice(),
            Target::Index(_) => &[],
        };
        let is_near = |matched_inputs: &&MatchedRows| {
            matched_inputs.rows.iter().any(|(_, rule)| *rule == Rule::Near)
        };
        matched_inputs.iter().filter(is_near).flat_map(|matched_inputs| &matched_inputs.near_ids)
    }

    /// Returns a note for each kind of value that the request needs and no row has.
    pub(crate) fn notes(&self, request: &Request) -> Vec<String> {
        let Target::Run(target) = self else { return Vec::new() };
        let (mut rows, mut with_kind) = (0, [0; 3]);
        for matched_rows in &target.found {
            rows += matched_rows.total_rows;
            with_kind
                .iter_mut()
                .zip(matched_rows.rows_with_key)
                .for_each(|(sum, count)| *sum += count);
        }
        let has_urls = !request.urls.is_empty() || !request.hosts.is_empty();
        let has_found = target.found.iter().any(|matched_rows| !matched_rows.rows.is_empty());
        let requested_kinds = [has_urls, !request.ids.is_empty(), request.near && has_found];
        let names = ["URL", "identifier", "text"];
        let lacking = requested_kinds.into_iter().zip(with_kind).zip(names);
        let lacking = lacking.filter(|((is_asked, count), _)| rows > 0 && *is_asked && *count == 0);
        let note = |(_, name): (_, &str)| {
            format!("no row of '{}' has a value to compare: {name}", self.path().display())
        };
        lacking.map(note).collect()
    }

    /// Returns the counts of the rows that were found.
    pub(crate) fn summary(&self) -> TargetSummary {
        let mut summary = TargetSummary { path: self.path().to_owned(), ..Default::default() };
        match self {
            Target::Run(target) => {
                for matched_rows in &target.found {
                    summary.rows += matched_rows.total_rows;
                    for (rule, rows) in matched_rows.by_rule() {
                        summary.count(rule, rows);
                    }
                }
            }
            Target::Index(target) => {
                summary.rows = target.rows;
                for (_, rule) in &target.found {
                    summary.count(*rule, 1);
                }
            }
        }
        summary
    }
}

impl RunTarget {
    /// Calls `each` with the rows of an input.
    fn each_row(
        &self,
        entry: &JournalEntry,
        has_texts: bool,
        mut each: impl FnMut(u64, &RowIdentity<'_>) -> Result<(), WithdrawError>,
    ) -> Result<(), WithdrawError> {
        if !self.run.has_rows() {
            return Ok(());
        }
        let (mut first, mut result) = (0, Ok(()));
        for output in read_outputs(self.run.outputs(entry)?) {
            let (layout, keys) = (self.run.layout(&output), (&self.keys, has_texts));
            each_row(&output, &layout, keys, |row, identity| {
                if result.is_ok() {
                    result = each(first + row, identity);
                }
            })?;
            first += output.mark.rows;
        }
        result
    }

    /// Opens the signatures of the rows of an input. `None` if there are none, or if the lists need
    /// signatures with other settings.
    fn signed_rows(
        &self,
        entry: &JournalEntry,
        lists: &[Arc<Withdrawals>],
    ) -> Result<Option<SignedRows>, WithdrawError> {
        let Some(path) = self.run.signatures(entry).filter(|_| self.run.has_rows()) else {
            return Ok(None);
        };
        let signed = SignedRows::open(&path, entry.counters.written)?;
        let mut needed = lists.iter().flat_map(|list| list.signatures());
        let suits = needed.all(|settings| settings == signed.settings());
        Ok(suits.then_some(signed))
    }

    fn find(&mut self, lists: &[Arc<Withdrawals>]) -> Result<(), WithdrawError> {
        let has_texts = lists.iter().any(|list| list.signatures().next().is_some());
        let of_entry = |entry: &JournalEntry| {
            let (mut finder, mut matched_rows) =
                (Finder::new(lists.to_vec()), MatchedRows::default());
            let mut signed = if has_texts { self.signed_rows(entry, lists)? } else { None };
            let reads_texts = has_texts && signed.is_none();
            self.each_row(entry, reads_texts, |number, row| {
                matched_rows.total_rows += 1;
                let has_text = row.text.is_some() || signed.is_some();
                let has_values = [row.url.is_some(), row.id.is_some(), has_text];
                matched_rows
                    .rows_with_key
                    .iter_mut()
                    .zip(has_values)
                    .for_each(|(sum, has)| *sum += u64::from(has));
                matched_rows.are_parts |= row.parent_id.is_some();
                if let Some(signed) = &mut signed {
                    signed.next_record()?;
                }
                // The text of a part says nothing about its page.
                let text = row.text.filter(|_| row.parent_id.is_none());
                let row = &RowIdentity { text, ..*row };
                let record = signed.as_ref().filter(|_| row.parent_id.is_none());
                let record = record.and_then(|signed| Some((signed.settings(), signed.record()?)));
                let rule = match record {
                    Some(record) => finder.rule_of_signed(row, record),
                    None => finder.rule(row),
                };
                if let Some(rule) = rule {
                    matched_rows.rows.push((number, rule));
                    matched_rows.ids.extend(row.id.map(str::to_owned));
                    if rule == Rule::Near {
                        matched_rows.near_ids.extend(row.id.map(str::to_owned));
                    }
                }
                Ok(())
            })?;
            Ok::<_, WithdrawError>(matched_rows)
        };
        self.found = self.run.entries().par_iter().map(of_entry).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Removes the rows that were found. Returns the number of rows that left side tables.
    pub(crate) fn remove(&self) -> Result<u64, WithdrawError> {
        let todo = self.run.entries().par_iter().zip(&self.found);
        let todo = todo.filter(|(_, matched_rows)| !matched_rows.rows.is_empty());
        let side_rows: Vec<_> = todo
            .map(|(entry, matched_rows)| remove(&self.run, entry, matched_rows, &self.keys))
            .collect::<Result<_, _>>()?;
        Ok(side_rows.into_iter().sum())
    }

    /// Returns the names under which rows have their text and URL.
    pub(crate) fn keys(&self) -> &RowKeys {
        &self.keys
    }
}

impl IndexTarget {
    fn find(&mut self, lists: &[Arc<Withdrawals>]) -> Result<(), WithdrawError> {
        let (mut finder, mut matched_rows) = (Finder::new(lists.to_vec()), Vec::new());
        self.rows = self.index.each_row(|row| {
            let of_row = identity(row);
            let text = row.text.filter(|_| row.parent_id.is_none());
            if let Some(rule) = finder.rule(&RowIdentity { text, ..of_row }) {
                matched_rows.push((row.key.to_owned(), rule));
            }
        })?;
        self.found = matched_rows;
        Ok(())
    }

    /// Deletes the documents that were found.
    pub(crate) fn remove(self) -> Result<(), WithdrawError> {
        let rows: Vec<_> = self.found.into_iter().map(|(row, _)| row).collect();
        Ok(self.index.delete(&rows)?)
    }
}

fn identity<'r>(row: &IndexedRow<'r>) -> RowIdentity<'r> {
    let IndexedRow { url, id, parent_id, text, .. } = *row;
    RowIdentity { url, id, parent_id, text }
}

/// Returns the names under which the rows of a run have their text and URL: the user's choice, and
/// the usual names.
fn row_keys(run: &FinishedRun) -> RowKeys {
    let chosen: Option<[Vec<String>; 2]> =
        run.setting("refines").and_then(|keys| serde_json::from_value(keys.clone()).ok());
    let usual = RowKeys::default();
    match chosen {
        None => usual,
        Some([text, url]) => {
            RowKeys { text: [text, usual.text].concat(), url: [url, usual.url].concat() }
        }
    }
}
