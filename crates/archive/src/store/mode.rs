//! The ways in which batches of one archive are made.

use super::cutter::{Cut, Cutter};
use super::prefix_digest::OrderedHasher;
use crate::batch::Batch;
use crate::damage::repairer::Repairer;
use crate::error::ArchiveError;
use crate::format::{Container, Format};
use crate::planned::cutter::PlannedCutter;
use crate::stream::{Reached, RecordStream};
use crate::table::cutter::TableCutter;
use crate::wacz::members::Opened;

/// The way in which the next batch is made.
pub(super) enum Mode {
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

impl Mode {
    /// Returns the mode for an archive. It is cut if it is a file of members.
    pub(super) fn of(opened: Opened, hasher: &OrderedHasher) -> Result<Mode, ArchiveError> {
        let Opened { archive, .. } = &opened;
        let is_streamed = matches!(archive.format, Format::Jsonl | Format::Tar);
        let is_cut = !is_streamed && archive.container != Container::Plain;
        if archive.place.is_none() || !is_cut {
            return Ok(Mode::Stream(Box::new(opened.into_stream())));
        }
        let (file, end) = archive.file()?;
        let cutter = Cutter::new(file, end, archive, hasher);
        let cutter = cutter.map_err(|error| archive.error(archive.start, error))?;
        Ok(Mode::Cut(Box::new(cutter)))
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
                Mode::Ended => return Ok(false),
                Mode::Cut(cutter) => {
                    let cut = cutter
                        .next(batch)
                        .map_err(|error| repairer.error(cutter.start(), error))?;
                    let start = cutter.start();
                    match cut {
                        Cut::Batch => return Ok(true),
                        Cut::End => return Ok(false),
                        Cut::Stream => {
                            let stream = repairer.at_seen_by(start, hasher)?;
                            *self = Mode::Stream(Box::new(stream));
                        }
                        Cut::StreamUntil(stop) => {
                            let stream = repairer.at_seen_by(start, hasher)?;
                            *self = Mode::StreamUntil(Box::new(stream), stop);
                        }
                    }
                }
                Mode::Table(cutter) => {
                    let more = cutter.next(batch);
                    return more.map_err(|error| repairer.error(cutter.bytes_read(), error));
                }
                Mode::Planned(cutter) => {
                    let more = cutter.next(batch);
                    return more.map_err(|error| repairer.error(cutter.bytes_read(), error));
                }
                Mode::Stream(stream) => return stream.next_batch(batch),
                Mode::StreamUntil(stream, stop) => {
                    if let Reached::Border(offset) = stream.next_batch_until(batch, *stop)? {
                        *self = if let Some(table) = repairer.table() {
                            TableCutter::new(table, offset, hasher)
                                .map(|cutter| Mode::Table(Box::new(cutter)))
                                .map_err(|error| repairer.error(0, error))?
                        } else if let Some(plan) = repairer.plan() {
                            let next = usize::try_from(offset).unwrap_or(usize::MAX);
                            let cutter = PlannedCutter::new(plan, next, hasher);
                            Mode::Planned(Box::new(cutter))
                        } else {
                            let cutter = Cutter::reopen(&repairer.archive, offset, hasher)?;
                            Mode::Cut(Box::new(cutter))
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
