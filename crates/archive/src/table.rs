//! Parquet files: rows as JSON objects.
//!
//! Written by hand, as the other readers here: it must not take memory that a file merely claims,
//! must give the same rows wherever reading begins, and must know what damage costs. The libraries
//! of others are oracles in tests.
//!
//! A file is divided into *parts* of its row groups (`file.rs`), which the reader hands out without
//! reading them (`cutter.rs`). A worker reads the rows of a part (`reader.rs`): it puts each
//! together (`row.rs`) from columns (`column.rs`), whose pages (`page.rs`) are decompressed
//! (`codec.rs`) once for all workers (`store.rs`). Levels and values are decoded one by one
//! (`hybrid.rs`, `delta.rs`, `values.rs`), and values become JSON (`json.rs`).
//!
//! Memory is bounded by [`Limits`](crate::Limits): pages that a reader holds take at most four
//! times the longest record together, and those that are kept for other threads half of it. Time is
//! linear in the bytes of the file, up to the ratio by which bodies may grow: claims of rows,
//! values of lists and bytes beyond it are refused or counted.

mod codec;
mod column;
pub(crate) mod cutter;
mod delta;
mod fault;
pub(crate) mod file;
mod footer;
mod hybrid;
mod json;
mod page;
pub(crate) mod reader;
mod row;
pub(crate) mod rows;
mod schema;
mod store;
mod thrift;
mod values;
pub(crate) mod words;
