//! Decides which rows are kept: one step after another, by signatures and, if asked for, by the
//! texts of the rows that are compared.
//!
//! Rows are numbered over all files: first those of earlier corpora, then the inputs in their
//! order. Memory is 9 bytes per row. The longest, best or newest row takes 12 more, and so does the
//! verification of near duplicates. The larger of the two counts. The rest of the budget is for
//! pairs of hashes and rows. Pairs that do not fit are sorted on the disk.

use crate::candidates::Collector;
use crate::drop_list::DroppedRows;
use crate::error::DedupError;
use crate::external_sort::{ExternalSort, Key};
use crate::file_pass::PassEnding;
use crate::settings::{DedupStep, DroppedBy, Keep, Settings};
use crate::shingle_store::ShingleStore;
use crate::signed_file::SignedFile;
use crate::union_find::UnionFind;
use crate::verified_links::Linker;
use huller_refine::signature::signature_file::RecordView;
use rayon::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// Most rows of a run.
pub(crate) const MAX_ROWS: u32 = u32::MAX - 1;

/// The mark of a row that is on the list of rows to drop.
const LISTED_MARK: u8 = DedupStep::ALL.len() as u8 + 1;

/// The mark of a row whose page was withdrawn.
const WITHDRAWN_MARK: u8 = LISTED_MARK + 1;

/// The results of all steps for all rows.
pub(crate) struct Decisions {
    /// Number of rows of earlier corpora, which come first.
    pub(crate) earlier: u32,
    /// The step that drops each row, as its place in [`DedupStep::ALL`] plus one. It is 0 if the
    /// row is kept, [`LISTED_MARK`] if the row is on the list of rows to drop, and
    /// [`WITHDRAWN_MARK`] if its page was withdrawn.
    dropped: Vec<u8>,
    clusters: UnionFind,
    /// For each kept row, how many rows of the inputs its cluster has.
    sizes: Vec<u32>,
}

impl Decisions {
    /// Returns the number of rows, earlier ones included.
    pub(crate) fn rows(&self) -> u32 {
        self.dropped.len() as u32
    }

    /// Returns the step or the list that drops the row.
    pub(crate) fn dropped_by(&self, row: u32) -> Option<DroppedBy> {
        let mark = self.dropped[row as usize];
        let step_index = usize::from(mark).checked_sub(1)?;
        let by_list = if mark == WITHDRAWN_MARK { DroppedBy::Withdrawn } else { DroppedBy::List };
        Some(DedupStep::ALL.get(step_index).map_or(by_list, |step| DroppedBy::Step(*step)))
    }

    /// Returns the row that is kept in place of this one, which may be of an earlier corpus.
    /// Returns the row itself if it is kept.
    pub(crate) fn kept_for(&self, row: u32) -> u32 {
        self.clusters.find(row)
    }

    /// Returns the number of rows in the cluster of this kept row: 1 if it has no duplicates.
    pub(crate) fn size(&self, kept_row: u32) -> u32 {
        self.sizes[kept_row as usize] + u32::from(kept_row < self.earlier)
    }

    /// Returns bytes that state which step drops which row, for a digest.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.dropped
    }
}

/// Provides texts, which decisions may need besides signatures.
pub(crate) trait Texts {
    /// Called when a step begins.
    fn begin(&mut self, step: DedupStep);

    /// Stores the shingles of the rows that the store wants.
    fn store_shingles(&mut self, store: &mut ShingleStore) -> Result<PassEnding, DedupError>;
}

/// Takes all steps that decide about whole rows. No step sees the rows in `listed`, which are
/// dropped before. The first
/// `earlier_files` of `files` belong to earlier corpora, the others to the inputs. Returns `None`
/// if the run was interrupted while texts were read.
pub(crate) fn decide(
    settings: &Settings,
    files: &[SignedFile],
    earlier_files: usize,
    (memory, folder): (u64, &Path),
    listed: &[(&DroppedRows, DroppedBy)],
    texts: &mut dyn Texts,
) -> Result<Option<Decisions>, DedupError> {
    let count = |files: &[SignedFile]| files.iter().map(|file| file.rows).sum::<u64>();
    let rows = count(files);
    if rows > u64::from(MAX_ROWS) {
        return Err(DedupError::TooManyRows { max: MAX_ROWS });
    }
    let has_ranks = DedupStep::ALL[..3]
        .iter()
        .any(|step| settings.has(*step) && settings.keeps(*step) != Keep::First);
    // At the end of a step there are no pairs, but there is the best row of each cluster.
    let ranks = if has_ranks { 8 + 4 } else { 0 };
    let shingles = if settings.verifies() { ShingleStore::ROW_BYTES } else { 0 };
    let needed = rows * (9 + ranks.max(shingles));
    if needed > memory / 4 * 3 {
        return Err(DedupError::Memory { rows, needed_bytes: needed / 3 * 4, memory });
    }
    let mut work = DecisionPass {
        settings,
        files,
        earlier: count(&files[..earlier_files]) as u32,
        dropped: vec![0; rows as usize],
        clusters: UnionFind::new(rows as u32),
        folder,
        memory: (memory / 4 * 3 - needed) as usize,
    };
    for (rows, dropped_by) in listed {
        let mark = if *dropped_by == DroppedBy::Withdrawn { WITHDRAWN_MARK } else { LISTED_MARK };
        for row in rows.iter().filter(|row| *row >= work.earlier) {
            work.dropped[row as usize] = mark;
        }
    }
    for step in &DedupStep::ALL[..3] {
        if !settings.has(*step) {
            continue;
        }
        texts.begin(*step);
        match (step, settings.verify) {
            (DedupStep::Url | DedupStep::Text, _) => work.link_digests(*step)?,
            (_, None) => work.link_bands()?,
            (_, Some(least)) => {
                if work.link_verified(least, texts)? == PassEnding::Interrupted {
                    return Ok(None);
                }
            }
        }
        work.settle_clusters(*step)?;
    }
    Ok(Some(work.finish()))
}

struct DecisionPass<'a> {
    settings: &'a Settings,
    files: &'a [SignedFile],
    /// Number of rows of earlier corpora. Their numbers come first.
    earlier: u32,
    /// For each row, 0 if it is kept, else the mark of what dropped it.
    dropped: Vec<u8>,
    clusters: UnionFind,
    folder: &'a Path,
    /// Bytes for pairs.
    memory: usize,
}

impl DecisionPass<'_> {
    /// Calls `each` with all rows that no step has dropped. Rows of earlier corpora are never
    /// dropped, so a row that equals one of them always finds it.
    fn for_each_kept(
        &self,
        mut each: impl FnMut(u32, RecordView<'_>) -> Result<(), DedupError>,
    ) -> Result<(), DedupError> {
        let mut row = 0;
        for file in self.files {
            file.for_each(|record| {
                let first_row = row;
                row += 1;
                if self.dropped[first_row as usize] == 0 { each(first_row, record) } else { Ok(()) }
            })?;
        }
        Ok(())
    }

    fn link_sorted<K: Key>(&self, sort: ExternalSort<K>) -> Result<(), DedupError> {
        // Earlier rows are linked only through rows of the inputs, not with one another.
        let link = |first: u32, row: u32| {
            if row >= self.earlier {
                self.clusters.link(first, row);
            }
        };
        sort.link(link).map_err(DedupError::output_error("sort in", self.folder))
    }

    /// Links rows with the same URL, or with the same text.
    fn link_digests(&self, step: DedupStep) -> Result<(), DedupError> {
        let mut sort = ExternalSort::new(self.memory, self.folder, self.dropped.len());
        let of_url = step == DedupStep::Url;
        let digest =
            |record: RecordView<'_>| if of_url { record.url() } else { Some(record.text()) };
        self.for_each_kept(|row, record| match digest(record) {
            Some(digest) => {
                sort.push(digest, row).map_err(DedupError::output_error("sort in", self.folder))
            }
            None => Ok(()),
        })?;
        self.link_sorted(sort)
    }

    /// Sorts the rows by their bands and passes the sorted ones to `take`. Each pass over the
    /// signatures takes as many bands as fit into memory. The hash of a band includes the band's
    /// number, so hashes of several bands are sorted together.
    fn sort_bands<K: Key>(
        &self,
        key: impl Fn(u64, RecordView<'_>) -> K,
        mut take: impl FnMut(ExternalSort<K>) -> Result<(), DedupError>,
    ) -> Result<(), DedupError> {
        let bands = self.settings.signatures.bands as usize;
        let of_one = self.dropped.len().max(1) * ExternalSort::<K>::PAIR;
        let at_once = (self.memory / of_one).clamp(1, bands);
        // Divides the bands evenly over the same number of passes.
        let at_once = bands.div_ceil(bands.div_ceil(at_once));
        for first_band in (0..bands).step_by(at_once) {
            let expected = self.dropped.len() * at_once;
            let mut sort = ExternalSort::new(self.memory, self.folder, expected);
            self.for_each_kept(|row, record| {
                for hash in record.bands().skip(first_band).take(at_once) {
                    sort.push(key(hash, record), row)
                        .map_err(DedupError::output_error("sort in", self.folder))?;
                }
                Ok(())
            })?;
            take(sort)?;
        }
        Ok(())
    }

    /// Links rows that share a band.
    fn link_bands(&self) -> Result<(), DedupError> {
        self.sort_bands(|hash, _| hash, |sort| self.link_sorted(sort))
    }

    /// Links rows that share a band and whose similarity is at least `least`.
    fn link_verified(&self, least: f64, texts: &mut dyn Texts) -> Result<PassEnding, DedupError> {
        let failed = || DedupError::output_error("keep shingles in", self.folder);
        let rows = self.dropped.len();
        let mut store = ShingleStore::create(rows, self.folder).map_err(failed())?;
        let linked = (&self.clusters, self.earlier);
        let mut groups = Collector::create(self.folder, linked, &mut store).map_err(failed())?;
        // The band is the upper half, the beginning of the text's digest the lower half.
        let key = |hash: u64, record: RecordView<'_>| u128::from(hash) << 64 | record.text() >> 64;
        self.sort_bands(key, |sort| {
            let push = |key: u128, row: u32| groups.push((key >> 64) as u64, key as u64, row);
            sort.for_each(push).map_err(failed())
        })?;
        let groups = groups.finish().map_err(failed())?;
        if texts.store_shingles(&mut store)? == PassEnding::Interrupted {
            return Ok(PassEnding::Interrupted);
        }
        let sets = store.into_sets().map_err(failed())?;
        let (clusters, earlier) = linked;
        let compared = Linker { sets: &sets, min_similarity: least, clusters, earlier };
        compared.run(groups).map_err(failed())?;
        Ok(PassEnding::Done)
    }

    /// Chooses the row of each cluster that is kept, and drops the others.
    fn settle_clusters(&mut self, step: DedupStep) -> Result<(), DedupError> {
        let rows = self.dropped.len() as u32;
        // The best row of each cluster, at the index of its root.
        let best_rows = match self.settings.keeps(step) {
            Keep::First => None,
            keep => Some(self.best_rows(keep)?),
        };
        let clusters = &self.clusters;
        (0..rows).into_par_iter().for_each(|row| _ = clusters.find(row));
        let place =
            DedupStep::ALL.iter().position(|known| *known == step).expect("one of all") as u8;
        for row in 0..rows {
            let root = self.clusters.find(row);
            let kept_row = best_rows.as_ref().map_or(root, |best_rows| best_rows[root as usize]);
            if row != kept_row && row >= self.earlier && self.dropped[row as usize] == 0 {
                self.dropped[row as usize] = place + 1;
            }
        }
        if let Some(best_rows) = best_rows {
            self.hang_below(&best_rows);
        }
        Ok(())
    }

    /// Makes the best row of each cluster its root.
    fn hang_below(&mut self, best_rows: &[u32]) {
        let roots = |row: u32| self.clusters.find(row);
        // Collects all roots before any of them changes.
        let moved: Vec<(u32, u32)> = (0..best_rows.len() as u32)
            .filter(|row| roots(*row) == *row && best_rows[*row as usize] != *row)
            .map(|root| (root, best_rows[root as usize]))
            .collect();
        for (root, best_row) in moved {
            self.clusters.crown(best_row, root);
        }
    }

    /// Returns the best row of every cluster, at the index of its root.
    fn best_rows(&self, keep: Keep) -> Result<Vec<u32>, DedupError> {
        let mut ranks = vec![0_u64; self.dropped.len()];
        let mut best: Vec<u32> = (0..self.dropped.len() as u32).collect();
        self.for_each_kept(|row, record| {
            ranks[row as usize] =
                if row < self.earlier { u64::MAX } else { row_rank(keep, record) };
            Ok(())
        })?;
        for row in 0..self.dropped.len() as u32 {
            if self.dropped[row as usize] == 0 {
                let root = self.clusters.find(row) as usize;
                if ranks[row as usize] > ranks[best[root] as usize] {
                    best[root] = row;
                }
            }
        }
        Ok(best)
    }

    fn finish(self) -> Decisions {
        let DecisionPass { earlier, dropped, clusters, .. } = self;
        let sizes: Vec<AtomicU32> = dropped.iter().map(|_| AtomicU32::new(0)).collect();
        (earlier..dropped.len() as u32).into_par_iter().for_each(|row| {
            sizes[clusters.find(row) as usize].fetch_add(1, Ordering::Relaxed);
        });
        let sizes = sizes.into_iter().map(AtomicU32::into_inner).collect();
        Decisions { earlier, dropped, clusters, sizes }
    }
}

/// Returns the rank of a row by a rule. A row without the needed value ranks lowest.
fn row_rank(keep: Keep, record: RecordView<'_>) -> u64 {
    match keep {
        Keep::First => 0,
        Keep::Longest => u64::from(record.chars()) + 1,
        Keep::Newest => {
            record.fetch_time().map_or(0, |fetched| fetched.cast_unsigned() ^ (1 << 63))
        }
        Keep::Score => record.score().map_or(0, |score| {
            let bits = score.to_bits();
            // The bits are put in the order of the numbers: negative ones are inverted.
            let ordered = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
            u64::from(ordered) + 1
        }),
    }
}
