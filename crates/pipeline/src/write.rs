//! Turns work items, in order, into outputs.

mod checkpoints;
mod endings;
mod format_file;
mod output;
mod recovery;
mod reorder_buffer;
mod secondary_outputs;
mod side_file;
mod stream;
pub(crate) mod writer;
