//! Parquet: rows as columns, in row groups that readers take whole.
//!
//! The crate `parquet` encodes every column, and our compressor makes frames of its pages, since
//! only our frames have checksums. Consecutive batches form a row group of 32 MiB, so
//! where a group ends follows from the rows alone. The columns with long values are most of the
//! work, so workers make and compress their pages, a few for each batch. The writer puts the pages
//! of many batches together. Short values of one batch would make tiny pages, so they go to the
//! writer as they are. The writer encodes the short values of a whole group. A column that repeats
//! its values has a dictionary if the group has rows enough.

#![expect(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "the crate counts bytes and rows with a sign; lengths of files have 63 bits"
)]

mod batch;
mod group;
mod inspect;
mod pages;
mod properties;
mod schema;
mod split;

use crate::columns::LONGEST_PAGE;
use crate::compress::Compression;
use crate::format::{Assembler, BatchEncoder, Format, Inspected, Inspection};
use crate::layout::Layout;
use batch::Batch;
use group::GroupFile;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The format.
pub(crate) struct Parquet {
    /// A group ends as soon as its values have so many bytes, uncompressed.
    pub(crate) group_bytes: usize,
}

/// Readers take this for a good size: Spark and `DuckDB` give every thread a group.
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
        Box::new(Batch::new(layout))
    }

    fn assembler(&self, layout: &Layout) -> Box<dyn Assembler> {
        Box::new(GroupFile::new(layout, self.group_bytes))
    }

    /// Only the end names the places of the groups.
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
        let mut found = Inspection::default();
        let read = catch_unwind(AssertUnwindSafe(|| inspect::inspect(file, &mut found.rows, id)));
        let error = read.unwrap_or_else(|_| Err(inspect::invalid("reading it panicked"))).err();
        Inspection { error, ..found }
    }
}

#[cfg(test)]
mod tests;
