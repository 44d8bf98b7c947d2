//! Writes the records of the kept rows, from the archives that the rows name, so that a crawl
//! without duplicates is a crawl again.
//!
//! One thread does this, in the order of the rows. It holds one record at a time, so the largest
//! record bounds the memory.

use huller_archive::{ArchiveFolder, Limits, PlacedRecords, Stores, WarcHeader};
use huller_corpus::{CorpusRow, RecordBuffer};
use huller_row::{Compression, Layout, Row, WarcWriter};
use std::path::Path;

/// The layout of WARC files. `configuration` is in their first record.
pub(crate) fn warc_layout(configuration: String) -> Layout {
    Layout { compression: Compression::DEFAULT_GZIP, configuration, ..Layout::default() }
}

/// Reads the records of rows in a folder of archives. One archive is open at a time.
pub(crate) struct Archives {
    folder: ArchiveFolder,
    /// The name of the open archive, and the archive. `None` if it cannot be read.
    open: Option<(String, Option<PlacedRecords>)>,
    buffer: RecordBuffer,
}

impl Archives {
    /// Returns the archives in a folder.
    pub(crate) fn new(folder: &Path) -> Archives {
        let buffer = RecordBuffer::new(WarcWriter::format(), &warc_layout(String::new()));
        Archives { folder: ArchiveFolder::new(folder.to_owned()), open: None, buffer }
    }

    /// Adds the record of a row to a file. Returns false if the archives do not have it.
    pub(crate) fn add_to(&mut self, file: &mut WarcWriter, line: &[u8]) -> bool {
        self.try_add(file, line).unwrap_or(false)
    }

    fn try_add(&mut self, file: &mut WarcWriter, line: &[u8]) -> Option<bool> {
        let row = CorpusRow::parse(line).ok()?;
        let name = row.field_string("warc_filename")?;
        let offset = row.field_number::<u64>("warc_record_offset")?;
        let length = row.field_number::<u64>("warc_record_length");
        let (id, date, url) = (row.id(), row.date(), row.field_string("url"));
        let Archives { folder, open, buffer } = self;
        if open.as_ref().is_none_or(|(known, _)| *known != name) {
            let archive = folder.path_of(&name).ok().and_then(|path| {
                PlacedRecords::open(&Stores::default(), &path, &Limits::default()).ok()
            });
            *open = Some((name.to_string(), archive));
        }
        let (_, archive) = open.as_mut()?;
        let mut is_found = false;
        let read = archive.as_mut()?.read(offset, length, &mut |record| {
            let Some(header) = WarcHeader::parse(record.header) else { return };
            let Some(kept_record) = buffer.keep(&header, &record) else { return };
            is_found = true;
            file.add(&Row {
                id: id.as_deref().unwrap_or_default(),
                date: date.as_deref(),
                url: url.as_deref(),
                record: Some(kept_record),
                ..Row::default()
            });
        });
        read.ok().map(|_| is_found)
    }
}
