//! Cuts a page into visual blocks without rendering it, for DVPS (paper 002) and VIPS.
//!
//! * `forest`: the elements that may become blocks, called segments.
//! * `items`: the content directly in a segment.
//! * `segment`: the top-down cut, by the rules of an extractor.
//! * `separators`: joins neighbouring blocks that belong together.
//! * `importance`: the spatial and the semantic importance of a block.

mod cut;
pub(crate) mod forest;
pub(crate) mod importance;
mod page_view;
#[cfg(test)]
pub(crate) mod recorder;
pub(crate) mod segment;
pub(crate) mod segment_items;
pub(crate) mod separators;

pub(crate) use cut::{CutSettings, Functions, NoFunctions, Scratch};
pub(crate) use page_view::PageView;
