//! The ways in which batches of one archive are made.

use super::cutter::{CutResult, Cutter};
use super::prefix_digest::OrderedHasher;
use crate::batch::Batch;
use crate::container::Container;
use crate::damage::repairer::Repairer;
use crate::error::ArchiveError;
use crate::format::Format;
use crate::planned::cutter::PlannedCutter;
use crate::stream::{BatchEnd, RecordStream};
use crate::table::cutter::TableCutter;
use crate::wacz::members::OpenedArchive;

/// The way in which the next batch is made.
pub(super) enum BatchMode {
    /// The file is cut, not inflated.
    Cut(Box<Cutter>),
    /// A Parquet file is divided, not read.
    Table(Box<TableCutter>),
    /// Only the records that an index names are read.
    Planned(Box<PlannedCutter>),
    /// The archive has been read to its end. In a WACZ the next archive follows.
    Ended,
    /// The archive is read as a stream to its end.
    Stream(Box<RecordStream>),
    /// The archive is read as a stream to the first border at or after this offset, then cut or
    /// divided again.
    StreamUntil(Box<RecordStream>, u64),
}

impl BatchMode {
    /// Returns the mode for an archive. It is cut if it is a file of members.
    pub(super) fn from_opened(
        opened: OpenedArchive,
        hasher: &OrderedHasher,
    ) -> Result<BatchMode, ArchiveError> {
        let OpenedArchive { archive, .. } = &opened;
        let is_streamed = matches!(archive.format, Format::Jsonl | Format::Tar);
        let is_cut = !is_streamed && archive.container != Container::Plain;
        if archive.place.is_none() || !is_cut {
            return Ok(BatchMode::Stream(Box::new(opened.into_stream())));
        }
        let (file, end) = archive.file()?;
        let cutter = Cutter::new(file, end, archive, hasher);
        let cutter = cutter.map_err(|error| archive.error(archive.start, error))?;
        Ok(BatchMode::Cut(Box::new(cutter)))
    }

    /// Clears the batch and fills it with the next part of the archive. Returns false at its end.
    pub(super) fn cut_batch(
        &mut self,
        repairer: &Repairer,
        hasher: &OrderedHasher,
        batch: &mut Batch,
    ) -> Result<bool, ArchiveError> {
        loop {
            match self {
                BatchMode::Ended => return Ok(false),
                BatchMode::Cut(cutter) => {
                    let cut = cutter
                        .next(batch)
                        .map_err(|error| repairer.error(cutter.start(), error))?;
                    let start = cutter.start();
                    match cut {
                        CutResult::Batch => return Ok(true),
                        CutResult::End => return Ok(false),
                        CutResult::Stream => {
                            let stream = repairer.open_hashed_at(start, hasher)?;
                            *self = BatchMode::Stream(Box::new(stream));
                        }
                        CutResult::StreamUntil(stop) => {
                            let stream = repairer.open_hashed_at(start, hasher)?;
                            *self = BatchMode::StreamUntil(Box::new(stream), stop);
                        }
                    }
                }
                BatchMode::Table(cutter) => {
                    let more = cutter.next(batch);
                    return more.map_err(|error| repairer.error(cutter.bytes_read(), error));
                }
                BatchMode::Planned(cutter) => {
                    let more = cutter.next(batch);
                    return more.map_err(|error| repairer.error(cutter.bytes_read(), error));
                }
                BatchMode::Stream(stream) => return stream.next_batch(batch),
                BatchMode::StreamUntil(stream, stop) => {
                    if let BatchEnd::Border(offset) = stream.next_batch_until(batch, *stop)? {
                        *self = if let Some(table) = repairer.table() {
                            TableCutter::new(table, offset, hasher)
                                .map(|cutter| BatchMode::Table(Box::new(cutter)))
                                .map_err(|error| repairer.error(0, error))?
                        } else if let Some(plan) = repairer.plan() {
                            let next = usize::try_from(offset).unwrap_or(usize::MAX);
                            let cutter = PlannedCutter::new(plan, next, hasher);
                            BatchMode::Planned(Box::new(cutter))
                        } else {
                            let cutter = Cutter::reopen(&repairer.archive, offset, hasher)?;
                            BatchMode::Cut(Box::new(cutter))
                        };
                    } else if batch.entries.is_empty() {
                        return Ok(false);
                    }
                    if !batch.entries.is_empty() {
                        return Ok(true);
                    }
                }
            }
        }
    }
}
