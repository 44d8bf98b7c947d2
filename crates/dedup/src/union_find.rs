//! Finds clusters of rows that are linked, directly or through others.

use std::sync::atomic::{AtomicU32, Ordering};

/// A disjoint-set forest in which several threads may link. Each tree has its least row as its
/// root, since a root is only ever linked to a smaller one. So the clusters and their roots depend
/// neither on the order of links nor on threads. (Anderson and Woll, "Wait-free parallel algorithms
/// for the union-find problem", 1991; here without ranks, with path halving.)
///
/// All accesses are relaxed: a row's link only ever changes to a row above it in its tree, so a
/// stale value is still right.
pub(crate) struct UnionFind(Vec<AtomicU32>);

impl UnionFind {
    /// Makes `rows` rows without links.
    pub(crate) fn new(rows: u32) -> UnionFind {
        UnionFind((0..rows).map(AtomicU32::new).collect())
    }

    fn parent(&self, row: u32) -> u32 {
        self.0[row as usize].load(Ordering::Relaxed)
    }

    /// Returns the root of the row's cluster, which is its least row.
    pub(crate) fn find(&self, mut row: u32) -> u32 {
        loop {
            let parent = self.parent(row);
            let grandparent = self.parent(parent);
            if parent == grandparent {
                return parent;
            }
            // A failure is harmless: another thread was quicker, and both values are above this
            // row.
            let link = &self.0[row as usize];
            let _ = link.compare_exchange_weak(
                parent,
                grandparent,
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
            row = grandparent;
        }
    }

    /// Joins two clusters.
    pub(crate) fn link(&self, left: u32, right: u32) {
        let (mut left, mut right) = (left, right);
        loop {
            (left, right) = (self.find(left), self.find(right));
            if left == right {
                return;
            }
            let (new_root, root) = (left.min(right), left.max(right));
            let linked = self.0[root as usize].compare_exchange(
                root,
                new_root,
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
            if linked.is_ok() {
                return;
            }
        }
    }

    /// Makes a row of a cluster its root, in place of the old one.
    pub(crate) fn crown(&mut self, row: u32, root: u32) {
        *self.0[row as usize].get_mut() = row;
        *self.0[root as usize].get_mut() = row;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rayon::prelude::*;

    proptest! {
        #[test]
        fn the_root_is_the_least_row_whatever_the_order(links in prop::collection::vec((0_u32..300, 0_u32..300), 0..400)) {
            let [forward, backward, parallel] = [(); 3].map(|()| UnionFind::new(300));
            for (one, other) in &links {
                forward.link(*one, *other);
            }
            for (one, other) in links.iter().rev() {
                backward.link(*other, *one);
            }
            links.par_iter().for_each(|(one, other)| parallel.link(*one, *other));
            // The naive way: spread the least row until nothing changes.
            let mut least: Vec<u32> = (0..300).collect();
            for _ in 0..300 {
                for (one, other) in &links {
                    let both = least[*one as usize].min(least[*other as usize]);
                    least[*one as usize] = both;
                    least[*other as usize] = both;
                }
            }
            for row in 0..300 {
                for clusters in [&forward, &backward, &parallel] {
                    prop_assert_eq!(clusters.find(row), least[row as usize]);
                }
            }
        }
    }
}
