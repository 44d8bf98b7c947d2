//! Reads every file of rows in one way, splits rows into members, and writes edited rows.
//!
//! # The types, and how they work together
//!
//! * [`RowReader`] opens a file of rows and yields [`RowChunk`]s: rows with their places, and a
//!   [`RowFault`] for each part of the file that gave no row.
//! * [`CorpusRow`] splits a row into its members. It finds text, URL, date and the like in every
//!   schema, by the names in [`RowKeys`] and [`names`].
//! * [`RowEdit`] collects the changes that a command makes to a row, and writes the row. Unchanged
//!   members keep their bytes.
//! * [`RecordBuffer`] keeps the record of a page for files of records.
//! * [`reason_of`] returns the reason under which statistics count damage of a file.
//! * [`is_row_file`] and [`output_name`] interpret the names of files.
//!
//! ```text
//!  file ──► huller-archive: container, format, damage ──► RowReader ──► RowChunk ──► CorpusRow ──► (RowEdit) ──► a command's output
//!                                                                          │
//!                                                                          └── RowFault ──► statistics
//! ```
//!
//! # One row's walk
//!
//! 1. [`RowReader::open`] reads the first bytes of the file. They decide the container (gzip, zstd,
//!    LZ4, none) and the format (JSON Lines, CSV, Parquet). The name only decides that a text is
//!    CSV. An archive, a page and a JSON array are errors with a remedy.
//! 2. A row of JSON Lines is its line, without the line feed. A row of a table comes as a JSON
//!    object. Its place is the offset at which it begins in the uncompressed file, or its number in
//!    a Parquet file.
//! 3. The row joins a chunk. The bytes of the file alone decide where chunks end, so outputs that
//!    are made chunk by chunk are the same for any number of threads.
//! 4. [`CorpusRow::parse`] splits it into members. A line that is not a JSON object is a
//!    [`RowFault`]. So is a row without a text if a command asks for one ([`CorpusRow::text`]).
//! 5. A command that changes the row notes it in a [`RowEdit`], which writes the row again.
//!
//! # What is odd, and what it means
//!
//! | what | how it is read |
//! |---|---|
//! | a byte order mark | passed over; places count it |
//! | blank lines | passed over |
//! | CR before LF | a blank at the end of the row |
//! | a JSON array | an error of the file that names `jq` |
//! | an archive or a page | an error of the file that names `huller extract` |
//! | an empty file, or only blank lines | an error of the file that says so |
//! | a compressed file whose name does not say so | read as its bytes say; `dedup` and `index` name the remedy |
//! | zeros where data was | `hole` |
//! | a line that is no JSON object, or no UTF-8 | `invalid_json` |
//! | a row without a string under a name for texts | `no_text_key`; action lines of bulk files are such rows |
//! | a name whose value is null or of another type | does not hide a later name |
//! | half of a surrogate pair in a string | U+FFFD |
//! | two members of one name | the last counts |
//! | a row over the limit | `too_large` |
//! | damage of a container | `corrupt_member`, `truncated` and others; reading goes on after it |
//! | damage of a table | `corrupt_rows`, `bad_row`; reading goes on after it |
//!
//! ```
//! use huller_corpus::{CorpusRow, Limits, RowKeys, RowReader};
//!
//! let file = tempfile::NamedTempFile::new()?;
//! std::fs::write(&file, "{\"text\":null,\"content\":\"a\"}\n\n{\"metadata\":{\"url\":\"http://b/\"}}\n")?;
//! let (mut reader, keys) = (RowReader::open(file.path(), &Limits::default())?, RowKeys::default());
//! let chunk = reader.next_chunk()?.expect("there are rows");
//! let rows: Vec<_> = chunk.rows().map(|(place, row)| (place, CorpusRow::parse(row).unwrap())).collect();
//! assert_eq!((rows[0].0, rows[0].1.text(&keys).unwrap().text.as_ref()), (0, "a"));
//! assert_eq!((rows[1].0, rows[1].1.url(&keys).as_deref()), (29, Some("http://b/")));
//! assert!(reader.next_chunk()?.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate knows archives, rows and reasons. It knows no pages, threads or terminal.

mod chunk;
mod chunk_end;
mod edit;
mod error;
mod fault;
mod file_name;
mod generated_id;
pub mod names;
mod reader;
mod record_buffer;
mod row;

pub use chunk::RowChunk;
pub use edit::RowEdit;
pub use error::CorpusError;
pub use fault::{RowFault, reason_of};
pub use file_name::{is_row_file, output_name, stem_of};
pub use generated_id::generate_id;
pub use huller_archive::Limits;
pub use names::RowKeys;
pub use reader::RowReader;
pub use record_buffer::RecordBuffer;
pub use row::{CorpusRow, RowText};
