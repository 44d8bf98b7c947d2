//! Finds rows by their numbers: the file of a row, its place there, and its name.

use crate::error::DedupError;
use crate::signed_file::SignedFile;
use serde::Serialize;
use std::fs::File;
use std::os::unix::fs::FileExt;
use uuid::Uuid;

/// The files of all rows, in their order.
pub(crate) struct CorpusRows {
    /// Files of signatures.
    pub(crate) files: Vec<SignedFile>,
    /// Names of the files of rows.
    names: Vec<String>,
    /// The number of the first row of each file.
    first: Vec<u32>,
}

/// The place of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Address {
    pub(crate) file: String,
    /// Position of the row in its file.
    pub(crate) place: u64,
    pub(crate) id: Option<String>,
}

impl Address {
    /// Returns the row's identifier or, if that is no UUID, file and place.
    pub(crate) fn name(&self) -> String {
        self.id.clone().unwrap_or_else(|| format!("{}#{}", self.file, self.place))
    }
}

/// Returns a UUID as text.
pub(crate) fn id_text(id: [u8; 16]) -> String {
    Uuid::from_bytes(id).hyphenated().to_string()
}

impl CorpusRows {
    /// Numbers all rows of these files. There must be fewer than 2^32 rows.
    pub(crate) fn new(files: Vec<(SignedFile, String)>) -> CorpusRows {
        let (files, names): (Vec<_>, Vec<_>) = files.into_iter().unzip();
        let mut next_row = 0_u64;
        let mut first_rows = Vec::with_capacity(files.len());
        for file in &files {
            first_rows.push(next_row as u32);
            next_row += file.rows;
        }
        CorpusRows { files, names, first: first_rows }
    }

    /// Returns the name of a file of rows.
    pub(crate) fn name(&self, file: usize) -> &str {
        &self.names[file]
    }

    /// Returns the number of the first row of a file.
    pub(crate) fn first(&self, file: usize) -> u32 {
        self.first[file]
    }
}

/// Looks up rows by number. It keeps the last file open.
pub(crate) struct Locator<'a> {
    rows: &'a CorpusRows,
    open: Option<(usize, File)>,
}

impl<'a> Locator<'a> {
    pub(crate) fn new(rows: &'a CorpusRows) -> Locator<'a> {
        Locator { rows, open: None }
    }

    /// Returns the place of a row.
    pub(crate) fn address(&mut self, row: u32) -> Result<Address, DedupError> {
        // Files without rows begin where the next file does. So this takes the last file that
        // begins there.
        let file_index = self.rows.first.partition_point(|first| *first <= row) - 1;
        let signed = &self.rows.files[file_index];
        let file = match self.open.take() {
            Some((open, file)) if open == file_index => file,
            _ => signed.opened_at(0)?,
        };
        let mut record = vec![0; signed.header.record_bytes()];
        let offset = signed.offset(u64::from(row - self.rows.first[file_index]));
        file.read_exact_at(&mut record, offset).map_err(|error| signed.unreadable(error))?;
        self.open = Some((file_index, file));
        let mut records =
            signed.header.records(&record).map_err(DedupError::bad_format(&signed.path))?;
        let record = records.next().expect("one record was read");
        let (file, id) = (self.rows.names[file_index].clone(), record.id().map(id_text));
        Ok(Address { file, place: record.row_position(), id })
    }
}
