//! Counts the pages of each line by hashes: the first reading of a corpus.

use crate::error::SiteError;
use crate::line_rule::LineRule;
use huller_refine::Reason;
use huller_refine::signature::text_digest;
use huller_run::counters::Counters;
use huller_run::row_pass::RowSink;
use huller_run::sorted_records::SortedRecords;
use std::io;
use std::iter;
use std::path::Path;

/// Bytes of a hash in a record, the most significant first.
const HASH_BYTES: usize = size_of::<u64>();

/// Takes the place of a line in records that count the pages of a host. They come before those of
/// the host's lines.
const ANY_LINE: u64 = 0;

/// Bytes of memory for a line that recurs.
const LINE_BYTES: usize = size_of::<(u64, u64)>() + size_of::<u32>() + size_of::<bool>();

/// Counts the pages of each line.
pub(crate) struct PageCounts<'a> {
    rule: &'a LineRule,
    /// Records of the hashes of host, line and page. A page has one more, with [`ANY_LINE`].
    records: SortedRecords,
}

/// The lines of a page.
pub(crate) struct PageLines {
    /// Hash of the host.
    host: u64,
    /// Digest of the text.
    page: u64,
    /// Hashes of different lines.
    lines: Vec<u64>,
}

/// The hashes of the lines that are on enough pages.
pub(crate) struct RecurringLines {
    /// Hashes of host and line. Ascending.
    hashes: Vec<(u64, u64)>,
    /// Number of pages of each line. Higher ones than fit are lowered.
    pages: Vec<u32>,
}

impl<'a> PageCounts<'a> {
    /// Sorts in about `memory` bytes, and in files in `folder`.
    pub(crate) fn new(rule: &'a LineRule, memory: usize, folder: &Path) -> PageCounts<'a> {
        PageCounts { rule, records: SortedRecords::new(memory, folder) }
    }

    /// Returns the lines that are on at least `least` pages of a host, and on at least this share
    /// of its pages. They may take `memory` bytes.
    pub(crate) fn recurring(
        self,
        (least, share): (u64, f64),
        memory: usize,
        folder: &Path,
    ) -> Result<RecurringLines, SiteError> {
        let lines = RecurringLines { hashes: Vec::new(), pages: Vec::new() };
        let max_lines = memory / LINE_BYTES;
        let mut choice = Choice { lines, least, share, most: max_lines, host_pages: 0 };
        let mut current = ((0, ANY_LINE), 0);
        self.records.for_each(SiteError::sorting(folder), |record, _| {
            let Some(line) = line_of(record) else { return Ok(()) };
            if line != current.0 {
                choice.end(current)?;
                current = (line, 0);
            }
            current.1 += 1;
            Ok(())
        })?;
        choice.end(current)?;
        Ok(choice.lines)
    }
}

/// Returns the hashes of host and line at the beginning of a record.
fn line_of(record: &[u8]) -> Option<(u64, u64)> {
    let (host, rest) = record.split_first_chunk::<HASH_BYTES>()?;
    let line = rest.first_chunk::<HASH_BYTES>()?;
    Some((u64::from_be_bytes(*host), u64::from_be_bytes(*line)))
}

impl RowSink for PageCounts<'_> {
    type Parsed = PageLines;

    fn parse(&self, row: &[u8]) -> Result<PageLines, Reason> {
        let row = self.rule.read(row)?;
        let mut lines: Vec<_> = row.lines().map(|(hash, _)| hash).collect();
        lines.sort_unstable();
        lines.dedup();
        let page = text_digest(&row.text, &mut Vec::new()) as u64;
        Ok(PageLines { host: row.host_hash(), page, lines })
    }

    fn add(&mut self, page: PageLines, counters: &mut Counters) -> io::Result<()> {
        counters.add_written();
        let (host, page_key) = (page.host.to_be_bytes(), page.page.to_be_bytes());
        for line in iter::once(ANY_LINE).chain(page.lines) {
            self.records.push(&[&host, &line.to_be_bytes(), &page_key], 1)?;
        }
        Ok(())
    }

    fn unusable_reason(&self, _: &Counters) -> Option<String> {
        None
    }
}

/// Selects the lines that occur on enough pages of their host.
struct Choice {
    lines: RecurringLines,
    /// Fewest pages.
    least: u64,
    /// Least share of the pages of the host.
    share: f64,
    /// Most lines.
    most: usize,
    /// Pages of the host whose lines are being read.
    host_pages: u64,
}

impl Choice {
    /// Adds a line with its number of pages, if they suffice.
    fn end(&mut self, (line, pages): ((u64, u64), u64)) -> Result<(), SiteError> {
        if line.1 == ANY_LINE {
            self.host_pages = pages;
            return Ok(());
        }
        if pages < self.least || (pages as f64) < self.share * self.host_pages as f64 {
            return Ok(());
        }
        if self.lines.hashes.len() == self.most {
            return Err(SiteError::TooMany(self.most));
        }
        self.lines.hashes.push(line);
        self.lines.pages.push(u32::try_from(pages).unwrap_or(u32::MAX));
        Ok(())
    }
}

impl RecurringLines {
    /// Returns the number of lines.
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Returns the number of hosts with lines.
    pub(crate) fn hosts(&self) -> u64 {
        self.hashes.chunk_by(|(one, _), (next, _)| one == next).count() as u64
    }

    /// Returns the number of pages of the line at this place.
    pub(crate) fn pages(&self, index: usize) -> u64 {
        u64::from(self.pages[index])
    }

    /// Returns the place of a line among the lines.
    pub(crate) fn place(&self, host: u64, line: u64) -> Option<usize> {
        self.hashes.binary_search(&(host, line)).ok()
    }

    /// Returns whether a host has lines.
    pub(crate) fn has_host(&self, host: u64) -> bool {
        let index = self.hashes.partition_point(|(known, _)| *known < host);
        self.hashes.get(index).is_some_and(|(known, _)| *known == host)
    }
}
