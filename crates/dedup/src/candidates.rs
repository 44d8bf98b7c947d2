//! Stores groups of rows that share a band in a file, until their shingles can be compared. Rows of
//! one text are linked at once, and only the first of them is in the group.

use crate::shingle_store::ShingleStore;
use crate::union_find::UnionFind;
use huller_run::nameless;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::Path;

/// The number written after each group.
const GROUP_END: u32 = u32::MAX;

/// Rows of a group that are held until it is known whether the group is needed.
const MAX_HELD_ROWS: usize = 1 << 16;

/// Rows that are read at a time.
const ROWS_PER_READ: usize = 1 << 18;

/// Takes rows by their bands, in order, and writes groups to a file.
pub(crate) struct Collector<'a> {
    out: BufWriter<File>,
    clusters: &'a UnionFind,
    /// Number of rows of earlier corpora, which come first and are not linked with one another.
    earlier: u32,
    store: &'a mut ShingleStore,
    /// The last row.
    last: Option<LastPair>,
    /// Rows of the group that are not yet written.
    group: Vec<u32>,
    has_new: bool,
    is_written: bool,
}

struct LastPair {
    /// Hash of the band.
    band: u64,
    /// First 64 bits of the digest of the row's text.
    text: u64,
    /// Number of the row.
    row: u32,
}

impl<'a> Collector<'a> {
    pub(crate) fn create(
        folder: &Path,
        (clusters, earlier): (&'a UnionFind, u32),
        store: &'a mut ShingleStore,
    ) -> io::Result<Collector<'a>> {
        Ok(Collector {
            out: BufWriter::with_capacity(1 << 18, nameless::create(folder)?),
            clusters,
            earlier,
            store,
            last: None,
            group: Vec::new(),
            has_new: false,
            is_written: false,
        })
    }

    /// Takes the next row. Rows of one band come together, and within them rows of one text.
    pub(crate) fn push(&mut self, band: u64, text: u64, row: u32) -> io::Result<()> {
        if self.last.as_ref().is_none_or(|last| last.band != band) {
            self.end_group()?;
        }
        match &self.last {
            // Rows of one text come in ascending order, so the first is of an earlier corpus if any
            // is.
            Some(last) if last.band == band && last.text == text => {
                if row >= self.earlier {
                    self.clusters.link(last.row, row);
                    // The group is then needed even if all its other rows are of earlier corpora.
                    self.has_new = true;
                }
                return Ok(());
            }
            _ => {}
        }
        self.last = Some(LastPair { band, text, row });
        self.group.push(row);
        self.has_new |= row >= self.earlier;
        if self.group.len() == MAX_HELD_ROWS { self.write_group() } else { Ok(()) }
    }

    fn write_group(&mut self) -> io::Result<()> {
        for row in self.group.drain(..) {
            self.store.want(row);
            self.out.write_all(&row.to_le_bytes())?;
        }
        self.is_written = true;
        Ok(())
    }

    fn end_group(&mut self) -> io::Result<()> {
        if self.is_written || (self.group.len() > 1 && self.has_new) {
            self.write_group()?;
            self.out.write_all(&GROUP_END.to_le_bytes())?;
        }
        self.group.clear();
        (self.has_new, self.is_written) = (false, false);
        self.last = None;
        Ok(())
    }

    /// Returns the groups, once all rows have been taken.
    pub(crate) fn finish(mut self) -> io::Result<Groups> {
        self.end_group()?;
        let mut file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(Groups { file, bytes: Vec::new() })
    }
}

/// Groups of rows that share a band.
pub(crate) struct Groups {
    file: File,
    /// Scratch buffer for pairs.
    bytes: Vec<u8>,
}

impl Groups {
    /// Reads some more groups: rows with an [`GROUP_END`] after each group. The last group may
    /// continue in the next call. At the end of the file nothing is added.
    pub(crate) fn next(&mut self, rows: &mut Vec<u32>) -> io::Result<()> {
        rows.clear();
        self.bytes.clear();
        let step = (ROWS_PER_READ * size_of::<u32>()) as u64;
        (&self.file).take(step).read_to_end(&mut self.bytes)?;
        nameless::extend(rows, &self.bytes);
        Ok(())
    }

    /// Returns the groups in the rows that were read. All except the last are complete.
    pub(crate) fn split(rows: &[u32]) -> impl Iterator<Item = &[u32]> {
        rows.split(|row| *row == GROUP_END)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_groups_that_need_a_comparison_are_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let clusters = UnionFind::new(10);
        let mut store = ShingleStore::create(10, folder.path()).unwrap();
        let mut collector = Collector::create(folder.path(), (&clusters, 3), &mut store).unwrap();
        for (band, text, row) in [
            // One text.
            (1, 5, 3),
            (1, 5, 4),
            // Earlier rows only.
            (2, 5, 0),
            (2, 6, 1),
            // Two texts, of which one belongs to two rows.
            (3, 5, 5),
            (3, 6, 2),
            (3, 6, 6),
            // Rows without a partner.
            (4, 1, 7),
            (5, 1, 8),
            (5, 2, 9),
        ] {
            collector.push(band, text, row).unwrap();
        }
        let mut groups = collector.finish().unwrap();
        let mut rows = Vec::new();
        groups.next(&mut rows).unwrap();
        let found: Vec<_> = Groups::split(&rows).collect();
        assert_eq!(found, [&[5, 2][..], &[8, 9], &[]]);
        groups.next(&mut rows).unwrap();
        assert!(rows.is_empty());
        let wanted: Vec<_> = (0..10).filter(|row| store.is_missing(*row)).collect();
        assert_eq!(wanted, [2, 5, 8, 9]);
        let roots: Vec<_> = (0..10).map(|row| clusters.find(row)).collect();
        assert_eq!(roots, [0, 1, 2, 3, 3, 5, 2, 7, 8, 9]);
    }
}
