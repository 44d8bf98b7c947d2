//! Parquet: rows as columns, in groups that readers take whole, with the bounds of each column and page.
//!
//! Written by hand, since files are made by many: workers compress the pages of their batches, and the writer puts pages of many
//! batches together to groups of 32 MiB. The headers of pages name no place in the file, so pages that were made apart can stand one
//! after another. Libraries write a column of a group in one go, which would leave all compression to the writer.
//!
//! For the same reason there are no dictionaries: every page of a column would have to share one. Values that are the same in many rows
//! cost little all the same, since they are compressed in pages of a MiB.

#![expect(
    clippy::cast_possible_wrap,
    reason = "lengths of files have 63 bits; pages end after a MiB and one value, which has 31"
)]

mod bounds;
mod file;
mod footer;
mod group;
mod inspect;
mod page;
mod piece;
mod plain;
mod thrift;
mod values;
mod words;

use crate::columns::LONGEST_PAGE;
use crate::compress::Compression;
use crate::format::{Assembler, BatchEncoder, Format, Inspected, Inspection};
use crate::layout::Layout;

/// The format.
pub(crate) struct Parquet {
    /// A group ends as soon as its values have so many bytes, uncompressed.
    pub(crate) group_bytes: usize,
}

/// What readers take for a good size: Spark and `DuckDB` give every thread a group.
pub(crate) const GROUP_BYTES: usize = 32 << 20;

impl Format for Parquet {
    fn name(&self) -> &'static str {
        "parquet"
    }

    fn suffix(&self, _: Compression) -> &'static str {
        ".parquet"
    }

    fn compresses_inside(&self) -> bool {
        true
    }

    fn encoder(&self, layout: &Layout) -> Box<dyn BatchEncoder> {
        Box::new(piece::Batch::new(layout))
    }

    fn assembler(&self, layout: &Layout) -> Box<dyn Assembler> {
        Box::new(file::File::new(layout, self.group_bytes))
    }

    /// What is known of the groups stands at the end alone.
    fn can_continue(&self) -> bool {
        false
    }

    /// Rows are numbered.
    fn has_places(&self) -> bool {
        true
    }

    /// A group, in buffers that grow by doubling.
    fn held_bytes(&self) -> usize {
        2 * self.group_bytes
    }

    fn longest_page(&self) -> Option<usize> {
        Some(LONGEST_PAGE)
    }

    fn inspect(
        &self,
        _: &Layout,
        file: &mut dyn Inspected,
        id: &mut dyn FnMut(&str),
    ) -> Inspection {
        inspect::inspect(file, id)
    }
}

#[cfg(test)]
mod tests;
