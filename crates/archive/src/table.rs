//! Reads Parquet files: rows become JSON objects.
//!
//! The reader is written by hand for three reasons. It must not take memory that a file merely
//! claims. It must return the same rows wherever reading begins. It must know which rows damage
//! costs. Tests use other libraries as oracles.
//!
//! A file is divided into *parts* of its row groups (`file.rs`), which the cutter assigns without
//! reading them (`cutter.rs`). A worker reads the rows of a part (`reader.rs`). It assembles each
//! row (`row.rs`) from columns (`column.rs`). Their pages (`page.rs`) are decompressed (`codec.rs`)
//! once for all workers (`store.rs`). Levels and values are decoded one by one
//! (`rle_bit_packed.rs`, `delta.rs`, `values.rs`), and values become JSON (`json.rs`).
//!
//! [`Limits`](crate::Limits) bound the memory. The pages that a reader holds take in total at most
//! four times the longest record. The pages kept for other threads take at most half of it. Time is
//! linear in the bytes of the file, up to the ratio by which bodies may grow. Claims of rows,
//! values of lists and bytes beyond it are refused or counted.

mod codec;
mod column;
pub(crate) mod cutter;
mod delta;
mod fault;
pub(crate) mod file;
mod footer;
mod json;
mod page;
pub(crate) mod reader;
mod rle_bit_packed;
mod row;
pub(crate) mod rows;
mod schema;
mod store;
mod thrift;
mod values;
pub(crate) mod words;
