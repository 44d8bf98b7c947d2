//! Parquet: rows as columns, in row groups that readers take whole.
//!
//! The crate `parquet` encodes every column. Our compressor makes frames of its pages, since only
//! our frames have checksums. Consecutive batches form a row group of 32 MiB, so the end of a group
//! depends on the rows alone. Columns with long values are most of the work, so workers make and
//! compress their pages, a few for each batch. The writer joins the pages of many batches. Short
//! values of one batch would make tiny pages, so the writer encodes them for a whole group. A
//! column that repeats its values has a dictionary if the group has enough rows.

#![expect(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "the crate counts bytes and rows with a sign; lengths of files have 63 bits"
)]

mod batch;
mod copy;
mod group;
mod inspect;
mod pages;
mod schema;
mod split;
mod writer_properties;

use crate::columns::MAX_PAGE_BYTES;
use crate::compress::Compression;
use crate::format::{
    Assembler, BatchEncoder, CopiedRows, Format, InspectedFile, Inspection, RowChoice,
};
use crate::layout::Layout;
use batch::Batch;
use group::GroupFile;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The Parquet format.
pub(crate) struct Parquet {
    /// A group ends when its values reach this many bytes, uncompressed.
    pub(crate) group_bytes: usize,
}

/// A size that suits readers: Spark and `DuckDB` give every thread a group.
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

    /// Returns false: the offsets of the groups are only at the end of the file.
    fn can_continue(&self) -> bool {
        false
    }

    /// Returns true: the place of a row is its number.
    fn has_places(&self) -> bool {
        true
    }

    /// Returns the bytes of a group, in buffers that grow by doubling.
    fn max_memory_bytes(&self) -> usize {
        2 * self.group_bytes
    }

    fn longest_page(&self) -> Option<usize> {
        Some(MAX_PAGE_BYTES)
    }

    fn inspect(
        &self,
        _: &Layout,
        file: &mut dyn InspectedFile,
        id: &mut dyn FnMut(&str),
    ) -> Inspection {
        let mut found = Inspection::default();
        let read = catch_unwind(AssertUnwindSafe(|| inspect::inspect(file, &mut found.rows, id)));
        let error = read.unwrap_or_else(|_| Err(inspect::invalid("reading it panicked"))).err();
        Inspection { error, ..found }
    }

    fn copy_rows(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        choice: &mut RowChoice<'_>,
        out: &mut dyn Write,
    ) -> io::Result<CopiedRows> {
        let copied =
            AssertUnwindSafe(|| copy::copy_rows((layout, self.group_bytes), file, choice, out));
        catch_unwind(copied).unwrap_or_else(|_| Err(inspect::invalid("reading it panicked")))
    }
}

#[cfg(test)]
mod tests;
