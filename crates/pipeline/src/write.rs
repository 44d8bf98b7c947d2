//! From parcels, in order, to outputs.

mod also;
mod checkpoints;
pub(crate) mod digest;
pub(crate) mod durable;
mod endings;
mod in_order;
pub(crate) mod line_log;
pub(crate) mod logs;
mod mending;
mod output;
pub(crate) mod output_file;
pub(crate) mod part_file;
mod pending;
pub(crate) mod signature_file;
mod stream;
pub(crate) mod writer;
