//! The blocks into which an extractor divides a page, for readers that need their roles.

use crate::role::Role;
use std::ops::Range;

/// The blocks into which an extractor divided the page of its last extraction. Blocks and elements
/// have numbers from 0, in document order. Each call costs O(1).
pub trait PageSegmentation {
    /// Returns the first block that holds or follows the first of these runs and begins before
    /// their end.
    fn first_block(&self, runs: Range<u32>) -> Option<u32>;

    /// Returns a block.
    ///
    /// # Panics
    ///
    /// If there is no block with this number.
    fn block(&self, number: u32) -> BlockFacts;

    /// Returns the number of the innermost block element around a node that holds text.
    fn element_of(&self, node: u32) -> u32;

    /// Returns the role that a block element, by its number, and its class names give to a link in
    /// it that has no text.
    fn role_in(&self, element: u32) -> Option<Role>;
}

/// A block of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockFacts {
    /// The indices of its runs. Runs of small controls and formulas between these do not belong to
    /// it.
    pub runs: Range<u32>,
    /// The number of Unicode scalars that are neither white space nor zero width.
    pub chars: u32,
    /// The part of `chars` that lies in links.
    pub linked_chars: u32,
    /// The number of words.
    pub words: u32,
    /// The role that the elements around it and their class names give it, whether they hide it or
    /// not. `None` if they give no role, or mark it as content.
    pub role: Option<Role>,
}
