//! Opens inputs, local or remote, detects their formats, and divides them into batches.

pub(crate) mod address;
pub(crate) mod archive_file;
pub(crate) mod archive_folder;
mod batch_mode;
pub(crate) mod cutter;
pub(crate) mod detect;
pub(crate) mod foreign_format;
pub(crate) mod input;
pub(crate) mod input_file;
pub(crate) mod input_place;
pub(crate) mod output_store;
pub(crate) mod placed_records;
pub(crate) mod plain_list;
pub(crate) mod prefix_digest;
pub(crate) mod promised_range;
pub(crate) mod raw_reader;
pub(crate) mod remote;
pub(crate) mod stores;
mod tail_search;
