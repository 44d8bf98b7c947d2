//! Opens inputs whose records are found by a directory in the file: WACZ, ZIP files of pages,
//! Parquet.

use super::{Input, Wacz};
use crate::bundle::zip::{ZipFile, ZipReader};
use crate::container::Container;
use crate::damage::repairer::Repairer;
use crate::error::ArchiveError;
use crate::format::Format;
use crate::limits::Limits;
use crate::store::archive_file::ArchiveFile;
use crate::store::batch_mode::BatchMode;
use crate::store::input_file::InputFile;
use crate::store::input_place::InputPlace;
use crate::store::prefix_digest::OrderedHasher;
use crate::stream::RecordStream;
use crate::table::cutter::TableCutter;
use crate::table::file::Table;
use crate::wacz::directory::Member;
use crate::wacz::members::Members;
use std::sync::Arc;

impl Input {
    /// Opens a WACZ. Its archives are opened one after another.
    pub(super) fn wacz(
        name: &str,
        place: InputPlace,
        len: u64,
        members: Vec<Member>,
        limits: &Limits,
    ) -> Self {
        let archive = ArchiveFile {
            name: Arc::from(name),
            place: Some(place.clone()),
            limits: limits.clone(),
            format: Format::Warc,
            container: Container::Plain,
            dictionary: None,
            start: 0,
            part: None,
        };
        let members = Members::new(name, place.clone(), members, limits);
        Input {
            repairer: Repairer::new(archive),
            len: Some(len),
            mode: BatchMode::Ended,
            hasher: OrderedHasher::default(),
            wacz: Some(Wacz { place, members, part: 0 }),
            version: None,
        }
    }

    /// Opens a ZIP file of pages.
    pub(super) fn zip(
        name: &str,
        place: InputPlace,
        len: u64,
        files: Vec<Member>,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        let zip = ZipFile { place: place.clone(), len, files: Arc::from(files) };
        let hasher = OrderedHasher::default();
        let reader = ZipReader::new(&zip, 0, limits.record_bytes)
            .map_err(|error| ArchiveError::io(name, 0, error))?
            .with_hasher(&hasher);
        let archive = ArchiveFile {
            name: Arc::from(name),
            place: Some(place),
            limits: limits.clone(),
            format: Format::Zip,
            container: Container::Plain,
            dictionary: None,
            start: 0,
            part: None,
        };
        Ok(Input {
            repairer: Repairer::for_zip(archive, zip),
            len: Some(len),
            mode: BatchMode::Stream(Box::new(RecordStream::from_zip(name, reader))),
            hasher,
            wacz: None,
            version: None,
        })
    }

    /// Opens a Parquet file.
    pub(super) fn table(
        name: &str,
        file: InputFile,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        let table = Arc::new(Table::open(file, name, limits)?);
        let hasher = OrderedHasher::default();
        let cutter = TableCutter::new(&table, 0, &hasher);
        let cutter = cutter.map_err(|error| ArchiveError::io(name, 0, error))?;
        Ok(Input {
            repairer: Repairer::for_table(&table, limits),
            len: Some(table.len()),
            mode: BatchMode::Table(Box::new(cutter)),
            hasher,
            wacz: None,
            version: None,
        })
    }
}
