//! Links rows that share a band if their shingles are similar.
//!
//! Each row of a group is compared with the group's representatives, and linked with the similar
//! ones. A row without a similar representative becomes one itself, as long as there are fewer than
//! [`MAX_REPRESENTATIVES`]. The rows of a group are sorted by the digest of their text. So the
//! links depend neither on the order of the inputs nor on threads. A group of a million rows takes
//! a million comparisons, or eight million if they are dissimilar.

use crate::candidates::Groups;
use crate::shingle_store::{StoredSet, StoredSets};
use crate::union_find::UnionFind;
use rayon::prelude::*;
use std::io;

/// Most representatives of a group.
const MAX_REPRESENTATIVES: usize = 8;

/// Links rows whose Jaccard similarity is at least `least`.
pub(crate) struct Linker<'a> {
    pub(crate) sets: &'a StoredSets,
    /// Least Jaccard similarity of linked rows, above 0, at most 1.
    pub(crate) min_similarity: f64,
    pub(crate) clusters: &'a UnionFind,
    /// Number of rows of earlier corpora, which come first and are not linked with one another.
    pub(crate) earlier: u32,
}

/// The current group.
#[derive(Default)]
struct VerifiedGroup {
    representatives: Vec<(u32, StoredSet)>,
    /// The set of the current row.
    set: StoredSet,
    /// Buffers of former representatives.
    spare: Vec<StoredSet>,
}

impl Linker<'_> {
    /// Compares the rows of all groups.
    pub(crate) fn run(&self, mut groups: Groups) -> io::Result<()> {
        let mut rows = Vec::new();
        // The group that continues from one reading to the next.
        let mut open = VerifiedGroup::default();
        loop {
            groups.next(&mut rows)?;
            if rows.is_empty() {
                return Ok(());
            }
            let mut parts: Vec<_> = Groups::split(&rows).collect();
            let last = parts.pop().expect("a split has at least one part");
            if let Some((first_part, whole)) = parts.split_first() {
                self.add(&mut open, first_part)?;
                whole.par_iter().try_for_each_init(VerifiedGroup::default, |group, rows| {
                    group.clear();
                    self.add(group, rows)
                })?;
                open.clear();
            }
            self.add(&mut open, last)?;
        }
    }

    /// Compares more rows of a group.
    fn add(&self, group: &mut VerifiedGroup, rows: &[u32]) -> io::Result<()> {
        for &row in rows {
            self.sets.get(row, &mut group.set)?;
            let mut is_alone = true;
            for (representative, set) in &mut group.representatives {
                if self.sets.are_similar(set, &mut group.set, self.min_similarity)? {
                    is_alone = false;
                    if row.max(*representative) >= self.earlier {
                        self.clusters.link(*representative, row);
                    }
                }
            }
            if is_alone && group.representatives.len() < MAX_REPRESENTATIVES {
                let spare = group.spare.pop().unwrap_or_default();
                group.representatives.push((row, std::mem::replace(&mut group.set, spare)));
            }
        }
        Ok(())
    }
}

impl VerifiedGroup {
    fn clear(&mut self) {
        self.spare.extend(self.representatives.drain(..).map(|(_, set)| set));
    }
}
