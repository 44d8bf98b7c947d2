//! Collects the texts of lines that recur: the second reading of a corpus.

use crate::error::SiteError;
use crate::line_rule::LineRule;
use crate::page_counts::RecurringLines;
use huller_refine::{Reason, SiteLine};
use huller_run::counters::Counters;
use huller_run::row_pass::RowSink;
use huller_run::sorted_records::SortedRecords;
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

/// Separates host and line in a record. No host contains it.
const SEPARATOR: u8 = 0;

/// Collects the text of each line once.
pub(crate) struct LineTexts<'a> {
    rule: &'a LineRule,
    recurring: &'a RecurringLines,
    /// Whether the text of each line is collected.
    has_text: Vec<bool>,
    /// Records of host and line, counted with the number of pages.
    records: SortedRecords,
}

/// New texts of lines on a page.
pub(crate) struct PageTexts {
    host: String,
    /// Places of lines, and their texts.
    lines: Vec<(usize, String)>,
}

impl<'a> LineTexts<'a> {
    /// Sorts in about `memory` bytes, and in files in `folder`.
    pub(crate) fn new(
        rule: &'a LineRule,
        recurring: &'a RecurringLines,
        memory: usize,
        folder: &Path,
    ) -> LineTexts<'a> {
        let has_text = vec![false; recurring.len()];
        LineTexts { rule, recurring, has_text, records: SortedRecords::new(memory, folder) }
    }

    /// Returns the lines.
    ///
    /// # Errors
    ///
    /// The text of a line is missing.
    pub(crate) fn finish(self, folder: &Path) -> Result<FoundLines, SiteError> {
        if self.has_text.contains(&false) {
            return Err(SiteError::Changed);
        }
        Ok(FoundLines { records: self.records, folder: folder.to_owned() })
    }
}

impl RowSink for LineTexts<'_> {
    type Parsed = PageTexts;

    fn parse(&self, row: &[u8]) -> Result<PageTexts, Reason> {
        let row = self.rule.read(row)?;
        let host = row.host_hash();
        let mut lines = Vec::new();
        if self.recurring.has_host(host) {
            let new_lines = row.lines().filter_map(|(line, text)| {
                let line_index = self.recurring.place(host, line)?;
                (!self.has_text[line_index]).then_some((line_index, text))
            });
            let mut new_lines: Vec<_> = new_lines.collect();
            new_lines.sort_by_key(|(line_index, _)| *line_index);
            new_lines.dedup_by_key(|(line_index, _)| *line_index);
            lines = new_lines
                .into_iter()
                .map(|(line_index, text)| (line_index, text.to_owned()))
                .collect();
        }
        Ok(PageTexts { host: row.host, lines })
    }

    fn add(&mut self, page: PageTexts, counters: &mut Counters) -> io::Result<()> {
        counters.add_written();
        for (line_index, text) in page.lines {
            if !std::mem::replace(&mut self.has_text[line_index], true) {
                let parts = [page.host.as_bytes(), &[SEPARATOR], text.as_bytes()];
                self.records.push(&parts, self.recurring.pages(line_index))?;
            }
        }
        Ok(())
    }

    fn unusable_reason(&self, _: &Counters) -> Option<String> {
        None
    }
}

/// The lines that recur on the pages of their hosts.
pub struct FoundLines {
    /// Records of host and line, counted with the number of pages.
    records: SortedRecords,
    folder: PathBuf,
}

impl FoundLines {
    /// Returns no lines.
    pub(crate) fn none(folder: &Path) -> FoundLines {
        FoundLines { records: SortedRecords::new(0, folder), folder: folder.to_owned() }
    }

    /// Reports the lines in the order of hosts, and of the bytes of lines.
    ///
    /// # Errors
    ///
    /// The disk fails, or `each` fails.
    pub fn for_each<E: From<SiteError>>(
        self,
        mut each: impl FnMut(&SiteLine<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let sorting = SiteError::sorting(&self.folder);
        self.records.for_each(
            |error| sorting(error).into(),
            |record, pages| {
                let Some(end) = record.iter().position(|byte| *byte == SEPARATOR) else {
                    return Ok(());
                };
                let (host, line) =
                    (str::from_utf8(&record[..end]), str::from_utf8(&record[end + 1..]));
                let (Ok(host), Ok(line)) = (host, line) else { return Ok(()) };
                each(&SiteLine { host: Cow::Borrowed(host), line: Cow::Borrowed(line), pages })
            },
        )
    }
}
