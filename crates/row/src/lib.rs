//! The row of a page: its fields, and the formats that rows are written in.
//!
//! # The types, and how they work together
//!
//! * A [`Row`] borrows the values of one page. A [`RowSink`] takes rows.
//! * [`FIELDS`] is the one table of the fields: name, type, meaning, the rows that have it, and the
//!   function that reads it from a row. The JSON writer, the columns and the type stub of the
//!   Python package, and `docs/rows.md` follow it.
//! * A [`Format`] makes files of rows. A worker encodes each batch of rows into one piece with a
//!   [`BatchEncoder`]. The writer makes a file of the pieces with an [`Assembler`]. A new format
//!   needs one file in this crate and one line in [`FORMATS`].
//! * A [`Layout`] holds the properties that all rows of a run share: their fields, or the
//!   [`Schema`] of another tool. [`SchemaColumns`] are the columns of such a schema.
//! * [`JsonMembers`] splits a line of JSON into its members.
//! * A [`JsonObject`] writes the value of a field that is an object.
//! * A [`Compression`] is the setting by which a [`Compressor`] compresses pieces.
//!
//! This crate depends on no other crate of the workspace, and opens no files.
//!
//! ```
//! use huller_row::{Compression, Compressor, JSONL, Layout};
//! use std::io::Cursor;
//!
//! let layout = Layout { compression: Compression::DEFAULT_GZIP, ..Layout::default() };
//! let mut compressor = Compressor::new(layout.compression);
//! let (mut assembler, mut file) = (JSONL.assembler(&layout), Vec::new());
//! assembler.begin(&mut compressor, &mut file)?;
//! assembler.end(&mut compressor, &mut file)?;
//! let mut ids = Vec::new();
//! let found = JSONL.inspect(&layout, &mut Cursor::new(file.as_slice()), &mut |id| ids.push(id.to_owned()));
//! assert!(found.rows == 0 && found.error.is_none());
//! # Ok::<(), std::io::Error>(())
//! ```

mod arrow;
mod arrow_message;
mod columns;
mod combined_format;
mod compress;
mod csv;
pub mod document;
mod escalated_fields;
mod extras;
mod field;
mod fields;
mod format;
pub mod formats;
mod frames;
mod json;
mod json_members;
mod jsonl;
mod layout;
mod line;
mod link;
mod link_fields;
mod parquet;
mod passage;
mod passage_fields;
mod plain_lines;
mod record_file;
mod row;
mod row_copy;
mod row_from_json;
#[cfg(test)]
mod sample;
mod schema_columns;
mod schema_form;
mod schemas;
mod strings;
mod text;
mod text_column;
mod warc;
mod warc_writer;
mod wet;

pub use columns::{ColumnLayout, Columns};
pub use combined_format::{each_piece, join_encoders, layouts};
pub use compress::{Compression, Compressor};
pub use escalated_fields::ESCALATED_FIELDS;
pub use extras::{ExtraField, Extras};
pub use field::{Field, FieldContent, FieldSource, FieldType, Presence};
pub use fields::{FIELDS, find_field};
pub use format::{
    Assembler, BatchEncoder, CopiedRows, Format, InspectedFile, Inspection, RowChoice, StoredRow,
};
pub use formats::{FORMATS, JSONL};
pub use json::{Object as JsonObject, escape_controls, push_line};
pub use json_members::{JsonMembers, MemberName, json_number, json_string, object_in_text};
pub use layout::Layout;
pub use line::push_row;
pub use link::Link;
pub use link_fields::LINK_FIELDS;
pub use passage::{HeadingAnchor, PassagePart};
pub use passage_fields::PASSAGE_FIELDS;
pub use row::{PageRecord, Row, RowSink, Texts};
pub use row_from_json::{RowSource, parse_row};
pub use schema_columns::SchemaColumns;
pub use schema_form::framed_member;
pub use schemas::{
    MemberContent, SCHEMAS, Schema, counts, find_schema, member_content, names_of, nest_of,
    omits_null, text_nest_of,
};
pub use strings::{JsonEdit, JsonStrings, JsonToken};
pub use text_column::TextColumn;
pub use warc_writer::WarcWriter;
