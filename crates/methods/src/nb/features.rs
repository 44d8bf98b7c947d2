//! The four features of a block, and the bins they fall into (specification section 1).
//!
//! | feature | value | bins |
//! |---|---|---|
//! | unlinked | visible scalars outside links, U | < 20, < 40, < 60, < 80, < 100, more |
//! | links | share of linked text, L / (U + L) | < 0.1, < 0.5, < 0.8, more |
//! | punctuation | punctuation per linked scalar, pu / L | < 0.02, < 0.1, more |
//! | paragraphs | number of `p` elements | 0, 1 to 3, more |
//!
//! A value equal to a bound belongs to the bin above it. Shares are compared as products of
//! integers, so that no bin depends on rounding.

use std::ops::AddAssign;

/// The counts of a block, from which its features are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockCounts {
    /// Number of visible scalars outside links (U).
    pub unlinked: u32,
    /// Number of visible scalars within links (L).
    pub linked: u32,
    /// Number of punctuation scalars in all its text (pu).
    pub punctuation: u32,
    /// Number of `p` elements whose nearest block is this block.
    pub paragraphs: u32,
}

/// The bin of each feature, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bins {
    /// 0 to 5.
    pub unlinked: usize,
    /// 0 to 3.
    pub links: usize,
    /// 0 to 2.
    pub punctuation: usize,
    /// 0 to 2.
    pub paragraphs: usize,
}

impl BlockCounts {
    /// Returns the bins of a block with these counts.
    pub fn bins(self) -> Bins {
        let BlockCounts { unlinked, linked, punctuation, paragraphs } = self;
        let (linked, punctuation) = (u64::from(linked), u64::from(punctuation));
        let total = u64::from(unlinked) + linked;
        let link_bounds = [10 * linked >= total, 2 * linked >= total, 5 * linked >= 4 * total];
        let punctuation_bounds = [50 * punctuation >= linked, 10 * punctuation >= linked];
        Bins {
            unlinked: (unlinked / 20).min(5) as usize,
            links: if total == 0 { 0 } else { count_passed(link_bounds) },
            punctuation: if punctuation == 0 { 0 } else { count_passed(punctuation_bounds) },
            paragraphs: count_passed([paragraphs > 0, paragraphs > 3]),
        }
    }
}

fn count_passed<const N: usize>(bounds: [bool; N]) -> usize {
    bounds.into_iter().filter(|passed| *passed).count()
}

impl AddAssign for BlockCounts {
    fn add_assign(&mut self, other: BlockCounts) {
        self.unlinked += other.unlinked;
        self.linked += other.linked;
        self.punctuation += other.punctuation;
        self.paragraphs += other.paragraphs;
    }
}
