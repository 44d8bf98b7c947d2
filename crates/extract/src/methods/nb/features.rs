//! Four features of a block, and the bins they fall into (specification section 1).
//!
//! | feature | value | bins |
//! |---|---|---|
//! | unlinked | text outside links, U | < 20, < 40, < 60, < 80, < 100, more |
//! | links | share of linked text, L / (U + L) | < 0.1, < 0.5, < 0.8, more |
//! | punctuation | punctuation to linked text, pu / L | < 0.02, < 0.1, more |
//! | paragraphs | `p` elements | 0, 1 to 3, more |
//!
//! A bound belongs to the bin above it. Shares are compared as products of integers, so that no bound depends on rounding.

use std::ops::AddAssign;

/// What is counted of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockCounts {
    /// Scalars outside links (U).
    pub unlinked: u32,
    /// Scalars within links (L).
    pub linked: u32,
    /// Punctuation scalars of all its text.
    pub punctuation: u32,
    /// `p` elements whose nearest block is this one.
    pub paragraphs: u32,
}

/// The bin of each feature, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bins {
    /// Below 6.
    pub unlinked: usize,
    /// Below 4.
    pub links: usize,
    /// Below 3.
    pub punctuation: usize,
    /// Below 3.
    pub paragraphs: usize,
}

impl BlockCounts {
    /// The bins of a block with these counts.
    pub fn bins(self) -> Bins {
        let BlockCounts { unlinked, linked, punctuation, paragraphs } = self;
        let (linked, punctuation) = (u64::from(linked), u64::from(punctuation));
        let total = u64::from(unlinked) + linked;
        let link_bounds = [10 * linked >= total, 2 * linked >= total, 5 * linked >= 4 * total];
        let punctuation_bounds = [50 * punctuation >= linked, 10 * punctuation >= linked];
        Bins {
            unlinked: (unlinked / 20).min(5) as usize,
            links: if total == 0 { 0 } else { passed(link_bounds) },
            punctuation: if punctuation == 0 { 0 } else { passed(punctuation_bounds) },
            paragraphs: passed([paragraphs > 0, paragraphs > 3]),
        }
    }
}

fn passed<const N: usize>(bounds: [bool; N]) -> usize {
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
