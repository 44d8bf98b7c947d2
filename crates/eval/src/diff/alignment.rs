//! Finds a longest common subsequence with the places of its elements, not only its length.
//!
//! Hirschberg's division (1975) over bit-parallel rows (Crochemore and others, 2001; Hyyrö, 2004).
//! For a sequence a, a row encodes the lengths of the longest common subsequences with all prefixes
//! of b. It has one bit per symbol of b, which is clear if the length grows by one there. For each
//! symbol of a, with M the places of that symbol in b:
//!
//! ```text
//! V' = (V + (V and M)) or (V and not M)
//! ```
//!
//! Two rows determine where to cut b: the row of the first half of a over b, and the row of the
//! reversed second half over the reversed b. Then both parts are solved separately. Of equally good
//! cuts the first is taken. Time O(n m / 64 + (n + m) log n), memory O(n + m).

const NONE: u32 = u32::MAX;

/// Returns as many pairs (i, j) as possible with `a[i] == b[j]`, both rising. Symbols are small
/// numbers without large gaps: memory grows with the largest.
pub(crate) fn longest_common(a: &[u32], b: &[u32]) -> Vec<(u32, u32)> {
    let symbols = a.iter().chain(b).max().map_or(0, |max_symbol| *max_symbol as usize + 1);
    let mut search = Search {
        a,
        b,
        last: vec![NONE; symbols],
        count: vec![0; symbols],
        mask_of: vec![NONE; symbols],
        previous: Vec::new(),
        masks: Vec::new(),
        sparse: Vec::new(),
        pairs: Vec::new(),
    };
    search.align_ranges((0, a.len()), (0, b.len()));
    search.pairs
}

struct Search<'s> {
    a: &'s [u32],
    b: &'s [u32],
    /// For each symbol, its last place in the present part of b.
    last: Vec<u32>,
    /// For each symbol, the number of its places.
    count: Vec<u32>,
    /// For each symbol, the start of its mask in `masks`, if it has one.
    mask_of: Vec<u32>,
    /// For each place, the preceding place with the same symbol.
    previous: Vec<u32>,
    /// Masks of frequent symbols; fewer than 64. For these, setting the bits one by one would cost
    /// more than the row.
    masks: Vec<u64>,
    /// The mask of any other symbol while it is needed; otherwise all zero.
    sparse: Vec<u64>,
    pairs: Vec<(u32, u32)>,
}

impl Search<'_> {
    fn align_ranges(&mut self, (mut a0, mut a1): (usize, usize), (mut b0, mut b1): (usize, usize)) {
        while a0 < a1 && b0 < b1 && self.a[a0] == self.b[b0] {
            self.pairs.push((a0 as u32, b0 as u32));
            (a0, b0) = (a0 + 1, b0 + 1);
        }
        let mut behind = 0;
        while a0 < a1 && b0 < b1 && self.a[a1 - 1] == self.b[b1 - 1] {
            (a1, b1, behind) = (a1 - 1, b1 - 1, behind + 1);
        }
        if a1 - a0 == 1 {
            let position = self.b[b0..b1].iter().position(|symbol| *symbol == self.a[a0]);
            self.pairs.extend(position.map(|offset| (a0 as u32, (b0 + offset) as u32)));
        } else if a0 < a1 && b0 < b1 {
            let middle = a0.midpoint(a1);
            let (a, b) = (self.a, self.b);
            let ahead = self.last_row(a[a0..middle].iter(), b[b0..b1].iter());
            let back = self.last_row(a[middle..a1].iter().rev(), b[b0..b1].iter().rev());
            let cut = b0 + best_cut(&ahead, &back, b1 - b0);
            self.align_ranges((a0, middle), (b0, cut));
            self.align_ranges((middle, a1), (cut, b1));
        }
        self.pairs.extend((0..behind).map(|k| ((a1 + k) as u32, (b1 + k) as u32)));
    }

    /// Computes the row of `a` over `b`.
    fn last_row<'s>(
        &mut self,
        a: impl Iterator<Item = &'s u32>,
        b: impl ExactSizeIterator<Item = &'s u32> + Clone,
    ) -> Vec<u64> {
        let blocks = b.len().div_ceil(64);
        self.index_symbols(b.clone(), blocks);
        let mut row = vec![u64::MAX; blocks];
        for symbol in a.map(|symbol| *symbol as usize) {
            if self.last[symbol] == NONE {
                continue;
            }
            if self.mask_of[symbol] != NONE {
                let mask = &self.masks[self.mask_of[symbol] as usize..][..blocks];
                advance_row(&mut row, mask);
                continue;
            }
            let mut at = self.last[symbol];
            while at != NONE {
                self.sparse[at as usize / 64] |= 1 << (at % 64);
                at = self.previous[at as usize];
            }
            advance_row(&mut row, &self.sparse[..blocks]);
            let mut at = self.last[symbol];
            while at != NONE {
                self.sparse[at as usize / 64] = 0;
                at = self.previous[at as usize];
            }
        }
        for symbol in b {
            let symbol = *symbol as usize;
            (self.last[symbol], self.count[symbol], self.mask_of[symbol]) = (NONE, 0, NONE);
        }
        row
    }

    /// Records the places of each symbol of `b`.
    fn index_symbols<'s>(
        &mut self,
        b: impl ExactSizeIterator<Item = &'s u32> + Clone,
        blocks: usize,
    ) {
        self.previous.clear();
        self.masks.clear();
        self.sparse.resize(self.sparse.len().max(blocks), 0);
        for (symbol, index) in b.clone().zip(0..) {
            let symbol = *symbol as usize;
            self.previous.push(self.last[symbol]);
            self.last[symbol] = index;
            self.count[symbol] += 1;
        }
        for (symbol, index) in b.zip(0_usize..) {
            let symbol = *symbol as usize;
            if self.count[symbol] as usize <= blocks {
                continue;
            }
            if self.mask_of[symbol] == NONE {
                self.mask_of[symbol] = self.masks.len() as u32;
                self.masks.resize(self.masks.len() + blocks, 0);
            }
            self.masks[self.mask_of[symbol] as usize + index / 64] |= 1 << (index % 64);
        }
    }
}

/// Advances the row by one symbol of a.
fn advance_row(row: &mut [u64], mask: &[u64]) {
    let mut carry = false;
    for (bits, mask) in row.iter_mut().zip(mask) {
        let (sum, first) = bits.overflowing_add(*bits & mask);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first | second;
        *bits = sum | (*bits & !mask);
    }
}

/// Returns the first place to cut b at which both parts together have the most in common with their
/// halves of a.
fn best_cut(ahead: &[u64], back: &[u64], len: usize) -> usize {
    let grows =
        |row: &[u64], column: usize| usize::from(row[column / 64] >> (column % 64) & 1 == 0);
    let mut pairs_before = 0;
    let mut pairs_after: usize = (0..len).map(|column| grows(back, column)).sum();
    let (mut best_column, mut max_sum) = (0, pairs_after);
    for cut in 1..=len {
        pairs_before += grows(ahead, cut - 1);
        pairs_after -= grows(back, len - cut);
        if pairs_before + pairs_after > max_sum {
            (best_column, max_sum) = (cut, pairs_before + pairs_after);
        }
    }
    best_column
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive_len(a: &[u32], b: &[u32]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    fn check(a: &[u32], b: &[u32]) -> usize {
        let pairs = longest_common(a, b);
        assert!(pairs.iter().all(|(i, j)| a[*i as usize] == b[*j as usize]));
        assert!(pairs.is_sorted_by(|x, y| x.0 < y.0 && x.1 < y.1));
        pairs.len()
    }

    proptest! {
        #[test]
        fn as_long_as_the_definition(
            a in prop::collection::vec(0..6_u32, 0..150), b in prop::collection::vec(0..6_u32, 0..150),
            c in prop::collection::vec(0..60_u32, 0..300), d in prop::collection::vec(0..60_u32, 0..300),
        ) {
            for (a, b) in [(&a, &b), (&c, &d), (&a, &d)] {
                prop_assert_eq!(check(a, b), naive_len(a, b));
            }
        }
    }

    #[test]
    fn hostile_sequences_are_aligned_quickly() {
        let n = 20_000_u32;
        let distinct: Vec<u32> = (0..n).collect();
        let reversed: Vec<u32> = (0..n).rev().collect();
        let same = vec![0; n as usize];
        let two: Vec<u32> = (0..n).map(|i| u32::from(i % 3 == 0)).collect();
        assert_eq!(check(&distinct, &reversed), 1);
        assert_eq!(check(&same, &two), n.div_ceil(3).abs_diff(n) as usize);
        assert_eq!(check(&two, &reversed), 2);
        assert_eq!(check(&distinct, &distinct), n as usize);
    }
}
