//! Matches lines with their signatures, and parses the fields that a run uses.

use crate::corpus::CorpusFile;
use crate::error::DedupError;
use crate::rows::CorpusRows;
use crate::settings::Settings;
use crate::signed_file::SignedFile;
use huller_corpus::{CorpusRow, RowChunk, RowFault, RowKeys};
use huller_refine::Reason;
use huller_refine::signature::signature_file::RecordView;
use huller_refine::signature::text_digest;
use std::borrow::Cow;
use std::fs::File;
use std::io::{BufReader, Read};
use std::ops::Range;

/// The records of a chunk.
pub(crate) struct ChunkRecords {
    /// The number of the first row.
    first: u32,
    /// The records, one after another, as in the file of signatures.
    records: Vec<u8>,
}

/// Returns the records of files as their chunks are read, in order.
pub(crate) struct RecordReader<'a> {
    rows: &'a CorpusRows,
    /// For each input, the index of its file among those of all rows; `None` without signatures.
    signature_indexes: &'a [Option<usize>],
    open: Option<OpenSignatures>,
}

struct OpenSignatures {
    /// Index of the input.
    input: usize,
    reader: BufReader<File>,
    /// Number of records that have not been read.
    records_left: u64,
    /// Number of the row of `next`.
    row: u32,
    /// The next record, empty at the end.
    next: Vec<u8>,
}

impl<'a> RecordReader<'a> {
    pub(crate) fn new(
        rows: &'a CorpusRows,
        signature_indexes: &'a [Option<usize>],
    ) -> RecordReader<'a> {
        RecordReader { rows, signature_indexes, open: None }
    }

    /// Returns the records of the rows in a chunk. The chunk must follow the last one of its input.
    pub(crate) fn take(
        &mut self,
        input: usize,
        chunk: &RowChunk,
    ) -> Result<ChunkRecords, DedupError> {
        let signature_index =
            self.signature_indexes[input].expect("inputs without signatures are not read");
        let signed = &self.rows.files[signature_index];
        let mut open = match self.open.take() {
            Some(open) if open.input == input => open,
            _ => OpenSignatures::new(input, signed, self.rows.first(signature_index))?,
        };
        let (first_row, mut records) = (open.row, Vec::new());
        while !open.next.is_empty() && view(signed, &open.next)?.row_position() < chunk.end() {
            records.extend_from_slice(&open.next);
            open.row += 1;
            open.advance(signed)?;
        }
        self.open = Some(open);
        Ok(ChunkRecords { first: first_row, records })
    }
}

impl OpenSignatures {
    fn new(input: usize, signed: &SignedFile, row: u32) -> Result<OpenSignatures, DedupError> {
        let reader = BufReader::with_capacity(1 << 16, signed.opened_at(0)?);
        let mut open =
            OpenSignatures { input, reader, records_left: signed.rows, row, next: Vec::new() };
        open.advance(signed)?;
        Ok(open)
    }

    fn advance(&mut self, signed: &SignedFile) -> Result<(), DedupError> {
        let bytes = if self.records_left > 0 { signed.header.record_bytes() } else { 0 };
        self.records_left = self.records_left.saturating_sub(1);
        self.next.resize(bytes, 0);
        self.reader.read_exact(&mut self.next).map_err(|error| signed.unreadable(error))
    }
}

fn view<'a>(signed: &SignedFile, record: &'a [u8]) -> Result<RecordView<'a>, DedupError> {
    let mut records =
        signed.header.records(record).map_err(DedupError::bad_format(&signed.path))?;
    records
        .next()
        .ok_or_else(|| DedupError::unusable_signatures(&signed.path, "a record is missing"))
}

/// A row, with the fields that a run uses.
pub(crate) struct ParsedRow<'a> {
    pub(crate) row: CorpusRow<'a>,
    /// Index of the member that holds the text.
    pub(crate) text_at: usize,
    pub(crate) text: Cow<'a, str>,
    pub(crate) url: Option<Cow<'a, str>>,
}

impl<'a> ParsedRow<'a> {
    pub(crate) fn parse(line: &'a [u8], keys: &RowKeys) -> Result<ParsedRow<'a>, RowFault> {
        let row = CorpusRow::parse(line)?;
        let text = row.text(keys)?;
        let url = row.url(keys);
        Ok(ParsedRow { row, text_at: text.member, text: text.text, url })
    }
}

/// A line of a chunk.
pub(crate) enum MatchedLine<'a> {
    /// A row with its record of the signatures.
    Row { row: u32, record: RecordView<'a>, line: &'a [u8], parsed: ParsedRow<'a> },
    /// A line that is no row, and the reason.
    Fault(Reason),
}

impl ChunkRecords {
    /// Returns the numbers of the rows, if the records belong to `signed`.
    pub(crate) fn rows(&self, signed: &SignedFile) -> Range<u32> {
        let count = self.records.len() / signed.header.record_bytes();
        self.first..self.first + count as u32
    }
}

/// Calls `each` with every line of a chunk that is not blank. Refuses signatures that do not belong
/// to these lines: every row must be signed, at its present place and with its present text.
pub(crate) fn for_each_line<'a>(
    settings: &Settings,
    (file, signed): (&CorpusFile, &SignedFile),
    chunk: &'a RowChunk,
    records: &'a ChunkRecords,
    mut each: impl FnMut(MatchedLine<'a>) -> Result<(), DedupError>,
) -> Result<(), DedupError> {
    let other = |position: u64| {
        let problem = format!(
            "they do not match '{}', which differs at {position}: remove them to compute them again",
            file.path.display()
        );
        DedupError::unusable_signatures(&signed.path, problem)
    };
    for (_, fault) in chunk.faults() {
        each(MatchedLine::Fault(fault.reason))?;
    }
    let matched_rows =
        signed.header.records(&records.records).map_err(DedupError::bad_format(&signed.path))?;
    let mut matched_rows = (records.first..).zip(matched_rows).peekable();
    let mut buffer = Vec::new();
    for (position, line) in chunk.rows() {
        let parsed = ParsedRow::parse(line, &settings.keys);
        match (matched_rows.next_if(|(_, record)| record.row_position() <= position), parsed) {
            (Some((row, record)), Ok(parsed)) if record.row_position() == position => {
                // A text may have changed without a change of its length.
                if text_digest(&parsed.text, &mut buffer) != record.text() {
                    return Err(other(position));
                }
                each(MatchedLine::Row { row, record, line, parsed })?;
            }
            (Some((_, record)), _) => return Err(other(record.row_position())),
            (None, Ok(_)) => return Err(other(position)),
            (None, Err(fault)) => each(MatchedLine::Fault(fault.reason))?,
        }
    }
    match matched_rows.next() {
        Some((_, record)) => Err(other(record.row_position())),
        None => Ok(()),
    }
}
