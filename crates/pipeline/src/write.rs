//! Turns parcels, in order, into outputs.

mod also;
mod checkpoints;
mod endings;
mod in_order;
mod mending;
mod output;
mod stream;
pub(crate) mod writer;
