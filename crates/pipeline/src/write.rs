//! Turns parcels, in order, into outputs.

mod secondary_outputs;
mod checkpoints;
mod endings;
mod in_order;
mod recovery;
mod output;
mod stream;
pub(crate) mod writer;
