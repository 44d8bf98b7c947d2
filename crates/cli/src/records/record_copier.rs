//! Writes the chosen records of archives to a new archive.

use super::listing::Listing;
use crate::args::RecordsArgs;
use crate::output_file::OutputFile;
use crate::stores::{READ_AHEAD, stores};
use crate::usage_error::UsageError;
use anyhow::Result;
use huller_archive::{Limits, PlacedRecords, Position, WarcHeader, is_remote};
use huller_corpus::{RecordBuffer, generate_id};
use huller_row::{Compression, Layout, PageRecord, Row, WarcWriter};
use serde_json::json;
use std::io;
use std::path::{Path, PathBuf};

/// Copies records into a new archive, in the form that `huller extract --format warc` writes.
pub(super) struct RecordCopier {
    /// Keeps records that are read again, to copy their members.
    keeper: RecordBuffer,
    file: WarcWriter,
    layout: Layout,
    out: OutputFile,
    /// The present input, for members that are copied. `None` for standard input and URLs, whose
    /// bytes have passed.
    placed: Option<PlacedRecords>,
    /// The name of the present input.
    input: String,
    /// Number of records copied so far.
    records: u64,
}

impl RecordCopier {
    /// Creates the archive.
    pub(super) fn create(
        path: &Path,
        inputs: &[PathBuf],
        args: &RecordsArgs,
    ) -> Result<RecordCopier> {
        let format = WarcWriter::format();
        let name = path.to_string_lossy();
        let kind = |kind: &&Compression| name.ends_with(format.suffix(**kind));
        let Some(compression) = format.compressions().iter().find(kind) else {
            let problem = format!("--write '{name}' must end with .warc.gz, .warc.zst or .warc");
            return Err(UsageError(problem).into());
        };
        let layout = Layout {
            compression: *compression,
            configuration: configuration(args),
            ..Layout::default()
        };
        Ok(RecordCopier {
            keeper: RecordBuffer::new(format, &layout),
            file: WarcWriter::new(&layout),
            layout,
            out: OutputFile::create_packed(path, inputs)?,
            placed: None,
            input: String::new(),
            records: 0,
        })
    }

    /// Returns a keeper for the records of this archive.
    pub(super) fn keeper(&self) -> RecordBuffer {
        RecordBuffer::new(WarcWriter::format(), &self.layout)
    }

    /// Begins an input.
    pub(super) fn begin(&mut self, path: &Path, limits: &Limits) {
        let is_file = path.as_os_str() != "-" && !is_remote(path);
        self.input = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let open = || PlacedRecords::open(&stores(READ_AHEAD), path, limits).ok();
        self.placed = is_file.then(open).flatten();
    }

    /// Adds a record. If it has a member of its own, that member is copied.
    pub(super) fn add(
        &mut self,
        kept_record: PageRecord<'_>,
        listing: &Listing,
        position: Position,
    ) -> io::Result<()> {
        let place = position.member.map(|(offset, _)| offset).or(position.stream_offset);
        let mut id = String::new();
        let row = Row {
            id: generate_id(&self.input, place.unwrap_or_default(), &mut id),
            url: listing.uri.as_deref(),
            date: listing.date.as_deref(),
            file_path: &self.input,
            ..Row::default()
        };
        let (file, mut is_copied) = (&mut self.file, false);
        if let (Some((offset, length)), true, Some(placed)) =
            (position.member, kept_record.is_complete, &mut self.placed)
        {
            let keeper = &mut self.keeper;
            let read = placed.read(offset, Some(length), &mut |record| {
                let header = WarcHeader::parse(record.header);
                if let Some(kept_record) = header.and_then(|header| keeper.keep(&header, &record)) {
                    file.add(&Row { record: Some(kept_record), ..row });
                    is_copied = true;
                }
            });
            is_copied &= read.is_ok();
        }
        if !is_copied {
            self.file.add(&Row { record: Some(kept_record), ..row });
        }
        self.records += 1;
        if self.file.is_full() { self.file.write(&mut self.out) } else { Ok(()) }
    }

    /// Ends the archive, and gives it its name.
    pub(super) fn finish(mut self) -> Result<u64> {
        self.file.write(&mut self.out)?;
        self.file.end(&mut self.out)?;
        self.out.finish()?;
        Ok(self.records)
    }
}

/// Returns the choice of records, for the first record of the archive.
fn configuration(args: &RecordsArgs) -> String {
    let status: Vec<_> = args.status.iter().map(|range| format!("{:?}", range.0)).collect();
    json!({
        "command": "records",
        "type": args.types,
        "status": status,
        "url": args.url,
        "mime": args.mime,
        "language": args.languages,
    })
    .to_string()
}
