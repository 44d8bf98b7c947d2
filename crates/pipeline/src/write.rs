//! From parcels, in order, to outputs.

pub(crate) mod durable;
mod endings;
mod in_order;
mod mending;
mod output;
pub(crate) mod output_file;
pub(crate) mod part_file;
pub(crate) mod rejects;
pub(crate) mod writer;
