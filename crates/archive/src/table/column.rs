//! Reads a column of a row group value by value.

use super::fault::TableFault;
use super::footer::Chunk;
use super::page::{Dictionary, PageHeader, PageKind};
use super::rle_bit_packed::{RleBitPackedDecoder, bit_width};
use super::schema::{LeafColumn, Physical};
use super::store::{PageContents, PageStore};
use super::values::{StoredValue, ValueDecoder};
use crate::memory_budget::UNASKED;
use crate::store::input_file::InputFile;
use std::sync::Arc;

/// The source of the bytes of columns, and its limits on memory.
pub(super) struct PageSource<'s> {
    pub(super) file: &'s InputFile,
    pub(super) pages: &'s PageStore,
    /// Size in bytes of the giant pages that the reader holds.
    pub(super) held: usize,
    pub(super) wait_for: &'s mut dyn FnMut(usize),
}

/// The levels of a value. `repetition` is the number of its enclosing lists that it continues.
/// `definition` is the number of optional or repeated levels that are present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) repetition: u16,
    pub(super) definition: u16,
}

/// A column of a row group. Its position is before an entry, or after a page that could not be
/// read.
#[derive(Debug)]
pub(super) struct Column {
    physical: Physical,
    max_definition: u16,
    max_repetition: u16,
    codec: i64,
    /// Most bytes that a page may take, and size in bytes of all pages, as the file claims.
    max_page_bytes: usize,
    claimed_bytes: u64,
    /// Offset of the next page, and of the end of the column.
    next: u64,
    end: u64,
    /// Number of entries in pages that have not been begun.
    entries_left: u64,
    dictionary: Option<Arc<PageContents>>,
    page: Option<Page>,
    /// The next entry, if it has been peeked.
    peeked: Option<Entry>,
    /// Number of rows that have been begun or skipped.
    rows: u64,
    /// The reason why the last skipped page could not be read.
    lost: Option<TableFault>,
    /// The reason why the rest of the column cannot be read.
    dead: Option<TableFault>,
}

/// The page that is being read.
#[derive(Debug)]
struct Page {
    loaded: Arc<PageContents>,
    repetition: Option<RleBitPackedDecoder>,
    definition: Option<RleBitPackedDecoder>,
    values: ValueDecoder,
    /// Number of entries that have not been read.
    left: u64,
    /// The row after its last one, if it is known.
    end_row: Option<u64>,
    /// The reason why the rest of its values cannot be read, though its levels can.
    broken: Option<TableFault>,
}

impl Column {
    /// Returns a column whose pages may take `most` bytes each.
    pub(super) fn new(leaf: &LeafColumn, chunk: &Chunk, max_page_bytes: usize) -> Column {
        Column {
            physical: leaf.physical,
            max_definition: leaf.max_definition,
            max_repetition: leaf.max_repetition,
            codec: chunk.codec,
            max_page_bytes,
            claimed_bytes: chunk.plain.saturating_add(chunk.length),
            next: chunk.start,
            end: chunk.start + chunk.length,
            entries_left: chunk.values,
            dictionary: None,
            page: None,
            peeked: None,
            rows: 0,
            lost: None,
            dead: None,
        }
    }

    /// Returns whether a row may have several values of it, or no value.
    pub(super) fn is_repeated(&self) -> bool {
        self.max_repetition > 0
    }

    /// Returns the size in bytes of its page and dictionary, if they are large.
    pub(super) fn large_page_bytes(&self) -> usize {
        let bytes = |loaded: &Arc<PageContents>| match &**loaded {
            PageContents::Data(bytes) => bytes.len(),
            PageContents::Dictionary(dictionary) => dictionary.bytes.len(),
        };
        let pages = self.page.iter().map(|page| &page.loaded).chain(&self.dictionary);
        pages.map(bytes).filter(|bytes| *bytes > UNASKED).sum()
    }

    /// Returns the levels of the next entry. `None` at the end of the column.
    pub(super) fn peek(
        &mut self,
        source: &mut PageSource<'_>,
    ) -> Result<Option<Entry>, TableFault> {
        if let Some(entry) = self.peeked {
            return Ok(Some(entry));
        }
        while self.page.as_ref().is_none_or(|page| page.left == 0) {
            self.end_page()?;
            let Some(header) = self.next_header(source)? else { return Ok(None) };
            self.open(&header, source)?;
        }
        let Some(page) = &mut self.page else { return Ok(None) };
        let PageContents::Data(bytes) = &*page.loaded else { return Ok(None) };
        let level = |levels: &mut Option<RleBitPackedDecoder>, most: u16| match levels {
            None => Ok(0),
            Some(levels) => match levels.next(bytes) {
                Ok(level) if level > most.into() => {
                    Err(TableFault::corrupt("a level is too high for its column"))
                }
                level => level.map(|level| level as u16),
            },
        };
        let entry = level(&mut page.repetition, self.max_repetition).and_then(|repetition| {
            let definition = level(&mut page.definition, self.max_definition)?;
            Ok(Entry { repetition, definition })
        });
        match entry {
            // The page has more rows than its header claims; readers that skip the page would miss
            // them.
            Ok(Entry { repetition: 0, .. }) if page.end_row == Some(self.rows) => {
                let end = page.end_row;
                self.page = None;
                Err(self.pass_to(end, row_count_fault()))
            }
            Ok(entry) => {
                self.peeked = Some(entry);
                Ok(Some(entry))
            }
            Err(fault) => {
                let end = page.end_row;
                self.page = None;
                Err(self.pass_to(end, fault))
            }
        }
    }

    /// Consumes the next entry, and returns its value if it has one.
    pub(super) fn take(
        &mut self,
        source: &mut PageSource<'_>,
    ) -> Result<Option<StoredValue<'_>>, TableFault> {
        let entry = self.peek(source)?.ok_or_else(ends_early)?;
        self.peeked = None;
        self.rows += u64::from(entry.repetition == 0);
        let has_value = entry.definition == self.max_definition;
        let Some(page) = &mut self.page else { return Err(ends_early()) };
        page.left -= 1;
        if !has_value {
            return Ok(None);
        }
        if let Some(why) = &page.broken {
            return Err(why.copy());
        }
        let dictionary = match self.dictionary.as_deref() {
            Some(PageContents::Dictionary(dictionary)) => Some(dictionary),
            _ => None,
        };
        let PageContents::Data(bytes) = &*page.loaded else { return Err(ends_early()) };
        match page.values.next(self.physical, bytes, dictionary) {
            Ok(value) => Ok(Some(value)),
            Err(fault) => {
                page.broken = Some(fault.copy());
                Err(fault)
            }
        }
    }

    /// Moves to the beginning of a row. Pages before it are skipped if their headers state their
    /// rows. Damage in them is therefore irrelevant, whether they were begun before or not.
    pub(super) fn skip_to(
        &mut self,
        row: u64,
        source: &mut PageSource<'_>,
    ) -> Result<(), TableFault> {
        loop {
            if self.rows > row {
                return Err(self.lost.as_ref().map_or_else(ends_early, TableFault::copy));
            }
            if let Some(fault) = &self.dead {
                return Err(fault.copy());
            }
            let is_page_open = self.page.as_ref().is_some_and(|page| page.left > 0);
            // Each failed step ends after a page, or ends the column.
            let step = if is_page_open || self.peeked.is_some() {
                match self.peek(source) {
                    Ok(entry)
                        if self.rows == row && entry.is_none_or(|entry| entry.repetition == 0) =>
                    {
                        return Ok(());
                    }
                    Ok(_) => self.take(source).map(drop),
                    Err(fault) => Err(fault),
                }
            } else {
                // A fault of the page was reported with its last row.
                let _ = self.end_page();
                if self.rows == row && !self.is_repeated() {
                    return Ok(());
                }
                match self.next_header(source) {
                    Ok(None) if self.rows == row => return Ok(()),
                    Ok(None) => return Err(self.die(ends_early())),
                    Ok(Some(header)) => match self.rows_of(&header) {
                        Some(rows) if self.rows + rows <= row => {
                            self.pass(&header, rows);
                            Ok(())
                        }
                        _ => self.open(&header, source),
                    },
                    Err(fault) => Err(fault),
                }
            };
            if let Err(TableFault::Io(error)) = step {
                return Err(TableFault::Io(error));
            }
        }
    }

    /// Ends a page whose entries were all read. It must have had the number of rows that it claims,
    /// since readers that skipped it used that number.
    fn end_page(&mut self) -> Result<(), TableFault> {
        match self.page.take().and_then(|page| page.end_row) {
            Some(end) if end != self.rows => Err(self.pass_to(Some(end), row_count_fault())),
            _ => Ok(()),
        }
    }

    /// Returns the number of rows of a page, if its header states it.
    fn rows_of(&self, header: &PageHeader) -> Option<u64> {
        match header.kind {
            _ if !self.is_repeated() => Some(header.values),
            PageKind::Data2 { rows, .. } => Some(rows),
            _ => None,
        }
    }

    /// Skips a page.
    fn pass(&mut self, header: &PageHeader, rows: u64) {
        self.next = header.end();
        self.entries_left -= header.values;
        self.rows += rows;
    }

    /// Reads the dictionary, if it comes next, and returns the header of the next page of data.
    /// `None` at the end of the column.
    fn next_header(
        &mut self,
        source: &mut PageSource<'_>,
    ) -> Result<Option<PageHeader>, TableFault> {
        loop {
            if let Some(why) = &self.dead {
                return Err(why.copy());
            }
            if self.entries_left == 0 || self.next >= self.end {
                return Ok(None);
            }
            let header = match PageHeader::read(source.file, self.next, self.end) {
                Err(TableFault::Io(error)) => return Err(TableFault::Io(error)),
                Err(fault) => return Err(self.die(fault)),
                Ok(header) => header,
            };
            match header.kind {
                PageKind::Data | PageKind::Data2 { .. } if header.values > self.entries_left => {
                    let problem = "its pages have more values than its column";
                    return Err(self.die(TableFault::corrupt(problem)));
                }
                PageKind::Data | PageKind::Data2 { .. } => return Ok(Some(header)),
                PageKind::Dictionary => {
                    let physical = self.physical;
                    let found = self.load(&header, source, |bytes| {
                        Dictionary::new(bytes, header.values, physical)
                            .map(PageContents::Dictionary)
                    });
                    match found {
                        Ok(dictionary) => self.dictionary = Some(dictionary),
                        Err(TableFault::Io(error)) => return Err(TableFault::Io(error)),
                        Err(fault) => return Err(self.die(fault)),
                    }
                    self.next = header.end();
                }
                PageKind::Other => self.next = header.end(),
            }
        }
    }

    /// Begins a page of data.
    fn open(&mut self, header: &PageHeader, source: &mut PageSource<'_>) -> Result<(), TableFault> {
        let rows = self.rows_of(header);
        let end_row = rows.map(|rows| self.rows + rows);
        let opened = self
            .load(header, source, |bytes| Ok(PageContents::Data(bytes)))
            .and_then(|loaded| self.page_of(header, loaded, end_row));
        match opened {
            Ok(page) => {
                self.next = header.end();
                self.entries_left -= header.values;
                self.page = Some(page);
                Ok(())
            }
            Err(TableFault::Io(error)) => Err(TableFault::Io(error)),
            Err(fault) => {
                if let Some(rows) = rows {
                    self.pass(header, rows);
                }
                Err(self.pass_to(end_row, fault))
            }
        }
    }

    fn load(
        &self,
        header: &PageHeader,
        source: &mut PageSource<'_>,
        make: impl FnOnce(Vec<u8>) -> Result<PageContents, TableFault>,
    ) -> Result<Arc<PageContents>, TableFault> {
        if let Some(loaded) = source.pages.kept_page(header.start) {
            return Ok(loaded);
        }
        header.check(self.max_page_bytes, self.claimed_bytes)?;
        if header.bytes() > UNASKED {
            // This waits before the page is begun. Threads that want the same page wait for its
            // loading thread, which must not wait for memory.
            (source.wait_for)(source.held + header.bytes());
        }
        let (file, codec) = (source.file, self.codec);
        source.pages.get(header.start, || make(header.load(file, codec)?))
    }

    fn page_of(
        &self,
        header: &PageHeader,
        loaded: Arc<PageContents>,
        end_row: Option<u64>,
    ) -> Result<Page, TableFault> {
        let PageContents::Data(bytes) = &*loaded else {
            return Err(TableFault::corrupt("a page and a dictionary overlap"));
        };
        let mut at = 0;
        let mut levels =
            |most: u16, known: Option<usize>| -> Result<Option<RleBitPackedDecoder>, TableFault> {
                let length = match (most, known) {
                    (_, Some(length)) => length,
                    (0, None) => return Ok(None),
                    (_, None) => {
                        let length = super::page::length_at(bytes, at)?;
                        at += 4;
                        length
                    }
                };
                let end = at.checked_add(length).filter(|end| *end <= bytes.len());
                let range = at..end.ok_or(TableFault::Ended)?;
                at = range.end;
                if most == 0 {
                    Ok(None)
                } else {
                    RleBitPackedDecoder::new(range, bit_width(most)).map(Some)
                }
            };
        let is_old = |most: u16, is_known: bool| most > 0 && !is_known;
        let [definition, repetition] = header.known_levels;
        if is_old(self.max_definition, definition) || is_old(self.max_repetition, repetition) {
            return Err(TableFault::corrupt("its levels have an obsolete encoding"));
        }
        let (repetition_bytes, definition_bytes) = match header.kind {
            PageKind::Data2 { repetition, definition, .. } => (Some(repetition), Some(definition)),
            _ => (None, None),
        };
        let repetition = levels(self.max_repetition, repetition_bytes)?;
        let definition = levels(self.max_definition, definition_bytes)?;
        let values = ValueDecoder::new(header.encoding, self.physical, bytes, at, header.values);
        let (values, broken) = match values {
            Ok(values) => (values, None),
            Err(fault) => (ValueDecoder::Plain { at: usize::MAX / 16 }, Some(fault)),
        };
        let left = header.values;
        Ok(Page { loaded, repetition, definition, values, left, end_row, broken })
    }

    /// Moves after a page that could not be read. If its number of rows is unknown, ends the
    /// column.
    fn pass_to(&mut self, end_row: Option<u64>, fault: TableFault) -> TableFault {
        self.peeked = None;
        match end_row {
            Some(row) => {
                self.rows = row;
                self.lost = Some(fault.copy());
                fault
            }
            None => self.die(fault),
        }
    }

    fn die(&mut self, fault: TableFault) -> TableFault {
        self.dead = Some(fault.copy());
        fault
    }
}

fn row_count_fault() -> TableFault {
    TableFault::corrupt("a page does not have the number of rows in its header")
}

fn ends_early() -> TableFault {
    TableFault::corrupt("the column ends before its row group")
}
