//! Reads the signatures that a run left beside its rows.

use crate::error::WithdrawError;
use huller_refine::signature::signature_file::{Header, RecordView};
use huller_refine::signature::{Signature, SignatureSettings};
use huller_run::withdrawals::tombstone::{Tombstone, WithdrawalStamp};
use std::fs::File;
use std::io::{self, BufReader, Chain, Cursor, Read};
use std::path::{Path, PathBuf};

/// The records of a file of signatures, one for each row of an input, in their order.
pub(crate) struct SignedRows {
    path: PathBuf,
    header: Header,
    /// The header as the file has it.
    head: Vec<u8>,
    rest: Chain<Cursor<Vec<u8>>, BufReader<File>>,
    /// The present record.
    record: Vec<u8>,
}

impl SignedRows {
    /// Opens a file of signatures.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or it does not have a record for each of `rows` rows.
    pub(crate) fn open(path: &Path, rows: u64) -> Result<SignedRows, WithdrawError> {
        let failed = |source| WithdrawError::Input { path: path.to_owned(), source };
        let wrong = |problem: String| WithdrawError::damaged(path, problem);
        let mut file = BufReader::with_capacity(1 << 17, File::open(path).map_err(failed)?);
        let length = file.get_ref().metadata().map_err(failed)?.len();
        let mut head = Vec::new();
        file.by_ref().take(Header::MAX_BYTES as u64).read_to_end(&mut head).map_err(failed)?;
        let (header, start) = Header::read(&head).map_err(|error| wrong(error.to_string()))?;
        let record = vec![0; header.record_bytes()];
        let records = (length - start as u64) / record.len() as u64;
        if records != rows {
            return Err(wrong(format!("it has {records} records for {rows} rows")));
        }
        let rest = Cursor::new(head.split_off(start)).chain(file);
        Ok(SignedRows { path: path.to_owned(), header, head, rest, record })
    }

    /// Returns the settings of the signatures.
    pub(crate) fn settings(&self) -> SignatureSettings {
        self.header.settings()
    }

    /// Returns the bytes before the records.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Reads the record of the next row.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or it has no more records.
    pub(crate) fn next_record(&mut self) -> Result<&mut [u8], WithdrawError> {
        let read = self.rest.read_exact(&mut self.record);
        read.map_err(|source: io::Error| WithdrawError::Input { path: self.path.clone(), source })?;
        Ok(&mut self.record)
    }

    /// Returns the record that was read last.
    pub(crate) fn record(&self) -> Option<RecordView<'_>> {
        self.header.records(&self.record).ok()?.next()
    }

    /// Returns the tombstone of the text whose record was read last.
    pub(crate) fn tombstone(&self, stamp: &WithdrawalStamp) -> Option<Tombstone> {
        let record = self.record()?;
        let bands = record.bands().collect();
        let signature = Signature { text: record.text(), bands, ..Signature::default() };
        Some(Tombstone::of_text(&signature, self.settings(), stamp))
    }
}
