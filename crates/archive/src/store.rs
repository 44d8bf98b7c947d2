//! Opens inputs, local or remote, detects their formats, and divides them into batches.

pub(crate) mod address;
pub(crate) mod archive_file;
pub(crate) mod cutter;
pub(crate) mod detect;
pub(crate) mod foreign;
pub(crate) mod input;
pub(crate) mod input_file;
mod mode;
pub(crate) mod output_store;
pub(crate) mod place;
pub(crate) mod prefix_digest;
pub(crate) mod raw;
pub(crate) mod remote;
pub(crate) mod stores;
mod tail;
pub(crate) mod unread;
