//! The row of a page: its fields, and the formats that rows are written in.
//!
//! # The types, and how they meet
//!
//! * [`Row`] borrows everything known of one page, and goes to a [`RowSink`].
//! * [`FIELDS`] is the one table of the fields: name, type, meaning, which rows have it, and how to read it from a row. The JSON
//!   writer, the columns and the type stub of the Python package, and `docs/rows.md` follow it.
//! * A [`Format`] makes files of rows. A worker encodes each batch of rows to one piece with a [`BatchEncoder`], and the writer
//!   makes a file of the pieces with an [`Assembler`]. A new format is one file here and one line in [`FORMATS`].
//! * A [`JsonObject`] writes the value of a field that is an object.
//! * [`Compression`] says how pieces are compressed, and a [`Compressor`] does it.
//!
//! This crate knows no other crate of the workspace, and opens no files.
//!
//! ```
//! use huller_row::{Compression, Compressor, JSONL};
//!
//! let mut compressor = Compressor::new(Compression::DEFAULT_GZIP);
//! let (mut assembler, mut file) = (JSONL.assembler(), Vec::new());
//! assembler.begin(&mut file);
//! assembler.end(&mut compressor, &mut file);
//! let mut ids = Vec::new();
//! let found = JSONL.inspect(Compression::DEFAULT_GZIP, &mut file.as_slice(), &mut |id| ids.push(id.to_owned()));
//! assert!(found.rows == 0 && found.error.is_none());
//! ```

mod compress;
pub mod document;
mod extras;
mod field;
mod fields;
mod format;
pub mod formats;
mod json;
mod jsonl;
mod line;
mod row;
#[cfg(test)]
mod sample;

pub use compress::{Compression, Compressor};
pub use extras::{Extra, Extras};
pub use field::{Field, Part, Presence, Source};
pub use fields::FIELDS;
pub use format::{Assembler, BatchEncoder, Format, Inspection};
pub use formats::{FORMATS, JSONL};
pub use json::{Object as JsonObject, escape_controls, push_line};
pub use line::push_row;
pub use row::{Row, RowSink, Texts};
