//! Inputs: their content, and how they change.

use super::command::Command;
use super::records::{Marker, Record, RecordOutcome};
use super::row_similarity::{Address, RowSimilarity, RowText};
use super::rows::RowFormat;
use crate::pack;
use crate::random::Random;

/// How records are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Plain,
    /// One gzip member per record.
    Gzip,
    /// One gzip member per record, uncompressed inside, so that equal lengths stay equal.
    Stored,
    /// One gzip member for all records.
    GzipWhole,
    /// One zstd frame per record.
    Zstd,
    /// One zstd frame for all records.
    ZstdWhole,
}

/// The format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputForm {
    Warc(Packing),
    Jsonl(Packing),
    /// A folder of HTML files.
    Pages,
    /// Rows, which have texts but no pages.
    Rows(RowFormat, Packing),
}

impl InputForm {
    const OF_PAGES: [InputForm; 11] = [
        InputForm::Warc(Packing::Plain),
        InputForm::Warc(Packing::Gzip),
        InputForm::Warc(Packing::Gzip),
        InputForm::Warc(Packing::Stored),
        InputForm::Warc(Packing::GzipWhole),
        InputForm::Warc(Packing::Zstd),
        InputForm::Warc(Packing::ZstdWhole),
        InputForm::Jsonl(Packing::Plain),
        InputForm::Jsonl(Packing::GzipWhole),
        InputForm::Pages,
        InputForm::Pages,
    ];

    const OF_ROWS: [InputForm; 11] = [
        InputForm::Rows(RowFormat::Json, Packing::Plain),
        InputForm::Rows(RowFormat::Json, Packing::Plain),
        InputForm::Rows(RowFormat::Json, Packing::Gzip),
        InputForm::Rows(RowFormat::Json, Packing::Stored),
        InputForm::Rows(RowFormat::Json, Packing::GzipWhole),
        InputForm::Rows(RowFormat::Json, Packing::Zstd),
        InputForm::Rows(RowFormat::Json, Packing::ZstdWhole),
        InputForm::Rows(RowFormat::Commas, Packing::Plain),
        InputForm::Rows(RowFormat::Commas, Packing::GzipWhole),
        InputForm::Rows(RowFormat::Tabs, Packing::Plain),
        InputForm::Rows(RowFormat::Tabs, Packing::Zstd),
    ];

    /// Returns the formats of the inputs of a command.
    pub(super) fn for_command(command: Command) -> &'static [InputForm] {
        match command {
            Command::Extract => &InputForm::OF_PAGES,
            Command::Refine | Command::Dedup | Command::Index => &InputForm::OF_ROWS,
        }
    }

    /// Returns the suffix of the file names of this format.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            InputForm::Warc(Packing::Plain) => ".warc",
            InputForm::Warc(Packing::Zstd | Packing::ZstdWhole) => ".warc.zst",
            InputForm::Warc(_) => ".warc.gz",
            InputForm::Jsonl(Packing::Plain) => ".jsonl",
            InputForm::Jsonl(_) => ".jsonl.gz",
            InputForm::Pages => "",
            InputForm::Rows(rows, packing) => match (rows, packing) {
                (RowFormat::Json, Packing::Plain) => ".jsonl",
                (RowFormat::Json, Packing::Zstd | Packing::ZstdWhole) => ".jsonl.zst",
                (RowFormat::Json, _) => ".jsonl.gz",
                (RowFormat::Commas, Packing::Plain) => ".csv",
                (RowFormat::Commas, Packing::Zstd | Packing::ZstdWhole) => ".csv.zst",
                (RowFormat::Commas, _) => ".csv.gz",
                (RowFormat::Tabs, Packing::Plain) => ".tsv",
                (RowFormat::Tabs, Packing::Zstd | Packing::ZstdWhole) => ".tsv.zst",
                (RowFormat::Tabs, _) => ".tsv.gz",
            },
        }
    }

    /// Returns whether one member or frame holds all records.
    fn is_complete(self) -> bool {
        match self {
            InputForm::Warc(packing) | InputForm::Jsonl(packing) | InputForm::Rows(_, packing) => {
                matches!(packing, Packing::GzipWhole | Packing::ZstdWhole)
            }
            InputForm::Pages => false,
        }
    }

    /// Returns whether a reader can detect that the end of a file is missing.
    fn shows_a_cut(self) -> bool {
        !matches!(self, InputForm::Pages | InputForm::Rows(RowFormat::Commas | RowFormat::Tabs, _))
    }
}

/// The records in one member, frame or file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RecordGroup {
    records: Vec<Record>,
    /// Whether the compressed data are damaged.
    is_broken: bool,
}

/// The contents of an input at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version {
    form: InputForm,
    groups: Vec<RecordGroup>,
    /// The number of bytes missing at the end.
    cut: usize,
    /// The content of a file that is not an archive.
    foreign: Option<Vec<u8>>,
}

/// How a test changes an input between two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// Other records of the same lengths, where the packing allows it.
    InPlace,
    /// More records at the end.
    Grow,
    /// Fewer records.
    Shrink,
    /// The end is missing, from within a record.
    Cut,
    /// Another archive.
    Replace,
    /// A file that is not an archive, or is empty.
    Foreign,
}

/// Makes the versions of one input.
#[derive(Debug)]
pub(super) struct InputMaker {
    pub(super) input: u32,
    pub(super) form: InputForm,
    pub(super) random: Random,
    /// Whether rows may be duplicates of others.
    has_duplicates: bool,
    serial: u32,
}

impl InputMaker {
    pub(super) fn new(
        input: u32,
        form: InputForm,
        random: Random,
        has_duplicates: bool,
    ) -> InputMaker {
        InputMaker { input, form, random, has_duplicates, serial: 0 }
    }

    fn marker(&mut self) -> Marker {
        self.serial += 1;
        Marker { input: self.input, serial: self.serial }
    }

    fn record(&mut self, is_first: bool, is_large: bool) -> Record {
        let marker = self.marker();
        let dice = self.random.below(20);
        let fate = match (self.form, dice) {
            (_, 10 | 11) => RecordOutcome::Short,
            (InputForm::Pages, 12) => RecordOutcome::Skipped("binary"),
            (InputForm::Jsonl(_), 12 | 13) => RecordOutcome::Failed("no_html_key"),
            (InputForm::Jsonl(_), 14) if !is_first => RecordOutcome::Failed("invalid_json"),
            (InputForm::Warc(_), 12 | 13) | (InputForm::Rows(..), 14) => RecordOutcome::Unwanted,
            (InputForm::Warc(_), 14 | 15) => RecordOutcome::Skipped("request"),
            (InputForm::Warc(_), 16 | 17) => RecordOutcome::Skipped("metadata"),
            (InputForm::Warc(_), 18) => RecordOutcome::Skipped("not_html"),
            (InputForm::Warc(_), 19) if !is_first => RecordOutcome::Failed("garbage"),
            (InputForm::Rows(..), 12) => RecordOutcome::Failed("no_text_key"),
            (InputForm::Rows(rows, _), 13) if !is_first => rows.no_row(),
            _ => RecordOutcome::Page,
        };
        let likeness = if self.has_duplicates {
            RowSimilarity::random(&mut self.random)
        } else {
            RowSimilarity::NONE
        };
        let padding =
            if is_large { self.random.within(250_000, 450_000) } else { self.random.within(0, 90) };
        Record { marker, fate, likeness, padding }
    }

    /// Returns the first version, or another one.
    pub(super) fn version(&mut self, is_large: bool) -> Version {
        let most = if is_large { 12 } else { 7 };
        let count = self.random.within(1, most);
        let mut records: Vec<Record> = Vec::new();
        for _ in 0..count {
            // Two adjacent pieces of garbage would count as one.
            let is_first =
                records.last().is_none_or(|last| matches!(last.fate, RecordOutcome::Failed(_)));
            records.push(self.record(is_first, is_large));
        }
        let form = self.form;
        let mut groups: Vec<RecordGroup> = if form.is_complete() {
            vec![RecordGroup { records, is_broken: false }]
        } else {
            records
                .into_iter()
                .map(|record| RecordGroup { records: vec![record], is_broken: false })
                .collect()
        };
        if matches!(form, InputForm::Warc(Packing::Gzip)) && self.random.below(8) == 0 {
            let place = self.random.within(0, groups.len());
            let is_garbage = |group: &RecordGroup| {
                matches!(group.records[..], [Record { fate: RecordOutcome::Failed(_), .. }])
            };
            // Garbage beside a damaged member would count as one piece with it.
            let beside = &groups[place.saturating_sub(1)..groups.len().min(place + 2)];
            if place > 0
                && groups[place].records[0].fate == RecordOutcome::Page
                && !beside.iter().any(is_garbage)
            {
                groups[place].records[0].fate = RecordOutcome::Damaged;
                groups[place].is_broken = true;
            }
        }
        Version { form, groups, cut: 0, foreign: None }
    }

    /// Returns the next version; `None` if that change does not apply.
    pub(super) fn next_version(
        &mut self,
        now: &Version,
        edit: Edit,
        is_large: bool,
    ) -> Option<Version> {
        let mut next = now.clone();
        if (now.foreign.is_some() || now.cut > 0) && edit != Edit::Replace {
            return None;
        }
        match edit {
            Edit::Replace => return Some(self.version(is_large)),
            Edit::InPlace => {
                for record in next.groups.iter_mut().flat_map(|group| &mut group.records) {
                    record.marker = self.marker();
                }
            }
            Edit::Grow if self.form == InputForm::Pages => {
                // The number of files stays, so that a list still names all of them.
                let record = next.groups.last_mut()?.records.last_mut()?;
                record.padding += 1 + self.random.within(0, 500);
                record.marker = self.marker();
            }
            Edit::Grow => {
                for _ in 0..self.random.within(1, 4) {
                    let record =
                        Record { fate: RecordOutcome::Page, ..self.record(true, is_large) };
                    next.groups.push(RecordGroup { records: vec![record], is_broken: false });
                }
            }
            Edit::Shrink if self.form == InputForm::Pages => {
                let record = next.groups.first_mut()?.records.first_mut()?;
                record.padding = record.padding.checked_sub(1)?;
                record.marker = self.marker();
            }
            Edit::Shrink => {
                let keep = self.random.within(0, next.groups.len());
                next.groups.truncate(keep);
                next.groups.last()?;
            }
            Edit::Cut => {
                self.form.shows_a_cut().then_some(())?;
                let last = next.groups.last_mut()?;
                let [record] = &mut *last.records else { return None };
                (record.fate == RecordOutcome::Page && !last.is_broken).then_some(())?;
                // The rest of the record may be a row or not, so no other row may depend on it.
                let RowSimilarity { address, text, .. } = record.likeness;
                let is_alone = !matches!(address, Address::Shared(_)) && text == RowText::Own;
                is_alone.then_some(())?;
                record.fate = RecordOutcome::Damaged;
                let (whole, last) = (next.bytes().len(), self.form.pack(next.groups.last()?).len());
                (last < whole).then_some(())?;
                // Adjacent damage would count as one piece.
                let before = next.groups.len().checked_sub(2).map(|place| &next.groups[place]);
                let is_beside = before.is_some_and(|group| {
                    let is_garbage =
                        |record: &Record| matches!(record.fate, RecordOutcome::Failed(_));
                    group.is_broken || group.records.iter().any(is_garbage)
                });
                (!is_beside).then_some(())?;
                next.cut = self.random.within(1, last);
            }
            Edit::Foreign => {
                (self.form != InputForm::Pages).then_some(())?;
                let len = self.random.within(8, 300);
                next.foreign = Some(match self.random.below(3) {
                    0 => Vec::new(),
                    1 => [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &*vec![b'.'; len]].concat(),
                    _ => format!("<!DOCTYPE html><html><p>{}</p></html>", "sorry".repeat(len))
                        .into_bytes(),
                });
            }
        }
        Some(next)
    }
}

impl InputForm {
    fn pack(self, group: &RecordGroup) -> Vec<u8> {
        let mut bytes = Vec::new();
        for record in &group.records {
            bytes.extend(match self {
                InputForm::Warc(_) => record.warc(),
                InputForm::Jsonl(_) => record.line(),
                InputForm::Pages => record.page_file(),
                InputForm::Rows(rows, _) => record.row(rows),
            });
        }
        let is_garbage = matches!(self, InputForm::Warc(_))
            && matches!(group.records[..], [Record { fate: RecordOutcome::Failed(_), .. }]);
        let mut packed = if is_garbage { bytes } else { self.packed(bytes) };
        if group.is_broken {
            // The header of the member stays, so the member is still recognized.
            packed[10..16].fill(0xff);
        }
        packed
    }

    /// Returns bytes as a member or frame.
    fn packed(self, bytes: Vec<u8>) -> Vec<u8> {
        let (InputForm::Warc(packing) | InputForm::Jsonl(packing) | InputForm::Rows(_, packing)) =
            self
        else {
            return bytes;
        };
        match packing {
            Packing::Plain => bytes,
            Packing::Stored => pack::stored(&bytes),
            Packing::Gzip | Packing::GzipWhole => pack::gzip_at(&bytes, 1),
            Packing::Zstd | Packing::ZstdWhole => pack::zstd(&bytes),
        }
    }

    /// Returns the bytes before the first record.
    fn head(self) -> Vec<u8> {
        match self {
            InputForm::Rows(rows @ (RowFormat::Commas | RowFormat::Tabs), _) => {
                self.packed(rows.names())
            }
            _ => Vec::new(),
        }
    }
}

impl Version {
    /// Returns whether the file is an archive, a page, or rows.
    pub(super) fn is_usable(&self) -> bool {
        self.foreign.is_none()
    }

    pub(super) fn records(&self) -> impl Iterator<Item = &Record> {
        let groups: &[RecordGroup] = if self.is_usable() { &self.groups } else { &[] };
        groups.iter().flat_map(|group| &group.records)
    }

    /// Returns the bytes of the file, or of all files for a folder of pages.
    pub(super) fn bytes(&self) -> Vec<u8> {
        if let Some(bytes) = &self.foreign {
            return bytes.clone();
        }
        let mut bytes = self.form.head();
        bytes.extend(self.groups.iter().flat_map(|group| self.form.pack(group)));
        bytes.truncate(bytes.len() - self.cut);
        bytes
    }

    /// Returns the files of a folder of pages.
    pub(super) fn pages(&self) -> Vec<Vec<u8>> {
        self.records().map(Record::page_file).collect()
    }

    pub(super) fn size(&self) -> u64 {
        self.bytes().len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_do_what_they_say() {
        let forms = [Command::Extract, Command::Dedup].map(InputForm::for_command).concat();
        for (seed, form) in (0..60).flat_map(|seed| forms.iter().map(move |form| (seed, *form))) {
            let mut maker = InputMaker::new(1, form, Random::new(seed), seed % 2 == 0);
            let first = maker.version(false);
            let bytes = first.bytes();
            if let Some(grown) = maker.next_version(&first, Edit::Grow, false)
                && form != InputForm::Pages
            {
                assert!(grown.size() > first.size() && grown.bytes().starts_with(&bytes));
            }
            for edit in [Edit::Shrink, Edit::Cut] {
                let Some(less) = maker.next_version(&first, edit, false) else { continue };
                assert!(less.size() < first.size(), "{form:?} {edit:?}");
            }
            let other = maker.next_version(&first, Edit::InPlace, false).unwrap();
            assert_ne!(other.bytes(), bytes);
            let keeps_lengths = match form {
                InputForm::Warc(packing) | InputForm::Rows(_, packing) => {
                    matches!(packing, Packing::Plain | Packing::Stored)
                }
                InputForm::Jsonl(_) => false,
                InputForm::Pages => true,
            };
            if keeps_lengths {
                assert_eq!(other.size(), first.size());
            }
        }
    }
}
