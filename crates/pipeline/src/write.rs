//! Turns work items, in order, into outputs.

mod checkpoints;
mod endings;
mod in_order;
mod output;
mod recovery;
mod secondary_outputs;
mod stream;
pub(crate) mod writer;
