//! Writes the records of the kept rows, from the archives that the rows name, so that a crawl
//! without duplicates is a crawl again.
//!
//! One thread does this, in the order of the rows: it holds one record at a time, however large the
//! records behind the rows of a chunk are.

use crate::error::DedupError;
use huller_archive::{ArchiveFolder, Limits, PlacedRecords, Stores, WarcHeader};
use huller_corpus::{CorpusRow, RecordKeeper};
use huller_row::{Assembler, BatchEncoder, Compression, Compressor, Layout, Row, formats};
use huller_run::output_file::OutputFile;
use std::path::Path;

/// Bytes of records after which they are written.
const PIECE: usize = 1 << 20;

/// The layout of WARC files. `configuration` is in their first record.
pub(crate) fn layout(configuration: String) -> Layout {
    Layout { compression: Compression::DEFAULT_GZIP, configuration, ..Layout::default() }
}

/// Reads the records of rows in a folder of archives. One archive is open at a time.
pub(crate) struct Archives {
    folder: ArchiveFolder,
    /// The name of the open archive, and the archive. `None` if it cannot be read.
    open: Option<(String, Option<PlacedRecords>)>,
    keeper: RecordKeeper,
}

impl Archives {
    /// Returns the archives in a folder.
    pub(crate) fn new(folder: &Path) -> Archives {
        let format = formats::find("warc").expect("it is among the formats");
        let keeper = RecordKeeper::new(format, &layout(String::new()));
        Archives { folder: ArchiveFolder::new(folder.to_owned()), open: None, keeper }
    }

    /// Adds the record of a row to `encoder`. Returns its bytes, or `None` if the archives do not
    /// have it.
    fn add(&mut self, line: &[u8], encoder: &mut dyn BatchEncoder) -> Option<usize> {
        let row = CorpusRow::parse(line).ok()?;
        let name = row.field_string("warc_filename")?;
        let offset = row.field_value::<u64>("warc_record_offset")?;
        let length = row.field_value::<u64>("warc_record_length");
        let (id, date, url) = (row.id(), row.date(), row.field_string("url"));
        let Archives { folder, open, keeper } = self;
        if open.as_ref().is_none_or(|(known, _)| *known != name) {
            let archive = folder.path_of(&name).ok().and_then(|path| {
                PlacedRecords::open(&Stores::default(), &path, &Limits::default()).ok()
            });
            *open = Some((name.to_string(), archive));
        }
        let (_, archive) = open.as_mut()?;
        let mut bytes = None;
        let read = archive.as_mut()?.read(offset, length, &mut |record| {
            let Some(header) = WarcHeader::parse(record.header) else { return };
            let Some(kept) = keeper.keep(&header, &record) else { return };
            bytes = Some(kept.block.len().max(kept.member.map_or(0, <[u8]>::len)));
            encoder.row(&Row {
                id: id.as_deref().unwrap_or_default(),
                date: date.as_deref(),
                url: url.as_deref(),
                record: Some(kept),
                ..Row::default()
            });
        });
        read.ok().and(bytes)
    }
}

/// A WARC file of the records of rows.
pub(crate) struct WarcFile {
    assembler: Box<dyn Assembler>,
    encoder: Box<dyn BatchEncoder>,
    compressor: Compressor,
    /// Bytes of the records that are not yet written.
    pending: usize,
}

impl WarcFile {
    /// Begins a file.
    pub(crate) fn new(layout: &Layout) -> WarcFile {
        let format = formats::find("warc").expect("it is among the formats");
        WarcFile {
            assembler: format.assembler(layout),
            encoder: format.encoder(layout),
            compressor: Compressor::new(layout.compression),
            pending: 0,
        }
    }

    /// Adds the record of a row. Returns false if the archives do not have it.
    pub(crate) fn add(&mut self, archives: &mut Archives, line: &[u8]) -> bool {
        let Some(bytes) = archives.add(line, &mut *self.encoder) else { return false };
        self.pending += bytes;
        true
    }

    /// Returns whether so many records were added that they must be written.
    pub(crate) fn is_full(&self) -> bool {
        self.pending > PIECE
    }

    /// Returns whether there are records to write.
    pub(crate) fn is_empty(&self) -> bool {
        self.encoder.mark() == 0
    }

    /// Writes the records that were added.
    pub(crate) fn write(&mut self, out: &mut OutputFile) -> Result<(), DedupError> {
        self.pending = 0;
        let (mut piece, mut bytes) = (Vec::new(), Vec::new());
        self.encoder.finish(&mut self.compressor, &mut piece);
        let added = self.assembler.piece(&piece, &mut self.compressor, &mut bytes);
        added.expect("writing to memory cannot fail");
        Ok(out.append(&bytes)?)
    }

    /// Ends the file.
    pub(crate) fn end(&mut self, out: &mut OutputFile) -> Result<(), DedupError> {
        let mut bytes = Vec::new();
        let ended = self.assembler.end(&mut self.compressor, &mut bytes);
        ended.expect("writing to memory cannot fail");
        Ok(out.append(&bytes)?)
    }
}
