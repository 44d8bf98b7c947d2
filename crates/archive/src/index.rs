//! Reads indexes of archives, which list the file and offset of each record.
//!
//! Crawlers and archive tools write them in three formats. In CDX a header line names the columns;
//! without it the forms with 9, 10 and 11 columns are known. In CDXJ each line has a sort key, a
//! time and a JSON object. The third is Common Crawl's columnar index (Parquet). Lines may be
//! compressed by gzip, in any number of members, or by zstd.

mod entry;
mod line;

pub use entry::IndexEntry;

use crate::batch::{Batch, Entry};
use crate::error::ArchiveError;
use crate::limits::Limits;
use crate::store::address::redact_url;
use crate::store::input::Input;
use crate::store::stores::Stores;
use crate::table::file::Table;
use crate::wacz::directory::is_zip;
use flate2::bufread::MultiGzDecoder;
use line::Lines;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

/// Counters of an index that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index {
    /// Number of entries.
    pub entries: u64,
    /// Number of lines or rows that are not entries.
    pub bad: u64,
    /// The number of the first such line or row, and the reason.
    pub first_bad: Option<String>,
}

impl Index {
    /// Reads an index and passes its entries to `show`, until the end or until `show` breaks.
    ///
    /// # Errors
    ///
    /// The index cannot be opened, or cannot be read to its end.
    pub fn read(
        stores: &Stores,
        path: &Path,
        limits: &Limits,
        show: &mut dyn FnMut(&IndexEntry) -> ControlFlow<()>,
    ) -> Result<Index, ArchiveError> {
        let name = format!("'{}'", redact_url(path).display());
        let io_error = |error| ArchiveError::io(&name, 0, error);
        let mut file = BufReader::with_capacity(256 << 10, stores.open(path).map_err(io_error)?);
        let head = file.fill_buf().map_err(io_error)?;
        if Table::is_table(head) {
            return Self::rows(stores, path, limits, show);
        }
        if is_zip(head) {
            let problem = "a WACZ or ZIP archive is not an index; unpack its index (unzip -j FILE \
                'indexes/*.cdx*') and give that";
            return Err(io_error(io::Error::new(io::ErrorKind::InvalidData, problem)));
        }
        let lines: Box<dyn Read> = if head.starts_with(b"\x1f\x8b") {
            Box::new(MultiGzDecoder::new(file))
        } else if head.starts_with(b"\x28\xb5\x2f\xfd") {
            Box::new(zstd::Decoder::with_buffer(file).map_err(io_error)?)
        } else {
            Box::new(file)
        };
        let mut lines = Lines::new(BufReader::new(lines));
        let mut index = Index::default();
        while let Some(entry) = lines.next().map_err(io_error)? {
            let number = lines.number();
            if index.add(entry, || format!("line {number}"), show).is_break() {
                break;
            }
        }
        Ok(index)
    }

    /// Reads the rows of a columnar index.
    fn rows(
        stores: &Stores,
        path: &Path,
        limits: &Limits,
        show: &mut dyn FnMut(&IndexEntry) -> ControlFlow<()>,
    ) -> Result<Index, ArchiveError> {
        let mut stream = Input::open_in(stores, path, limits)?.into_stream()?;
        let (mut index, mut batch) = (Index::default(), Batch::default());
        while stream.next_batch(&mut batch)? {
            for entry in &batch.entries {
                let (position, read) = match entry {
                    Entry::Line { bytes, position, .. } => {
                        (position, IndexEntry::from_json(&batch.bytes[bytes.clone()]))
                    }
                    Entry::Record { position, .. } | Entry::File { position, .. } => {
                        (position, Err("it is not a row".to_owned()))
                    }
                    Entry::Fault(fault) => (&fault.position, Err(fault.detail.clone())),
                };
                let row = position.stream_offset.unwrap_or_default();
                if index.add(read, || format!("row {row}"), show).is_break() {
                    return Ok(index);
                }
            }
        }
        Ok(index)
    }

    fn add(
        &mut self,
        entry: Result<IndexEntry, String>,
        place: impl FnOnce() -> String,
        show: &mut dyn FnMut(&IndexEntry) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match entry {
            Ok(entry) => {
                self.entries += 1;
                show(&entry)
            }
            Err(why) => {
                self.bad += 1;
                self.first_bad.get_or_insert_with(|| format!("{}: {why}", place()));
                ControlFlow::Continue(())
            }
        }
    }
}
