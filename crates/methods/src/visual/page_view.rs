//! The input of rules, separators and importance.

use super::forest::{Forest, Segments};
use crate::layout::Boxes;
use crate::removal::Removal;
use crate::sweep::prefix_sums::PrefixSums;
use huller_page::Page;

/// A page, and the facts computed about it before the cut.
#[derive(Clone, Copy)]
pub(crate) struct PageView<'a> {
    pub(crate) page: &'a Page<'a>,
    /// Index of the body.
    pub(crate) body: u32,
    /// The tags that may become blocks.
    pub(crate) segments: &'a Segments,
    /// The elements that are removed.
    pub(crate) removal: &'a Removal,
    pub(crate) sums: &'a PrefixSums,
    pub(crate) layout: &'a Boxes,
    pub(crate) forest: &'a Forest,
}
